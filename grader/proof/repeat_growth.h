#pragma once
/// Checks that growth is judged rightly on this machine, quiet and busy: right solutions lose no point, and
/// those that take one power more than the plain loops lose theirs.

#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/proof/selfcheck.h"

namespace attn::proof {

/// What was measured of the right solutions of one part, or of one solution that grows too fast.
struct RepeatedGrowth {
    int assignment = 0;
    std::string function;
    std::string growing;        ///< the name of the solution that grows too fast; empty: the right solutions
    std::vector<double> quiet;  ///< for each grading: the student's exponent minus the plain loops'
    std::vector<double> busy;   ///< the same while other processes keep the machine busy
    std::vector<double> times_plain;  ///< the time at the last length as a multiple of the plain loops'
    double allowed = 0;
    std::vector<std::string> faults;  ///< gradings with the wrong verdict
};

/// Measures the growth of time of each part of an assignment that has points for it: the part's right solutions in turn,
/// `gradings` times in all, and those that grow too fast at least twice each, every second time on a busy
/// machine.
std::vector<RepeatedGrowth> repeat_growth(const Installation& installation, int assignment, int gradings,
                                          const Progress& progress);

}  // namespace attn::proof
