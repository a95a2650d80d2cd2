// The reference for assignment 12, as kernels: an outer loop of masked_language_model.cpp becomes threads here.

#include <stdexcept>
#include <vector>

#include "device.h"
#include "masked_language_model_cuda.h"
#include "masking_cuda.h"
#include "transformer_block_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;
constexpr float kSqrt2 = 1.41421356F;

/// Throws std::invalid_argument for a number outside first .. end - 1. The host has to copy the numbers to see them.
template <int Rank>
void require_inside(TensorView<const int, Rank> numbers, int first, int end, cudaStream_t stream) {
    std::vector<int> copied(static_cast<std::size_t>(numbers.count()));
    check(cudaMemcpyAsync(copied.data(), numbers.data(), copied.size() * sizeof(int), cudaMemcpyDeviceToHost,
                          stream),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    for (const int number : copied)
        if (number < first || number >= end) throw std::invalid_argument("a number is outside its range");
}

void require_option(int number, int end) {
    if (number < 0 || number >= end) throw std::invalid_argument("a number is outside its range");
}

/// A thread owns one place.
__global__ void hide(TensorView<int, 2> hidden, TensorView<int, 2> targets, TensorView<const int, 2> tokens,
                     TensorView<const float, 2> u_place, TensorView<const float, 2> u_kind,
                     TensorView<const float, 2> u_word, int V, float share) {
    const std::ptrdiff_t n = thread_number();
    if (n >= tokens.count()) return;
    const auto [b, i] = index_in(tokens, n);
    const bool chosen = tokens(b, i) >= 5 && u_place(b, i) < share;
    targets(b, i) = chosen ? tokens(b, i) : -1;
    // 80 % <mask>, 10 % another word, 10 % as it is
    int token = tokens(b, i);
    if (chosen && u_kind(b, i) < 0.8F)
        token = 4;
    else if (chosen && u_kind(b, i) < 0.9F)
        token = 5 + static_cast<int>(u_word(b, i) * static_cast<float>(V - 5));
    hidden(b, i) = token;
}

/// A thread owns one place: its loss, and 1 if the target has the largest logit. -1 marks a place that does not count.
__global__ void losses_of_places(TensorView<float, 2> losses, TensorView<int, 2> hits,
                                 TensorView<const float, 3> logits, TensorView<const int, 2> targets) {
    const std::ptrdiff_t n = thread_number();
    if (n >= targets.count()) return;
    const auto [b, i] = index_in(targets, n);
    const int target = targets(b, i), V = logits.size(2);
    losses(b, i) = 0;
    hits(b, i) = -1;
    if (target == -1) return;
    int best = 0;
    for (int v = 1; v < V; ++v)
        if (logits(b, i, v) > logits(b, i, best)) best = v;
    float total = 0;
    for (int v = 0; v < V; ++v) total += expf(logits(b, i, v) - logits(b, i, best));
    losses(b, i) = logits(b, i, best) - logits(b, i, target) + logf(total);
    hits(b, i) = best == target ? 1 : 0;
}

/// One thread adds up all places.
__global__ void mean_of_places(TensorView<float, 1> loss, TensorView<float, 1> right,
                               TensorView<const float, 2> losses, TensorView<const int, 2> hits) {
    if (thread_number() > 0) return;
    float sum = 0;
    int counted = 0, good = 0;
    for (int b = 0; b < losses.size(0); ++b) {
        for (int i = 0; i < losses.size(1); ++i) {
            sum += losses(b, i);
            counted += hits(b, i) >= 0 ? 1 : 0;
            good += hits(b, i) > 0 ? 1 : 0;
        }
    }
    loss(0) = counted > 0 ? sum / static_cast<float>(counted) : 0.0F;
    right(0) = counted > 0 ? static_cast<float>(good) / static_cast<float>(counted) : 0.0F;
}

/// g = gelu_erf(X W + b). A thread owns one number of g.
__global__ void first_layer(TensorView<float, 2> g, TensorView<const float, 2> X,
                            TensorView<const float, 2> W, TensorView<const float, 1> b) {
    const std::ptrdiff_t n = thread_number();
    if (n >= g.count()) return;
    const auto [i, d] = index_in(g, n);
    float sum = b(d);
    for (int k = 0; k < W.size(0); ++k) sum += X(i, k) * W(k, d);
    g(i, d) = sum * (1 + erff(sum / kSqrt2)) / 2;
}

/// logits = h table^T + bias. A thread owns one logit.
__global__ void products_with_table(TensorView<float, 2> logits, TensorView<const float, 2> h,
                                    TensorView<const float, 2> table, TensorView<const float, 1> bias) {
    const std::ptrdiff_t n = thread_number();
    if (n >= logits.count()) return;
    const auto [i, v] = index_in(logits, n);
    float dot = bias(v);
    for (int d = 0; d < table.size(1); ++d) dot += h(i, d) * table(v, d);
    logits(i, v) = dot;
}

/// s = tanh(x W + b) of the first or last token. A thread owns one number of s.
__global__ void layer_of_token(TensorView<float, 2> s, TensorView<const float, 3> X,
                               TensorView<const int, 1> lengths, TensorView<const float, 2> W,
                               TensorView<const float, 1> b, bool first) {
    const std::ptrdiff_t n = thread_number();
    if (n >= s.count()) return;
    const auto [row, d] = index_in(s, n);
    const int length = lengths ? lengths(row) : X.size(1);
    const int place = first ? 0 : length - 1;
    float sum = b(d);
    for (int k = 0; k < W.size(0); ++k) sum += X(row, place, k) * W(k, d);
    s(row, d) = tanhf(sum);
}

/// logits = s W_c + b_c. A thread owns one logit.
__global__ void logits_of_classes(TensorView<float, 2> logits, TensorView<const float, 2> s,
                                  TensorView<const float, 2> W_c, TensorView<const float, 1> b_c) {
    const std::ptrdiff_t n = thread_number();
    if (n >= logits.count()) return;
    const auto [row, c] = index_in(logits, n);
    float sum = b_c(c);
    for (int d = 0; d < W_c.size(0); ++d) sum += s(row, d) * W_c(d, c);
    logits(row, c) = sum;
}

/// <s> first <sep> second </s> <pad> .. A thread owns one place.
__global__ void join(TensorView<int, 2> tokens, TensorView<int, 2> positions, TensorView<int, 2> languages,
                     TensorView<const int, 2> first, TensorView<const int, 2> second,
                     TensorView<const int, 1> lengths_1, TensorView<const int, 1> lengths_2, int language_1,
                     int language_2, int separator) {
    const std::ptrdiff_t n = thread_number();
    if (n >= tokens.count()) return;
    const auto [b, i] = index_in(tokens, n);
    // <sep> has the position 0, and the second sentence counts from it
    const int sep = lengths_1(b) + 1, end = sep + lengths_2(b) + 1;
    int token = 0;
    if (i == 0)
        token = 1;
    else if (i < sep)
        token = first(b, i - 1);
    else if (i == sep)
        token = separator;
    else if (i < end)
        token = second(b, i - sep - 1);
    else if (i == end)
        token = 2;
    tokens(b, i) = token;
    positions(b, i) = i > end ? 0 : i < sep ? i : i - sep;
    languages(b, i) = i > end ? 0 : i < sep ? language_1 : language_2;
}

/// X = table[tokens] + P[positions] + E[languages], or 0 where <pad> stands. A thread owns one number of X.
__global__ void add_three_vectors(TensorView<float, 3> X, TensorView<const int, 2> tokens,
                                  TensorView<const int, 2> positions, TensorView<const int, 2> languages,
                                  TensorView<const float, 2> table, TensorView<const float, 2> P,
                                  TensorView<const float, 2> E) {
    const std::ptrdiff_t n = thread_number();
    if (n >= X.count()) return;
    const auto [b, i, d] = index_in(X, n);
    X(b, i, d) =
        tokens(b, i) == 0 ? 0.0F : table(tokens(b, i), d) + P(positions(b, i), d) + E(languages(b, i), d);
}

/// lengths = n_1 + n_2 + 3. A thread owns one sequence.
__global__ void whole_lengths(TensorView<int, 1> lengths, TensorView<const int, 1> lengths_1,
                              TensorView<const int, 1> lengths_2) {
    const std::ptrdiff_t n = thread_number();
    if (n >= lengths.count()) return;
    const int b = static_cast<int>(n);
    lengths(b) = lengths_1(b) + lengths_2(b) + 3;
}

}  // namespace

