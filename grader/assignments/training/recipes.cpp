// Assignment 14: the recipes of inputs.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "grader/ask/inner_calls.h"
#include "grader/ask/inputs.h"
#include "grader/ask/three_sentences.h"
#include "grader/assignments/training/helpers.h"

namespace attn::ask::training {
namespace {

/// What `initialise` makes of normal numbers: theta, decays.
Arrays initial(const Sizes& sizes, Random& random) {
    const Function& function = *module_of("initialise")->find_function("initialise");
    Arrays inputs{normal("normals", shape_of(function.inputs[0], sizes), random)};
    for (const char* letter : {"V", "N", "D", "F", "L"}) inputs.push_back(option(letter, sizes.at(letter)));
    return evaluate(function, inputs, Precision::f32);
}

/// Weights of a model whose blocks change their inputs a lot, so that every weight counts, and everything else normal.
/// Second moments and learning rates are positive.
Arrays plain_inputs(const Function& function, const Sizes& sizes, Random& random) {
    const bool has_model = sizes.contains("H");
    Arrays inputs;
    for (const TensorSpec& spec : function.inputs) {
        const Shape shape = shape_of(spec, sizes);
        if (spec.type == ElementType::i32) {
            inputs.push_back(random_tokens(spec.name, shape, sizes.at("V"), random));
            continue;
        }
        inputs.push_back(spec.type == ElementType::u8 ? random_mask(spec.name, shape, random)
                                                      : normal(spec.name, shape, random));
        Array& made = inputs.back();
        if (spec.name == "v")
            made = map(made, [=](double x) { return (has_model ? 0.01 : 1) * (0.1 + x * x); });
        if (spec.name == "m" && has_model) made = scaled(made, 0.1);
        if (spec.name == "eta") made = map(made, [&](double) { return 0.01 + 0.04 * random.uniform(); });
        if (spec.name == "theta" && has_model)
            made = combined(1.5, initial(sizes, random)[0], 0.25, made).cast<float>();
        made.name = spec.name;
    }
    return inputs;
}

/// The tensors of `train`, or of a function with fewer of them, for these sentences: weights as `initialise` makes
/// them, moments of 0, and learning rates with this peak.
Arrays inputs_for(const std::vector<std::vector<int>>& sentences, double peak, const Function& function,
                  const Sizes& sizes, Random& random) {
    constexpr double kWarmup = 8;
    Arrays inputs = plain_inputs(function, sizes, random);
    const Arrays start = initial(sizes, random);
    for (Array& array : inputs) {
        if (array.name == "theta") array = named("theta", start[0]);
        if (array.name == "decays") array = named("decays", start[1]);
        if (array.name == "m" || array.name == "v") array = scaled(array, 0);
        for (std::size_t t = 0; array.name == "eta" && t < array.count(); ++t) {
            const auto step = static_cast<double>(t + 1), steps = static_cast<double>(array.count());
            const double s = std::max(0.0, step - kWarmup) / std::max(1.0, steps - kWarmup);
            const double fallen = (1 + std::cos(3.14159265 * s)) / 2;
            array.as<float>()[t] = static_cast<float>(peak * std::min(step / kWarmup, fallen));
        }
        if (type_of(array) != ElementType::i32) continue;
        const auto tokens = array.view<int, 2>();
        for (int b = 0; b < tokens.size(0); ++b) {
            const std::vector<int>& sentence = sentences.at(static_cast<std::size_t>(b));
            for (int i = 0; i < tokens.size(1); ++i) {
                const int place = array.name == "targets" ? i : i - 1;
                const bool inside = place >= 0 && place < static_cast<int>(sentence.size());
                tokens(b, i) = inside                    ? sentence[static_cast<std::size_t>(place)]
                               : array.name == "targets" ? -1
                                                         : 0;
            }
        }
    }
    return inputs;
}

Arrays sentences(const Function& function, const Sizes& sizes, Random& random) {
    return inputs_for(three_sentences().sentences, 0.03, function, sizes, random);
}

Arrays recall_inputs(const Function& function, const Sizes& sizes, Random& random) {
    return inputs_for(recall_world().sentences, 0.02, function, sizes, random);
}

using Change = double (*)(double x);

/// The plain inputs with other numbers in these arrays.
std::function<Arrays(const Function&, const Sizes&, Random&)> with_changed(
    std::map<std::string, Change> changes) {
    return [changes = std::move(changes)](const Function& function, const Sizes& sizes, Random& random) {
        Arrays inputs = plain_inputs(function, sizes, random);
        for (Array& array : inputs)
            if (const auto change = changes.find(array.name); change != changes.end())
                array = map(array, change->second);
        return inputs;
    };
}

/// The last number of the tokens or targets is this one.
std::function<Arrays(const Function&, const Sizes&, Random&)> with_last(const char* name,
                                                                        int (*token)(int V)) {
    return [=](const Function& function, const Sizes& sizes, Random& random) {
        Arrays inputs = plain_inputs(function, sizes, random);
        by_name(inputs, name).as<std::int32_t>().back() = token(sizes.at("V"));
        return inputs;
    };
}

/// On which side of which line a training ended, and what that means.
std::string meaning_of(double loss) {
    const double floor = three_sentences().floor(), bigrams = three_sentences().floor_of_bigrams();
    const std::string ends = fmt::format("Your training ends at a loss of {:.4f}. ", loss);
    if (!std::isfinite(loss)) return "Your training does not end at a number.";
    if (loss < floor * (1 - 1e-4))
        return ends +
               fmt::format(
                   "That is below {:.4f}, and no model that sees only what it has read comes below. So "
                   "yours sees what it has to predict.",
                   floor);
    if (loss <= 1.01 * floor)
        return ends + fmt::format("That is within 1 % of {:.4f}, the least possible.", floor);
    if (std::abs(loss - bigrams) < 0.03 * bigrams)
        return ends + fmt::format(
                          "That is near {:.4f}, where a model stops that knows only the last word: yours "
                          "uses neither the attention nor the positions.",
                          bigrams);
    return ends +
           (loss < bigrams
                ? "That is between the two lines: the model uses more than the last word, but has not "
                  "learned everything."
                : "That is above both lines: the model has not even learned which word follows which.");
}

/// The probability that the model writes each of the sentences, of P [B, N, V].
std::vector<std::string> written_sentences(const Array& P) {
    std::vector<std::string> lines;
    double rest = 1;
    const int N = P.shape[1], V = P.shape[2];
    for (std::size_t b = 0; b < three_sentences().sentences.size(); ++b) {
        const std::vector<int>& sentence = three_sentences().sentences[b];
        double probability = 1;
        std::string words;
        for (std::size_t i = 0; i < sentence.size(); ++i) {
            const auto row = (b * static_cast<std::size_t>(N) + i) * static_cast<std::size_t>(V);
            probability *= number_at(P, row + static_cast<std::size_t>(sentence[i]));
            if (i + 1 < sentence.size())
                words += (i > 0 ? " " : "") + three_sentences().words[static_cast<std::size_t>(sentence[i])];
        }
        rest -= probability;
        lines.push_back(
            fmt::format("It writes \u201c{}\u201d with the probability {:.3f}.", words, probability));
    }
    lines.push_back(fmt::format("It writes something else with the probability {:.3f}.", rest));
    return lines;
}

Scene scene() {
    Scene words = scene_of_sentences(8);
    const double floor = three_sentences().floor(), bigrams = three_sentences().floor_of_bigrams();
    words.curves["losses"] = {
        {{bigrams, fmt::format("{:.4f}: only the last word", bigrams)},
         {floor, fmt::format("{:.4f}: the least possible", floor)}},
        [](const Arrays& outputs) {
            const Array& losses = by_name(outputs, "losses");
            std::vector<std::string> lines{meaning_of(number_at(losses, losses.count() - 1))};
            if (has(outputs, "P"))
                for (std::string& line : written_sentences(by_name(outputs, "P")))
                    lines.push_back(std::move(line));
            return lines;
        }};
    return words;
}

}  // namespace

std::vector<Recipe> recipes() {
    const Change none = [](double) { return 0.0; };
    const Change nothing = [](double) { return -1.0; };
    return {
        {"normal", "normal numbers", {}, plain_inputs},
        {"first_step",
         "moments of 0, as before the first step",
         {},
         with_changed({{"m", none}, {"v", none}})},
        {"at_rest",
         "a gradient and moments of 0",
         {},
         with_changed({{"gradient", none}, {"m", none}, {"v", none}})},
        {"tiny",
         "gradients near 1e-7",
         {},
         with_changed({{"gradient", [](double x) { return 1e-7 * x; }},
                       {"m", [](double x) { return 1e-7 * x; }},
                       {"v", [](double x) { return 1e-14 * x; }}})},
        {"long", "gradients near 100", {}, with_changed({{"gradient", [](double x) { return 100 * x; }}})},
        {"negative",
         "gradients below 0",
         {},
         with_changed({{"gradient", [](double x) { return -1 - std::abs(x); }}})},
        {"nothing_counts", "targets of which none counts", {}, with_changed({{"targets", nothing}})},
        {"token_V", "a token V, which does not exist", {}, with_last("tokens", [](int V) { return V; })},
        {"negative_token",
         "a token -1, which does not exist",
         {},
         with_last("tokens", [](int) { return -1; })},
        {"target_V", "a target V, which does not exist", {}, with_last("targets", [](int V) { return V; })},
        {"negative_target", "a target -2", {}, with_last("targets", [](int) { return -2; })},
        {"sentences",
         "the three sentences of a lecture, and weights as initialise makes them",
         {{"B", 3}, {"N", 8}, {"V", 14}},
         sentences,
         scene,
         drawings()},
        {"recall",
         "two keys with their values, then a key whose value is asked for, and weights as initialise makes "
         "them",
         {{"B", 8}, {"N", 6}, {"V", 5}},
         recall_inputs,
         scene_of_recall,
         drawings_of_recall()}};
}

}  // namespace attn::ask::training
