#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "grader/report/clean.h"
#include "grader/report/json_text.h"
#include "grader/report/platforms/formats.h"
#include "grader/report/report_queries.h"
#include "grader/report/text.h"

namespace attn::report {

std::vector<int> whole_numbers(const std::vector<double>& values, const std::vector<int>& most) {
    constexpr double kTolerance = 1e-9;  // tolerance for rounding errors in a sum of points
    std::vector<int> result;
    for (std::size_t k = 0; k < values.size(); ++k)
        result.push_back(std::min(static_cast<int>(std::floor(values[k] + kTolerance)),
                                  most.empty() ? std::numeric_limits<int>::max() : most[k]));
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto remainder = [&](std::size_t k) { return values[k] - result[k]; };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return remainder(a) > remainder(b) + kTolerance; });
    const auto rounded_sum = std::lround(std::accumulate(values.begin(), values.end(), 0.0));
    long left = rounded_sum - std::accumulate(result.begin(), result.end(), 0L);
    for (const std::size_t k : order) {
        if (left <= 0) break;
        if (!most.empty() && result[k] >= most[k]) continue;
        ++result[k];
        --left;
    }
    return result;
}

std::string to_classroom50(const Report& dirty, const Classroom50& names) {
    const Report report = cleaned(dirty);
    std::vector<double> points, max_points;
    for (const Assignment& assignment : report.assignments) {
        for (const Part& part : assignment.parts) {
            points.push_back(std::max(0.0, finite(part.points)));
            max_points.push_back(std::max(0.0, finite(part.max_points)));
        }
    }
    const std::vector<int> most = whole_numbers(max_points), scores = whole_numbers(points, most);
    auto tests = nlohmann::ordered_json::array();
    for (const Assignment& assignment : report.assignments) {
        for (const Part& part : assignment.parts) {
            const std::size_t k = tests.size();
            tests.push_back({{"test-name", assignment.name + "." + part.function},
                             {"passed", all_passed(part)},
                             {"score", scores[k]},
                             {"max-score", most[k]}});
        }
    }
    const nlohmann::ordered_json json = {{"schema", "classroom50/result/v1"},
                                         {"classroom", one_line(names.classroom)},
                                         {"assignment", one_line(names.assignment)},
                                         {"submission", one_line(names.submission)},
                                         {"commit", one_line(names.commit)},
                                         {"release", one_line(names.release)},
                                         {"review", one_line(names.review)},
                                         {"datetime", one_line(names.datetime)},
                                         {"score", std::accumulate(scores.begin(), scores.end(), 0)},
                                         {"max-score", std::accumulate(most.begin(), most.end(), 0)},
                                         {"tests", tests}};
    return json_text(json) + "\n";
}

}  // namespace attn::report
