// Assignment 13: the recipes of inputs. Gradients of outputs are normal numbers, which differ everywhere: the
// gradient of a sum would hide most mistakes.

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>

#include "grader/ask/inner_calls.h"
#include "grader/ask/inputs.h"

namespace attn::ask::backward {
namespace {

using Make = std::function<Arrays(const Function&, const Sizes&, Random&)>;

/// Every third target does not count, on average.
Array some_targets(const std::string& name, const Shape& shape, int V, Random& random) {
    Array targets = Array::zeros<std::int32_t>(name, shape);
    for (std::int32_t& target : targets.as<std::int32_t>())
        target = random.below(3) == 0 ? -1 : random.below(V);
    return targets;
}

/// Gains are around 1, shifts and biases are not 0, and matrices keep the size of their inputs.
Arrays plain_inputs(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs;
    for (const TensorSpec& spec : function.inputs) {
        const Shape shape = shape_of(spec, sizes);
        const std::string& name = spec.name;
        if (spec.type == ElementType::u8) {
            inputs.push_back(holed_mask(name, shape, random));
        } else if (spec.type == ElementType::i32) {
            inputs.push_back(some_targets(name, shape, sizes.at("V"), random));
        } else {
            const bool matrix = name.starts_with("W") || name == "E";
            const double size = matrix                                            ? 1 / std::sqrt(shape[0])
                                : name.starts_with("gamma")                       ? 0.4
                                : name.starts_with("b") || name.starts_with("cl") ? 0.5
                                                                                  : 1;
            inputs.push_back(scaled(normal(name, shape, random), size, name.starts_with("gamma") ? 1 : 0));
        }
    }
    return inputs;
}

/// The smallest argument of an activation. At 0 the derivative of relu is open, and rounding may decide.
double distance_to_kink(const Array& X, const Arrays& inputs) {
    const Array U = affine(X, by_name(inputs, "W_1"), by_name(inputs, "b_1"));
    double least = 1;
    for (const float u : U.as<float>()) least = std::min(least, std::abs(static_cast<double>(u)));
    return least;
}

/// The same for all calls of transformer_block that the rubric makes with these inputs.
double distance_to_kinks_of_block(const Arrays& inputs, int H) {
    const Function& block = *module_of("transformer_block")->find_function("transformer_block");
    double least = 1;
    for (const Arrays& masked : {inputs, without(inputs, "mask")})
        for (const int norm : {0, 1})
            for (const double eps : {1e-5, 0.25}) {
                Arrays given = masked;
                for (const Array& each : {option("H", H), option("norm", norm), option("eps", eps)})
                    given.push_back(each);
                for (const InnerCall& call : inner_calls(block, given))
                    if (call.function == "feed_forward")
                        least = std::min(least, distance_to_kink(by_name(call.inputs, "X"), inputs));
            }
    return least;
}

/// Inputs that lie far enough from the kinks of relu.
Arrays off_the_kinks(const Make& make, const Function& function, const Sizes& sizes, Random& random) {
    constexpr double kFar = 2e-4;
    constexpr int kTries = 1000;
    Arrays inputs = make(function, sizes, random);
    if (!has(inputs, "W_1") || !function.refusal(sizes).empty()) return inputs;
    const auto distance = [&] {
        return has(inputs, "W_Q") ? distance_to_kinks_of_block(inputs, sizes.at("H"))
                                  : distance_to_kink(by_name(inputs, "X"), inputs);
    };
    for (int tries = 0; distance() < kFar; ++tries) {
        if (tries == kTries)
            throw std::logic_error("all inputs of " + function.name +
                                   " lie at kinks: " + to_string(sizes, function.letters()));
        inputs = make(function, sizes, random);
    }
    return inputs;
}

/// A large number is added to all scores of a row, which changes no weight: +-1000, and +-10000 where the
/// contract allows it.
Arrays far(const Function& function, const Sizes& sizes, Random& random) {
    constexpr float kQuery = 8, kScore = 1000, kTen = 10;
    Arrays inputs = plain_inputs(function, sizes, random);
    for (Array& array : inputs) {
        if (type_of(array) != ElementType::f32) continue;
        const auto root = static_cast<float>(std::sqrt(array.shape.back()));
        change_rows(array, [&, &name = array.name](std::span<float> row, std::size_t i) {
            const float sign = i % 2 == 0 ? 1.0F : -1.0F;
            if (name == "Q") row[0] = sign * kQuery;
            if (name == "K") row[0] += kScore / kQuery * root;
            const float shift = name == "X" ? kScore : name == "logits" ? kTen * kScore : 0;
            for (float& x : row) x += sign * shift;
        });
    }
    return inputs;
}

/// Pads score far above all words: exp of a word's score minus the largest of all is 0.
Arrays loud_pads(const Function& function, const Sizes& sizes, Random& random) {
    constexpr float kQuery = 8, kLoud = 2000;
    Arrays inputs = plain_inputs(function, sizes, random);
    if (!has(inputs, "K") || !has(inputs, "mask")) return inputs;
    const auto Q = by_name(inputs, "Q").view<float, 3>(), K = by_name(inputs, "K").view<float, 3>();
    const auto M = by_name(inputs, "mask").view<std::uint8_t, 3>();
    for (int b = 0; b < M.size(0); ++b) {
        const int pad = b % M.size(2);
        for (int i = 0; i < M.size(1); ++i) Q(b, i, 0) = kQuery, M(b, i, pad) = 0;
        K(b, pad, 0) = kLoud / kQuery * static_cast<float>(std::sqrt(K.size(2)));
    }
    return inputs;
}

/// The plain inputs with the rows of X changed.
Make with_rows(void (*change)(std::span<float> row, std::size_t number)) {
    return [change](const Function& function, const Sizes& sizes, Random& random) {
        Arrays inputs = plain_inputs(function, sizes, random);
        if (has(inputs, "X")) change_rows(by_name(inputs, "X"), change);
        return inputs;
    };
}

void nearly_constant(std::span<float> row, std::size_t i) {
    for (float& x : row) x = static_cast<float>(i % 3) * 0.75F + x / 1000;
}

void constant_or_nearly(std::span<float> row, std::size_t i) {
    const float level = std::round(row[0] * 4) / 4;  // the mean of such numbers is exact
    for (float& x : row) x = i % 2 == 0 ? level : level + x / 1000;
}

void far_from_0(std::span<float> row, std::size_t i) {
    for (float& x : row) x += i % 2 == 0 ? 300.0F : -300.0F;
}

void times_30(std::span<float> row, std::size_t) {
    for (float& x : row) x *= 30;
}

/// Values around +-300, while scores stay near 1.
Arrays loud(const Function& function, const Sizes& sizes, Random& random) {
    constexpr double kLoud = 300;
    Arrays inputs = plain_inputs(function, sizes, random);
    if (!has(inputs, "X") || !has(inputs, "W_Q")) return inputs;
    for (Array& array : inputs) {
        if (array.name == "X") array = scaled(array, kLoud);
        if (array.name == "W_Q" || array.name == "W_K")
            array = map(array, [](double x) { return x / kLoud; });
    }
    return inputs;
}

Arrays causal(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = plain_inputs(function, sizes, random);
    if (!has(inputs, "mask")) return inputs;
    const Shape& shape = by_name(inputs, "mask").shape;
    return with(inputs, "mask", causal_masks(shape[0], shape[1], shape[2]));
}

/// The last target is this one, or all are.
Make with_target(int (*target)(int V), bool everywhere) {
    return [=](const Function& function, const Sizes& sizes, Random& random) {
        Arrays inputs = plain_inputs(function, sizes, random);
        if (!has(inputs, "targets")) return inputs;
        auto& targets = by_name(inputs, "targets").as<std::int32_t>();
        targets.back() = target(sizes.at("V"));
        if (everywhere) std::ranges::fill(targets, targets.back());
        return inputs;
    };
}

/// Only the last target counts.
Arrays one_counts(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = plain_inputs(function, sizes, random);
    if (!has(inputs, "targets")) return inputs;
    auto& targets = by_name(inputs, "targets").as<std::int32_t>();
    std::ranges::fill(targets, -1);
    targets.back() = random.below(sizes.at("V"));
    return inputs;
}

Recipe recipe(std::string name, std::string about, Make make) {
    return {std::move(name),
            std::move(about),
            {},
            [make = std::move(make)](const Function& function, const Sizes& sizes, Random& random) {
                return off_the_kinks(make, function, sizes, random);
            }};
}

}  // namespace

std::vector<Recipe> recipes() {
    return {
        recipe("normal", "normal numbers, gains and biases that count", plain_inputs),
        recipe("far", "scores around +-1000 or +-10000", far),
        recipe("loud_pads", "pads that score far above all words", loud_pads),
        recipe("low_variance", "rows with a standard deviation of 1e-3", with_rows(nearly_constant)),
        recipe("constant_rows", "rows of one number throughout", with_rows(constant_or_nearly)),
        recipe("far_from_0", "rows around +-300", with_rows(far_from_0)),
        recipe("large", "numbers around +-30", with_rows(times_30)),
        recipe("loud", "values around +-300 with scores near 1", loud),
        recipe("causal", "a causal mask", causal),
        recipe("nothing_counts", "targets of which none counts", with_target([](int) { return -1; }, true)),
        recipe("one_counts", "targets of which only the last counts", one_counts),
        recipe("token_V", "a target V, which does not exist", with_target([](int V) { return V; }, false)),
        recipe("negative_token", "a target -2", with_target([](int) { return -2; }, false))};
}

}  // namespace attn::ask::backward
