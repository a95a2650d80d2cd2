#include "reference/models/transformer.h"

#include <algorithm>
#include <cmath>

#include "contracts/encoder_decoder_reference.h"
#include "contracts/positional_encoding_reference.h"

namespace attn::training {
namespace {

/// x = sqrt(D) embedding[word] + P[p], for all words [B, N]
void enter(View3 X, const std::vector<int>& words, Read2 embedding) {
    const int B = X.size(0), N = X.size(1), D = X.size(2);
    Tensor<2> positions;
    const View2 P = positions.shaped(N, D);
    cpu::sinusoidal_positions<float>(P);
    const float root = std::sqrt(static_cast<float>(D));
    const TensorView<const int, 2> word(words.data(), B, N);
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < N; ++i)
            for (int d = 0; d < D; ++d) X(b, i, d) = root * embedding(word(b, i), d) + P(i, d);
}

/// dembedding[word] += sqrt(D) dX
void enter_backward(View2 dembedding, const std::vector<int>& words, Read3 dX) {
    const int B = dX.size(0), N = dX.size(1), D = dX.size(2);
    const float root = std::sqrt(static_cast<float>(D));
    const TensorView<const int, 2> word(words.data(), B, N);
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < N; ++i)
            for (int d = 0; d < D; ++d) dembedding(word(b, i), d) += root * dX(b, i, d);
}

}  // namespace

Transformer::Transformer(Layout& layout, int V, StackSizes sizes)
    : V_(V),
      sizes_(sizes),
      encoder_([&] {
          layout.add("embedding", {V, sizes.D}, {0, 1 / std::sqrt(static_cast<float>(sizes.D))}, true);
          return Stack(layout, sizes);
      }()),
      decoder_(layout, sizes) {}

void Transformer::encode(Modules& modules, const Layout& layout, const float* theta,
                         const std::vector<std::vector<int>>& source) {
    lengths_.clear();
    for (const std::vector<int>& sentence : source) lengths_.push_back(static_cast<int>(sentence.size()));
    const int B = static_cast<int>(source.size()), T = *std::max_element(lengths_.begin(), lengths_.end());
    source_.clear();
    source_mask_.assign(static_cast<std::size_t>(B) * static_cast<std::size_t>(T * T), 0);
    const TensorView<std::uint8_t, 3> mask(source_mask_.data(), B, T, T);
    for (int b = 0; b < B; ++b) {
        const std::vector<int>& sentence = source[static_cast<std::size_t>(b)];
        source_.insert(source_.end(), sentence.begin(), sentence.end());
        source_.resize(static_cast<std::size_t>(b + 1) * static_cast<std::size_t>(T), kEndWord);
        for (int i = 0; i < T; ++i)
            for (int j = 0; j < lengths_[static_cast<std::size_t>(b)]; ++j) mask(b, i, j) = 1;
    }
    const View3 X = X_.shaped(B, T, sizes_.D);
    enter(X, source_, layout.view<2>(theta, "embedding"));
    const Read3 S = encoder_.forward(modules, layout, theta, X, mask);
    std::copy_n(S.data(), S.count(), S_.shaped(B, T, sizes_.D).data());
}

DecoderMasks Transformer::masks() const {
    const int B = entered_.view().size(0), N = entered_.view().size(1), T = S_.view().size(1);
    return {{target_mask_.data(), B, N, N}, {cross_mask_.data(), B, N, T}};
}

