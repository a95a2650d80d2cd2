#include "grader/classes/downloads/clone_time.h"

#include <charconv>
#include <fstream>
#include <regex>
#include <sstream>

#include "datasets/temporary_directory.h"
#include "grader/classes/run_tool.h"

namespace attn::classes {
namespace {

/// The beginning of a small text file; empty if it cannot be read. Links are not followed.
std::string clone_text(const std::filesystem::path& file) {
    constexpr std::size_t kMost = std::size_t{8} << 20;
    std::error_code error;
    if (std::filesystem::symlink_status(file, error).type() != std::filesystem::file_type::regular) return "";
    std::ifstream in(file, std::ios::binary);
    std::string text(kMost, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

/// The hash that HEAD names, directly or through a branch.
std::string clone_head(const std::filesystem::path& git) {
    static const std::regex hash("([0-9a-f]{40}|[0-9a-f]{64})\\s*"),
        branch("ref: (refs/[A-Za-z0-9_./-]+)\\s*");
    const std::string head = clone_text(git / "HEAD");
    std::smatch found;
    if (std::regex_match(head, found, hash)) return found[1];
    if (!std::regex_match(head, found, branch)) return "";
    const std::string name = found[1];
    if (name.find("..") != std::string::npos) return "";
    const std::string loose = clone_text(git / name);
    if (std::regex_match(loose, found, hash)) return found[1];
    std::istringstream packed(clone_text(git / "packed-refs"));
    for (std::string line; std::getline(packed, line);)
        if (line.ends_with(" " + name)) return line.substr(0, line.find(' '));
    return "";
}

}  // namespace

std::optional<Moment> clone_time(const std::filesystem::path& clone) {
    const std::string head = clone_head(clone / ".git");
    if (head.empty()) return std::nullopt;
    // A repository of our own with the clone's objects: so the configuration is ours.
    const data::TemporaryDirectory own;
    const std::string repository = (own / "own.git").string();
    const std::vector<std::string> environment = {
        "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
        "GIT_OBJECT_DIRECTORY=" + (std::filesystem::absolute(clone) / ".git" / "objects").string()};
    const std::vector<std::string> plain(environment.begin(), environment.end() - 1);
    const auto made = run_tool({"git", "init", "--quiet", "--bare", "--template=", repository}, plain);
    if (!made || made->exit_code != 0) return std::nullopt;
    const auto shown =
        run_tool({"git", "--git-dir", repository, "--no-pager", "show", "--no-patch", "--format=%ct", head},
                 environment);
    if (!shown || shown->exit_code != 0) return std::nullopt;
    Moment moment = 0;
    const std::string& text = shown->output;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), moment);
    if (error != std::errc() || end == text.data()) return std::nullopt;
    return moment;
}

}  // namespace attn::classes
