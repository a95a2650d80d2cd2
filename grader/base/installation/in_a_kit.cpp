// The installation of a kit or of a package: ROOT/grader/grader finds everything below ROOT, wherever the kit was unpacked,
// and the compiler in PATH. It contains no path of the machine that built it.

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "grader/base/errors.h"
#include "grader/base/installation.h"
#include "grader/base/timed_level.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

/// Searches PATH for $CXX, or for g++. Returns the bare name if it is not found; require_compiler() reports
/// that.
fs::path find_compiler() {
    const char* chosen = std::getenv("CXX");
    fs::path name = chosen != nullptr && *chosen != '\0' ? chosen : "g++";
    const char* path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
    if (name.has_parent_path()) return fs::absolute(name);
    std::error_code unreadable;
    for (std::string folder; std::getline(folders, folder, ':');)
        if (!folder.empty() && fs::is_regular_file(fs::path(folder) / name, unreadable))
            return fs::absolute(fs::path(folder) / name);
    return name;
}

/// The nearest folder upwards from the current one that `attention-lab course` has made; empty if there is none.
fs::path course_folder() {
    std::error_code error;
    for (fs::path folder = fs::current_path(error); !folder.empty(); folder = folder.parent_path()) {
        if (fs::is_regular_file(folder / "assignments/made_with", error)) return folder;
        if (folder == folder.root_path()) break;
    }
    return {};
}

std::string text_of(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

/// Throws UserError if the headers of a course are not those with which this grader was compiled.
void require_headers(const fs::path& course, const fs::path& installed) {
    for (const auto& each : fs::recursive_directory_iterator(installed)) {
        if (each.path().extension() != ".h") continue;
        const fs::path file = course / "assignments" / each.path().lexically_relative(installed);
        std::error_code missing;
        if (fs::is_regular_file(file, missing) && text_of(file) == text_of(each.path())) continue;
        std::string maker = text_of(course / "assignments/made_with");
        throw UserError(
            file.string() + ": this is not the header of this grader; the folder was made with " +
            maker.substr(0, maker.find('\n')) +
            "; use that version, or bring the folder to this one: attention-lab course --update " +
            course.string());
    }
}

}  // namespace

Installation::Installation()
    : version(ATTN_VERSION),
      with_yardstick(ATTN_YARDSTICKS),
      timed_level(ATTN_TIMED_LEVEL),
      timed_flags(ATTN_TIMED_FLAGS),
      no_speed(obstacle_to_speed(timed_level)) {
    const fs::path grader = fs::read_symlink("/proc/self/exe").parent_path(), root = grader.parent_path();
    assignments = root / "assignments";
    datasets = root / "datasets";
    for (const fs::path& folder : {assignments, datasets})
        if (!fs::is_directory(folder))
            throw std::runtime_error("this kit is not whole: there is no folder " + folder.string() +
                                     "; unpack all of it again, and leave grader/ where it is");
    // Only a package can make kits, and only there a teacher works in a folder of their own.
    if (fs::exists(grader / "kits/make_kit.sh"))
        if (const fs::path course = course_folder(); !course.empty()) {
            require_headers(course, assignments);
            assignments = course / "assignments";
        }
    commit_file = grader / "COMMIT";
    worker = grader / "worker";
    reader = grader / "reader";
    exports = grader / "exports.so";
    kernel_exports = grader / "kernel_exports.so";
    stand_ins = grader / "stand_ins.tar.xz";
    plain = grader / "plain.so";
    yardstick = grader / "yardstick.so";
    preludes = grader / "preludes";
    emulator_headers = grader / "emulator/include";
    compiler = find_compiler();
    // The emulator compiles kernels with flags that only g++ has.
    const bool is_clang = compiler.find("clang", compiler.rfind('/') + 1) != std::string::npos;
    if (const fs::path library = grader / "emulator/libemulator.so"; !is_clang && fs::exists(library))
        emulator_library = library;
}

}  // namespace attn
