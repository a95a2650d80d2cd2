// Runs the four steps of attention.cu on the same numbers, compares each with a plain loop in double, and
// takes the time on a GPU.
//
//     make emulate FILE=reference/steps/compare.cu                                 without a GPU; takes no
//     times nvcc -std=c++17 -O3 -I assignments -arch=native reference/steps/compare.cu -o compare &&
//     ./compare 8 1024 64
//
// The arguments are B, N and D. Without arguments it takes small sizes that fill no tile.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "attention.cu"

namespace {

using attn::TensorView;
namespace cuda = attn::cuda;

struct Shape {
    int B, N_q, N_k, D_q, D_v;
};

struct Step {
    const char* name;
    void (*run)(TensorView<float, 3>, TensorView<const float, 3>, TensorView<const float, 3>,
                TensorView<const float, 3>, cudaStream_t);
};

const Step kSteps[] = {{"a thread for each number", cuda::steps::attend_by_threads},
                       {"a warp for each row", cuda::steps::attend_by_warps},
                       {"tiles in shared memory", cuda::steps::attend_by_tiles},
                       {"online softmax", cuda::steps::attend_online}};

/// Pseudo-random numbers from -2 to 2, the same ones every time.
std::vector<float> numbers(int count, unsigned seed) {
    std::vector<float> result;
    for (int i = 0; i < count; ++i) {
        seed = seed * 1664525u + 1013904223u;
        result.push_back(static_cast<float>(seed >> 8) / 4194304.0f - 2.0f);
    }
    return result;
}

/// Row (b, i) of Y by a plain loop in double.
std::vector<double> expected_row(const Shape& s, const std::vector<float>& Q, const std::vector<float>& K,
                                 const std::vector<float>& V, int b, int i) {
    std::vector<double> e(static_cast<std::size_t>(s.N_k)), y(static_cast<std::size_t>(s.D_v));
    const float* const q = Q.data() + (b * s.N_q + i) * s.D_q;
    double m = -INFINITY, sum = 0;
    for (int j = 0; j < s.N_k; ++j) {
        const float* const k = K.data() + (b * s.N_k + j) * s.D_q;
        for (int d = 0; d < s.D_q; ++d) e[j] += double{q[d]} * double{k[d]};
        m = std::max(m, e[j] /= std::sqrt(s.D_q));
    }
    for (int j = 0; j < s.N_k; ++j) sum += e[j] = std::exp(e[j] - m);
    for (int j = 0; j < s.N_k; ++j)
        for (int d = 0; d < s.D_v; ++d) y[d] += e[j] / sum * double{V[(b * s.N_k + j) * s.D_v + d]};
    return y;
}

template <class T>
void copy(T* to, const T* from, std::size_t count, cudaMemcpyKind kind) {
    cuda::check(cudaMemcpy(to, from, count * sizeof(T), kind), "cudaMemcpy");
}

/// The median of 9 runs in milliseconds, after 2 that do not count.
float time_of(const Step& step, TensorView<float, 3> Y, TensorView<const float, 3> Q,
              TensorView<const float, 3> K, TensorView<const float, 3> V, cudaStream_t stream) {
    cudaEvent_t start = nullptr, stop = nullptr;
    cuda::check(cudaEventCreate(&start), "cudaEventCreate");
    cuda::check(cudaEventCreate(&stop), "cudaEventCreate");
    std::vector<float> times;
    for (int k = 0; k < 11; ++k) {
        cuda::check(cudaEventRecord(start, stream), "cudaEventRecord");
        step.run(Y, Q, K, V, stream);
        cuda::check(cudaEventRecord(stop, stream), "cudaEventRecord");
        cuda::check(cudaEventSynchronize(stop), step.name);
        times.push_back(0);
        cuda::check(cudaEventElapsedTime(&times.back(), start, stop), "cudaEventElapsedTime");
    }
    cuda::check(cudaEventDestroy(start), "cudaEventDestroy");
    cuda::check(cudaEventDestroy(stop), "cudaEventDestroy");
    std::sort(times.begin() + 2, times.end());
    return times[2 + 4];
}

/// Whether every step is near the plain loop.
bool compare(const Shape& s, bool with_times) {
    const auto Q = numbers(s.B * s.N_q * s.D_q, 1), K = numbers(s.B * s.N_k * s.D_q, 2),
               V = numbers(s.B * s.N_k * s.D_v, 3);
    const cuda::DeviceBuffer<float> q(Q.size()), k(K.size()), v(V.size());
    copy(q.data(), Q.data(), Q.size(), cudaMemcpyHostToDevice);
    copy(k.data(), K.data(), K.size(), cudaMemcpyHostToDevice);
    copy(v.data(), V.data(), V.size(), cudaMemcpyHostToDevice);
    cuda::check(cudaDeviceSynchronize(), "copying the inputs");
    cudaStream_t stream = nullptr;
    cuda::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    std::printf("B=%d N_q=%d N_k=%d D_q=%d D_v=%d\n", s.B, s.N_q, s.N_k, s.D_q, s.D_v);
    bool all_right = true;
    for (const Step& step : kSteps) {
        const cuda::DeviceBuffer<float> y(s.B, s.N_q,
                                          s.D_v);  // its own, so that no step sees another's result
        const auto view = [](const cuda::DeviceBuffer<float>& buffer, int B, int N, int D) {
            return buffer.view(B, N, D);
        };
        const auto q_view = view(q, s.B, s.N_q, s.D_q), k_view = view(k, s.B, s.N_k, s.D_q),
                   v_view = view(v, s.B, s.N_k, s.D_v), y_view = view(y, s.B, s.N_q, s.D_v);
        step.run(y_view, q_view, k_view, v_view, stream);
        cuda::check(cudaStreamSynchronize(stream), step.name);
        std::vector<float> Y(y.bytes() / sizeof(float));
        copy(Y.data(), y.data(), Y.size(), cudaMemcpyDeviceToHost);
        // The plain loop is slow, so of many rows some are compared.
        const int rows = s.B * s.N_q, stride = rows > 512 ? rows / 256 : 1;
        double worst = 0;
        bool right = true;
        for (int row = 0; row < rows; row += stride) {
            const auto wanted = expected_row(s, Q, K, V, row / s.N_q, row % s.N_q);
            for (int d = 0; d < s.D_v; ++d) {
                const double error = std::fabs(double{Y[row * s.D_v + d]} - wanted[d]);
                worst = std::max(worst, error);
                right = right && error < 1e-5;  // false for NaN, too
            }
        }
        all_right = all_right && right;
        std::printf("  %-26s largest error %.1e%s", step.name, worst, right ? "" : "  WRONG");
        if (with_times) std::printf("  %8.3f ms", time_of(step, y_view, q_view, k_view, v_view, stream));
        std::printf("\n");
    }
    cuda::check(cudaStreamDestroy(stream), "cudaStreamDestroy");
    return all_right;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 1 && argc != 4) {
        std::fprintf(stderr, "usage: compare [B N D]\n");
        return 2;
    }
    try {
        if (argc == 4) {
            const int B = std::atoi(argv[1]), N = std::atoi(argv[2]), D = std::atoi(argv[3]);
            return compare({B, N, N, D, D}, true) ? 0 : 1;
        }
        const bool ragged = compare({2, 5, 37, 11, 3}, false), wide = compare({1, 9, 33, 128, 40}, false),
                   single = compare({1, 1, 1, 1, 1}, false);
        return ragged && wide && single ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "compare: %s\n", error.what());
        return 1;
    }
}
