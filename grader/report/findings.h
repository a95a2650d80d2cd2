#pragma once
/// What a report finds, in the order in which to work on it: one entry for each function and kind of failure.
/// The next step, the terminal's summary and the page all use this list.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/report/report.h"

namespace attn::report {

/// Points of `waiting` are not counted yet: another function comes first.
enum class FindingKind { not_compiled, crashed, timed_out, wrong, missing, slow, waiting };

inline constexpr std::array kFindingKindNames{"not_compiled", "crashed", "timed_out", "wrong",
                                              "missing",      "slow",    "waiting"};
inline constexpr std::array kFindingKindWords{"does not compile", "stopped early", "timed out",      "wrong",
                                              "to write",         "slow",          "not counted yet"};

struct Finding {
    FindingKind kind = FindingKind::wrong;
    int assignment = 0;
    std::string function;           ///< empty for a file or a whole assignment
    std::string subject;            ///< "softmax", "the kernels of softmax", "masking.cpp", "Masking"
    bool kernels = false;           ///< whether it is about the function's kernels
    bool whole_assignment = false;  ///< whether it is about an assignment that is not begun
    double cost = 0;                ///< the points that it costs
    std::string what;               ///< "the scores are not divided by sqrt(D_q)"
    std::string place;              ///< "self_attention.cpp:41"; empty if not known
    std::string to_do;              ///< "fix softmax (assignments/02_self_attention/README.md, step 1)"
    const Check* check = nullptr;   ///< the check that tells most, in the report; null for a file
};

/// In the order in which to work: files that do not compile; functions that fail, by assignment and step; kernels
/// that fail; missing functions, those of begun assignments first; slow ones. The pointers are valid as long as
/// the report.
std::vector<Finding> findings_of(const Report& report);

/// Those of one part, in the order in which to work. Files that do not compile are not among them.
std::vector<Finding> findings_of(const Assignment& assignment, const Part& part);

/// "2 wrong, 1 slow": how many findings of each kind. What is not counted yet is not mentioned.
std::string counts_of(const std::vector<Finding>& findings);

/// The cause in a named mistake's sentence: "the scores are not divided by sqrt(D_q)".
std::string cause_in(const Diagnosis& diagnosis);

/// The first "NAME.cpp:LINE" or "NAME.cu:LINE" in a text, without folders. Empty if there is none.
std::string place_in(std::string_view text);

/// "fix softmax (assignments/02_self_attention/README.md, step 1). Then: make grade A=2": the first of the
/// findings (see findings.h). Nothing if all is done.
std::optional<std::string> next_step(const Report& report);

/// The same. If all is done: praise, and the assignment that comes next in the course.
std::string what_next(const Report& report);

struct NextStep {
    std::string what, command;  ///< "fix softmax (..)." and "make grade A=2"; the command may be empty
};

/// The two halves of the text of next_step().
NextStep split_next_step(const std::string& text);

}  // namespace attn::report
