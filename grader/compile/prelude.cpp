#include "grader/compile/prelude.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <mutex>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "datasets/files/file_error.h"
#include "datasets/files/replacement.h"
#include "grader/compile/compile_sandbox.h"
#include "grader/compile/includes.h"
#include "grader/sandbox/identity.h"
#include "grader/worker/process.h"

namespace attn::compile {
namespace {

namespace fs = std::filesystem;

struct PreludeKind {
    const char* name;
    std::vector<std::string> headers;  ///< in addition to tensor.h
};

/// Larger preludes come first.
const std::vector<PreludeKind>& kinds() {
    static const std::vector<PreludeKind> kAll = {{"algorithms", {"<algorithm>", "<cmath>", "<vector>"}},
                                                  {"numbers", {"<cmath>", "<vector>"}},
                                                  {"contract", {}}};
    return kAll;
}

const std::string kText = "prelude.h", kCompiled = "prelude.h.gch", kKeyFile = "made_of";

std::string prelude_key(const Installation& installation) {
    return fmt::format("{}\n{}\n{}", program_fingerprint(installation.compiler),
                       fmt::join(compiler_flags(), " "),
                       data::read_file(installation.assignments / "tensor.h"));
}

/// Whether GCC made this precompiled header. Other compilers search for theirs in other ways.
bool is_gcc_header(const fs::path& file) {
    std::array<char, 4> magic{};
    std::ifstream(file, std::ios::binary).read(magic.data(), magic.size());
    return std::string_view(magic.data(), magic.size()) == "gpch";
}

bool is_up_to_date(const fs::path& folder, const std::string& key) {
    const fs::path file = folder / kKeyFile;
    return fs::exists(file) && data::read_file(file) == key;
}

/// The names by which a source can include the contract's headers. Other names that students write are not
/// looked up in any folder.
std::set<std::string> contract_headers(const Installation& installation) {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(installation.assignments)) {
        if (entry.path().extension() != ".h") continue;
        names.insert(entry.path().filename().string());
        names.insert(entry.path().lexically_relative(installation.assignments).string());
    }
    return names;
}

/// Compiles a prelude of this text into a folder. Throws std::runtime_error if the compiler fails.
void make_prelude(const fs::path& folder, const std::string& text, const std::vector<std::string>& flags,
                  const std::string& key, const Installation& installation) {
    fs::create_directories(folder);
    fs::remove(folder / kKeyFile);
    data::write_file(folder / kText, text);
    worker::Command command;
    command.argv = {installation.compiler};
    for (const auto& words : {flags, {"-x", "c++-header", kText, "-o", kCompiled}})
        command.argv.insert(command.argv.end(), words.begin(), words.end());
    command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "CCACHE_DISABLE=1"};
    command.directory = folder;
    command.confinement.layers = worker::Layers::for_own_programs();
    command.confinement.limits.memory_mib = 0;
    command.confinement.limits.file_mib = 0;
    command.confinement.compiler = true;
    const auto result = worker::run_command(command, kPatience * kCompileTime_s, kCompilerOutput);
    if (result.timed_out || result.ending.signal != 0 || result.ending.exit_code != 0)
        throw std::runtime_error("the contract's headers do not compile:\n" + result.printed);
    for (const auto& file : {folder, folder / kText, folder / kCompiled}) make_readable_by_all(file);
    data::write_file(folder / kKeyFile, key);
}

}  // namespace

std::string program_fingerprint(const fs::path& program) {
    const fs::path file = fs::canonical(program);
    return fmt::format("{} {} {}", file.string(), fs::file_size(file),
                       fs::last_write_time(file).time_since_epoch().count());
}

bool is_readable_by_compiler(const fs::path& folder) {
    if (!worker::is_root()) return true;
    for (fs::path each = fs::absolute(folder); each != each.root_path(); each = each.parent_path())
        if ((fs::status(each).permissions() & fs::perms::others_exec) == fs::perms::none) return false;
    return true;
}

fs::path prelude_for(const std::vector<std::string>& headers, const fs::path& submission,
                     const Installation& installation) {
    const std::set<std::string> of_the_contract = contract_headers(installation);
    std::vector<std::string> system;
    bool contract = false;
    for (const std::string& header : headers) {
        if (header[0] == '<') {
            system.push_back(header);
            continue;
        }
        const std::string name = header.substr(1, header.size() - 2);
        // A header of the student may define macros that change the headers after it.
        if (!of_the_contract.contains(name) || fs::exists(submission / name)) break;
        contract = true;
    }
    if (!contract) return {};
    for (const PreludeKind& kind : kinds()) {
        const bool all = std::all_of(kind.headers.begin(), kind.headers.end(), [&system](const auto& header) {
            return std::find(system.begin(), system.end(), header) != system.end();
        });
        if (!all) continue;
        const fs::path folder = installation.preludes / kind.name;
        return is_up_to_date(folder, prelude_key(installation)) && is_gcc_header(folder / kCompiled) &&
                       is_readable_by_compiler(folder)
                   ? folder
                   : fs::path();
    }
    return {};
}

fs::path prelude_header(const fs::path& prelude) {
    return prelude.empty() ? prelude : prelude / kText;
}

std::vector<std::string> prelude_flags(const fs::path& prelude) {
    return {"-Winvalid-pch", "-include", prelude_header(prelude).string()};
}

void make_preludes(const Installation& installation) {
    require_compiler(installation);
    const std::string key = prelude_key(installation);
    for (const PreludeKind& kind : kinds()) {
        const fs::path folder = installation.preludes / kind.name;
        if (is_up_to_date(folder, key)) continue;
        std::string text;
        for (const std::string& header : kind.headers) text += "#include " + header + "\n";
        std::vector<std::string> flags = compiler_flags();
        for (const std::string& flag : include_flags(installation.assignments, installation))
            flags.push_back(flag);
        make_prelude(folder, text + "#include \"tensor.h\"\n", flags, key, installation);
    }
}

fs::path kernel_prelude(emulator::Mode mode, const Installation& installation) {
    if (!is_readable_by_compiler(installation.preludes)) return {};
    const fs::path folder =
        installation.preludes / (mode == emulator::Mode::check ? "kernels_checked" : "kernels_fast");
    auto flags = emulator::compile_flags(mode, installation.emulator_headers.string());
    flags.erase(flags.begin(), flags.begin() + 2);  // "-x c++"; a header has another language
    std::string key =
        fmt::format("{}\n{}", program_fingerprint(installation.compiler), fmt::join(flags, " "));
    for (const fs::path& file : regular_files(installation.emulator_headers))
        key += fmt::format("\n{}\n{}", file.string(), data::read_file(installation.emulator_headers / file));
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    if (!is_up_to_date(folder, key)) {
        // Other processes may find at the same time that it is missing.
        const fs::path draft = fmt::format("{}.{}", folder.string(), getpid());
        std::error_code failed;
        try {
            make_prelude(draft, fmt::format("#include \"{}\"\n", emulator::kFirstHeader), flags, key,
                         installation);
        } catch (const std::exception&) {
            // The compiler reads the text of the headers instead. Trying again would cost as much each time.
            fs::remove(draft / kCompiled, failed);
            std::ofstream(draft / kKeyFile) << key;
        }
        fs::remove_all(folder, failed);
        fs::rename(draft, folder, failed);
        if (failed) fs::remove_all(draft, failed);
    }
    return is_gcc_header(folder / kCompiled) ? folder : fs::path();
}

}  // namespace attn::compile
