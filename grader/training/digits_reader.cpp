#include "grader/training/digits_reader.h"

#include <algorithm>
#include <functional>

#include "datasets/digits.h"
#include "datasets/shipped.h"
#include "grader/ask/inputs.h"

namespace attn::trained {
namespace {

constexpr int kImagesAtATime = 40;

std::vector<int> read_in_batches(const DigitImages& images,
                                 const std::function<Array(const Array&)>& logits_of) {
    std::vector<int> all;
    for (int first = 0; first < images.count(); first += kImagesAtATime) {
        const int count = std::min(kImagesAtATime, images.count() - first);
        const std::vector<int> read = largest(logits_of(images.some(first, count)));
        all.insert(all.end(), read.begin(), read.end());
    }
    return all;
}

Array tokens_of(Functions& f, const Weights& weights, const Array& X) {
    return reshaped(only(f("embed_patches", {X, weights("E"), weights("b"), weights("cls"), weights("E_pos"),
                                             ask::option("P", kDigitPatch)})),
                    {X.shape[0], weights("E_pos").shape[0], weights("cls").shape[0]}, "X");
}

}  // namespace

Array DigitImages::some(int first, int count) const {
    const auto size = static_cast<std::ptrdiff_t>(X.count() / static_cast<std::size_t>(X.shape[0]));
    const auto begin = X.as<float>().begin() + size * first;
    Shape shape = X.shape;
    shape[0] = count;
    return {"X", shape, std::vector<float>(begin, begin + size * count)};
}

DigitImages held_out_digits() {
    constexpr float kMostInk = 16;
    const data::Digits digits =
        data::split_off_last(data::read_digits(data::shipped("digits.csv.gz"))).held_out;
    std::vector<float> pixels = digits.pixels.as<float>();
    for (float& pixel : pixels) pixel /= kMostInk;
    const std::vector<std::uint8_t>& labels = digits.labels.as<std::uint8_t>();
    return {Array("X", {digits.pixels.shape[0], 1, digits.pixels.shape[1], digits.pixels.shape[2]}, pixels),
            std::vector<int>(labels.begin(), labels.end())};
}

std::vector<int> read_with_vit(Functions& f, const Weights& weights, const DigitImages& images) {
    Arrays inputs = weights.encoder();
    for (const char* const name : {"E", "b", "cls", "E_pos", "W_head", "b_head"})
        inputs.push_back(weights(name));
    constexpr double kGeluErf = 1;
    inputs.push_back(ask::option("P", kDigitPatch));
    inputs.push_back(ask::option("heads", kDigitHeads));
    inputs.push_back(ask::option("activation", kGeluErf));
    return read_in_batches(
        images, [&](const Array& X) { return only(f("vit_encode", ask::in_place_of(inputs, X))); });
}

std::vector<int> read_with_blocks(Functions& f, const Weights& weights, const DigitImages& images,
                                  From from) {
    return read_in_batches(images, [&](const Array& X) {
        Array Z = tokens_of(f, weights, X);
        for (int l = 0; l < weights.blocks(); ++l)
            Z = block_output(f, Z, weights.block(l), {.heads = kDigitHeads, .from = from});
        const int B = X.shape[0], N = Z.shape[1], D = Z.shape[2];
        Array first = Array::zeros<float>("X", {B, D});
        for (int b = 0; b < B; ++b)
            for (int d = 0; d < D; ++d)
                first.view<float, 2>()(b, d) = Z.as<float>()[static_cast<std::size_t>((b * N) * D + d)];
        return linear(normed(f, first, weights("gamma"), weights("beta")), weights("W_head"),
                      weights("b_head"));
    });
}

Array attention_of_last_block(Functions& f, const Weights& weights, const Array& X, From from) {
    Array Z = tokens_of(f, weights, X);
    const int last = weights.blocks() - 1;
    for (int l = 0; l < last; ++l)
        Z = block_output(f, Z, weights.block(l), {.heads = kDigitHeads, .from = from});
    return attention_in_block(f, Z, weights.block(last), {.heads = kDigitHeads, .from = from});
}

}  // namespace attn::trained
