#pragma once
/// Makes the pictures of a wrong answer: its numbers next to the expected ones, a map of the errors in the
/// whole array, and the photograph with the wrong patches marked.

#include <optional>
#include <vector>

#include "grader/judge/answer.h"
#include "grader/report/picture_data.h"

namespace attn::diagnosis {

/// Two arrays of equal shape side by side, near the worst element. `letters`: the letters of the axes, if
/// known.
report::Picture picture_of(const Array& got, const Array& expected, const judge::Comparison& comparison,
                           std::vector<std::string> letters = {});

enum class Drawn { wrong, all };

/// Pictures of the outputs with wrong numbers, or of all outputs, and those that the question asks for. Empty
/// if the call gave no numbers.
std::vector<report::Picture> pictures_of(const judge::Question& question, const judge::Verdict& verdict,
                                         Drawn which = Drawn::wrong);

/// The photograph that the inputs of the question show, with the error of each patch, and with the weights of attention
/// on it if there are some. Empty if there is no photograph, if no output has a row or a pixel for each patch, or if all
/// patches are right and there are no weights.
std::optional<report::Photograph> photograph_of(const judge::Question& question,
                                                const judge::Verdict& verdict);

}  // namespace attn::diagnosis
