#pragma once
/// The emulator's cublas_v2.h: products of matrices and vectors by plain loops, for matrices that are stored
/// by columns. Each call is a launch of a kernel on the handle's stream, one thread for each element of the
/// result, and its accesses are checked as those of any kernel.

#include <algorithm>
#include <set>
#include <string>

#include <cuda_runtime.h>

enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
};
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3
};

struct cublasContext {
    cudaStream_t stream = nullptr;
};
typedef cublasContext* cublasHandle_t;

inline cublasStatus_t cublasCreate(cublasHandle_t* handle) {
    *handle = new cublasContext;
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    *stream = handle->stream;
    return CUBLAS_STATUS_SUCCESS;
}
/// The sums are those of the types in every mode.
inline cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t) {
    return CUBLAS_STATUS_SUCCESS;
}
/// alpha, beta and results are numbers of the host.
inline cublasStatus_t cublasSetPointerMode(cublasHandle_t, cublasPointerMode_t mode) {
    return mode == CUBLAS_POINTER_MODE_HOST ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}
inline const char* cublasGetStatusString(cublasStatus_t status) {
    return status == CUBLAS_STATUS_SUCCESS         ? "CUBLAS_STATUS_SUCCESS"
           : status == CUBLAS_STATUS_INVALID_VALUE ? "CUBLAS_STATUS_INVALID_VALUE"
           : status == CUBLAS_STATUS_NOT_SUPPORTED ? "CUBLAS_STATUS_NOT_SUPPORTED"
                                                   : "CUBLAS_STATUS_EXECUTION_FAILED";
}

namespace attn::emulator::blas {

/// A matrix of which element (i, j) is at i + j stride, or its transpose.
template <class T>
struct Matrix {
    const T* data;
    int stride;
    bool transposed;
    T at(int i, int j) const {
        return transposed ? data[j + static_cast<std::size_t>(i) * static_cast<std::size_t>(stride)]
                          : data[i + static_cast<std::size_t>(j) * static_cast<std::size_t>(stride)];
    }
};

/// C = alpha A B + beta C, where C is m x n and A is m x k. Where beta is 0, C is not read.
template <class T>
void multiply(int m, int n, int k, T alpha, const T* A, int stride_A, bool transpose_A, long long step_A,
              const T* B, int stride_B, bool transpose_B, long long step_B, T beta, T* C, int stride_C,
              long long step_C) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int j = static_cast<int>(blockIdx.y);
    const long long batch = blockIdx.z;
    if (i >= m) return;
    const Matrix<T> a{A + batch * step_A, stride_A, transpose_A},
        b{B + batch * step_B, stride_B, transpose_B};
    T sum = 0;
    for (int p = 0; p < k; ++p) sum += a.at(i, p) * b.at(p, j);
    T& c = C[batch * step_C + i + static_cast<long long>(j) * stride_C];
    c = beta == T(0) ? alpha * sum : alpha * sum + beta * c;
}

/// y = alpha A x + beta y, where A is m x n as it is used.
template <class T>
void multiply_vector(int m, int n, T alpha, const T* A, int stride, bool transposed, const T* x, int step_x,
                     T beta, T* y, int step_y) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= m) return;
    const Matrix<T> a{A, stride, transposed};
    T sum = 0;
    for (int j = 0; j < n; ++j) sum += a.at(i, j) * x[static_cast<long long>(j) * step_x];
    T& result = y[static_cast<long long>(i) * step_y];
    result = beta == T(0) ? alpha * sum : alpha * sum + beta * result;
}

constexpr unsigned kThreads = 64;

/// Launches a kernel for `m` rows in each of `columns` and `batches`.
template <class... P>
cublasStatus_t run(const char* name, cublasHandle_t handle, int m, int columns, int batches, Place place,
                   void (*kernel)(P...), std::type_identity_t<P>... arguments) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (m < 0 || columns < 0 || batches < 0) return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || columns == 0 || batches == 0) return CUBLAS_STATUS_SUCCESS;
    const dim3 grid((static_cast<unsigned>(m) + kThreads - 1) / kThreads, static_cast<unsigned>(columns),
                    static_cast<unsigned>(batches));
    // The program's line, because the kernel's own is in this file.
    static auto* const names = new std::set<std::string>;
    const std::string file = place.file_name();
    const std::string whole = std::string(name) + ", called in " + file.substr(file.rfind('/') + 1) + ":" +
                              std::to_string(place.line());
    const cudaError_t error = detail::enqueue_call<P...>(
        names->insert(whole).first->c_str(), place.file_name(), static_cast<int>(place.line()), kernel,
        reinterpret_cast<const void*>(kernel), config(grid, kThreads, 0, handle->stream), arguments...);
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

