// Assignment 21: the properties of right gradients.

#include "grader/ask/gradient_laws.h"

namespace attn::ask::recurrent_backward {
namespace {

std::vector<Property> score_laws() {
    return {linear_in_gradient({"de"}),
            permutes("words_permute", "words in another order have their gradients in this order",
                     {{"h", 1}, {"de", 1}}, {{"dh", 1}}),
            permutes("hidden_numbers_permute", "the hidden numbers of the score in another order",
                     {{"v", 0}, {"W_q", 1}, {"W_k", 1}}, {{"dv", 0}, {"dW_q", 1}, {"dW_k", 1}}),
            batches_add_up({"de", "s_prev", "h"}, {"ds_prev", "dh"})};
}

std::vector<Property> context_laws() {
    return {linear_in_gradient({"da", "dc"}), rows_sum_to_0("de", 1),
            permutes("words_permute", "words in another order have their gradients in this order",
                     {{"h", 1}, {"e", 1}, {"mask", 1}, {"da", 1}}, {{"de", 1}, {"dh", 1}}),
            batches_add_up({"da", "dc", "e", "h", "mask"}, {"de", "dh"})};
}

std::vector<Property> step_laws() {
    return {linear_in_gradient({"ds"}),
            permutes("units_permute", "the numbers of the state in another order",
                     {{"b", 0}, {"ds", 1}, {"s_prev", 1}, {"W_x", 1}, {"W_s", 0}, {"W_s", 1}},
                     {{"db", 0}, {"ds_prev", 1}, {"dW_x", 1}, {"dW_s", 0}, {"dW_s", 1}}),
            batches_add_up({"ds", "y_prev", "c", "s_prev"}, {"dy_prev", "dc", "ds_prev"})};
}

/// Only the first states reach the loss: later words have no gradient, and changing them changes none.
Property later_words() {
    return {"later_words", "if the loss reads the first states only, later words have no gradient",
            [](const Arrays& inputs, Random&) {
                Array dS = by_name(inputs, "dS");
                const int L = dS.shape[1], D = dS.shape[2], first = L / 2;
                for (int b = 0; b < dS.shape[0]; ++b)
                    for (int t = first; t < L; ++t)
                        for (int d = 0; d < D; ++d) dS.view<float, 3>()(b, t, d) = 0;
                return Experiment{
                    {with(inputs, "dS", dS)}, [first, L](const Outputs& y) {
                        const Array later = slices(by_name(y[0], "dy"), 1, first, L + 1 - first);
                        return Relations{{"dy of a later word", "0", later, filled(later.shape, 0), true}};
                    }};
            }};
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {{"additive_scores_backward", score_laws()},
            {"attention_context_backward", context_laws()},
            {"decoder_step_backward", step_laws()},
            {"decode_backward",
             {linear_in_gradient({"dS"}), batches_add_up({"dS", "h", "mask", "y"}, {"dh", "dy"}),
              later_words()}}};
}

}  // namespace attn::ask::recurrent_backward
