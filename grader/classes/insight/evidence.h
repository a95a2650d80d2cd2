#pragma once
/// What one report says about the misconceptions of its student.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/report/report.h"

namespace attn::classes {

/// A mistake that a report names, and where.
struct NamedMistake {
    int assignment = 0;
    std::string function;
    std::vector<std::string> mistakes;  ///< several: the numbers do not tell them apart
    std::string cause, hint;
    std::string check;  ///< the first check that names it
    std::string place;  ///< as InsightExample::place
};

/// The mistakes of a report, each once for each function. Two mistakes that were made together are two
/// entries. An entry with several mistakes is left out if the report also names one of them alone. `files` is
/// the submission's folder; empty: not known.
std::vector<NamedMistake> named_mistakes(const report::Report& report, const std::filesystem::path& files);

/// Where a check failed: "self_attention.cpp:41". If the check knows no line, the line at which the function
/// begins in the submission's folder; if that is not found either, only the file.
std::string place_of_failure(const std::filesystem::path& files, const report::Assignment& assignment,
                             const report::Part& part, const report::Check& check);

}  // namespace attn::classes
