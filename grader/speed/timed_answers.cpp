#include "grader/speed/timed_answers.h"

#include <stdexcept>

#include <fmt/format.h>

#include "grader/ask/inputs.h"

namespace attn::speed {

TimedAnswers::TimedAnswers(const judge::Question& question, const Arrays& inputs)
    : function_(question.function->name), allowed_yardsticks_(question.allowed_yardsticks) {
    const Arrays truth_f64 = evaluate(*question.function, inputs, ask::Precision::f64);
    const Arrays truth_f32 = evaluate(*question.function, inputs, ask::Precision::f32);
    for (const Array& truth : truth_f64) {
        if (!ask::is_wanted(question.wanted, truth.name)) continue;
        rounding_.push_back(judge::yardstick_of(truth, ask::by_name(truth_f32, truth.name)));
        truth_.push_back(truth);
    }
}

void TimedAnswers::require_right(const char* library, const Arrays& outputs) const {
    for (std::size_t k = 0; k < truth_.size(); ++k)
        if (!judge::compare(outputs.at(k), truth_[k], rounding_[k], allowed_yardsticks_).ok)
            throw std::runtime_error(
                fmt::format("{} of the {} for {} is not the reference's; build the grader again",
                            truth_[k].name, library, function_));
}

std::optional<worker::CallResult> TimedAnswers::failure_in(const worker::Batch& batch,
                                                           std::span<const Arrays> expected) const {
    if (batch.call.outcome != Outcome::passed) return batch.call;
    for (std::size_t k = 0; k < batch.outputs.size(); ++k) {
        if (const std::string wrong = difference(batch.outputs[k], expected[k]); !wrong.empty())
            return worker::failure(Outcome::wrong, "In a timed call " + wrong + ".");
    }
    return std::nullopt;
}

/// Describes the first element that differs: "Y(0, 1) was 2, expected 3". Empty if there is none.
std::string TimedAnswers::difference(const Arrays& got, const Arrays& expected) const {
    for (std::size_t k = 0; k < truth_.size(); ++k) {
        const judge::Comparison comparison =
            judge::compare(got.at(k), expected.at(k).cast<double>(), rounding_[k], 2 * allowed_yardsticks_);
        if (!comparison.ok)
            return fmt::format("{} was {:.6g}, expected {:.6g}",
                               judge::name_element(got[k], comparison.worst),
                               number_at(got[k], comparison.worst), number_at(expected[k], comparison.worst));
    }
    return {};
}

}  // namespace attn::speed
