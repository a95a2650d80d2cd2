#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "contracts/convolution_attention_reference.h"
#include "contracts/self_attention_reference.h"
#include "reference/owned.h"

namespace attn::cpu {
namespace {

/// mu[d] = 1/(B N) sum_{b, n} X[b, n, d]
template <class T>
T mean_of(TensorView<const T, 3> X, int d) {
    T sum = 0;
    for (int b = 0; b < X.size(0); ++b)
        for (int n = 0; n < X.size(1); ++n) sum += X(b, n, d);
    return sum / static_cast<T>(X.size(0) * X.size(1));
}

/// var[d] = 1/(B N) sum_{b, n} (X[b, n, d] - mu[d])^2
template <class T>
T variance_of(TensorView<const T, 3> X, int d, T mu) {
    T sum = 0;
    for (int b = 0; b < X.size(0); ++b)
        for (int n = 0; n < X.size(1); ++n) sum += (X(b, n, d) - mu) * (X(b, n, d) - mu);
    return sum / static_cast<T>(X.size(0) * X.size(1));
}

/// The places under the kernel that lie before its own.
int places_before(int K, Convolution kind) {
    switch (kind) {
        case Convolution::centred:
            return (K - 1) / 2;
        case Convolution::causal:
            return K - 1;
    }
    throw std::invalid_argument("kind " + std::to_string(static_cast<int>(kind)) +
                                " is none of centred, causal");
}

/// Y = X W      X [N, D_in], W [D_in, D_out], Y [N, D_out]
template <class T>
void multiply(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const T, 2> W) {
    for (int i = 0; i < Y.size(0); ++i) {
        for (int d = 0; d < Y.size(1); ++d) {
            T sum = 0;
            for (int k = 0; k < X.size(1); ++k) sum += X(i, k) * W(k, d);
            Y(i, d) = sum;
        }
    }
}

}  // namespace

template <class T>
void batch_norm(TensorView<T, 3> Y, TensorView<T, 1> mean_new, TensorView<T, 1> variance_new,
                TensorView<const T, 3> X, TensorView<const T, 1> gamma, TensorView<const T, 1> beta,
                TensorView<const T, 1> mean, TensorView<const T, 1> variance, bool training, T momentum,
                T eps) {
    // the unbiased variance = var B N / (B N - 1), or 0 of one number
    const T count = static_cast<T>(X.size(0) * X.size(1)), freedom = std::max(T(1), count - 1);
    for (int d = 0; d < X.size(2); ++d) {
        const T mu = training ? mean_of<T>(X, d) : mean(d);
        const T var = training ? variance_of<T>(X, d, mu) : variance(d);
        // Y = gamma (X - mu) / sqrt(var + eps) + beta
        for (int b = 0; b < X.size(0); ++b)
            for (int n = 0; n < X.size(1); ++n)
                Y(b, n, d) = gamma(d) * (X(b, n, d) - mu) / std::sqrt(var + eps) + beta(d);
        // mean_new = (1 - momentum) mean + momentum mu, and the unbiased variance in the same way
        mean_new(d) = training ? (1 - momentum) * mean(d) + momentum * mu : mean(d);
        variance_new(d) =
            training ? (1 - momentum) * variance(d) + momentum * var * count / freedom : variance(d);
    }
}

template <class T>
void conv1d(TensorView<T, 3> Y, TensorView<const T, 3> X, TensorView<const T, 3> W,
            TensorView<const T, 1> bias, Convolution kind) {
    const int N = X.size(1), D_in = X.size(2), K = W.size(0), D_out = W.size(2);
    const int s = places_before(K, kind);
    for (int b = 0; b < X.size(0); ++b) {
        for (int n = 0; n < N; ++n) {
            for (int o = 0; o < D_out; ++o) {
                // Y[n, o] = bias[o] + sum_{t, d} X[n + t - s, d] W[t, d, o]
                T sum = bias(o);
                for (int t = 0; t < K; ++t) {
                    const int place = n + t - s;
                    if (0 <= place && place < N)
                        for (int d = 0; d < D_in; ++d) sum += X(b, place, d) * W(t, d, o);
                }
                Y(b, n, o) = sum;
            }
        }
    }
}

template <class T>
void image_self_attention(TensorView<T, 4> Y, TensorView<T, 3> A, TensorView<const T, 4> X,
                          TensorView<const T, 2> W_f, TensorView<const T, 2> W_g, TensorView<const T, 2> W_h,
                          TensorView<const T, 2> W_v, T gamma) {
    const int B = X.size(0), N = X.size(1) * X.size(2), D = X.size(3);
    const int D_k = W_f.size(1), D_h = W_h.size(1);
    // The cells of all images, row by row      [B, N, D]
    const TensorView<const T, 3> cells(X.data(), B, N, D);
    const TensorView<T, 3> Y_cells(Y.data(), B, N, D);
    Owned<T, 2> keys(N, D_k), queries(N, D_k), values(N, D_h), scores(N, N), weights(N, N), sums(N, D_h),
        outputs(N, D);
    const TensorView<T, 2> f = keys.view, g = queries.view, h = values.view, S = scores.view, Z = sums.view,
                           o = outputs.view;
    for (int b = 0; b < B; ++b) {
        // f = X W_f, g = X W_g, h = X W_h
        multiply<T>(f, cells[b], W_f);
        multiply<T>(g, cells[b], W_g);
        multiply<T>(h, cells[b], W_h);
        // S[j, i] = f[i] . g[j]
        for (int j = 0; j < N; ++j) {
            for (int i = 0; i < N; ++i) {
                T dot = 0;
                for (int d = 0; d < D_k; ++d) dot += f(i, d) * g(j, d);
                S(j, i) = dot;
            }
        }
        // A = softmax(S) by rows
        const TensorView<T, 2> A_b = A ? A[b] : weights.view;
        softmax<T>(A_b, S);
        // o = (A h) W_v
        multiply<T>(Z, A_b, h);
        multiply<T>(o, Z, W_v);
        // Y = gamma o + X
        for (int j = 0; j < N; ++j)
            for (int d = 0; d < D; ++d) Y_cells(b, j, d) = gamma * o(j, d) + cells(b, j, d);
    }
}

template <class T>
void costs(TensorView<T, 1> operations, TensorView<T, 1> steps, TensorView<T, 1> path,
           TensorView<T, 1> memory, int N, int D, int K, Convolution kind) {
    const T n = static_cast<T>(N), d = static_cast<T>(D), k = static_cast<T>(K);
    const int reach = places_before(K, kind);
    // A recurrent layer: operations = 2 N D D, steps = N, path = N - 1, memory = N D
    operations(0) = 2 * n * d * d;
    steps(0) = n;
    path(0) = n - 1;
    memory(0) = n * d;
    // A convolution: operations = K N D D, steps = 1, path = ceil((N - 1) / r), memory = N D
    operations(1) = k * n * d * d;
    steps(1) = 1;
    path(1) = static_cast<T>(reach == 0 ? 0 : (N - 1 + reach - 1) / reach);  // rounded up
    memory(1) = n * d;
    // Self-attention: operations = 3 N D D + 2 N N D, steps = 1, path = 1, memory = N N + 4 N D
    operations(2) = 3 * n * d * d + 2 * n * n * d;
    steps(2) = 1;
    path(2) = 1;
    memory(2) = n * n + 4 * n * d;
}

}  // namespace attn::cpu

#include "contracts/convolution_attention_instances.h"
