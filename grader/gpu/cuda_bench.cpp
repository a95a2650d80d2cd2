// The reference's kernels on this machine's GPU, if there is one: the shapes of attention that `make bench`
// compares, and products by cuBLAS.

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "grader/gpu/gpu_table.h"
#include "grader/gpu/on_device.h"
#include "grader/judge/statistics.h"
#include "reference/fast/bench_shapes.h"

namespace {

using namespace attn;

/// The arguments of a call, with their arrays.
class Arguments {
  public:
    void add_numbers(std::initializer_list<int> shape) {
        std::vector<float>& array = numbers_.emplace_back(count_of(shape));
        std::generate(array.begin(), array.end(), [this] { return normal_(random_); });
        add(shape, array.data(), ElementType::f32);
    }
    void add_absent(int rank) { all_.push_back({ElementType::f32, rank}); }
    void add_number(double number) {
        Argument& option = all_.emplace_back();
        option.type = ElementType::i32;
        option.number = number;
    }
    void add_causal_mask(int batches, int N) {
        for (int b = 0; b < batches; ++b)
            for (int i = 0; i < N; ++i)
                for (int j = 0; j < N; ++j) mask_.push_back(j <= i ? 1 : 0);
        add({batches, N, N}, mask_.data(), ElementType::u8);
    }
    const std::vector<Argument>& all() const { return all_; }

  private:
    static std::size_t count_of(std::initializer_list<int> shape) {
        std::size_t count = 1;
        for (const int length : shape) count *= static_cast<std::size_t>(length);
        return count;
    }
    void add(std::initializer_list<int> shape, void* data, ElementType type) {
        Argument& argument = all_.emplace_back();
        argument.type = type;
        argument.rank = static_cast<int>(shape.size());
        std::copy(shape.begin(), shape.end(), argument.shape);
        argument.data = data;
    }

    std::mt19937 random_{1};
    std::normal_distribution<float> normal_;
    std::vector<std::vector<float>> numbers_;
    std::vector<std::uint8_t> mask_;
    std::vector<Argument> all_;
};

/// Y, Q, K and V, and what else the function takes.
void fill_attention(Arguments& arguments, const fast::Shape& shape, const std::string& function) {
    const bool of_contract = function == "scaled_dot_product_attention" || function == "masked_attention";
    const int batches = shape.B * shape.H;
    arguments.add_numbers({batches, shape.N, shape.d});
    if (of_contract) arguments.add_absent(3);  // A is not wanted
    for (int k = 0; k < 3; ++k) arguments.add_numbers({batches, shape.N, shape.d});
    if (function == "masked_attention") arguments.add_causal_mask(batches, shape.N);
    if (!of_contract && function.find("_by_") == std::string::npos && function != "attend_online")
        arguments.add_number(shape.causal ? 1 : 0);
}

void time_call(benchmark::State& state, const std::string& call, const std::string& function, double flop,
               const Arguments& arguments) {
    constexpr int kCalls = 21;
    try {
        for (auto _ : state) {
            gpu::Timings times = gpu::time_kernels(gpu::kernels_of(function), arguments.all().data(),
                                                   static_cast<int>(arguments.all().size()), kCalls);
            state.SetIterationTime(1e-3 * judge::median(times.kernels));
            state.counters["call_ms"] = judge::median(times.call);
            gpu::benched_cells().push_back({call, function, 1e-9 * flop, std::move(times)});
        }
        state.counters["flop"] = flop;
    } catch (const std::exception& error) {
        std::cerr << call << " by " << function << " on the GPU: " << error.what() << '\n';
        state.SkipWithError(error.what());
    }
}

void time_attention(benchmark::State& state, const fast::Shape& shape, const std::string& function) {
    Arguments arguments;
    fill_attention(arguments, shape, function);
    time_call(state, shape.name(), function, shape.flop(), arguments);
}

struct ProductShape {
    int m, n, k;
};

void time_product(benchmark::State& state, const ProductShape& shape) {
    Arguments arguments;
    arguments.add_numbers({shape.m, shape.n});
    arguments.add_numbers({shape.m, shape.k});
    arguments.add_numbers({shape.k, shape.n});
    time_call(state, fmt::format("A B {}x{}x{}", shape.m, shape.n, shape.k), "multiply",
              2.0 * shape.m * shape.n * shape.k, arguments);
}

template <class... Given>
void add_benchmark(const std::string& function, const std::string& call, Given... given) {
    if (gpu::kernels_of(function))
        benchmark::RegisterBenchmark(("GPU/" + function + "/" + call).c_str(), given...)
            ->UseManualTime()
            ->Iterations(1);
}

[[maybe_unused]] const bool kRegistered = [] {
    try {
        if (!gpu::device().present()) return false;
    } catch (const std::exception& error) {
        std::cerr << "The GPU is left out: " << error.what() << '\n';
        return false;
    }
    benchmark::AddCustomContext("CUDA device", gpu::device().name);
    const std::vector<std::string> with_or_without_mask = {"attend", "attend_simt", "attend_in_bf16"},
                                   without_mask = {"scaled_dot_product_attention", "attend_by_threads",
                                                   "attend_by_warps", "attend_by_tiles", "attend_online"},
                                   with_mask = {"masked_attention"};
    for (const fast::Shape& shape : fast::kShapes)
        for (const auto& functions : {shape.causal ? with_mask : without_mask, with_or_without_mask})
            for (const std::string& function : functions)
                add_benchmark(function, shape.name(), time_attention, shape, function);
    for (const ProductShape shape : {ProductShape{1024, 1024, 1024}, {1024, 3072, 768}, {4096, 4096, 4096}})
        add_benchmark("multiply", fmt::format("{}x{}x{}", shape.m, shape.n, shape.k), time_product, shape);
    return true;
}();

}  // namespace
