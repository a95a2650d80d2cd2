// cuBLAS stores matrices by columns. A matrix that is stored by rows is its transpose to cuBLAS, so instead
// of C = A B it computes C^T = B^T A^T: B is its first factor, and the number of columns of C comes first.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "device.h"
#include "matmul.h"

#ifndef ATTN_EMULATOR
#include <memory>

#include <cublas_v2.h>
#endif

namespace attn::cuda::fast {
namespace {

/// Matrices of a batch that are stored by columns. Columns lie `column` numbers apart, matrices `matrix`.
template <class T>
struct Columns {
    T* data;
    int column;
    long long matrix;
};

/// For each batch: C = factor A B + added C, or with A^T; C [m, n], A [m, k] (A^T: [k, m]), B [k, n]. With
/// added = 0 nothing is read from C. No number is rounded to tf32.
struct ColumnProduct {
    int m, n, k, batches;
    bool transposed;
    float factor, added;
};

#ifndef ATTN_EMULATOR

void check_blas(cublasStatus_t status, const char* call) {
    if (status != CUBLAS_STATUS_SUCCESS)
        throw DeviceError(std::string(call) + ": " + cublasGetStatusString(status));
}

struct DestroyHandle {
    void operator()(cublasHandle_t handle) const { static_cast<void>(cublasDestroy(handle)); }
};

/// The calling thread's handle, set to `stream`. To make one takes milliseconds, so it is kept.
cublasHandle_t handle_for(cudaStream_t stream) {
    thread_local const std::unique_ptr<cublasContext, DestroyHandle> kHandle = [] {
        cublasHandle_t handle = nullptr;
        check_blas(cublasCreate(&handle), "cublasCreate");
        return std::unique_ptr<cublasContext, DestroyHandle>(handle);
    }();
    // The default of cuBLAS, too: tf32 and sums of bf16 products are modes that a program has to ask for.
    check_blas(cublasSetMathMode(kHandle.get(), CUBLAS_DEFAULT_MATH), "cublasSetMathMode");
    check_blas(cublasSetStream(kHandle.get(), stream), "cublasSetStream");
    return kHandle.get();
}

void multiply_columns(const ColumnProduct& p, Columns<float> C, Columns<const float> A,
                      Columns<const float> B, cudaStream_t stream) {
    check_blas(
        cublasSgemmStridedBatched(handle_for(stream), p.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N,
                                  p.m, p.n, p.k, &p.factor, A.data, A.column, A.matrix, B.data, B.column,
                                  B.matrix, &p.added, C.data, C.column, C.matrix, p.batches),
        "cublasSgemmStridedBatched");
}

#else  // The emulator has no cuBLAS. Plain loops instead let it check shapes, strides and streams.

/// A thread for each number of C.
__global__ void plain_multiply_columns(ColumnProduct p, Columns<float> C, Columns<const float> A,
                                       Columns<const float> B) {
    const int number = static_cast<int>(thread_number()), batch = static_cast<int>(blockIdx.y);
    if (number >= p.m * p.n) return;
    const int i = number % p.m, j = number / p.m;
    const float *const a = A.data + batch * A.matrix, *const b = B.data + batch * B.matrix;
    float sum = 0;
    for (int d = 0; d < p.k; ++d)
        sum += a[p.transposed ? d + i * A.column : i + d * A.column] * b[d + j * B.column];
    float* const c = C.data + batch * C.matrix + i + j * C.column;
    *c = p.factor * sum + (p.added == 0 ? 0.0f : p.added * *c);
}

void multiply_columns(const ColumnProduct& p, Columns<float> C, Columns<const float> A,
                      Columns<const float> B, cudaStream_t stream) {
    // What cuBLAS requires of columns: they do not overlap.
    if (C.column < p.m || A.column < (p.transposed ? p.k : p.m) || B.column < p.k || C.column < 1 ||
        A.column < 1 || B.column < 1)
        throw std::invalid_argument("multiply_columns: columns overlap");
    constexpr int kThreads = 64;
    const dim3 grid(blocks_for(static_cast<std::ptrdiff_t>(p.m) * p.n, kThreads),
                    static_cast<unsigned>(p.batches));
    plain_multiply_columns<<<grid, kThreads, 0, stream>>>(p, C, A, B);
    check(cudaGetLastError(), "plain_multiply_columns");
}

#endif

/// C = factor A B + added C, or with B^T, for each batch: C [N, M], A [N, D], B [D, M] (B^T: [M, D]), all by
/// rows.
struct RowProduct {
    int N, M, D, batches;
    bool transposed;
    float factor, added;
};

void multiply_rows(const RowProduct& p, float* C, const float* A, const float* B, cudaStream_t stream) {
    if (p.N == 0 || p.M == 0 || p.batches == 0) return;
    const auto matrix = [&p](auto* data, int rows, int columns) {
        // The distance of rows is that of cuBLAS' columns, which may not be 0.
        return Columns<std::remove_pointer_t<decltype(data)>>{data, columns > 0 ? columns : 1,
                                                              static_cast<long long>(rows) * columns};
    };
    multiply_columns({p.M, p.N, p.D, p.batches, p.transposed, p.factor, p.added}, matrix(C, p.N, p.M),
                     p.transposed ? matrix(B, p.M, p.D) : matrix(B, p.D, p.M), matrix(A, p.N, p.D), stream);
}

/// Y[i] = b for each row i
__global__ void fill_rows(TensorView<float, 2> Y, TensorView<const float, 1> b) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [i, d] = index_in(Y, n);
    Y(i, d) = b(d);
}

}  // namespace

void multiply(TensorView<float, 2> C, TensorView<const float, 2> A, TensorView<const float, 2> B,
              cudaStream_t stream) {
    multiply_rows({C.size(0), C.size(1), A.size(1), 1, false, 1, 0}, C.data(), A.data(), B.data(), stream);
}

void multiply_transposed(TensorView<float, 3> C, TensorView<const float, 3> A, TensorView<const float, 3> B,
                         float factor, cudaStream_t stream) {
    multiply_rows({C.size(1), C.size(2), A.size(2), C.size(0), true, factor, 0}, C.data(), A.data(), B.data(),
                  stream);
}

void linear(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W,
            TensorView<const float, 1> b, cudaStream_t stream) {
    constexpr int kThreads = 256;
    fill_rows<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, b);
    check(cudaGetLastError(), "fill_rows");
    multiply_rows({Y.size(0), Y.size(1), X.size(1), 1, false, 1, 1}, Y.data(), X.data(), W.data(), stream);
}

}  // namespace attn::cuda::fast
