#include "grader/classes/taking_in.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <sys/stat.h>

#include "datasets/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/classes/digests.h"
#include "grader/classes/downloads/download.h"
#include "grader/classes/grading_run.h"
#include "grader/classes/marks.h"
#include "grader/classes/moments.h"
#include "grader/classes/roster/match.h"
#include "grader/classes/roster/roster.h"
#include "grader/intake/intake.h"

namespace attn::classes {
namespace {

namespace fs = std::filesystem;

std::vector<Person> people_of(const std::vector<Student>& students) {
    std::vector<Person> people;
    for (const Student& student : students) people.push_back(student.person);
    return people;
}

/// The students that the people of one roster or one download are. Unknown people become students.
class StudentFinder {
  public:
    explicit StudentFinder(Gradebook& gradebook)
        : gradebook_(gradebook), students_(gradebook.students()), index_(people_of(students_)) {}

    /// `identity`: what tells people of this source apart. Two different ones are never the same student.
    Id find(const Person& person, const std::string& identity, bool on_roster,
            std::vector<std::string>& notes) {
        RosterMatch match = index_.find(person);
        if (match.row) {
            const Student& student = students_[*match.row];
            const auto [claim, is_new] = claimed_.emplace(student.id, identity);
            const bool other_address = on_roster && !person.email.empty() && !student.person.email.empty() &&
                                       person.email != student.person.email;
            if ((!is_new && claim->second != identity) || other_address) {
                if (is_new) claimed_.erase(claim);
                match = {
                    {},
                    fmt::format("there is another {} already; this one is taken as a student of their own",
                                shown_name(person))};
            }
        }
        if (!match.row) {
            if (!match.note.empty() && !on_roster) notes.push_back(match.note);
            const Id id = gradebook_.add_student(person, on_roster);
            claimed_.emplace(id, identity);
            students_ = gradebook_.students();
            index_ = RosterIndex(people_of(students_));
            return id;
        }
        Student& student = students_[*match.row];
        const Person completed = index_.completed(person, match);
        const bool roster_now = student.on_roster || on_roster;
        const auto fields = [](const Person& p) {
            return std::tie(p.key, p.name, p.email, p.login, p.section);
        };
        if (fields(completed) != fields(student.person) || roster_now != student.on_roster) {
            student.person = completed;
            student.on_roster = roster_now;
            gradebook_.update_student(student);
        }
        return student.id;
    }

