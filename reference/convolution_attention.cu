// The reference for assignment 16, as kernels: an outer loop of convolution_attention.cpp becomes threads here.

#include "convolution_attention_cuda.h"
#include "device.h"
#include "self_attention_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;

/// The places under the kernel that lie before its own.
int places_before(int K, Convolution kind) {
    return kind == Convolution::centred ? (K - 1) / 2 : K - 1;
}

/// mu and var of each feature, and the new running statistics. A thread owns one feature. Neighbouring threads read
/// neighbouring features of the same vector.
__global__ void statistics(TensorView<float, 1> mu, TensorView<float, 1> var, TensorView<float, 1> mean_new,
                           TensorView<float, 1> variance_new, TensorView<const float, 3> X,
                           TensorView<const float, 1> mean, TensorView<const float, 1> variance,
                           bool training, float momentum) {
    const std::ptrdiff_t k = thread_number();
    if (k >= X.size(2)) return;
    const int d = static_cast<int>(k);
    if (!training) {
        mu(d) = mean_new(d) = mean(d);
        var(d) = variance_new(d) = variance(d);
        return;
    }
    const float count = static_cast<float>(X.size(0) * X.size(1));
    float sum = 0;
    for (int b = 0; b < X.size(0); ++b)
        for (int n = 0; n < X.size(1); ++n) sum += X(b, n, d);
    const float m = sum / count;
    float squares = 0;
    for (int b = 0; b < X.size(0); ++b)
        for (int n = 0; n < X.size(1); ++n) squares += (X(b, n, d) - m) * (X(b, n, d) - m);
    mu(d) = m;
    var(d) = squares / count;
    // mean_new = (1 - momentum) mean + momentum mu, and the unbiased variance in the same way
    mean_new(d) = (1 - momentum) * mean(d) + momentum * m;
    variance_new(d) = (1 - momentum) * variance(d) + momentum * var(d) * count / fmaxf(1.0f, count - 1);
}

/// Y = gamma (X - mu) / sqrt(var + eps) + beta. A thread owns one number of Y.
__global__ void normalised(TensorView<float, 3> Y, TensorView<const float, 3> X,
                           TensorView<const float, 1> mu, TensorView<const float, 1> var,
                           TensorView<const float, 1> gamma, TensorView<const float, 1> beta, float eps) {
    const std::ptrdiff_t k = thread_number();
    if (k >= Y.count()) return;
    const auto [b, n, d] = index_in(Y, k);
    Y(b, n, d) = gamma(d) * (X(b, n, d) - mu(d)) / sqrtf(var(d) + eps) + beta(d);
}

/// Y[n, o] = bias[o] + sum_{t, d} X[n + t - s, d] W[t, d, o]. A thread owns one number of Y. Neighbouring threads read
/// the same number of X and neighbouring numbers of W.
__global__ void correlations(TensorView<float, 3> Y, TensorView<const float, 3> X,
                             TensorView<const float, 3> W, TensorView<const float, 1> bias, int s) {
    const std::ptrdiff_t k = thread_number();
    if (k >= Y.count()) return;
    const auto [b, n, o] = index_in(Y, k);
    float sum = bias(o);
    for (int t = 0; t < W.size(0); ++t) {
        const int place = n + t - s;
        if (0 <= place && place < X.size(1))
            for (int d = 0; d < X.size(2); ++d) sum += X(b, place, d) * W(t, d, o);
    }
    Y(b, n, o) = sum;
}

/// Y = X W      X [N, D_in], W [D_in, D_out], Y [N, D_out]. A thread owns one number of Y.
__global__ void multiply(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [i, d] = index_in(Y, n);
    float sum = 0;
    for (int k = 0; k < X.size(1); ++k) sum += X(i, k) * W(k, d);
    Y(i, d) = sum;
}

/// S[j, i] = f[i] . g[j]      S [B, N, N]. A thread owns one score.
__global__ void scores(TensorView<float, 3> S, TensorView<const float, 3> f, TensorView<const float, 3> g) {
    const std::ptrdiff_t n = thread_number();
    if (n >= S.count()) return;
    const auto [b, j, i] = index_in(S, n);
    float dot = 0;
    for (int d = 0; d < f.size(2); ++d) dot += f(b, i, d) * g(b, j, d);
    S(b, j, i) = dot;
}

/// Z = A h      Z [B, N, D_h]. A thread owns one number of Z.
__global__ void weighted_sums(TensorView<float, 3> Z, TensorView<const float, 3> A,
                              TensorView<const float, 3> h) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Z.count()) return;
    const auto [b, j, d] = index_in(Z, n);
    float sum = 0;
    for (int i = 0; i < h.size(1); ++i) sum += A(b, j, i) * h(b, i, d);
    Z(b, j, d) = sum;
}

/// Y = gamma Z W_v + X      Y, X [B N, D], Z [B N, D_h]. A thread owns one number of Y.
__global__ void residual(TensorView<float, 2> Y, TensorView<const float, 2> Z, TensorView<const float, 2> W_v,
                         TensorView<const float, 2> X, float gamma) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [j, d] = index_in(Y, n);
    float o = 0;
    for (int k = 0; k < Z.size(1); ++k) o += Z(j, k) * W_v(k, d);
    Y(j, d) = gamma * o + X(j, d);
}

