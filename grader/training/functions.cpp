#include "grader/training/functions.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "grader/judge/answer.h"
#include "grader/report/text.h"

namespace attn::trained {

namespace {

const ask::Function& function_named(const std::string& name) {
    const ask::Module* const module = ask::module_of(name);
    if (module == nullptr) throw std::logic_error("the contract has no function " + name);
    return *module->find_function(name);
}

Arrays right_answer(const ask::Function& function, const Arrays& inputs,
                    const std::vector<std::string>& wanted, ask::Precision precision) {
    Arrays outputs;
    for (Array& output : evaluate(function, inputs, precision))
        if (ask::is_wanted(wanted, output.name)) outputs.push_back(std::move(output));
    return outputs;
}

bool is_finite(const Array& array) {
    for (std::size_t k = 0; k < array.count(); ++k)
        if (!std::isfinite(number_at(array, k))) return false;
    return true;
}

/// "Y(1, 3, 2) is 1.49387, expected 0.426396", if an answer is wrong as make grade judges it, otherwise an empty
/// text. Wrong functions before this one can make inputs that have no right answer.
std::string mistake_in(const Arrays& got, const ask::Function& function, const Arrays& inputs,
                       const std::vector<std::string>& wanted) {
    if (!function.refusal(ask::sizes_of(function, inputs), inputs).empty()) return {};
    judge::Question question;
    question.function = &function;
    question.wanted = wanted;
    const Arrays f64 = right_answer(function, inputs, wanted, ask::Precision::f64),
                 f32 = right_answer(function, inputs, wanted, ask::Precision::f32);
    for (std::size_t k = 0; k < got.size(); ++k) {
        if (!is_finite(f64[k]) || !judge::same_decisions(f64[k], f32[k])) continue;
        const auto compared = [&](double unit) {
            return judge::compare(got[k], f64[k], unit, question.allowed_yardsticks);
        };
        constexpr int kEvaluations = 8;
        judge::Comparison comparison = compared(judge::yardstick_of(f64[k], f32[k]));
        if (!comparison.ok) comparison = compared(judge::units_of(question, inputs, kEvaluations)[k]);
        if (!comparison.ok)
            return fmt::format("{} is {:.6g}, expected {:.6g}", judge::name_element(got[k], comparison.worst),
                               number_at(got[k], comparison.worst), number_at(f64[k], comparison.worst));
    }
    return {};
}

}  // namespace

Origin& Functions::origin_of(const std::string& function) {
    const auto origin = std::find_if(origins_.begin(), origins_.end(),
                                     [&](const Origin& known) { return known.function == function; });
    if (origin != origins_.end()) return *origin;
    return origins_.emplace_back(Origin{function, 0, asked_.contains(function), {}, false});
}

std::optional<Arrays> Functions::of_student(const std::string& name, const Arrays& inputs,
                                            const std::vector<std::string>& wanted) {
    const ask::Function& function = function_named(name);
    Origin& origin = origin_of(name);
    if (!origin.students) return std::nullopt;
    worker::CallResult result = student_(function, inputs, wanted, worker::Placement::ends_at_guard);
    if (result.outcome == Outcome::passed) {
        const Outcome seen = judge::inspect(function, result.outputs, result.detail);
        if (seen == Outcome::passed || seen == Outcome::not_finite || seen == Outcome::partly_written) {
            if (checked_ == Checked::yes && !origin.wrong) {
                origin.note = mistake_in(result.outputs, function, inputs, wanted);
                origin.wrong = !origin.note.empty();
            }
            return std::move(result.outputs);
        }
        result.outcome = seen;
    }
    origin.students = false;
    origin.note = result.outcome == Outcome::not_implemented || result.outcome == Outcome::missing
                      ? "not written yet"
                      : fmt::format("{}: {}", in_words(result.outcome), report::one_line(result.detail));
    return std::nullopt;
}

Arrays Functions::operator()(const std::string& name, const Arrays& inputs,
                             const std::vector<std::string>& wanted) {
    if (std::optional<Arrays> own = of_student(name, inputs, wanted)) return std::move(*own);
    return right_answer(function_named(name), inputs, wanted, ask::Precision::f32);
}

const Origin* Functions::first_wrong() const {
    const auto found =
        std::find_if(origins_.begin(), origins_.end(), [](const Origin& origin) { return origin.wrong; });
    return found == origins_.end() ? nullptr : &*found;
}

bool Functions::is_students(const std::string& function) const {
    return std::any_of(origins_.begin(), origins_.end(),
                       [&](const Origin& origin) { return origin.function == function && origin.students; });
}

}  // namespace attn::trained
