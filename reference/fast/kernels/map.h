#pragma once
/// A function of every number of a row whose length need not be whole vectors.

#include "reference/fast/kernels/vector.h"

namespace attn::fast::ATTN_VECTOR_UNIT {
namespace {

#if defined(__AVX512F__)
ATTN_INLINE __mmask16 first_lanes(std::ptrdiff_t count) {
    return static_cast<__mmask16>((1U << count) - 1);
}
#elif defined(__AVX2__)
ATTN_INLINE __m256i first_lanes(std::ptrdiff_t count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)),
                              _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
#endif

/// The first `count` lanes from memory, `rest` in the others.
ATTN_INLINE Vector load_part(const float* from, std::ptrdiff_t count, float rest) {
#if defined(__AVX512F__)
    return _mm512_mask_loadu_ps(all(rest), first_lanes(count), from);
#elif defined(__AVX2__)
    const __m256i lanes = first_lanes(count);
    return _mm256_blendv_ps(all(rest), _mm256_maskload_ps(from, lanes), _mm256_castsi256_ps(lanes));
#else
    Vector x = all(rest);
    __builtin_memcpy(&x, from, static_cast<std::size_t>(count) * sizeof(float));
    return x;
#endif
}

ATTN_INLINE void store_part(float* to, std::ptrdiff_t count, Vector x) {
#if defined(__AVX512F__)
    _mm512_mask_storeu_ps(to, first_lanes(count), x);
#elif defined(__AVX2__)
    _mm256_maskstore_ps(to, first_lanes(count), x);
#else
    __builtin_memcpy(to, &x, static_cast<std::size_t>(count) * sizeof(float));
#endif
}

/// The first `count` lanes, at most all of them: a whole vector needs no mask.
ATTN_INLINE Vector load_up_to(const float* from, int count) {
    return count == kLanes ? load(from) : load_part(from, count, 0);
}

ATTN_INLINE void store_up_to(float* to, int count, Vector x) {
    if (count == kLanes)
        store(to, x);
    else
        store_part(to, count, x);
}

/// f(at, put) for each vector of a row: at(x) reads its numbers of x, put(x, v) writes them.
template <class F>
ATTN_INLINE void for_each_place(std::ptrdiff_t count, F f) {
    std::ptrdiff_t j = 0;
    for (; j + kLanes <= count; j += kLanes)
        f([j](const float* x) { return load(x + j); }, [j](float* x, Vector v) { store(x + j, v); });
    if (j < count)
        f([=](const float* x) { return load_part(x + j, count - j, 0); },
          [=](float* x, Vector v) { store_part(x + j, count - j, v); });
}

/// y[j] = f(x[j]), a vector at a time.
template <class F>
ATTN_INLINE void map(float* y, const float* x, std::ptrdiff_t count, F f) {
    std::ptrdiff_t j = 0;
    for (; j + kLanes <= count; j += kLanes) store(y + j, f(load(x + j)));
    if (j < count) store_part(y + j, count - j, f(load_part(x + j, count - j, 0)));
}

}  // namespace
}  // namespace attn::fast::ATTN_VECTOR_UNIT
