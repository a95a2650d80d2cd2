#pragma once
/// Two ways to multiply fp32 matrices on tensor cores, for attend.cu: with the accuracy of fp32, and in bf16, which
/// shows what its accuracy costs. Each makes fragments of 16 x 8 and 8 x 8 numbers, C [16, 8] += A [16, 8] B [8, 8].
/// C has the places of place_in_C() in both.

#include "tensor_cores.h"

namespace attn::cuda::fast {

/// Each number is two tf32 numbers, and a product takes three multiplications: what is left out, small small, is
/// about 2^-22 of the product.
struct ThreeTf32 {
    struct A {
        std::uint32_t large[4], small[4];
    };
    struct B {
        std::uint32_t large[2], small[2];
    };

    /// `number(row, column)`: of the matrix.
    template <class Number>
    static __device__ A fragment_A(int lane, Number number) {
        A a;
#pragma unroll
        for (int reg = 0; reg < 4; ++reg) {
            const RowColumn at = place_in_A(lane, reg);
            set(a, reg, number(at.row, at.column));
        }
        return a;
    }
    template <class Number>
    static __device__ B fragment_B(int lane, Number number) {
        B b;
#pragma unroll
        for (int reg = 0; reg < 2; ++reg) {
            const RowColumn at = place_in_B(lane, reg);
            const Split parts = split(number(at.row, at.column));
            b.large[reg] = parts.large;
            b.small[reg] = parts.small;
        }
        return b;
    }
    /// The fragment A of weights that are a fragment C. Row k of B then has to be that of key(k).
    static __device__ A weights(const float (&c)[4]) {
        A a;
#pragma unroll
        for (int reg = 0; reg < 4; ++reg) set(a, register_of_A(reg), c[reg]);
        return a;
    }
    static __device__ int key(int k) {
        return key_of_column(k);
    }

    /// The small terms come first.
    static __device__ void multiply_add(float (&c)[4], const A& a, const B& b) {
        multiply_add_tf32(c, a.small, b.large);
        multiply_add_tf32(c, a.large, b.small);
        multiply_add_tf32(c, a.large, b.large);
    }

  private:
    static __device__ void set(A& a, int reg, float x) {
        const Split parts = split(x);
        a.large[reg] = parts.large;
        a.small[reg] = parts.small;
    }
};

/// Each number is rounded to 8 bits. A register holds two neighbours of a row of A, or of a column of B.
struct Bf16 {
    struct A {
        std::uint32_t pairs[2];
    };
    struct B {
        std::uint32_t pair;
    };

    template <class Number>
    static __device__ A fragment_A(int lane, Number number) {
        const int g = lane / 4, t = lane % 4;
        return {{pack_bf16(number(g, 2 * t), number(g, 2 * t + 1)),
                 pack_bf16(number(g + 8, 2 * t), number(g + 8, 2 * t + 1))}};
    }
    template <class Number>
    static __device__ B fragment_B(int lane, Number number) {
        const int g = lane / 4, t = lane % 4;
        return {pack_bf16(number(2 * t, g), number(2 * t + 1, g))};
    }
    static __device__ A weights(const float (&c)[4]) {
        return {{pack_bf16(c[0], c[1]), pack_bf16(c[2], c[3])}};
    }
    static __device__ int key(int k) { return k; }
    static __device__ void multiply_add(float (&c)[4], const A& a, const B& b) {
        multiply_add_bf16(c, a.pairs, b.pair);
    }
};

}  // namespace attn::cuda::fast
