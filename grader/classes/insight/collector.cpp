#include "grader/classes/insight/collector.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/classes/insight/evidence.h"
#include "grader/classes/insight/insight.h"
#include "grader/report/report_queries.h"
#include "grader/report/text.h"

namespace attn::classes {

namespace {

using report::one_line;

/// Whether the student's function was not called for this check, so that the check says nothing about it.
bool was_not_called(const report::Check& check) {
    switch (check.outcome) {
        case Outcome::missing:
        case Outcome::not_compiled:
        case Outcome::skipped:
        case Outcome::over_budget:
            return true;
        default:
            return false;
    }
}

std::string address_of_report(const std::string& pseudonym) {
    return "reports/" + pseudonym + ".html";
}

}  // namespace

struct InsightCollector::State {
    Insight insight;
    std::filesystem::path class_folder;
    std::map<std::pair<int, std::string>, std::size_t> part_numbers;
    std::map<std::string, std::size_t> check_numbers;
    std::map<std::string, std::size_t> mistake_numbers, board_numbers;
    std::vector<InsightCheck> checks;
    std::vector<std::vector<ShareOfStudent>> part_shares;
    std::vector<ShareOfStudent> shares;
    std::vector<std::size_t> mistakes_of_student;       ///< how many
    std::vector<std::vector<InsightExample>> examples;  ///< of each misconception, one for each student

    std::size_t part_number(const report::Assignment& assignment, const report::Part& part) {
        const auto [place, is_new] =
            part_numbers.try_emplace({assignment.number, part.function}, insight.parts.size());
        if (is_new) {
            InsightPart& added = insight.parts.emplace_back();
            added.assignment = assignment.number;
            added.step = part.step;
            added.function = one_line(part.function);
            part_shares.emplace_back();
        }
        return place->second;
    }

    void add_report(int student, const report::Report& report, const std::filesystem::path& files) {
        const report::Score score = report::total_of(report);
        InsightStudent& row = insight.students.back();
        row.graded = true;
        row.points = score.points;
        row.max_points = score.max_points;
        insight.max_points = std::max(insight.max_points, score.max_points);
        shares.push_back({student, report::share_of(score)});
        for (const report::Assignment& assignment : report.assignments)
            for (const report::Part& part : assignment.parts) add_part(student, assignment, part);
        add_mistakes(student, report, files);
    }

    void add_part(int student, const report::Assignment& assignment, const report::Part& part) {
        const std::size_t number = part_number(assignment, part);
        InsightPart& summary = insight.parts[number];
        std::vector<std::optional<double>>& points = insight.students.back().parts;
        if (points.size() <= number) points.resize(number + 1);
        points[number] = report::finite(part.points);
        const report::Score score{report::finite(part.points), report::finite(part.max_points)};
        summary.max_points = std::max(summary.max_points, score.max_points);
        if (score.max_points > 0) part_shares[number].push_back({student, report::share_of(score)});
        const bool untouched = report::not_started(part);
        const bool broken = report::all_are(part, Outcome::not_compiled);
        if (untouched) summary.not_written.push_back(student);
        if (broken) summary.not_compiled.push_back(student);
        bool wrong = false, named = false;
        for (const report::Check& check : part.checks) {
            named |= check.diagnosis.has_value();
            wrong |= check.outcome == Outcome::wrong && report::is_function_check(check);
            if (check.speed && check.outcome != Outcome::skipped) add_speed(student, number, check);
            if (report::is_left_out(check)) continue;
            const bool is_failure = check.outcome != Outcome::passed && !was_not_called(check) && !untouched;
            if (is_failure && report::is_correctness_check(check)) {
                std::vector<int>& students = summary.failed[std::string(name_of(check.outcome))];
                if (students.empty() || students.back() != student) students.push_back(student);
            }
            if (is_failure || check.outcome == Outcome::passed) add_check(student, number, check, is_failure);
        }
        if (wrong && !named) summary.unnamed.push_back(student);
    }

    void add_check(int student, std::size_t part, const report::Check& check, bool is_failure) {
        const auto [place, is_new] = check_numbers.try_emplace(check.id, checks.size());
        if (is_new)
            checks.push_back({one_line(check.id),
                              one_line(check.name),
                              one_line(check.about),
                              check.kind,
                              part,
                              0,
                              {},
                              0});
        InsightCheck& summary = checks[place->second];
        summary.lost += report::finite(check.max_points) - report::finite(check.points);
        if (is_failure)
            summary.failed.push_back(student);
        else
            ++summary.passed;
    }

    void add_speed(int student, std::size_t part, const report::Check& check) {
        const report::Speed& speed = *check.speed;
        if (!(report::finite(speed.times_plain.value) > 0)) return;
        const auto [place, is_new] = board_numbers.try_emplace(check.id, insight.speed.size());
        if (is_new) insight.speed.push_back({part, one_line(speed.sizes), {}});
        insight.speed[place->second].entries.push_back({student, speed.times_plain.value,
                                                        report::finite(speed.times_yardstick.value),
                                                        report::finite(speed.share), speed.settled});
    }

