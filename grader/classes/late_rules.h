#pragma once
/// How lateness changes points.

#include "grader/classes/class_file.h"

namespace attn::classes {

/// The end of this person's time: that of the exercise, or of their last extension. None: nothing is late.
const Extension* extension_of(const ExerciseRules& rules, const Person& person);

/// Refuses an extension for a person whom the class does not have, or has twice: it would change no mark, or two. Throws
/// UserError, with the names that are near.
void require_known_extensions(const ExerciseRules& rules, const std::vector<Person>& people);

/// The mark for `raw` points of an attempt handed in at `time`. Its explanation is the whole computation, and says so
/// where the time is not known, or is one that students set. An attempt without a time is not late, unless the platform
/// calls it late: then it is late by one day, the least that this can mean.
Mark mark_of(const ExerciseRules& rules, const Person& person, const HandInTime& time, double raw,
             double out_of);

/// A number with at most two decimals, as marks are shown and exported.
double rounded_mark(double points);

}  // namespace attn::classes
