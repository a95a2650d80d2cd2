#pragma once
/// What the layers do to rows between two matrix products: layer norm, activations, tanh, masked softmax.
/// Coefficients: minimax in the relative error.

#include "reference/fast/kernels/exp.h"
#include "reference/fast/kernels/map.h"

namespace attn::fast::ATTN_VECTOR_UNIT {
namespace {

inline constexpr float kLog2e = 0x1.715476p0F;

ATTN_INLINE Vector magnitude(Vector x) {
    return larger(-x, x);
}

/// 1 / x for 1 <= x, within 2 ulp.
ATTN_INLINE Vector reciprocal(Vector x) {
#if defined(__AVX512F__)
    // An estimate of 14 bits and a step of Newton's: a division takes as long as ten products.
    const Vector r = _mm512_rcp14_ps(x);
    return r + r * (all(1) - x * r);
#else
    return all(1) / x;
#endif
}

/// f(x) for each vector of a row and, after its end, for one whose other lanes hold `rest`.
template <class F>
ATTN_INLINE void for_each(const float* x, std::ptrdiff_t count, float rest, F f) {
    std::ptrdiff_t j = 0;
    for (; j + kLanes <= count; j += kLanes) f(load(x + j));
    if (j < count) f(load_part(x + j, count - j, rest));
}

/// In two passes over a row that is in the cache: a first mean, then what it misses and the spread around it.
/// So a constant row gives exactly beta.
inline void layer_norm_row(float* y, const float* x, const float* gamma, const float* beta, float eps,
                           std::ptrdiff_t count) {
    const auto D = static_cast<float>(count);
    Vector sum{}, other{};
    std::ptrdiff_t j = 0;
    for (; j + 2 * kLanes <= count; j += 2 * kLanes) {
        sum += load(x + j);
        other += load(x + j + kLanes);
    }
    for_each(x + j, count - j, 0, [&](Vector v) { sum += v; });
    const float mean = sum_of(sum + other) / D;
    const Vector mu = all(mean);
    Vector missing{}, squares{}, more_missing{}, more_squares{};
    for (j = 0; j + 2 * kLanes <= count; j += 2 * kLanes) {
        const Vector a = load(x + j) - mu, b = load(x + j + kLanes) - mu;
        missing += a;
        squares += a * a;
        more_missing += b;
        more_squares += b * b;
    }
    for_each(x + j, count - j, mean, [&](Vector v) {
        missing += v - mu;
        squares += (v - mu) * (v - mu);
    });
    const float missed = sum_of(missing + more_missing) / D;
    const float var = sum_of(squares + more_squares) / D - missed * missed;
    const Vector shift = all(missed), scale = all(1 / __builtin_sqrtf((var > 0 ? var : 0) + eps));
    const auto normalised = [&](Vector v, Vector g, Vector b) {
        return g * (((v - mu) - shift) * scale) + b;
    };
    for (j = 0; j + kLanes <= count; j += kLanes)
        store(y + j, normalised(load(x + j), load(gamma + j), load(beta + j)));
    if (j < count) {
        const std::ptrdiff_t rest = count - j;
        store_part(y + j, rest,
                   normalised(load_part(x + j, rest, 0), load_part(gamma + j, rest, 0),
                              load_part(beta + j, rest, 0)));
    }
}

inline void relu_row(float* y, const float* x, std::ptrdiff_t count) {
    map(y, x, count, [](Vector v) { return larger(Vector{}, v); });
}

/// g(a) of Phi(-a) = exp(-a^2 / 2) g(a) for a >= 0: a polynomial in 1 / (1 + a / 2.5), to within 8e-8 of
/// itself.
ATTN_INLINE Vector gelu_tail(Vector a) {
    const Vector u = reciprocal(all(1) + all(0.4F) * a);
    Vector g = all(-0x1.446948p-5F);
    g = g * u + all(0x1.9ad4dcp-3F);
    g = g * u + all(-0x1.7ea6e0p-2F);
    g = g * u + all(0x1.00ff3ap-2F);
    g = g * u + all(-0x1.95dbe4p-7F);
    g = g * u + all(0x1.446fe6p-3F);
    g = g * u + all(0x1.3f0d0ep-3F);
    g = g * u + all(0x1.477bd8p-3F);
    return g * u + all(-0x1.923bb2p-17F);
}

/// x Phi(x) from the smaller one of Phi(x) and Phi(-x), so that nothing cancels where Phi is small.
ATTN_INLINE Vector gelu_erf_of(Vector x) {
    const Vector a = magnitude(x);
    const Vector small = x * (gelu_tail(a) * exp2_of(all(-0.5F * kLog2e) * a * a));
    return x > Vector{} ? x - small : small;
}

inline void gelu_erf_row(float* y, const float* x, std::ptrdiff_t count) {
    const FlushToZero flush;
    map(y, x, count, [](Vector v) { return gelu_erf_of(v); });
}

/// 1 / (1 + 2^-u), written so that no power is large.
ATTN_INLINE Vector sigma_in_base_2(Vector u) {
    const Vector e = exp2_of(-magnitude(u));
    return (u > Vector{} ? all(1) : e) * reciprocal(all(1) + e);
}

/// x (1 + tanh u) / 2 = x / (1 + exp(-2 u))
ATTN_INLINE Vector gelu_tanh_of(Vector x) {
    constexpr float kRoot = 0x1.988454p-1F;  // sqrt(2 / pi)
    return x * sigma_in_base_2((all(2 * kLog2e * kRoot) * x) * (all(1) + all(0.044715F) * (x * x)));
}

inline void gelu_tanh_row(float* y, const float* x, std::ptrdiff_t count) {
    const FlushToZero flush;
    map(y, x, count, [](Vector v) { return gelu_tanh_of(v); });
}

ATTN_INLINE Vector tanh_of(Vector x) {
    constexpr float kSmall = 0.55F;  // below it 1 - exp(-2 x) loses digits
    const Vector e = exp2_of(all(-2 * kLog2e) * magnitude(x)), far = (all(1) - e) * reciprocal(all(1) + e);
    const Vector s = x * x;
    Vector p = all(0x1.0da90ep-6F);
    p = p * s + all(-0x1.af96aap-5F);
    p = p * s + all(0x1.10d01ap-3F);
    p = p * s + all(-0x1.55545ap-2F);
    const Vector near = x + x * (s * p);
    return magnitude(x) < all(kSmall) ? near : x < Vector{} ? -far : far;
}

inline void tanh_row(float* y, const float* x, std::ptrdiff_t count) {
    const FlushToZero flush;
    map(y, x, count, [](Vector v) { return tanh_of(v); });
}

inline float score(const float* v, const float* q, const float* k, std::ptrdiff_t count) {
    const FlushToZero flush;
    Vector sum{};
    std::ptrdiff_t d = 0;
    for (; d + kLanes <= count; d += kLanes) sum += load(v + d) * tanh_of(load(q + d) + load(k + d));
    if (d < count) {
        const std::ptrdiff_t rest = count - d;
        sum += load_part(v + d, rest, 0) * tanh_of(load_part(q + d, rest, 0) + load_part(k + d, rest, 0));
    }
    return sum_of(sum);
}

/// The numbers whose mask is not 0, -infinity for the others, `count` of them (up to a vector).
ATTN_INLINE Vector load_allowed(const float* x, const std::uint8_t* mask, std::ptrdiff_t count) {
    Vector v = all(-kInfinity);
    for (std::ptrdiff_t lane = 0; lane < count; ++lane) v[lane] = mask[lane] ? x[lane] : -kInfinity;
    return v;
}

inline void masked_softmax_row(float* y, const float* x, const std::uint8_t* mask, std::ptrdiff_t count) {
    Vector top = all(-kInfinity);
    for (std::ptrdiff_t j = 0; j < count; j += kLanes) {
        const std::ptrdiff_t width = count - j < kLanes ? count - j : kLanes;
        const Vector allowed = load_allowed(x + j, mask + j, width);
        store_part(y + j, width, allowed);
        top = larger(allowed, top);
    }
    const float largest = largest_of(top);
    if (largest == -kInfinity) {  // nothing is allowed
        for (std::ptrdiff_t j = 0; j < count; ++j) y[j] = 0;
        return;
    }
    const Vector m = all(largest);
    Vector sums{};
    map(y, y, count, [&](Vector e) { return exp_of(e - m); });
    for_each(y, count, 0, [&](Vector e) { sums += e; });
    const Vector inverse = all(1 / sum_of(sums));
    map(y, y, count, [&](Vector e) { return e * inverse; });
}

}  // namespace
}  // namespace attn::fast::ATTN_VECTOR_UNIT
