#pragma once
/// For tests: grades a source text as a submission.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/compile/build.h"
#include "grader/proof/proof_submissions.h"
#include "grader/report/report.h"

namespace attn::proof {

/// The text of a file below grader/proof/.
std::string source(const std::string& name);
/// The plain right solution of a module, as a student would write it.
std::string solution(const std::string& module);

struct Conditions {
    std::string assignment = "02_self_attention";
    double time_s = 0;                        ///< time limit of a call instead of the rubric's, if not 0
    std::optional<report::Hints> hints = {};  ///< instead of the rubric's
    compile::BuildOptions extra = {};         ///< see compile::build_submission
};

/// Grades `text` as the file of an assignment, under these conditions. Speed is left out.
report::Report grade_source(const std::string& text, const Conditions& conditions = {});

const report::Part& part(const report::Report& report, std::string_view function);

/// The outcomes of a part's checks, without those left out, each once: "passed wrong".
std::string outcomes_of(const report::Part& part);

/// The first check of a part with this outcome. If there is none, throws std::invalid_argument, whose message
/// lists the part's outcomes.
const report::Check& first_with(const report::Part& part, Outcome outcome);

}  // namespace attn::proof
