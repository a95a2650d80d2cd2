#pragma once
/// The functions of CUDA for 16-bit numbers and pairs of them, for both formats. A call finds them by the
/// types of its arguments.

#include <cmath>

#include <cuda_runtime.h>

#include "attn_small_float.h"

namespace attn::emulator {

template <int E, int F>
using Small = SmallFloat<E, F>;
/// Later arguments convert to the type of the first one: __hmax(x, 0.0f) works in x's format.
template <class T>
struct SameAs {
    using type = T;
};
template <class T>
using Same = typename SameAs<T>::type;

// Each formula gives two functions, one for a number and one for a pair. Only the preprocessor can make both
// names.
#define ATTN_SMALL_UNARY(name, pair_name, formula)            \
    template <int E, int F>                                   \
    inline Small<E, F> name(Small<E, F> a) {                  \
        const float x = a.wide();                             \
        return formula;                                       \
    }                                                         \
    template <int E, int F>                                   \
    inline Pair<Small<E, F>> pair_name(Pair<Small<E, F>> a) { \
        return {name(a.x), name(a.y)};                        \
    }
ATTN_SMALL_UNARY(hexp, h2exp, std::exp(x))
ATTN_SMALL_UNARY(hexp2, h2exp2, std::exp2(x))
ATTN_SMALL_UNARY(hexp10, h2exp10, std::pow(10.0, static_cast<double>(x)))
ATTN_SMALL_UNARY(hlog, h2log, std::log(x))
ATTN_SMALL_UNARY(hlog2, h2log2, std::log2(x))
ATTN_SMALL_UNARY(hlog10, h2log10, std::log10(x))
ATTN_SMALL_UNARY(hsqrt, h2sqrt, std::sqrt(x))
ATTN_SMALL_UNARY(hrsqrt, h2rsqrt, 1.0 / std::sqrt(static_cast<double>(x)))
ATTN_SMALL_UNARY(hrcp, h2rcp, 1.0f / x)
ATTN_SMALL_UNARY(hsin, h2sin, std::sin(x))
ATTN_SMALL_UNARY(hcos, h2cos, std::cos(x))
ATTN_SMALL_UNARY(htanh, h2tanh, std::tanh(x))
ATTN_SMALL_UNARY(hfloor, h2floor, std::floor(x))
ATTN_SMALL_UNARY(hceil, h2ceil, std::ceil(x))
ATTN_SMALL_UNARY(htrunc, h2trunc, std::trunc(x))
ATTN_SMALL_UNARY(hrint, h2rint, std::nearbyint(x))
ATTN_SMALL_UNARY(__hneg, __hneg2, -x)
ATTN_SMALL_UNARY(__habs, __habs2, std::fabs(x))
#undef ATTN_SMALL_UNARY

/// Clamped to 0 .. 1; NaN becomes 0.
template <class T>
inline T saturated(T a) {
    return a.is_nan() || a < T(0.0f) ? T(0.0f) : a > T(1.0f) ? T(1.0f) : a;
}

#define ATTN_SMALL_BINARY(name, pair_name, formula)                                      \
    template <int E, int F>                                                              \
    inline Small<E, F> name(Small<E, F> a, Same<Small<E, F>> b) {                        \
        return formula;                                                                  \
    }                                                                                    \
    template <int E, int F>                                                              \
    inline Pair<Small<E, F>> pair_name(Pair<Small<E, F>> a, Same<Pair<Small<E, F>>> b) { \
        return {name(a.x, b.x), name(a.y, b.y)};                                         \
    }
ATTN_SMALL_BINARY(__hadd, __hadd2, a + b)
ATTN_SMALL_BINARY(__hsub, __hsub2, a - b)
ATTN_SMALL_BINARY(__hmul, __hmul2, a* b)
ATTN_SMALL_BINARY(__hdiv, __h2div, a / b)
ATTN_SMALL_BINARY(__hadd_rn, __hadd2_rn, a + b)
ATTN_SMALL_BINARY(__hsub_rn, __hsub2_rn, a - b)
ATTN_SMALL_BINARY(__hmul_rn, __hmul2_rn, a* b)
ATTN_SMALL_BINARY(__hadd_sat, __hadd2_sat, saturated(a + b))
ATTN_SMALL_BINARY(__hsub_sat, __hsub2_sat, saturated(a - b))
ATTN_SMALL_BINARY(__hmul_sat, __hmul2_sat, saturated(a* b))
ATTN_SMALL_BINARY(__hmax, __hmax2, a.larger(a, b))
ATTN_SMALL_BINARY(__hmin, __hmin2, a.smaller(a, b))
ATTN_SMALL_BINARY(__hmax_nan, __hmax2_nan, a.is_nan() || b.is_nan() ? a.nan() : a.larger(a, b))
ATTN_SMALL_BINARY(__hmin_nan, __hmin2_nan, a.is_nan() || b.is_nan() ? a.nan() : a.smaller(a, b))
#undef ATTN_SMALL_BINARY

template <int E, int F>
inline Small<E, F> __hfma(Small<E, F> a, Same<Small<E, F>> b, Same<Small<E, F>> c) {
    return a.multiply_add(a, b, c);
}
template <int E, int F>
inline Small<E, F> __hfma_sat(Small<E, F> a, Same<Small<E, F>> b, Same<Small<E, F>> c) {
    return saturated(a.multiply_add(a, b, c));
}
template <int E, int F>
inline Small<E, F> __hfma_relu(Small<E, F> a, Same<Small<E, F>> b, Same<Small<E, F>> c) {
    return __hmax_nan(a.multiply_add(a, b, c), 0.0f);
}
template <class T>
inline Pair<T> __hfma2(Pair<T> a, Pair<T> b, Pair<T> c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

// Comparisons. Ordered ones are false for NaN, unordered ones (..u) are true. For pairs the result is two
// numbers 1 or 0 (..2), or one bool for both (__hb..2).
#define ATTN_SMALL_COMPARISON(name, formula)                                                 \
    template <int E, int F>                                                                  \
    inline bool __h##name(Small<E, F> a, Same<Small<E, F>> b) {                              \
        return !a.is_nan() && !b.is_nan() && (formula);                                      \
    }                                                                                        \
    template <int E, int F>                                                                  \
    inline bool __h##name##u(Small<E, F> a, Same<Small<E, F>> b) {                           \
        return a.is_nan() || b.is_nan() || (formula);                                        \
    }                                                                                        \
    template <class T>                                                                       \
    inline Pair<T> __h##name##2(Pair<T> a, Pair<T> b) {                                      \
        return {T(__h##name(a.x, b.x) ? 1.0f : 0.0f), T(__h##name(a.y, b.y) ? 1.0f : 0.0f)}; \
    }                                                                                        \
    template <class T>                                                                       \
    inline bool __hb##name##2(Pair<T> a, Pair<T> b) {                                        \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                   \
    }