template <class T>
cublasStatus_t gemm(const char* name, cublasHandle_t handle, cublasOperation_t operation_A,
                    cublasOperation_t operation_B, int m, int n, int k, const T* alpha, const T* A,
                    int stride_A, long long step_A, const T* B, int stride_B, long long step_B, const T* beta,
                    T* C, int stride_C, long long step_C, int batches, Place place) {
    const bool transpose_A = operation_A != CUBLAS_OP_N, transpose_B = operation_B != CUBLAS_OP_N;
    if (k < 0 || stride_A < std::max(1, transpose_A ? k : m) || stride_B < std::max(1, transpose_B ? n : k) ||
        stride_C < std::max(1, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    return run(name, handle, m, n, batches, place, multiply<T>, m, n, k, *alpha, A, stride_A, transpose_A,
               step_A, B, stride_B, transpose_B, step_B, *beta, C, stride_C, step_C);
}

template <class T>
cublasStatus_t gemv(const char* name, cublasHandle_t handle, cublasOperation_t operation, int m, int n,
                    const T* alpha, const T* A, int stride, const T* x, int step_x, const T* beta, T* y,
                    int step_y, Place place) {
    if (stride < std::max(1, m) || step_x <= 0 || step_y <= 0) return CUBLAS_STATUS_INVALID_VALUE;
    const bool transposed = operation != CUBLAS_OP_N;
    const int rows = transposed ? n : m, columns = transposed ? m : n;
    return run(name, handle, rows, 1, 1, place, multiply_vector<T>, rows, columns, *alpha, A, stride,
               transposed, x, step_x, *beta, y, step_y);
}

inline bool name_all_parameters() {
    for (const char* gemm :
         {"cublasSgemm", "cublasDgemm", "cublasSgemmStridedBatched", "cublasDgemmStridedBatched"})
        name_parameters(gemm, "m,n,k,alpha,A,lda,transa,strideA,B,ldb,transb,strideB,beta,C,ldc,strideC");
    for (const char* gemv : {"cublasSgemv", "cublasDgemv"})
        name_parameters(gemv, "m,n,alpha,A,lda,trans,x,incx,beta,y,incy");
    return true;
}
[[maybe_unused]] inline const bool named = name_all_parameters();

}  // namespace attn::emulator::blas

// Float and double have the same functions.
#define ATTN_EMULATOR_BLAS(letter, T)                                                                        \
    inline cublasStatus_t cublas##letter##gemm(cublasHandle_t handle, cublasOperation_t transa,              \
                                               cublasOperation_t transb, int m, int n, int k,                \
                                               const T* alpha, const T* A, int lda, const T* B, int ldb,     \
                                               const T* beta, T* C, int ldc, ATTN_CALLED_AT) {               \
        return attn::emulator::blas::gemm<T>("cublas" #letter "gemm", handle, transa, transb, m, n, k,       \
                                             alpha, A, lda, 0, B, ldb, 0, beta, C, ldc, 0, 1, place);        \
    }                                                                                                        \
    inline cublasStatus_t cublas##letter##gemmStridedBatched(                                                \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,      \
        const T* alpha, const T* A, int lda, long long strideA, const T* B, int ldb, long long strideB,      \
        const T* beta, T* C, int ldc, long long strideC, int count, ATTN_CALLED_AT) {                        \
        return attn::emulator::blas::gemm<T>("cublas" #letter "gemmStridedBatched", handle, transa, transb,  \
                                             m, n, k, alpha, A, lda, strideA, B, ldb, strideB, beta, C, ldc, \
                                             strideC, count, place);                                         \
    }                                                                                                        \
    inline cublasStatus_t cublas##letter##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, \
                                               const T* alpha, const T* A, int lda, const T* x, int incx,    \
                                               const T* beta, T* y, int incy, ATTN_CALLED_AT) {              \
        return attn::emulator::blas::gemv<T>("cublas" #letter "gemv", handle, trans, m, n, alpha, A, lda, x, \
                                             incx, beta, y, incy, place);                                    \
    }
ATTN_EMULATOR_BLAS(S, float)
ATTN_EMULATOR_BLAS(D, double)
#undef ATTN_EMULATOR_BLAS
