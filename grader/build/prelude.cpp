#include "grader/build/prelude.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/file_error.h"
#include "datasets/replacement.h"
#include "grader/build/compile_sandbox.h"
#include "grader/build/includes.h"
#include "grader/sandbox/identity.h"
#include "grader/worker/process.h"

namespace attn::submission {
namespace {

namespace fs = std::filesystem;

struct Kind {
    const char* name;
    std::vector<std::string> headers;  ///< besides tensor.h
};

/// The larger ones first.
const std::vector<Kind>& kinds() {
    static const std::vector<Kind> kAll = {{"algorithms", {"<algorithm>", "<cmath>", "<vector>"}},
                                           {"numbers", {"<cmath>", "<vector>"}},
                                           {"contract", {}}};
    return kAll;
}

const std::string kText = "prelude.h", kCompiled = "prelude.h.gch", kMadeOf = "made_of";

std::string made_of(const Installation& installation) {
    return fmt::format("{}\n{}\n{}", identity_of(installation.compiler), fmt::join(compiler_flags(), " "),
                       data::read_file(installation.assignments / "tensor.h"));
}

/// Only what this compiler itself calls a precompiled header: others find theirs in other ways.
bool is_gccs(const fs::path& file) {
    std::array<char, 4> magic{};
    std::ifstream(file, std::ios::binary).read(magic.data(), magic.size());
    return std::string_view(magic.data(), magic.size()) == "gpch";
}

bool is_made(const fs::path& folder, const std::string& of) {
    const fs::path note = folder / kMadeOf;
    return fs::exists(note) && data::read_file(note) == of;
}

void write(const fs::path& path, const std::string& text) {
    data::Replacement file(path);
    file.write(text.data(), text.size());
    file.commit();
}

}  // namespace

std::string identity_of(const fs::path& program) {
    const fs::path file = fs::canonical(program);
    return fmt::format("{} {} {}", file.string(), fs::file_size(file),
                       fs::last_write_time(file).time_since_epoch().count());
}

bool is_reachable(const fs::path& folder) {
    if (!worker::is_root()) return true;
    for (fs::path each = fs::absolute(folder); each != each.root_path(); each = each.parent_path())
        if ((fs::status(each).permissions() & fs::perms::others_exec) == fs::perms::none) return false;
    return true;
}

fs::path prelude_for(std::string_view text, const fs::path& submission, const Installation& installation) {
    std::vector<std::string> system;
    bool contract = false;
    for (const std::string& header : first_includes(text)) {
        if (header[0] == '<') {
            system.push_back(header);
            continue;
        }
        const std::string name = header.substr(1, header.size() - 2);
        bool of_the_contract = fs::exists(installation.assignments / name);
        for (const auto& folder : fs::directory_iterator(installation.assignments))
            of_the_contract = of_the_contract || (folder.is_directory() && fs::exists(folder.path() / name));
        // Whatever the student's own header says may change what comes behind it.
        if (!of_the_contract || fs::exists(submission / name)) break;
        contract = true;
    }
    if (!contract) return {};
    for (const Kind& kind : kinds()) {
        const bool all = std::all_of(kind.headers.begin(), kind.headers.end(), [&system](const auto& header) {
            return std::find(system.begin(), system.end(), header) != system.end();
        });
        if (!all) continue;
        const fs::path folder = installation.preludes / kind.name;
        return is_made(folder, made_of(installation)) && is_gccs(folder / kCompiled) && is_reachable(folder)
                   ? folder
                   : fs::path();
    }
    return {};
}

std::vector<std::string> prelude_flags(const fs::path& prelude) {
    return {"-Winvalid-pch", "-include", (prelude / kText).string()};
}

void make_preludes(const Installation& installation) {
    require_compiler(installation);
    const std::string of = made_of(installation);
    for (const Kind& kind : kinds()) {
        const fs::path folder = installation.preludes / kind.name;
        if (is_made(folder, of)) continue;
        fs::create_directories(folder);
        fs::remove(folder / kMadeOf);
        std::string text;
        for (const std::string& header : kind.headers) text += "#include " + header + "\n";
        write(folder / kText, text + "#include \"tensor.h\"\n");
        worker::Command command;
        command.argv = {installation.compiler};
        for (const auto& flags : {compiler_flags(),
                                  include_flags(installation.assignments, installation),
                                  {"-x", "c++-header", kText, "-o", kCompiled}})
            command.argv.insert(command.argv.end(), flags.begin(), flags.end());
        command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "CCACHE_DISABLE=1"};
        command.directory = folder;
        command.confinement.layers = worker::Layers::for_own_programs();
        command.confinement.limits.memory_mib = 0;
        command.confinement.limits.file_mib = 0;
        command.confinement.compiler = true;
        const auto result = worker::run_command(command, kCompileTime_s, kCompilerOutput);
        if (result.timed_out || result.ending.signal != 0 || result.ending.exit_code != 0)
            throw std::runtime_error("the contract's headers do not compile:\n" + result.printed);
        for (const auto& file : {folder, folder / kText, folder / kCompiled}) open_to_all(file);
        write(folder / kMadeOf, of);
    }
}

}  // namespace attn::submission
