#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "contracts/multi_head_reference.h"
#include "contracts/transformer_block_reference.h"
#include "reference/refusals.h"

namespace attn::cpu {
namespace {

/// Memory for one temporary [B, N, D], and the view of it.
template <class T>
class Tokens {
  public:
    Tokens(int B, int N, int D)
        : B_(B),
          N_(N),
          D_(D),
          numbers_(static_cast<std::size_t>(B) * static_cast<std::size_t>(N) * static_cast<std::size_t>(D)) {}
    TensorView<T, 3> view() { return {numbers_.data(), B_, N_, D_}; }

  private:
    int B_, N_, D_;
    std::vector<T> numbers_;
};

template <class T>
T activated(T x, Activation activation) {
    constexpr T kHalf = T(0.5);
    switch (activation) {
        case Activation::relu:  // relu(x) = max(0, x); NaN stays NaN
            return x < 0 ? T(0) : x;
        case Activation::gelu_erf:  // gelu_erf(x) = x (1 + erf(x / sqrt 2)) / 2
            return x * (1 + std::erf(x / std::numbers::sqrt2_v<T>)) * kHalf;
        case Activation::gelu_tanh: {  // gelu_tanh(x) = x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
            const T inner = std::sqrt(2 * std::numbers::inv_pi_v<T>) * (x + T(0.044715) * x * x * x);
            return x * (1 + std::tanh(inner)) * kHalf;
        }
    }
    refuse(activation);
}

/// All tokens of all batches as the rows of one matrix, for functions that treat every token
/// separately.
template <class T>
TensorView<T, 2> rows(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

/// X = X + Y
template <class T>
void add(TensorView<T, 3> X, TensorView<const T, 3> Y) {
    for (int b = 0; b < X.size(0); ++b)
        for (int i = 0; i < X.size(1); ++i)
            for (int d = 0; d < X.size(2); ++d) X(b, i, d) += Y(b, i, d);
}

template <class T>
void copy(TensorView<T, 3> Y, TensorView<const T, 3> X) {
    std::copy(X.data(), X.data() + X.count(), Y.data());
}

}  // namespace

template <class T>
void layer_norm(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const T, 1> gamma,
                TensorView<const T, 1> beta, T eps) {
    const int D = X.size(1);
    for (int i = 0; i < X.size(0); ++i) {
        // mu = 1/D sum_d x_d
        T mu = 0;
        for (int d = 0; d < D; ++d) mu += X(i, d);
        mu /= static_cast<T>(D);
        // var = 1/D sum_d (x_d - mu)^2; sum x^2 - mu^2 would lose a small spread far from 0.
        T var = 0;
        for (int d = 0; d < D; ++d) var += (X(i, d) - mu) * (X(i, d) - mu);
        var /= static_cast<T>(D);
        // y_d = gamma_d (x_d - mu) / sqrt(var + eps) + beta_d
        for (int d = 0; d < D; ++d) Y(i, d) = gamma(d) * (X(i, d) - mu) / std::sqrt(var + eps) + beta(d);
    }
}

template <class T>
void feed_forward(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const T, 2> W_1,
                  TensorView<const T, 1> b_1, TensorView<const T, 2> W_2, TensorView<const T, 1> b_2,
                  Activation activation) {
    const int D = X.size(1), F = W_1.size(1);
    std::vector<T> numbers(static_cast<std::size_t>(F));
    const TensorView<T, 1> hidden(numbers.data(), F);
    for (int i = 0; i < X.size(0); ++i) {
        // hidden = activation(x W_1 + b_1)      [F]
        for (int f = 0; f < F; ++f) {
            T sum = 0;
            for (int d = 0; d < D; ++d) sum += X(i, d) * W_1(d, f);
            hidden(f) = activated(sum + b_1(f), activation);
        }
        // y = hidden W_2 + b_2      [D]
        for (int d = 0; d < D; ++d) {
            T sum = 0;
            for (int f = 0; f < F; ++f) sum += hidden(f) * W_2(f, d);
            Y(i, d) = sum + b_2(d);
        }
    }
}

template <class T>
void transformer_block(TensorView<T, 3> Y, TensorView<const T, 3> X, const BlockWeights<T>& weights,
                       TensorView<const std::uint8_t, 3> mask, int H, Norm norm, Activation activation,
                       T eps) {
    const int B = X.size(0), N = X.size(1), D = X.size(2);
    Tokens<T> attended(B, N, D), sum(B, N, D), stream(B, N, D), normalised(B, N, D), fed(B, N, D);
    const TensorView<T, 3> A = attended.view(), S = sum.view(), Z = stream.view(), L = normalised.view(),
                           M = fed.view();
    const auto LN_1 = [&](TensorView<T, 3> to, TensorView<const T, 3> from) {
        layer_norm<T>(rows<T>(to), rows<const T>(from), weights.gamma_1, weights.beta_1, eps);
    };
    const auto LN_2 = [&](TensorView<T, 3> to, TensorView<const T, 3> from) {
        layer_norm<T>(rows<T>(to), rows<const T>(from), weights.gamma_2, weights.beta_2, eps);
    };
    const auto FF = [&](TensorView<T, 3> to, TensorView<const T, 3> from) {
        feed_forward<T>(rows<T>(to), rows<const T>(from), weights.W_1, weights.b_1, weights.W_2, weights.b_2,
                        activation);
    };
    if (norm == Norm::post) {
        // Z = LN_1(S) with S = X + MHA(X, X)
        copy<T>(S, X);
        multi_head_attention<T>(A, X, X, weights.attention, mask, H);
        add<T>(S, A);
        LN_1(Z, S);
        // Y = LN_2(Z + FF(Z))
        FF(M, Z);
        add<T>(M, Z);
        LN_2(Y, M);
    } else {
        // Z = X + MHA(LN_1(X), LN_1(X))
        LN_1(L, X);
        multi_head_attention<T>(A, L, L, weights.attention, mask, H);
        copy<T>(Z, X);
        add<T>(Z, A);
        // Y = Z + FF(LN_2(Z))
        LN_2(L, Z);
        FF(Y, L);
        add<T>(Y, Z);
    }
}

template <class T>
void transformer_encoder(TensorView<T, 3> Y, TensorView<const T, 3> X, const EncoderWeights<T>& weights,
                         TensorView<const std::uint8_t, 3> mask, int H, Norm norm, Activation activation,
                         T eps) {
    const int B = X.size(0), N = X.size(1), D = X.size(2);
    Tokens<T> stream(B, N, D);
    const TensorView<T, 3> X_l = stream.view();
    // X_l = block l of X_{l-1}
    copy<T>(X_l, X);
    for (int l = 0; l < weights.layers(); ++l) {
        transformer_block<T>(Y, X_l, weights.layer(l), mask, H, norm, activation, eps);
        copy<T>(X_l, Y);
    }
    // Y = LN(X_L) if norm = pre: then no block has normalised X_L
    if (norm == Norm::pre)
        layer_norm<T>(rows<T>(Y), rows<const T>(X_l), weights.gamma, weights.beta, eps);
    else
        copy<T>(Y, X_l);
}

}  // namespace attn::cpu

#include "contracts/transformer_block_instances.h"
