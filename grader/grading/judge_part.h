#pragma once
/// Judges one part of a rubric: its cases and its properties.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/diagnosis/numeric.h"
#include "grader/rubric/rubric.h"

namespace attn {

/// The results for one part, not yet illustrated.
struct Judged {
    diagnosis::NumericResult numeric;
    std::vector<report::Check> properties;

    /// The checks of the cases, then those of the properties.
    std::vector<report::Check> checks() const;
};

/// The checks of these cases if their source file did not compile. None of them is run.
std::vector<report::Check> not_compiled(const std::vector<rubric::CaseRubric>& cases,
                                        const report::SourceFile& source);

/// One check that is not run because its source file did not compile.
report::Check not_compiled(const std::string& name, report::CheckKind kind, const std::string& about,
                           const report::SourceFile& source);

/// Asks all cases and properties of a part. `call` calls the functions under test. No mistake is named yet.
Judged ask_part(const rubric::Rubric& rubric, const rubric::PartRubric& part, std::uint64_t seed,
                const judge::CallFunction& call);

/// The same, with the names of the mistakes.
Judged judge_part(const rubric::Rubric& rubric, const rubric::PartRubric& part, std::uint64_t seed,
                  const judge::CallFunction& call);

}  // namespace attn
