#include "grader/rubric/toml_reader.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attn::rubric {
namespace {

std::string shown(const toml::node& node) {
    std::ostringstream text;
    node.visit([&text](const auto& value) {
        if constexpr (toml::is_table<decltype(value)>)
            text << "a table";
        else if constexpr (toml::is_array<decltype(value)>)
            text << "an array";
        else
            text << value;
    });
    return text.str();
}

}  // namespace

toml::table parse_toml(const std::filesystem::path& file) {
    try {
        return toml::parse_file(file.string());
    } catch (const toml::parse_error& error) {
        throw UserError(
            fmt::format("{}:{}: {}", file.string(), error.source().begin.line, error.description()));
    }
}

std::string TableReader::place_of(const char* key) const {
    const toml::node* node = table_.get(key);
    const auto line = node != nullptr ? node->source().begin.line : table_.source().begin.line;
    return fmt::format("{}:{}", file_.string(), line);
}

void TableReader::refuse(const char* key, const std::string& problem) const {
    throw UserError(place_of(key) + ": " + problem);
}

const toml::node* TableReader::find(const char* key) {
    known_.insert(key);
    return table_.get(key);
}

template <class T>
T TableReader::value(const char* key, const char* expected) {
    const toml::node* node = find(key);
    if (node == nullptr) refuse(key, fmt::format("{} has no '{}'; expected {}", what_, key, expected));
    // toml++ would convert true to 1, and 1.0 to 1.
    const bool fits = std::is_same_v<T, std::string>    ? node->is_string()
                      : std::is_same_v<T, std::int64_t> ? node->is_integer()
                                                        : node->is_number();
    const auto found = fits ? node->value<T>() : std::nullopt;
    if (!found) refuse(key, fmt::format("'{}' is {}; expected {}", key, shown(*node), expected));
    return *found;
}

std::string TableReader::text(const char* key) {
    return value<std::string>(key, "a text in quotes");
}

std::string TableReader::text(const char* key, const std::string& default_value) {
    return find(key) == nullptr ? default_value : text(key);
}

int TableReader::whole(const char* key, int least, int most) {
    const auto expected = fmt::format("a whole number from {} to {}", least, most);
    const auto found = value<std::int64_t>(key, expected.c_str());
    if (found < least || found > most)
        refuse(key, fmt::format("'{}' is {}; expected {}", key, found, expected));
    return static_cast<int>(found);
}

int TableReader::whole(const char* key, int least, int most, int default_value) {
    return find(key) == nullptr ? default_value : whole(key, least, most);
}

double TableReader::number(const char* key, double least, double most) {
    const auto expected = fmt::format("a number from {:g} to {:g}", least, most);
    const auto found = value<double>(key, expected.c_str());
    if (!(found >= least && found <= most))
        refuse(key, fmt::format("'{}' is {:g}; expected {}", key, found, expected));
    return found;
}

double TableReader::number(const char* key, double least, double most, double default_value) {
    return find(key) == nullptr ? default_value : number(key, least, most);
}

std::vector<std::string> TableReader::texts(const char* key, bool may_be_absent) {
    const toml::node* node = find(key);
    if (node == nullptr && may_be_absent) return {};
    constexpr const char* kExpected = "a list of texts in quotes, such as [\"a\", \"b\"]";
    if (node == nullptr) refuse(key, fmt::format("{} has no '{}'; expected {}", what_, key, kExpected));
    const toml::array* array = node->as_array();
    if (array == nullptr || array->empty())
        refuse(key, fmt::format("'{}' is {}; expected {}", key, shown(*node), kExpected));
    std::vector<std::string> result;
    for (const toml::node& element : *array) {
        const auto text = element.value<std::string>();
        if (!text) refuse(key, fmt::format("'{}' holds {}; expected {}", key, shown(element), kExpected));
        if (std::find(result.begin(), result.end(), *text) != result.end())
            refuse(key, fmt::format("'{}' holds '{}' twice", key, *text));
        result.push_back(*text);
    }
    return result;
}

bool TableReader::flag(const char* key) {
    const toml::node* node = find(key);
    if (node == nullptr) return false;
    if (!node->is_boolean())
        refuse(key, fmt::format("'{}' is {}; expected true or false", key, shown(*node)));
    return *node->value<bool>();
}

