#pragma once
/// How lateness changes points.

#include "grader/classes/class_file.h"

namespace attn::classes {

/// The end of this person's time: that of the exercise, or of their last extension. None: nothing is late.
const Extension* extension_of(const ExerciseRules& rules, const Person& person);

/// Refuses an extension for somebody whom the class does not have, or has twice: it would change no mark, or two. Throws
/// UserError, with the names that are near.
void require_known_extensions(const ExerciseRules& rules, const std::vector<Person>& people);

/// The mark for `raw` points of an attempt handed in at `when`. Its explanation is the whole computation.
Mark mark_of(const ExerciseRules& rules, const Person& person, Moment when, double raw, double out_of);

/// A number with at most two decimals, as marks are shown and exported.
double rounded_mark(double points);

}  // namespace attn::classes
