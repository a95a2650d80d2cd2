#pragma once
/// Simulated students in this process, for tests of the judge and for the proof of the grader.

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "grader/ask/edited.h"
#include "grader/ask/inputs.h"
#include "grader/judge/answer.h"

namespace attn::judge {

/// A student who answers with the reference in float. `change` may then change the outputs.
inline CallFunction reference_student(
    std::function<void(const Arrays& inputs, Arrays& outputs)> change = {}) {
    return [change = std::move(change)](const ask::Function& function, const Arrays& inputs,
                                        const std::vector<std::string>& wanted, worker::Placement) {
        worker::CallResult result;
        Arrays all;
        try {
            all = evaluate(function, inputs, ask::Precision::f32);
        } catch (const std::invalid_argument& refusal) {
            result = worker::failure(Outcome::threw, refusal.what());
            result.refused = true;
            return result;
        }
        if (change) change(inputs, all);
        for (Array& output : all)
            if (is_wanted(wanted, output.name)) result.outputs.push_back(std::move(output));
        return result;
    };
}

/// A student who makes these mistakes (`made`: indices into the mistakes of the module). The answer is right
/// where the mistakes are impossible.
inline CallFunction mistaken_student(const ask::Module& module, std::vector<int> made) {
    return [&module, made = std::move(made)](const ask::Function& function, const Arrays& inputs,
                                             const std::vector<std::string>& wanted,
                                             worker::Placement placement) {
        const bool refused = !function.refusal(ask::sizes_of(function, inputs), inputs).empty();
        const auto wrong =
            refused ? std::nullopt : module.mistaken(function, inputs, ask::Precision::f32)(made);
        return reference_student([&wrong](const Arrays&, Arrays& outputs) {
            if (wrong) outputs = *wrong;
        })(function, inputs, wanted, placement);
    };
}

/// A student whose functions are the plain loops with edits.
inline CallFunction edited_student(const edits::EditedFunctions& edited) {
    return [&edited](const ask::Function& function, const Arrays& inputs,
                     const std::vector<std::string>& wanted, worker::Placement) {
        ask::EditedCall call(function, inputs, ask::Precision::f32);
        const Arrays* const outputs = call.outputs(edited.replacements());
        if (outputs == nullptr) return worker::failure(Outcome::crashed, "the edited loops do not end well");
        worker::CallResult result;
        for (const Array& output : *outputs)
            if (ask::is_wanted(wanted, output.name)) result.outputs.push_back(output);
        return result;
    };
}

/// A question of an assignment about normal numbers.
inline Question normal_question(const std::string& function, ask::Sizes sizes,
                                const std::string& of = "self_attention") {
    const ask::Module& module = *ask::find_module(of);
    return {{module.find_function(function), module.find_recipe("normal"), std::move(sizes), {}, {}},
            &module,
            7,
            "test",
            20};
}

}  // namespace attn::judge
