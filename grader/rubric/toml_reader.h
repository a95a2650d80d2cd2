#pragma once
/// Reading a TOML table strictly: every value has its type and range, no key is unknown, and a complaint
/// names file and line.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "grader/rubric/rubric.h"

namespace attn::submission {

/// The table in a file. Throws UserError, with the line, for what is no TOML.
toml::table parse_toml(const std::filesystem::path& file);

/// One table being read. Call done() at the end: it refuses keys that nobody asked for.
class TableReader {
  public:
    TableReader(const std::filesystem::path& file, const toml::table& table, std::string what)
        : file_(file), table_(table), what_(std::move(what)) {}

    std::string text(const char* key);
    std::string text(const char* key, const std::string& otherwise);
    int whole(const char* key, int least, int most);
    int whole(const char* key, int least, int most, int otherwise);
    double number(const char* key, double least, double most);
    double number(const char* key, double least, double most, double otherwise);
    /// A list without repetitions.
    std::vector<std::string> texts(const char* key, bool may_be_absent = false);
    /// true or false; false if absent.
    bool flag(const char* key);
    /// A number, or a word that stands for one.
    struct Value {
        double number = 0;
        std::string text;
    };
    /// Values by name, none if absent.
    std::map<std::string, Value> settings(const char* key);
    /// Letters with their lengths.
    ask::Sizes sizes(const char* key);
    /// Whole numbers in a list, each larger than the one before.
    std::vector<int> growing(const char* key, int least, int most);
    /// Whether a key is there, which is known from now on.
    bool has(const char* key);
    /// The table under a key, empty if absent.
    TableReader table(const char* key);
    /// The tables of an array of tables; refuses an empty one.
    std::vector<TableReader> tables(const char* key);
    void done();

    /// Refuses: "FILE:LINE: PROBLEM". The line is the key's, or the table's where the key is absent.
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

}  // namespace attn::submission