  private:
    Gradebook& gradebook_;
    std::vector<Student> students_;
    RosterIndex index_;
    std::map<Id, std::string> claimed_;  ///< the identity of each student that was found
};

/// What tells people of one download apart.
std::string identity_of(const Person& person) {
    for (const std::string* text : {&person.key, &person.email, &person.login})
        if (!text->empty()) return *text;
    return person.name;
}

/// A copy of a hand-in's plain files at `to`. Returns what was left out.
std::vector<std::string> copy_files(const fs::path& files, const fs::path& to) {
    const intake::Intake taken = intake::take_in(files);
    fs::copy(taken.folder, to, fs::copy_options::recursive);
    chmod(to.c_str(), S_IRWXU);
    return taken.notes;
}

/// A message about a hand-in, without the folder of this run, which says nothing to people.
std::string without_place(std::string message, const fs::path& place, const std::string& label) {
    for (std::size_t at = message.find(place.string()); at != std::string::npos;
         at = message.find(place.string()))
        message.replace(at, place.string().size(), label);
    return message;
}

}  // namespace

TakenIn take_in_roster(Gradebook& gradebook, const fs::path& file) {
    Roster roster = read_roster(file);
    TakenIn taken;
    taken.platform = roster.platform;
    taken.notes = std::move(roster.notes);
    taken.all = roster.people.size();
    Transaction transaction(gradebook.database());
    const std::size_t before = gradebook.students().size();
    StudentFinder finder(gradebook);
    std::size_t row = 0;
    for (const Person& person : roster.people) finder.find(person, std::to_string(++row), true, taken.notes);
    taken.added = gradebook.students().size() - before;
    transaction.commit();
    return taken;
}

TakenIn take_in_download(const ClassFolder& folder, Gradebook& gradebook, int exercise, const fs::path& given,
                         const std::optional<std::string>& platform) {
    const data::TemporaryDirectory scratch;
    Download download = read_download(given, scratch.path(), platform);
    TakenIn taken;
    taken.platform = download.platform;
    taken.notes = std::move(download.notes);
    taken.all = download.hand_ins.size();
    taken.time_note = std::move(download.time_note);
    using Identity = std::tuple<std::vector<Id>, std::optional<Moment>, std::string, std::string>;
    std::map<Identity, Attempt> known;
    for (const Attempt& each : gradebook.all_attempts(exercise))
        known.emplace(Identity{each.students, each.download_time, each.content, each.problem}, each);
    fs::create_directories(folder.path() / "attempts");
    // Without a roster everybody who hands in is of the class.
    const bool no_roster = std::ranges::none_of(gradebook.students(), &Student::on_roster);
    StudentFinder finder(gradebook);
    for (const HandIn& hand_in : download.hand_ins) {
        Transaction transaction(gradebook.database());
        Attempt attempt;
        attempt.number = gradebook.next_attempt();
        attempt.exercise = exercise;
        attempt.label = hand_in.label;
        attempt.platform = download.platform;
        attempt.time = {hand_in.when.value_or(now()), hand_in.when_by, hand_in.marked_late};
        // The time of a file may depend on how the download was unpacked, so it does not tell attempts apart.
        if (hand_in.when_by > TimeSource::files) attempt.download_time = hand_in.when;
        attempt.problem = hand_in.problem;
        for (const Person& person : hand_in.people)
            attempt.students.push_back(finder.find(person, identity_of(person), no_roster, taken.notes));
        std::ranges::sort(attempt.students);
        attempt.students.erase(std::unique(attempt.students.begin(), attempt.students.end()),
                               attempt.students.end());
        // Files of an attempt that was not finished may lie here.
        const fs::path place = folder.attempt(attempt.number);
        fs::remove_all(place);
        if (hand_in.files.empty() && attempt.problem.empty()) attempt.problem = "nothing was handed in";
        if (attempt.problem.empty()) {
            try {
                attempt.notes = copy_files(hand_in.files, place);
                attempt.content = digest_of_files(place);
            } catch (const UserError& error) {
                attempt.problem = without_place(error.what(), hand_in.files, hand_in.label);
                fs::remove_all(place);
            }
        }
        if (!attempt.problem.empty()) {
            ++taken.unreadable;
            taken.notes.push_back(fmt::format("{}: {}", hand_in.label, attempt.problem));
        }
        const auto [same, is_new] = known.emplace(
            Identity{attempt.students, attempt.download_time, attempt.content, attempt.problem}, attempt);
        if (!is_new) {
            fs::remove_all(place);
            // The exercise may be due at another time on the platform by now.
            if (same->second.time.marked_late != attempt.time.marked_late) {
                gradebook.set_marked_late(same->second.number, attempt.time.marked_late);
                transaction.commit();
            }
            continue;
        }
        gradebook.add_attempt(attempt, now());
        transaction.commit();
        ++taken.added;
    }
    return taken;
}

Attempt replace_files(const ClassFolder& folder, Gradebook& gradebook, const Attempt& broken,
                      const fs::path& given, const std::string& note) {
    Attempt attempt = broken;
    attempt.number = gradebook.next_attempt();
    attempt.replaces = broken.number;
    attempt.problem.clear();
    const fs::path place = folder.attempt(attempt.number);
    fs::create_directories(place.parent_path());
    fs::remove_all(place);
    const data::TemporaryDirectory source;
    const std::string ending = given.extension().string();
    std::error_code error;
    const bool one_source = fs::is_regular_file(given, error) && (ending == ".cpp" || ending == ".cu");
    if (one_source && fs::file_size(given) > intake::IntakeLimits().file_bytes)
        throw UserError(fmt::format("{}: this file has more than {} bytes; expected a source", given.string(),
                                    intake::IntakeLimits().file_bytes));
    if (one_source) fs::copy_file(given, source / given.filename().string());
    attempt.notes = copy_files(one_source ? source.path() : given, place);
    if (fs::is_empty(place))
        throw UserError(given.string() + ": there is no file in it; expected the repaired hand-in");
    attempt.notes.push_back(note);
    attempt.content = digest_of_files(place);
    Transaction transaction(gradebook.database());
    attempt.time.by = TimeSource::unknown;
    gradebook.add_attempt(attempt, now());
    gradebook.copy_time(broken.number, attempt.number);
    transaction.commit();
    return attempt;
}

}  // namespace attn::classes
