#include "grader/classes/taking_in.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <sys/stat.h>

#include "datasets/files/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/classes/digests.h"
#include "grader/classes/downloads/download.h"
#include "grader/classes/grading_run.h"
#include "grader/classes/marks.h"
#include "grader/classes/moments.h"
#include "grader/classes/roster/roster.h"
#include "grader/intake/intake.h"

namespace attn::classes {

namespace {

namespace fs = std::filesystem;

/// The people of all hand-ins, one after the other.
std::vector<Claimant> people_of(const Download& download) {
    std::vector<Claimant> people;
    for (const HandIn& hand_in : download.hand_ins)
        for (const Person& person : hand_in.people) people.push_back({person, hand_in.label});
    return people;
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
    std::vector<Claimant> people;
    for (const Person& person : roster.people) people.push_back({person, person.key + " " + person.name});
    for (const Owner& owner : owners_of(gradebook, {.roster = true, .platform = roster.platform}, people))
        if (!owner.student && std::ranges::count(taken.notes, owner.note) == 0)
            taken.notes.push_back(owner.note);
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
    using Identity =
        std::tuple<std::vector<Id>, std::optional<Moment>, std::string, std::string, std::string>;
    std::map<Identity, Attempt> known;
    const auto identity_of = [](const Attempt& each) {
        return Identity{each.students, each.download_time, each.content, each.problem,
                        each.students.empty() ? each.label : ""};
    };
    for (const Attempt& each : gradebook.all_attempts(exercise)) known.emplace(identity_of(each), each);
    fs::create_directories(folder.path() / "attempts");
    // Without a roster everybody who hands in is of the class.
    const bool no_roster = std::ranges::none_of(gradebook.students(), &Student::on_roster);
    Transaction transaction_of_students(gradebook.database());
    const std::vector<Owner> owners =
        owners_of(gradebook, {.platform = download.platform, .exercise = exercise, .of_class = no_roster},
                  people_of(download));
    transaction_of_students.commit();
    for (const Owner& owner : owners)
        if (owner.student && !no_roster && !owner.note.empty() &&
            std::ranges::count(taken.notes, owner.note) == 0)
            taken.notes.push_back(owner.note);
    auto next_owner = owners.begin();
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
        for (const Person& person : hand_in.people) {
            const Owner& owner = *next_owner++;
            if (owner.student) {
                attempt.students.push_back(*owner.student);
                attempt.ids[*owner.student] = person.key;
            } else if (attempt.problem.empty()) {
                attempt.problem = owner.note;
            }
        }
        std::ranges::sort(attempt.students);
        attempt.students.erase(std::unique(attempt.students.begin(), attempt.students.end()),
                               attempt.students.end());
        // Files of an attempt that was not finished may lie here.
        const fs::path place = folder.attempt(attempt.number);
        fs::remove_all(place);
        if (hand_in.files.empty() && attempt.problem.empty()) attempt.problem = "nothing was handed in";
        if (attempt.problem.empty()) {
            attempt.problem = without_place(problem_in([&] {
                                                attempt.notes = copy_files(hand_in.files, place);
                                                attempt.content = digest_of_files(place);
                                            }),
                                            hand_in.files, hand_in.label);
            if (!attempt.problem.empty()) fs::remove_all(place);
        }
        if (!attempt.problem.empty()) {
            ++taken.unreadable;
            taken.notes.push_back(fmt::format("{}: {}", hand_in.label, attempt.problem));
        }
        const auto [same, is_new] = known.emplace(identity_of(attempt), attempt);
        if (!is_new) {
            fs::remove_all(place);
            // The exercise may be due at another time on the platform by now.
            if (same->second.time.marked_late != attempt.time.marked_late) {
                gradebook.set_marked_late(same->second.number, attempt.time.marked_late);
                transaction.commit();
            }
            continue;
        }
        if (!attempt.students.empty()) gradebook.forget_ownerless(attempt);
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

namespace {

using OwnerFields = std::tuple<std::string, std::string, std::string, std::string, std::string>;

OwnerFields owner_fields(const Person& person) {
    return {person.key, person.name, person.email, person.login, person.section};
}

/// The students as the source knows them: with the ids that earlier downloads of the exercise had.
std::vector<Person> known_people(Gradebook& gradebook, const OwnerSource& source,
                                 const std::vector<Student>& students) {
    std::map<Id, std::string> ids;
    if (!source.roster)
        for (const Attempt& attempt : gradebook.attempts(source.exercise))
            if (attempt.platform == source.platform)
                for (const auto& [student, id] : attempt.ids)
                    if (!id.empty()) ids[student] = id;
    std::vector<Person> people;
    for (const Student& student : students) {
        people.push_back(student.person);
        if (const auto id = ids.find(student.id); id != ids.end()) people.back().key = id->second;
    }
    return people;
}

Id owner_in_gradebook(Gradebook& gradebook, const OwnerSource& source, const Person& person,
                      const Claim& claim, const std::vector<Student>& students) {
    if (!claim.row) return gradebook.add_student(person, source.of_class);
    Student student = students[*claim.row];
    // An ending says nothing else about a person.
    if (claim.by != FoundBy::ending) student.person = completed(student.person, person);
    // Moodle numbers its participants for each exercise, so its newest list counts.
    if (source.roster && source.platform == "moodle" && !person.key.empty()) student.person.key = person.key;
    student.on_roster = student.on_roster || source.of_class;
    const Student& before = students[*claim.row];
    if (student.on_roster != before.on_roster || owner_fields(student.person) != owner_fields(before.person))
        gradebook.update_student(student);
    return student.id;
}

}  // namespace

std::vector<Owner> owners_of(Gradebook& gradebook, const OwnerSource& source,
                             const std::vector<Claimant>& people) {
    std::vector<Claimant> different;
    std::vector<std::size_t> number;  // of a person among those
    std::map<OwnerFields, std::size_t> known;
    for (const Claimant& one : people) {
        const auto [at, fresh] = known.emplace(owner_fields(one.person), different.size());
        if (fresh || source.roster) {
            at->second = different.size();
            different.push_back(one);
        }
        number.push_back(at->second);
    }
    // Only these two name hand-ins by something that a login may be a part of.
    const bool endings = !source.roster && (source.platform == "github" || source.platform == "folder");
    const std::vector<Student> students = gradebook.students();
    const std::vector<Claim> claims =
        settle_claims(known_people(gradebook, source, students), different, {endings, source.roster});
    std::vector<Owner> settled;
    for (std::size_t k = 0; k < claims.size(); ++k) {
        settled.push_back({std::nullopt, claims[k].note});
        if (!claims[k].unclear)
            settled[k].student =
                owner_in_gradebook(gradebook, source, different[k].person, claims[k], students);
    }
    std::vector<Owner> owners;
    for (const std::size_t k : number) owners.push_back(settled[k]);
    return owners;
}

}  // namespace attn::classes
