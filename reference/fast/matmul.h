#pragma once
/// Matrix products in blocks that fit the caches (product_kernels.h). The bits of C depend on the vector unit
/// and on A, B and the factor, but not on the number of threads, nor on which rows one call computes.

#include <cstddef>
#include <functional>

#include "assignments/tensor.h"

namespace attn::fast {

/// Numbers (i, k) at data[i * row + k].
template <class T>
struct Matrix {
    T* data;
    int rows, columns;
    std::ptrdiff_t row;

    Matrix(T* start, int rows_, int columns_, std::ptrdiff_t row_)
        : data(start), rows(rows_), columns(columns_), row(row_) {}
    Matrix(T* start, int rows_, int columns_) : Matrix(start, rows_, columns_, columns_) {}
    template <class U>
    Matrix(TensorView<U, 2> view) : Matrix(view.data(), view.size(0), view.size(1)) {}
    /// All vectors of all batches as the rows of one matrix.
    template <class U>
    Matrix(TensorView<U, 3> view) : Matrix(view.data(), view.size(0) * view.size(1), view.size(2)) {}
    operator Matrix<const T>() const { return {data, rows, columns, row}; }
};

/// C = A B      A [N, D_in], B [D_in, D_out], C [N, D_out]; C overlaps neither.
void multiply(Matrix<float> C, Matrix<const float> A, Matrix<const float> B);
/// C += A B
void add_product(Matrix<float> C, Matrix<const float> A, Matrix<const float> B);
/// Y = X W + b      X [N, D_in], W [D_in, D_out], b [D_out], Y [N, D_out]; Y overlaps none of them.
void linear(Matrix<float> Y, Matrix<const float> X, Matrix<const float> W, const float* b);
/// Y = R + X W + b with a residual R, which may be Y.
void linear_and_residual(Matrix<float> Y, Matrix<const float> R, Matrix<const float> X, Matrix<const float> W,
                         const float* b);
/// C = factor A B^T      A [N, D], B [M, D], C [N, M]
void multiply_transposed(Matrix<float> C, Matrix<const float> A, Matrix<const float> B, float factor);
/// C += A B^T
void add_product_transposed(Matrix<float> C, Matrix<const float> A, Matrix<const float> B);
/// C = A^T B      A [N, D_in], B [N, D_out], C [D_in, D_out]
void multiply_first_transposed(Matrix<float> C, Matrix<const float> A, Matrix<const float> B);
/// C += A^T B
void add_product_first_transposed(Matrix<float> C, Matrix<const float> A, Matrix<const float> B);

/// f(first, end) for blocks of rows that together are all of [0, rows), on threads() threads. A block holds
/// as many rows as suits what touches every of their `columns` numbers a few times.
void for_row_blocks(int rows, int columns, const std::function<void(int first, int end)>& f);

}  // namespace attn::fast
