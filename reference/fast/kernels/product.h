#pragma once
/// C = factor (R + bias + A B), a tile of C at a time. The tile's sums stay in registers while k runs; for each k the loop reads
/// a few vectors of B and one number of each row of A.

#include "reference/fast/kernels/product_pack.h"
#include "reference/fast/product_kernels.h"

namespace attn::fast::ATTN_VECTOR_UNIT {
namespace {

/// C = factor (R + (bias + sum)) for kRows rows and kVectors vectors from C[i0][j0] on; only the first `last` lanes of
/// the last vector are C's. The factor comes last: a compiler that fuses multiplications with additions has only
/// one way to compute it.
template <int kRows, int kVectors>
ATTN_INLINE void finish(const ProductBlock& block, int i0, int j0, int last, Vector (&sum)[kRows][kVectors]) {
    const auto for_each = [&](auto f) {
#pragma GCC unroll 16
        for (int i = 0; i < kRows; ++i)
#pragma GCC unroll 4
            for (int v = 0; v < kVectors; ++v)
                f(i, j0 + v * kLanes, v < kVectors - 1 ? kLanes : last, sum[i][v]);
    };
    if (block.bias != nullptr)
        for_each([bias = block.bias](int /*i*/, int j, int count, Vector& x) {
            x += load_up_to(bias + j, count);
        });
    if (block.R != nullptr) {
        const float* const R = block.R + i0 * block.R_row;
        for_each([R, row = block.R_row](int i, int j, int count, Vector& x) {
            x += load_up_to(R + i * row + j, count);
        });
    }
    float* const C = block.C + i0 * block.C_row;
    for_each([C, row = block.C_row, factor = all(block.factor)](int i, int j, int count, Vector& x) {
        store_up_to(C + i * row + j, count, factor * x);
    });
}

/// A tile of kRows rows and kVectors vectors of columns, which begins at C[i0][j0]. Only the first `last` lanes of
/// the last vector are C's.
template <bool kPacked, int kRows, int kVectors>
[[gnu::noinline]] void product_tile(const ProductBlock& block, int i0, int j0, const float* A, const float* B,
                                    int last) {
    const std::ptrdiff_t A_row = block.A_row, B_row = block.B_row;
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
        const float* const c = block.C + (i0 + i) * block.C_row + j0;
        __builtin_prefetch(c, 1);
        __builtin_prefetch(c + kVectors * kLanes - 1, 1);
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
            for (int v = 0; v < kVectors; ++v) sum[i][v] = multiply_add(a, b[v], sum[i][v]);
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
    finish(block, i0, j0, last, sum);
}

using ProductTile = void (*)(const ProductBlock& block, int i0, int j0, const float* A, const float* B,
                             int last);

/// product_tile of every height and width.
template <bool kPacked>
struct Tiles {
    ProductTile of[kProductRows][kProductVectors] = {};

    template <int kRows = kProductRows, int kVectors = kProductVectors>
    constexpr void fill() {
        of[kRows - 1][kVectors - 1] = product_tile<kPacked, kRows, kVectors>;
        if constexpr (kVectors > 1)
            fill<kRows, kVectors - 1>();
        else if constexpr (kRows > 1)
            fill<kRows - 1, kProductVectors>();
    }
    constexpr Tiles() { fill(); }
};

inline constexpr Tiles<true> kPackedTiles;
inline constexpr Tiles<false> kDirectTiles;

/// A tile of A stays in the first cache while the panels of B pass by.
inline void multiply_block(const ProductBlock& block) {
    const TileRows tiles(block.rows);
    const auto& of = block.A_packed ? kPackedTiles.of : kDirectTiles.of;
    for (int t = block.first_tile; t < block.end_tile; ++t) {
        const int i0 = tiles.start(t), height = tiles.start(t + 1) - i0;
        const float* const A = block.A + (block.A_packed ? packed_tile(t, block.depth) : i0 * block.A_row);
        const float* B = block.B;
        for (int j0 = 0; j0 < block.columns; j0 += kProductColumns, B += block.B_panel) {
            const int columns = smaller(kProductColumns, block.columns - j0);
            const int vectors = (columns + kLanes - 1) / kLanes, last = columns - (vectors - 1) * kLanes;
            of[height - 1][vectors - 1](block, i0, j0, A, B, last);
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
            s = multiply_add(a[k], load_up_to(b, count), s);
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
            Vector one[1][1] = {{sum[j / kLanes]}};
            finish(block, 0, j0 + j, smaller(kLanes, columns - j), one);
        }
    }
}

}  // namespace
}  // namespace attn::fast::ATTN_VECTOR_UNIT
