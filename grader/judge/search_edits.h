#pragma once
/// Finds the edit of the plain loops that gives a student's wrong numbers, if no listed mistake does.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/edits/systematic.h"
#include "grader/judge/diagnose.h"
#include "grader/report/hints.h"

namespace attn::judge {

/// Processor time that is left for the searches of one assignment.
struct SearchTime {
    double left_s = 0.7;
};

struct SearchLimits {
    double seconds = 0.4;  ///< processor time of the search
    int fresh_inputs = 3;  ///< calls of the student's function that an edit has to explain, too
};

/// An edit that explains the answers.
struct ExplainingEdit {
    edits::SystematicEdit edit;
    std::string equation;
};

/// What a search found. Empty if nothing explains the answers, or if edits that have nothing in common do.
struct FoundEdits {
    std::vector<ExplainingEdit> all;
    int tried = 0;
    double seconds = 0;  ///< processor time
};

/// Searches the systematic edits of the question's function. `filter`: a small wrong answer, which is
/// compared first. An edit has to give the numbers of every answer, and
/// those of at least one wrong answer have to be finite. Then it has to give the answers to fresh inputs, for
/// which `call` is asked.
FoundEdits search_edits(const Evidence& filter, std::span<const Evidence> answers, const CallFunction& call,
                        const SearchLimits& limits = {});

/// Whether every edit that was found gives the wrong numbers of this answer.
bool explained_by(const FoundEdits& found, const Evidence& answer);

/// In words. Nothing if the edits have too little in common.
std::optional<report::Diagnosis> describe(const FoundEdits& found, report::Hints hints);

}  // namespace attn::judge
