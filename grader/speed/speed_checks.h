#pragma once
/// The checks of speed and growth, before the measurement.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/report/measurement_data.h"
#include "grader/report/report.h"
#include "grader/rubric/rubric.h"

namespace attn::speed {

/// The check of a part with points for speed or growth: name, kind and description.
report::Check speed_check(const rubric::PartRubric& part);
report::Check growth_check(const rubric::PartRubric& part);

/// The checks of speed and growth of a part that are not measured, with the reason.
std::vector<report::Check> unmeasured(const rubric::PartRubric& part, Outcome outcome,
                                      const std::string& why);

/// The reason why speed and growth of a part are not measured. Empty if they are measured. `at_all`: the
/// reason why no speed is measured at all; empty if there is none. Growth alone is measured with stand-ins.
std::string not_measured(const rubric::PartRubric& rules, const report::Part& part,
                         const std::string& at_all);

/// The steps of the scale that apply, for the report.
std::vector<report::ScaleStep> scale_shown(const ask::Scale& scale, double yardstick_times_plain);

/// The first hint that applies to this speed, with what was measured for it. Empty if there is none.
/// `yours_ms`: the time of one call; `library`: the compiled code.
std::string hint_for(const rubric::SpeedRubric& speed, double times_plain, double yours_ms,
                     const std::filesystem::path& library);

/// The compile line of `source`, the vector unit, and what timed code may use on `threads` threads. The line
/// is complete but for the folders of the contract's headers (-I).
report::TimedBuild timed_build(const Installation& installation, const std::string& source, int threads);

}  // namespace attn::speed
