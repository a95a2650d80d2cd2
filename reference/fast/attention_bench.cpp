// Attention by the plain loops, by two products of OpenBLAS around a softmax, fused, and by PyTorch where
// python3 can import torch, beside sgemm and the multiply-adds that the machine can do.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "contracts/masking_reference.h"
#include "contracts/self_attention_reference.h"
#include "reference/fast/attention.h"
#include "reference/fast/bench_layers.h"
#include "reference/fast/bench_openblas.h"
#include "reference/fast/bench_torch.h"
#include "reference/fast/buffer.h"
#include "reference/fast/kernels.h"

namespace {

using namespace attn;
using namespace attn::fast;

struct Shape {
    int B, H, N, d;
    bool causal;

    std::size_t numbers() const { return static_cast<std::size_t>(B) * H * N * d; }
    double flop() const { return (causal ? 2.0 : 4.0) * B * H * N * N * d; }
    std::string name() const { return fmt::format("B{} H{} N{} d{}{}", B, H, N, d, causal ? " causal" : ""); }
};

inline constexpr Shape kShapes[] = {{1, 12, 1024, 64, false}, {8, 8, 256, 64, false}, {1, 1, 4096, 64, false},
                                    {1, 12, 1024, 64, true},  {8, 8, 256, 64, true},  {1, 1, 4096, 64, true}};

/// Q, K, V and Y of a shape, aligned as a worker's are.
struct Arrays {
    Buffer Q, K, V, Y;
};

/// Made when first asked for.
Arrays& arrays_of(const Shape& shape) {
    static std::map<std::vector<int>, Arrays> all;
    const auto [place, is_new] = all.try_emplace({shape.B, shape.H, shape.N, shape.d});
    Arrays& x = place->second;
    if (is_new) {
        std::mt19937 random(1);
        std::normal_distribution<float> normal;
        for (Buffer* buffer : {&x.Q, &x.K, &x.V, &x.Y})
            std::generate_n(buffer->get(shape.numbers()), shape.numbers(), [&] { return normal(random); });
    }
    return x;
}

void plain_loops(const Shape& shape) {
    Arrays& x = arrays_of(shape);
    const int heads = shape.B * shape.H, N = shape.N, d = shape.d;
    const auto view = [&](Buffer& buffer) {
        return TensorView<float, 3>(buffer.get(shape.numbers()), heads, N, d);
    };
    if (!shape.causal) {
        cpu::scaled_dot_product_attention<float>(view(x.Y), {}, view(x.Q), view(x.K), view(x.V));
        return;
    }
    std::vector<std::uint8_t> mask(static_cast<std::size_t>(N) * N);
    cpu::causal_mask({mask.data(), N, N});
    for (int h = 0; h < heads; ++h) {
        const auto one = [&](Buffer& buffer) {
            return TensorView<float, 3>(view(buffer)[h].data(), 1, N, d);
        };
        cpu::masked_attention<float>(one(x.Y), {}, one(x.Q), one(x.K), one(x.V), {mask.data(), 1, N, N});
    }
}

/// The scores of a whole head in memory, N x N of them.
void two_products(const Shape& shape) {
    Arrays& x = arrays_of(shape);
    const int heads = shape.B * shape.H, N = shape.N, d = shape.d;
    const std::size_t count = shape.numbers();
    const float *Q = x.Q.get(count), *K = x.K.get(count), *V = x.V.get(count);
    float* const Y = x.Y.get(count);
    parallel_for(heads, [&](int h) {
        thread_local Buffer scores;
        float* const E = scores.get(static_cast<std::size_t>(N) * N);
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(h) * N * d;
        openblas_multiply_transposed({E, N, N}, {Q + at, N, d}, {K + at, N, d},
                                     1 / std::sqrt(static_cast<float>(d)));
        if (shape.causal)
            for (std::ptrdiff_t i = 0; i < N; ++i)
                for (std::ptrdiff_t j = i + 1; j < N; ++j) E[i * N + j] = -INFINITY;
        fast::softmax({E, N, N}, {E, N, N});
        openblas_multiply({Y + at, N, d}, {E, N, N}, {V + at, N, d});
    });
}

void fused(const Shape& shape) {
    Arrays& x = arrays_of(shape);
    const std::size_t count = shape.numbers();
    const std::ptrdiff_t row = shape.d, head = row * shape.N, batch = head * shape.H;
    fast::attention({x.Y.get(count), batch, head, row}, {x.Q.get(count), batch, head, row},
                    {x.K.get(count), batch, head, row}, {x.V.get(count), batch, head, row},
                    {shape.B, shape.H, shape.N, shape.N, shape.d, shape.d}, {shape.causal, {}});
}

void sgemm() {
    constexpr int kN = 2048;
    constexpr std::size_t kCount = std::size_t{kN} * kN;
    static Buffer A, B, C;
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    if (A.size() == 0)
        for (Buffer* buffer : {&A, &B, &C})
            std::generate_n(buffer->get(kCount), kCount, [&] { return normal(random); });
    openblas_multiply({C.get(kCount), kN, kN}, {A.get(kCount), kN, kN}, {B.get(kCount), kN, kN});
}

[[maybe_unused]] const bool kRegistered = [] {
    std::vector<int> counts = {1};
    if (const int cores = static_cast<int>(std::thread::hardware_concurrency()); cores > 1)
        counts.push_back(cores);
    for (const int count : counts) {
        constexpr long kRounds = 200'000;
        const double flop = count * kernels().flop_of_round() * kRounds;
        const auto add_measured = [count](const std::string& row, std::string_view column, double products,
                                          auto f) {
            add(row, count, column, [=](benchmark::State& state) { measure(state, count, products, f); });
        };
        add_measured(std::string(kPeak), "", flop, [count] {
            parallel_for(count,
                         [](int) { benchmark::DoNotOptimize(kernels().multiply_adds(kRounds, 0.999F)); });
        });
        add_measured(std::string(kSgemm), "", 2.0 * 2048 * 2048 * 2048, sgemm);
        for (const Shape& shape : kShapes) {
            const auto contestant = [&](std::string_view name, void (*f)(const Shape&)) {
                add_measured(shape.name(), name, shape.flop(), [shape, f] { f(shape); });
            };
            contestant(kFast, fused);
            contestant("OpenBLAS, 2 products", two_products);
            if (count == 1) contestant(kPlain, plain_loops);
            add_torch(
                shape.name(), count,
                fmt::format("attention {} {} {} {} {:d}", shape.B, shape.H, shape.N, shape.d, shape.causal),
                shape.flop());
        }
    }
    return true;
}();

}  // namespace
