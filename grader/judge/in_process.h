#pragma once
/// Students that live in this process: for tests of the judge, and for what the grader proves about itself.

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "grader/ask/inputs.h"
#include "grader/judge/answer.h"

namespace attn::judge {

/// Answers with the reference in float, its outputs then changed by `sabotage`.
inline Ask reference_then(std::function<void(const Arrays& inputs, Arrays& outputs)> sabotage = {}) {
    return [sabotage = std::move(sabotage)](const ask::Function& function, const Arrays& inputs,
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
        if (sabotage) sabotage(inputs, all);
        for (Array& output : all)
            if (is_wanted(wanted, output.name)) result.outputs.push_back(std::move(output));
        return result;
    };
}

/// Answers as one who makes these mistakes, and rightly where they cannot be made.
inline Ask mistaken(const ask::Module& module, std::vector<int> made) {
    return [&module, made = std::move(made)](const ask::Function& function, const Arrays& inputs,
                                             const std::vector<std::string>& wanted,
                                             worker::Placement placement) {
        const bool refused = !function.refusal(ask::sizes_of(function, inputs)).empty();
        const auto wrong =
            refused ? std::nullopt : module.mistaken(function, made, inputs, ask::Precision::f32);
        return reference_then([&wrong](const Arrays&, Arrays& outputs) {
            if (wrong) outputs = *wrong;
        })(function, inputs, wanted, placement);
    };
}

/// A question about normal numbers.
inline Question normal_question(const std::string& function, ask::Sizes sizes) {
    const ask::Module& module = *ask::find_module("self_attention");
    return {{module.find_function(function), module.find_recipe("normal"), std::move(sizes), {}, {}},
            &module,
            7,
            "test",
            20};
}

}  // namespace attn::judge
