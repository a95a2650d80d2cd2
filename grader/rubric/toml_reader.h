#pragma once
/// Reads a TOML table strictly: every value must have its type and range, and no key may be unknown. Error
/// messages name file and line.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "grader/rubric/rubric.h"

namespace attn::rubric {

/// Parses a file. Throws UserError with the line if the file is not TOML.
toml::table parse_toml(const std::filesystem::path& file);

/// Reads the values of one table. Call done() at the end; it refuses the keys that were not read.
class TableReader {
  public:
    TableReader(const std::filesystem::path& file, const toml::table& table, std::string what)
        : file_(file), table_(table), what_(std::move(what)) {}

    std::string text(const char* key);
    std::string text(const char* key, const std::string& default_value);
    int whole(const char* key, int least, int most);
    int whole(const char* key, int least, int most, int default_value);
    double number(const char* key, double least, double most);
    double number(const char* key, double least, double most, double default_value);
    /// A list of different texts.
    std::vector<std::string> texts(const char* key, bool may_be_absent = false);
    /// true or false. An absent key is false.
    bool flag(const char* key);
    /// A number, or a text that names a choice.
    struct Value {
        double number = 0;
        std::string text;
    };
    /// Values by name. Empty if the key is absent.
    std::map<std::string, Value> settings(const char* key);
    /// Lengths by letter.
    ask::Sizes sizes(const char* key);
    /// A list of whole numbers, each larger than the one before.
    std::vector<int> growing(const char* key, int least, int most);
    /// Whether the table has this key. From now on done() accepts the key.
    bool has(const char* key);
    /// The table under a key. Empty if the key is absent.
    TableReader table(const char* key);
    /// The tables of an array of tables. Refuses an empty array.
    std::vector<TableReader> tables(const char* key);
    /// Refuses the keys that were not read.
    void done();

    /// "FILE:LINE" of the key, or of the table if the key is absent.
    std::string place_of(const char* key) const;
    /// Throws UserError "FILE:LINE: PROBLEM".
    [[noreturn]] void refuse(const char* key, const std::string& problem) const;

  private:
    const toml::node* find(const char* key);
    template <class T>
    T value(const char* key, const char* expected);

    std::filesystem::path file_;
    const toml::table& table_;
    std::string what_;
    std::set<std::string, std::less<>> known_;
};

}  // namespace attn::rubric
