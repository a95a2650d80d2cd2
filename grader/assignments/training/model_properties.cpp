// Assignment 14: the properties of the gradient of the model, of a step and of the training.

#include <algorithm>
#include <cmath>

#include "contracts/training_functions.h"
#include "grader/ask/inputs.h"
#include "grader/ask/laws.h"
#include "grader/assignments/training/parts.h"

namespace attn::ask::training {
namespace {

/// Every sentence stands there twice.
Arrays doubled(const Arrays& inputs) {
    Arrays changed = inputs;
    for (const char* name : {"tokens", "targets"}) {
        if (!has(inputs, name)) continue;
        const Array& once = by_name(inputs, name);
        std::vector<int> order;
        for (int b = 0; b < once.shape[0]; ++b) order.insert(order.end(), {b, b});
        changed = with(changed, name, permuted(once, 0, order));
    }
    return changed;
}

Property twice_the_same(const std::string& output) {
    return unchanged(
        "twice_the_same", "sentences that all stand there twice change nothing", "with every sentence twice",
        [](const Arrays& inputs, Random&) { return doubled(inputs); }, output);
}

/// The last places of all sentences do not count, and get other tokens.
Property behind_the_end() {
    return {"behind_the_end", "tokens behind the last target that counts change nothing",
            [](const Arrays& inputs, Random&) {
                Array targets = by_name(inputs, "targets"), tokens = by_name(inputs, "tokens");
                const int B = targets.shape[0], N = targets.shape[1],
                          V = static_cast<int>(option_of(inputs, "V"));
                for (int b = 0; b < B; ++b)
                    for (int i = N - 2; i < N; ++i) targets.view<int, 2>()(b, i) = -1;
                const Arrays ended = with(inputs, "targets", targets);
                for (int b = 0; b < B; ++b)
                    for (int i = N - 2; i < N; ++i)
                        tokens.view<int, 2>()(b, i) = (tokens.view<int, 2>()(b, i) + 1) % V;
                return Experiment{
                    {ended, with(ended, "tokens", tokens)}, [](const Outputs& y) {
                        return Relations{{"gradient", "gradient with other tokens at the end",
                                          by_name(y[0], "gradient"), by_name(y[1], "gradient")}};
                    }};
            }};
}

/// The tokens get other numbers, and the rows of the table move with them.
Property vocabulary_permutes() {
    return {
        "vocabulary_permutes", "numbering the tokens in another way moves the rows of the table's gradient",
        [](const Arrays& inputs, Random& random) {
            const int V = static_cast<int>(option_of(inputs, "V")),
                      D = static_cast<int>(option_of(inputs, "D"));
            const std::vector<int> order = random.permutation(V);
            // Where each number of theta comes from.
            std::vector<int> from(by_name(inputs, "theta").count());
            for (int w = 0; w < static_cast<int>(from.size()); ++w)
                from[static_cast<std::size_t>(w)] =
                    w < V * D ? order[static_cast<std::size_t>(w / D)] * D + w % D : w;
            Arrays changed = with(inputs, "theta", permuted(by_name(inputs, "theta"), 0, from));
            for (const char* name : {"tokens", "targets"})
                by_name(changed, name) = map(by_name(inputs, name), [&](double token) {
                    return token < 0 ? token
                                     : static_cast<double>(std::ranges::find(order, static_cast<int>(token)) -
                                                           order.begin());
                });
            return Experiment{{inputs, changed}, [from](const Outputs& y) {
                                  return Relations{{"gradient", "gradient with other numbers of the tokens",
                                                    permuted(by_name(y[0], "gradient"), 0, from),
                                                    by_name(y[1], "gradient")}};
                              }};
        }};
}

Property stands_still() {
    return {"stands_still", "with a learning rate of 0 no weight moves, and the loss is the same",
            [](const Arrays& inputs, Random&) {
                const Array theta = by_name(inputs, "theta").cast<double>();
                return Experiment{
                    {inputs, with(inputs, "eta", option("eta", 0))}, [theta](const Outputs& y) {
                        return Relations{
                            {"theta_new", "theta", by_name(y[1], "theta_new"), theta, true},
                            {"loss", "loss with eta = 0", by_name(y[0], "loss"), by_name(y[1], "loss")}};
                    }};
            }};
}

Property begins_alike() {
    return {"begins_alike", "a shorter training has the first losses of the longer one",
            [](const Arrays& inputs, Random&) {
                const Array& eta = by_name(inputs, "eta");
                const int few = std::max(1, eta.shape[0] - 2);
                return Experiment{
                    {inputs, with(inputs, "eta", leading(eta, 0, few))}, [few](const Outputs& y) {
                        return Relations{{"the first losses", "losses of the shorter training",
                                          leading(by_name(y[0], "losses"), 0, few), by_name(y[1], "losses")}};
                    }};
            }};
}

}  // namespace

std::map<std::string, std::vector<Property>> properties_of_model() {
    const Property permute =
        equivariant("sentences_permute", "sentences in another order give their probabilities in that order",
                    {"targets"}, 0, "P");
    return {
        {"language_model_backward", {twice_the_same("gradient"), behind_the_end(), vocabulary_permutes()}},
        {"train_step", {twice_the_same("theta_new"), stands_still()}},
        {"train", {begins_alike(), permute, rows_sum_to_one("P")}}};
}

}  // namespace attn::ask::training
