#pragma once
/// The checks of a part that are about its speed, before anything is measured.

#include <string>
#include <vector>

#include "grader/report/report.h"
#include "grader/rubric/rubric.h"

namespace attn {

/// Its name, kind and what it is about, for a part that has one.
report::Check speed_check(const submission::PartRubric& part);
report::Check growth_check(const submission::PartRubric& part);

/// Those that the part has, not measured, and why.
std::vector<report::Check> unmeasured(const submission::PartRubric& part, Outcome outcome,
                                      const std::string& why);

/// What the points take, for the reader.
std::vector<report::ScaleStep> scale_shown(const judge::Scale& scale, double yardstick_times_plain);

/// The first hint for who is no faster than this; empty where there is none.
std::string hint_for(const submission::SpeedRubric& speed, double times_plain);

}  // namespace attn
