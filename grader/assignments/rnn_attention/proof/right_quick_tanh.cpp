// Another right solution, fast enough for full marks without intrinsics: a tanh that the compiler can vectorise,
// sums kept as eight sums, products along the rows of the matrices, and keys that are projected once.

#pragma GCC optimize("no-trapping-math")  // lets the compiler vectorise a choice between two floats

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "rnn_attention.h"

namespace attn {
namespace {

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

/// tanh(x) in operations that the compiler can do for 8 numbers at once.
inline float quick_tanh(float x) {
    const float size = std::fabs(x), bounded = size > 20.0f ? 20.0f : size, e = quick_exp(-2 * bounded);
    const float s = x * x, small = x - x * s * (0.333333333f - s * (0.133333333f - s * 0.053968254f));
    const float large = std::copysign((1 - e) / (1 + e), x);
    return size < 0.15f ? small : large;
}

/// Z += X W, along the rows of W.      X [N, K], W [K, D], Z [N, D]
void multiply(float* Z, const float* X, const float* W, int N, int K, int D) {
    for (int n = 0; n < N; n++)
        for (int k = 0; k < K; k++)
            for (int d = 0; d < D; d++) Z[n * D + d] += X[n * K + k] * W[k * D + d];
}

/// e from queries [B, D] and keys [B, T, D]. The sum is kept as 8 sums.
void score(float* e, const float* q, const float* keys, TensorView<const float, 1> v, int B, int T) {
    constexpr int kSums = 8;
    const int D = v.size(0);
    const float* weights = v.data();
    std::vector<float> hidden(D);
    for (int n = 0; n < B * T; n++) {
        const float *key = keys + n * D, *query = q + n / T * D;
        for (int d = 0; d < D; d++) hidden[d] = weights[d] * quick_tanh(key[d] + query[d]);
        float sums[kSums] = {}, sum = 0;
        int d = 0;
        for (; d + kSums <= D; d += kSums)
            for (int k = 0; k < kSums; k++) sums[k] += hidden[d + k];
        for (; d < D; d++) sum += hidden[d];
        for (int k = 0; k < kSums; k++) sum += sums[k];
        e[n] = sum;
    }
}

/// a = exp(e - log sum exp e) over the words, c = sum a h.
void share(float* a, float* c, const float* e, const float* h, const std::uint8_t* mask, int B, int T,
           int D) {
    std::fill(c, c + B * D, 0.0f);
    for (int b = 0; b < B; b++) {
        float top = -INFINITY, sum = 0;
        for (int j = b * T; j < (b + 1) * T; j++)
            if (!mask || mask[j]) top = std::max(top, e[j]);
        for (int j = b * T; j < (b + 1) * T; j++)
            if (!mask || mask[j]) sum += std::exp(e[j] - top);
        const float rest = std::log(sum);
        for (int j = b * T; j < (b + 1) * T; j++) {
            a[j] = !mask || mask[j] ? std::exp((e[j] - top) - rest) : 0;
            for (int d = 0; d < D; d++) c[b * D + d] += a[j] * h[j * D + d];
        }
    }
}

std::vector<float> zeros(int a, int b, int c = 1) {
    return std::vector<float>(std::size_t(a) * b * c);
}

void step(float* s, const float* yc, const float* s_prev, TensorView<const float, 2> W_x,
          TensorView<const float, 2> W_s, TensorView<const float, 1> b, int B) {
    const int D_s = b.size(0);
    for (int n = 0; n < B; n++) std::memcpy(s + n * D_s, b.data(), D_s * sizeof(float));
    multiply(s, s_prev, W_s.data(), B, D_s, D_s);
    multiply(s, yc, W_x.data(), B, W_x.size(0), D_s);
    for (int n = 0; n < B * D_s; n++) s[n] = quick_tanh(s[n]);
}

/// [y; c] for all batches.
std::vector<float> joined(const float* y, int y_stride, int D_y, const float* c, int D_h, int B) {
    std::vector<float> yc = zeros(B, D_y + D_h);
    for (int b = 0; b < B; b++) {
        std::copy_n(y + b * y_stride, D_y, &yc[b * (D_y + D_h)]);
        std::copy_n(c + b * D_h, D_h, &yc[b * (D_y + D_h) + D_y]);
    }
    return yc;
}

}  // namespace

void additive_scores(TensorView<float, 2> e, TensorView<const float, 2> s_prev, TensorView<const float, 3> h,
                     TensorView<const float, 2> W_q, TensorView<const float, 2> W_k,
                     TensorView<const float, 1> v) {
    const int B = h.size(0), T = h.size(1), D_a = v.size(0);
    auto q = zeros(B, D_a), keys = zeros(B, T, D_a);
    multiply(q.data(), s_prev.data(), W_q.data(), B, s_prev.size(1), D_a);
    multiply(keys.data(), h.data(), W_k.data(), B * T, h.size(2), D_a);
    score(e.data(), q.data(), keys.data(), v, B, T);
}

void attention_context(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> e,
                       TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask) {
    share(a.data(), c.data(), e.data(), h.data(), mask.data(), h.size(0), h.size(1), h.size(2));
}

void decoder_step(TensorView<float, 2> s, TensorView<const float, 2> y_prev, TensorView<const float, 2> c,
                  TensorView<const float, 2> s_prev, TensorView<const float, 2> W_x,
                  TensorView<const float, 2> W_s, TensorView<const float, 1> b) {
    const int D_y = y_prev.size(1);
    step(s.data(), joined(y_prev.data(), D_y, D_y, c.data(), c.size(1), s.size(0)).data(), s_prev.data(), W_x,
         W_s, b, s.size(0));
}

void decode(TensorView<float, 3> S, TensorView<float, 3> A, TensorView<const float, 3> h,
            TensorView<const std::uint8_t, 2> mask, TensorView<const float, 3> y,
            const DecoderWeights<float>& w) {
    const int B = S.size(0), L = S.size(1), D_s = S.size(2), T = h.size(1), D_h = h.size(2),
              D_a = w.v.size(0);
    auto keys = zeros(B, T, D_a), last = zeros(B, D_h), s = zeros(B, D_s), a = zeros(B, T), e = a,
         c = zeros(B, D_h);
    multiply(keys.data(), h.data(), w.W_k.data(), B * T, D_h, D_a);
    for (int b = 0; b < B; b++) {
        std::copy_n(w.b_0.data(), D_s, &s[b * D_s]);
        for (int j = 0; j < T; j++)
            if (mask(b, j)) std::copy_n(h[b][j].data(), D_h, &last[b * D_h]);
    }
    multiply(s.data(), last.data(), w.W_0.data(), B, D_h, D_s);
    for (float& x : s) x = std::tanh(x);
    for (int t = 0; t < L; t++) {
        auto q = zeros(B, D_a), next = zeros(B, D_s);
        multiply(q.data(), s.data(), w.W_q.data(), B, D_s, D_a);
        score(e.data(), q.data(), keys.data(), w.v, B, T);
        share(a.data(), c.data(), e.data(), h.data(), mask.data(), B, T, D_h);
        const auto yc = joined(y.data() + t * y.size(2), y.size(1) * y.size(2), y.size(2), c.data(), D_h, B);
        step(next.data(), yc.data(), s.data(), w.W_x, w.W_s, w.b, B);
        s = next;
        for (int b = 0; b < B; b++) {
            std::copy_n(&s[b * D_s], D_s, S[b][t].data());
            std::copy_n(&a[b * T], T, A[b][t].data());
        }
    }
}

void grid_attention(TensorView<float, 3> a, TensorView<float, 2> c, TensorView<const float, 2> s_prev,
                    TensorView<const float, 4> grid, TensorView<const float, 2> W_q,
                    TensorView<const float, 2> W_k, TensorView<const float, 1> v) {
    const int B = grid.size(0), R = grid.size(1), C = grid.size(2), D_h = grid.size(3), D_a = v.size(0);
    auto q = zeros(B, D_a), e = zeros(B, R, C);
    multiply(q.data(), s_prev.data(), W_q.data(), B, s_prev.size(1), D_a);
    for (int b = 0; b < B; b++)
        for (int k = 0; k < C; k++)
            for (int r = 0; r < R; r++) {
                auto key = zeros(1, D_a);
                multiply(key.data(), grid[b][r][k].data(), W_k.data(), 1, D_h, D_a);
                score(&e[(b * R + r) * C + k], &q[b * D_a], key.data(), v, 1, 1);
            }
    share(a.data(), c.data(), e.data(), grid.data(), nullptr, B, R * C, D_h);
}

}  // namespace attn