void mask_tokens(TensorView<int, 2> hidden, TensorView<int, 2> targets, TensorView<const int, 2> tokens,
                 TensorView<const float, 2> u_place, TensorView<const float, 2> u_kind,
                 TensorView<const float, 2> u_word, int V, float share, cudaStream_t stream) {
    require_inside(tokens, 0, V, stream);
    hide<<<blocks_for(tokens.count(), kThreads), kThreads, 0, stream>>>(hidden, targets, tokens, u_place,
                                                                        u_kind, u_word, V, share);
    check(cudaGetLastError(), "hide");
}

void mlm_loss(TensorView<float, 1> loss, TensorView<float, 1> right, TensorView<const float, 3> logits,
              TensorView<const int, 2> targets, cudaStream_t stream) {
    const int B = targets.size(0), N = targets.size(1);
    require_inside(targets, -1, logits.size(2), stream);
    const DeviceBuffer<float> of_places(stream, B, N);
    const DeviceBuffer<int> whether(stream, B, N);
    const TensorView<float, 2> losses = of_places.view(B, N);
    const TensorView<int, 2> hits = whether.view(B, N);
    losses_of_places<<<blocks_for(targets.count(), kThreads), kThreads, 0, stream>>>(losses, hits, logits,
                                                                                     targets);
    check(cudaGetLastError(), "losses_of_places");
    mean_of_places<<<1, 1, 0, stream>>>(loss, right, losses, hits);
    check(cudaGetLastError(), "mean_of_places");
}

