#pragma once
/// An exercise of a class as pages and exports show it.

#include "grader/classes/exercise.h"
#include "grader/classes/records.h"

namespace attn::classes {

/// What a page or an export needs of the attempts.
enum class Reports { of_all, of_counting, none };

/// A stored version with its reports, scored with the rubric of that version. `names`: whether names may be shown.
ClassView view_of(Gradebook& gradebook, const ClassRules& rules, const Version& version,
                  const Installation& installation, bool names, Reports reports = Reports::of_all);

}  // namespace attn::classes
