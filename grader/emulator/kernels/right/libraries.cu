// Libraries that the emulator has in a small form. A CUDA toolkit may lack them.

#include "../corpus.h"

using namespace corpus;

#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>

namespace products_of_cublas {
// Matrices are stored by columns.
bool run() {
    constexpr int m = 5, n = 70, k = 3;
    const auto a = numbers(m * k), b = numbers(n * k, 2), c = numbers(m * n, 3);
    OnDevice<float> A(a), B(b), C(c), y(m);
    const float alpha = 2, beta = 3, zero = 0;
    cublasHandle_t handle;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return false;
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, A, m, B, n, &beta, C, m);
    cublasSgemv(handle, CUBLAS_OP_T, k, m, &alpha, A, k, B, 2, &zero, y, 1);
    const bool refused = cublasSgemv(handle, CUBLAS_OP_N, m, k, &alpha, A, m - 1, B, 1, &zero, y, 1) ==
                         CUBLAS_STATUS_INVALID_VALUE;
    cublasDestroy(handle);
    const auto product = wanted(m * n, [&](int at) {
        double sum = 0;
        for (int p = 0; p < k; ++p) sum += a[at % m + p * m] * b[at / m + p * n];
        return 2 * sum + 3 * c[at];
    });
    const auto column = wanted(m, [&](int i) {
        double sum = 0;
        for (int p = 0; p < k; ++p) sum += a[p + i * k] * b[2 * p];
        return 2 * sum;
    });
    return refused && near(C.values(), product) && near(y.values(), column);
}
}  // namespace products_of_cublas
#endif

int main(int argc, char** argv) {
    return run(argc, argv, {
#if __has_include(<cublas_v2.h>)
        {"products_of_cublas", products_of_cublas::run},
#endif
    });
}