void token_head(TensorView<float, 3> logits, TensorView<const float, 3> X, TensorView<const float, 2> W,
                TensorView<const float, 1> b, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, TensorView<const float, 2> table,
                TensorView<const float, 1> bias, float eps, cudaStream_t stream) {
    // The tokens of all sequences, one after the other
    const int rows = X.size(0) * X.size(1), D = X.size(2), V = table.size(0);
    const DeviceBuffer<float> layer(stream, rows, D), normed(stream, rows, D);
    const TensorView<float, 2> g = layer.view(rows, D), h = normed.view(rows, D);
    const TensorView<float, 2> all(logits.data(), rows, V);
    // g = gelu_erf(X W + b)
    first_layer<<<blocks_for(g.count(), kThreads), kThreads, 0, stream>>>(
        g, TensorView<const float, 2>(X.data(), rows, D), W, b);
    check(cudaGetLastError(), "first_layer");
    // h = LN(g)
    layer_norm(h, g, gamma, beta, eps, stream);
    // logits = h table^T + bias
    products_with_table<<<blocks_for(all.count(), kThreads), kThreads, 0, stream>>>(all, h, table, bias);
    check(cudaGetLastError(), "products_with_table");
}

void sentence_head(TensorView<float, 2> logits, TensorView<const float, 3> X,
                   TensorView<const int, 1> lengths, TensorView<const float, 2> W,
                   TensorView<const float, 1> b, TensorView<const float, 2> W_c,
                   TensorView<const float, 1> b_c, SentenceToken token, cudaStream_t stream) {
    const int B = X.size(0), D = X.size(2);
    if (lengths) require_inside(lengths, 1, X.size(1) + 1, stream);
    const DeviceBuffer<float> layer(stream, B, D);
    const TensorView<float, 2> s = layer.view(B, D);
    // s = tanh(x W + b)
    layer_of_token<<<blocks_for(s.count(), kThreads), kThreads, 0, stream>>>(s, X, lengths, W, b,
                                                                             token == SentenceToken::first);
    check(cudaGetLastError(), "layer_of_token");
    // logits = s W_c + b_c
    logits_of_classes<<<blocks_for(logits.count(), kThreads), kThreads, 0, stream>>>(logits, s, W_c, b_c);
    check(cudaGetLastError(), "logits_of_classes");
}

