#include "grader/classes/times/give_times.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/classes/exports/export_names.h"
#include "grader/classes/marks.h"
#include "grader/classes/moments.h"
#include "grader/classes/roster/match.h"

namespace attn::classes {
namespace {

/// The number of a hand-in's person on its platform, which the roster may not have: it stands in the names of the
/// download.
std::string number_on_platform(const Attempt& attempt) {
    constexpr std::size_t kLongest = 1000;
    if (attempt.label.size() > kLongest) return "";
    if (attempt.platform == "moodle") return moodle_participant(attempt.label);
    static const std::regex canvas(R"([^_]*_(?:LATE_)?([0-9A-Za-z]+)(?:_\d+)?)");
    std::smatch found;
    return attempt.platform == "canvas" && std::regex_match(attempt.label, found, canvas) ? found[1].str()
                                                                                          : "";
}

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
    const RosterIndex index(people);
    struct Given {
        Attempt attempt;
        std::string names;
        std::optional<Moment> when;
    };
    std::map<Id, Given> by_attempt;
    std::map<std::size_t, std::vector<std::pair<std::string, Given*>>> by_row;
    for (const Student& student : gradebook.students()) {
        const auto found = last.find(student.id);
        if (found == last.end()) continue;
        const std::string name = shown_name(student.person);
        Given& given =
            by_attempt.try_emplace(found->second.number, Given{found->second, "", {}}).first->second;
        given.names += (given.names.empty() ? "" : ", ") + name;
        Person person = student.person;
        if (const std::string number = number_on_platform(found->second); !number.empty())
            person.key = number;
        if (const RosterMatch match = index.find(person); match.row)
            by_row[*match.row].emplace_back(name, &given);
    }
    std::set<std::string> twice, without;
    for (const auto& [row, students] : by_row) {
        if (students.size() > 1)
            twice.insert(fmt::format("{} and {}", students[0].first, students[1].first));
        else  // the files of a group are those of its last hand-in
            students[0].second->when = std::max(students[0].second->when, times.rows[row].when);
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
    if (!twice.empty())
        result.notes.push_back(fmt::format(
            "one row may be that of two students, and counts for neither: {}; give their times with "
            "`grader class late`, or add their e-mail addresses to the table",
            some_of(twice)));
    return result;
}

}  // namespace attn::classes
