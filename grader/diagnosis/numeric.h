#pragma once
/// The numeric checks of one function. Every case is called, judged and explained.

#include <vector>

#include "grader/diagnosis/search_edits.h"
#include "grader/judge/answer.h"
#include "grader/report/report.h"

namespace attn::diagnosis {

/// The results for all numeric cases of one function.
struct NumericResult {
    std::vector<report::Check> checks;  ///< in the order of the questions, without id and points
    std::vector<judge::Question> questions;
    std::vector<judge::Verdict> verdicts;
    std::vector<std::vector<std::vector<int>>>
        mistakes;  ///< for each question: the sets of mistakes that explain it
    std::vector<ExplainingEdit> by_edits =
        {};  ///< the edits that explain all answers, if no listed mistake does
};

/// Whether there are wrong numbers to explain. (A call that should have been refused is wrong without any.)
bool has_wrong_numbers(const judge::Verdict& verdict);

/// Whether a check says what the mistake is.
bool is_named(const NumericResult& judged);

/// What is explained: right and wrong answers, and accesses outside of an array.
std::vector<Evidence> evidence_of(const std::vector<judge::Question>& questions,
                                  const std::vector<judge::Verdict>& verdicts);

/// Asks all questions and says how the answers differ from the truth. No mistake is named yet.
NumericResult ask_numeric(std::vector<judge::Question> questions, const judge::CallFunction& call);

/// Names the mistakes behind wrong answers. All cases are looked at together: a mistake is named only if it
/// explains every answer. This takes much longer than asking. `call`: of the student, for questions that tell choices apart.
void name_mistakes(NumericResult& judged, const judge::CallFunction& call);

/// Both.
NumericResult judge_numeric(std::vector<judge::Question> questions, const judge::CallFunction& call);

/// Adds illustrations to failed checks: pictures to some, and a small case that still fails to the first
/// that can be shrunk. Shrinking calls the student's function many times. If no listed mistake explains the
/// failures, searches for an edit of the plain loops that does. `hints`: how much is told of it.
/// `time`: of the search; what it takes is subtracted.
void illustrate(NumericResult& judged, const judge::CallFunction& call, report::Hints hints,
                SearchWork& work);

}  // namespace attn::diagnosis
