#pragma once
/// Where the outputs of a function are wrong, in words that hold for all of its answers.

#include <span>
#include <string>

#include "grader/diagnosis/diagnose.h"

namespace attn::diagnosis {

struct FailurePlace {
    std::string
        text;  ///< "Y is right in the first batch and has errors in every other."; empty if nothing holds
    std::string letter;  ///< of the axis that the text names, such as "B"
};

FailurePlace failure_place(std::span<const Evidence> answers, const ask::Function& function);

/// "A is right in every case." Empty if no output is, or all are.
std::string right_outputs_in_words(std::span<const Evidence> answers);

bool passed(const Evidence& evidence);

/// Whether all numbers of an array are nearly equal. Such an output is right by luck.
bool is_constant(const Array& array);

}  // namespace attn::diagnosis
