#include <array>
#include <fstream>

#include <boost/test/unit_test.hpp>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "datasets/files/temporary_directory.h"
#include "grader/classes/gradebook/database.h"
#include "grader/classes/gradebook/gradebook.h"
#include "grader/testing/run_grader.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(schema)

using Access = Database::Access;

/// The message of the UserError that opening throws; empty if it throws none.
std::string refusal(const std::filesystem::path& file, Access access,
                    std::span<const char* const> steps = gradebook_migrations()) {
    try {
        open_gradebook(file, access, steps);
        return "";
    } catch (const UserError& error) {
        return error.what();
    }
}

BOOST_AUTO_TEST_CASE(a_new_gradebook_has_all_steps_and_strict_tables) {
    const data::TemporaryDirectory folder;
    Database database = open_gradebook(folder / "g.db", Access::write);
    BOOST_TEST(database.whole("PRAGMA user_version") == static_cast<int>(gradebook_migrations().size()));
    BOOST_TEST(
        database.whole("SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND "
                       "strict = 0 AND name NOT LIKE 'sqlite_%'") == 0);
    BOOST_TEST(database.whole("PRAGMA foreign_keys") == 1);
    Statement mode(database, "PRAGMA journal_mode");
    BOOST_TEST(mode.step());
    BOOST_TEST(mode.text(0) == "wal");
    // A row that refers to nothing is refused.
    BOOST_CHECK_THROW(database.run("INSERT INTO attempt_student VALUES (1, 1)"), std::exception);
    BOOST_CHECK_THROW(database.run("INSERT INTO hold VALUES (1, 2, 3, 'x', 'r', 'a', 0)"), std::exception);
}

BOOST_AUTO_TEST_CASE(an_older_gradebook_gets_the_missing_steps_and_keeps_its_rows) {
    const data::TemporaryDirectory folder;
    const std::filesystem::path file = folder / "g.db";
    const std::array steps{"CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (7);",
                           "ALTER TABLE a ADD COLUMN y TEXT NOT NULL DEFAULT 'new';",
                           "CREATE TABLE b (z TEXT) STRICT;"};
    open_gradebook(file, Access::write, std::span(steps).first(1));
    BOOST_TEST(
        cli::contains(refusal(file, Access::read, steps), "version 1 and has to be brought to version 3"));
    Database database = open_gradebook(file, Access::write, steps);
    BOOST_TEST(database.whole("PRAGMA user_version") == 3);
    BOOST_TEST(database.whole("SELECT x FROM a WHERE y = 'new'") == 7);
    BOOST_TEST(refusal(file, Access::read, steps) == "");
    // The earlier grader can read the copy that was kept.
    const std::filesystem::path copy = file.string() + ".of-version-1";
    Database before = open_gradebook(copy, Access::write, std::span(steps).first(1));
    BOOST_TEST(before.whole("SELECT x FROM a") == 7);
    BOOST_TEST(!std::filesystem::exists(copy.string() + ".of-version-1"));
}

BOOST_AUTO_TEST_CASE(a_step_that_fails_leaves_the_gradebook_as_it_was) {
    const data::TemporaryDirectory folder;
    const std::filesystem::path file = folder / "g.db";
    const std::array steps{"CREATE TABLE a (x INTEGER) STRICT;",
                           "CREATE TABLE b (x INTEGER) STRICT; INSERT INTO c VALUES (1);"};
    open_gradebook(file, Access::write, std::span(steps).first(1));
    BOOST_CHECK_THROW(open_gradebook(file, Access::write, steps), std::exception);
    Database database = open_gradebook(file, Access::write, std::span(steps).first(1));
    BOOST_TEST(database.whole("PRAGMA user_version") == 1);
    BOOST_TEST(database.whole("SELECT count(*) FROM sqlite_schema WHERE name = 'b'") == 0);
}

