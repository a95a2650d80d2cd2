// The plain loops beside two matrix products of a BLAS with the same softmax, in one run: what reading
// pleasure costs. Times of shared machines move; the ratio of two rows of one run hardly does.

#include <cmath>
#include <vector>

#include <benchmark/benchmark.h>
#include <cblas.h>

#include "reference/self_attention.h"

namespace {

using attn::TensorView;

struct Arrays {
    Arrays(int rows, int columns)
        : N(rows),
          D(columns),
          q(size(N, D), 0.5F),
          k(size(N, D), 0.25F),
          v(size(N, D), 1.0F),
          a(size(N, N)),
          y(size(N, D)) {
        for (std::size_t i = 0; i < q.size(); ++i)
            q[i] += static_cast<float>(i % 13) / 13, k[i] -= static_cast<float>(i % 7) / 7;
    }
    static std::size_t size(int rows, int columns) {
        return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    }
    int N, D;
    std::vector<float> q, k, v, a, y;
};

void count_work(benchmark::State& state, const Arrays& x) {
    const double flop = 4.0 * x.N * x.N * x.D;
    state.counters["FLOP/s"] = benchmark::Counter(flop, benchmark::Counter::kIsIterationInvariantRate);
}

void plain_loops(benchmark::State& state) {
    Arrays x(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
    const TensorView<float, 3> Y(x.y.data(), 1, x.N, x.D), A(x.a.data(), 1, x.N, x.N);
    const TensorView<const float, 3> Q(x.q.data(), 1, x.N, x.D), K(x.k.data(), 1, x.N, x.D),
        V(x.v.data(), 1, x.N, x.D);
    for (auto _ : state) {
        attn::cpu::scaled_dot_product_attention<float>(Y, A, Q, K, V);
        benchmark::ClobberMemory();
    }
    count_work(state, x);
}
BENCHMARK(plain_loops)->Args({256, 64})->Args({512, 64})->Unit(benchmark::kMillisecond);

void openblas_two_products(benchmark::State& state) {
    Arrays x(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
    const TensorView<float, 2> A(x.a.data(), x.N, x.N);
    const float scale = 1 / std::sqrt(static_cast<float>(x.D));
    for (auto _ : state) {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, x.N, x.N, x.D, scale, x.q.data(), x.D,
                    x.k.data(), x.D, 0, x.a.data(), x.N);
        attn::cpu::softmax<float>(A, A);
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, x.N, x.D, x.N, 1, x.a.data(), x.N, x.v.data(),
                    x.D, 0, x.y.data(), x.D);
        benchmark::ClobberMemory();
    }
    count_work(state, x);
}
BENCHMARK(openblas_two_products)->Args({256, 64})->Args({512, 64})->Unit(benchmark::kMillisecond);

}  // namespace
