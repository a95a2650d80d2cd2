#pragma once
/// For tests: weights that have learned nothing, in the shapes of the shipped ones.

#include <string>
#include <utility>
#include <vector>

#include "grader/ask/inputs.h"
#include "grader/training/weights.h"

namespace attn::trained {

inline Array random_array(const std::string& name, const Shape& shape, ask::Random& random, float scale) {
    Array array = ask::normal(name, shape, random);
    for (float& x : array.as<float>()) x *= scale;
    return array;
}

inline Arrays random_blocks(int blocks, int D, int F, ask::Random& random) {
    constexpr float kSmall = 0.7F;
    Arrays arrays;
    for (int l = 0; l < blocks; ++l)
        for (const auto& [name, shape] : std::vector<std::pair<std::string, Shape>>{{"gamma_1", {D}},
                                                                                    {"beta_1", {D}},
                                                                                    {"W_Q", {D, D}},
                                                                                    {"b_Q", {D}},
                                                                                    {"W_K", {D, D}},
                                                                                    {"b_K", {D}},
                                                                                    {"W_V", {D, D}},
                                                                                    {"b_V", {D}},
                                                                                    {"W_O", {D, D}},
                                                                                    {"b_O", {D}},
                                                                                    {"gamma_2", {D}},
                                                                                    {"beta_2", {D}},
                                                                                    {"W_1", {D, F}},
                                                                                    {"b_1", {F}},
                                                                                    {"W_2", {F, D}},
                                                                                    {"b_2", {D}}})
            arrays.push_back(random_array("blocks." + std::to_string(l) + "." + name, shape, random, kSmall));
    arrays.push_back(random_array("gamma", {D}, random, 1));
    arrays.push_back(random_array("beta", {D}, random, 1));
    return arrays;
}

/// A vision transformer for the digits.
inline Weights random_digit_weights() {
    constexpr int kPatch = 4, kTokens = 17, D = 16, F = 8, kClasses = 10;
    ask::Random random(1, "digits");
    Arrays arrays = random_blocks(2, D, F, random);
    for (const auto& [name, shape] : std::vector<std::pair<std::string, Shape>>{{"E", {kPatch, D}},
                                                                                {"b", {D}},
                                                                                {"cls", {D}},
                                                                                {"E_pos", {kTokens, D}},
                                                                                {"W_head", {D, kClasses}},
                                                                                {"b_head", {kClasses}}})
        arrays.push_back(random_array(name, shape, random, 1));
    return Weights(arrays, {{"made by", "a test"}});
}

/// A language model for the three sentences.
inline Weights random_sentence_weights() {
    constexpr int kWords = 14, kPositions = 8, D = 16, F = 8;
    ask::Random random(2, "sentences");
    Arrays arrays = random_blocks(2, D, F, random);
    arrays.push_back(random_array("table", {kWords, D}, random, 1));
    arrays.push_back(random_array("P", {kPositions, D}, random, 1));
    return Weights(arrays);
}

/// A transformer that translates dates.
inline Weights random_transformer_weights() {
    constexpr int kWords = 37, D = 8, F = 5;
    ask::Random random(4, "transformer");
    Arrays arrays = random_blocks(2, D, F, random);
    for (int l = 0; l < 2; ++l) {
        const auto add = [&](const std::string& name, const Shape& shape) {
            arrays.push_back(random_array("decoder." + std::to_string(l) + "." + name, shape, random, 0.7F));
        };
        for (const std::string norm : {"1", "2", "3"}) add("gamma_" + norm, {D}), add("beta_" + norm, {D});
        for (const std::string ending : {"", "_c"})
            for (const std::string letter : {"Q", "K", "V", "O"})
                add("W_" + letter + ending, {D, D}), add("b_" + letter + ending, {D});
        add("W_1", {D, F}), add("b_1", {F}), add("W_2", {F, D}), add("b_2", {D});
    }
    arrays.push_back(random_array("gamma_d", {D}, random, 1));
    arrays.push_back(random_array("beta_d", {D}, random, 1));
    arrays.push_back(random_array("embedding", {kWords, D}, random, 1));
    return Weights(arrays);
}

/// A translator of dates.
inline Weights random_date_weights() {
    constexpr int kWritten = 34, kIso = 11, D = 8, D_y = 6, D_s = 7, D_a = 5;
    ask::Random random(3, "dates");
    Arrays arrays;
    for (const auto& [name, shape] :
         std::vector<std::pair<std::string, Shape>>{{"source_table", {kWritten, D}},
                                                    {"encoder.W_x", {1, D, D}},
                                                    {"encoder.W_h", {1, D, D}},
                                                    {"encoder.b", {1, D}},
                                                    {"target_table", {kIso + 1, D_y}},
                                                    {"decoder.W_q", {D_s, D_a}},
                                                    {"decoder.W_k", {D, D_a}},
                                                    {"decoder.v", {D_a}},
                                                    {"decoder.W_x", {D_y + D, D_s}},
                                                    {"decoder.W_s", {D_s, D_s}},
                                                    {"decoder.b", {D_s}},
                                                    {"decoder.W_0", {D, D_s}},
                                                    {"decoder.b_0", {D_s}},
                                                    {"W_out", {D_s, kIso}},
                                                    {"b_out", {kIso}}})
        arrays.push_back(random_array(name, shape, random, 1));
    return Weights(arrays);
}

}  // namespace attn::trained
