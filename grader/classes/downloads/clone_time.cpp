#include <charconv>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "datasets/files/temporary_directory.h"
#include "grader/base/text_lines.h"
#include "grader/classes/downloads/entry_times.h"
#include "grader/classes/run_tool.h"

namespace attn::classes {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSpace = " \t\r\n";

/// Whether a path inside a clone is a plain file, and all folders on the way to it are folders of this clone.
bool is_own_file(const fs::path& clone, const fs::path& inside) {
    std::error_code error;
    fs::path path = clone;
    for (const fs::path& part : inside.parent_path()) {
        path /= part;
        if (fs::symlink_status(path, error).type() != fs::file_type::directory) return false;
    }
    return fs::symlink_status(clone / inside, error).type() == fs::file_type::regular;
}

/// The beginning of a text file of a clone; empty if it cannot be read.
std::string clone_text(const fs::path& clone, const fs::path& inside, std::size_t most) {
    if (!is_own_file(clone, inside)) return "";
    std::ifstream in(clone / inside, std::ios::binary);
    std::string text(most, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

/// A text without the white space at its end.
std::string_view trimmed(std::string_view text) {
    return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

bool is_hash(std::string_view text) {
    return (text.size() == 40 || text.size() == 64) &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Whether this is the name of a branch or tag that leads to a file below .git/refs.
bool is_ref(std::string_view name) {
    return name.starts_with("refs/") && name.find("..") == std::string_view::npos &&
           name.find_first_of(kSpace) == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

/// The hash that HEAD names, directly or through a branch. Empty for everything that is no hash.
std::string clone_head(const fs::path& clone) {
    constexpr std::size_t kMostOfHead = 1024, kMostOfRefs = std::size_t{8} << 20;
    constexpr std::string_view kBranch = "ref: ";
    const std::string head = clone_text(clone, ".git/HEAD", kMostOfHead);
    if (is_hash(trimmed(head))) return std::string(trimmed(head));
    if (!head.starts_with(kBranch)) return "";
    const std::string name(trimmed(head).substr(kBranch.size()));
    if (!is_ref(name)) return "";
    const std::string loose = clone_text(clone, fs::path(".git") / name, kMostOfHead);
    if (is_hash(trimmed(loose))) return std::string(trimmed(loose));
    for (const std::string& line : lines_in(clone_text(clone, ".git/packed-refs", kMostOfRefs)))
        if (const std::size_t end = line.find(' '); end != std::string::npos && line.substr(end + 1) == name)
            return is_hash(line.substr(0, end)) ? line.substr(0, end) : "";
    return "";
}

void write_own_file(const fs::path& file, const std::string& text) {
    std::ofstream(file) << text;
}

/// A bare repository at `own`, with links to the clone's file of the object `hash`, if it has one, and to its
/// packs. Alternates, replacements, promised objects and indices of other kinds are not among them.
void make_own_repository(const fs::path& own, const fs::path& clone, const std::string& hash) {
    constexpr int kMostPacks = 1000;
    fs::create_directories(own / "refs");
    fs::create_directories(own / "objects/pack");
    write_own_file(own / "HEAD", "ref: refs/heads/none\n");
    // Windows of packs are small, because the memory of git is limited.
    write_own_file(own / "config", fmt::format("[core]\nrepositoryformatversion = 1\nbare = true\n"
                                               "packedGitWindowSize = 1m\npackedGitLimit = 64m\n"
                                               "[extensions]\nobjectFormat = {}\n",
                                               hash.size() == 40 ? "sha1" : "sha256"));
    const auto link = [&](const fs::path& object) {
        if (!is_own_file(clone, ".git" / object)) return;
        fs::create_directories((own / object).parent_path());
        fs::create_symlink(fs::absolute(clone / ".git" / object), own / object);
    };
    link(fs::path("objects") / hash.substr(0, 2) / hash.substr(2));
    std::error_code error;
    int packs = 0;
    for (fs::directory_iterator walk(clone / ".git/objects/pack", error);
         !error && walk != fs::directory_iterator() && packs < kMostPacks; walk.increment(error)) {
        const std::string name = walk->path().stem().string(), start = "pack-";
        if (walk->path().extension() != ".idx" || !name.starts_with(start) ||
            !is_hash(name.substr(start.size())))
            continue;
        ++packs;
        for (const char* ending : {".idx", ".pack"}) link(fs::path("objects/pack") / (name + ending));
    }
}

/// Runs git on our own repository, with nothing of this process' environment.
std::optional<std::string> ask_git(const fs::path& own, const std::string& question,
                                   const std::string& hash) {
    const char* path = std::getenv("PATH");
    const auto result =
        run_tool({"env", "-i", fmt::format("PATH={}", path == nullptr ? "/usr/bin:/bin" : path), "LC_ALL=C",
                  "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_NO_REPLACE_OBJECTS=1", "git",
                  "--git-dir=" + own.string(), "cat-file", question, "--end-of-options", hash},
                 {}, {.time_s = 10, .output_bytes = std::size_t{4} << 20, .memory_mib = 512});
    return result && result->exit_code == 0 ? std::optional(result->output) : std::nullopt;
}

template <class Number>
std::optional<Number> number_at_start(std::string_view text) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

/// The time in "committer NAME <EMAIL> TIME ZONE", in the lines before the first empty one.
std::optional<Moment> committed_at(const std::string& commit) {
    constexpr Moment kYear10000 = 253402300800;
    for (const std::string& line : lines_in(commit)) {
        if (line.empty()) break;  // the message follows
        if (!line.starts_with("committer ")) continue;
        const std::size_t end = line.rfind("> ");
        if (end == std::string::npos) return std::nullopt;
        const auto time = number_at_start<Moment>(std::string_view(line).substr(end + 2));
        return time && *time > 0 && *time < kYear10000 ? time : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Moment> clone_time(const fs::path& clone) {
    constexpr std::size_t kMostOfCommit = std::size_t{1} << 20;
    const std::string hash = clone_head(clone);
    if (hash.empty()) return std::nullopt;
    const data::TemporaryDirectory temporary;
    const fs::path own = temporary / "own.git";
    make_own_repository(own, clone, hash);
    // The size is asked first, because git reads a commit into memory as a whole.
    const auto size = ask_git(own, "-s", hash);
    if (!size || number_at_start<std::size_t>(*size).value_or(kMostOfCommit + 1) > kMostOfCommit)
        return std::nullopt;
    const auto commit = ask_git(own, "commit", hash);
    return commit ? committed_at(*commit) : std::nullopt;
}

}  // namespace attn::classes
