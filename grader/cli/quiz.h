#pragma once
/// The lectures' question "Dimensions?": which shape has an array of a function, if the others' are known?

#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "grader/rubric/rubric.h"

namespace attn::cli {

/// An array of a function whose shape follows from those of the others.
struct ShapeQuestion {
    const rubric::PartRubric* part;
    const ask::TensorSpec* hidden;
};

/// The questions of these parts: for each array with axes, if every letter of its shape stands in another array's
/// shape or is a length that the function takes.
std::vector<ShapeQuestion> shape_questions(const std::vector<const rubric::PartRubric*>& parts);

/// "scaled_dot_product_attention: A [?], Y [B, N_q, D_v] from Q [B, N_q, D_q], ..".
std::string question_text(const ShapeQuestion& question);

/// What is wrong with a typed shape, such as "B N_q N_k" or "[B, N_q, N_k]"; empty if it is right. Other words for
/// the same lengths are right as well: those that agree in all cases of the rubric.
std::string shape_mistake(const ShapeQuestion& question, const std::string& typed);

/// Asks every question twice, in two orders that `seed` draws, until `in` ends or a line says q. Ends with what was
/// wrong. Returns the number of wrong answers.
int ask_shapes(const std::vector<ShapeQuestion>& questions, unsigned seed, std::istream& in,
               std::ostream& out, std::size_t width);

}  // namespace attn::cli
