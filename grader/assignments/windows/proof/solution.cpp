// A right solution as a student would write it, independent of the reference. edits.toml changes parts of
// this text, so each text that it replaces must occur here exactly once.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "windows.h"

namespace attn {

void window_partition(TensorView<float, 4> windows, TensorView<const float, 4> X, int M) {
    const int B = X.size(0), H = X.size(1), W = X.size(2), D = X.size(3);
    if (H % M != 0 || W % M != 0) throw std::invalid_argument("M does not divide H and W");
    for (int b = 0; b < B; b++)
        for (int r = 0; r < H; r++)
            for (int k = 0; k < W; k++) {
                const int n = r / M * (W / M) + k / M, i = r % M * M + k % M;
                for (int d = 0; d < D; d++) windows(b, n, i, d) = X(b, r, k, d);
            }
}

void window_reverse(TensorView<float, 4> X, TensorView<const float, 4> windows, int M) {
    const int B = X.size(0), H = X.size(1), W = X.size(2), D = X.size(3);
    if (H % M != 0 || W % M != 0) throw std::invalid_argument("M does not divide the sides of X");
    for (int b = 0; b < B; b++)
        for (int r = 0; r < H; r++)
            for (int k = 0; k < W; k++) {
                const int window = r / M * (W / M) + k / M, cell = r % M * M + k % M;
                for (int d = 0; d < D; d++) X(b, r, k, d) = windows(b, window, cell, d);
            }
}

void cyclic_shift(TensorView<float, 4> Y, TensorView<const float, 4> X, int shift) {
    const int B = X.size(0), H = X.size(1), W = X.size(2), D = X.size(3);
    for (int b = 0; b < B; b++)
        for (int r = 0; r < H; r++)
            for (int k = 0; k < W; k++) {
                // the cell (r, k) of X goes here
                int to_r = (r - shift) % H, to_k = (k - shift) % W;
                if (to_r < 0) to_r += H;
                if (to_k < 0) to_k += W;
                for (int d = 0; d < D; d++) Y(b, to_r, to_k, d) = X(b, r, k, d);
            }
}

static int part(int place, int length, int shift) {
    return place < length - shift ? 0 : 1;
}

void shifted_window_mask(TensorView<std::uint8_t, 3> mask, int H, int W, int M, int shift) {
    if (H % M != 0 || W % M != 0) throw std::invalid_argument("M does not divide the image");
    if (shift < 0 || shift >= M) throw std::invalid_argument("shift is outside 0 .. M - 1");
    // the number of the group of each cell, window by window
    std::vector<int> group(H * W);
    for (int r = 0; r < H; r++)
        for (int k = 0; k < W; k++) {
            const int n = r / M * (W / M) + k / M, i = r % M * M + k % M;
            group[n * M * M + i] = 2 * part(r, H, shift) + part(k, W, shift);
        }
    for (int n = 0; n < mask.size(0); n++)
        for (int i = 0; i < M * M; i++)
            for (int j = 0; j < M * M; j++)
                mask(n, i, j) = group[n * M * M + i] == group[n * M * M + j] ? 1 : 0;
}

static std::vector<float> linear(const float* x, int rows, TensorView<const float, 2> W,
                                 TensorView<const float, 1> bias) {
    const int in = W.size(0), out = W.size(1);
    std::vector<float> y(rows * out);
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < in; k++)
            for (int d = 0; d < out; d++) y[i * out + d] += x[i * in + k] * W(k, d);
        for (int d = 0; d < out && bias; d++) y[i * out + d] += bias(d);
    }
    return y;
}

void window_attention(TensorView<float, 4> Y, TensorView<const float, 4> X,
                      const WindowWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int M) {
    const int B = X.size(0), N = X.size(1), C = X.size(2), D = X.size(3), N_h = weights.table.size(2);
    if (D % N_h != 0) throw std::invalid_argument("N_h does not divide D");
    const int width = D / N_h;
    const MultiHeadWeights<float>& w = weights.attention;
    for (int b = 0; b < B; b++)
        for (int n = 0; n < N; n++) {
            const float* x = X.data() + (b * N + n) * C * D;
            const std::vector<float> q = linear(x, C, w.W_Q, w.b_Q), k = linear(x, C, w.W_K, w.b_K),
                                     v = linear(x, C, w.W_V, w.b_V);
            std::vector<float> o(C * D), e(C);
            for (int h = 0; h < N_h; h++)
                for (int i = 0; i < C; i++) {
                    float most = -INFINITY, sum = 0;
                    for (int j = 0; j < C; j++) {
                        if (mask && !mask(n, i, j)) continue;
                        float dot = 0;
                        for (int d = 0; d < width; d++)
                            dot += q[i * D + h * width + d] * k[j * D + h * width + d];
                        const int rows = i / M - j / M + M - 1, columns = i % M - j % M + M - 1;
                        e[j] = dot / std::sqrt(float(width)) + weights.table(rows, columns, h);
                        most = std::max(most, e[j]);
                    }
                    for (int j = 0; j < C; j++) {
                        if (mask && !mask(n, i, j))
                            e[j] = 0;
                        else
                            e[j] = std::exp(e[j] - most);
                        sum += e[j];
                    }
                    for (int j = 0; j < C && sum > 0; j++)
                        for (int d = 0; d < width; d++)
                            o[i * D + h * width + d] += e[j] / sum * v[j * D + h * width + d];
                }
            const std::vector<float> y = linear(o.data(), C, w.W_O, w.b_O);
            for (int c = 0; c < C * D; c++) Y.data()[(b * N + n) * C * D + c] = y[c];
        }
}

