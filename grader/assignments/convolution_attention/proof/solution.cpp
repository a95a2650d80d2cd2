// A right solution as a student would write it, independent of the reference. edits.toml changes parts of
// this text, so each text that it replaces must occur here exactly once.

#include <cmath>
#include <vector>

#include "convolution_attention.h"

namespace attn {

void batch_norm(TensorView<float, 3> Y, TensorView<float, 1> mean_new, TensorView<float, 1> variance_new,
                TensorView<const float, 3> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, TensorView<const float, 1> mean,
                TensorView<const float, 1> variance, bool training, float momentum, float eps) {
    const int B = X.size(0), N = X.size(1), D = X.size(2);
    const float count = float(B * N);
    std::vector<float> mu(D), var(D);
    for (int b = 0; b < B; b++)
        for (int n = 0; n < N; n++)
            for (int d = 0; d < D; d++) mu[d] += X(b, n, d);
    for (int d = 0; d < D; d++) mu[d] /= count;
    for (int b = 0; b < B; b++)
        for (int n = 0; n < N; n++)
            for (int d = 0; d < D; d++) {
                const float gap = X(b, n, d) - mu[d];
                var[d] += gap * gap;
            }
    for (int d = 0; d < D; d++) var[d] /= count;
    const float unbiased = B * N > 1 ? count / (count - 1) : 1.0f;
    for (int d = 0; d < D; d++) {
        mean_new(d) = mean(d);
        variance_new(d) = variance(d);
        if (training) {
            mean_new(d) = (1 - momentum) * mean(d) + momentum * mu[d];
            variance_new(d) = (1 - momentum) * variance(d) + momentum * var[d] * unbiased;
        }
        if (!training) mu[d] = mean(d), var[d] = variance(d);
    }
    for (int b = 0; b < B; b++)
        for (int n = 0; n < N; n++)
            for (int d = 0; d < D; d++) {
                const float x_hat = (X(b, n, d) - mu[d]) / std::sqrt(var[d] + eps);
                Y(b, n, d) = gamma(d) * x_hat + beta(d);
            }
}

void conv1d(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 3> W,
            TensorView<const float, 1> bias, Convolution kind) {
    const int B = X.size(0), N = X.size(1), D_in = X.size(2), K = W.size(0), D_out = W.size(2);
    int before = K - 1;
    if (kind == Convolution::centred) before = (K - 1) / 2;
    for (int b = 0; b < B; b++)
        for (int n = 0; n < N; n++) {
            for (int o = 0; o < D_out; o++) Y(b, n, o) = bias(o);
            for (int t = 0; t < K; t++) {
                const int p = n - before + t;
                if (p < 0 || p >= N) continue;
                for (int d = 0; d < D_in; d++)
                    for (int o = 0; o < D_out; o++) Y(b, n, o) += X(b, p, d) * W(t, d, o);
            }
        }
}

static std::vector<float> product(const float* x, TensorView<const float, 2> W, int rows) {
    std::vector<float> y(rows * W.size(1));
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < W.size(0); k++)
            for (int d = 0; d < W.size(1); d++) y[i * W.size(1) + d] += x[i * W.size(0) + k] * W(k, d);
    return y;
}

void image_self_attention(TensorView<float, 4> Y, TensorView<float, 3> A, TensorView<const float, 4> X,
                          TensorView<const float, 2> W_f, TensorView<const float, 2> W_g,
                          TensorView<const float, 2> W_h, TensorView<const float, 2> W_v, float gamma) {
    const int N = X.size(1) * X.size(2), D = X.size(3), D_k = W_f.size(1), D_h = W_h.size(1);
    for (int b = 0; b < X.size(0); b++) {
        const float* x = X.data() + b * N * D;
        const std::vector<float> f = product(x, W_f, N), g = product(x, W_g, N), h = product(x, W_h, N);
        std::vector<float> s(N * N), a(N * N), mixed(N * D_h);
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                for (int d = 0; d < D_k; d++) s[j * N + i] += g[j * D_k + d] * f[i * D_k + d];
        softmax(TensorView<float, 2>(a.data(), N, N), TensorView<const float, 2>(s.data(), N, N));
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                if (A) A(b, j, i) = a[j * N + i];
                for (int d = 0; d < D_h; d++) mixed[j * D_h + d] += a[j * N + i] * h[i * D_h + d];
            }
        const std::vector<float> o = product(mixed.data(), W_v, N);
        for (int k = 0; k < N * D; k++) Y.data()[b * N * D + k] = gamma * o[k] + x[k];
    }
}

void costs(TensorView<float, 1> operations, TensorView<float, 1> steps, TensorView<float, 1> path,
           TensorView<float, 1> memory, int N, int D, int K, Convolution kind) {
    const double n = N, d = D;
    int reach = K - 1;
    if (kind == Convolution::centred) reach = (K - 1) / 2;
    operations(0) = float(2 * n * d * d);
    operations(1) = float(K * n * d * d);
    operations(2) = float(3 * n * d * d + 2 * n * n * d);
    steps(0) = float(N);
    steps(1) = 1;
    steps(2) = 1;
    path(0) = float(N - 1);
    path(1) = reach > 0 ? std::ceil((N - 1.0f) / reach) : 0;
    path(2) = 1;
    memory(0) = float(n * d);
    memory(1) = float(n * d);
    memory(2) = float(n * n + 4 * n * d);
}

}  // namespace attn
