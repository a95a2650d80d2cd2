#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "grader/classes/insight/insight.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

// Pairs of mistakes.
constexpr std::size_t kClassForPairs = 20, kStudentsForPair = 3;
constexpr double kLift = 1.5, kChance = 0.01;
// Outliers.
constexpr int kClassForFences = 10;
constexpr double kFence = 1.5, kFall = 0.1, kJumpFrom = 0.3, kJumpTo = 0.8;
constexpr Moment kJumpWithin_s = 3600;
constexpr std::size_t kManyAttempts = 10;

void find_points_beyond_fences(Insight& insight) {
    if (insight.total.count < kClassForFences) return;
    const double low = *insight.total.lower_quartile, high = *insight.total.upper_quartile;
    const double below = low - kFence * (high - low), above = high + kFence * (high - low);
    for (const int number : insight.graded) {
        const InsightStudent& student = insight.students[static_cast<std::size_t>(number)];
        if (student.max_points <= 0) continue;
        const double share = student.points / student.max_points;
        if (share >= below && share <= above) continue;
        insight.outliers.push_back(
            {number, "points",
             fmt::format("{} of {} points; the {} fence of the class is at {}",
                         report::points(student.points), report::points(student.max_points),
                         share < below ? "lower" : "upper",
                         report::points(student.max_points * (share < below ? below : above)))});
    }
}

void find_falls_and_jumps(Insight& insight) {
    for (std::size_t k = 0; k < insight.students.size(); ++k) {
        const InsightStudent& student = insight.students[k];
        if (!student.graded || student.max_points <= 0) continue;
        const InsightAttempt *best = nullptr, *counted = nullptr, *before = nullptr;
        for (const InsightAttempt& attempt : student.attempts) {
            if (attempt.counts) counted = &attempt;
            if (!attempt.points) continue;
            if (counted == nullptr && (best == nullptr || *attempt.points > *best->points)) best = &attempt;
            if (before != nullptr && *before->points < kJumpFrom * student.max_points &&
                *attempt.points >= kJumpTo * student.max_points && attempt.when && before->when &&
                *attempt.when - *before->when < kJumpWithin_s)
                insight.outliers.push_back(
                    {static_cast<int>(k), "jump",
                     fmt::format("from {} to {} points within {} min, attempts {} and {}",
                                 report::points(*before->points), report::points(*attempt.points),
                                 (*attempt.when - *before->when) / 60, before->number, attempt.number)});
            before = &attempt;
        }
        if (best != nullptr && counted != nullptr && counted->points &&
            *best->points - *counted->points >= kFall * student.max_points)
            insight.outliers.push_back(
                {static_cast<int>(k), "fell",
                 fmt::format("attempt {} counts with {} points; attempt {} had {}", counted->number,
                             report::points(*counted->points), best->number, report::points(*best->points))});
    }
}

void find_many_attempts(Insight& insight) {
    std::vector<double> counts;
    for (const InsightStudent& student : insight.students)
        if (!student.attempts.empty()) counts.push_back(static_cast<double>(student.attempts.size()));
    if (counts.empty()) return;
    std::ranges::sort(counts);
    const double low = quantile(counts, 0.25), high = quantile(counts, 0.75), limit = high + 3 * (high - low);
    for (std::size_t k = 0; k < insight.students.size(); ++k) {
        const std::size_t count = insight.students[k].attempts.size();
        if (count >= kManyAttempts && static_cast<double>(count) > limit)
            insight.outliers.push_back({static_cast<int>(k), "attempts",
                                        fmt::format("{} attempts; half of the class has at most {:g}", count,
                                                    quantile(counts, 0.5))});
    }
}

}  // namespace

std::map<std::string, std::string> insight_rules() {
    return {
        {"attempts",
         fmt::format("Many attempts: at least {}, and more than the upper quartile of the class plus three "
                     "times the distance between the quartiles.",
                     kManyAttempts)},
        {"fell",
         fmt::format(
             "Fell: the attempt that counts has fewer points than an earlier one, by at least {:g} % of all "
             "points.",
             100 * kFall)},
        {"jump",
         fmt::format(
             "Jumped: from less than {:g} % of the points to at least {:g} % between two attempts less than "
             "{} minutes apart. There can be many reasons.",
             100 * kJumpFrom, 100 * kJumpTo, kJumpWithin_s / 60)},
        {"pairs",
         fmt::format(
             "A pair is shown if at least {} students are graded, at least {} have both mistakes, these are "
             "at least {:g} times as many as chance would give, and chance would give so many with a "
             "probability below {:g} % (hypergeometric distribution).",
             kClassForPairs, kStudentsForPair, kLift, 100 * kChance)},
        {"points",
         fmt::format(
             "Far from the others: points more than {:g} times the distance between the quartiles below the "
             "lower or above the upper quartile, in a class with at least {} graded students.",
             kFence, kClassForFences)},
    };
}

void find_hardest_part(Insight& insight) {
    for (std::size_t k = 0; k < insight.parts.size(); ++k) {
        const std::optional<double> mean = insight.parts[k].shares.mean;
        if (mean && (!insight.hardest || *mean < *insight.parts[*insight.hardest].shares.mean))
            insight.hardest = k;
    }
}

void find_pairs(Insight& insight) {
    insight.rules = insight_rules();
    const std::size_t all = insight.graded.size();
    if (all < kClassForPairs) return;
    for (std::size_t a = 0; a < insight.misconceptions.size(); ++a)
        for (std::size_t b = a + 1; b < insight.misconceptions.size(); ++b) {
            const std::vector<int>&first = insight.misconceptions[a].students,
                  &second = insight.misconceptions[b].students;
            MisconceptionPair pair{a, b, {}, 0, 0, 0};
            std::ranges::set_intersection(first, second, std::back_inserter(pair.students));
            if (pair.students.size() < kStudentsForPair) continue;
            pair.expected = static_cast<double>(first.size() * second.size()) / static_cast<double>(all);
            pair.lift = static_cast<double>(pair.students.size()) / pair.expected;
            pair.chance =
                chance_of_both(static_cast<int>(all), static_cast<int>(first.size()),
                               static_cast<int>(second.size()), static_cast<int>(pair.students.size()));
            if (pair.lift >= kLift && pair.chance < kChance) insight.pairs.push_back(std::move(pair));
        }
    std::ranges::stable_sort(insight.pairs, std::greater{}, &MisconceptionPair::lift);
}

void find_outliers(Insight& insight) {
    find_points_beyond_fences(insight);
    find_falls_and_jumps(insight);
    find_many_attempts(insight);
    std::ranges::stable_sort(insight.outliers, std::less{}, &Outlier::student);
}

}  // namespace attn::classes
