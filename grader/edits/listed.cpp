#include "grader/edits/listed.h"

#include <algorithm>
#include <string_view>

#include <toml++/toml.h>

namespace attn::edits {
namespace {

class TableReader {
  public:
    TableReader(const std::string& file, const toml::table& table) : file_(file), table_(table) {}

    std::string text(const char* key) const {
        const auto value = table_[key].value<std::string>();
        if (!value || value->empty())
            refuse(table_, std::string("no ") + key + "; expected " + key + " = \"..\"");
        return *value;
    }

    std::vector<WrittenEdit> edits() const {
        const toml::array* const list = table_["edits"].as_array();
        if (list == nullptr || list->empty())
            refuse(table_,
                   "no edits; expected edits = [[\"function\", \"what stands there\", \"what the student "
                   "wrote\"]]");
        std::vector<WrittenEdit> all;
        for (const toml::node& node : *list) {
            const toml::array* const edit = node.as_array();
            std::vector<std::string> words;
            if (edit != nullptr)
                for (const toml::node& word : *edit)
                    if (const auto value = word.value<std::string>()) words.push_back(*value);
            if (edit == nullptr || words.size() != edit->size() || words.size() < 3 || words.size() > 4)
                refuse(node,
                       "an edit of another form; expected [\"function\", \"what stands there\", \"what the "
                       "student wrote\"] and perhaps \"caller: text of the call\"");
            words.resize(4);
            all.push_back({words[0], words[1], words[2], words[3], first_line((*edit)[2], words[2])});
        }
        return all;
    }

    void only(std::initializer_list<std::string_view> known) const {
        for (const auto& [key, value] : table_)
            if (std::find(known.begin(), known.end(), key.str()) == known.end())
                refuse(value, "the key " + std::string(key.str()) + "; expected name, when, hint, edits");
    }

  private:
    /// A text of several lines begins in the line below its quotes.
    static int first_line(const toml::node& at, const std::string& text) {
        const bool several = text.find('\n') != std::string::npos;
        return static_cast<int>(at.source().begin.line) + (several ? 1 : 0);
    }

    [[noreturn]] void refuse(const toml::node& at, const std::string& found) const {
        throw SourceError(file_, static_cast<int>(at.source().begin.line), "found " + found);
    }

    const std::string& file_;
    const toml::table& table_;
};

}  // namespace

std::vector<ListedMistake> read_listed(const std::string& file, const std::string& text) {
    toml::table read;
    try {
        read = toml::parse(text, file);
    } catch (const toml::parse_error& error) {
        throw SourceError(file, static_cast<int>(error.source().begin.line),
                          std::string(error.description()));
    }
    const toml::array* const list = read["mistake"].as_array();
    if (list == nullptr)
        throw SourceError(file, 1, "found no [[mistake]]; expected one table for each mistake");
    std::vector<ListedMistake> all;
    for (const toml::node& node : *list) {
        const toml::table* const table = node.as_table();
        if (table == nullptr) throw SourceError(file, 1, "found a mistake that is not a [[mistake]] table");
        const TableReader from(file, *table);
        from.only({"name", "when", "hint", "edits"});
        all.push_back({{from.text("name"), from.text("when"), from.text("hint")}, from.edits()});
    }
    return all;
}

}  // namespace attn::edits
