#pragma once
/// For tests: weights that have learned nothing, of models smaller than the shipped ones.

#include <string>

#include "grader/models/weights.h"
#include "reference/models/alignment.h"
#include "reference/models/captions.h"
#include "reference/models/language.h"
#include "reference/models/transformer.h"
#include "reference/models/vision.h"

namespace attn::trained {

/// Normal numbers, also for biases and gains.
inline Weights random_weights(const training::Layout& layout, std::uint64_t seed, float scale) {
    training::Random random(seed, 1);
    training::Numbers theta(layout.count());
    for (float& x : theta) x = scale * random.normal();
    return Weights(to_arrays(layout, theta), {{"made by", "a test"}});
}

/// A vision transformer for the digits.
inline Weights random_digit_weights() {
    training::Layout layout;
    const training::VisionTransformer model(layout, 8, 2, 10, {2, 16, 4, 8});
    return random_weights(layout, 1, 0.7F);
}

/// A language model for the three sentences.
inline Weights random_sentence_weights() {
    training::Layout layout;
    const training::LanguageModel model(layout, 14, 8, {2, 16, 2, 8});
    return random_weights(layout, 2, 0.4F);
}

/// A transformer that translates dates.
inline Weights random_transformer_weights() {
    training::Layout layout;
    const training::Transformer model(layout, 37, {2, 8, 4, 5});
    return random_weights(layout, 4, 0.7F);
}

/// A translator of dates.
inline Weights random_date_weights() {
    training::Layout layout;
    const training::Translator model(layout, {34, 11, 8, 6, 7, 5}, true);
    return random_weights(layout, 3, 1);
}

/// A captioner of the canvases.
inline Weights random_caption_weights() {
    training::Layout layout;
    const training::Captioner model(layout, training::caption_sizes(), true);
    return random_weights(layout, 5, 0.5F);
}

/// A model that scores pairs of a canvas and a caption.
inline Weights random_alignment_weights() {
    training::Layout layout;
    const training::Aligner model(layout, training::aligner_sizes());
    return random_weights(layout, 6, 0.3F);
}

}  // namespace attn::trained
