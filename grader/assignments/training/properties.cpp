// Assignment 14: the properties.

#include <algorithm>
#include <cmath>

#include "grader/ask/inputs.h"
#include "grader/ask/laws.h"

namespace attn::ask::training {
namespace {

/// Adam after many steps with the same gradient g: m = (1 - beta_1^t) g and v = (1 - beta_2^t) g^2.
Property steady_gradient() {
    return {"steady_gradient",
            "after t steps with the same gradient, each weight moves by eta against its sign",
            [](const Arrays& inputs, Random&) {
                Arrays changed =
                    with(inputs, "gradient",
                         map(by_name(inputs, "gradient"), [](double g) { return g < 0 ? g - 1 : g + 1; }));
                const Array gradient = by_name(changed, "gradient");
                const double before = option_of(inputs, "t") - 1;
                const double of_m = 1 - std::pow(option_of(inputs, "beta_1"), before),
                             of_v = 1 - std::pow(option_of(inputs, "beta_2"), before);
                changed = with(changed, "m", map(gradient, [=](double g) { return of_m * g; }));
                changed = with(changed, "v", map(gradient, [=](double g) { return of_v * g * g; }));
                changed = with(with(changed, "eps", option("eps", 0)), "decay", option("decay", 0));
                const double eta = option_of(inputs, "eta");
                const Array wanted =
                    combined(1, by_name(changed, "theta").cast<double>(), -eta,
                             map(gradient.cast<double>(), [](double g) { return g < 0 ? -1.0 : 1.0; }));
                return Experiment{{changed}, [wanted](const Outputs& y) {
                                      return Relations{{"theta_new", "theta - eta sign(gradient)",
                                                        by_name(y[0], "theta_new"), wanted}};
                                  }};
            }};
}

Property decay_is_decoupled() {
    return {"decay_is_decoupled",
            "without a gradient a weight that decays shrinks by the factor 1 - eta decay",
            [](const Arrays& inputs, Random&) {
                const Arrays changed = with_zeros(inputs, {"gradient", "m", "v"});
                const double shrink = option_of(inputs, "eta") * option_of(inputs, "decay");
                Array wanted = by_name(inputs, "theta").cast<double>();
                const Array decays = by_name(inputs, "decays");
                for (std::size_t w = 0; w < wanted.count(); ++w)
                    wanted.as<double>()[w] *= 1 - shrink * (number_at(decays, w) != 0 ? 1 : 0);
                return Experiment{{changed}, [wanted](const Outputs& y) {
                                      return Relations{{"theta_new", "theta (1 - eta decay decays)",
                                                        by_name(y[0], "theta_new"), wanted}};
                                  }};
            }};
}

/// At most `most` numbers of the vector.
Array first_numbers(const Array& array, int count) {
    return leading(array, 0, std::min(count, array.shape[0]));
}

Property warmup_rises() {
    return of_output("warmup_rises", "in the warm-up the rate rises in a straight line to the peak", "eta",
                     [](const Array& eta, const Arrays& inputs) {
                         const double warmup = option_of(inputs, "warmup"), peak = option_of(inputs, "peak");
                         const Array rising = first_numbers(eta, static_cast<int>(warmup));
                         Array wanted = rising;
                         for (std::size_t k = 0; k < wanted.count(); ++k)
                             wanted.as<double>()[k] = peak * static_cast<double>(k + 1) / warmup;
                         return Relations{{"eta", "peak t / warmup", rising, wanted}};
                     });
}

Property never_above_peak() {
    return of_output("falls_after_warmup", "after the warm-up no rate is above the one before it", "eta",
                     [](const Array& eta, const Arrays& inputs) {
                         Array nearest = eta;
                         const auto warmup = static_cast<std::size_t>(option_of(inputs, "warmup"));
                         for (std::size_t k = warmup; k < eta.count(); ++k)
                             nearest.as<double>()[k] = std::min(eta.as<double>()[k], eta.as<double>()[k - 1]);
                         return Relations{{"eta", "at most the rate before", eta, nearest}};
                     });
}

Property peak_scales() {
    return {"peak_scales", "a peak and a least rate twice as large double every rate",
            [](const Arrays& inputs, Random&) {
                Arrays changed = inputs;
                for (const char* name : {"peak", "least"})
                    changed = with(changed, name, option(name, 2 * option_of(inputs, name)));
                return Experiment{
                    {inputs, changed}, [](const Outputs& y) {
                        return Relations{{"2 eta", "eta for twice the peak and least",
                                          scaled(by_name(y[0], "eta"), 2), by_name(y[1], "eta")}};
                    }};
            }};
}

double length_of_vector(const Array& array) {
    double sum = 0;
    for (std::size_t k = 0; k < array.count(); ++k) sum += number_at(array, k) * number_at(array, k);
    return std::sqrt(sum);
}

std::vector<Property> clipping_properties() {
    return {{"long_becomes_most", "a long gradient gets the length most, and keeps its direction",
             [](const Arrays& inputs, Random&) {
                 const double most = option_of(inputs, "most");
                 const Array& gradient = by_name(inputs, "gradient");
                 const double factor = 3 * most / length_of_vector(gradient);
                 const Arrays changed = with(inputs, "gradient", scaled(gradient, factor));
                 const Array wanted = scaled(by_name(changed, "gradient").cast<double>(), 1.0 / 3);
                 return Experiment{{changed}, [=](const Outputs& y) {
                                       return Relations{
                                           {"clipped", "gradient / 3", by_name(y[0], "clipped"), wanted},
                                           {"norm", "3 most", by_name(y[0], "norm"), filled({1}, 3 * most)}};
                                   }};
             }},
            {"short_stays", "a gradient that is short enough stays as it is",
             [](const Arrays& inputs, Random&) {
                 const Array& gradient = by_name(inputs, "gradient");
                 const double factor = 0.5 * option_of(inputs, "most") / length_of_vector(gradient);
                 const Arrays changed = with(inputs, "gradient", scaled(gradient, factor));
                 return Experiment{{changed}, [=](const Outputs& y) {
                                       return Relations{{"clipped", "gradient", by_name(y[0], "clipped"),
                                                         by_name(changed, "gradient").cast<double>()}};
                                   }};
             }},
            equivariant("weights_permute", "weights in another order are clipped in that order", {"gradient"},
                        0, "clipped")};
}

std::vector<Property> initial_properties() {
    return {{"random_ones_decay", "the weights that are random decay, and no others",
             [](const Arrays& inputs, Random& random) {
                 const Array& normals = by_name(inputs, "normals");
                 const Array other = map(normals, [&](double x) { return x + 1 + random.uniform(); });
                 return Experiment{{inputs, with(inputs, "normals", other)}, [](const Outputs& y) {
                                       const Array &a = by_name(y[0], "theta"), &b = by_name(y[1], "theta");
                                       Array differs = a;
                                       for (std::size_t w = 0; w < a.count(); ++w)
                                           differs.as<double>()[w] =
                                               number_at(a, w) != number_at(b, w) ? 1 : 0;
                                       return Relations{{"decays", "1 where theta depends on normals",
                                                         by_name(y[0], "decays"), differs, true}};
                                   }};
             }},
            {"scale_of_normals", "normals twice as large double the random weights and no others",
             [](const Arrays& inputs, Random&) {
                 const Array& normals = by_name(inputs, "normals");
                 return Experiment{
                     {inputs, with(inputs, "normals", scaled(normals, 2)),
                      with(inputs, "normals", scaled(normals, 0))},
                     [](const Outputs& y) {
                         return Relations{
                             {"theta", "the mean of theta for 2 normals and for 0", by_name(y[0], "theta"),
                              combined(0.5, by_name(y[1], "theta"), 0.5, by_name(y[2], "theta"))}};
                     }};
             }}};
}

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

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"adamw_step",
         {steady_gradient(), decay_is_decoupled(),
          equivariant("weights_permute", "weights in another order move in that order",
                      {"theta", "gradient", "m", "v", "decays"}, 0, "theta_new")}},
        {"learning_rate", {warmup_rises(), never_above_peak(), peak_scales()}},
        {"clip_gradients", clipping_properties()},
        {"initialise", initial_properties()},
        {"language_model_backward", {twice_the_same("gradient"), behind_the_end(), vocabulary_permutes()}},
        {"train_step", {twice_the_same("theta_new"), stands_still()}},
        {"train",
         {begins_alike(),
          equivariant("sentences_permute",
                      "sentences in another order give their probabilities in that order", {"targets"}, 0,
                      "P"),
          rows_sum_to_one("P")}},
    };
}

}  // namespace attn::ask::training
