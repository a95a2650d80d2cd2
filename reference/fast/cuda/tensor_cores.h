#pragma once
/// The instructions of a GPU that attend.cu uses beside CUDA's own words: rounding to tf32, the product
/// of fragments on tensor cores, and asynchronous copies to shared memory. They need compute capability 8.0.
/// On the emulator the same functions are plain code, so that the kernel can be checked without a GPU.

#include <cstddef>
#include <cstdint>

#include "fragments.h"

namespace attn::cuda::fast {

/// A number as the sum of two tf32 numbers (11 bits of significand each), together about 22 bits.
struct Split {
    std::uint32_t large, small;
};

#if !defined(ATTN_EMULATOR)

__device__ inline std::uint32_t to_tf32(float x) {
    std::uint32_t bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
}

/// C += A B. `volatile` is not needed: the registers say all.
__device__ inline void multiply_add_tf32(float (&c)[4], const std::uint32_t (&a)[4],
                                         const std::uint32_t (&b)[2]) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/// Two numbers, rounded to bf16, in one register.
__device__ inline std::uint32_t pack_bf16(float first, float second) {
    std::uint32_t bits;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(second), "f"(first));
    return bits;
}

__device__ inline void multiply_add_bf16(float (&c)[4], const std::uint32_t (&a)[2], std::uint32_t b) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, "
        "%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b));
}

/// Starts to copy 16 bytes to shared memory, or 16 zeros. `from` must be valid and aligned in both cases.
__device__ inline void copy_16_bytes(float* to, const float* from, bool exists) {
    const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
    const int bytes = exists ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(bytes)
                 : "memory");
}
__device__ inline void end_group_of_copies() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Waits until at most `newer` groups of this thread's copies are not complete.
template <int newer>
__device__ void wait_for_copies() {
    asm volatile("cp.async.wait_group %0;" ::"n"(newer) : "memory");
}

#else

__device__ inline std::uint32_t to_tf32(float x) {
    std::uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits + 0x1000u) & ~0x1fffu;  // to nearest, ties away from zero
}

__device__ inline float number_of_bits(std::uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/// The lanes exchange the rows of A and the columns of B that each needs, as the PTX ISA says where they are:
/// A[row][k] is in lane 4 (row % 8) + k % 4, register row / 8 + 2 (k / 4), and B[k][n] in lane 4 n + k % 4,
/// register k / 4.
__device__ inline void multiply_add_tf32(float (&c)[4], const std::uint32_t (&a)[4],
                                         const std::uint32_t (&b)[2]) {
    const int lane = static_cast<int>(threadIdx.x) % 32, g = lane / 4, t = lane % 4;
    for (int k = 0; k < 8; ++k) {
        float rows[2], columns[2];
        for (int half = 0; half < 2; ++half) {
            rows[half] = number_of_bits(__shfl_sync(0xffffffffu, a[half + 2 * (k / 4)], 4 * g + k % 4));
            columns[half] = number_of_bits(__shfl_sync(0xffffffffu, b[k / 4], 4 * (2 * t + half) + k % 4));
        }
        for (int reg = 0; reg < 4; ++reg) c[reg] += rows[reg / 2] * columns[reg % 2];
    }
}

__device__ inline std::uint32_t pack_bf16(float first, float second) {
    const auto rounded = [](float x) {
        std::uint32_t bits;
        memcpy(&bits, &x, sizeof bits);
        return (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;  // to nearest, ties to even
    };
    return rounded(first) | rounded(second) << 16;
}

/// A[row][k] is in lane 4 (row % 8) + k / 2, register row / 8, and B[k][n] in lane 4 n + k / 2; in both the number
/// of an odd k is in the upper half.
__device__ inline void multiply_add_bf16(float (&c)[4], const std::uint32_t (&a)[2], std::uint32_t b) {
    const int lane = static_cast<int>(threadIdx.x) % 32, g = lane / 4, t = lane % 4;
    const auto half_of = [](std::uint32_t pair, int k) {
        return number_of_bits(k % 2 == 0 ? pair << 16 : pair & 0xffff0000u);
    };
    for (int k = 0; k < 8; ++k) {
        float rows[2], columns[2];
        for (int half = 0; half < 2; ++half) {
            rows[half] = half_of(__shfl_sync(0xffffffffu, a[half], 4 * g + k / 2), k);
            columns[half] = half_of(__shfl_sync(0xffffffffu, b, 4 * (2 * t + half) + k / 2), k);
        }
        for (int reg = 0; reg < 4; ++reg) c[reg] += rows[reg / 2] * columns[reg % 2];
    }
}

__device__ inline void copy_16_bytes(float* to, const float* from, bool exists) {
    for (int k = 0; k < 4; ++k) to[k] = exists ? from[k] : 0.0f;
}
__device__ inline void end_group_of_copies() {}
template <int newer>
__device__ void wait_for_copies() {}

#endif

/// The maximum or the sum over the 4 lanes that share a row of a fragment C.
__device__ inline float maximum_of_row(float x) {
    x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
    return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}
__device__ inline float sum_of_row(float x) {
    x += __shfl_xor_sync(0xffffffffu, x, 1);
    return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

__device__ inline Split split(float x) {
    const std::uint32_t large = to_tf32(x);
    float rounded;
    memcpy(&rounded, &large, sizeof rounded);
    return {large, to_tf32(x - rounded)};
}

}  // namespace attn::cuda::fast