    void add_mistakes(int student, const report::Report& report, const std::filesystem::path& files) {
        std::set<std::string> seen;
        for (const NamedMistake& named : named_mistakes(report, files)) {
            const std::string key =
                fmt::format("{}: {}", named.assignment, fmt::join(named.mistakes, " or "));
            const auto [place, is_new] = mistake_numbers.try_emplace(key, insight.misconceptions.size());
            if (is_new) {
                Misconception& added = insight.misconceptions.emplace_back();
                added.assignment = named.assignment;
                for (const std::string& name : named.mistakes) added.mistakes.push_back(one_line(name));
                added.cause = one_line(named.cause);
                added.hint = one_line(named.hint);
                examples.emplace_back();
            }
            Misconception& summary = insight.misconceptions[place->second];
            const std::size_t part = part_numbers.at({named.assignment, named.function});
            if (std::ranges::find(summary.parts, part) == summary.parts.end()) summary.parts.push_back(part);
            if (!seen.insert(key).second) continue;
            summary.students.push_back(student);
            examples[place->second].push_back({student, one_line(named.check), one_line(named.place)});
        }
        mistakes_of_student.back() = seen.size();
    }
};

InsightCollector::InsightCollector(const ClassView& head, std::filesystem::path class_folder)
    : state_(std::make_unique<State>()) {
    state_->class_folder = std::move(class_folder);
    Insight& insight = state_->insight;
    insight.title = one_line(head.title);
    insight.made_at = head.made_at;
    insight.due = head.due;
    insight.names = head.names;
}

InsightCollector::~InsightCollector() = default;

void InsightCollector::add(const StudentView& student) {
    Insight& insight = state_->insight;
    const int number = static_cast<int>(insight.students.size());
    InsightStudent& row = insight.students.emplace_back();
    state_->mistakes_of_student.push_back(0);
    row.pseudonym = one_line(student.pseudonym);
    if (insight.names) {
        row.name = one_line(student.person.name.empty() ? student.person.key : student.person.name);
        row.section = one_line(student.person.section);
    }
    row.on_roster = student.on_roster;
    row.mark = student.mark;
    const AttemptView* counted = nullptr;
    for (const AttemptView& attempt : student.attempts) {
        InsightAttempt& added = row.attempts.emplace_back();
        added.number = attempt.number;
        if (attempt.when_by != TimeSource::unknown) added.when = attempt.when;
        added.when_by = attempt.when_by;
        added.counts = attempt.counts;
        added.problem = one_line(attempt.problem);
        if (attempt.report) added.points = report::total_of(*attempt.report).points;
        if (attempt.counts && attempt.report) counted = &attempt;
        if (!attempt.problem.empty()) row.problem = added.problem;
    }
    if (row.attempts.empty()) {
        row.problem.clear();
        if (row.on_roster) insight.missing.push_back(number);
        return;
    }
    if (counted == nullptr) {
        if (row.problem.empty()) row.problem = "not graded yet";
        insight.ungraded.push_back(number);
        return;
    }
    row.problem.clear();
    row.report = address_of_report(row.pseudonym);
    insight.graded.push_back(number);
    const bool has_files = !state_->class_folder.empty() && !counted->files.empty();
    state_->add_report(number, *counted->report, has_files ? state_->class_folder / counted->files : "");
}

Insight InsightCollector::finish() {
    State& state = *state_;
    Insight insight = std::move(state.insight);
    insight.total = distribution_of(state.shares);
    for (std::size_t k = 0; k < insight.parts.size(); ++k)
        insight.parts[k].shares = distribution_of(state.part_shares[k]);
    for (InsightStudent& student : insight.students) student.parts.resize(insight.parts.size());
    std::erase_if(state.checks, [](const InsightCheck& check) { return check.failed.empty(); });
    std::ranges::stable_sort(state.checks, std::greater{},
                             [](const InsightCheck& check) { return check.failed.size(); });
    insight.checks = std::move(state.checks);
    for (std::size_t k = 0; k < insight.misconceptions.size(); ++k) {
        std::vector<InsightExample>& candidates = state.examples[k];
        const auto has_line = [](const InsightExample& each) {
            return each.place.find(':') != std::string::npos;
        };
        std::ranges::stable_sort(candidates, std::less{}, [&](const InsightExample& each) {
            return std::pair(state.mistakes_of_student[static_cast<std::size_t>(each.student)],
                             !has_line(each));
        });
        candidates.resize(std::min<std::size_t>(candidates.size(), 2));
        insight.misconceptions[k].examples = std::move(candidates);
    }
    std::ranges::stable_sort(insight.misconceptions, std::greater{},
                             [](const Misconception& each) { return each.students.size(); });
    for (SpeedBoard& board : insight.speed)
        std::ranges::stable_sort(board.entries, std::greater{}, &SpeedEntry::times_plain);
    find_hardest_part(insight);
    find_pairs(insight);
    find_outliers(insight);
    return insight;
}

}  // namespace attn::classes
