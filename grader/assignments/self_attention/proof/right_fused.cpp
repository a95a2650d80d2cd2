// Another right solution, close to the peak speed of the machine: blocks of keys that stay in the cache, a
// running maximum and sum (online softmax), an exp that the compiler can vectorise, and sums kept in
// registers. It uses what a student may use: vector types, but no intrinsics.

#pragma GCC optimize("no-trapping-math")  // lets the compiler vectorise a choice between two floats

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "self_attention.h"

namespace attn {
namespace {

constexpr int kKeys = 64, kQueries = 4;
// As many features as one register holds. A wider vector type would be slow: g++ keeps its parts in memory.
#if defined(__AVX512F__)
constexpr int kFeatures = 16;
#else
constexpr int kFeatures = 8;
#endif

/// exp(x) for x <= 0, within two units in the last place; 0 below -87.
inline float quick_exp(float x) {
    const float bounded = x < -87.0f ? -87.0f : x;
    const float shifted = bounded * 1.44269504f + 12582912.0f;  // rounds to a whole number in the low bits
    const float n = shifted - 12582912.0f;
    const float r = (bounded - n * 0.693145752f) - n * 1.42860677e-6f;
    float p = 1.38888889e-3f;
    p = p * r + 8.33333333e-3f;
    p = p * r + 4.16666667e-2f;
    p = p * r + 1.66666667e-1f;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    int bits;
    std::memcpy(&bits, &shifted, sizeof bits);
    const int power = (bits + 127) << 23;
    float two_to_n;
    std::memcpy(&two_to_n, &power, sizeof two_to_n);
    return x < -87.0f ? 0.0f : p * two_to_n;
}

/// A vector of numbers in one register.
typedef float Vec __attribute__((vector_size(kFeatures * sizeof(float))));

void load(Vec& x, const float* from) {
    std::memcpy(&x, from, sizeof x);
}

/// The largest of `kKeys` numbers. A loop with one variable would be a long chain.
float largest(const float* e) {
    Vec top, next;
    load(top, e);
    for (int j = kFeatures; j < kKeys; j += kFeatures) {
        load(next, e + j);
        top = next > top ? next : top;
    }
    float result = top[0];
    for (int k = 1; k < kFeatures; k++) result = std::max(result, top[k]);
    return result;
}

/// The sum of `kKeys` numbers, as `kFeatures` sums side by side.
float sum_of(const float* e) {
    Vec sums = {}, next;
    for (int j = 0; j < kKeys; j += kFeatures) {
        load(next, e + j);
        sums += next;
    }
    float result = 0;
    for (int k = 0; k < kFeatures; k++) result += sums[k];
    return result;
}

struct Block {
    float e[kQueries][kKeys];
};

/// e = q k for `kQueries` queries and `kKeys` keys, k transposed: [D_q, kKeys].
void scores(Block& block, const float* const* q, const float* k, int D_q) {
    for (int start = 0; start < kKeys; start += 2 * kFeatures) {
        Vec left[kQueries] = {}, right[kQueries] = {};
        for (int d = 0; d < D_q; d++) {
            Vec k_left, k_right;
            load(k_left, k + d * kKeys + start);
            load(k_right, k + d * kKeys + start + kFeatures);
            for (int i = 0; i < kQueries; i++) {
                left[i] += q[i][d] * k_left;
                right[i] += q[i][d] * k_right;
            }
        }
        for (int i = 0; i < kQueries; i++) {
            std::memcpy(&block.e[i][start], &left[i], sizeof left[i]);
            std::memcpy(&block.e[i][start + kFeatures], &right[i], sizeof right[i]);
        }
    }
}

/// o += p v for one strip of features: rows of v lie `row` numbers apart.
void add_values(Vec* o, const Block& p, const float* v, int count, int row) {
    Vec sum[kQueries];
    for (int i = 0; i < kQueries; i++) sum[i] = o[i];
    for (int j = 0; j < count; j++) {
        Vec values;
        load(values, v + j * row);
        for (int i = 0; i < kQueries; i++) sum[i] += p.e[i][j] * values;
    }
    for (int i = 0; i < kQueries; i++) o[i] = sum[i];
}

/// All keys [blocks][D_q][kKeys], scaled, the last block filled up with zeros.
std::vector<float> packed(TensorView<const float, 2> K, int D_q, float scale) {
    const int N_k = K.size(0), blocks = (N_k + kKeys - 1) / kKeys;
    std::vector<float> keys(blocks * D_q * kKeys, 0.0f);
    for (int j = 0; j < N_k; j++)
        for (int d = 0; d < D_q; d++) keys[(j / kKeys * D_q + d) * kKeys + j % kKeys] = K(j, d) * scale;
    return keys;
}

}  // namespace

void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X) {
    for (int i = 0; i < X.size(0); i++) {
        const int D = X.size(1);
        const float* x = &X(i, 0);
        float* y = &Y(i, 0);
        const float m = *std::max_element(x, x + D);
        float sum = 0;
        for (int j = 0; j < D; j++) y[j] = quick_exp(x[j] - m);
        for (int j = 0; j < D; j++) sum += y[j];
        for (int j = 0; j < D; j++) y[j] /= sum;
    }
}

