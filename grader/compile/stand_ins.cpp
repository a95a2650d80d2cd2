#include "grader/compile/stand_ins.h"

#include <mutex>
#include <stdexcept>

#include <archive.h>
#include <archive_entry.h>
#include <unistd.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/ask/module.h"
#include "grader/compile/compile_sandbox.h"
#include "grader/compile/symbols.h"
#include "grader/intake/archive_reader.h"
#include "grader/worker/process.h"

namespace attn::compile {
namespace {

namespace fs = std::filesystem;

/// Where linked libraries stay: in the build, or, if that belongs to another user, as long as this program
/// runs.
fs::path folder_for_libraries(const Installation& installation) {
    if (access(installation.stand_ins.c_str(), W_OK) == 0) return installation.stand_ins;
    static const data::TemporaryDirectory kFolder;
    return kFolder.path();
}

bool is_newer(const fs::path& library, const fs::path& source) {
    std::error_code missing;
    const auto made = fs::last_write_time(library, missing);
    return !missing && made > fs::last_write_time(source);
}

/// The contracts' functions, which call the plain loops.
fs::path adapters_of(const Installation& installation) {
    return installation.stand_ins / "adapters.a";
}

void link(const std::string& function, const fs::path& library, const Installation& installation) {
    const data::TemporaryDirectory folder;
    folder.write("symbols.map", version_script({function}, "attn"));
    // Another grader may need the same one at the same time: the last to finish puts its own in place, whole. Its name ends
    // like those of finished ones, because other files of the folder belong to the grader's digest (classes/digests.h).
    const fs::path unfinished = library.parent_path() / (function + "." + std::to_string(getpid()) + ".so");
    worker::Command command;
    command.argv = {installation.compiler,
                    "-shared",
                    "-o",
                    unfinished.string(),
                    "-Wl,--gc-sections",
                    "-Wl,--version-script=" + (folder.path() / "symbols.map").string(),
                    "-Wl,--whole-archive",
                    adapters_of(installation).string(),
                    "-Wl,--no-whole-archive",
                    installation.reference.string()};
    command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"};
    command.directory = folder.path();
    command.confinement.layers = worker::Layers::for_own_programs();
    command.confinement.limits.memory_mib = 0;
    command.confinement.limits.file_mib = 0;
    command.confinement.compiler = true;
    const worker::CommandResult result =
        worker::run_command(command, kPatience * kCompileTime_s, kCompilerOutput);
    if (result.timed_out || result.ending.signal != 0 || result.ending.exit_code != 0)
        throw std::runtime_error("the reference's " + function + " cannot be linked:\n" + result.printed);
    make_readable_by_all(unfinished);
    fs::rename(unfinished, library);
}

/// The libraries of a kit, unpacked. In a kit they are compressed together, because they have much in common.
fs::path unpacked(const fs::path& packed) {
    static const data::TemporaryDirectory kFolder;
    try {
        intake::ArchiveReader reader(packed, [](archive* a) {
            archive_read_support_filter_xz(a);
            archive_read_support_format_tar(a);
        });
        while (archive_entry* entry = reader.next()) {
            std::string library;
            for (std::string_view some = reader.data(); !some.empty(); some = reader.data()) library += some;
            make_readable_by_all(kFolder.write(archive_entry_pathname(entry), library));
        }
    } catch (const intake::ArchiveDamage& damage) {
        throw std::runtime_error(packed.string() + " cannot be read (" + damage.what() +
                                 "); unpack the kit again");
    }
    return kFolder.path();
}

}  // namespace

fs::path stand_in_for(const std::string& function, const Installation& installation) {
    const std::string name = function + ".so";
    if (ask::module_of(function) == nullptr)
        throw std::invalid_argument("no assignment has a function " + function);
    if (installation.reference.empty()) {
        static const fs::path kFolder = unpacked(installation.stand_ins);
        return kFolder / name;
    }
    static std::mutex one_at_a_time;
    const std::lock_guard turn(one_at_a_time);
    const auto is_current = [&](const fs::path& library) {
        return is_newer(library, adapters_of(installation)) && is_newer(library, installation.reference);
    };
    // Another user may have made it, in a folder that is closed to this one.
    if (fs::path made = installation.stand_ins / name; is_current(made)) return made;
    fs::path library = folder_for_libraries(installation) / name;
    if (!is_current(library)) link(function, library, installation);
    return library;
}

void make_stand_ins(const Installation& installation, const fs::path& folder) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    for (const ask::Module& module : ask::modules())
        for (const ask::Function& function : module.functions)
            fs::copy_file(stand_in_for(function.name, installation), folder / (function.name + ".so"));
}

}  // namespace attn::compile
