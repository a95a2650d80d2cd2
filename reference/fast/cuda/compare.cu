// Compares the functions of this folder with plain loops in double, and their errors with those of the same loops
// in float.
//
//     make emulate FILE=reference/fast/cuda/compare.cu       without a GPU: tensor cores are plain code there
//     nvcc -std=c++17 -O3 -I assignments -arch=native reference/fast/cuda/compare.cu -o compare && ./compare
//     ./compare 12 1024 64                                   on a GPU: the time of attention with these B, N and D

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "attend.cu"
#include "attend_simt.cu"
#include "rows.cu"

namespace {

using attn::TensorView;
namespace cuda = attn::cuda;

struct Shape {
    int B, N_q, N_k, D_q, D_v;
    bool causal;
};

/// Pseudo-random numbers from -2 to 2, the same ones every time.
std::vector<float> numbers(int count, unsigned seed) {
    std::vector<float> result;
    for (int i = 0; i < count; ++i) {
        seed = seed * 1664525u + 1013904223u;
        result.push_back(static_cast<float>(seed >> 8) / 4194304.0f - 2.0f);
    }
    return result;
}

/// Y by plain loops in `Number`.
template <class Number>
std::vector<Number> plain(const Shape& s, const std::vector<float>& Q, const std::vector<float>& K,
                          const std::vector<float>& V) {
    std::vector<Number> Y(static_cast<std::size_t>(s.B * s.N_q * s.D_v));
    for (int row = 0; row < s.B * s.N_q; ++row) {
        const int b = row / s.N_q, i = row % s.N_q;
        const int keys = s.causal ? std::max(0, std::min(s.N_k, i + 1 + s.N_k - s.N_q)) : s.N_k;
        std::vector<Number> e(static_cast<std::size_t>(keys));
        Number m = -INFINITY, sum = 0;
        for (int j = 0; j < keys; ++j) {
            for (int d = 0; d < s.D_q; ++d)
                e[j] += Number{Q[row * s.D_q + d]} * Number{K[(b * s.N_k + j) * s.D_q + d]};
            m = std::max(m, e[j] /= std::sqrt(static_cast<Number>(s.D_q)));
        }
        for (int j = 0; j < keys; ++j) sum += e[j] = std::exp(e[j] - m);
        for (int j = 0; j < keys; ++j)
            for (int d = 0; d < s.D_v; ++d)
                Y[row * s.D_v + d] += e[j] / sum * Number{V[(b * s.N_k + j) * s.D_v + d]};
    }
    return Y;
}

/// The largest distance of any element; NaN if one is not a number.
template <class Number>
double largest_error(const std::vector<Number>& got, const std::vector<double>& wanted) {
    double worst = 0;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        const double error = std::fabs(static_cast<double>(got[k]) - wanted[k]);
        if (!(error <= worst)) worst = error;
        if (std::isnan(worst)) break;
    }
    return worst;
}

template <class T>
void copy(T* to, const T* from, std::size_t count, cudaMemcpyKind kind) {
    cuda::check(cudaMemcpy(to, from, count * sizeof(T), kind), "cudaMemcpy");
}