Read3 Transformer::decode(Modules& modules, const Layout& layout, const float* theta,
                          const std::vector<int>& words, int N_t) {
    const int B = S_.view().size(0), T = S_.view().size(1);
    const View3 X = entered_.shaped(B, N_t, sizes_.D);
    enter(X, words, layout.view<2>(theta, "embedding"));
    const std::size_t rows = static_cast<std::size_t>(B) * static_cast<std::size_t>(N_t);
    target_mask_.assign(rows * static_cast<std::size_t>(N_t), 0);
    cross_mask_.assign(rows * static_cast<std::size_t>(T), 0);
    const TensorView<std::uint8_t, 3> target(target_mask_.data(), B, N_t, N_t),
        cross(cross_mask_.data(), B, N_t, T);
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < N_t; ++i) {
            for (int j = 0; j <= i; ++j) target(b, i, j) = 1;
            for (int j = 0; j < lengths_[static_cast<std::size_t>(b)]; ++j) cross(b, i, j) = 1;
        }
    Z_ = decoder_.forward(modules, layout, theta, X, S_.view(), masks());
    const View3 logits = logits_.shaped(B, N_t, V_);
    modules.score_words(rows_of(logits), rows_of(Z_), layout.view<2>(theta, "embedding"));
    return logits;
}

double Transformer::gradients(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                              const Pairs& batch) {
    encode(modules, layout, theta, batch.source);
    const int B = static_cast<int>(batch.target.size()), N = static_cast<int>(batch.target[0].size());
    // Place i reads the word before the one that it should say.
    std::vector<int> read, said;
    for (const std::vector<int>& target : batch.target) {
        read.push_back(kStartWord);
        read.insert(read.end(), target.begin(), target.end() - 1);
        said.insert(said.end(), target.begin(), target.end());
    }
    const TensorView<const int, 2> targets(said.data(), B, N);
    const Read3 logits = decode(modules, layout, theta, read, N);
    const double loss = modules.cross_entropy(logits, targets, 0);

    const View3 dlogits = dlogits_.shaped(B, N, V_), dZ = dZ_.shaped(B, N, sizes_.D);
    const View2 dembedding = layout.view<2>(gradient, "embedding");
    modules.cross_entropy_backward(dlogits, 1, logits, targets, 0);
    modules.score_words_backward(rows_of(dZ), dembedding, rows_of<const float>(dlogits), rows_of(Z_),
                                 layout.view<2>(theta, "embedding"));
    const auto [dX, dS] = decoder_.backward(modules, layout, gradient, theta, dZ, S_.view(), masks());
    enter_backward(dembedding, read, dX);
    const int T = S_.view().size(1);
    enter_backward(dembedding, source_,
                   encoder_.backward(modules, layout, gradient, theta, dS, {source_mask_.data(), B, T, T}));
    return loss;
}

std::vector<std::vector<int>> Transformer::translate(Modules& modules, const Layout& layout,
                                                     const float* theta,
                                                     const std::vector<std::vector<int>>& source,
                                                     int length) {
    encode(modules, layout, theta, source);
    std::vector<std::vector<int>> said(source.size());
    for (int N = 1; N <= length; ++N) {
        std::vector<int> read;
        for (const std::vector<int>& words : said) {
            read.push_back(kStartWord);
            read.insert(read.end(), words.begin(), words.end());
        }
        const Read3 logits = decode(modules, layout, theta, read, N);
        for (std::size_t b = 0; b < said.size(); ++b)
            said[b].push_back(largest(logits[static_cast<int>(b)][N - 1]));
    }
    return said;
}

Array Transformer::alignment(const std::string& name, const Layout& layout, const float* theta, int b) const {
    const Read3 queries = decoder_.last_queries();
    const int N = queries.size(1), T = S_.view().size(1), H = sizes_.H;
    const int length = lengths_[static_cast<std::size_t>(b)];
    Tensor<3> unused;
    Tensor<4> weights;
    const TensorView<float, 4> A = weights.shaped(1, H, N, T);
    cpu::cross_attention<float>(unused.shaped(1, N, sizes_.D), A, {queries[b].data(), 1, N, sizes_.D},
                                {S_.view()[b].data(), 1, T, sizes_.D},
                                decoder_block_weights(layout, theta, sizes_.L - 1).cross(), {&length, 1}, H);
    Array mean = Array::zeros<float>(name, {N, length});
    for (int h = 0; h < H; ++h)
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < length; ++j)
                mean.view<float, 2>()(i, j) += A(0, h, i, j) / static_cast<float>(H);
    return mean;
}

}  // namespace attn::training
