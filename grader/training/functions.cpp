#include "grader/training/functions.h"

#include <algorithm>
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

}  // namespace

Origin& Functions::origin_of(const std::string& function) {
    const auto origin = std::find_if(origins_.begin(), origins_.end(),
                                     [&](const Origin& known) { return known.function == function; });
    if (origin != origins_.end()) return *origin;
    return origins_.emplace_back(Origin{function, 0, asked_.contains(function), {}});
}

std::optional<Arrays> Functions::of_student(const std::string& name, const Arrays& inputs,
                                            const std::vector<std::string>& wanted) {
    const ask::Function& function = function_named(name);
    Origin& origin = origin_of(name);
    if (!origin.students) return std::nullopt;
    worker::CallResult result = student_(function, inputs, wanted, worker::Placement::ends_at_guard);
    if (result.outcome == Outcome::passed) {
        const Outcome seen = judge::inspect(function, result.outputs, result.detail);
        if (seen == Outcome::passed || seen == Outcome::not_finite || seen == Outcome::partly_written)
            return std::move(result.outputs);
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
    Arrays outputs;
    for (Array& output : evaluate(function_named(name), inputs, ask::Precision::f32))
        if (ask::is_wanted(wanted, output.name)) outputs.push_back(std::move(output));
    return outputs;
}

bool Functions::is_students(const std::string& function) const {
    return std::any_of(origins_.begin(), origins_.end(),
                       [&](const Origin& origin) { return origin.function == function && origin.students; });
}

}  // namespace attn::trained
