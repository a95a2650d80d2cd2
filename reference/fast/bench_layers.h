#pragma once
/// Rows of the benchmarks' table for whole functions: random arrays, and cells of attn::fast and of the plain loops.

#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "assignments/05_transformer_block/transformer_block.h"
#include "assignments/tensor.h"
#include "reference/fast/bench_table.h"
#include "reference/fast/buffer.h"
#include "reference/fast/scoped_unit.h"

namespace attn::fast {

/// Numbers with a shape.
class Numbers {
  public:
    explicit Numbers(std::size_t count, float scale = 1) : values_(count) {
        static std::minstd_rand random(1);
        std::normal_distribution<float> normal(0, scale);
        for (float& value : values_) value = normal(random);
    }
    template <class... Lengths>
    auto view(Lengths... lengths) {
        return TensorView<float, sizeof...(Lengths)>(values_.data(), lengths...);
    }
    template <class... Lengths>
    auto read(Lengths... lengths) const {
        return TensorView<const float, sizeof...(Lengths)>(values_.data(), lengths...);
    }

  private:
    std::vector<float> values_;
};

/// A stack whose blocks have these weights      W: those of Q, K, V and O, each [L, D, D]; v [L, D] for every vector but b_1
inline EncoderWeights<float> stack_of(const std::array<TensorView<const float, 3>, 4>& W,
                                      TensorView<const float, 2> v, TensorView<const float, 3> W_1,
                                      TensorView<const float, 2> b_1, TensorView<const float, 3> W_2) {
    return {v, v, W[0], v, W[1], v, W[2], v, W[3], v, v, v, W_1, b_1, W_2, v, v[0], v[0]};
}

/// A cell of the table: f has `products` floating-point operations in matrix products.
template <class F>
void measure(benchmark::State& state, int threads, double products, F f) {
    const ScopedUnit scope(vector_unit(), threads);
    f();  // caches and buffers
    for (auto _ : state) {
        f();
        benchmark::ClobberMemory();
    }
    state.counters["flop"] = products;
}

/// A cell that runs `f`, a function of a benchmark's state. The plain loops run once: they need seconds for more.
template <class F>
void add(const std::string& row, int threads, std::string_view column, F f) {
    auto* const cell =
        benchmark::RegisterBenchmark(cell_name(row, threads, std::string(column)).c_str(), f)->UseRealTime();
    if (column == kPlain)
        cell->MinTime(0.001)->Repetitions(1);
    else
        cell->MinTime(0.06)->Repetitions(5);
}

/// A cell of the table for attn::fast and one for the plain loops. run(x, plain) calls one of the two.
template <class Make, class Run>
void add_both(const std::string& row, Make make, Run run) {
    for (const bool plain : {false, true})
        add(row, 1, plain ? kPlain : kFast, [=](benchmark::State& state) {
            auto x = make();
            measure(state, 1, x.products(), [&] { run(x, plain); });
        });
}

}  // namespace attn::fast
