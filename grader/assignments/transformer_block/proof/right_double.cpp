// Another right solution: every sum and every activation is in double and is rounded to float once. One
// function computes each sublayer of a block.

#include <cmath>
#include <functional>
#include <vector>

#include "multi_head.h"
#include "transformer_block.h"

namespace attn {

void layer_norm(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, float eps) {
    const int D = X.size(1);
    for (int i = 0; i < X.size(0); i++) {
        double sum = 0, squares = 0;
        for (int d = 0; d < D; d++) sum += X(i, d);
        for (int d = 0; d < D; d++) squares += std::pow(X(i, d) - sum / D, 2);
        for (int d = 0; d < D; d++)
            Y(i, d) = float(gamma(d) * (X(i, d) - sum / D) / std::sqrt(squares / D + eps) + beta(d));
    }
}

static double activate(double x, Activation activation) {
    const double pi = std::acos(-1.0);
    switch (activation) {
        case Activation::relu:
            return std::fmax(0.0, x);
        case Activation::gelu_erf:
            return x * (1 + std::erf(x / std::sqrt(2.0))) / 2;
        default:
            return x * (1 + std::tanh(std::sqrt(2 / pi) * (x + 0.044715 * std::pow(x, 3)))) / 2;
    }
}

void feed_forward(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W_1,
                  TensorView<const float, 1> b_1, TensorView<const float, 2> W_2,
                  TensorView<const float, 1> b_2, Activation activation) {
    for (int i = 0; i < X.size(0); i++) {
        std::vector<double> y(X.size(1));
        for (int d = 0; d < X.size(1); d++) y[d] = b_2(d);
        for (int f = 0; f < W_1.size(1); f++) {
            double hidden = b_1(f);
            for (int d = 0; d < X.size(1); d++) hidden += double(X(i, d)) * W_1(d, f);
            hidden = activate(hidden, activation);
            for (int d = 0; d < X.size(1); d++) y[d] += hidden * W_2(f, d);
        }
        for (int d = 0; d < X.size(1); d++) Y(i, d) = float(y[d]);
    }
}

using Tokens = TensorView<float, 3>;
using ReadTokens = TensorView<const float, 3>;
using Layer = std::function<void(Tokens to, ReadTokens from)>;

// stream = stream + layer(norm(stream)), or norm(stream + layer(stream))
static void sublayer(Tokens stream, const Layer& layer, const Layer& norm, bool pre) {
    std::vector<float> before(stream.data(), stream.data() + stream.count()), after(before.size());
    Tokens in(before.data(), stream.size(0), stream.size(1), stream.size(2));
    Tokens out(after.data(), stream.size(0), stream.size(1), stream.size(2));
    if (pre) norm(in, stream);
    layer(out, in);
    for (int b = 0; b < stream.size(0); b++)
        for (int i = 0; i < stream.size(1); i++)
            for (int d = 0; d < stream.size(2); d++) out(b, i, d) += stream(b, i, d);
    if (!pre) norm(stream, out);
    for (int b = 0; b < stream.size(0); b++)
        for (int i = 0; i < stream.size(1); i++)
            for (int d = 0; d < stream.size(2); d++)
                if (pre) stream(b, i, d) = out(b, i, d);
}

void transformer_block(Tokens Y, ReadTokens X, const BlockWeights<float>& w,
                       TensorView<const std::uint8_t, 3> mask, int H, Norm norm, Activation activation,
                       float eps) {
    for (int b = 0; b < X.size(0); b++)
        for (int i = 0; i < X.size(1); i++)
            for (int d = 0; d < X.size(2); d++) Y(b, i, d) = X(b, i, d);
    const Layer attend = [&](Tokens to, ReadTokens from) {
        multi_head_attention(to, from, from, w.attention, mask, H);
    };
    const Layer feed = [&](Tokens to, ReadTokens from) {
        for (int b = 0; b < to.size(0); b++)
            feed_forward(to[b], from[b], w.W_1, w.b_1, w.W_2, w.b_2, activation);
    };
    const Layer norm_1 = [&](Tokens to, ReadTokens from) {
        for (int b = 0; b < to.size(0); b++) layer_norm(to[b], from[b], w.gamma_1, w.beta_1, eps);
    };
    const Layer norm_2 = [&](Tokens to, ReadTokens from) {
        for (int b = 0; b < to.size(0); b++) layer_norm(to[b], from[b], w.gamma_2, w.beta_2, eps);
    };
    sublayer(Y, attend, norm_1, norm == Norm::pre);
    sublayer(Y, feed, norm_2, norm == Norm::pre);
}

void transformer_encoder(Tokens Y, ReadTokens X, const EncoderWeights<float>& weights,
                         TensorView<const std::uint8_t, 3> mask, int H, Norm norm, Activation activation,
                         float eps) {
    std::vector<float> numbers(X.data(), X.data() + X.count());
    Tokens stream(numbers.data(), X.size(0), X.size(1), X.size(2));
    for (int l = 0; l < weights.layers(); l++) {
        transformer_block(Y, stream, weights.layer(l), mask, H, norm, activation, eps);
        numbers.assign(Y.data(), Y.data() + Y.count());
    }
    for (int b = 0; b < X.size(0) && norm == Norm::pre; b++)
        layer_norm(Y[b], stream[b], weights.gamma, weights.beta, eps);
}

}  // namespace attn
