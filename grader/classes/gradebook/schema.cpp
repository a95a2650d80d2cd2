#include <array>

#include <fmt/format.h>
#include <sqlite3.h>

#include "grader/base/errors.h"
#include "grader/classes/gradebook/database.h"

namespace attn::classes {
namespace {
namespace schema {

constexpr std::array kMigrations{
    R"sql(
CREATE TABLE student (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL, name TEXT NOT NULL, email TEXT NOT NULL, login TEXT NOT NULL, section TEXT NOT NULL,
    pseudonym TEXT NOT NULL UNIQUE,
    on_roster INTEGER NOT NULL CHECK (on_roster IN (0, 1))
) STRICT;

-- One delivery for one exercise; its files are in attempts/<number>/.
CREATE TABLE attempt (
    number INTEGER PRIMARY KEY,
    exercise INTEGER NOT NULL,
    handed_in INTEGER NOT NULL,
    label TEXT NOT NULL,
    platform TEXT NOT NULL,
    marked_late INTEGER NOT NULL CHECK (marked_late IN (0, 1)),
    content TEXT NOT NULL,              -- the digest of its files; empty if it cannot be read
    problem TEXT NOT NULL,              -- why it cannot be read
    notes TEXT NOT NULL,                -- what was left out when it was taken in: a JSON list
    added INTEGER NOT NULL
) STRICT;
CREATE INDEX attempt_of_exercise ON attempt (exercise);

CREATE TABLE attempt_student (
    attempt INTEGER NOT NULL REFERENCES attempt ON DELETE CASCADE,
    student INTEGER NOT NULL REFERENCES student,
    PRIMARY KEY (attempt, student)
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_of_student ON attempt_student (student);

-- What grading found, under the digest of everything it was made of. Never changed.
CREATE TABLE result (
    key TEXT PRIMARY KEY,
    exercise INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('numbers', 'speed')),
    content TEXT NOT NULL,
    common TEXT NOT NULL,               -- the digest of what all parts share
    parts TEXT NOT NULL,                -- the digest of each part: a JSON object
    refused TEXT,                       -- why nothing was graded
    report BLOB,                        -- the whole report as compressed JSON
    made INTEGER NOT NULL,
    seconds REAL NOT NULL,
    CHECK ((refused IS NULL) <> (report IS NULL))
) STRICT;
CREATE INDEX result_of_content ON result (exercise, kind, content);

-- Faults of the grader, until a later try succeeds.
CREATE TABLE fault (
    key TEXT PRIMARY KEY,
    attempt INTEGER NOT NULL REFERENCES attempt ON DELETE CASCADE,
    tries INTEGER NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;

-- Decisions of people. The last one of a student and exercise applies; the others stay as a record.
CREATE TABLE override (
    id INTEGER PRIMARY KEY,
    exercise INTEGER NOT NULL,
    student INTEGER NOT NULL REFERENCES student,
    points REAL,                        -- NULL withdraws the one before
    reason TEXT NOT NULL CHECK (reason <> ''),
    author TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE TABLE hold (
    id INTEGER PRIMARY KEY,
    exercise INTEGER NOT NULL,
    student INTEGER NOT NULL REFERENCES student,
    held INTEGER NOT NULL CHECK (held IN (0, 1)),
    reason TEXT NOT NULL CHECK (reason <> ''),
    author TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;

-- The marks of an exercise as they were at one time, with all that is needed to show them again.
CREATE TABLE version (
    id INTEGER PRIMARY KEY,
    exercise INTEGER NOT NULL,
    made INTEGER NOT NULL,
    published INTEGER,
    rubric TEXT NOT NULL,
    secret_cases TEXT NOT NULL,
    secret INTEGER NOT NULL CHECK (secret IN (0, 1)),
    speed INTEGER NOT NULL CHECK (speed IN (0, 1))
) STRICT;
CREATE TABLE version_attempt (
    version INTEGER NOT NULL REFERENCES version ON DELETE CASCADE,
    attempt INTEGER NOT NULL REFERENCES attempt,
    numbers TEXT REFERENCES result,
    speed TEXT REFERENCES result,
    PRIMARY KEY (version, attempt)
) STRICT, WITHOUT ROWID;
CREATE TABLE version_mark (
    version INTEGER NOT NULL REFERENCES version ON DELETE CASCADE,
    student INTEGER NOT NULL REFERENCES student,
    attempt INTEGER REFERENCES attempt,
    raw REAL NOT NULL, out_of REAL NOT NULL, days_late REAL NOT NULL, penalty REAL NOT NULL,
    final REAL NOT NULL,
    explanation TEXT NOT NULL,
    overridden INTEGER NOT NULL CHECK (overridden IN (0, 1)),
    PRIMARY KEY (version, student)
) STRICT, WITHOUT ROWID;
)sql",
    // The platform's id of a student in the download. Of Moodle's earlier
    // downloads: what stands after the last "_" in front of the word.
    R"sql(
ALTER TABLE attempt_student ADD COLUMN platform_id TEXT NOT NULL DEFAULT '';
UPDATE attempt_student SET platform_id = (
    SELECT replace(head, rtrim(head, replace(head, '_', '')), '')
    FROM (SELECT substr(label, 1, instr(label, '_assignsubmission_') - 1) AS head
          FROM attempt WHERE number = attempt_student.attempt))
WHERE attempt IN (SELECT number FROM attempt WHERE platform = 'moodle' AND label LIKE '%\_assignsubmission\_%' ESCAPE '\');
)sql",
    R"sql(
-- What says when an attempt was handed in. handed_in is when it was taken in, if nothing does.
ALTER TABLE attempt ADD COLUMN time_source TEXT NOT NULL DEFAULT 'files'
    CHECK (time_source IN ('unknown', 'files', 'commit', 'table', 'platform'));
ALTER TABLE attempt ADD COLUMN download_time INTEGER;   -- as the download said; NULL if it had no time of its own
ALTER TABLE attempt ADD COLUMN replaces INTEGER REFERENCES attempt;   -- the attempt that these files replace
UPDATE attempt SET time_source = 'platform', download_time = handed_in WHERE platform = 'gradescope';
UPDATE attempt SET time_source = 'commit', download_time = handed_in WHERE platform = 'github';

-- Decisions of people about times. The last one of an attempt applies; the others stay as a record.
CREATE TABLE time_correction (
    id INTEGER PRIMARY KEY,
    attempt INTEGER NOT NULL REFERENCES attempt ON DELETE CASCADE,
    handed_in INTEGER,                  -- NULL withdraws the one before
    reason TEXT NOT NULL CHECK (reason <> ''),
    author TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX time_corrections_of_attempt ON time_correction (attempt);
)sql",
    R"sql(
-- Which grader graded an exercise: a row each time that another one began. The last one of an exercise applies.
CREATE TABLE grader (
    id INTEGER PRIMARY KEY,
    exercise INTEGER NOT NULL,
    version TEXT NOT NULL,              -- what `grader --version` prints
    digest TEXT NOT NULL,               -- of its programs, libraries and compiler
    since INTEGER NOT NULL
) STRICT;
)sql"};

void run_script(Database& database, const char* script) {
    if (const int code = sqlite3_exec(database.handle(), script, nullptr, nullptr, nullptr);
        code != SQLITE_OK)
        database.fail(code);
}

/// The first complaint of SQLite's own check. Empty if there is none.
std::string damage(Database& database) {
    Statement check(database, "PRAGMA integrity_check(1)");
    if (!check.step()) return "no answer";
    if (std::string text = check.text(0); text != "ok") return text;
    Statement keys(database, "PRAGMA foreign_key_check");
    return keys.step() ? "a row of " + keys.text(0) + " refers to nothing" : "";
}

/// Says which version wrote a gradebook that this grader cannot read, if the gradebook knows it.
std::string writer_of(Database& database) {
    if (database.whole("SELECT count(*) FROM pragma_table_info('grader') WHERE name = 'version'") == 0)
        return "";
    Statement row(database, "SELECT version FROM grader ORDER BY id DESC LIMIT 1");
    return row.step() ? " It was " + row.text(0) + "." : "";
}

/// Keeps a copy of a gradebook as it was, because an earlier grader cannot read it after a change of its tables.
void keep_copy(Database& database, const std::filesystem::path& file, std::int64_t version) {
    const std::filesystem::path copy = fmt::format("{}.of-version-{}", file.string(), version),
                                draft = copy.string() + ".part";
    std::filesystem::remove(draft);
    database.run("VACUUM INTO ?", draft.string());
    std::filesystem::rename(draft, copy);
}

}  // namespace schema
}  // namespace

std::span<const char* const> gradebook_migrations() {
    return schema::kMigrations;
}

Database open_gradebook(const std::filesystem::path& file, Database::Access access,
                        std::span<const char* const> migrations) {
    if (access == Database::Access::read && !std::filesystem::exists(file))
        throw UserError(
            fmt::format("{}: there is no gradebook yet; expected one that `grader class add` has made; "
                        "type grader class add FILE first",
                        file.string()));
    Database database(file, access);
    if (access == Database::Access::write) {
        schema::run_script(database, "PRAGMA journal_mode = WAL");
        schema::run_script(database, "PRAGMA synchronous = FULL");
    }
    const auto today = static_cast<std::int64_t>(migrations.size());
    const auto version = [&] { return database.whole("PRAGMA user_version"); };
    if (version() > today)
        throw UserError(fmt::format(
            "{}: a newer grader has written this gradebook (version {}; this grader knows "
            "{}); use that grader, or a copy of the gradebook from before (gradebook.db.of-version-{}).{}",
            file.string(), version(), today, today, schema::writer_of(database)));
    if (const std::string damage = schema::damage(database); !damage.empty())
        throw DatabaseError(
            fmt::format("{}: the gradebook is damaged ({}); expected one that passes SQLite's own "
                        "check; put it back from your last copy of the folder",
                        file.string(), damage));
    if (version() == today) return database;
    if (access == Database::Access::read)
        throw UserError(
            fmt::format("{}: this gradebook has version {} and has to be brought to version {} first; "
                        "type grader class grade",
                        file.string(), version(), today));
    if (version() > 0) schema::keep_copy(database, file, version());
    // Another process may have done it meanwhile, so the version is read again inside the transaction.
    Transaction transaction(database);
    for (std::int64_t step = version(); step < today; ++step)
        schema::run_script(database, migrations[static_cast<std::size_t>(step)]);
    schema::run_script(database, fmt::format("PRAGMA user_version = {}", today).c_str());
    transaction.commit();
    return database;
}

}  // namespace attn::classes
