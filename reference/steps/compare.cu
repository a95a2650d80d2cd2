// Runs the four steps of attention.cu on the same numbers, compares each with a plain loop in double, and
// takes the time on a GPU.
//
//     make emulate FILE=reference/steps/compare.cu         without a GPU; takes no times
//     nvcc -std=c++17 -O3 -I assignments -arch=native reference/steps/compare.cu -o compare
//     ./compare 8 1024 64
//
// The arguments are B, N and D. Without arguments it takes small sizes that fill no tile.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "../testing/device_compare.h"
#include "attention.cu"

namespace {

using attn::TensorView;
namespace cuda = attn::cuda;
using namespace attn::testing;

struct Step {
    const char* name;
    void (*run)(TensorView<float, 3>, TensorView<const float, 3>, TensorView<const float, 3>,
                TensorView<const float, 3>, cudaStream_t);
};

const Step kSteps[] = {{"a thread for each number", cuda::steps::attend_by_threads},
                       {"a warp for each row", cuda::steps::attend_by_warps},
                       {"tiles in shared memory", cuda::steps::attend_by_tiles},
                       {"online softmax", cuda::steps::attend_online}};

/// Whether every step is near the plain loop.
bool compare(const AttentionShape& s, bool with_times) {
    const auto Q = numbers(s.B * s.N_q * s.D_q, 1), K = numbers(s.B * s.N_k * s.D_q, 2),
               V = numbers(s.B * s.N_k * s.D_v, 3);
    const OnDevice q(Q), k(K), v(V);
    const Stream stream;
    std::printf("B=%d N_q=%d N_k=%d D_q=%d D_v=%d\n", s.B, s.N_q, s.N_k, s.D_q, s.D_v);
    bool all_right = true;
    for (const Step& step : kSteps) {
        // Memory of its own, so that no step sees another's result.
        const cuda::DeviceBuffer<float> y(s.B, s.N_q, s.D_v);
        const auto run = [&] {
            step.run(y.view(s.B, s.N_q, s.D_v), q.view(s.B, s.N_q, s.D_q), k.view(s.B, s.N_k, s.D_q),
                     v.view(s.B, s.N_k, s.D_v), stream);
        };
        run();
        stream.wait(step.name);
        const std::vector<float> Y = on_host(y);
        // The plain loop is slow, so of many rows some are compared.
        const int rows = s.B * s.N_q, stride = rows > 512 ? rows / 256 : 1;
        double worst = 0;
        bool right = true;
        for (int row = 0; row < rows; row += stride) {
            const double error = largest_error(Y, plain_attention_row<double>(s, Q, K, V, row),
                                               static_cast<std::size_t>(row * s.D_v));
            worst = std::max(worst, error);
            right = right && error < 1e-5;  // false for NaN, too
        }
        all_right = all_right && right;
        std::printf("  %-26s largest error %.1e%s", step.name, worst, right ? "" : "  WRONG");
        if (with_times) std::printf("  %8.3f ms", median_time_ms(run, stream, step.name));
        std::printf("\n");
    }
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
