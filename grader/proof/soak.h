#pragma once
/// Grading without an end: a mixed bag of right, wrong and hostile submissions, again and again. Marks stay
/// the same, nothing is left behind, the grader does not grow.

#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/proof/hostile.h"
#include "grader/proof/selfcheck.h"

namespace attn::proof {

/// What was found. It holds if there are no faults.
struct Soak {
    int gradings = 0, submissions = 0;
    double seconds = 0, memory_mib = 0;  ///< the grader's own, at the end
    double grown_mib = 0;                ///< .. since each submission was graded once
    std::vector<std::string> faults;
};

/// Submissions of all kinds for assignment 2, at most so many; those that hang are few, for each takes its
/// time.
std::vector<Attack> mixed_bag(const Installation& installation, int most);

/// Grades the bag in turn, `gradings` times in all. Each submission is compiled once.
Soak soak(const Installation& installation, const std::vector<Attack>& bag, int gradings,
          const Progress& progress);

}  // namespace attn::proof
