// Products of matrices, of sizes between an assignment's and a model's, beside OpenBLAS.

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "reference/fast/bench_openblas.h"
#include "reference/fast/bench_table.h"
#include "reference/fast/buffer.h"
#include "reference/fast/matmul.h"
#include "reference/fast/scoped_unit.h"

namespace attn::fast {
namespace {

/// C [m, n] = A [m, k] B [k, n], or B^T with B [n, k].
struct ProductShape {
    int m, n, k;
    bool transposed;

    std::string name() const { return fmt::format("A B{} {}x{}x{}", transposed ? "^T" : "", m, n, k); }
    double flop() const { return 2.0 * m * n * k; }
};

constexpr ProductShape kProducts[] = {
    {1024, 1024, 1024, false}, {1024, 1024, 1024, true}, {1024, 768, 3072, false},
    {1024, 3072, 768, false},  {1024, 3072, 768, true},  {128, 128, 128, false},
    {96, 64, 64, false},       {64, 512, 128, false},    {68, 192, 768, false}};

class Matrices {
  public:
    explicit Matrices(const ProductShape& shape) : shape_(shape) {
        std::mt19937 random(1);
        std::normal_distribution<float> normal;
        for (Buffer* buffer : {&A_, &B_, &C_})
            std::generate_n(buffer->get(largest()), largest(), [&] { return normal(random); });
    }
    Matrix<float> A() { return {A_.get(0), shape_.m, shape_.k}; }
    Matrix<float> B() {
        return shape_.transposed ? Matrix<float>(B_.get(0), shape_.n, shape_.k)
                                 : Matrix<float>(B_.get(0), shape_.k, shape_.n);
    }
    Matrix<float> C() { return {C_.get(0), shape_.m, shape_.n}; }

  private:
    std::size_t largest() const {
        const auto [m, n, k] =
            std::array{std::size_t(shape_.m), std::size_t(shape_.n), std::size_t(shape_.k)};
        return std::max({m * n, m * k, n * k});
    }

    ProductShape shape_;
    Buffer A_, B_, C_;
};

using Multiply = void (*)(Matrix<float>, Matrix<const float>, Matrix<const float>);
using MultiplyTransposed = void (*)(Matrix<float>, Matrix<const float>, Matrix<const float>, float);

void add(const ProductShape& shape, int threads, std::string_view column, Multiply multiply,
         MultiplyTransposed multiply_transposed) {
    benchmark::RegisterBenchmark(cell_name(shape.name(), threads, std::string(column)).c_str(),
                                 [=](benchmark::State& state) {
                                     const ScopedUnit scope(vector_unit(), threads);
                                     Matrices x(shape);
                                     const auto call = [&] {
                                         shape.transposed ? multiply_transposed(x.C(), x.A(), x.B(), 1)
                                                          : multiply(x.C(), x.A(), x.B());
                                     };
                                     call();  // caches and buffers
                                     for (auto _ : state) {
                                         call();
                                         benchmark::ClobberMemory();
                                     }
                                     state.counters["flop"] = shape.flop();
                                 })
        ->UseRealTime()
        ->MinTime(0.06)
        ->Repetitions(9);
}

[[maybe_unused]] const bool kRegistered = [] {
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    for (const int threads : cores > 1 ? std::vector<int>{1, cores} : std::vector<int>{1})
        for (const ProductShape& shape : kProducts) {
            if (threads > 1 && shape.m < 1024) continue;  // a thread's work is too little to share
            add(shape, threads, kFast, multiply, multiply_transposed);
            add(shape, threads, kOpenBlas, openblas_multiply, openblas_multiply_transposed);
        }
    return true;
}();

}  // namespace
}  // namespace attn::fast
