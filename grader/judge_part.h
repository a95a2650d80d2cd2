#pragma once
/// One part of a rubric, judged: its cases and its properties.

#include <cstdint>
#include <vector>

#include "grader/judge/numeric.h"
#include "grader/submission/rubric.h"

namespace attn {

/// A part judged, not yet shrunk.
struct Judged {
    judge::Numeric numeric;
    std::vector<report::Check> properties;

    /// The cases' checks, then the properties'.
    std::vector<report::Check> checks() const;
};

/// Asks `ask` everything that a part asks.
Judged judge_part(const submission::Rubric& rubric, const submission::PartRubric& part, std::uint64_t seed,
                  const judge::Ask& ask);

}  // namespace attn
