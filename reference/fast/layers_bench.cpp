// The yardstick's layers beside the plain loops: the block and the patch embedding as rows of the table,
// whose share of sgemm is that of the roofline; what has no matrix product, in milliseconds.

#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "contracts/training_fast.h"
#include "contracts/training_reference.h"
#include "contracts/transformer_block_fast.h"
#include "contracts/transformer_block_reference.h"
#include "contracts/vit_patching_fast.h"
#include "contracts/vit_patching_reference.h"
#include "reference/fast/bench_layers.h"
#include "reference/fast/bench_torch.h"
#include "reference/fast/layers.h"
#include "reference/fast/scoped_unit.h"

namespace attn {
namespace {

using fast::add, fast::kFast, fast::kPlain, fast::measure, fast::Numbers, fast::numbers;

constexpr float kEps = 1e-5F;

/// `layers` blocks of the usual sizes, each with its own weights.
struct Encoder {
    Encoder(int tokens, int layers) : N(tokens), L(layers) {}
    static constexpr int D = 768, H = 12, F = 3072;
    int N, L;
    Numbers X{numbers(N, D)}, Y{numbers(N, D)}, W{numbers(4 * L, D, D), 0.03F}, W_1{numbers(L, D, F), 0.03F},
        W_2{numbers(L, F, D), 0.02F}, b{numbers(L, F)};

    EncoderWeights<float> weights() const {
        const auto W_of = [this](int k) {
            return TensorView<const float, 3>(W.read(4 * L, D, D)[k * L].data(), L, D, D);
        };
        return fast::stack_of({W_of(0), W_of(1), W_of(2), W_of(3)}, b.read(L, D), W_1.read(L, D, F),
                              b.read(L, F), W_2.read(L, F, D));
    }
    double products() const { return products_of(N, L); }
    static double products_of(int N, int L) {
        return L * (2.0 * N * D * (4.0 * D + 2.0 * F) + 4.0 * N * N * D);
    }

    /// Calls a version of transformer_block with the first block.
    template <class Version>
    void run_block(Version transformer_block) {
        transformer_block(Y.view(1, N, D), X.read(1, N, D), weights().layer(0),
                          TensorView<const std::uint8_t, 3>(), H, Norm::pre, Activation::gelu_tanh, kEps);
    }
    /// Calls a version of transformer_encoder.
    template <class Version>
    void run(Version transformer_encoder) {
        transformer_encoder(Y.view(1, N, D), X.read(1, N, D), weights(), TensorView<const std::uint8_t, 3>(),
                            H, Norm::pre, Activation::gelu_tanh, kEps);
    }
};

void layer_norm_fast(benchmark::State& state) {
    constexpr int N = 1024, D = 768;
    Numbers X(numbers(N, D)), Y(numbers(N, D)), gamma(D), beta(D);
    for (auto _ : state) {
        fast::layer_norm(Y.view(N, D), X.read(N, D), gamma.read(D), beta.read(D), kEps);
        benchmark::ClobberMemory();
    }
}
BENCHMARK(layer_norm_fast)->Unit(benchmark::kMillisecond);

void layer_norm_plain(benchmark::State& state) {
    constexpr int N = 1024, D = 768;
    Numbers X(numbers(N, D)), Y(numbers(N, D)), gamma(D), beta(D);
    for (auto _ : state) {
        cpu::layer_norm<float>(Y.view(N, D), X.read(N, D), gamma.read(D), beta.read(D), kEps);
        benchmark::ClobberMemory();
    }
}
BENCHMARK(layer_norm_plain)->Unit(benchmark::kMillisecond);

void activation_fast(benchmark::State& state) {
    constexpr int N = 1024, F = 3072;
    Numbers X(numbers(N, F)), Y(numbers(N, F));
    for (auto _ : state) {
        fast::activate(Y.view(N, F), X.read(N, F), static_cast<Activation>(state.range(0)));
        benchmark::ClobberMemory();
    }
}
BENCHMARK(activation_fast)
    ->ArgName("activation")
    ->DenseRange(static_cast<int>(Activation::relu), static_cast<int>(Activation::gelu_tanh))
    ->Unit(benchmark::kMillisecond);

/// The plain loops have GELU only between two products; with D = 1 those cost next to nothing.
void activation_plain(benchmark::State& state) {
    constexpr int N = 1024, F = 3072;
    Numbers X(N), Y(N), W_1(F), b_1(F), W_2(F), b_2(1);
    for (auto _ : state) {
        cpu::feed_forward<float>(Y.view(N, 1), X.read(N, 1), W_1.read(1, F), b_1.read(F), W_2.read(F, 1),
                                 b_2.read(1), static_cast<Activation>(state.range(0)));
        benchmark::ClobberMemory();
    }
}
BENCHMARK(activation_plain)
    ->ArgName("activation")
    ->DenseRange(static_cast<int>(Activation::relu), static_cast<int>(Activation::gelu_tanh))
    ->Unit(benchmark::kMillisecond);

/// Calls a version of adamw_step with a million weights. It waits for memory more than it computes.
template <class Version>
void step_adam(benchmark::State& state, Version adamw_step) {
    constexpr int W = 1 << 20;
    Numbers theta(W), gradient(W), m(W);
    std::vector<float> v(W, 0.5F);
    const std::vector<std::uint8_t> decays(W, 1);
    const TensorView<float, 1> squares(v.data(), W);
    for (auto _ : state) {
        adamw_step(theta.view(W), m.view(W), squares, theta.read(W), gradient.read(W), m.read(W), squares,
                   TensorView<const std::uint8_t, 1>(decays.data(), W), 100, 1e-3F, 0.9F, 0.999F, 1e-8F,
                   0.01F);
        benchmark::ClobberMemory();
    }
}

void adamw_fast(benchmark::State& state) {
    step_adam(state, fast::adamw_step);
}
BENCHMARK(adamw_fast)->Unit(benchmark::kMillisecond);

void adamw_plain(benchmark::State& state) {
    step_adam(state, cpu::adamw_step<float>);
}
BENCHMARK(adamw_plain)->Unit(benchmark::kMillisecond);

struct Images {
    explicit Images(int images) : B(images) {}
    static constexpr int C = 3, side = 224, P = 16, D = 768, patches = side / P * (side / P),
                         features = P * P * C;
    int B;
    Numbers X{numbers(B, C, side*side)}, Z{numbers(B, patches + 1, D)}, E{numbers(features, D)}, b{D}, cls{D},
        E_pos{numbers(patches + 1, D)};
    double products() const { return 2.0 * B * patches * features * D; }

