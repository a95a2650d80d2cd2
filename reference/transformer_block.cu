// The reference for assignment 5, as kernels: an outer loop of transformer_block.cpp becomes threads here.
// In the layer norm, the threads of a block add up a row together.

#include <cstddef>
#include <stdexcept>
#include <string>

#include "device.h"
#include "multi_head_cuda.h"
#include "transformer_block_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;
constexpr float kRootOf2 = 1.41421356f, kRootOf2OverPi = 0.79788456f;

/// The same numbers without the batches' axis, for kernels that treat every token separately.
template <class T>
TensorView<T, 2> rows(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

void require_whole_heads(int D, int H) {
    if (H >= 1 && D % H == 0) return;
    throw std::invalid_argument("H = " + std::to_string(H) + " heads do not divide D = " + std::to_string(D));
}

void require_known(Activation activation) {
    for (const Activation known : {Activation::relu, Activation::gelu_erf, Activation::gelu_tanh})
        if (activation == known) return;
    throw std::invalid_argument("activation " + std::to_string(static_cast<int>(activation)) +
                                " is none of relu, gelu_erf, gelu_tanh");
}

__device__ float activated(float x, Activation activation) {
    switch (activation) {
        case Activation::relu:  // max(0, x), and NaN stays NaN
            return x < 0 ? 0.0f : x;
        case Activation::gelu_erf:  // x (1 + erf(x / sqrt 2)) / 2
            return x * (1 + erff(x / kRootOf2)) * 0.5f;
        case Activation::gelu_tanh:  // x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
            return x * (1 + tanhf(kRootOf2OverPi * (x + 0.044715f * x * x * x))) * 0.5f;
    }
    return x;  // not reached: the host refuses any other activation
}

/// The sum of x over the block's kThreads threads. All of them have to call this, and all get the sum.
__device__ float sum_over_block(float x) {
    static_assert((kThreads & (kThreads - 1)) == 0, "halves of halves");
    __shared__ float parts[kThreads];
    const int t = static_cast<int>(threadIdx.x);
    parts[t] = x;
    __syncthreads();  // every part is there
    for (int half = kThreads / 2; half > 0; half /= 2) {
        if (t < half) parts[t] += parts[t + half];
        __syncthreads();  // before the next half reads what this one wrote
    }
    const float sum = parts[0];
    __syncthreads();  // before the next sum's parts overwrite this one
    return sum;
}

/// A block owns one row; its threads share the features.
__global__ void norm_of_row(TensorView<float, 2> Y, TensorView<const float, 2> X,
                            TensorView<const float, 1> gamma, TensorView<const float, 1> beta, float eps) {
    const int i = static_cast<int>(blockIdx.x), D = X.size(1);
    const int first = static_cast<int>(threadIdx.x);
    if (i >= X.size(0)) return;  // all threads of the block, or none
    // mu = 1/D sum_d x_d
    float sum = 0;
    for (int d = first; d < D; d += kThreads) sum += X(i, d);
    const float mu = sum_over_block(sum) / static_cast<float>(D);
    // var = 1/D sum_d (x_d - mu)^2; sum x^2 - mu^2 would lose a small spread far from 0.
    float squares = 0;
    for (int d = first; d < D; d += kThreads) squares += (X(i, d) - mu) * (X(i, d) - mu);
    const float var = sum_over_block(squares) / static_cast<float>(D);
    // y_d = gamma_d (x_d - mu) / sqrt(var + eps) + beta_d
    for (int d = first; d < D; d += kThreads)
        Y(i, d) = gamma(d) * (X(i, d) - mu) / sqrtf(var + eps) + beta(d);
}

/// hidden = activation(X W_1 + b_1)      hidden [N, F]. A thread owns one number of hidden.
__global__ void first_layer(TensorView<float, 2> hidden, TensorView<const float, 2> X,
                            TensorView<const float, 2> W_1, TensorView<const float, 1> b_1,
                            Activation activation) {
    const std::ptrdiff_t n = thread_number();
    if (n >= hidden.count()) return;
    const auto [i, f] = index_in(hidden, n);
    float sum = 0;
    for (int d = 0; d < X.size(1); ++d) sum += X(i, d) * W_1(d, f);
    hidden(i, f) = activated(sum + b_1(f), activation);
}

/// Y = hidden W_2 + b_2      Y [N, D]. A thread owns one number of Y.
__global__ void second_layer(TensorView<float, 2> Y, TensorView<const float, 2> hidden,
                             TensorView<const float, 2> W_2, TensorView<const float, 1> b_2) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [i, d] = index_in(Y, n);
    float sum = 0;
    for (int f = 0; f < hidden.size(1); ++f) sum += hidden(i, f) * W_2(f, d);
    Y(i, d) = sum + b_2(d);
}

