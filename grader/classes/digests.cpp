#include "grader/classes/digests.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nettle/sha2.h>

#include "datasets/files/file_error.h"
#include "grader/compile/builds.h"
#include "grader/rubric/toml_reader.h"
#include "grader/worker/process.h"

namespace attn::classes {
namespace {

namespace fs = std::filesystem;

/// Keys of a part that do not change what is run. (Whether there are points for kernels does: see below.)
constexpr std::array kPointsOfPart{"numeric", "properties", "step", "speed", "growth"};

/// Keys of `table` in their order, without comments and layout.
std::string canonical_toml(const toml::table& table) {
    std::ostringstream text;
    text << toml::json_formatter(table);
    return text.str();
}

void drop_reasons(toml::table& part) {
    if (toml::array* cases = part["cases"].as_array())
        for (toml::node& each : *cases)
            if (toml::table* one = each.as_table()) one->erase("why");
}

/// The table of a part, reduced to what is run for its numbers and kernels.
toml::table run_part(toml::table part) {
    for (const char* key : kPointsOfPart) part.erase(key);
    drop_reasons(part);
    if (toml::table* cuda = part["cuda"].as_table()) {
        const bool counted = (*cuda)["points"].value_or(0.0) > 0;
        cuda->erase("points");
        cuda->erase("timed");
        cuda->insert("counted", counted);
        drop_reasons(*cuda);
    }
    return part;
}

/// What is run for the speed of a part. Empty if nothing is.
std::string run_speed(const toml::table& part) {
    std::string text;
    for (const char* key : {"speed", "growth"})
        if (const toml::table* found = part[key].as_table()) {
            toml::table measured = *found;
            measured.erase("points");
            text += key + canonical_toml(measured);
        }
    return text;
}

/// Calls work(function, table) for each [[part]].
template <class Work>
void for_each_part_table(const toml::table& rubric, Work work) {
    if (const toml::array* parts = rubric["part"].as_array())
        for (const toml::node& each : *parts)
            if (const toml::table* part = each.as_table())
                work((*part)["function"].value_or(std::string()), *part);
}

/// The files below a folder or the file itself, sorted.
std::vector<fs::path> files_for_digest(const fs::path& path) {
    std::vector<fs::path> files;
    if (fs::is_regular_file(path)) files.push_back(path);
    if (fs::is_directory(path))
        for (const fs::directory_entry& each : fs::recursive_directory_iterator(path))
            if (each.is_regular_file()) files.push_back(each.path());
    std::ranges::sort(files);
    return files;
}

}  // namespace

std::string digest(const std::vector<std::string>& texts) {
    sha256_ctx context;
    sha256_init(&context);
    const auto add = [&context](std::string_view bytes) {
        sha256_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
    };
    for (const std::string& text : texts) {
        add(fmt::format("{}:", text.size()));
        add(text);
    }
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> bytes{};
    sha256_digest(&context, bytes.size(), bytes.data());
    std::string hexadecimal;
    for (const std::uint8_t byte : bytes) hexadecimal += fmt::format("{:02x}", byte);
    return hexadecimal;
}

std::string digest_of_files(const fs::path& folder, const std::vector<std::string>& leave_out) {
    std::vector<std::string> texts;
    for (const fs::path& file : files_for_digest(folder)) {
        const std::string name = file.lexically_relative(folder).string();
        if (std::ranges::find(leave_out, name) != leave_out.end()) continue;
        texts.push_back(name);
        texts.push_back(digest({data::read_file(file)}));
    }
    return digest(texts);
}

std::vector<std::string> unused_sources(const rubric::Rubric& rubric, const std::vector<rubric::Rubric>& all,
                                        const Installation& installation) {
    std::vector<std::string> unused;
    const compile::Builds builds({}, all, installation);
    std::set<int> used{rubric.number};
    for (const rubric::Rubric* needed : builds.needed_by(rubric)) used.insert(needed->number);
    for (const rubric::Rubric& other : all) {
        if (used.contains(other.number)) continue;
        unused.insert(unused.end(), other.sources.begin(), other.sources.end());
        // Kernels may call those of any assignment.
        if (other.cuda && !rubric.cuda) unused.push_back(other.cuda->source);
    }
    return unused;
}

RubricDigests digests_of_rubric(const fs::path& folder, bool secret) {
    RubricDigests digests;
    toml::table rubric = rubric::parse_toml(folder / "rubric.toml");
    std::map<std::string, std::vector<std::string>> texts;
    for_each_part_table(rubric, [&](const std::string& function, const toml::table& part) {
        texts[function].push_back(canonical_toml(run_part(part)));
        if (const std::string speed = run_speed(part); !speed.empty())
            digests.speed[function] = digest({speed});
    });
    if (secret && fs::exists(folder / "secret.toml"))
        for_each_part_table(rubric::parse_toml(folder / "secret.toml"),
                            [&](const std::string& function, const toml::table& part) {
                                texts[function].push_back(canonical_toml(run_part(part)));
                            });
    for (const auto& [function, all] : texts) digests.parts[function] = digest(all);
    rubric.erase("part");
    rubric.erase("title");
    rubric.erase("about");
    if (toml::table* disclosure = rubric["disclosure"].as_table()) disclosure->erase("total");
    digests.common = digest({canonical_toml(rubric)});
    return digests;
}

std::string digest_of_grader(const Installation& installation, const fs::path& grader,
                             const rubric::Rubric& rubric) {
    std::vector<std::string> texts;
    // The grader keeps libraries (.so) beside the archive of its stand-ins, and a build has sources beside
    // its data.
    const auto is_data = [](const fs::path& file) {
        const std::string ending = file.extension();
        return ending != ".so" && ending != ".cpp" && ending != ".md";
    };
    const auto add = [&](const fs::path& path) {
        for (const fs::path& file : files_for_digest(path)) {
            if (fs::is_directory(path) && !is_data(file)) continue;
            texts.push_back(file.filename().string());
            texts.push_back(data::read_file(file));
        }
    };
    for (const fs::path& path :
         {grader, installation.worker, installation.reader, installation.exports, installation.kernel_exports,
          installation.emulator_library, installation.yardstick, installation.plain,
          installation.emulator_headers, installation.stand_ins, installation.datasets})
        add(path);
    for (const fs::path& folder : {installation.assignments, rubric.folder})
        for (const fs::directory_entry& each : fs::directory_iterator(folder))
            if (each.path().extension() == ".h") add(each.path());
    std::ranges::sort(texts);
    worker::Command version;
    version.argv = {installation.compiler, "--version"};
    version.environment = {"PATH=/usr/bin:/bin"};
    version.confinement.limits = {0, 0, 0, 0, 0, 0};
    constexpr double kTime_s = 60;
    texts.push_back(worker::run_command(version, kTime_s, std::size_t{1} << 16).printed);
    texts.push_back(installation.timed_flags);
    return digest(texts);
}

}  // namespace attn::classes
