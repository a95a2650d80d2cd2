#pragma once
/// Finds the edit of the plain loops that gives a student's wrong numbers, if no listed mistake does.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/diagnosis/diagnose.h"
#include "grader/edits/systematic.h"
#include "grader/report/report.h"

namespace attn::diagnosis {

/// Limits of one search. Its work is counted (edits::work_done), not timed, so that every machine finds the same.
struct SearchLimits {
    std::int64_t work = 40'000'000;      ///< for single edits
    std::int64_t pair_work = 6'000'000;  ///< for two edits, and for edits together with a listed mistake
    int fresh_inputs = 3;                ///< calls of the student's function that an edit has to explain, too
};

/// Work that is left for the searches of one assignment.
struct SearchWork {
    std::int64_t left = 45'000'000;
    std::int64_t left_for_pairs = 6'000'000;
    SearchLimits of_one = {};  ///< what a single search may take of it
};

/// A listed mistake that is made together with an edit.
struct ListedHalf {
    std::string when, hint;
    std::vector<edits::Edit> edits;
};

/// An edit that explains the answers, perhaps together with a listed mistake.
struct ExplainingEdit {
    edits::SystematicEdit edit;
    std::string equation;
    std::string function;  ///< the function of a contract that this equation calls, if the edit stands there
    std::shared_ptr<const ListedHalf> listed;
    std::vector<edits::SystematicEdit> alike =
        {};  ///< the same change at other places, made together with `edit`
};

/// What a search found. Empty if nothing explains the answers, or if edits that have nothing in common do.
struct FoundEdits {
    std::vector<ExplainingEdit> all;
    int tried = 0;
    std::int64_t work = 0, pair_work = 0;
};

/// Searches the systematic edits of the question's function. `filter`: a small wrong answer, which is
/// compared first. An edit has to give the numbers of every answer, and those of at least one wrong answer
/// have to be finite. Then it has to give the answers to fresh inputs, for which `call` is asked. If there is
/// none, searches for the same edit at several places, such as W_Q and W_K that are both transposed, and for an edit
/// together with a listed mistake that changes another equation. Each of the two has to change an answer.
FoundEdits search_edits(const Evidence& filter, std::span<const Evidence> answers,
                        const judge::CallFunction& call, const SearchLimits& limits = {});

/// Whether the plain loops leave their arrays if they do not refuse these inputs, but not with any edit that was found, or
/// with any of the sets of `listed` mistakes.
bool no_longer_notices(const FoundEdits& found, std::span<const std::vector<int>> listed,
                       const judge::Question& question, const Arrays& inputs);

/// Whether every edit that was found gives the wrong numbers of this answer.
bool explained_by(const FoundEdits& found, const Evidence& answer);

/// In words. Nothing if the edits have too little in common.
std::optional<report::Diagnosis> describe(const FoundEdits& found, report::Hints hints);

}  // namespace attn::diagnosis
