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

/// What became of a part, in at most a line: "3 of 9 numeric, 5 properties, speed slow".
std::string state_of(const Part& part);

/// "graded with the reference's f in place of yours; it is charged there"
std::string stand_ins_of(const Part& part);

/// "seed 2026", "secret seed"
std::string seed_in_words(const Report& report);

struct Score {
    double points = 0, max_points = 0;
};

/// Of all assignments; what is no number counts for nothing.
Score total_of(const Report& report);

/// points / max_points, 0 to 1; 0 where there are none to win.
double share_of(const Score& score);

/// A number for formats that know no other: 0 for what is none.
double finite(double value);

/// The file of a student's that an assignment's checks are about, as a path where the submission is a folder.
std::string file_of(const Report& report, const Assignment& assignment);

}  // namespace attn::report
