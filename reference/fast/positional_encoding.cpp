// Sines and cosines of a position follow from those of the position before it, by one product of complex numbers. Relative
// attention adds no vectors to keys and values: products with R_K and R_V are made once for each distance.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <vector>

#include "contracts/positional_encoding_fast.h"
#include "contracts/self_attention_fast.h"
#include "reference/fast/buffer.h"
#include "reference/fast/matmul.h"
#include "reference/refusals.h"

namespace attn::fast {
namespace {

/// cos and sin of the angles p / 10000^(2i/D) of one position p after the other, in double: after a million positions
/// they are still right to within the last place of a float.
class Angles {
  public:
    Angles(int first, int D) {
        for (int i = 0; i < (D + 1) / 2; ++i) {
            const double frequency = std::pow(10000.0, -2.0 * i / D);
            turns_.push_back(std::polar(1.0, frequency));
            now_.push_back(std::polar(1.0, first * frequency));
        }
    }
    float cos(int i) const { return static_cast<float>(now_[static_cast<std::size_t>(i)].real()); }
    float sin(int i) const { return static_cast<float>(now_[static_cast<std::size_t>(i)].imag()); }
    void next() {
        for (std::size_t i = 0; i < now_.size(); ++i) {
            const double c = now_[i].real(), s = now_[i].imag(), a = turns_[i].real(), b = turns_[i].imag();
            now_[i] = {c * a - s * b, c * b + s * a};
        }
    }

  private:
    std::vector<std::complex<double>> turns_, now_;
};

float naive(int p, int N, Naive kind) {
    switch (kind) {
        case Naive::index:
            return static_cast<float>(p);
        case Naive::fraction:
            return static_cast<float>(p) / static_cast<float>(N);
        case Naive::saturating:
            return std::tanh(static_cast<float>(p));
        case Naive::one_sine:
            return std::sin(static_cast<float>(p));
    }
    refuse(kind);
}

/// The distances that N positions have, cut off at C: from -reach to reach.
struct Distances {
    Distances(int N_, int C_) : N(N_), reach(std::min(C_, N_ - 1)), skipped(C_ - reach) {}
    int count() const { return 2 * reach + 1; }
    /// The rows of R_K or R_V that belong to them.
    Matrix<const float> rows_of(TensorView<const float, 2> R) const {
        return {R.data() + std::ptrdiff_t{skipped} * R.size(1), count(), R.size(1)};
    }
    /// f(j, the row of query i and key j) for all keys j of a query.
    template <class F>
    void for_keys(int i, F f) const {
        const int near = std::max(0, i - reach), far = std::min(N, i + reach + 1);
        for (int j = 0; j < near; ++j) f(j, 0);
        for (int j = near; j < far; ++j) f(j, j - i + reach);
        for (int j = far; j < N; ++j) f(j, 2 * reach);
    }

