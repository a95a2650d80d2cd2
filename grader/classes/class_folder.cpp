#include "grader/classes/class_folder.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datasets/files/file_error.h"
#include "datasets/files/replacement.h"
#include "grader/base/errors.h"
#include "grader/cli/options.h"

namespace attn::classes {
namespace {

namespace fs = std::filesystem;

constexpr const char* kClassFile = "class.toml";

fs::path nearest_class_folder() {
    const fs::path here = fs::current_path();
    for (fs::path folder = here;; folder = folder.parent_path()) {
        if (fs::exists(folder / kClassFile)) return folder;
        if (folder == folder.root_path()) break;
    }
    throw UserError(
        fmt::format("{}: neither this folder nor one above it has a class.toml; go to the folder of a class, "
                    "name it with --class DIR, or make one: grader class init DIR",
                    here.string()));
}

}  // namespace

ClassFolder ClassFolder::find(const std::optional<std::string>& given) {
    ClassFolder found;
    found.path_ = fs::absolute(given ? fs::path(*given) : nearest_class_folder()).lexically_normal();
    if (!found.path_.has_filename()) found.path_ = found.path_.parent_path();
    if (!fs::exists(found.path_ / kClassFile))
        throw UserError(
            fmt::format("{}: this is not the folder of a class; expected a class.toml in it; make a class "
                        "with: grader class init {}",
                        found.path_.string(), found.path_.string()));
    struct stat status {};
    if (stat(found.path_.c_str(), &status) != 0)
        throw UserError(fmt::format("{}: {}", found.path_.string(), std::strerror(errno)));
    if (status.st_uid != geteuid())
        throw UserError(
            fmt::format("{}: this folder belongs to another user; work as that user, or with a copy of your "
                        "own: cp -a",
                        found.path_.string()));
    if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        if (chmod(found.path_.c_str(), S_IRWXU) != 0)
            throw UserError(
                fmt::format("{}: other users of this machine can enter the folder; expected that only you "
                            "can; type chmod 700 {}",
                            found.path_.string(), found.path_.string()));
        found.mended_ = fmt::format("{}: other users could enter this folder; now only you can (chmod 700)",
                                    found.path_.string());
    }
    return found;
}

void make_class_folder(const fs::path& folder, const std::string& class_file) {
    std::error_code error;
    if (fs::exists(folder) && !(fs::is_directory(folder) && fs::is_empty(folder)))
        throw UserError(
            fmt::format("{}: there is already something here; expected a new name or an empty folder; choose "
                        "another name",
                        folder.string()));
    fs::create_directories(folder.parent_path().empty() ? fs::path(".") : folder.parent_path(), error);
    if ((mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) || chmod(folder.c_str(), S_IRWXU) != 0)
        throw data::FileError(folder, fmt::format("the folder cannot be made ({})", std::strerror(errno)),
                              "expected the right to write there", "choose another place");
    for (const char* inside : {"attempts", "spool"}) mkdir((folder / inside).c_str(), S_IRWXU);
    data::write_file(folder / kClassFile, class_file);
}

ClassLock::ClassLock(const ClassFolder& folder) {
    const fs::path file = folder.path() / "lock";
    file_ = FileDescriptor(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (file_.get() < 0)
        throw data::FileError(file, fmt::format("it cannot be opened ({})", std::strerror(errno)),
                              "expected the right to write to the folder of the class",
                              "look at the rights and at the room on the disk");
    if (flock(file_.get(), LOCK_EX | LOCK_NB) != 0)
        throw UserError(
            fmt::format("{}: another `grader class` is writing to this class; expected one at a time; wait "
                        "until it has ended (`grader class status` shows how far it is)",
                        folder.path().string()));
}

}  // namespace attn::classes
