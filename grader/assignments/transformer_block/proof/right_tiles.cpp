// Another right solution, fast enough for full marks without intrinsics: every product is computed in tiles
// of 4 rows by 16 columns, whose sums stay in registers, sums of a row are kept as 16 sums side by side, and
// the erf is one that the compiler can vectorise.

#pragma GCC optimize("no-trapping-math")  // lets the compiler vectorise a choice between two floats

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "multi_head.h"
#include "transformer_block.h"

namespace attn {
namespace {

typedef float Vec __attribute__((vector_size(32)));  // 8 numbers; a vector type is no intrinsic

Vec load(const float* from) {
    Vec x;
    std::memcpy(&x, from, sizeof x);
    return x;
}

void store(float* to, Vec x) {
    std::memcpy(to, &x, sizeof x);
}

float sum_of(Vec x) {
    return ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7]));
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
            for (int r = 0; r < kRows; r++) {
                float* const y = Y + (i + r) * M + j;
                store(y, load(y) + left[r]);
                store(y + 8, load(y + 8) + right[r]);
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

/// erf(x): x times a polynomial in x^2 up to 1, from there 1 - exp(-x Q(x)) with a polynomial Q.
inline float quick_erf(float x) {
    const float size = x < 0 ? -x : x, a = size > 4.0f ? 4.0f : size, s = a * a;
    float near = 7.87587505e-05f;
    near = near * s - 8.01686428e-04f;
    near = near * s + 5.18908742e-03f;
    near = near * s - 2.6854212e-02f;
    near = near * s + 0.112835947f;
    near = near * s - 0.376126267f;
    near = near * s + 1.12837917f;
    float far = -1.1660325e-06f;
    far = far * a + 3.65930118e-05f;
    far = far * a - 5.15745564e-04f;
    far = far * a + 4.37392262e-03f;
    far = far * a - 2.53086012e-02f;
    far = far * a + 0.108091913f;
    far = far * a + 0.633971448f;
    far = far * a + 1.12895724f;
    const float tail = 1.0f - quick_exp(-a * far), value = a < 1.0f ? a * near : tail;
    return x < 0 ? -value : value;
}

/// tanh(x) = (1 - e) / (1 + e) with e = exp(-2 |x|); near 0 a polynomial, because 1 - e would lose digits.
inline float quick_tanh(float x) {
    const float size = x < 0 ? -x : x, a = size > 20.0f ? 20.0f : size, e = quick_exp(-2 * a), s = x * x;
    const float value = (1 - e) / (1 + e), small = x - x * s * (0.333333333f - s * 0.133333333f);
    return a < 0.1f ? small : x < 0 ? -value : value;
}

void activate(std::vector<float>& hidden, Activation activation) {
    if (activation == Activation::gelu_erf) {
        for (float& x : hidden) x = 0.5f * x * (1 + quick_erf(x * 0.707106781f));
    } else if (activation == Activation::gelu_tanh) {
        for (float& x : hidden) x = 0.5f * x * (1 + quick_tanh(0.7978845608f * (x + 0.044715f * x * x * x)));
    } else if (activation == Activation::relu) {
        for (float& x : hidden) x = x < 0 ? 0.0f : x;
    } else {
        throw std::invalid_argument("an unknown activation");
    }
}

/// All tokens of all batches as the rows of one matrix.
template <class T>
TensorView<T, 2> rows(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

/// A [B, N, D] array to work in.
struct Work {
    std::vector<float> numbers;
    TensorView<float, 3> view;
    explicit Work(TensorView<const float, 3> like)
        : numbers(like.count()), view(numbers.data(), like.size(0), like.size(1), like.size(2)) {}
};

void add(TensorView<float, 3> Y, TensorView<const float, 3> X) {
    for (int k = 0; k < Y.count(); k++) Y.data()[k] += X.data()[k];
}

}  // namespace

void layer_norm(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, float eps) {
    const int N = X.size(0), D = X.size(1), whole = D / 16 * 16;
    for (int i = 0; i < N; i++) {
        const float* const x = X.data() + std::ptrdiff_t{i} * D;
        float* const y = Y.data() + std::ptrdiff_t{i} * D;
        Vec first = {}, second = {};
        for (int d = 0; d < whole; d += 16) first += load(x + d), second += load(x + d + 8);
        float mean = sum_of(first + second);
        for (int d = whole; d < D; d++) mean += x[d];
        mean /= float(D);
        first = second = Vec{};
        for (int d = 0; d < whole; d += 16) {
            const Vec a = load(x + d) - mean, b = load(x + d + 8) - mean;
            first += a * a, second += b * b;
        }
        float var = sum_of(first + second);
        for (int d = whole; d < D; d++) var += (x[d] - mean) * (x[d] - mean);
        const float scale = 1 / std::sqrt(var / float(D) + eps);
        for (int d = 0; d < D; d++) y[d] = gamma.data()[d] * ((x[d] - mean) * scale) + beta.data()[d];
    }
}

void feed_forward(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W_1,
                  TensorView<const float, 1> b_1, TensorView<const float, 2> W_2,
                  TensorView<const float, 1> b_2, Activation activation) {
    const int N = X.size(0), D = X.size(1), F = W_1.size(1);
    std::vector<float> hidden(std::size_t(N) * F);
    for (int i = 0; i < N; i++) {
        std::copy_n(b_1.data(), F, &hidden[std::size_t(i) * F]);
        std::copy_n(b_2.data(), D, Y.data() + std::ptrdiff_t{i} * D);
    }
    add_product(hidden.data(), X.data(), W_1.data(), N, D, F);
    activate(hidden, activation);
    add_product(Y.data(), hidden.data(), W_2.data(), N, F, D);
}

void transformer_block(TensorView<float, 3> Y, TensorView<const float, 3> X,
                       const BlockWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                       Norm norm, Activation activation, float eps) {
    Work attended(X), normalised(X);
    const auto feed = [&](TensorView<float, 3> to, TensorView<const float, 3> from) {
        feed_forward(rows(to), rows(from), weights.W_1, weights.b_1, weights.W_2, weights.b_2, activation);
    };
    const TensorView<float, 3> A = attended.view, L = normalised.view;
    if (norm == Norm::post) {
        multi_head_attention(A, X, X, weights.attention, mask, H);
        add(A, X);
        layer_norm(rows(L), rows(TensorView<const float, 3>(A)), weights.gamma_1, weights.beta_1, eps);
        feed(A, L);
        add(A, L);
        layer_norm(rows(Y), rows(TensorView<const float, 3>(A)), weights.gamma_2, weights.beta_2, eps);
    } else {
        layer_norm(rows(L), rows(X), weights.gamma_1, weights.beta_1, eps);
        multi_head_attention(A, L, L, weights.attention, mask, H);
        add(A, X);
        layer_norm(rows(L), rows(TensorView<const float, 3>(A)), weights.gamma_2, weights.beta_2, eps);
        feed(Y, L);
        add(Y, A);
    }
}

void transformer_encoder(TensorView<float, 3> Y, TensorView<const float, 3> X,
                         const EncoderWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                         Norm norm, Activation activation, float eps) {
    Work between(X);
    const TensorView<float, 3> Z = between.view;
    std::copy_n(X.data(), X.count(), Z.data());
    for (int l = 0; l < weights.layers(); l++) {
        transformer_block(Y, Z, weights.layer(l), mask, H, norm, activation, eps);
        std::copy_n(Y.data(), Y.count(), Z.data());
    }
    if (norm == Norm::pre)
        layer_norm(rows(Y), rows(TensorView<const float, 3>(Z)), weights.gamma, weights.beta, eps);
    else
        std::copy_n(Z.data(), Z.count(), Y.data());
}

}  // namespace attn