ATTN_SMALL_COMPARISON(eq, a == b)
ATTN_SMALL_COMPARISON(ne, a != b)
ATTN_SMALL_COMPARISON(lt, a < b)
ATTN_SMALL_COMPARISON(le, a <= b)
ATTN_SMALL_COMPARISON(gt, a > b)
ATTN_SMALL_COMPARISON(ge, a >= b)
#undef ATTN_SMALL_COMPARISON

template <int E, int F>
inline bool __hisnan(Small<E, F> a) {
    return a.is_nan();
}
/// 1 or -1 for an infinity, 0 for any other number.
template <int E, int F>
inline int __hisinf(Small<E, F> a) {
    return a.is_infinite() ? (a.wide() > 0 ? 1 : -1) : 0;
}
template <class T>
inline Pair<T> __hisnan2(Pair<T> a) {
    return {T(a.x.is_nan() ? 1.0f : 0.0f), T(a.y.is_nan() ? 1.0f : 0.0f)};
}

template <class T>
inline float __low2float(Pair<T> a) {
    return a.x.wide();
}
template <class T>
inline float __high2float(Pair<T> a) {
    return a.y.wide();
}

/// Adds atomically and returns the old value. `Word` is an integer of T's size.
template <class Word, class T>
[[gnu::always_inline]] inline T add_by_exchange(T* place, T value) {
    Word* const word = reinterpret_cast<Word*>(place);
    Word seen = atomicCAS(word, Word(0), Word(0));
    while (true) {
        const T old = bits_as<T>(seen);
        const Word now = atomicCAS(word, seen, bits_as<Word>(T(old + value)));
        if (now == seen) return old;
        seen = now;
    }
}
template <int E, int F>
[[gnu::always_inline]] inline Small<E, F> atomicAdd(Small<E, F>* place, Same<Small<E, F>> value) {
    return add_by_exchange<unsigned short>(place, value);
}
template <class T>
[[gnu::always_inline]] inline Pair<T> atomicAdd(Pair<T>* place, Same<Pair<T>> value) {
    return add_by_exchange<unsigned int>(place, value);
}

}  // namespace attn::emulator
