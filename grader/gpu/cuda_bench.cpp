// Attention by the reference's kernels, as a column of the benchmark table, if there is a GPU.

#include <cstdint>
#include <exception>
#include <iostream>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "grader/gpu/on_device.h"
#include "reference/fast/bench_shapes.h"
#include "reference/fast/bench_table.h"

namespace {

using namespace attn;

template <class T>
Argument tensor(std::vector<T>& values, int a, int b, int c) {
    return {element_type_of<T>(), 3, {a, b, c}, values.data()};
}

void attend(benchmark::State& state, const fast::Shape& shape) {
    const int heads = shape.B * shape.H, N = shape.N, d = shape.d;
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    std::vector<std::vector<float>> arrays(4, std::vector<float>(shape.numbers()));  // Y, Q, K, V
    for (std::vector<float>& array : arrays)
        for (float& value : array) value = normal(random);
    std::vector<Argument> arguments;
    for (std::vector<float>& array : arrays) arguments.push_back(tensor(array, heads, N, d));
    arguments.insert(arguments.begin() + 1, Argument{ElementType::f32, 3});  // A is not wanted
    std::vector<std::uint8_t> mask;
    if (shape.causal) {
        for (int h = 0; h < heads; ++h)
            for (int i = 0; i < N; ++i)
                for (int j = 0; j < N; ++j) mask.push_back(j <= i ? 1 : 0);
        arguments.push_back(tensor(mask, heads, N, N));
    }
    const gpu::Kernels kernels =
        gpu::kernels_of(shape.causal ? "masked_attention" : "scaled_dot_product_attention");
    try {
        for (auto _ : state)
            state.SetIterationTime(
                1e-3 * gpu::time_kernels(kernels, arguments.data(), static_cast<int>(arguments.size()), 1)
                           .kernels.front());
        state.counters["flop"] = shape.flop();
    } catch (const std::exception& error) {
        std::cerr << shape.name() << " on the GPU: " << error.what() << '\n';
        state.SkipWithError(error.what());
    }
}

[[maybe_unused]] const bool kRegistered = [] {
    try {
        if (!gpu::device().present()) return false;
    } catch (const std::exception& error) {
        std::cerr << "The GPU is left out: " << error.what() << '\n';
        return false;
    }
    benchmark::AddCustomContext("CUDA device", gpu::device().name);
    for (const fast::Shape& shape : fast::kShapes)
        benchmark::RegisterBenchmark(fast::cell_name(shape.name(), 1, std::string(fast::kOnGpu)).c_str(),
                                     attend, shape)
            ->UseManualTime()
            ->Iterations(5)
            ->Repetitions(5);
    return true;
}();

}  // namespace
