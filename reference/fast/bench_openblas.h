#pragma once
/// The peer of `make bench`: the same products by a serial OpenBLAS. The yardstick itself does not use it.

#include <string>

#include "reference/fast/matmul.h"

namespace attn::fast {

/// C = A B, a block of rows for each thread.
void openblas_multiply(Matrix<float> C, Matrix<const float> A, Matrix<const float> B);
/// C = factor A B^T, a block of rows for each thread.
void openblas_multiply_transposed(Matrix<float> C, Matrix<const float> A, Matrix<const float> B,
                                  float factor);

/// Its version and the core that it chose for this processor. OPENBLAS_CORETYPE in the environment chooses
/// another.
std::string openblas_in_words();

}  // namespace attn::fast
