#pragma once
/// Grading a submission that is made for a test: a source text, edited.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/build/build.h"
#include "grader/proof/slips.h"
#include "grader/report/report.h"

namespace attn::proof {

/// The text of a file below grader/proof/.
std::string source(const std::string& name);
/// The right solution that proves a module, as a student would write it.
std::string solution(const std::string& module);

struct Conditions {
    std::string assignment = "02_self_attention";
    double time_s = 0;                    ///< limit of a call in place of the rubric's, if not 0
    submission::BuildOptions extra = {};  ///< see submission::build
};

/// Grades `text` as the file of an assignment, which is as it stands but for the conditions. Speed is left
/// out.
report::Report grade_source(const std::string& text, const Conditions& conditions = {});

const report::Part& part(const report::Report& report, std::string_view function);

/// Outcomes of a part's checks but those left out, each once: "passed wrong".
std::string outcomes_of(const report::Part& part);

/// The first check of a part with this outcome. Throws std::invalid_argument, which lists the outcomes there
/// are.
const report::Check& first_with(const report::Part& part, Outcome outcome);

}  // namespace attn::proof
