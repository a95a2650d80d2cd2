#include "grader/submission/build.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "grader/worker/identity.h"
#include "grader/worker/process.h"

namespace attn::submission {
namespace {

constexpr double kCompileTime_s = 60;
constexpr int kCompileMemory_mib = 1536;
constexpr std::size_t kCompilerOutput = 64 << 10;
constexpr std::size_t kShownLines = 16;

/// The folder of a build: what the compiler sees, and where it may write.
class Workshop {
  public:
    Workshop(const std::filesystem::path& root, const std::filesystem::path& submission,
             const Installation& installation, const Extra& extra)
        : root_(root), installation_(installation), extra_(extra) {
        open_to_all(root_);
        copy_files(submission, root_ / "source");
        copy_files(installation.assignments, root_ / "contract", ".h");
        std::filesystem::create_directory(root_ / "build");
        open_to_all(root_ / "build");
        if (confined()) worker::give_to_nobody((root_ / "build").c_str());
    }

    /// Where the headers are: the reference's files, which a submission may not see, include those in place.
    std::string contract() const { return confined() ? "../contract" : installation_.assignments.string(); }

    /// A file beside the headers.
    void provide(const std::string& name, const std::string& text) const {
        const auto file = root_ / "contract" / name;
        std::ofstream(file) << text;
        open_to_all(file);
    }

    std::filesystem::path built(const std::string& name) const { return root_ / "build" / name; }

    /// Runs the compiler in the folder of the sources; names of files are relative to it.
    worker::CommandResult compile(const std::vector<std::string>& arguments) const {
        worker::Command command;
        command.argv = {installation_.compiler};
        command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
        command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TMPDIR=../build",
                               "CCACHE_DISABLE=1"};
        command.directory = root_ / "source";
        worker::Confinement& confinement = command.confinement;
        confinement.limits.memory_mib = kCompileMemory_mib;
        confinement.limits.stack_mib = 64;
        confinement.limits.cpu_s = static_cast<int>(kCompileTime_s);
        confinement.limits.file_mib = 256;
        confinement.compiler = true;
        if (confined()) {
            confinement.layers = extra_.layers;
            confinement.files = {worker::system_files(), {root_ / "build", "/dev/null"}};
            const auto toolchain = std::filesystem::canonical(installation_.compiler).parent_path();
            for (const auto& path : {root_ / "source", root_ / "contract", toolchain.parent_path()})
                confinement.files.readable.push_back(path);
        }
        return worker::run_command(command, kCompileTime_s, kCompilerOutput);
    }

    /// Nobody can write to what was built any more, and everybody can read it.
    void close() const {
        if (!confined()) return;
        worker::take_back((root_ / "build").c_str());
        for (const auto& file : std::filesystem::directory_iterator(root_ / "build")) {
            worker::take_back(file.path().c_str());
            open_to_all(file.path());
        }
    }

  private:
    /// Whose libraries are linked are our own submissions: the reference.
    bool confined() const { return extra_.libraries.empty(); }

    /// So that nobody can read what root has written, whatever the mask.
    static void open_to_all(const std::filesystem::path& path) {
        using std::filesystem::perms;
        const perms folder = std::filesystem::is_directory(path)
                                 ? perms::owner_exec | perms::group_exec | perms::others_exec
                                 : perms::none;
        std::filesystem::permissions(
            path, perms::owner_read | perms::owner_write | perms::group_read | perms::others_read | folder);
    }

    /// Plain files, of this extension if any is given; no links, no devices.
    static void copy_files(const std::filesystem::path& from, const std::filesystem::path& to,
                           const std::string& extension = {}) {
        std::filesystem::create_directory(to);
        open_to_all(to);
        const auto all = std::filesystem::recursive_directory_iterator(
            from, std::filesystem::directory_options::skip_permission_denied);
        for (const auto& entry : all) {
            const auto copy = to / entry.path().lexically_relative(from);
            if (entry.is_symlink()) continue;
            if (entry.is_directory()) {
                std::filesystem::create_directory(copy);
            } else if (entry.is_regular_file() &&
                       (extension.empty() || entry.path().extension() == extension)) {
                std::error_code unreadable;
                if (!std::filesystem::copy_file(entry.path(), copy, unreadable)) continue;
            } else {
                continue;
            }
            open_to_all(copy);
        }
    }

