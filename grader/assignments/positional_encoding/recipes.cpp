// Assignment 9: the recipes of inputs.

#include "datasets/sentences.h"
#include "grader/ask/inputs.h"

namespace attn::ask::positional_encoding {
namespace {

/// Scores near +-1000.
Arrays overflow(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = normal_inputs(function, sizes, random);
    for (const char* name : {"Q", "K"})
        for (Array& array : inputs)
            if (array.name == name) array = scaled(array, 30);
    return inputs;
}

/// A sentence of a lecture in place of X, or of Q, K and V: each word has its fixed embedding.
Arrays sentence(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = normal_inputs(function, sizes, random);
    for (Array& array : inputs)
        if (array.shape.size() == 3)
            array = with({array}, array.name, data::embed(person_words(), array.shape[2])).front();
    return inputs;
}

}  // namespace

std::vector<Recipe> recipes() {
    return {
        normal_recipe(),
        {"overflow", "scores near +-1000", {}, overflow},
        person_recipe(sentence),
    };
}

}  // namespace attn::ask::positional_encoding
