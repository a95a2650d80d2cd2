// Assignment 14: the properties of the functions that know no model.

#include <algorithm>
#include <cmath>

#include "contracts/training_functions.h"
#include "grader/ask/inputs.h"
#include "grader/ask/laws.h"
#include "grader/assignments/training/parts.h"

namespace attn::ask::training {
namespace {

Array zeros_like(const Array& array) {
    return map(array, [](double) { return 0; });
}

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
                Arrays changed = inputs;
                for (const char* name : {"gradient", "m", "v"})
                    changed = with(changed, name, zeros_like(by_name(inputs, name)));
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

std::map<std::string, std::vector<Property>> properties() {
    std::map<std::string, std::vector<Property>> all = properties_of_model();
    all["adamw_step"] = {steady_gradient(), decay_is_decoupled(),
                         equivariant("weights_permute", "weights in another order move in that order",
                                     {"theta", "gradient", "m", "v", "decays"}, 0, "theta_new")};
    all["learning_rate"] = {warmup_rises(), never_above_peak(), peak_scales()};
    all["clip_gradients"] = clipping_properties();
    all["initialise"] = initial_properties();
    return all;
}

const Registration kRegistered({"training", contract_functions(), recipes(), properties()});

}  // namespace
}  // namespace attn::ask::training
