#include "grader/classes/times/give_times.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/classes/exports/exports.h"
#include "grader/classes/marks.h"
#include "grader/classes/moments.h"
#include "grader/classes/roster/match.h"

namespace attn::classes {
namespace {

/// A few names, and how many more there are.
std::string some_of(const std::set<std::string>& names) {
    constexpr std::size_t kShown = 20;
    std::vector<std::string> shown(names.begin(), names.end());
    const std::size_t more = shown.size() - std::min(shown.size(), kShown);
    shown.resize(shown.size() - more);
    return fmt::format("{}{}", fmt::join(shown, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

GivenTimes give_times(Gradebook& gradebook, int exercise, const TimesFile& times) {
    std::map<Id, Attempt> last;  // by student
    for (const Attempt& attempt : gradebook.attempts(exercise))
        for (const Id student : attempt.students)
            if (const auto known = last.find(student);
                known == last.end() || known->second.number < attempt.number)
                last[student] = attempt;
    std::vector<Person> people;
    for (const TimesRow& row : times.rows) people.push_back(row.person);
    struct Given {
        Attempt attempt;
        std::string names;
        std::optional<Moment> when;
    };
    std::map<Id, Given> by_attempt;
    std::vector<Claimant> claimants;
    std::vector<Given*> given_to;  // for each claimant
    for (const Student& student : gradebook.students()) {
        const auto found = last.find(student.id);
        if (found == last.end()) continue;
        const std::string name = shown_name(student.person);
        Given& given =
            by_attempt.try_emplace(found->second.number, Given{found->second, "", {}}).first->second;
        given.names += (given.names.empty() ? "" : ", ") + name;
        Person person = student.person;
        // The roster may not have the number that the platform gives people.
        if (const auto id = found->second.ids.find(student.id);
            id != found->second.ids.end() && !id->second.empty())
            person.key = id->second;
        claimants.push_back({std::move(person), name});
        given_to.push_back(&given);
    }
    const std::vector<Claim> claims = settle_claims(people, claimants);
    std::vector<std::string> unclear;
    std::set<std::string> without;
    for (std::size_t k = 0; k < claims.size(); ++k) {
        if (claims[k].row)  // the files of a group are those of its last hand-in
            given_to[k]->when = std::max(given_to[k]->when, times.rows[*claims[k].row].when);
        else if (claims[k].unclear)
            unclear.push_back(claimants[k].label);
    }
    GivenTimes result;
    result.notes = times.notes;
    Transaction transaction(gradebook.database());
    for (const auto& [number, given] : by_attempt) {
        const Attempt& attempt = given.attempt;
        ++result.of;
        if (!given.when) {
            if (attempt.time.by < TimeSource::table) without.insert(given.names);
            continue;
        }
        const bool same = attempt.time.when == *given.when;
        if (attempt.time.by > times.source) {
            constexpr Moment kMinute_s = 60;  // Moodle writes no seconds
            if (std::abs(attempt.time.when - *given.when) >= kMinute_s)
                result.notes.push_back(fmt::format(
                    "{}: {} has {}, but {} says {}, which counts; `grader class late` corrects it",
                    given.names, times.name, moment_text(*given.when), source_in_words(attempt.time),
                    moment_text(attempt.time.when)));
            continue;
        }
        if (attempt.time.by == times.source && !same)
            result.notes.push_back(fmt::format("{}: {} now, and no longer {}", given.names,
                                               moment_text(*given.when), moment_text(attempt.time.when)));
        gradebook.set_time(number, *given.when, times.source);
        ++result.given;
    }
    transaction.commit();
    if (!without.empty())
        result.notes.push_back(fmt::format("{} has no time for: {}", times.name, some_of(without)));
    if (!unclear.empty())
        result.notes.push_back(fmt::format(
            "one row may be that of two students, and counts for neither: {}; give their times with "
            "`grader class late`, or add their e-mail addresses to the table",
            fmt::join(unclear, " and ")));
    return result;
}

}  // namespace attn::classes
