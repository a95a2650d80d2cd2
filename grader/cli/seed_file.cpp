#include "grader/cli/seed_file.h"

#include <string>

#include <fmt/format.h>

#include "datasets/files/file_error.h"

namespace attn {

std::uint64_t seed_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hash = (hash ^ (hash >> 30U)) * 0xbf58476d1ce4e5b9;
    hash = (hash ^ (hash >> 27U)) * 0x94d049bb133111eb;
    return hash ^ (hash >> 31U);
}

SeedFile read_seed_file(const std::filesystem::path& path) {
    const std::string text = data::read_file(path);
    std::string_view line(text);
    line = line.substr(0, line.find('\n'));
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (line.size() < kShortestSeed)
        throw data::FileError(path,
                              line.empty() ? "its first line is empty"
                                           : fmt::format("its first line has {} {}", line.size(),
                                                         line.size() == 1 ? "character" : "characters"),
                              fmt::format("expected at least {} that cannot be guessed", kShortestSeed),
                              "create one: openssl rand -hex 16 > " + path.string());
    using std::filesystem::perms;
    const perms others = std::filesystem::status(path).permissions() & perms::others_read;
    return {seed_of(line), others != perms::none};
}

}  // namespace attn
