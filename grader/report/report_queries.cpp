#include "grader/report/report_queries.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/base/listed_in_words.h"
#include "grader/report/text.h"

namespace attn::report {

std::string stand_ins_of(const Part& part) {
    std::vector<std::string> notes;
    // Speed and growth are measured without stand-ins, so their points wait.
    const bool waits = std::ranges::any_of(part.checks, [](const Check& check) {
        return check.outcome == Outcome::skipped && !is_correctness_check(check) && check.max_points > 0;
    });
    const char* const lost_there =
        waits ? "you lose points there, and here only those that wait for it" : "you lose points only there";
    if (!part.stand_ins.empty()) {
        const bool charged_there = part.charged_at == part.stand_ins, one = part.stand_ins.size() == 1;
        const std::string called = one ? ", or what it calls," : ", or what they call,";
        notes.push_back(
            fmt::format("tested with the course's {}, because yours{} {} wrong, too slow or not begun; {}",
                        fmt::join(part.stand_ins, ", "), charged_there ? "" : called, one ? "is" : "are",
                        charged_there ? lost_there
                        : waits       ? "that costs no points here but those that wait for it"
                                      : "that costs no points here"));
    }
    if (!part.mistake_charged_at.empty())
        notes.push_back(
            fmt::format("right but for a mistake that {} has, too; {}", part.mistake_charged_at, lost_there));
    if (!part.costs_elsewhere.empty()) notes.push_back(part.costs_elsewhere);
    if (!part.race_charged_at.empty())
        notes.push_back(
            fmt::format("kernels graded with a __syncthreads() added where those of {} lack one; the points "
                        "are lost there",
                        part.race_charged_at));
    return fmt::format("{}", fmt::join(notes, "; "));
}

bool all_are(const Part& part, Outcome outcome) {
    const auto counts = [](const Check& c) { return is_function_check(c) && !is_kept_back(c); };
    return std::any_of(part.checks.begin(), part.checks.end(), counts) &&
           std::all_of(part.checks.begin(), part.checks.end(),
                       [&](const Check& c) { return !counts(c) || c.outcome == outcome; });
}

bool is_reportable_failure(const Check& check) {
    return is_correctness_check(check) && !is_kept_back(check) && check.outcome != Outcome::passed &&
           check.outcome != Outcome::not_compiled && !(is_kernel_check(check) && is_left_out(check));
}

std::string outcome_in_words(const Check& check) {
    const bool waits =
        check.outcome == Outcome::skipped && !is_correctness_check(check) && check.max_points > 0;
    return waits ? "not counted yet" : in_words(check.outcome);
}

bool can_be_replayed(const Report& report, const Check& check) {
    return report.seed.has_value() && check.disclosure == Disclosure::full;
}

const Check* most_informative_failure(const Part& part) {
    const auto information = [](const Check& c) {
        return (c.smallest && !c.smallest->inputs.empty() ? 8 : 0) + (c.diagnosis ? 4 : 0) +
               (c.smallest ? 2 : 0) + (c.difference ? 1 : 0);
    };
    const Check* best = nullptr;
    for (const Check& check : part.checks) {
        if (!is_reportable_failure(check)) continue;
        if (best == nullptr || information(check) > information(*best)) best = &check;
    }
    return best;
}

bool same_mistake(const Check& a, const Check& b) {
    return a.diagnosis && b.diagnosis && a.diagnosis->mistakes == b.diagnosis->mistakes &&
           (!a.diagnosis->mistakes.empty() || a.diagnosis->sentence == b.diagnosis->sentence);
}

void tell_less(Report& report, Hints hints) {
    if (hints == Hints::name) return;
    for (Assignment& assignment : report.assignments)
        for (Part& part : assignment.parts)
            for (Check& check : part.checks) {
                if (!check.diagnosis || check.diagnosis->mistakes.empty()) continue;
                check.diagnosis->sentence =
                    "The grader knows a mistake that gives exactly this result" +
                    (hints == Hints::place
                         ? fmt::format(": it is in {}, step {} of the handout.", part.function, part.step)
                         : std::string("."));
            }
}

bool is_to_be_seen(const Check& check) {
    return !check.pictures.empty() &&
           (check.outcome == Outcome::passed ||
            std::ranges::any_of(check.pictures, [](const Picture& each) { return !each.sentences.empty(); }));
}

std::string state_of(const Part& part) {
    if (not_started(part)) return "not implemented yet";
    if (nothing_shown(part)) return part.checks.empty() ? "Kept back." : part.checks.front().message;
    std::string text;
    for (const Outcome outcome : {Outcome::not_implemented, Outcome::not_compiled, Outcome::missing})
        if (all_are(part, outcome))
            text = outcome == Outcome::not_implemented ? "not implemented yet" : in_words(outcome);
    int kept_back = 0;
    std::map<CheckKind, std::pair<int, int>> passed;  // by kind: passed, all
    for (const Check& check : part.checks) {
        kept_back += is_kept_back(check) ? 1 : 0;
        if (is_kept_back(check) || (is_kernel_check(check) && is_left_out(check))) continue;
        passed[check.kind].second++;
        if (check.outcome == Outcome::passed) passed[check.kind].first++;
    }
    const auto count = [&passed](CheckKind kind, const std::string& word) {
        const auto [good, all] = passed[kind];
        return good == all ? fmt::format("{} {}", all, word) : fmt::format("{} of {} {}", good, all, word);
    };
    if (text.empty()) {
        text = count(CheckKind::numeric, "numeric");
        if (passed[CheckKind::property].second > 0) text += ", " + count(CheckKind::property, "properties");
    }
    if (passed[CheckKind::cuda].second > 0) text += ", " + count(CheckKind::cuda, "as kernels");
    std::string waiting;
    for (const Check& check : part.checks) {
        if (is_correctness_check(check) || is_left_out(check)) continue;
        if (check.outcome == Outcome::skipped)
            waiting += (waiting.empty() ? "" : " and ") + std::string(name_of(check.kind));
        else
            text += fmt::format(", {} {}", name_of(check.kind),
                                check.outcome == Outcome::passed ? "ok" : in_words(check.outcome));
    }
    if (!waiting.empty()) text += fmt::format(", {} not counted yet", waiting);
    if (kept_back > 0) text += fmt::format(", {} kept back", kept_back);
    return text;
}

std::string seed_in_words(const Report& report) {
    return report.seed ? fmt::format("seed {}", *report.seed) : "secret seed";
}

double finite(double value) {
    return std::isfinite(value) ? value : 0;
}

double rounded(double points) {
    constexpr double kHundred = 100;
    return std::round(finite(points) * kHundred) / kHundred;
}

std::string builds_on_in_words(const PathStep& step) {
    std::vector<std::string> numbers;
    for (const int number : step.builds_on) numbers.push_back(std::to_string(number));
    return numbers.empty() ? "" : "builds on " + listed_in_words(numbers);
}

Score total_of(const Report& report) {
    Score total;
    for (const Assignment& assignment : report.assignments) {
        total.points += finite(assignment.points);
        total.max_points += finite(assignment.max_points);
    }
    return total;
}

std::optional<double> speed_on_board(const Check& check) {
    return check.speed ? std::optional(check.speed->times_plain.value) : check.board_speed;
}

double share_of(const Score& score) {
    return score.max_points > 0 ? std::clamp(score.points / score.max_points, 0.0, 1.0) : 0;
}

std::string file_of(const Report& report, const Assignment& assignment) {
    const auto found = std::find_if(assignment.sources.begin(), assignment.sources.end(),
                                    [](const SourceFile& source) { return source.exists; });
    if (found == assignment.sources.end()) return "";
    const auto& submission = report.submission;
    static constexpr std::array kArchives = {".zip", ".tar.gz", ".tgz", ".tar", ".tar.xz", ".tar.bz2"};
    const bool archive = std::any_of(kArchives.begin(), kArchives.end(), [&submission](const char* ending) {
        return submission.ends_with(ending);
    });
    if (archive || submission.empty()) return found->name;
    return submission + (submission.ends_with('/') ? "" : "/") + found->name;
}

}  // namespace attn::report
