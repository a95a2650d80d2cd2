#pragma once
/// The inner loops of a matrix product, compiled once for each vector unit as kernels.h has it. matmul.cpp
/// cuts a product into blocks that fit the caches and calls these functions.
///
/// Every C[i][j] is summed in the order k = 0, 1, .. depth - 1, one multiply-add after the other. Its bits do
/// not depend on which rows and columns are computed beside it, nor on whether A and B are packed.

#include <cstddef>

namespace attn::fast {

/// C = factor (R + bias + A B).  C and R [rows, columns], bias [columns], A [rows, depth], B [depth, columns]
struct ProductBlock {
    float* C;
    std::ptrdiff_t C_row;
    const float* R;  ///< C itself, another matrix, or nullptr for zeros
    std::ptrdiff_t R_row;
    const float* bias;  ///< nullptr for zeros
    int rows, columns, depth;
    int first_tile, end_tile;  ///< which of the tiles that `rows` are cut into are computed
    const float* A;
    std::ptrdiff_t A_row;  ///< from A[i] to A[i + 1]
    bool A_packed;         ///< by pack_rows; then A_row says nothing
    const float* B;  ///< packed by pack_columns or pack_transposed, or whole panels of the matrix itself
    std::ptrdiff_t B_row;    ///< from B[k] to B[k + 1] within a panel
    std::ptrdiff_t B_panel;  ///< from a panel of columns to the next
    float factor;
};

struct ProductKernels {
    int tile_rows;      ///< rows of a register tile at most
    int panel_columns;  ///< columns of a register tile, and of a packed panel
    int depth;          ///< most terms of a block: a packed tile of A stays in the first cache
    int block_panels;   ///< most panels of a block: packed panels of B stay in the second cache
    int block_rows;     ///< most rows of a block: packed rows of A take a few MiB

    /// Numbers that packed rows take.
    std::size_t (*packed_rows)(int rows, int depth);
    /// A [rows, depth] becomes [tile, depth, tile_rows]; writes the tiles from first_tile to end_tile - 1.
    void (*pack_rows)(float* packed, const float* A, std::ptrdiff_t A_row, int rows, int depth,
                      int first_tile, int end_tile);
    /// The same from A^T [depth, rows], with A_row from A^T[k] to A^T[k + 1].
    void (*pack_rows_transposed)(float* packed, const float* A, std::ptrdiff_t A_row, int rows, int depth,
                                 int first_tile, int end_tile);
    /// B [depth, columns] becomes [panel, depth, panel_columns], the last panel filled up with zeros.
    void (*pack_columns)(float* packed, const float* B, std::ptrdiff_t B_row, int depth, int columns);
    /// The same from B^T [columns, depth].
    void (*pack_transposed)(float* packed, const float* B, std::ptrdiff_t B_row, int depth, int columns);

    void (*multiply_block)(const ProductBlock& block);
    /// One row, with B [depth, columns] the matrix itself, of any number of columns. A is one row.
    void (*multiply_row)(const ProductBlock& block);
};

/// Those of vector_unit().
const ProductKernels& product_kernels();

}  // namespace attn::fast
