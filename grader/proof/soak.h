#pragma once
/// The soak test: grades a mixture of right, wrong and hostile submissions many times. Marks must stay the
/// same, nothing may be left behind, and the grader's memory must not grow.

#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/proof/hostile.h"
#include "grader/proof/selfcheck.h"

namespace attn::proof {

/// The results. The test passes if there are no faults.
struct Soak {
    int gradings = 0, submissions = 0;
    double seconds = 0, memory_mib = 0;  ///< memory_mib: the grader's resident memory at the end
    double grown_mib = 0;                ///< its growth since each submission was graded once
    std::vector<std::string> faults;
};

/// At most `most` submissions of all kinds for assignment 2. Only a few of them hang, because each of these
/// takes its full time limit.
std::vector<Attack> mixed_submissions(const Installation& installation, int most);

/// Grades the submissions in turn, `gradings` times in all. Each is compiled once.
Soak soak(const Installation& installation, const std::vector<Attack>& submissions, int gradings,
          const Progress& progress);

}  // namespace attn::proof