    /// Calls a version of embed_patches.
    template <class Version>
    void run(Version embed_patches) {
        embed_patches(Z.view(B, patches + 1, D), X.read(B, C, side, side), E.read(features, D), b.read(D),
                      cls.read(D), E_pos.read(patches + 1, D), P);
    }
};

/// PyTorch's line for `layers` blocks and a final layer norm; layers = 0: for one block alone.
std::string torch_line(int tokens, int layers) {
    return fmt::format("encoder 1 {} {} {} {} {}", tokens, Encoder::D, Encoder::H, Encoder::F, layers);
}

[[maybe_unused]] const bool kRegistered = [] {
    constexpr int kTokens = 1024, kFewTokens = 64, kImages = 8, kEncoderTokens = 256, kLayers = 4;
    const auto block = [](int tokens) { return "block N" + std::to_string(tokens) + " D768 H12 F3072"; };
    const std::string encoder = "encoder N256 L4, same D H F";
    const auto patches = [](int images) { return "patches B" + std::to_string(images) + " 224x224 P16"; };
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    for (const int threads : cores > 1 ? std::vector<int>{1, cores} : std::vector<int>{1}) {
        for (const int tokens : {kTokens, kFewTokens})
            add(block(tokens), threads, kFast, [=](benchmark::State& state) {
                Encoder x(tokens, 1);
                measure(state, threads, x.products(), [&] { x.run_block(fast::transformer_block); });
            });
        add(encoder, threads, kFast, [=](benchmark::State& state) {
            Encoder x(kEncoderTokens, kLayers);
            measure(state, threads, x.products(), [&] { x.run(fast::transformer_encoder); });
        });
        for (const int tokens : {kTokens, kFewTokens})
            fast::add_torch(block(tokens), threads, torch_line(tokens, 0), Encoder::products_of(tokens, 1));
        fast::add_torch(encoder, threads, torch_line(kEncoderTokens, kLayers),
                        Encoder::products_of(kEncoderTokens, kLayers));
        for (const int images : {kImages, 1})
            add(patches(images), threads, kFast, [=](benchmark::State& state) {
                Images x(images);
                measure(state, threads, x.products(), [&] { x.run(fast::embed_patches); });
            });
    }
    // The plain loops need seconds for more.
    add(block(kFewTokens), 1, kPlain, [](benchmark::State& state) {
        Encoder x(kFewTokens, 1);
        measure(state, 1, x.products(), [&] { x.run_block(cpu::transformer_block<float>); });
    });
    add(patches(1), 1, kPlain, [](benchmark::State& state) {
        Images x(1);
        measure(state, 1, x.products(), [&] { x.run(cpu::embed_patches<float>); });
    });
    return true;
}();

}  // namespace
}  // namespace attn
