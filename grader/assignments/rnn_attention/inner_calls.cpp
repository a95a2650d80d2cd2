// The calls of smaller functions.

#include "grader/ask/inner_calls.h"

#include <cmath>
#include <cstdint>

#include "grader/ask/inputs.h"

namespace attn::ask::rnn_attention {
namespace {

/// s_0 = tanh(h_last W_0 + b_0); h_last is the state of the last word, 0 if there are no words.
Array first_states(const Arrays& inputs) {
    const Array &h = by_name(inputs, "h"), &mask = by_name(inputs, "mask");
    Array h_last = Array::zeros<float>("h_last", {h.shape[0], h.shape[2]});
    const auto state = h.view<float, 3>();
    const auto words = mask.view<std::uint8_t, 2>();
    const auto last = h_last.view<float, 2>();
    for (int b = 0; b < words.size(0); ++b)
        for (int j = 0; j < words.size(1); ++j)
            for (int d = 0; words(b, j) != 0 && d < last.size(1); ++d) last(b, d) = state(b, j, d);
    return map(affine(h_last, by_name(inputs, "W_0"), by_name(inputs, "b_0")),
               [](double x) { return std::tanh(x); });
}

/// The scores and the context from these states.
std::vector<InnerCall> attend(const Array& s_prev, const Array& h, const Array& mask, const Arrays& inputs) {
    const Arrays asked = {named("s_prev", s_prev), named("h", h), by_name(inputs, "W_q"),
                          by_name(inputs, "W_k"), by_name(inputs, "v")};
    return {{"additive_scores", asked},
            {"attention_context", {output_of("additive_scores", asked, "e"), named("h", h), mask}}};
}

}  // namespace

/// Of decode, the calls of the first step.
std::vector<InnerCall> inner_calls(const Function& function, const Arrays& inputs) {
    if (function.name == "grid_attention") {
        const Array& grid = by_name(inputs, "grid");
        const int B = grid.shape[0], cells = grid.shape[1] * grid.shape[2];
        const std::vector<std::uint8_t> ones(static_cast<std::size_t>(B) * static_cast<std::size_t>(cells),
                                             1);
        return attend(by_name(inputs, "s_prev"), reshaped(grid, {B, cells, grid.shape[3]}),
                      Array("mask", {B, cells}, ones), inputs);
    }
    if (function.name != "decode") return {};
    const Array s_0 = first_states(inputs);
    std::vector<InnerCall> calls = attend(s_0, by_name(inputs, "h"), by_name(inputs, "mask"), inputs);
    const Array& y = by_name(inputs, "y");
    calls.push_back({"decoder_step",
                     {named("y_prev", reshaped(permuted(y, 1, {0}), {y.shape[0], y.shape[2]})),
                      output_of("attention_context", calls.back().inputs, "c"), named("s_prev", s_0),
                      by_name(inputs, "W_x"), by_name(inputs, "W_s"), by_name(inputs, "b")}});
    return calls;
}

}  // namespace attn::ask::rnn_attention
