#pragma once
/// The report as Classroom 50's result.json. Its scores are whole numbers: a test for each part, rounded so
/// that the sum is the rounded sum.

#include <string>
#include <vector>

#include "grader/report/report.h"

namespace attn::report {

/// What the file says beside the scores. Classroom 50 tells it in the environment.
struct Classroom50 {
    std::string classroom, assignment, submission, commit, release, review;
    std::string datetime;  ///< in UTC: "2026-11-21T18:00:00Z"
};

std::string to_classroom50(const Report& dirty, const Classroom50& names);

/// Whole numbers near `values` (0 or more) whose sum is their rounded sum: those with the largest remainders
/// are rounded up, none beyond its `most`, where there is one for each.
std::vector<int> whole_numbers(const std::vector<double>& values, const std::vector<int>& most = {});

}  // namespace attn::report
