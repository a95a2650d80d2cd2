#pragma once
/// What of a wrong answer people can look at: its numbers beside the ones that are due, where in the whole
/// array the errors are, and the photograph whose patches are wrong.

#include <optional>
#include <vector>

#include "grader/judge/answer.h"
#include "grader/report/picture_data.h"

namespace attn::judge {

/// Two arrays of equal shape beside each other, around the worst element. `letters`: of their axes, where
/// known.
report::Picture picture_of(const Array& got, const Array& due, const Comparison& comparison,
                           std::vector<std::string> letters = {});

enum class Drawn { wrong, all };

/// A picture of each output that has a wrong number, or of all; none where the call gave no numbers.
std::vector<report::Picture> pictures_of(const Question& question, const Verdict& verdict,
                                         Drawn which = Drawn::wrong);

/// The photograph that the question is about, with the errors of each patch; nothing where it is about none,
/// or no output has a row or a pixel for each patch.
std::optional<report::Photograph> photograph_of(const Question& question, const Verdict& verdict);

}  // namespace attn::judge
