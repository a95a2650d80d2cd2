#include "grader/proof/proof_submissions.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "datasets/files/file_error.h"

namespace attn::proof {
namespace {

constexpr std::string_view kTables[] = {"slip", "right", "growing", "kernel", "too_small"};

/// Reads one table of a folder's files and refuses invalid ones.
class Table {
  public:
    Table(std::string file, const toml::table& table) : file_(std::move(file)), table_(table) {}

    std::string text(const char* key) const {
        const auto value = table_[key].value<std::string>();
        if (!value) refuse(std::string("needs a text '") + key + "'");
        return *value;
    }

    std::vector<std::string> texts(const char* key) const {
        std::vector<std::string> all;
        if (const toml::array* array = table_[key].as_array())
            for (const toml::node& each : *array) all.push_back(each.value<std::string>().value_or(""));
        return all;
    }

    std::vector<Edit> edits() const {
        const toml::array* array = table_["edits"].as_array();
        if (array == nullptr) refuse("needs 'edits', a list of pairs [from, to]");
        std::vector<Edit> all;
        for (const toml::node& each : *array) {
            const toml::array* pair = each.as_array();
            if (pair == nullptr || pair->size() != 2 || !(*pair)[0].is_string() || !(*pair)[1].is_string())
                refuse("has an edit that is no pair [from, to] of texts");
            all.push_back({*(*pair)[0].value<std::string>(), *(*pair)[1].value<std::string>()});
        }
        return all;
    }

    /// Applies the table's edits. Throws std::invalid_argument with file and line if they do not fit.
    std::string apply(const std::string& text) const {
        try {
            return edited(text, edits());
        } catch (const std::invalid_argument& error) {
            refuse(error.what());
        }
    }

    /// "FILE:LINE" of the table.
    std::string place() const { return file_ + ":" + std::to_string(table_.source().begin.line); }

    [[noreturn]] void refuse(const std::string& problem) const {
        throw std::invalid_argument(place() + ": this table " + problem);
    }

  private:
    std::string file_;
    const toml::table& table_;
};

toml::table parsed(const std::string& file) {
    try {
        return toml::parse_file(file);
    } catch (const toml::parse_error& error) {
        throw std::invalid_argument(file + ":" + std::to_string(error.source().begin.line) + ": " +
                                    std::string(error.description()));
    }
}

/// Refuses a word that no reader of these files looks for, because its tables would prove nothing.
void require_known_words(const toml::table& root, const std::string& file) {
    for (const auto& [word, node] : root)
        if (std::ranges::find(kTables, word.str()) == std::ranges::end(kTables))
            throw std::invalid_argument(fmt::format("{}:{}: '{}' is none of {}", file,
                                                    node.source().begin.line, word.str(),
                                                    fmt::join(kTables, ", ")));
}

template <class F>
void for_each_table(const std::filesystem::path& folder, const char* key, F use) {
    for (const std::filesystem::path& file : proof_files(folder)) {
        const toml::table root = parsed(file.string());
        require_known_words(root, file.string());
        const toml::array* tables = root[key].as_array();
        if (tables == nullptr) continue;
        for (const toml::node& each : *tables)
            if (const toml::table* table = each.as_table()) use(Table(file.string(), *table));
    }
}

}  // namespace

std::vector<std::filesystem::path> proof_files(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    if (!std::filesystem::exists(folder)) return files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

std::string edited(std::string text, const std::vector<Edit>& edits) {
    for (const Edit& edit : edits) {
        const auto at = text.find(edit.from);
        if (at == std::string::npos || text.find(edit.from, at + 1) != std::string::npos)
            throw std::invalid_argument("has an edit whose text does not occur exactly once: " + edit.from);
        text.replace(at, edit.from.size(), edit.to);
    }
    return text;
}

ProofSubmissions read_proof_submissions(const std::filesystem::path& folder) {
    ProofSubmissions all;
    all.solution = data::read_file(folder / "solution.cpp");
    all.rights.push_back({"the plain solution", {}, all.solution});
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (const std::string name = entry.path().filename().string();
            name.starts_with("right_") && name.ends_with(".cpp"))
            all.rights.push_back({name, {}, data::read_file(entry.path())});
    for_each_table(folder, "slip", [&all](const Table& table) {
        all.slips.push_back(
            {table.text("mistake"), table.text("part"), table.texts("class"), table.apply(all.solution)});
    });
    for_each_table(folder, "right", [&all](const Table& table) {
        all.rights.push_back({table.text("name"), table.texts("flags"), table.apply(all.solution)});
    });
    for_each_table(folder, "growing", [&all](const Table& table) {
        all.growing.push_back({table.text("name"), table.text("function"), table.apply(all.solution)});
    });
    std::sort(all.rights.begin() + 1, all.rights.end(),
              [](const RightSolution& a, const RightSolution& b) { return a.name < b.name; });
    return all;
}

std::vector<WrongKernel> read_wrong_kernels(const std::filesystem::path& folder, const std::string& right) {
    std::vector<WrongKernel> all;
    for_each_table(folder, "kernel", [&](const Table& table) {
        all.push_back(
            {table.text("name"), table.text("function"), table.text("finding"), table.apply(right)});
    });
    return all;
}

std::vector<TooSmall> read_too_small(const std::filesystem::path& folder) {
    std::vector<TooSmall> all;
    for_each_table(folder, "too_small", [&all](const Table& table) {
        table.text("why");
        const std::vector<std::string> edits = table.texts("edit");
        if (edits.empty()) table.refuse("needs 'edit', a list of regular expressions");
        for (const std::string& edit : edits) {
            try {
                all.push_back({std::regex(table.text("function")), std::regex(edit),
                               fmt::format("{}: {}", table.place(), edit)});
            } catch (const std::regex_error& error) {
                table.refuse(fmt::format("has an invalid regular expression: {}: {}", edit, error.what()));
            }
        }
    });
    return all;
}

}  // namespace attn::proof