std::map<std::string, TableReader::Value> TableReader::settings(const char* key) {
    constexpr const char* kExpected = "options by name, such as { norm = \"pre\", eps = 1e-3 }";
    const toml::node* node = find(key);
    if (node == nullptr) return {};
    const toml::table* table = node->as_table();
    if (table == nullptr) refuse(key, fmt::format("'{}' is {}; expected {}", key, shown(*node), kExpected));
    std::map<std::string, Value> result;
    for (const auto& [name, value] : *table) {
        if (!value.is_number() && !value.is_string())
            refuse(key, fmt::format("'{}': {} is {}; expected {}", key, name.str(), shown(value), kExpected));
        Value& found = result[std::string(name.str())];
        if (value.is_string())
            found.text = *value.value<std::string>();
        else
            found.number = *value.value<double>();
    }
    return result;
}

ask::Sizes TableReader::sizes(const char* key) {
    constexpr const char* kExpected = "lengths by letter, such as { N = 5, D = 7 }";
    constexpr std::int64_t kLongest = 1 << 20;
    const toml::node* node = find(key);
    if (node == nullptr) refuse(key, fmt::format("{} has no '{}'; expected {}", what_, key, kExpected));
    const toml::table* table = node->as_table();
    if (table == nullptr) refuse(key, fmt::format("'{}' is {}; expected {}", key, shown(*node), kExpected));
    ask::Sizes result;
    for (const auto& [letter, length] : *table) {
        const auto found = length.value<std::int64_t>();
        if (!length.is_integer() || *found < 1 || *found > kLongest) {
            refuse(key, fmt::format("'{}': {} is {}; expected a whole number from 1 to {}", key, letter.str(),
                                    shown(length), kLongest));
        }
        result[std::string(letter.str())] = static_cast<int>(*found);
    }
    return result;
}

std::vector<int> TableReader::growing(const char* key, int least, int most) {
    const auto expected =
        fmt::format("a list of growing whole numbers from {} to {}, such as [1, 2, 4]", least, most);
    const toml::node* node = find(key);
    if (node == nullptr) refuse(key, fmt::format("{} has no '{}'; expected {}", what_, key, expected));
    const toml::array* array = node->as_array();
    if (array == nullptr || array->empty())
        refuse(key, fmt::format("'{}' is {}; expected {}", key, shown(*node), expected));
    std::vector<int> result;
    for (const toml::node& element : *array) {
        const auto found = element.value<std::int64_t>();
        const bool fits = element.is_integer() && *found >= least && *found <= most &&
                          (result.empty() || *found > result.back());
        if (!fits) refuse(key, fmt::format("'{}' holds {}; expected {}", key, shown(element), expected));
        result.push_back(static_cast<int>(*found));
    }
    return result;
}

bool TableReader::has(const char* key) {
    return find(key) != nullptr;
}

TableReader TableReader::table(const char* key) {
    static const toml::table kEmpty;
    const toml::node* node = find(key);
    if (node == nullptr) return {file_, kEmpty, key};
    if (!node->is_table())
        refuse(key, fmt::format("'{}' is {}; expected a table [{}]", key, shown(*node), key));
    return {file_, *node->as_table(), fmt::format("[{}]", key)};
}

std::vector<TableReader> TableReader::tables(const char* key) {
    const toml::node* node = find(key);
    const toml::array* array = node == nullptr ? nullptr : node->as_array();
    if (array == nullptr || array->empty() || !array->is_homogeneous<toml::table>())
        refuse(key, fmt::format("{} needs at least one '{}', each a table", what_, key));
    std::vector<TableReader> result;
    for (const toml::node& element : *array)
        result.emplace_back(file_, *element.as_table(), fmt::format("this '{}'", key));
    return result;
}

void TableReader::done() {
    for (const auto& [key, node] : table_) {
        if (known_.contains(key.str())) continue;
        throw UserError(fmt::format("{}:{}: {} has an unknown key '{}'; known are {}", file_.string(),
                                    key.source().begin.line, what_, key.str(), fmt::join(known_, ", ")));
    }
}

}  // namespace attn::rubric
