#pragma once
/// Judges one answer: makes the inputs of a question, calls the student's function, and compares every
/// element with the truth. diagnose.h and shrink.h explain a wrong answer.

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "grader/ask/call_spec.h"
#include "grader/ask/module.h"
#include "grader/judge/compare.h"
#include "grader/judge/student.h"

namespace attn::judge {

/// The recipe makes inputs on which a right function in float may decide otherwise than the truth does.
struct Undecided : std::logic_error {
    using std::logic_error::logic_error;
};

/// A call together with what fixes its random numbers and its tolerance.
struct Question : ask::CallSpec {
    const ask::Module* module = nullptr;  ///< knows the mistakes that may explain a wrong answer
    std::uint64_t seed = 0;
    std::string name;  ///< the random numbers of the inputs follow from seed and name
    double allowed_yardsticks = 20;
    bool kept_back = false;  ///< its outcome must not show in the text of another check
    Arrays given = {};       ///< the inputs, if they are not made by the recipe
    /// Where the rubric has this case, "FILE:LINE", if the case does not say refused = true.
    std::string accepted_at = {};
    /// Shown even if the numbers are right: outputs ("P"), and products of their rows ("P P^T").
    std::vector<std::string> pictures = {};
    std::string look = {};  ///< what to look at in the first picture

    Arrays make_inputs() const;
    /// The reason why the function must refuse these inputs. Empty if it must accept them.
    std::string refusal() const;
    /// Whether the contract promises right numbers for these inputs: they are not refused, and no length is below its least.
    bool is_accepted() const;
    /// Other inputs of the same kind. Each number gives different ones.
    Arrays make_other_inputs(int number) const;
};

struct Verdict {
    Outcome outcome = Outcome::passed;
    std::string message;
    std::string printed;
    std::optional<SourceTrace> lines;  ///< of a call that failed
    Arrays inputs;
    Arrays got, truth_f64, truth_f32;  ///< the wanted outputs; `got` is empty if the call failed
    std::vector<double> units;         ///< of error, one for each wanted output: see units_of()
    std::size_t output = 0;  ///< index of the output that `comparison` is about: the first wrong one
    Comparison comparison;
};

/// The unit of error of each wanted output: the largest yardstick_of() of the truth in double and in float,
/// over so many evaluations. The first is made at these inputs, each other one at inputs whose floats are
/// moved to a neighbouring float at random. One evaluation can be exact by luck, which an ill-conditioned
/// function punishes.
std::vector<double> units_of(const Question& question, const Arrays& inputs, int evaluations);

/// Compares the outputs of a verdict with its truth, and fills in which one is wrong and the comparison. If the
/// outcome is `passed`, what is wrong in the unit of one evaluation, which the verdict has, is compared again in the unit
/// of several.
bool agrees_with_truth(const Question& question, Verdict& verdict);

/// False where one of them has other whole numbers. Numbers that are not whole are not compared.
bool same_decisions(const Array& truth_f64, const Array& truth_f32);

/// Makes one call. An answer that is wrong in the unit of one evaluation is judged again in the unit of
/// several. At sizes that the function must refuse, the right answer is std::invalid_argument, without any
/// numbers. Throws if the truth itself cannot be computed, or if inputs of a recipe leave open which whole
/// numbers are right: faults of the grader.
Verdict answer(const Question& question, const CallFunction& call);

/// The same for a call that only a diagnosis makes, at sizes of its own: nothing where the recipe leaves a decision open.
std::optional<Verdict> answer_if_decided(const Question& question, const CallFunction& call);

/// The same if only the outcome counts: the units of an answer that is far from right come from two evaluations.
std::optional<Verdict> outcome_if_decided(const Question& question, const CallFunction& call);

/// Makes the call twice, the second time with the arrays at other places in memory. Both must give the same
/// bits.
Verdict answer_twice(const Question& question, const CallFunction& call);

/// What can be seen of a function's outputs without the truth: not written, partly written, or not finite.
/// Otherwise returns passed.
Outcome inspect(const ask::Function& function, const Arrays& outputs, std::string& message);

/// The letters of the shape of this output of the function: "B", "H", "N", "D".
std::vector<std::string> letters_of(const ask::Function& function, const std::string& output);

/// Whether two arrays of the same type and shape have the same bits.
bool same_bits(const Array& a, const Array& b);

/// "Y(1, 3, 2)"
std::string name_element(const Array& array, std::size_t offset);

}  // namespace attn::judge
