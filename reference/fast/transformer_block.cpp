#include <cstring>

#include "contracts/multi_head_fast.h"
#include "contracts/transformer_block_fast.h"
#include "reference/fast/buffer.h"
#include "reference/fast/layer_kernels.h"
#include "reference/fast/layers.h"
#include "reference/fast/matmul.h"
#include "reference/refusals.h"

namespace attn::fast {
namespace {

auto kernel_of(Activation activation) {
    switch (activation) {
        case Activation::relu:
            return layer_kernels().relu;
        case Activation::gelu_erf:
            return layer_kernels().gelu_erf;
        case Activation::gelu_tanh:
            return layer_kernels().gelu_tanh;
    }
    refuse(activation);
}

thread_local Buffer hidden_numbers;

/// activation(X W_1 + b_1), good until the next call
TensorView<const float, 2> hidden_layer(TensorView<const float, 2> X, TensorView<const float, 2> W_1,
                                        TensorView<const float, 1> b_1, Activation activation) {
    const int N = X.size(0), F = W_1.size(1);
    const TensorView<float, 2> hidden(
        hidden_numbers.get(static_cast<std::size_t>(N) * static_cast<std::size_t>(F)), N, F);
    linear(hidden, X, W_1, b_1.data());
    activate(hidden, hidden, activation);
    return hidden;
}

}  // namespace

void layer_norm(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, float eps) {
    const auto normalise = layer_kernels().layer_norm;
    const std::ptrdiff_t D = X.size(1);
    for_row_blocks(X.size(0), X.size(1), [&](int first, int end) {
        for (int i = first; i < end; ++i)
            normalise(Y.data() + i * D, X.data() + i * D, gamma.data(), beta.data(), eps, D);
    });
}

void activate(TensorView<float, 2> Y, TensorView<const float, 2> X, Activation activation) {
    const auto kernel = kernel_of(activation);
    const std::ptrdiff_t D = X.size(1);
    for_row_blocks(X.size(0), X.size(1), [&](int first, int end) {
        kernel(Y.data() + first * D, X.data() + first * D, (end - first) * D);
    });
}

void feed_forward(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W_1,
                  TensorView<const float, 1> b_1, TensorView<const float, 2> W_2,
                  TensorView<const float, 1> b_2, Activation activation) {
    const auto hidden = hidden_layer(X, W_1, b_1, activation);
    linear(Y, hidden, W_2, b_2.data());
}

void add_feed_forward(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W_1,
                      TensorView<const float, 1> b_1, TensorView<const float, 2> W_2,
                      TensorView<const float, 1> b_2, Activation activation) {
    const auto hidden = hidden_layer(X, W_1, b_1, activation);
    linear_and_residual(Y, Matrix<float>(Y), hidden, W_2, b_2.data());
}

void transformer_block(TensorView<float, 3> Y, TensorView<const float, 3> X,
                       const BlockWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                       Norm norm, Activation activation, float eps) {
    const TensorView<float, 2> Y_rows = all_rows(Y);
    const Options allowed = options_of(mask);
    const auto norm_1 = [&](TensorView<float, 2> to, TensorView<const float, 2> from) {
        fast::layer_norm(to, from, weights.gamma_1, weights.beta_1, eps);
    };
    const auto norm_2 = [&](TensorView<float, 2> to, TensorView<const float, 2> from) {
        fast::layer_norm(to, from, weights.gamma_2, weights.beta_2, eps);
    };
    const auto feed = [&](TensorView<const float, 2> from) {
        add_feed_forward(Y_rows, from, weights.W_1, weights.b_1, weights.W_2, weights.b_2, activation);
    };
    if (norm == Norm::post) {
        // Y = LN_1(X + MHA(X, X))
        multi_head_attention_and_residual(Y, X, X, X, weights.attention, allowed, H);
        norm_1(Y_rows, Y_rows);
        // Y = LN_2(Y + FF(Y))
        feed(Y_rows);
        norm_2(Y_rows, Y_rows);
    } else {
        thread_local Buffer buffer;
        const TensorView<float, 3> L(buffer.get(static_cast<std::size_t>(X.count())), X.size(0), X.size(1),
                                     X.size(2));
        // Y = X + MHA(L, L), L = LN_1(X)
        norm_1(all_rows(L), all_rows(X));
        multi_head_attention_and_residual(Y, X, L, L, weights.attention, allowed, H);
        // Y = Y + FF(LN_2(Y))
        norm_2(all_rows(L), Y_rows);
        feed(all_rows(L));
    }
}

void transformer_encoder(TensorView<float, 3> Y, TensorView<const float, 3> X,
                         const EncoderWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                         Norm norm, Activation activation, float eps) {
    if (weights.layers() == 0 && Y.data() != X.data())
        std::memcpy(Y.data(), X.data(), sizeof(float) * static_cast<std::size_t>(X.count()));
    for (int l = 0; l < weights.layers(); ++l)
        fast::transformer_block(Y, l == 0 ? X : Y, weights.layer(l), mask, H, norm, activation, eps);
    if (norm == Norm::pre) fast::layer_norm(all_rows(Y), all_rows(Y), weights.gamma, weights.beta, eps);
}

}  // namespace attn::fast
