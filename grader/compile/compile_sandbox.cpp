#include "grader/compile/compile_sandbox.h"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "grader/sandbox/identity.h"
#include "grader/sandbox/readable_files.h"
#include "grader/worker/watched/stack_shadow.h"

namespace attn::compile {
namespace {

/// Copies regular files, no links or devices; if `extension` is given, only files with it.
void copy_files(const std::filesystem::path& from, const std::filesystem::path& to,
                const std::string& extension = {}) {
    std::filesystem::create_directories(to);
    for (const auto& folder : {to.parent_path(), to}) make_readable_by_all(folder);
    const auto all = std::filesystem::recursive_directory_iterator(
        from, std::filesystem::directory_options::skip_permission_denied);
    for (const auto& entry : all) {
        const auto copy = to / entry.path().lexically_relative(from);
        if (entry.is_symlink()) continue;
        if (entry.is_directory()) {
            std::filesystem::create_directory(copy);
        } else if (entry.is_regular_file() && (extension.empty() || entry.path().extension() == extension)) {
            std::error_code unreadable;
            if (!std::filesystem::copy_file(entry.path(), copy, unreadable)) continue;
        } else {
            continue;
        }
        make_readable_by_all(copy);
    }
}

/// Makes the folder `root`, and below it one folder in another: "a", "a/b". All users can list them.
void make_open_folders(std::filesystem::path root, const std::filesystem::path& below) {
    std::filesystem::create_directory(root);
    make_readable_by_all(root);
    for (const auto& name : below) {
        std::filesystem::create_directory(root /= name);
        make_readable_by_all(root);
    }
}

/// A file that the compiler may not read is reported like one that does not exist, so that its messages do
/// not tell which files exist.
std::string without_denials(std::string messages) {
    constexpr std::string_view kDenied = "Permission denied", kMissing = "No such file or directory";
    for (std::size_t at = 0; (at = messages.find(kDenied, at)) != std::string::npos; at += kMissing.size())
        messages.replace(at, kDenied.size(), kMissing);
    return messages;
}

}  // namespace

std::string unreadable(const std::string& name) {
    return fmt::format(
        "{}: the grader cannot read this file within {:g} s and {} MiB; make it shorter and simpler\n", name,
        kReadTime_s, kCompileMemory_mib);
}

std::vector<std::string> compiler_flags() {
    return {
        "-std=c++20", "-O1", "-ftree-vrp",
        // As on x86-64, where a char has a sign and nothing fuses a product with a sum unless it is asked to.
        "-fsigned-char", "-ffp-contract=off", "-fPIC", "-Wall", "-Wextra", "-fmax-errors=5",
        "-D_GLIBCXX_ASSERTIONS", "-DATTN_BOUNDS_CHECK=1"};
}

std::vector<std::string> timed_flags(const Installation& installation) {
    std::vector<std::string> flags = {"-std=c++20"};
    std::istringstream words(installation.timed_flags);
    for (std::string word; words >> word;) flags.push_back(word);
    // A target attribute or pragma can choose wider instructions than -march. The assembler refuses them.
    if (installation.timed_level == "x86-64-v3") flags.emplace_back("-Wa,-march=+noavx512f");
    for (const char* flag : {"-fopenmp-simd", "-fPIC", "-w", "-DNDEBUG", "-DATTN_BOUNDS_CHECK=0"})
        flags.emplace_back(flag);
    return flags;
}

std::vector<std::string> watched_flags() {
    std::vector<std::string> flags = compiler_flags();
    for (const char* flag :
         {"-O0",  // it takes half of the time to compile, and few calls are repeated
          "-gdwarf-4", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-w",
          // The calls before each access. (This sanitizer's own library could not run in the sandbox: it
          // maps terabytes.)
          "-fsanitize=kernel-address", "--param=asan-instrumentation-with-call-threshold=0",
          "--param=asan-stack=1", "--param=asan-globals=1", "--param=asan-instrument-allocas=1",
          // Calls when a function of the submission begins and ends, but not those of headers.
          "-finstrument-functions", "-finstrument-functions-exclude-file-list=../contract/,/usr/",
          "-fsanitize=bounds,return,unreachable,vla-bound,signed-integer-overflow"})
        flags.emplace_back(flag);
    flags.push_back(fmt::format("-fasan-shadow-offset={:#x}", worker::kShadowOffset));
    return flags;
}

std::vector<std::string> include_flags(const std::string& contract, const Installation& installation) {
    std::vector<std::string> flags = {"-I" + contract};
    for (const auto& folder : std::filesystem::directory_iterator(installation.assignments))
        if (folder.is_directory()) flags.push_back("-I" + contract + "/" + folder.path().filename().string());
    return flags;
}

void require_compiler(const Installation& installation) {
    if (!std::filesystem::is_regular_file(installation.compiler))
        throw std::runtime_error("there is no compiler " + installation.compiler +
                                 " to compile submissions with; install g++ (Debian, Ubuntu: apt-get install "
                                 "g++), or name another compiler in the variable CXX");
}

void make_readable_by_all(const std::filesystem::path& path) {
    using std::filesystem::perms;
    const perms folder = std::filesystem::is_directory(path)
                             ? perms::owner_exec | perms::group_exec | perms::others_exec
                             : perms::none;
    std::filesystem::permissions(
        path, perms::owner_read | perms::owner_write | perms::group_read | perms::others_read | folder);
}

CompileSandbox::CompileSandbox(const std::filesystem::path& root, const std::filesystem::path& submission,
                               const std::vector<std::filesystem::path>& files,
                               const Installation& installation, const BuildOptions& options)
    : root_(root), installation_(installation), options_(options) {
    make_open_folders(root_, "source");
    for (const auto& file : files) {
        make_open_folders(root_ / "source", file.parent_path());
        std::error_code unreadable;  // the compiler will report it
        if (std::filesystem::copy_file(submission / file, root_ / "source" / file, unreadable))
            make_readable_by_all(root_ / "source" / file);
    }
    copy_files(installation.assignments, root_ / "contract", ".h");
    if (options.kernels != Kernels::none) {
        if (!installation.cuda_headers.empty())
            copy_files(installation.cuda_headers, root_ / "contract" / "cuda", ".h");
        // The emulator recognizes its own headers in error locations by this path: see emulator/places.h.
        copy_files(installation.emulator_headers, root_ / "contract" / "emulator" / "include");
    }
    std::filesystem::create_directory(root_ / "build");
    make_readable_by_all(root_ / "build");
    if (!is_confined(options_)) return;
    worker::give_to_nobody((root_ / "build").c_str());
    if (options.kernels == Kernels::none) return;
    // The reader rewrites the sources in place.
    worker::give_to_nobody((root_ / "source").c_str());
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root_ / "source"))
        if (entry.is_directory()) worker::give_to_nobody(entry.path().c_str());
}