bool compare(const Shape& s) {
    const auto Q = numbers(s.B * s.N_q * s.D_q, 1), K = numbers(s.B * s.N_k * s.D_q, 2),
               V = numbers(s.B * s.N_k * s.D_v, 3);
    const cuda::DeviceBuffer<float> q(Q.size()), k(K.size()), v(V.size()), y(s.B, s.N_q, s.D_v);
    copy(q.data(), Q.data(), Q.size(), cudaMemcpyHostToDevice);
    copy(k.data(), K.data(), K.size(), cudaMemcpyHostToDevice);
    copy(v.data(), V.data(), V.size(), cudaMemcpyHostToDevice);
    cuda::check(cudaDeviceSynchronize(), "copying the inputs");
    cudaStream_t stream = nullptr;
    cuda::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    cuda::fast::attend(y.view(s.B, s.N_q, s.D_v), q.view(s.B, s.N_q, s.D_q), k.view(s.B, s.N_k, s.D_q),
                       v.view(s.B, s.N_k, s.D_v), s.causal, stream);
    cuda::check(cudaStreamSynchronize(stream), "attend");
    std::vector<float> Y(static_cast<std::size_t>(s.B * s.N_q * s.D_v));
    copy(Y.data(), y.data(), Y.size(), cudaMemcpyDeviceToHost);
    const std::vector<double> wanted = plain<double>(s, Q, K, V);
    if (s.D_q == 64) {
        cuda::fast::attend_in_bf16(y.view(s.B, s.N_q, s.D_v), q.view(s.B, s.N_q, s.D_q),
                                   k.view(s.B, s.N_k, s.D_q), v.view(s.B, s.N_k, s.D_v), s.causal, stream);
        cuda::check(cudaStreamSynchronize(stream), "attend_in_bf16");
        std::vector<float> in_bf16(Y.size());
        copy(in_bf16.data(), y.data(), Y.size(), cudaMemcpyDeviceToHost);
        const double loss = largest_error(in_bf16, wanted);
        if (!(loss <= 0.05)) return std::printf("in bf16: largest error %.1e  WRONG\n", loss), false;
        std::printf("in bf16: largest error %.1e; ", loss);
    }
    cuda::check(cudaStreamDestroy(stream), "cudaStreamDestroy");
    const double error = largest_error(Y, wanted), unit = largest_error(plain<float>(s, Q, K, V), wanted);
    const bool right = error <= 5 * unit + 1e-7;  // false for NaN
    std::printf("B=%d N_q=%d N_k=%d D_q=%d D_v=%d%s: largest error %.1e, plain float loops %.1e%s\n", s.B,
                s.N_q, s.N_k, s.D_q, s.D_v, s.causal ? " causal" : "", error, unit, right ? "" : "  WRONG");
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
    const cuda::DeviceBuffer<float> x(X.size()), g(gamma.size()), b(beta.size()), y(3 * X.size());
    copy(x.data(), X.data(), X.size(), cudaMemcpyHostToDevice);
    copy(g.data(), gamma.data(), gamma.size(), cudaMemcpyHostToDevice);
    copy(b.data(), beta.data(), beta.size(), cudaMemcpyHostToDevice);
    const TensorView<const float, 2> input = x.view(N, D);
    const auto output = [&](int k) { return TensorView<float, 2>(y.data() + k * N * D, N, D); };
    cuda::fast::layer_norm_rows(output(0), input, g.view(D), b.view(D), 1e-5f, nullptr);
    cuda::fast::softmax_rows(output(1), input, nullptr);
    cuda::fast::gelu(output(2), input, nullptr);
    cuda::check(cudaDeviceSynchronize(), "functions of rows");
    std::vector<float> Y(3 * X.size());
    copy(Y.data(), y.data(), Y.size(), cudaMemcpyDeviceToHost);
    const std::vector<double> wanted = plain_rows<double>(N, D, X, gamma, beta);
    const double error = largest_error(Y, wanted),
                 unit = largest_error(plain_rows<float>(N, D, X, gamma, beta), wanted);
    const bool right = error <= 5 * unit + 1e-7;  // false for NaN
    std::printf("layer norm, softmax, GELU, N=%d D=%d: largest error %.1e, plain float loops %.1e%s\n", N, D,
                error, unit, right ? "" : "  WRONG");
    return right;
}

/// Prints the median time of 21 calls of attend(), after 3 that do not count. The numbers are not compared here.
void print_time(int B, int N, int D, bool causal) {
    const auto X = numbers(B * N * D, 1);
    const cuda::DeviceBuffer<float> q(B, N, D), k(B, N, D), v(B, N, D), y(B, N, D);
    for (const cuda::DeviceBuffer<float>* input : {&q, &k, &v})
        copy(input->data(), X.data(), X.size(), cudaMemcpyHostToDevice);
    cudaEvent_t start = nullptr, stop = nullptr;
    cuda::check(cudaEventCreate(&start), "cudaEventCreate");
    cuda::check(cudaEventCreate(&stop), "cudaEventCreate");
    constexpr int kUncounted = 3, kCounted = 21;
    std::vector<float> times;
    for (int call = 0; call < kUncounted + kCounted; ++call) {
        cuda::check(cudaEventRecord(start), "cudaEventRecord");
        cuda::fast::attend(y.view(B, N, D), q.view(B, N, D), k.view(B, N, D), v.view(B, N, D), causal,
                           nullptr);
        cuda::check(cudaEventRecord(stop), "cudaEventRecord");
        cuda::check(cudaEventSynchronize(stop), "attend");
        float milliseconds = 0;
        cuda::check(cudaEventElapsedTime(&milliseconds, start, stop), "cudaEventElapsedTime");
        if (call >= kUncounted) times.push_back(milliseconds);
    }
    cuda::check(cudaEventDestroy(start), "cudaEventDestroy");
    cuda::check(cudaEventDestroy(stop), "cudaEventDestroy");
    std::sort(times.begin(), times.end());
    const double ms = times[kCounted / 2], operations = (causal ? 2.0 : 4.0) * B * N * N * D;
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
        for (const Shape& shape : {Shape{2, 70, 41, 64, 64, false}, Shape{1, 70, 70, 64, 64, true},
                                   Shape{1, 3, 65, 128, 128, false}, Shape{1, 20, 33, 128, 128, true},
                                   Shape{1, 40, 5, 64, 64, true}, Shape{1, 9, 35, 200, 140, true}})
            all_right = compare(shape) && all_right;
        for (const int D : {1, 37, 300, 2500}) all_right = compare_rows(3, D) && all_right;
        return all_right ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "compare: %s\n", error.what());
        return 1;
    }
}