/// A thread owns one layer, and its number of each output.
__global__ void costs_of_layers(TensorView<float, 1> operations, TensorView<float, 1> steps,
                                TensorView<float, 1> path, TensorView<float, 1> memory, int N, int D, int K,
                                int reach) {
    const std::ptrdiff_t number = thread_number();
    if (number >= operations.count()) return;
    const int layer = static_cast<int>(number);
    const float n = static_cast<float>(N), d = static_cast<float>(D), k = static_cast<float>(K);
    if (layer == 0) {
        // A recurrent layer
        operations(0) = 2 * n * d * d;
        path(0) = n - 1;
    } else if (layer == 1) {
        // A convolution
        operations(1) = k * n * d * d;
        path(1) = static_cast<float>(reach == 0 ? 0 : (N - 1 + reach - 1) / reach);  // rounded up
    } else {
        // Self-attention
        operations(2) = 3 * n * d * d + 2 * n * n * d;
        path(2) = 1;
    }
    steps(layer) = layer == 0 ? n : 1;
    memory(layer) = layer == 2 ? n * n + 4 * n * d : n * d;
}

}  // namespace

void batch_norm(TensorView<float, 3> Y, TensorView<float, 1> mean_new, TensorView<float, 1> variance_new,
                TensorView<const float, 3> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, TensorView<const float, 1> mean,
                TensorView<const float, 1> variance, bool training, float momentum, float eps,
                cudaStream_t stream) {
    const int D = X.size(2);
    const DeviceBuffer<float> means(stream, D), variances(stream, D);
    const TensorView<float, 1> mu = means.view(D), var = variances.view(D);
    statistics<<<blocks_for(D, kThreads), kThreads, 0, stream>>>(mu, var, mean_new, variance_new, X, mean,
                                                                 variance, training, momentum);
    check(cudaGetLastError(), "statistics");
    normalised<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, X, mu, var, gamma, beta, eps);
    check(cudaGetLastError(), "normalised");
}

void conv1d(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 3> W,
            TensorView<const float, 1> bias, Convolution kind, cudaStream_t stream) {
    const int s = places_before(W.size(0), kind);
    correlations<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, X, W, bias, s);
    check(cudaGetLastError(), "correlations");
}

void image_self_attention(TensorView<float, 4> Y, TensorView<float, 3> A, TensorView<const float, 4> X,
                          TensorView<const float, 2> W_f, TensorView<const float, 2> W_g,
                          TensorView<const float, 2> W_h, TensorView<const float, 2> W_v, float gamma,
                          cudaStream_t stream) {
    const int B = X.size(0), N = X.size(1) * X.size(2), D = X.size(3), D_k = W_f.size(1), D_h = W_h.size(1);
    // The cells of all images, one after the other      [B N, D]
    const TensorView<const float, 2> cells(X.data(), B * N, D);
    const DeviceBuffer<float> keys(stream, B, N, D_k), queries(stream, B, N, D_k), values(stream, B, N, D_h),
        all_scores(stream, B, N, N), weights(stream, B, N, N), sums(stream, B, N, D_h);
    // f = X W_f, g = X W_g, h = X W_h
    const TensorView<float, 2> f = keys.view(B * N, D_k), g = queries.view(B * N, D_k),
                               h = values.view(B * N, D_h);
    multiply<<<blocks_for(f.count(), kThreads), kThreads, 0, stream>>>(f, cells, W_f);
    check(cudaGetLastError(), "multiply");
    multiply<<<blocks_for(g.count(), kThreads), kThreads, 0, stream>>>(g, cells, W_g);
    check(cudaGetLastError(), "multiply");
    multiply<<<blocks_for(h.count(), kThreads), kThreads, 0, stream>>>(h, cells, W_h);
    check(cudaGetLastError(), "multiply");
    // S[j, i] = f[i] . g[j]
    const TensorView<float, 3> S = all_scores.view(B, N, N);
    scores<<<blocks_for(S.count(), kThreads), kThreads, 0, stream>>>(S, keys.view(B, N, D_k),
                                                                     queries.view(B, N, D_k));
    check(cudaGetLastError(), "scores");
    // A = softmax(S) by rows; [B, N, N] as [B N, N]
    if (!A) A = weights.view(B, N, N);
    softmax(TensorView<float, 2>(A.data(), B * N, N), TensorView<const float, 2>(S.data(), B * N, N), stream);
    // Y = gamma (A h) W_v + X
    const TensorView<float, 3> Z = sums.view(B, N, D_h);
    weighted_sums<<<blocks_for(Z.count(), kThreads), kThreads, 0, stream>>>(Z, A, values.view(B, N, D_h));
    check(cudaGetLastError(), "weighted_sums");
    residual<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(
        TensorView<float, 2>(Y.data(), B * N, D), sums.view(B * N, D_h), W_v, cells, gamma);
    check(cudaGetLastError(), "residual");
}

void costs(TensorView<float, 1> operations, TensorView<float, 1> steps, TensorView<float, 1> path,
           TensorView<float, 1> memory, int N, int D, int K, Convolution kind, cudaStream_t stream) {
    costs_of_layers<<<blocks_for(operations.count(), kThreads), kThreads, 0, stream>>>(
        operations, steps, path, memory, N, D, K, places_before(K, kind));
    check(cudaGetLastError(), "costs_of_layers");
}

}  // namespace attn::cuda
