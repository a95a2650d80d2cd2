// Another right solution: mean and variance in one running pass (Welford), multiplication by 1/sigma instead
// of a division, feed-forward by outer products over the hidden numbers, GELU by the complement of erf and by
// exp, all tokens of all batches as one matrix, and blocks that work in place.

#include <algorithm>
#include <cmath>
#include <vector>

#include "multi_head.h"
#include "transformer_block.h"

namespace attn {

void layer_norm(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, float eps) {
    for (int i = 0; i < X.size(0); i++) {
        float mean = 0, squares = 0;
        for (int d = 0; d < X.size(1); d++) {
            const float before = X(i, d) - mean;
            mean += before / float(d + 1);
            squares += before * (X(i, d) - mean);
        }
        const float inverse = 1 / std::sqrt(squares * (1.0f / float(X.size(1))) + eps);
        for (int d = 0; d < X.size(1); d++) Y(i, d) = (X(i, d) - mean) * (inverse * gamma(d)) + beta(d);
    }
}

static float gelu_by_erfc(float x) {
    return x * 0.5f * std::erfc(-x * 0.70710678f);
}

// (1 + tanh z) / 2 = 1 / (1 + e^-2z)
static float gelu_by_exp(float x) {
    return x / (1 + std::exp(-1.5957691216f * (x + 0.044715f * x * x * x)));
}

void feed_forward(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W_1,
                  TensorView<const float, 1> b_1, TensorView<const float, 2> W_2,
                  TensorView<const float, 1> b_2, Activation activation) {
    for (int i = 0; i < X.size(0); i++) {
        std::vector<float> y(W_2.size(1), 0.0f);
        for (int f = 0; f < W_1.size(1); f++) {
            float even = 0, odd = 0;
            for (int d = 0; d < X.size(1); d += 2) even += X(i, d) * W_1(d, f);
            for (int d = 1; d < X.size(1); d += 2) odd += X(i, d) * W_1(d, f);
            const float h = even + odd + b_1(f);
            const float a = activation == Activation::relu       ? std::max(h, 0.0f)
                            : activation == Activation::gelu_erf ? gelu_by_erfc(h)
                                                                 : gelu_by_exp(h);
            for (int d = 0; d < W_2.size(1); d++) y[d] += a * W_2(f, d);
        }
        for (int d = 0; d < W_2.size(1); d++) Y(i, d) = b_2(d) + y[d];
    }
}

// All tokens of all batches, one under the other.
template <class T>
static TensorView<T, 2> flat(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

void transformer_block(TensorView<float, 3> Y, TensorView<const float, 3> X, const BlockWeights<float>& w,
                       TensorView<const std::uint8_t, 3> mask, int H, Norm norm, Activation activation,
                       float eps) {
    std::vector<float> normed(X.data(), X.data() + X.count()), found(normed.size());
    TensorView<float, 3> N(normed.data(), X.size(0), X.size(1), X.size(2));
    TensorView<float, 3> F(found.data(), X.size(0), X.size(1), X.size(2));
    const auto Y_2 = flat(Y), N_2 = flat(N), F_2 = flat(F);
    const auto plus = [&](TensorView<float, 2> to) {
        for (int i = 0; i < to.size(0); i++)
            for (int d = 0; d < to.size(1); d++) to(i, d) += F_2(i, d);
    };
    std::copy(normed.begin(), normed.end(), Y.data());
    if (norm == Norm::pre) layer_norm(N_2, Y_2, w.gamma_1, w.beta_1, eps);
    multi_head_attention(F, N, N, w.attention, mask, H);
    plus(Y_2);
    layer_norm(N_2, Y_2, norm == Norm::pre ? w.gamma_2 : w.gamma_1, norm == Norm::pre ? w.beta_2 : w.beta_1,
               eps);
    feed_forward(F_2, N_2, w.W_1, w.b_1, w.W_2, w.b_2, activation);
    if (norm == Norm::pre) {
        plus(Y_2);
    } else {
        plus(N_2);
        layer_norm(Y_2, N_2, w.gamma_2, w.beta_2, eps);
    }
}

void transformer_encoder(TensorView<float, 3> Y, TensorView<const float, 3> X,
                         const EncoderWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                         Norm norm, Activation activation, float eps) {
    std::copy(X.data(), X.data() + X.count(), Y.data());
    for (int l = 0; l < weights.layers(); l++)
        transformer_block(Y, Y, weights.layer(l), mask, H, norm, activation, eps);
    if (norm == Norm::pre) layer_norm(flat(Y), flat(Y), weights.gamma, weights.beta, eps);
}

}  // namespace attn
