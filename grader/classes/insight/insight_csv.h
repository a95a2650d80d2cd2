#pragma once
/// The insight as one CSV table (RFC 4180), for spreadsheets. No cell is a formula.

#include <string>

#include "grader/classes/insight/insight.h"

namespace attn::classes {

/// A row for each figure: `figure,part,item,students,of,value,who`. `who` names the students behind a figure,
/// by pseudonym, with a space between two. What `item` and `value` are depends on the figure:
///   points         item: a bin of shares, or "total"; value of the row "mean": the mean share
///   misconception  item: the mistake's name; value: the share of the graded students
///   pair           item: two mistakes; value: the lift
///   check          item: the check's id; value: the points that it cost the class
///   outcome        item: how functions failed
///   speed          item: the student's pseudonym; value: the speed as a multiple of the plain loops'
///   outlier        item: the rule; value: none
///   student        item: the state; value: the points
std::string to_csv(const Insight& insight);

}  // namespace attn::classes