std::string CompileSandbox::contract() const {
    return is_confined(options_) ? "../contract" : installation_.assignments.string();
}

std::string CompileSandbox::cuda_headers() const {
    return is_confined(options_) ? "../contract/cuda" : installation_.cuda_headers.string();
}

std::string CompileSandbox::emulator_headers() const {
    return is_confined(options_) ? "../contract/emulator/include" : installation_.emulator_headers.string();
}

void CompileSandbox::add_file(const std::string& name, const std::string& text) const {
    const auto file = root_ / "contract" / name;
    std::ofstream(file) << text;
    make_readable_by_all(file);
}

worker::Command CompileSandbox::command(const std::filesystem::path& program,
                                        const std::vector<std::string>& arguments, double time_s) const {
    worker::Command command;
    command.argv = {program.string()};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TMPDIR=../build",
                           "CCACHE_DISABLE=1"};
    command.directory = root_ / "source";
    worker::Confinement& confinement = command.confinement;
    confinement.limits.memory_mib = kCompileMemory_mib;
    confinement.limits.stack_mib = 64;
    confinement.limits.cpu_s = static_cast<int>(time_s);
    confinement.limits.file_mib = 256;
    confinement.compiler = true;
    if (!is_confined(options_)) return command;
    confinement.layers = options_.layers;
    confinement.files = {worker::compiler_files(program), {root_ / "build", "/dev/null"}};
    for (const auto& path : {root_ / "source", root_ / "contract"})
        confinement.files.readable.push_back(path);
    return command;
}

worker::CommandResult CompileSandbox::compile(const std::vector<std::string>& arguments,
                                              const std::filesystem::path& readable) const {
    worker::Command compiler = command(installation_.compiler, arguments, kCompileTime_s);
    auto& allowed = compiler.confinement.files.readable;
    if (!readable.empty()) allowed.push_back(readable);
    worker::CommandResult result = worker::run_command(compiler, kPatience * kCompileTime_s, kCompilerOutput);
    if (is_confined(options_)) result.printed = without_denials(std::move(result.printed));
    return result;
}

worker::CommandResult CompileSandbox::run_reader(const std::vector<std::string>& arguments) const {
    worker::Command reader = command(installation_.reader, arguments, kReadTime_s);
    reader.confinement.files.readable.push_back(installation_.reader);
    reader.confinement.files.writable.push_back(root_ / "source");
    return worker::run_command(reader, kPatience * kReadTime_s, kCompilerOutput);
}

void CompileSandbox::protect_outputs() const {
    if (!is_confined(options_)) return;
    worker::return_to_root((root_ / "build").c_str());
    for (const auto& file : std::filesystem::directory_iterator(root_ / "build")) {
        worker::return_to_root(file.path().c_str());
        make_readable_by_all(file.path());
    }
}

}  // namespace attn::compile
