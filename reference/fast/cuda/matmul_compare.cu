// Compares the products by cuBLAS with plain loops in double, and their errors with those of the same loops
// in float.
//
//     make emulate FILE=reference/fast/cuda/matmul_compare.cu
//     nvcc -std=c++17 -O3 -I assignments reference/fast/cuda/matmul_compare.cu -lcublas -o compare
//     ./compare
//
// The first line runs without a GPU, and with plain loops instead of cuBLAS: it shows that shapes, strides
// and streams are right. The others need a GPU and cuBLAS.

#include <cstdio>
#include <exception>
#include <vector>

#include "../../testing/device_compare.h"
#include "matmul.cu"

namespace {

using attn::TensorView;
namespace cuda = attn::cuda;
using namespace attn::testing;

/// C[b] = factor A[b] B[b] + bias, or with B[b]^T; A [batches, N, D]. Without a bias it is an empty list.
template <class Number>
std::vector<Number> plain_product(int batches, int N, int M, int D, bool transposed, float factor,
                                  const std::vector<float>& A, const std::vector<float>& B,
                                  const std::vector<float>& bias) {
    std::vector<Number> C;
    for (int row = 0; row < batches * N; ++row)
        for (int j = 0; j < M; ++j) {
            const int first = row / N * M * D;
            Number sum = 0;
            for (int d = 0; d < D; ++d)
                sum += Number{A[row * D + d]} * Number{B[first + (transposed ? j * D + d : d * M + j)]};
            C.push_back(Number{factor} * sum + (bias.empty() ? Number{0} : Number{bias[j]}));
        }
    return C;
}

/// Whether the error of `got` is near that of plain loops in float.
bool is_near(const char* name, const std::vector<float>& got, const std::vector<double>& wanted,
             const std::vector<float>& in_float) {
    const double error = largest_error(got, wanted), unit = largest_error(in_float, wanted);
    const bool right = error <= 5 * unit + 1e-7;  // false for NaN
    std::printf("%-20s largest error %.1e, plain float loops %.1e%s\n", name, error, unit,
                right ? "" : "  WRONG");
    return right;
}

bool compare(int batches, int N, int M, int D) {
    std::printf("batches=%d N=%d M=%d D=%d\n", batches, N, M, D);
    const auto A = numbers(batches * N * D, 1), B = numbers(batches * M * D, 2), bias = numbers(M, 3);
    const OnDevice a(A), b(B), bias_on_device(bias);
    const cuda::DeviceBuffer<float> c(batches, N, M);
    const Stream stream;
    const std::vector<float> none;
    constexpr float kFactor = 0.375f;
    cuda::fast::multiply_transposed(c.view(batches, N, M), a.view(batches, N, D), b.view(batches, M, D),
                                    kFactor, stream);
    stream.wait("multiply_transposed");
    bool right = is_near("multiply_transposed", on_host(c),
                         plain_product<double>(batches, N, M, D, true, kFactor, A, B, none),
                         plain_product<float>(batches, N, M, D, true, kFactor, A, B, none));
    const cuda::DeviceBuffer<float> product(N, M), layer(N, M);
    cuda::fast::multiply(product.view(N, M), a.view(N, D), b.view(D, M), stream);
    cuda::fast::linear(layer.view(N, M), a.view(N, D), b.view(D, M), bias_on_device.view(M), stream);
    stream.wait("multiply and linear");
    right = is_near("multiply", on_host(product), plain_product<double>(1, N, M, D, false, 1, A, B, none),
                    plain_product<float>(1, N, M, D, false, 1, A, B, none)) &&
            right;
    return is_near("linear", on_host(layer), plain_product<double>(1, N, M, D, false, 1, A, B, bias),
                   plain_product<float>(1, N, M, D, false, 1, A, B, bias)) &&
           right;
}

}  // namespace

int main() {
    try {
        bool right = compare(1, 1, 1, 1);
        right = compare(2, 5, 7, 11) && right;
        right = compare(3, 17, 4, 130) && right;
        right = compare(1, 64, 33, 96) && right;
        return right ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "compare: %s\n", error.what());
        return 1;
    }
}
