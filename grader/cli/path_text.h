#pragma once
/// The path of a course, for `grader list`: what builds on what, and where the course's slides differ.

#include <string>
#include <vector>

#include "grader/report/lines.h"
#include "grader/rubric/course.h"

namespace attn::cli {

/// For a terminal. `rubrics`: all, for their points and for functions of assignments that the course leaves
/// out.
void write_path(report::Lines& out, const rubric::Course& course, const std::vector<rubric::Rubric>& rubrics);

/// The path as a table, and the notes below it.
std::string path_in_markdown(const rubric::Course& course);

}  // namespace attn::cli
