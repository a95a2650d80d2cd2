// Assignment 8: the recipes of inputs.

#include <cmath>

#include "grader/ask/inputs.h"

namespace attn::ask::image_captioning {
namespace {

constexpr int kWithoutV = 7;  ///< tokens of a vocabulary whose size no array has

/// Normal numbers. Weights are divided by the root of the number of their terms.
Arrays layers(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs;
    for (const TensorSpec& spec : function.inputs) {
        const Shape shape = shape_of(spec, sizes);
        if (spec.type == ElementType::i32) {
            inputs.push_back(
                random_tokens(spec.name, shape, sizes.contains("V") ? sizes.at("V") : kWithoutV, random));
            continue;
        }
        double terms = 1;
        for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) terms *= shape[axis];
        const double size = spec.name[0] == 'W' ? 1.5 / std::sqrt(terms) : 1;
        inputs.push_back(scaled(normal(spec.name, shape, random), size));
    }
    return inputs;
}

}  // namespace

std::vector<Recipe> recipes() {
    return {{"normal", "normal numbers, with weights that keep every sum near 1", {}, layers}};
}

}  // namespace attn::ask::image_captioning
