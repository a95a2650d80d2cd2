#include <cstring>

#include "contracts/multi_head_fast.h"
#include "reference/fast/attention.h"
#include "reference/fast/buffer.h"
#include "reference/fast/layers.h"
#include "reference/fast/matmul.h"
#include "reference/fast/threads.h"
#include "reference/refusals.h"

namespace attn::fast {
namespace {

/// Calls f(in X, in Y) for every head's part of every vector: X [B, N, H, D_h], Y [B, H, N, D_h].
template <class F>
void for_each_part(int B, int H, int N, int D_h, F f) {
    parallel_for(B, [=](int b) {
        for (int i = 0; i < N; ++i)
            for (int h = 0; h < H; ++h)
                f(((std::ptrdiff_t{b} * N + i) * H + h) * D_h, ((std::ptrdiff_t{b} * H + h) * N + i) * D_h);
    });
}

/// O_h of every head, all heads side by side, from Q, K, V = X W + b. O may be X_q.
void attend_in_heads(TensorView<float, 3> O, TensorView<const float, 3> X_q, TensorView<const float, 3> X_kv,
                     const MultiHeadWeights<float>& weights, const Options& options, int H) {
    const int B = X_q.size(0), N_q = X_q.size(1), D = X_q.size(2), N_k = X_kv.size(1);
    const auto numbers = [B, D](int N) {
        return static_cast<std::size_t>(B) * static_cast<std::size_t>(N) * static_cast<std::size_t>(D);
    };
    thread_local Buffer queries, keys, values;
    const auto project = [](TensorView<float, 3> Y, TensorView<const float, 3> X,
                            TensorView<const float, 2> W, TensorView<const float, 1> bias) {
        linear(Y, X, W, bias.data());
        return Y;
    };
    const auto Q = project({queries.get(numbers(N_q)), B, N_q, D}, X_q, weights.W_Q, weights.b_Q);
    const auto K = project({keys.get(numbers(N_k)), B, N_k, D}, X_kv, weights.W_K, weights.b_K);
    const auto V = project({values.get(numbers(N_k)), B, N_k, D}, X_kv, weights.W_V, weights.b_V);

    const std::ptrdiff_t D_h = D / H, row = D;
    attention({O.data(), N_q * row, D_h, row}, {Q.data(), N_q * row, D_h, row},
              {K.data(), N_k * row, D_h, row}, {V.data(), N_k * row, D_h, row},
              {B, H, N_q, N_k, D / H, D / H}, options);
}

thread_local Buffer attended_numbers;

/// Memory for O, which lives as long as the call that asks.
TensorView<float, 3> attended(TensorView<const float, 3> X_q) {
    return {attended_numbers.get(static_cast<std::size_t>(X_q.count())), X_q.size(0), X_q.size(1),
            X_q.size(2)};
}

}  // namespace

void split_heads(TensorView<float, 4> Y, TensorView<const float, 3> X) {
    const int H = Y.size(1), D_h = head_width(X.size(2), H);
    for_each_part(X.size(0), H, X.size(1), D_h, [&](std::ptrdiff_t in_X, std::ptrdiff_t in_Y) {
        std::memcpy(Y.data() + in_Y, X.data() + in_X, sizeof(float) * static_cast<std::size_t>(D_h));
    });
}

void merge_heads(TensorView<float, 3> Y, TensorView<const float, 4> X) {
    const int D_h = X.size(3);
    for_each_part(X.size(0), X.size(1), X.size(2), D_h, [&](std::ptrdiff_t merged, std::ptrdiff_t split) {
        std::memcpy(Y.data() + merged, X.data() + split, sizeof(float) * static_cast<std::size_t>(D_h));
    });
}

void multi_head_attention(TensorView<float, 3> Y, TensorView<const float, 3> X_q,
                          TensorView<const float, 3> X_kv, const MultiHeadWeights<float>& weights,
                          TensorView<const std::uint8_t, 3> mask, int H) {
    head_width(X_q.size(2), H);
    const TensorView<float, 3> O = attended(X_q);
    attend_in_heads(O, X_q, X_kv, weights, options_of(mask), H);
    linear(Y, O, weights.W_O, weights.b_O.data());
}

Options options_of(TensorView<const std::uint8_t, 3> mask) {
    const std::ptrdiff_t N_q = mask.size(1), N_k = mask.size(2);
    return {false, mask ? Mask{mask.data(), N_q * N_k, 0, N_k} : Mask{}};
}

void multi_head_attention_and_residual(TensorView<float, 3> Y, TensorView<const float, 3> R,
                                       TensorView<const float, 3> X_q, TensorView<const float, 3> X_kv,
                                       const MultiHeadWeights<float>& weights, const Options& options,
                                       int H) {
    head_width(X_q.size(2), H);
    const TensorView<float, 3> O = attended(X_q);
    attend_in_heads(O, X_q, X_kv, weights, options, H);
    linear_and_residual(Y, R, O, weights.W_O, weights.b_O.data());
}

}  // namespace attn::fast
