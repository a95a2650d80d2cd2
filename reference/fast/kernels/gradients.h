#pragma once
/// The derivatives of what layers.h and rows.h do to rows, and what an optimizer does with them.

#include "reference/fast/gradient_kernels.h"
#include "reference/fast/kernels/layers.h"

namespace attn::fast::ATTN_VECTOR_UNIT {
namespace {

inline void softmax_gradient(float* dx, const float* dy, const float* y, float factor, std::ptrdiff_t count) {
    const FlushToZero flush;
    Vector sum{};
    for_each_place(count, [&](auto at, auto) { sum += at(dy) * at(y); });
    const Vector mean = all(sum_of(sum)), scale = all(factor);
    for_each_place(count, [&](auto at, auto put) { put(dx, scale * (at(y) * (at(dy) - mean))); });
}

/// x y, rounded. A compiler would fuse it with the sum that it is part of, and g - g would not be 0.
ATTN_INLINE Vector rounded_product(Vector x, Vector y) {
#if defined(__clang__)
#pragma clang fp contract(off)
    return x * y;
#else
    return __builtin_assoc_barrier(x * y);
#endif
}

/// With x_hat = (x - mu) r and g = dy gamma: dx += r (g - mean of g - x_hat (mean of g x_hat)). The mean is
/// taken in two steps, as in layer_norm_row.
inline void layer_norm_gradient(float* dx, float* dgamma, float* dbeta, const float* dy, const float* x,
                                const float* gamma, float eps, std::ptrdiff_t count) {
    const FlushToZero flush;
    const auto D = static_cast<float>(count);
    Vector sum{};
    for_each_place(count, [&](auto at, auto) { sum += at(x); });
    const float mean = sum_of(sum) / D;
    const Vector mu = all(mean);
    Vector missing{}, squares{};
    for_each(x, count, mean, [&](Vector v) {
        missing += v - mu;
        squares += (v - mu) * (v - mu);
    });
    const float missed = sum_of(missing) / D, var = sum_of(squares) / D - missed * missed;
    const Vector shift = all(missed), r = all(1 / __builtin_sqrtf((var > 0 ? var : 0) + eps));
    Vector g_sum{}, g_x_sum{};
    for_each_place(count, [&](auto at, auto put) {
        const Vector x_hat = ((at(x) - mu) - shift) * r, g = rounded_product(at(dy), at(gamma));
        g_sum += g;
        g_x_sum += g * x_hat;
        put(dgamma, at(dgamma) + at(dy) * x_hat);
        put(dbeta, at(dbeta) + at(dy));
    });
    const Vector g_mean = all(sum_of(g_sum) / D), g_x_mean = all(sum_of(g_x_sum) / D);
    for_each_place(count, [&](auto at, auto put) {
        const Vector x_hat = ((at(x) - mu) - shift) * r, g = rounded_product(at(dy), at(gamma));
        put(dx, at(dx) + r * ((g - g_mean) - x_hat * g_x_mean));
    });
}

inline void relu_gradient(float* m, float* du, const float* u, std::ptrdiff_t count) {
    for_each_place(count, [&](auto at, auto put) {
        const Vector x = at(u), dm = at(du);
        put(m, larger(Vector{}, x));
        put(du, x > Vector{} ? dm : Vector{});
    });
}

/// (x Phi(x))' = Phi(x) + x exp(-x^2 / 2) / sqrt(2 pi); Phi as in gelu_erf_of.
inline void gelu_erf_gradient(float* m, float* du, const float* u, std::ptrdiff_t count) {
    const FlushToZero flush;
    constexpr float kDensity = 0x1.988454p-2F;  // 1 / sqrt(2 pi)
    for_each_place(count, [&](auto at, auto put) {
        const Vector x = at(u), bell = exp2_of(all(-0.5F * kLog2e) * x * x);
        const Vector tail = bell * gelu_tail(magnitude(x));
        const Vector phi = x > Vector{} ? all(1) - tail : tail;
        const Vector dm = at(du);
        put(m, x > Vector{} ? x - x * tail : x * tail);
        put(du, dm * (phi + x * (all(kDensity) * bell)));
    });
}

/// With s = 1 / (1 + exp(-2 w)) and w = c (x + 0.044715 x^3): (x s)' = s + 2 x s (1 - s) w'.
inline void gelu_tanh_gradient(float* m, float* du, const float* u, std::ptrdiff_t count) {
    const FlushToZero flush;
    constexpr float kRoot = 0x1.988454p-1F, kCubic = 0.044715F;  // kRoot = sqrt(2 / pi)
    for_each_place(count, [&](auto at, auto put) {
        const Vector x = at(u), square = x * x;
        const Vector exponent = (all(2 * kLog2e * kRoot) * x) * (all(1) + all(kCubic) * square);
        const Vector e = exp2_of(-magnitude(exponent)), inverse = reciprocal(all(1) + e);
        const Vector s = (x > Vector{} ? all(1) : e) * inverse;
        const Vector slope = all(2 * kRoot) * (all(1) + all(3 * kCubic) * square);
        const Vector dm = at(du);
        put(m, x * s);
        put(du, dm * (s + x * slope * (e * inverse * inverse)));
    });
}

inline void score_gradient(float* dv, float* dq, float* dk, float de, const float* v, const float* q,
                           const float* k, std::ptrdiff_t count) {
    const FlushToZero flush;
    const Vector upstream = all(de);
    for_each_place(count, [&](auto at, auto put) {
        const Vector t = tanh_of(at(q) + at(k)), dz = upstream * at(v) * (all(1) - t * t);
        put(dv, at(dv) + upstream * t);
        put(dq, at(dq) + dz);
        put(dk, at(dk) + dz);
    });
}

ATTN_INLINE Vector root_of(Vector x) {
#if defined(__AVX512F__)
    return _mm512_sqrt_ps(x);
#elif defined(__AVX2__)
    return _mm256_sqrt_ps(x);
#else
    for (int lane = 0; lane < kLanes; ++lane) x[lane] = __builtin_sqrtf(x[lane]);
    return x;
#endif
}

inline void adam_row(float* theta_new, float* m_new, float* v_new, const float* theta, const float* gradient,
                     const float* m, const float* v, const std::uint8_t* decays, const AdamStep& step,
                     std::ptrdiff_t count) {
    const Vector beta_1 = all(step.beta_1), beta_2 = all(step.beta_2), rest_1 = all(1 - step.beta_1),
                 rest_2 = all(1 - step.beta_2);
    std::ptrdiff_t j = 0;
    for_each_place(count, [&](auto at, auto put) {
        const Vector g = at(gradient), weight = at(theta);
        Vector shrunk{};
        const std::ptrdiff_t width = count - j < kLanes ? count - j : kLanes;
        for (std::ptrdiff_t lane = 0; lane < width; ++lane)
            shrunk[lane] = decays[j + lane] != 0 ? step.decay : 0;
        j += kLanes;
        const Vector mean = beta_1 * at(m) + rest_1 * g, square = beta_2 * at(v) + rest_2 * (g * g);
        const Vector change =
            mean * all(step.correction_1) / (root_of(square * all(step.correction_2)) + all(step.eps));
        put(m_new, mean);
        put(v_new, square);
        put(theta_new, weight - all(step.eta) * (change + shrunk * weight));
    });
}

}  // namespace
}  // namespace attn::fast::ATTN_VECTOR_UNIT