static void one_block(float* X, int B, int H, int W, int D, const SwinWeights<float>& weights, int l, int M,
                      int shift, Activation activation, float eps) {
    const int N = H / M * (W / M);
    std::vector<float> normal(B * H * W * D), moved(normal.size()), cut(normal.size()), out(normal.size());
    std::vector<std::uint8_t> allowed(N * M * M * M * M);
    const auto image = [&](std::vector<float>& v) { return TensorView<float, 4>(v.data(), B, H, W, D); };
    const auto windows = [&](std::vector<float>& v) {
        return TensorView<float, 4>(v.data(), B, N, M * M, D);
    };
    const auto rows = [&](float* p) { return TensorView<float, 2>(p, B * H * W, D); };

    layer_norm(rows(normal.data()), rows(X), weights.gamma_1[l], weights.beta_1[l], eps);
    cyclic_shift(image(moved), image(normal), shift);
    window_partition(windows(cut), image(moved), M);
    const TensorView<std::uint8_t, 3> mask(allowed.data(), N, M * M, M * M);
    shifted_window_mask(mask, H, W, M, shift);
    window_attention(windows(out), windows(cut), weights.attention(l), mask, M);
    window_reverse(image(moved), windows(out), M);
    cyclic_shift(image(out), image(moved), -shift);
    for (std::size_t c = 0; c < out.size(); c++) X[c] += out[c];

    layer_norm(rows(normal.data()), rows(X), weights.gamma_2[l], weights.beta_2[l], eps);
    feed_forward(rows(out.data()), rows(normal.data()), weights.W_1[l], weights.b_1[l], weights.W_2[l],
                 weights.b_2[l], activation);
    for (std::size_t c = 0; c < out.size(); c++) X[c] += out[c];
}

void swin_block(TensorView<float, 4> Y, TensorView<const float, 4> X, const SwinWeights<float>& weights,
                int M, Activation activation, float eps) {
    const int B = X.size(0), H = X.size(1), W = X.size(2), D = X.size(3);
    if (H % M != 0 || W % M != 0) throw std::invalid_argument("M does not divide the grid");
    if (D % weights.table.size(3) != 0) throw std::invalid_argument("N_h does not divide the width");
    std::vector<float> x(X.data(), X.data() + X.count());
    int shift = M / 2;
    if (H == M || W == M) shift = 0;
    one_block(x.data(), B, H, W, D, weights, 0, M, 0, activation, eps);
    one_block(x.data(), B, H, W, D, weights, 1, M, shift, activation, eps);
    for (std::size_t c = 0; c < x.size(); c++) Y.data()[c] = x[c];
}

void patch_merging(TensorView<float, 4> Y, TensorView<const float, 4> X, TensorView<const float, 1> gamma,
                   TensorView<const float, 1> beta, TensorView<const float, 2> W_R, float eps) {
    const int B = X.size(0), H = X.size(1), W = X.size(2), D = X.size(3), squares = B * (H / 2) * (W / 2);
    if (H % 2 != 0 || W % 2 != 0) throw std::invalid_argument("the image has an odd side");
    std::vector<float> z, normal(squares * 4 * D);
    for (int b = 0; b < B; b++)
        for (int r = 0; r < H; r += 2)
            for (int k = 0; k < W; k += 2) {
                for (int d = 0; d < D; d++) z.push_back(X(b, r, k, d));
                for (int d = 0; d < D; d++) z.push_back(X(b, r + 1, k, d));
                for (int d = 0; d < D; d++) z.push_back(X(b, r, k + 1, d));
                for (int d = 0; d < D; d++) z.push_back(X(b, r + 1, k + 1, d));
            }
    layer_norm(TensorView<float, 2>(normal.data(), squares, 4 * D),
               TensorView<const float, 2>(z.data(), squares, 4 * D), gamma, beta, eps);
    const std::vector<float> y = linear(normal.data(), squares, W_R, {});
    for (std::size_t c = 0; c < y.size(); c++) Y.data()[c] = y[c];
}

void shifted_patch_tokens(TensorView<float, 3> Z, TensorView<const float, 4> X,
                          TensorView<const float, 1> gamma, TensorView<const float, 1> beta,
                          TensorView<const float, 2> E, TensorView<const float, 1> b_E, int P, float eps) {
    const int B = X.size(0), C = X.size(1), H = X.size(2), W = X.size(3), half = P / 2;
    if (H % P != 0 || W % P != 0) throw std::invalid_argument("P does not divide H and W");
    const int down[5] = {0, -half, -half, half, half}, right[5] = {0, -half, half, -half, half};
    std::vector<float> patches;
    for (int b = 0; b < B; b++)
        for (int top = 0; top < H; top += P)
            for (int left = 0; left < W; left += P)
                for (int p = 0; p < P * P; p++)
                    for (int q = 0; q < 5; q++)
                        for (int c = 0; c < C; c++) {
                            const int y = top + p / P + down[q], x = left + p % P + right[q];
                            const bool inside = y >= 0 && y < H && x >= 0 && x < W;
                            patches.push_back(inside ? X(b, c, y, x) : 0.0f);
                        }
    const int tokens = B * Z.size(1), features = E.size(0);
    std::vector<float> normal(patches.size());
    layer_norm(TensorView<float, 2>(normal.data(), tokens, features),
               TensorView<const float, 2>(patches.data(), tokens, features), gamma, beta, eps);
    const std::vector<float> z = linear(normal.data(), tokens, E, b_E);
    for (std::size_t c = 0; c < z.size(); c++) Z.data()[c] = z[c];
}

}  // namespace attn
