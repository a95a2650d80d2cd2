// The matrix products' table of one vector unit.

#include "reference/fast/product_kernels.h"

#include "reference/fast/kernels/product.h"

namespace attn::fast::ATTN_VECTOR_UNIT {

extern const ProductKernels kProductKernels;
const ProductKernels kProductKernels = {
    kProductRows, kProductColumns,      kProductDepth, kProductBlockPanels, kProductBlockRows, packed_rows,
    pack_rows,    pack_rows_transposed, pack_columns,  pack_transposed,     multiply_block,    multiply_row};

}  // namespace attn::fast::ATTN_VECTOR_UNIT
