#include "grader/classes/gradebook/gradebook.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "grader/classes/moments.h"
#include "grader/classes/roster/names.h"

namespace attn::classes {
namespace {

constexpr const char* kKindNames[] = {"numbers", "speed"};

const char* kind_name(ResultKind kind) {
    return kKindNames[static_cast<int>(kind)];
}

constexpr std::string_view kResultColumns =
    "SELECT key, exercise, kind, content, common, parts, refused, report, seconds FROM result ";

Result result_in(const Statement& row) {
    Result result;
    result.key = row.text(0);
    result.exercise = static_cast<int>(row.whole(1));
    result.kind = row.text(2) == kKindNames[0] ? ResultKind::numbers : ResultKind::speed;
    result.content = row.text(3);
    result.common = row.text(4);
    result.parts = nlohmann::json::parse(row.text(5)).get<std::map<std::string, std::string>>();
    if (!row.is_null(6)) result.refused = row.text(6);
    result.report = row.text(7);
    result.seconds = row.number(8);
    return result;
}

std::optional<std::string> unless_empty(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

std::vector<Student> Gradebook::students() {
    std::vector<Student> all;
    Statement row(
        database_,
        "SELECT id, key, name, email, login, section, pseudonym, on_roster FROM student ORDER BY id");
    while (row.step())
        all.push_back({row.whole(0),
                       {row.text(1), row.text(2), row.text(3), row.text(4), row.text(5)},
                       row.text(6),
                       row.whole(7) != 0});
    return all;
}

Id Gradebook::add_student(const Person& person, bool on_roster) {
    std::string pseudonym = new_pseudonym();
    while (database_.whole("SELECT count(*) FROM student WHERE pseudonym = ?", pseudonym) != 0)
        pseudonym = new_pseudonym();
    database_.run(
        "INSERT INTO student (key, name, email, login, section, pseudonym, on_roster) VALUES (?, ?, ?, ?, ?, "
        "?, ?)",
        person.key, person.name, person.email, person.login, person.section, pseudonym, on_roster);
    return database_.last_id();
}

void Gradebook::update_student(const Student& student) {
    const Person& person = student.person;
    database_.run(
        "UPDATE student SET key = ?, name = ?, email = ?, login = ?, section = ?, on_roster = ? WHERE id = ?",
        person.key, person.name, person.email, person.login, person.section, student.on_roster, student.id);
}

std::vector<Attempt> Gradebook::all_attempts(std::optional<int> exercise) {
    std::vector<Attempt> all;
    // The last correction of a time applies, unless it withdraws the one before.
    Statement row(
        database_,
        "SELECT number, exercise, coalesce(correction.handed_in, attempt.handed_in), "
        "CASE WHEN correction.handed_in IS NULL THEN time_source ELSE 'person' END, marked_late, "
        "coalesce(correction.reason, ''), download_time, label, platform, content, problem, notes, replaces "
        "FROM attempt LEFT JOIN time_correction AS correction ON correction.id = "
        "(SELECT max(id) FROM time_correction WHERE attempt = number) "
        "WHERE exercise = ?1 OR ?1 IS NULL ORDER BY number",
        exercise);
    while (row.step()) {
        Attempt& attempt = all.emplace_back();
        attempt.number = row.whole(0);
        attempt.exercise = static_cast<int>(row.whole(1));
        attempt.time = {row.whole(2), time_source_named(row.text(3)), row.whole(4) != 0, row.text(5)};
        if (!row.is_null(6)) attempt.download_time = row.whole(6);
        attempt.label = row.text(7);
        attempt.platform = row.text(8);
        attempt.content = row.text(9);
        attempt.problem = row.text(10);
        attempt.notes = nlohmann::json::parse(row.text(11)).get<std::vector<std::string>>();
        if (!row.is_null(12)) attempt.replaces = row.whole(12);
        Statement of(database_,
                     "SELECT student, platform_id FROM attempt_student WHERE attempt = ? ORDER BY student",
                     attempt.number);
        while (of.step()) {
            attempt.students.push_back(of.whole(0));
            attempt.ids[of.whole(0)] = of.text(1);
        }
    }
    return all;
}

std::vector<Attempt> Gradebook::attempts(std::optional<int> exercise) {
    std::vector<Attempt> all = all_attempts(exercise);
    std::set<Id> replaced;
    for (const Attempt& attempt : all)
        if (attempt.replaces) replaced.insert(*attempt.replaces);
    std::erase_if(all, [&](const Attempt& attempt) { return replaced.contains(attempt.number); });
    std::map<Id, Moment> place;                       // by attempt
    std::map<std::pair<int, Id>, Moment> last_known;  // of an exercise and a student
    for (const Attempt& attempt : all) {
        Moment& at = place[attempt.number];
        at = attempt.time.by == TimeSource::unknown ? 0 : attempt.time.when;
        for (const Id student : attempt.students) {
            Moment& last = last_known[{attempt.exercise, student}];
            if (attempt.time.by == TimeSource::unknown)
                at = std::max(at, last);
            else
                last = std::max(last, at);
        }
    }
    std::ranges::stable_sort(all, {}, [&](const Attempt& attempt) { return place.at(attempt.number); });
    return all;
}

Id Gradebook::next_attempt() {
    return database_.whole("SELECT coalesce(max(number), 0) + 1 FROM attempt");
}

void Gradebook::add_attempt(const Attempt& attempt, Moment now) {
    database_.run(
        "INSERT INTO attempt (number, exercise, handed_in, time_source, download_time, label, platform, "
        "marked_late, "
        "content, problem, notes, added, replaces) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        attempt.number, attempt.exercise, attempt.time.when, name_of(attempt.time.by), attempt.download_time,
        attempt.label, attempt.platform, attempt.time.marked_late, attempt.content, attempt.problem,
        nlohmann::json(attempt.notes).dump(), now, attempt.replaces);
    for (const Id student : attempt.students) {
        const auto id = attempt.ids.find(student);
        database_.run("INSERT INTO attempt_student (attempt, student, platform_id) VALUES (?, ?, ?)",
                      attempt.number, student, id == attempt.ids.end() ? std::string() : id->second);
    }
}

void Gradebook::forget_ownerless(const Attempt& attempt) {
    const std::string ownerless =
        "(SELECT number FROM attempt WHERE exercise = ? AND platform = ? AND label = ? AND NOT EXISTS "
        "(SELECT 1 FROM attempt_student WHERE attempt_student.attempt = number))";
    for (const char* rows : {"version_attempt WHERE attempt IN ", "attempt WHERE number IN "})
        database_.run("DELETE FROM " + (rows + ownerless), attempt.exercise, attempt.platform, attempt.label);
}

void Gradebook::set_marked_late(Id attempt, bool marked_late) {
    database_.run("UPDATE attempt SET marked_late = ? WHERE number = ?", marked_late, attempt);
}

void Gradebook::copy_time(Id from, Id to) {
    database_.run(
        "UPDATE attempt SET (handed_in, time_source) = (SELECT handed_in, time_source FROM attempt WHERE "
        "number = ?1) "
        "WHERE number = ?2",
        from, to);
    database_.run(
        "INSERT INTO time_correction (attempt, handed_in, reason, author, at) "
        "SELECT ?2, handed_in, reason, author, at FROM time_correction WHERE attempt = ?1 ORDER BY id",
        from, to);
}

void Gradebook::set_time(Id attempt, Moment when, TimeSource by) {
    database_.run("UPDATE attempt SET handed_in = ?, time_source = ? WHERE number = ?", when, name_of(by),
                  attempt);
}

std::vector<TimeCorrection> Gradebook::time_corrections(int exercise) {
    std::vector<TimeCorrection> all;
    Statement row(
        database_,
        "SELECT attempt, time_correction.handed_in, reason, author, at FROM time_correction JOIN attempt ON "
        "attempt = number WHERE exercise = ? ORDER BY id",
        exercise);
    while (row.step())
        all.push_back({row.whole(0), row.is_null(1) ? std::nullopt : std::optional(row.whole(1)), row.text(2),
                       row.text(3), row.whole(4)});
    return all;
}

void Gradebook::add_time_correction(const TimeCorrection& correction) {
    database_.run(
        "INSERT INTO time_correction (attempt, handed_in, reason, author, at) VALUES (?, ?, ?, ?, ?)",
        correction.attempt, correction.when, correction.reason, correction.author, correction.at);
}

std::optional<Result> Gradebook::result(const std::string& key) {
    Statement row(database_, std::string(kResultColumns) + "WHERE key = ?", key);
    return row.step() ? std::optional(result_in(row)) : std::nullopt;
}

bool Gradebook::has_result(const std::string& key) {
    return database_.whole("SELECT count(*) FROM result WHERE key = ?", key) != 0;
}

bool Gradebook::has_result_of_content(const Result& wanted) {
    return database_.whole("SELECT count(*) FROM result WHERE exercise = ? AND kind = ? AND content = ?",
                           wanted.exercise, kind_name(wanted.kind), wanted.content) != 0;
}

std::optional<GraderUse> Gradebook::last_grader(int exercise) {
    Statement row(database_, "SELECT version, digest FROM grader WHERE exercise = ? ORDER BY id DESC LIMIT 1",
                  exercise);
    return row.step() ? std::optional(GraderUse{row.text(0), row.text(1)}) : std::nullopt;
}

void Gradebook::add_grader(int exercise, const GraderUse& grader, Moment now) {
    database_.run("INSERT INTO grader (exercise, version, digest, since) VALUES (?, ?, ?, ?)", exercise,
                  grader.version, grader.digest, now);
}

std::optional<Result> Gradebook::similar_result(const Result& wanted) {
    Statement row(database_,
                  std::string(kResultColumns) +
                      "WHERE exercise = ? AND kind = ? AND content = ? AND common = ? AND refused IS NULL "
                      "ORDER BY made DESC, key LIMIT 1",
                  wanted.exercise, kind_name(wanted.kind), wanted.content, wanted.common);
    return row.step() ? std::optional(result_in(row)) : std::nullopt;
}

void Gradebook::add_result(const Result& result, Moment now) {
    const std::optional<Blob> report = result.refused ? std::nullopt : std::optional(Blob{result.report});
    database_.run(
        "INSERT INTO result (key, exercise, kind, content, common, parts, refused, report, made, seconds) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        result.key, result.exercise, kind_name(result.kind), result.content, result.common,
        nlohmann::json(result.parts).dump(), result.refused, report, now, result.seconds);
    database_.run("DELETE FROM fault WHERE key = ?", result.key);
}

std::vector<Fault> Gradebook::faults() {
    std::vector<Fault> all;
    Statement row(database_, "SELECT key, attempt, tries, text FROM fault ORDER BY attempt, key");
    while (row.step())
        all.push_back({row.text(0), row.whole(1), static_cast<int>(row.whole(2)), row.text(3)});
    return all;
}

void Gradebook::add_fault(const Fault& fault, Moment now) {
    database_.run(
        "INSERT INTO fault (key, attempt, tries, text, at) VALUES (?1, ?2, ?3, ?4, ?5) "
        "ON CONFLICT (key) DO UPDATE SET tries = ?3, text = ?4, at = ?5",
        fault.key, fault.attempt, fault.tries, fault.text, now);
}

void Gradebook::forget_faults(int exercise) {
    database_.run("DELETE FROM fault WHERE attempt IN (SELECT number FROM attempt WHERE exercise = ?)",
                  exercise);
}

std::vector<Decision> Gradebook::overrides(int exercise) {
    std::vector<Decision> all;
    Statement row(database_,
                  "SELECT student, points, reason, author, at FROM override WHERE exercise = ? ORDER BY id",
                  exercise);
    while (row.step())
        all.push_back({row.whole(0), row.is_null(1) ? std::nullopt : std::optional(row.number(1)), false,
                       row.text(2), row.text(3), row.whole(4)});
    return all;
}

void Gradebook::add_override(int exercise, const Decision& decision) {
    database_.run(
        "INSERT INTO override (exercise, student, points, reason, author, at) VALUES (?, ?, ?, ?, ?, ?)",
        exercise, decision.student, decision.points, decision.reason, decision.author, decision.at);
}

std::vector<Decision> Gradebook::holds(int exercise) {
    std::vector<Decision> all;
    Statement row(database_,
                  "SELECT student, held, reason, author, at FROM hold WHERE exercise = ? ORDER BY id",
                  exercise);
    while (row.step())
        all.push_back(
            {row.whole(0), std::nullopt, row.whole(1) != 0, row.text(2), row.text(3), row.whole(4)});
    return all;
}

void Gradebook::add_hold(int exercise, const Decision& decision) {
    database_.run("INSERT INTO hold (exercise, student, held, reason, author, at) VALUES (?, ?, ?, ?, ?, ?)",
                  exercise, decision.student, decision.held, decision.reason, decision.author, decision.at);
}

std::optional<Version> Gradebook::last_version(int exercise, bool published) {
    Statement row(database_,
                  "SELECT id, exercise, made, published, rubric, secret_cases, secret, speed FROM version "
                  "WHERE exercise = ? AND (published IS NOT NULL OR NOT ?) ORDER BY id DESC LIMIT 1",
                  exercise, published);
    if (!row.step()) return std::nullopt;
    Version version;
    version.id = row.whole(0);
    version.exercise = static_cast<int>(row.whole(1));
    version.made = row.whole(2);
    if (!row.is_null(3)) version.published = row.whole(3);
    version.rubric = row.text(4);
    version.secret_cases = row.text(5);
    version.secret = row.whole(6) != 0;
    version.speed = row.whole(7) != 0;
    Statement attempt(database_, "SELECT attempt, numbers, speed FROM version_attempt WHERE version = ?",
                      version.id);
    while (attempt.step()) version.attempts[attempt.whole(0)] = {attempt.text(1), attempt.text(2)};
    Statement mark(database_,
                   "SELECT student, attempt, raw, out_of, days_late, penalty, final, explanation, overridden "
                   "FROM version_mark WHERE version = ?",
                   version.id);
    while (mark.step()) {
        Version::StudentMark& of = version.marks[mark.whole(0)];
        if (!mark.is_null(1)) of.attempt = mark.whole(1);
        of.mark = {mark.number(2), mark.number(3), mark.number(4),     mark.number(5),
                   mark.number(6), mark.text(7),   mark.whole(8) != 0, false};
    }
    return version;
}

Id Gradebook::add_version(const Version& version) {
    database_.run(
        "INSERT INTO version (exercise, made, published, rubric, secret_cases, secret, speed) VALUES (?, ?, "
        "?, ?, ?, ?, ?)",
        version.exercise, version.made, version.published, version.rubric, version.secret_cases,
        version.secret, version.speed);
    const Id id = database_.last_id();
    for (const auto& [attempt, results] : version.attempts)
        database_.run("INSERT INTO version_attempt (version, attempt, numbers, speed) VALUES (?, ?, ?, ?)",
                      id, attempt, unless_empty(results.numbers), unless_empty(results.speed));
    for (const auto& [student, of] : version.marks)
        database_.run(
            "INSERT INTO version_mark (version, student, attempt, raw, out_of, days_late, penalty, final, "
            "explanation, "
            "overridden) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            id, student, of.attempt, of.mark.raw, of.mark.out_of, of.mark.days_late, of.mark.penalty,
            of.mark.final, of.mark.explanation, of.mark.overridden);
    return id;
}

void Gradebook::publish(Id version, Moment now) {
    database_.run("UPDATE version SET published = ? WHERE id = ?", now, version);
}

}  // namespace attn::classes