    int N, reach, skipped;
};

}  // namespace

void naive_positions(TensorView<float, 2> P, Naive kind) {
    for (int p = 0; p < P.size(0); ++p) std::fill_n(P[p].data(), P.size(1), naive(p, P.size(0), kind));
}

void sinusoidal_positions(TensorView<float, 2> P) {
    const int D = P.size(1);
    Angles angles(0, D);
    for (int p = 0; p < P.size(0); ++p, angles.next())
        for (int d = 0; d < D; ++d) P(p, d) = d % 2 == 0 ? angles.sin(d / 2) : angles.cos(d / 2);
}

void add_positions(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> P) {
    for (int b = 0; b < X.size(0); ++b) {
        float* const y = Y[b].data();
        const float *const x = X[b].data(), *const p = P.data();
        for (std::ptrdiff_t k = 0; k < P.count(); ++k) y[k] = x[k] + p[k];
    }
}

void concatenate_positions(TensorView<float, 3> Y, TensorView<const float, 3> X,
                           TensorView<const float, 2> P) {
    const int D = X.size(2);
    for (int b = 0; b < X.size(0); ++b)
        for (int p = 0; p < X.size(1); ++p) {
            std::copy_n(X[b][p].data(), D, Y[b][p].data());
            std::copy_n(P[p].data(), P.size(1), Y[b][p].data() + D);
        }
}

void relative_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                        TensorView<const float, 3> K, TensorView<const float, 3> V,
                        TensorView<const float, 2> R_K, TensorView<const float, 2> R_V, int C) {
    const int N = Q.size(1);
    const Distances distances(N, C);
    const float factor = 1 / std::sqrt(static_cast<float>(Q.size(2)));
    thread_local Buffer buffer;
    Workspace memory(buffer, numbers(N, N) + numbers(N, distances.count()));
    const auto own = memory.take(N, N), by_distance = memory.take(N, distances.count());
    for (int b = 0; b < Q.size(0); ++b) {
        const TensorView<float, 2> weights = A ? A[b] : own;
        // E = Q K^T / sqrt(D_q), and what each distance adds to it
        multiply_transposed(weights, Q[b], K[b], factor);
        multiply_transposed(by_distance, Q[b], distances.rows_of(R_K), factor);
        for (int i = 0; i < N; ++i) {
            float* const e = weights[i].data();
            const float* const added = by_distance[i].data();
            distances.for_keys(i, [&](int j, int row) { e[j] += added[row]; });
        }
        fast::softmax(weights, weights);
        // Y = A V, and the weights of each distance times its vector
        for (int i = 0; i < N; ++i) {
            const float* const a = weights[i].data();
            float* const sums = by_distance[i].data();
            std::fill_n(sums, distances.count(), 0.0F);
            distances.for_keys(i, [&](int j, int row) { sums[row] += a[j]; });
        }
        multiply(Y[b], Matrix<float>(weights), V[b]);
        add_product(Y[b], Matrix<float>(by_distance), distances.rows_of(R_V));
    }
}

void rotary_positions(TensorView<float, 3> Y, TensorView<const float, 3> X, int offset) {
    const int D = X.size(2);
    require_pairs(D);
    Angles angles(offset, D);
    std::vector<float> row(static_cast<std::size_t>(D));  // cos and sin of each pair
    for (int p = 0; p < X.size(1); ++p, angles.next()) {
        for (int i = 0; i < D / 2; ++i) {
            row[static_cast<std::size_t>(2 * i)] = angles.cos(i);
            row[static_cast<std::size_t>(2 * i + 1)] = angles.sin(i);
        }
        for (int b = 0; b < X.size(0); ++b) {
            const float *const x = X[b][p].data(), *const turn = row.data();
            float* const y = Y[b][p].data();
            for (int d = 0; d < D; d += 2) {
                const float first = x[d], second = x[d + 1];
                y[d] = first * turn[d] - second * turn[d + 1];
                y[d + 1] = first * turn[d + 1] + second * turn[d];
            }
        }
    }
}

void rotary_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V) {
    const int B = Q.size(0), N = Q.size(1), D_q = Q.size(2);
    thread_local Buffer buffer;
    Workspace memory(buffer, 2 * numbers(B, N, D_q));
    const auto queries = memory.take(B, N, D_q), keys = memory.take(B, N, D_q);
    fast::rotary_positions(queries, Q, 0);
    fast::rotary_positions(keys, K, 0);
    fast::scaled_dot_product_attention(Y, A, queries, keys, V);
}

void alibi_bias(TensorView<float, 3> bias) {
    const int H = bias.size(0), N = bias.size(1);
    for (int h = 0; h < H; ++h) {
        const float slope = std::exp2(-8.0F * static_cast<float>(h + 1) / static_cast<float>(H));
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j) bias(h, i, j) = slope * static_cast<float>(-std::abs(i - j));
    }
}

}  // namespace attn::fast
