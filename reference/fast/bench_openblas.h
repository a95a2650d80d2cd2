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

/// The core, its kernels for a kind of processor, that it computes with.
std::string openblas_core();
/// Its version and the core that it computes with.
std::string openblas_in_words();

}  // namespace attn::fast
