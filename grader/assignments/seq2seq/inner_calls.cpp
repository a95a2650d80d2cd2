// The calls of smaller functions: of a loop, those of its first step.

#include "grader/ask/inner_calls.h"

#include "grader/ask/inputs.h"

namespace attn::ask::seq2seq {

std::vector<InnerCall> inner_calls(const Function& function, const Arrays& inputs) {
    const auto first = [&inputs](const char* name) {
        const Array& all = by_name(inputs, name);
        return reshaped(permuted(all, 1, {0}), {all.shape[0], all.shape[2]});
    };
    if (function.name == "luong_decode") {
        const Array &h = by_name(inputs, "h"), &s_0 = by_name(inputs, "s_0");
        const Arrays step = {named("y_prev", first("y")), Array::zeros<float>("c", s_0.shape),
                             named("s_prev", s_0),        by_name(inputs, "W_x"),
                             by_name(inputs, "W_s"),      by_name(inputs, "b")};
        const Arrays scores = {named("s", output_of("decoder_step", step, "s")),
                               h,
                               by_name(inputs, "W"),
                               by_name(inputs, "W_c"),
                               by_name(inputs, "v"),
                               by_name(inputs, "kind")};
        return {{"luong_scores", scores}};
    }
    return {};
}

}  // namespace attn::ask::seq2seq
