#pragma once
/// The short vectors of CUDA (float4, uint2, ..) and dim3, with the alignments that a GPU gives them.

#include <cstddef>

namespace attn::emulator::detail {

/// Two or four elements are loaded at once, up to 16 bytes; one or three have the alignment of their element.
constexpr std::size_t vector_alignment(std::size_t element, int count) {
    if (count == 1 || count == 3) return element;
    const std::size_t bytes = element * static_cast<std::size_t>(count);
    return bytes < 16 ? bytes : 16;
}

}  // namespace attn::emulator::detail

// Twelve families of four types and four functions each are alike, so a macro defines them.
#define ATTN_EMULATOR_VECTORS(T, name)                                               \
    struct name##1 {                                                                 \
        T x;                                                                         \
    };                                                                               \
    struct alignas(attn::emulator::detail::vector_alignment(sizeof(T), 2)) name##2 { \
        T x, y;                                                                      \
    };                                                                               \
    struct name##3 {                                                                 \
        T x, y, z;                                                                   \
    };                                                                               \
    struct alignas(attn::emulator::detail::vector_alignment(sizeof(T), 4)) name##4 { \
        T x, y, z, w;                                                                \
    };                                                                               \
    inline name##1 make_##name##1(T x) {                                             \
        return {x};                                                                  \
    }                                                                                \
    inline name##2 make_##name##2(T x, T y) {                                        \
        return {x, y};                                                               \
    }                                                                                \
    inline name##3 make_##name##3(T x, T y, T z) {                                   \
        return {x, y, z};                                                            \
    }                                                                                \
    inline name##4 make_##name##4(T x, T y, T z, T w) {                              \
        return {x, y, z, w};                                                         \
    }

ATTN_EMULATOR_VECTORS(signed char, char)
ATTN_EMULATOR_VECTORS(unsigned char, uchar)
ATTN_EMULATOR_VECTORS(short, short)
ATTN_EMULATOR_VECTORS(unsigned short, ushort)
ATTN_EMULATOR_VECTORS(int, int)
ATTN_EMULATOR_VECTORS(unsigned int, uint)
ATTN_EMULATOR_VECTORS(long, long)
ATTN_EMULATOR_VECTORS(unsigned long, ulong)
ATTN_EMULATOR_VECTORS(long long, longlong)
ATTN_EMULATOR_VECTORS(unsigned long long, ulonglong)
ATTN_EMULATOR_VECTORS(float, float)
ATTN_EMULATOR_VECTORS(double, double)
#undef ATTN_EMULATOR_VECTORS

/// The size of a grid or of a block; a size that is not given is 1.
struct dim3 {
    unsigned int x = 1, y = 1, z = 1;
    constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 other) : x(other.x), y(other.y), z(other.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