/// The first released gradebook: its rows are still read.
BOOST_AUTO_TEST_CASE(a_gradebook_of_version_1_is_brought_up_to_date) {
    const data::TemporaryDirectory folder;
    {
        Database old = open_gradebook(folder / "g.db", Access::write, gradebook_migrations().first(1));
        old.run("INSERT INTO student VALUES (1, 'k', 'Anna', 'a@x', 'anna', '', 'calm-fox-10', 1)");
        old.run("INSERT INTO attempt VALUES (1, 2, 100, 'l', 'moodle', 0, 'c', '', '[\"note\"]', 5)");
        old.run("INSERT INTO attempt VALUES (2, 2, 90, 'l', 'gradescope', 0, 'c', '', '[]', 5)");
        old.run("INSERT INTO attempt VALUES (3, 2, 110, 'l', 'github', 0, 'c', '', '[]', 5)");
        old.run(
            "INSERT INTO attempt VALUES (4, 2, 101, 'Zed Good_123_assignsubmission_file_Ben "
            "Good_456_assignsubmission_file_', 'moodle', 0, 'c', '', '[]', 5)");
        old.run(
            "INSERT INTO attempt VALUES (5, 2, 102, 'x_9_assignsubmission_file', 'folder', 0, 'c', '', '[]', "
            "5)");
        for (const int attempt : {1, 2, 3, 4, 5})
            old.run("INSERT INTO attempt_student VALUES (?, 1)", attempt);
    }
    Gradebook gradebook(open_gradebook(folder / "g.db", Access::write));
    BOOST_TEST(gradebook.students().at(0).person.name == "Anna");
    const std::vector<Attempt> attempts = gradebook.attempts(2);
    BOOST_REQUIRE(attempts.size() == 5U);
    BOOST_TEST(attempts[1].notes.at(0) == "note");
    BOOST_TEST((attempts[0].time.by == TimeSource::platform));
    BOOST_TEST((attempts[1].time.by == TimeSource::files));
    BOOST_TEST((attempts[4].time.by == TimeSource::commit));
    BOOST_TEST(attempts[4].time.when == 110);
    // The platform's id was only in the names of Moodle's hand-ins.
    std::vector<std::string> ids;
    for (const Attempt& attempt : attempts) ids.push_back(attempt.ids.at(1));
    const std::vector<std::string> expected{"", "", "123", "", ""};
    BOOST_TEST(ids == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_used_is_refused_with_a_clear_line) {
    const data::TemporaryDirectory folder;
    const std::filesystem::path file = folder / "g.db";
    BOOST_TEST(cli::contains(refusal(file, Access::read), "there is no gradebook yet"));
    open_gradebook(file, Access::write).run("PRAGMA user_version = 99");
    for (const Access access : {Access::read, Access::write})
        BOOST_TEST(
            cli::contains(refusal(file, access), "a newer grader has written this gradebook (version 99"));
    open_gradebook(folder / "newer.db", Access::write)
        .run("INSERT INTO grader VALUES (1, 2, 'Attention Lab 9.0.0', '', 0)");
    Database(folder / "newer.db", Access::write).run("PRAGMA user_version = 99");
    BOOST_TEST(refusal(folder / "newer.db", Access::read).ends_with("It was Attention Lab 9.0.0."));
    BOOST_TEST(cli::contains(refusal(folder.write("text.db", std::string(5000, 'x')), Access::write),
                             "it is no gradebook"));
    open_gradebook(folder / "damaged.db", Access::write);
    std::fstream damaged(folder / "damaged.db", std::ios::in | std::ios::out | std::ios::binary);
    damaged.seekp(4096);  // the second page
    damaged << std::string(4096, '\xff');
    damaged.close();
    BOOST_TEST(cli::contains(refusal(folder / "damaged.db", Access::write), "damaged"));
}

/// What writing says; empty if it works.
std::string refused_write(Database& gradebook) {
    try {
        gradebook.run("INSERT INTO hold VALUES (NULL, 2, 1, 1, 'reason', 'author', 0)");
        return "";
    } catch (const DatabaseError& error) {
        return error.what();
    }
}

BOOST_AUTO_TEST_CASE(a_locked_gradebook_says_so_and_works_again_afterwards) {
    const data::TemporaryDirectory folder;
    Database one = open_gradebook(folder / "g.db", Access::write);
    Database other = open_gradebook(folder / "g.db", Access::write);
    one.run("INSERT INTO student VALUES (1, 'k', 'n', 'e', 'l', 's', 'quiet-otter', 1)");
    sqlite3_busy_timeout(other.handle(), 10);
    one.run("BEGIN IMMEDIATE");
    BOOST_TEST(cli::contains(refused_write(other), "another process is writing to it"));
    one.run("COMMIT");
    BOOST_TEST(refused_write(other) == "");
}

/// What work() returns in a process of its own, which has given up root's right to write everywhere.
template <class Work>
std::string as_another_user(const Work& work) {
    constexpr uid_t kNobody = 65534;
    std::array<int, 2> ends{};
    BOOST_TEST_REQUIRE(pipe(ends.data()) == 0);
    const pid_t child = fork();
    if (child == 0) {
        const std::string said = geteuid() != 0 || setuid(kNobody) == 0 ? work() : "setuid failed";
        _exit(write(ends[1], said.data(), said.size()) < 0 ? 1 : 0);
    }
    close(ends[1]);
    std::string said(4096, '\0');
    const ssize_t size = read(ends[0], said.data(), said.size());
    close(ends[0]);
    waitpid(child, nullptr, 0);
    said.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return said;
}

BOOST_AUTO_TEST_CASE(a_gradebook_that_may_not_be_written_says_so_and_can_still_be_read) {
    namespace fs = std::filesystem;
    const data::TemporaryDirectory folder;
    const fs::path place = folder / "class", file = place / "g.db";
    fs::create_directory(place);
    {
        Database gradebook = open_gradebook(file, Access::write);
        gradebook.run("PRAGMA journal_mode = DELETE");  // without its helper files, as in a copy
    }
    constexpr auto kReadable = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
    constexpr auto kEntered =
        kReadable | fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
    fs::permissions(folder.path(), kEntered | fs::perms::owner_write);
    fs::permissions(file, kReadable);
    fs::permissions(place, kEntered);
    const std::string said = as_another_user([&] {
        std::string refused = refusal(file, Access::write);
        if (refused.empty()) {
            Database gradebook(file, Access::write);
            refused = refused_write(gradebook);
        }
        return refused + "; reading: " + refusal(file, Access::read);
    });
    fs::permissions(place, fs::perms::owner_all);
    BOOST_TEST(cli::contains(said, "it cannot be written"), said);
    BOOST_TEST(said.ends_with("; reading: "), said);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
