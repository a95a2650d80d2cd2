#pragma once
/// Questions about a report that several writers ask: states, totals, and which failure to show.

#include <string>

#include "grader/report/report.h"

namespace attn::report {

/// Whether the part has checks of the C++ function that are not kept back, and all of them have this outcome.
bool all_are(const Part& part, Outcome outcome);

/// Whether a writer may describe this failed correctness check: it is not kept back, and the code compiled.
bool is_reportable_failure(const Check& check);

/// The outcome in words. Speed that waits for right numbers is "not counted yet".
std::string outcome_in_words(const Check& check);

/// Whether `grader explain` may run the check again, which shows its inputs.
bool can_be_replayed(const Report& report, const Check& check);

/// The failed check of a part that explains most. Null if there is none to show.
const Check* most_informative_failure(const Part& part);

/// Whether both checks name the same mistakes.
bool same_mistake(const Check& a, const Check& b);

/// Says less of listed mistakes: with `question` only that the grader knows the mistake, and its question; with `place`
/// also in which function and step it is. What is told of other mistakes follows the rubric or the same word.
void tell_less(Report& report, Hints hints);

/// Whether a check has pictures to look at, also if it is passed.
bool is_to_be_seen(const Check& check);

/// The state of a part in at most one line: "3 of 9 numeric, 5 properties, speed slow".
std::string state_of(const Part& part);

/// The note on stand-ins: "tested with the course's f, because yours is wrong or not
/// begun; you lose points only there".
std::string stand_ins_of(const Part& part);

/// "seed 2026" or "secret seed".
std::string seed_in_words(const Report& report);

/// "builds on 3 and 5". Empty if the assignment builds on no other one.
std::string builds_on_in_words(const PathStep& step);

struct Score {
    double points = 0, max_points = 0;
};

/// The sum over all assignments; NaN and infinity count as 0.
Score total_of(const Report& report);

/// points / max_points, from 0 to 1; 0 if max_points is 0.
double share_of(const Score& score);

/// The speed that a platform's board shows, as a multiple of the plain loops' speed; nothing if it was not measured.
std::optional<double> speed_on_board(const Check& check);

/// The value, or 0 for NaN and infinity, which some formats cannot write.
double finite(double value);

/// Points with two decimals, as platforms show them; 0 for NaN and infinity.
double rounded(double points);

/// The student's source file for an assignment, with its folder if the submission is a folder.
std::string file_of(const Report& report, const Assignment& assignment);

}  // namespace attn::report
