// The calls of smaller functions.

#include "grader/ask/inner_calls.h"

#include "grader/ask/inputs.h"

namespace attn::ask::training {

std::vector<InnerCall> inner_calls(const Function& function, const Arrays& inputs) {
    if (function.name != "train_step") return {};
    const Array& targets = by_name(inputs, "targets");
    const Arrays shifted{targets, option("start", 0)};
    const Function& shift = *module_of("shift_right")->find_function("shift_right");
    Arrays of_gradient = inputs;
    of_gradient.push_back(named("tokens", evaluate(shift, shifted, Precision::f64)[0]));
    const Arrays made =
        evaluate(*module_of("train")->find_function("language_model_backward"), of_gradient, Precision::f64);
    const Array gradient = named("gradient", by_name(made, "gradient").cast<float>());
    const Arrays of_clipping{gradient, by_name(inputs, "most")};
    return {{"language_model_backward", of_gradient}, {"clip_gradients", of_clipping}};
}

}  // namespace attn::ask::training
