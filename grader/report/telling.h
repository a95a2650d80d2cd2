#pragma once
/// What of a part is worth telling.

#include <string>

#include "grader/report/report.h"

namespace attn::report {

/// Whether all checks of its numbers, and there are some, came to this.
bool all_are(const Part& part, Outcome outcome);

/// A failure, of numbers, that was run.
bool can_be_told(const Check& check);

/// Whether `grader explain` may do it once more: that shows its inputs.
bool can_be_replayed(const Report& report, const Check& check);

/// The failure that says most about a part. Null where none was run.
const Check* most_telling(const Part& part);

/// Whether the same mistake was named.
bool same_mistake(const Check& a, const Check& b);

/// "graded with the reference's f in place of yours; it is charged there"
std::string stand_ins_of(const Part& part);

}  // namespace attn::report
