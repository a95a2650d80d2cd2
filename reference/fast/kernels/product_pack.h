#pragma once
/// A and B in the order in which a product's inner loop reads them.

#include "reference/fast/kernels/map.h"
#include "reference/fast/kernels/pack.h"

namespace attn::fast::ATTN_VECTOR_UNIT {
namespace {

// A register tile has kProductRows x kProductColumns sums, of a tile of A, kProductRows x kProductDepth, and a panel of
// B, kProductDepth x kProductColumns. The other sizes were the fastest of those tried: see product_kernels.h.
#if defined(__AVX512F__)
inline constexpr int kProductRows = 14, kProductVectors = 2;  // 28 of 32 registers
#elif defined(__AVX2__)
inline constexpr int kProductRows = 6, kProductVectors = 2;  // 12 of 16 registers
#else
inline constexpr int kProductRows = 4, kProductVectors = 2;
#endif
inline constexpr int kProductDepth = 384;
inline constexpr int kProductColumns = kProductVectors * kLanes;
inline constexpr int kProductBlockPanels = 384 / kProductColumns;
inline constexpr int kProductBlockRows = 2016 / kProductRows * kProductRows;
static_assert(kProductRows <= kLanes);

/// Rows cut into as few tiles as possible, of nearly the same height.
struct TileRows {
    explicit TileRows(int rows_) : rows(rows_), count((rows_ + kProductRows - 1) / kProductRows) {}
    int start(int tile) const { return static_cast<int>(std::int64_t{rows} * tile / count); }
    int rows, count;
};

/// Where the packed numbers of a tile begin. A tile's last vector may end in the gap before the next tile, which
/// another thread may be writing.
constexpr std::ptrdiff_t packed_tile(int tile, int depth) {
    return tile * (std::ptrdiff_t{kProductRows} * depth + kLanes);
}

inline std::size_t packed_rows(int rows, int depth) {
    return static_cast<std::size_t>(packed_tile(TileRows(rows).count, depth));
}

/// panel[k * row + i] = X[i][k] for i < width, and 0 for the other i up to a vector. Vectors are written in
/// the order of k, so that each one replaces the zeros that the one before wrote beyond its row.
ATTN_INLINE void transpose_panel(float* panel, std::ptrdiff_t row, const float* X, std::ptrdiff_t X_row,
                                 int width, int depth) {
    for (int k0 = 0; k0 < depth; k0 += kLanes) {
        const int count = smaller(kLanes, depth - k0);
        Vector x[kLanes] = {};
#pragma GCC unroll 16
        for (int i = 0; i < kLanes; ++i)
            if (i < width) x[i] = load_up_to(X + i * X_row + k0, count);
        transpose(x);
#pragma GCC unroll 16
        for (int k = 0; k < kLanes; ++k)
            if (k < count) store(panel + (k0 + k) * row, x[k]);
    }
}

inline void pack_rows(float* packed, const float* A, std::ptrdiff_t A_row, int rows, int depth,
                      int first_tile, int end_tile) {
    const TileRows tiles(rows);
    for (int t = first_tile; t < end_tile; ++t) {
        const int i0 = tiles.start(t);
        transpose_panel(packed + packed_tile(t, depth), kProductRows, A + i0 * A_row, A_row,
                        tiles.start(t + 1) - i0, depth);
    }
}

/// The same from A^T [depth, rows]: a tile's numbers lie side by side already.
inline void pack_rows_transposed(float* packed, const float* A, std::ptrdiff_t A_row, int rows, int depth,
                                 int first_tile, int end_tile) {
    const TileRows tiles(rows);
    for (int t = first_tile; t < end_tile; ++t) {
        const int i0 = tiles.start(t), width = smaller(kLanes, rows - i0);
        const float* from = A + i0;
        float* to = packed + packed_tile(t, depth);
        for (int k = 0; k < depth; ++k, from += A_row, to += kProductRows) store(to, load_up_to(from, width));
    }
}

inline void pack_transposed(float* packed, const float* B, std::ptrdiff_t B_row, int depth, int columns) {
    for (int j0 = 0; j0 < columns; j0 += kProductColumns) {
#pragma GCC unroll 1
        for (int j = 0; j < kProductColumns; j += kLanes)
            transpose_panel(packed + j, kProductColumns, B + (j0 + j) * B_row, B_row, columns - j0 - j,
                            depth);
        packed += static_cast<std::ptrdiff_t>(kProductColumns) * depth;
    }
}

inline void pack_columns(float* packed, const float* B, std::ptrdiff_t B_row, int depth, int columns) {
    for (int j0 = 0; j0 < columns; j0 += kProductColumns) {
        const int width = smaller(kProductColumns, columns - j0);
        for (int k = 0; k < depth; ++k) {
            const float* const from = B + k * B_row + j0;
#pragma GCC unroll 4
            for (int j = 0; j < kProductColumns; j += kLanes) {
                const int count = width - j;
                store(packed + j, count > 0 ? load_up_to(from + j, smaller(kLanes, count)) : Vector{});
            }
            packed += kProductColumns;
        }
    }
}

}  // namespace
}  // namespace attn::fast::ATTN_VECTOR_UNIT
