// Another right solution, fast enough for full marks without intrinsics: every product is computed in tiles of
// 4 rows by 16 columns, whose sums stay in registers, and the exp is one that the compiler can vectorise.

#pragma GCC optimize("no-trapping-math")  // lets the compiler vectorise a choice between two floats

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "multi_head.h"

namespace attn {
namespace {

typedef float Vec __attribute__((vector_size(32)));  // 8 numbers; a vector type is no intrinsic

Vec load(const float* from) {
    Vec x;
    std::memcpy(&x, from, sizeof x);
    return x;
}

/// Y += X W.  X [N, K], W [K, M], Y [N, M]. Tiles of 4 rows of 16 sums stay in registers.
void add_product(float* Y, const float* X, const float* W, int N, int K, int M) {
    constexpr int kRows = 4, kColumns = 16;
    for (int j = 0; j < M; j += kColumns)
        for (int i = 0; i < N; i += kRows) {
            if (i + kRows > N || j + kColumns > M) {  // what is left at the edges
                for (int r = i; r < std::min(i + kRows, N); r++)
                    for (int k = 0; k < K; k++)
                        for (int c = j; c < std::min(j + kColumns, M); c++)
                            Y[r * M + c] += X[r * K + k] * W[k * M + c];
                continue;
            }
            Vec left[kRows] = {}, right[kRows] = {};
            for (int k = 0; k < K; k++) {
                const Vec w_left = load(W + k * M + j), w_right = load(W + k * M + j + 8);
                for (int r = 0; r < kRows; r++) {
                    left[r] += X[(i + r) * K + k] * w_left;
                    right[r] += X[(i + r) * K + k] * w_right;
                }
            }
            for (int r = 0; r < kRows; r++)
                for (int c = 0; c < 8; c++) {
                    Y[(i + r) * M + j + c] += left[r][c];
                    Y[(i + r) * M + j + 8 + c] += right[r][c];
                }
        }
}

/// exp(x) for x from -87 to 0.
inline float quick_exp(float x) {
    const float shifted = x * 1.44269504f + 12582912.0f;  // rounds to a whole number in the low bits
    const float n = shifted - 12582912.0f;
    const float r = (x - n * 0.693145752f) - n * 1.42860677e-6f;
    float p = 1.38888889e-3f;
    p = p * r + 8.33333333e-3f;
    p = p * r + 4.16666667e-2f;
    p = p * r + 1.66666667e-1f;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    return p * std::bit_cast<float>((std::bit_cast<int>(shifted) + 127) << 23);
}

/// X W + bias.  X [N, D], W [D, D]
std::vector<float> project(TensorView<const float, 2> X, TensorView<const float, 2> W,
                           TensorView<const float, 1> bias) {
    const int N = X.size(0), D = W.size(1);
    std::vector<float> Y(N * D);
    for (int i = 0; i < N; i++) std::copy_n(bias.data(), D, &Y[i * D]);
    add_product(Y.data(), X.data(), W.data(), N, X.size(1), D);
    return Y;
}

/// The rows of weights from the rows of scores, where the mask allows a key; `allowed` is null without a mask.
void softmax_of_row(float* e, const std::uint8_t* allowed, int N) {
    constexpr int kSums = 8;
    for (int j = 0; allowed && j < N; j++)
        if (!allowed[j]) e[j] = -INFINITY;
    float tops[kSums], sums[kSums] = {}, top = -INFINITY, sum = 0;
    std::fill(tops, tops + kSums, -INFINITY);
    int j = 0;
    for (; j + kSums <= N; j += kSums)
        for (int k = 0; k < kSums; k++) tops[k] = e[j + k] > tops[k] ? e[j + k] : tops[k];
    for (; j < N; j++) top = std::max(top, e[j]);
    for (int k = 0; k < kSums; k++) top = std::max(top, tops[k]);
    if (top == -INFINITY) return std::fill(e, e + N, 0.0f);
    for (int k = 0; k < N; k++) {
        const float x = e[k] - top, bounded = x < -87.0f ? -87.0f : x;
        const float p = quick_exp(bounded);
        e[k] = x < -87.0f ? 0.0f : p;
    }
    for (j = 0; j + kSums <= N; j += kSums)
        for (int k = 0; k < kSums; k++) sums[k] += e[j + k];
    for (; j < N; j++) sum += e[j];
    for (int k = 0; k < kSums; k++) sum += sums[k];
    for (int k = 0; k < N; k++) e[k] /= sum;
}

}  // namespace

static int width_of_head(int D, int H) {
    if (H <= 0 || D % H) throw std::invalid_argument(std::to_string(D) + " % " + std::to_string(H) + " != 0");
    return D / H;
}

// Reads X once, in the order of memory.
void split_heads(TensorView<float, 4> Y, TensorView<const float, 3> X) {
    const int N = X.size(1), D = X.size(2), width = width_of_head(D, Y.size(1));
    for (int at = 0; at < X.count(); at++) {
        const int column = at % D, token = at / D % N, b = at / D / N;
        Y(b, column / width, token, column % width) = X.data()[at];
    }
}

void merge_heads(TensorView<float, 3> Y, TensorView<const float, 4> X) {
    const int width = X.size(3);
    for (int b = 0; b < Y.size(0); b++)
        for (int i = 0; i < Y.size(1); i++)
            for (int column = 0; column < Y.size(2); column++)
                Y(b, i, column) = X(b, column / width, i, column % width);
}

void multi_head_attention(TensorView<float, 3> Y, TensorView<const float, 3> X_q,
                          TensorView<const float, 3> X_kv, const MultiHeadWeights<float>& weights,
                          TensorView<const std::uint8_t, 3> mask, int H) {
    const int N_q = X_q.size(1), D = X_q.size(2), N_k = X_kv.size(1), width = width_of_head(D, H);
    const float scale = 1 / std::sqrt(float(width));
    std::vector<float> q(N_q * width), k_transposed(width * N_k), v(N_k * width), e(N_q * N_k),
        o(N_q * width), O(N_q * D);
    for (int b = 0; b < X_q.size(0); b++) {
        const auto Q = project(X_q[b], weights.W_Q, weights.b_Q),
                   K = project(X_kv[b], weights.W_K, weights.b_K),
                   V = project(X_kv[b], weights.W_V, weights.b_V);
        for (int first = 0; first < D; first += width) {
            for (int i = 0; i < N_q; i++)
                for (int d = 0; d < width; d++) q[i * width + d] = scale * Q[i * D + first + d];
            for (int j = 0; j < N_k; j++)
                for (int d = 0; d < width; d++) {
                    k_transposed[d * N_k + j] = K[j * D + first + d];
                    v[j * width + d] = V[j * D + first + d];
                }
            std::fill(e.begin(), e.end(), 0.0f);
            std::fill(o.begin(), o.end(), 0.0f);
            add_product(e.data(), q.data(), k_transposed.data(), N_q, width, N_k);
            for (int i = 0; i < N_q; i++) softmax_of_row(&e[i * N_k], mask ? &mask(b, i, 0) : nullptr, N_k);
            add_product(o.data(), e.data(), v.data(), N_q, N_k, width);
            for (int i = 0; i < N_q; i++) std::copy_n(&o[i * width], width, &O[i * D + first]);
        }
        for (int i = 0; i < N_q; i++)
            for (int d = 0; d < D; d++) Y(b, i, d) = weights.b_O(d);
        add_product(Y[b].data(), O.data(), weights.W_O.data(), N_q, D, D);
    }
}

}  // namespace attn
