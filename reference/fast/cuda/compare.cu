// Compares the functions of this folder with plain loops in double, and their errors with those of the same
// loops in float.
//
//     make emulate FILE=reference/fast/cuda/compare.cu     without a GPU: tensor cores are plain code there
//     nvcc -std=c++17 -O3 -I assignments -arch=native reference/fast/cuda/compare.cu -o compare && ./compare
//     ./compare 12 1024 64                                 on a GPU: attention's time with these B, N and D

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "../../testing/device_compare.h"
#include "attend.cu"
#include "attend_simt.cu"
#include "rows.cu"

namespace {

using attn::TensorView;
namespace cuda = attn::cuda;
using namespace attn::testing;

/// Y by plain loops in `Number`.
template <class Number>
std::vector<Number> plain(const AttentionShape& s, const std::vector<float>& Q, const std::vector<float>& K,
                          const std::vector<float>& V) {
    std::vector<Number> Y;
    for (int row = 0; row < s.B * s.N_q; ++row) {
        const std::vector<Number> y = plain_attention_row<Number>(s, Q, K, V, row);
        Y.insert(Y.end(), y.begin(), y.end());
    }
    return Y;
}

using Attend = void (*)(TensorView<float, 3>, TensorView<const float, 3>, TensorView<const float, 3>,
                        TensorView<const float, 3>, bool, cudaStream_t);

bool compare(const AttentionShape& s) {
    const auto Q = numbers(s.B * s.N_q * s.D_q, 1), K = numbers(s.B * s.N_k * s.D_q, 2),
               V = numbers(s.B * s.N_k * s.D_v, 3);
    const OnDevice q(Q), k(K), v(V);
    const Stream stream;
    const std::vector<double> wanted = plain<double>(s, Q, K, V);
    const auto error_of = [&](Attend attend, const char* name) {
        const cuda::DeviceBuffer<float> y(s.B, s.N_q, s.D_v);
        attend(y.view(s.B, s.N_q, s.D_v), q.view(s.B, s.N_q, s.D_q), k.view(s.B, s.N_k, s.D_q),
               v.view(s.B, s.N_k, s.D_v), s.causal, stream);
        stream.wait(name);
        return largest_error(on_host(y), wanted);
    };
    const double error = error_of(cuda::fast::attend, "attend"),
                 unit = largest_error(plain<float>(s, Q, K, V), wanted);
    bool right = error <= 5 * unit + 1e-7;  // false for NaN
    std::printf("B=%d N_q=%d N_k=%d D_q=%d D_v=%d%s: largest error %.1e, plain float loops %.1e", s.B, s.N_q,
                s.N_k, s.D_q, s.D_v, s.causal ? " causal" : "", error, unit);
    if (s.D_q == 64) {
        const double in_bf16 = error_of(cuda::fast::attend_in_bf16, "attend_in_bf16");
        right = right && in_bf16 <= 0.05;
        std::printf(", in bf16 %.1e", in_bf16);
    }
    std::printf("%s\n", right ? "" : "  WRONG");
    return right;
}

/// Layer norm, softmax and GELU of X [N, D] by plain loops, one after the other in one list.
template <class Number>
std::vector<Number> plain_rows(int N, int D, const std::vector<float>& X, const std::vector<float>& gamma,
                               const std::vector<float>& beta) {
    const auto size = static_cast<std::size_t>(N * D);
    std::vector<Number> Y(3 * size);
    for (int i = 0; i < N; ++i) {
        const float* const x = X.data() + i * D;
        Number *const normal = Y.data() + i * D, *const weights = normal + size,
                      *const active = weights + size;
        Number mu = 0, var = 0, m = -INFINITY, sum = 0;
        for (int d = 0; d < D; ++d) mu += Number{x[d]} / static_cast<Number>(D);
        for (int d = 0; d < D; ++d) var += (Number{x[d]} - mu) * (Number{x[d]} - mu) / static_cast<Number>(D);
        for (int d = 0; d < D; ++d) m = std::max(m, Number{x[d]});
        for (int d = 0; d < D; ++d) sum += weights[d] = std::exp(Number{x[d]} - m);
        for (int d = 0; d < D; ++d) {
            const Number x_d{x[d]}, inner = x_d + Number(0.044715) * x_d * x_d * x_d;
            normal[d] = Number{gamma[d]} * (x_d - mu) / std::sqrt(var + Number(1e-5)) + Number{beta[d]};
            weights[d] /= sum;
            active[d] = x_d * (1 + std::tanh(std::sqrt(Number(0.63661977236758134)) * inner)) / 2;
        }
    }
    return Y;
}

bool compare_rows(int N, int D) {
    const auto X = numbers(N * D, 4), gamma = numbers(D, 5), beta = numbers(D, 6);
    const OnDevice x(X), g(gamma), b(beta);
    const cuda::DeviceBuffer<float> y(3 * X.size());
    const Stream stream;
    const auto output = [&](int k) { return TensorView<float, 2>(y.data() + k * N * D, N, D); };
    cuda::fast::layer_norm_rows(output(0), x.view(N, D), g.view(D), b.view(D), 1e-5f, stream);
    cuda::fast::softmax_rows(output(1), x.view(N, D), stream);
    cuda::fast::gelu(output(2), x.view(N, D), stream);
    stream.wait("functions of rows");
    const std::vector<double> wanted = plain_rows<double>(N, D, X, gamma, beta);
    const double error = largest_error(on_host(y), wanted),
                 unit = largest_error(plain_rows<float>(N, D, X, gamma, beta), wanted);
    const bool right = error <= 5 * unit + 1e-7;  // false for NaN
    std::printf("layer norm, softmax, GELU, N=%d D=%d: largest error %.1e, plain float loops %.1e%s\n", N, D,
                error, unit, right ? "" : "  WRONG");
    return right;
}

/// Prints the time of attend(). The numbers are not compared here.
void print_time(int B, int N, int D, bool causal) {
    const OnDevice x(numbers(B * N * D, 1));
    const cuda::DeviceBuffer<float> y(B, N, D);
    const Stream stream;
    const auto run = [&] {
        cuda::fast::attend(y.view(B, N, D), x.view(B, N, D), x.view(B, N, D), x.view(B, N, D), causal,
                           stream);
    };
    const double ms = median_time_ms(run, stream, "attend"),
                 operations = (causal ? 2.0 : 4.0) * B * N * N * D;
    std::printf("B=%d N=%d D=%d%s: %.3f ms, %.2f TFLOP/s\n", B, N, D, causal ? " causal" : "", ms,
                1e-9 * operations / ms);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 4) {
            for (const bool causal : {false, true})
                print_time(std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3]), causal);
            return 0;
        }
        bool all_right = true;
        for (const AttentionShape& shape :
             {AttentionShape{2, 70, 41, 64, 64, false}, AttentionShape{1, 70, 70, 64, 64, true},
              AttentionShape{1, 3, 65, 128, 128, false}, AttentionShape{1, 20, 33, 128, 128, true},
              AttentionShape{1, 40, 5, 64, 64, true}, AttentionShape{1, 9, 35, 200, 140, true}})
            all_right = compare(shape) && all_right;
        for (const int D : {1, 37, 300, 2500}) all_right = compare_rows(3, D) && all_right;
        return all_right ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "compare: %s\n", error.what());
        return 1;
    }
}
