#pragma once
/// One question about numbers and the verdict on one answer: inputs are made, the student is asked, every
/// element is compared with the truth. Explaining a wrong answer is for diagnose and shrink, which ask again.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/ask/call_spec.h"
#include "grader/ask/check.h"
#include "grader/judge/compare.h"
#include "grader/judge/student.h"

namespace attn::judge {

/// A call together with what fixes its random numbers and its tolerance.
struct Question : ask::CallSpec {
    const ask::Module* module = nullptr;  ///< knows the mistakes that may explain a wrong answer
    std::uint64_t seed = 0;
    std::string name;  ///< the random numbers of the inputs follow from seed and name
    double allowed_yardsticks = 20;

    Arrays make_inputs() const;
    /// Other inputs of the same kind. Each number gives different ones.
    Arrays make_other_inputs(int number) const;
};

struct Verdict {
    Outcome outcome = Outcome::passed;
    std::string message;
    std::string printed;
    Arrays inputs;
    Arrays got, truth_f64, truth_f32;  ///< the wanted outputs; `got` is empty where the call failed
    std::size_t output = 0;            ///< the one that `comparison` is about: the first that is not right
    Comparison comparison;
};

/// Asks once. At sizes that the function has to refuse, std::invalid_argument is the right answer and has no
/// numbers. Throws where the truth itself cannot be had: a fault of the grader.
Verdict answer(const Question& question, const Ask& ask);

/// Asks twice, the second time with the arrays at other places in memory; the bits must be the same.
Verdict answer_twice(const Question& question, const Ask& ask);

/// What an output says about itself, before any truth: not written, partly written, not finite. Passed
/// otherwise.
Outcome inspect(const Arrays& outputs, std::string& message);

/// Of arrays of one type and shape.
bool same_bits(const Array& a, const Array& b);

/// "Y(1, 3, 2)"
std::string name_element(const Array& array, std::size_t offset);

}  // namespace attn::judge