void scaled_dot_product_attention(TensorView<float, 3> Y, TensorView<float, 3> A,
                                  TensorView<const float, 3> Q, TensorView<const float, 3> K,
                                  TensorView<const float, 3> V) {
    const int N_q = Q.size(1), D_q = Q.size(2), N_k = K.size(1), D_v = V.size(2);
    const int strips = (D_v + kFeatures - 1) / kFeatures;
    std::vector<float> values(N_k * strips * kFeatures);
    std::vector<Vec> o(strips * kQueries);
    for (int b = 0; b < Q.size(0); b++) {
        const std::vector<float> keys = packed(K[b], D_q, 1 / std::sqrt(float(D_q)));
        for (int j = 0; j < N_k; j++)
            for (int d = 0; d < D_v; d++) values[j * strips * kFeatures + d] = V(b, j, d);
        for (int first = 0; first < N_q; first += kQueries) {
            const float* q[kQueries];
            for (int i = 0; i < kQueries; i++) q[i] = &Q(b, std::min(first + i, N_q - 1), 0);
            float m[kQueries], l[kQueries] = {};
            std::fill(m, m + kQueries, -INFINITY);
            std::fill(o.begin(), o.end(), Vec{});
            Block block;
            for (int start = 0; start < N_k; start += kKeys) {
                const int count = std::min(kKeys, N_k - start);
                scores(block, q, &keys[start * D_q], D_q);
                for (int i = 0; i < kQueries; i++) {
                    float* e = block.e[i];
                    for (int j = count; j < kKeys; j++) e[j] = -INFINITY;
                    const float bigger = std::max(m[i], largest(e));
                    for (int j = 0; j < kKeys; j++) e[j] = quick_exp(e[j] - bigger);
                    const float shrink = quick_exp(m[i] - bigger);
                    l[i] = l[i] * shrink + sum_of(e);
                    m[i] = bigger;
                    for (int s = 0; s < strips; s++) o[s * kQueries + i] *= shrink;
                }
                for (int s = 0; s < strips; s++)
                    add_values(&o[s * kQueries], block, &values[start * strips * kFeatures + s * kFeatures],
                               count, strips * kFeatures);
            }
            for (int i = 0; i < std::min(kQueries, N_q - first); i++)
                for (int d = 0; d < D_v; d++)
                    Y(b, first + i, d) = o[d / kFeatures * kQueries + i][d % kFeatures] / l[i];
            if (!A) continue;
            for (int start = 0; start < N_k; start += kKeys) {
                scores(block, q, &keys[start * D_q], D_q);
                for (int i = 0; i < std::min(kQueries, N_q - first); i++)
                    for (int j = start; j < std::min(start + kKeys, N_k); j++)
                        A(b, first + i, j) = quick_exp(block.e[i][j - start] - m[i]) / l[i];
            }
        }
    }
}

// Projects feature by feature, all tokens at a time.
void self_attention(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> W_Q,
                    TensorView<const float, 2> W_K, TensorView<const float, 2> W_V) {
    const int B = X.size(0), N = X.size(1), D_x = X.size(2), D_q = W_Q.size(1), D_v = W_V.size(1);
    std::vector<float> q(B * N * D_q), k(B * N * D_q), v(B * N * D_v);
    TensorView<float, 3> Q(q.data(), B, N, D_q), K(k.data(), B, N, D_q), V(v.data(), B, N, D_v);
    const auto project = [&](TensorView<float, 3> Z, TensorView<const float, 2> W) {
        std::fill(Z.data(), Z.data() + Z.count(), 0.0f);
        for (int x = 0; x < D_x; x++)
            for (int b = 0; b < B; b++)
                for (int i = 0; i < N; i++)
                    for (int d = 0; d < W.size(1); d++) Z(b, i, d) += X(b, i, x) * W(x, d);
    };
    project(Q, W_Q);
    project(K, W_K);
    project(V, W_V);
    scaled_dot_product_attention(Y, {}, Q, K, V);
}

}  // namespace attn