/// Z = X + Y      [N, D]. A thread owns one number of Z.
__global__ void sums(TensorView<float, 2> Z, TensorView<const float, 2> X, TensorView<const float, 2> Y) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Z.count()) return;
    const auto [i, d] = index_in(Z, n);
    Z(i, d) = X(i, d) + Y(i, d);
}

void add(TensorView<float, 3> Z, TensorView<const float, 3> X, TensorView<const float, 3> Y,
         cudaStream_t stream) {
    sums<<<blocks_for(Z.count(), kThreads), kThreads, 0, stream>>>(rows(Z), rows(X), rows(Y));
    check(cudaGetLastError(), "sums");
}

void copy(TensorView<float, 3> Y, TensorView<const float, 3> X, cudaStream_t stream) {
    if (X.count() == 0) return;
    const auto bytes = static_cast<std::size_t>(X.count()) * sizeof(float);
    check(cudaMemcpyAsync(Y.data(), X.data(), bytes, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync");
}

}  // namespace

void layer_norm(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, float eps, cudaStream_t stream) {
    norm_of_row<<<blocks_for(X.size(0), 1), kThreads, 0, stream>>>(Y, X, gamma, beta, eps);
    check(cudaGetLastError(), "norm_of_row");
}

void feed_forward(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W_1,
                  TensorView<const float, 1> b_1, TensorView<const float, 2> W_2,
                  TensorView<const float, 1> b_2, Activation activation, cudaStream_t stream) {
    require_known(activation);
    const int N = X.size(0), F = W_1.size(1);
    const DeviceBuffer<float> between(stream, N, F);
    const TensorView<float, 2> hidden = between.view(N, F);
    // hidden = activation(X W_1 + b_1)
    first_layer<<<blocks_for(hidden.count(), kThreads), kThreads, 0, stream>>>(hidden, X, W_1, b_1,
                                                                               activation);
    check(cudaGetLastError(), "first_layer");
    // Y = hidden W_2 + b_2
    second_layer<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, hidden, W_2, b_2);
    check(cudaGetLastError(), "second_layer");
}

void transformer_block(TensorView<float, 3> Y, TensorView<const float, 3> X,
                       const BlockWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                       Norm norm, Activation activation, float eps, cudaStream_t stream) {
    const int B = X.size(0), N = X.size(1), D = X.size(2);
    require_whole_heads(D, H);
    require_known(activation);
    const DeviceBuffer<float> attended(stream, B, N, D), sum(stream, B, N, D), normalised(stream, B, N, D),
        fed(stream, B, N, D);
    const TensorView<float, 3> A = attended.view(B, N, D), Z = sum.view(B, N, D),
                               L = normalised.view(B, N, D), M = fed.view(B, N, D);
    const auto norm_1 = [&](TensorView<float, 3> to, TensorView<const float, 3> from) {
        layer_norm(rows(to), rows(from), weights.gamma_1, weights.beta_1, eps, stream);
    };
    const auto norm_2 = [&](TensorView<float, 3> to, TensorView<const float, 3> from) {
        layer_norm(rows(to), rows(from), weights.gamma_2, weights.beta_2, eps, stream);
    };
    const auto feed = [&](TensorView<float, 3> to, TensorView<const float, 3> from) {
        feed_forward(rows(to), rows(from), weights.W_1, weights.b_1, weights.W_2, weights.b_2, activation,
                     stream);
    };
    if (norm == Norm::post) {
        // Z = LN_1(X + MHA(X, X))
        multi_head_attention(A, X, X, weights.attention, mask, H, stream);
        add(Z, X, A, stream);
        norm_1(L, Z);
        // Y = LN_2(Z + FF(Z))
        feed(M, L);
        add(Z, L, M, stream);
        norm_2(Y, Z);
    } else {
        // Z = X + MHA(LN_1(X), LN_1(X))
        norm_1(L, X);
        multi_head_attention(A, L, L, weights.attention, mask, H, stream);
        add(Z, X, A, stream);
        // Y = Z + FF(LN_2(Z))
        norm_2(L, Z);
        feed(M, L);
        add(Y, Z, M, stream);
    }
}

void transformer_encoder(TensorView<float, 3> Y, TensorView<const float, 3> X,
                         const EncoderWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                         Norm norm, Activation activation, float eps, cudaStream_t stream) {
    const int B = X.size(0), N = X.size(1), D = X.size(2);
    const DeviceBuffer<float> between(stream, B, N, D);
    TensorView<const float, 3> X_l = X;
    // X_l = block l of X_{l-1}
    for (int l = 0; l < weights.layers(); ++l) {
        transformer_block(Y, X_l, weights.layer(l), mask, H, norm, activation, eps, stream);
        copy(between.view(B, N, D), Y, stream);
        X_l = between.view(B, N, D);
    }
    // Y = LN(X_L) if norm = pre: then no block has normalised X_L
    if (norm == Norm::pre)
        layer_norm(rows(Y), rows(X_l), weights.gamma, weights.beta, eps, stream);
    else
        copy(Y, X_l, stream);
}

}  // namespace attn::cuda