    std::filesystem::path root_;
    const Installation& installation_;
    const Extra& extra_;
};

/// Why a compiler's run yielded nothing.
std::string failure_of(const worker::CommandResult& result) {
    std::string lines = cut_messages(result.printed, kShownLines);
    if (result.timed_out)
        return fmt::format("the compiler did not finish within {:g} s\n{}", kCompileTime_s, lines);
    if (result.too_much_output)
        return fmt::format("the compiler printed more than {} KiB; it began with\n{}", kCompilerOutput >> 10,
                           lines);
    if (result.ending.signal != 0)
        return fmt::format("the compiler ended with {}\n{}", worker::describe_signal(result.ending.signal),
                           lines);
    return lines;
}

/// For the linker: what the library shows, attn::NAME(..) of the contract, by its mangled name.
std::string shown_symbols(const checks::Module& module) {
    std::string shown;
    for (const checks::Function& function : module.functions)
        shown += fmt::format("_ZN4attn{}{}E*; ", function.name.size(), function.name);
    return fmt::format("{{ global: {} local: *; }};\n", shown);
}

bool succeeded(const worker::CommandResult& result) {
    return !result.timed_out && !result.too_much_output && result.ending.signal == 0 &&
           result.ending.exit_code == 0;
}

}  // namespace

const report::SourceFile& Build::source(const std::string& name) const {
    return *std::find_if(sources.begin(), sources.end(), [&](const auto& s) { return s.name == name; });
}

std::string cut_messages(const std::string& messages, std::size_t most_lines) {
    std::vector<std::string> lines;
    std::istringstream stream(messages);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    const auto contains = [](const char* words) {
        return [words](const std::string& line) { return line.find(words) != std::string::npos; };
    };
    auto first = std::find_if(lines.begin(), lines.end(), contains("error:"));
    // The linker complains before the driver does; that one's "error:" says nothing.
    if (first == lines.end() || first->starts_with("collect2:")) first = lines.begin();
    // Newer compilers quote the student's line between "required from here" and the error.
    const auto led_here = contains("required from here");
    for (auto line = first; line != lines.begin() && (led_here(line[-1]) || line[-1].starts_with(' '));)
        if (led_here(*--line)) first = line;
    lines.erase(lines.begin(), first);
    std::string text;
    for (std::size_t k = 0; k < std::min(lines.size(), most_lines); ++k) text += lines[k] + '\n';
    if (lines.size() > most_lines) text += fmt::format("({} more lines)\n", lines.size() - most_lines);
    return text;
}

Build build(const std::filesystem::path& submission, const Rubric& rubric, const Installation& installation,
            const Extra& extra) {
    if (!std::filesystem::is_directory(submission)) {
        throw SubmissionError(fmt::format("{}: there is no such folder; give the one that holds {}",
                                          submission.string(), rubric.sources.front()));
    }
    Build result;
    const Workshop workshop(result.folder.path(), submission, installation, extra);
    std::vector<std::string> objects;
    for (const std::string& name : rubric.sources) {
        const auto file = submission / name;
        report::SourceFile source;
        source.name = name;
        if (!std::filesystem::is_regular_file(file)) {
            source.exists = false;
            source.messages = fmt::format("{}: there is no such file in the submission\n", file.string());
            result.sources.push_back(source);
            continue;
        }
        std::vector<std::string> arguments = {"-std=c++20",
                                              "-O2",
                                              "-fPIC",
                                              "-Wall",
                                              "-Wextra",
                                              "-fmax-errors=5",
                                              "-D_GLIBCXX_ASSERTIONS",
                                              "-DATTN_BOUNDS_CHECK=1",
                                              "-I" + workshop.contract()};
        for (const auto& folder : std::filesystem::directory_iterator(installation.assignments))
            if (folder.is_directory())
                arguments.push_back("-I" + workshop.contract() + "/" + folder.path().filename().string());
        arguments.insert(arguments.end(), extra.flags.begin(), extra.flags.end());
        const std::string object = "../build/" + name + ".o";
        arguments.insert(arguments.end(), {"-c", name, "-o", object});
        worker::CommandResult compiled = workshop.compile(arguments);
        if (compiled.too_much_output) {  // perhaps of warnings only, and they cost nothing
            arguments.emplace_back("-w");
            compiled = workshop.compile(arguments);
        }
        source.compiled = succeeded(compiled);
        source.messages =
            source.compiled ? cut_messages(compiled.printed, kShownLines) : failure_of(compiled);
        if (source.compiled) objects.push_back(object);
        result.sources.push_back(source);
    }
    if (objects.empty()) return result;

    const std::string library = rubric.module->name + ".so";
    workshop.provide("symbols.map", shown_symbols(*rubric.module));
    // Lazily, so that a call of a function that nobody defines fails when it is made, and only then.
    std::vector<std::string> arguments = {"-shared", "-Wl,-z,lazy", "-o", "../build/" + library,
                                          "-Wl,--version-script=../contract/symbols.map"};
    arguments.insert(arguments.end(), objects.begin(), objects.end());
    arguments.insert(arguments.end(), extra.libraries.begin(), extra.libraries.end());
    const worker::CommandResult linked = workshop.compile(arguments);
    workshop.close();
    if (succeeded(linked)) {
        result.library = workshop.built(library);
        return result;
    }
    for (report::SourceFile& source : result.sources) {
        if (!source.compiled) continue;
        source.compiled = false;
        source.messages = "the files compile, but cannot be linked:\n" + failure_of(linked);
    }
    return result;
}

}  // namespace attn::submission
