#pragma once
/// The report as Classroom 50's result.json, with a test for each part. Scores are integers, rounded so that
/// their sum is the rounded total.

#include <string>
#include <vector>

#include "grader/report/report.h"

namespace attn::report {

/// The other fields of the file. Classroom 50 sets them in the environment.
struct Classroom50 {
    std::string classroom, assignment, submission, commit, release, review;
    std::string datetime;  ///< in UTC: "2026-11-21T18:00:00Z"
};

std::string to_classroom50(const Report& dirty, const Classroom50& names);

/// Rounds `values` (each 0 or more) to integers whose sum is the rounded sum of the values: those with the
/// largest remainders are rounded up. `most` is empty, or has an upper limit for each value.
std::vector<int> whole_numbers(const std::vector<double>& values, const std::vector<int>& most = {});

}  // namespace attn::report
