#include "grader/classes/gradebook/database.h"

#include <array>
#include <exception>

#include <fmt/format.h>
#include <sqlite3.h>

namespace attn::classes {
namespace {
namespace database {

constexpr int kWait_ms = 10000;

struct Remedy {
    int code;
    const char *found, *what_to_do;
};

constexpr std::array kRemedies{
    Remedy{SQLITE_BUSY, "another process is writing to it",
           "wait until it has ended, then type the command again"},
    Remedy{SQLITE_LOCKED, "another process is writing to it",
           "wait until it has ended, then type the command again"},
    Remedy{SQLITE_FULL, "the disk is full",
           "make room, then type the command again; nothing that was finished is lost"},
    Remedy{SQLITE_IOERR, "the disk failed or is full",
           "look at the disk, then type the command again; nothing that was finished is lost"},
    Remedy{SQLITE_READONLY, "it cannot be written",
           "give yourself the right to write to the file and its folder"},
    Remedy{SQLITE_CANTOPEN, "it cannot be opened", "check that the folder exists and that you may enter it"},
    Remedy{SQLITE_PERM, "it cannot be opened", "check that the folder exists and that you may enter it"},
    Remedy{SQLITE_NOTADB, "it is no gradebook", "put the gradebook back from your last copy of the folder"},
    Remedy{SQLITE_CORRUPT, "it is damaged", "put the gradebook back from your last copy of the folder"}};

}  // namespace database
}  // namespace

Statement::Statement(Database& database, std::string_view sql, Prepared)
    : database_(database), statement_(nullptr, sqlite3_finalize) {
    sqlite3_stmt* prepared = nullptr;
    check(
        sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()), &prepared, nullptr));
    statement_.reset(prepared);
}

void Statement::check(int code) const {
    if (code != SQLITE_OK) database_.fail(code);
}

bool Statement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) database_.fail(code);
    return false;
}

std::int64_t Statement::whole(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}
double Statement::number(int column) const {
    return sqlite3_column_double(statement_.get(), column);
}
std::string Statement::text(int column) const {
    const void* bytes = sqlite3_column_blob(statement_.get(), column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
    return bytes == nullptr ? std::string() : std::string(static_cast<const char*>(bytes), size);
}
bool Statement::is_null(int column) const {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

void Statement::bind(int column, std::int64_t value) {
    check(sqlite3_bind_int64(statement_.get(), column, value));
}
void Statement::bind(int column, double value) {
    check(sqlite3_bind_double(statement_.get(), column, value));
}
void Statement::bind(int column, const std::string& value) {
    check(sqlite3_bind_text64(statement_.get(), column, value.data(), value.size(), SQLITE_TRANSIENT,
                              SQLITE_UTF8));
}
void Statement::bind(int column, const Blob& value) {
    check(sqlite3_bind_blob64(statement_.get(), column, value.bytes.data(), value.bytes.size(),
                              SQLITE_TRANSIENT));
}
void Statement::bind(int column, std::nullopt_t) {
    check(sqlite3_bind_null(statement_.get(), column));
}

Database::Database(std::filesystem::path file, Access access)
    : file_(std::move(file)), handle_(nullptr, sqlite3_close_v2) {
    const int flags =
        access == Access::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(file_.c_str(), &opened, flags, nullptr);
    handle_.reset(opened);
    if (code != SQLITE_OK) fail(code);
    sqlite3_extended_result_codes(opened, 1);
    sqlite3_busy_timeout(opened, database::kWait_ms);
    run("PRAGMA foreign_keys = ON");
}

std::int64_t Database::last_id() const {
    return sqlite3_last_insert_rowid(handle_.get());
}

void Database::fail(int code) const {
    constexpr int kPrimary = 0xff;  // extended codes have more bits
    const std::string said = handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code);
    for (const database::Remedy& remedy : database::kRemedies)
        if (remedy.code == (code & kPrimary))
            throw DatabaseError(fmt::format("{}: {} ({}); expected a gradebook that can be used; {}",
                                            file_.string(), remedy.found, said, remedy.what_to_do));
    throw std::logic_error(fmt::format("{}: SQLite says: {}", file_.string(), said));
}

void Transaction::commit() {
    database_.run("COMMIT");
    open_ = false;
}

Transaction::~Transaction() {
    if (!open_) return;
    // SQLite may have rolled back already, for example because the disk is full.
    sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

}  // namespace attn::classes
