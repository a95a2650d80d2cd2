#include <map>
#include <tuple>

#include "grader/classes/taking_in.h"

namespace attn::classes {
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
