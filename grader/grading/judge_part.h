#pragma once
/// One part of a rubric, judged: its cases and its properties.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/judge/numeric.h"
#include "grader/rubric/rubric.h"

namespace attn {

/// A part judged, not yet shrunk.
struct Judged {
    judge::NumericResult numeric;
    std::vector<report::Check> properties;

    /// The cases' checks, then the properties'.
    std::vector<report::Check> checks() const;
};

/// The checks of these cases of a part where the file that they are about did not compile: all there, none of
/// them run.
std::vector<report::Check> not_compiled(const std::vector<submission::CaseRubric>& cases,
                                        const report::SourceFile& source);

/// A check that is not run because of that.
report::Check not_compiled(const std::string& name, report::CheckKind kind, const std::string& about,
                           const report::SourceFile& source);

/// Asks `ask` everything that a part asks.
Judged judge_part(const submission::Rubric& rubric, const submission::PartRubric& part, std::uint64_t seed,
                  const judge::Ask& ask);

}  // namespace attn
