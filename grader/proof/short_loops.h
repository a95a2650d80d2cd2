#pragma once
/// Loops that take only the first values of an axis, as code does whose arrays, tiles or blocks have a fixed length:
/// "only the first 16 features". Each is a wrong submission, in C++ and as kernels, that the public cases must notice.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "grader/edits/systematic.h"
#include "grader/proof/edit_matrix.h"
#include "grader/proof/proof_submissions.h"
#include "grader/rubric/rubric.h"
#include "grader/testing/sample.h"

namespace attn::proof {

inline constexpr std::array<int, 4> kShortLengths = {8, 16, 32, 64};

/// For each loop of `function` and each of these lengths, an edit with which the loop takes only so many values.
std::vector<edits::SystematicEdit> short_loops(const edits::Program& program, int function);

/// The short loops of a part's function, and of what it calls in its file, that no public case notices, and how many
/// were asked. The sample draws from them. A witness is a call with one long axis.
struct ShortLoops {
    int edits = 0;
    std::vector<Survivor> survivors;
};
ShortLoops short_loops_of(const rubric::Rubric& rubric, const rubric::PartRubric& part, std::uint64_t seed,
                          const Sample& sample);

/// The same for kernels: texts of `kernels` in which one loop over an axis ends at `length`. The loops before the
/// first of the rubric's functions, or between two of them, belong to the next one.
std::vector<WrongKernel> short_kernels(const rubric::Rubric& rubric, const std::string& kernels, int length);

}  // namespace attn::proof
