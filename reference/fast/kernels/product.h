#pragma once
/// C += A B, a tile of C at a time. The tile's sums stay in registers while k runs; for each k the loop reads
/// a few vectors of B and one number of each row of A.

#include "reference/fast/kernels/product_pack.h"
#include "reference/fast/product_kernels.h"

namespace attn::fast::ATTN_VECTOR_UNIT {
namespace {

/// c = factor sum, or factor (c + sum). The sum comes first and the factor last: a compiler that fuses
/// multiplications with additions has only one way to compute it.
ATTN_INLINE Vector finished(const ProductBlock& block, Vector c, Vector sum) {
    return all(block.factor) * (block.add ? c + sum : sum);
}

/// A tile of kRows rows and kVectors vectors of columns. Only the first `last` lanes of the last vector are
/// C's.
template <bool kPacked, int kRows, int kVectors>
[[gnu::noinline]] void product_tile(const ProductBlock& block, float* C, const float* A, const float* B,
                                    int last) {
    const std::ptrdiff_t C_row = block.C_row, A_row = block.A_row, B_row = block.B_row;
    // Rows of the matrix itself are reached from a pointer for each three: an x86 address has one scaled
    // index.
    constexpr int kGroup = 3;
    const float* groups[(kRows + kGroup - 1) / kGroup];
    if constexpr (!kPacked)
#pragma GCC unroll 16
        for (int g = 0; g * kGroup < kRows; ++g) groups[g] = A + g * kGroup * A_row;
    constexpr int kAhead = 16;
    Vector sum[kRows][kVectors] = {};
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
        __builtin_prefetch(C + i * C_row, 1);
        __builtin_prefetch(C + i * C_row + kVectors * kLanes - 1, 1);
    }
#pragma GCC unroll 2
    for (int k = block.depth; k > 0; --k) {
        Vector b[kVectors];
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) b[v] = load(B + v * kLanes);
#pragma GCC unroll 16
        for (int i = 0; i < kRows; ++i) {
            const Vector a = all(kPacked ? A[i] : groups[i / kGroup][i % kGroup * A_row]);
#pragma GCC unroll 4
            for (int v = 0; v < kVectors; ++v) sum[i][v] += a * b[v];
        }
        // For B as it lies: no processor sees that rows far apart follow each other.
#pragma GCC unroll 4
        for (int j = 0; j < kVectors * kLanes; j += 16) __builtin_prefetch(B + kAhead * B_row + j);
        B += B_row;
        if constexpr (kPacked) {
            A += kProductRows;
        } else {
#pragma GCC unroll 16
            for (int g = 0; g * kGroup < kRows; ++g) ++groups[g];
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i)
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) {
            float* const c = C + i * C_row + v * kLanes;
            if (v < kVectors - 1 || last == kLanes)
                store(c, finished(block, block.add ? load(c) : Vector{}, sum[i][v]));
            else
                store_part(c, last, finished(block, block.add ? load_part(c, last, 0) : Vector{}, sum[i][v]));
        }
}

using ProductTile = void (*)(const ProductBlock& block, float* C, const float* A, const float* B, int last);

/// product_tile of every height and width.
template <bool kPacked>
struct Tiles {
    ProductTile of[kProductRows][kProductVectors];

    template <int kRows = kProductRows, int kVectors = kProductVectors>
    constexpr void fill() {
        of[kRows - 1][kVectors - 1] = product_tile<kPacked, kRows, kVectors>;
        if constexpr (kVectors > 1)
            fill<kRows, kVectors - 1>();
        else if constexpr (kRows > 1)
            fill<kRows - 1, kProductVectors>();
    }
    constexpr Tiles() : of() { fill(); }
};

inline constexpr Tiles<true> kPackedTiles;
inline constexpr Tiles<false> kDirectTiles;

inline void multiply_block(const ProductBlock& block) {
    const TileRows tiles(block.rows);
    const auto& of = block.A_packed ? kPackedTiles.of : kDirectTiles.of;
    for (int j0 = 0; j0 < block.columns; j0 += kProductColumns) {
        const int columns = smaller(kProductColumns, block.columns - j0);
        const int vectors = (columns + kLanes - 1) / kLanes, last = columns - (vectors - 1) * kLanes;
        const float* const B = block.B + j0 / kProductColumns * block.B_panel;
        for (int t = 0; t < tiles.count; ++t) {
            const int i0 = tiles.start(t), height = tiles.start(t + 1) - i0;
            const float* const A = block.A + (block.A_packed ? std::ptrdiff_t{t} * kProductRows * block.depth
                                                             : i0 * block.A_row);
            of[height - 1][vectors - 1](block, block.C + i0 * block.C_row + j0, A, B, last);
        }
    }
}

/// sum[v] += A[0] B[0] + A[1] B[1] + .. of kDepth rows of B, from the left.
template <int kDepth>
ATTN_INLINE void add_rows(Vector* sum, const float* A, const float* B, std::ptrdiff_t B_row, int columns) {
    Vector a[kDepth];
#pragma GCC unroll 8
    for (int k = 0; k < kDepth; ++k) a[k] = all(A[k]);
    for (int j = 0; j < columns; j += kLanes, ++sum) {
        const int count = smaller(kLanes, columns - j);
        Vector s = *sum;
#pragma GCC unroll 8
        for (int k = 0; k < kDepth; ++k) {
            const float* const b = B + k * B_row + j;
            s += a[k] * (count == kLanes ? load(b) : load_part(b, count, 0));
        }
        *sum = s;
    }
}

/// Reads B row by row, as it lies, and keeps the sums of a few thousand bytes of columns in the first cache.
inline void multiply_row(const ProductBlock& block) {
    constexpr int kAtOnce = 64, kDepth = 8;
    for (int j0 = 0; j0 < block.columns; j0 += kAtOnce * kLanes) {
        const int columns = smaller(kAtOnce * kLanes, block.columns - j0);
        Vector sum[kAtOnce];
        for (int j = 0; j < columns; j += kLanes) sum[j / kLanes] = Vector{};
        int k = 0;
        for (; k + kDepth <= block.depth; k += kDepth)
            add_rows<kDepth>(sum, block.A + k, block.B + k * block.B_row + j0, block.B_row, columns);
        for (; k < block.depth; ++k)
            add_rows<1>(sum, block.A + k, block.B + k * block.B_row + j0, block.B_row, columns);
        for (int j = 0; j < columns; j += kLanes) {
            const int count = smaller(kLanes, columns - j);
            float* const c = block.C + j0 + j;
            store_part(c, count,
                       finished(block, block.add ? load_part(c, count, 0) : Vector{}, sum[j / kLanes]));
        }
    }
}

}  // namespace
}  // namespace attn::fast::ATTN_VECTOR_UNIT