void tlm_input(TensorView<float, 3> X, TensorView<int, 2> tokens, TensorView<int, 2> positions,
               TensorView<int, 2> languages, TensorView<const int, 2> first, TensorView<const int, 2> second,
               TensorView<const int, 1> lengths_1, TensorView<const int, 1> lengths_2,
               TensorView<const float, 2> table, TensorView<const float, 2> P, TensorView<const float, 2> E,
               int language_1, int language_2, int separator, cudaStream_t stream) {
    require_inside(first, 0, table.size(0), stream);
    require_inside(second, 0, table.size(0), stream);
    require_inside(lengths_1, 1, first.size(1) + 1, stream);
    require_inside(lengths_2, 1, second.size(1) + 1, stream);
    require_option(language_1, E.size(0));
    require_option(language_2, E.size(0));
    require_option(separator, table.size(0));
    join<<<blocks_for(tokens.count(), kThreads), kThreads, 0, stream>>>(
        tokens, positions, languages, first, second, lengths_1, lengths_2, language_1, language_2, separator);
    check(cudaGetLastError(), "join");
    add_three_vectors<<<blocks_for(X.count(), kThreads), kThreads, 0, stream>>>(X, tokens, positions,
                                                                                languages, table, P, E);
    check(cudaGetLastError(), "add_three_vectors");
}

void nli_logits(TensorView<float, 2> logits, TensorView<const int, 2> premise,
                TensorView<const int, 2> hypothesis, TensorView<const int, 1> lengths_1,
                TensorView<const int, 1> lengths_2, TensorView<const float, 2> table,
                TensorView<const float, 2> P, TensorView<const float, 2> E,
                const EncoderWeights<float>& weights, TensorView<const float, 2> W,
                TensorView<const float, 1> b, TensorView<const float, 2> W_c, TensorView<const float, 1> b_c,
                int H, SentenceToken token, int language_1, int language_2, int separator,
                cudaStream_t stream) {
    const int B = premise.size(0), N = P.size(0), D = P.size(1);
    const DeviceBuffer<int> numbers(stream, 3, B, N), ends(stream, B);
    const DeviceBuffer<std::uint8_t> allowed(stream, B, N, N);
    const DeviceBuffer<float> inputs(stream, B, N, D), outputs(stream, B, N, D);
    const TensorView<int, 3> three = numbers.view(3, B, N);
    const TensorView<int, 1> lengths = ends.view(B);
    const TensorView<std::uint8_t, 3> mask = allowed.view(B, N, N);
    const TensorView<float, 3> X = inputs.view(B, N, D), Y = outputs.view(B, N, D);
    tlm_input(X, three[0], three[1], three[2], premise, hypothesis, lengths_1, lengths_2, table, P, E,
              language_1, language_2, separator, stream);
    // No token attends to <pad>
    whole_lengths<<<blocks_for(B, kThreads), kThreads, 0, stream>>>(lengths, lengths_1, lengths_2);
    check(cudaGetLastError(), "whole_lengths");
    padding_mask(mask, lengths, stream);
    transformer_encoder(Y, X, weights, mask, H, Norm::post, Activation::gelu_erf, 1e-5F, stream);
    sentence_head(logits, Y, lengths, W, b, W_c, b_c, token, stream);
}

}  // namespace attn::cuda
