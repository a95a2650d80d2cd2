#pragma once
/// SQLite with destructors, types and errors that say what to do.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "grader/base/errors.h"

struct sqlite3;
struct sqlite3_stmt;

namespace attn::classes {

/// What SQLite could not do, for a reason that lies in the disk or in another process: "FILE: FOUND;
/// EXPECTED; WHAT TO DO". Nothing that was committed is lost.
class DatabaseError : public UserError {
    using UserError::UserError;
};

/// Bytes that are stored as they are, not as text.
struct Blob {
    std::string bytes;
};

class Database;

/// One statement with its values. Columns count from 0.
class Statement {
  public:
    template <class... Values>
    Statement(Database& database, std::string_view sql, const Values&... values)
        : Statement(database, sql, Prepared{}) {
        int column = 0;
        (bind(++column, values), ...);
    }

    /// Goes to the next row. False if there is none.
    bool step();
    /// For a statement without rows.
    void run() {
        while (step()) {
        }
    }

    std::int64_t whole(int column) const;
    double number(int column) const;
    std::string text(int column) const;
    bool is_null(int column) const;

  private:
    struct Prepared {};
    Statement(Database& database, std::string_view sql, Prepared);
    void bind(int column, std::int64_t value);
    void bind(int column, int value) { bind(column, std::int64_t{value}); }
    void bind(int column, bool value) { bind(column, std::int64_t{value}); }
    void bind(int column, double value);
    void bind(int column, const std::string& value);
    void bind(int column, const char* value) { bind(column, std::string(value)); }
    void bind(int column, const Blob& value);
    void bind(int column, std::nullopt_t);
    template <class T>
    void bind(int column, const std::optional<T>& value) {
        if (value)
            bind(column, *value);
        else
            bind(column, std::nullopt);
    }
    void check(int code) const;

    Database& database_;
    std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement_;
};

class Database {
  public:
    enum class Access { read, write };

    /// Opens a database; with Access::write makes it if it is missing. Waits a while where another process
    /// writes.
    Database(std::filesystem::path file, Access access);

    template <class... Values>
    void run(std::string_view sql, const Values&... values) {
        Statement(*this, sql, values...).run();
    }
    /// The first column of the first row.
    template <class... Values>
    std::int64_t whole(std::string_view sql, const Values&... values) {
        Statement statement(*this, sql, values...);
        return statement.step() ? statement.whole(0) : 0;
    }
    std::int64_t last_id() const;
    const std::filesystem::path& file() const { return file_; }
    sqlite3* handle() const { return handle_.get(); }

    /// Throws DatabaseError with SQLite's message for `code` and what to do about it.
    [[noreturn]] void fail(int code) const;

  private:
    std::filesystem::path file_;
    std::unique_ptr<sqlite3, int (*)(sqlite3*)> handle_;
};

/// Everything that is written during its life is written by commit() together, or not at all.
class Transaction {
  public:
    explicit Transaction(Database& database) : database_(database) { database_.run("BEGIN IMMEDIATE"); }
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

  private:
    Database& database_;
    bool open_ = true;
};

// The tables of a gradebook, and how an older gradebook becomes one of today.

/// The steps from an empty file to today's tables. PRAGMA user_version counts the steps that a gradebook has
/// had. A step that was once released is never changed.
std::span<const char* const> gradebook_migrations();

/// Opens the gradebook of a class. With Access::write makes it, or brings it up to date. Throws UserError if
/// a newer grader has written it, or if it is older and may only be read; DatabaseError if it is damaged.
Database open_gradebook(const std::filesystem::path& file, Database::Access access,
                        std::span<const char* const> migrations = gradebook_migrations());

}  // namespace attn::classes
