// The yardstick's layers beside the plain loops and beside what matrix products alone would take: "of_sgemm"
// is the speed of the layer's products, as if it did nothing else, over that of a product of 2048 x 2048
// matrices. Both are timed in turn, in processor time of the calling thread, and their medians divided.

#include <algorithm>
#include <ctime>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>
#include <cblas.h>

#include "reference/fast/transformer_block.h"
#include "reference/fast/vit_patching.h"
#include "reference/transformer_block.h"
#include "reference/vit_patching.h"

namespace attn {
namespace {

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

std::size_t product(int a, int b, int c = 1) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c);
}

double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class F>
double seconds_of(F f) {
    const double start = thread_seconds();
    f();
    return thread_seconds() - start;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

class Sgemm {
  public:
    static constexpr int kSize = 2048;
    static constexpr double kFlop = 2.0 * kSize * kSize * kSize;
    void operator()() {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kSize, kSize, kSize, 1, A_.data(), kSize,
                    B_.data(), kSize, 0, C_.data(), kSize);
    }

  private:
    std::vector<float> A_ = std::vector<float>(product(kSize, kSize), 0.5F), B_ = A_, C_ = A_;
};

/// Times f, which has `products` floating-point operations in matrix products, in turn with a sgemm.
template <class F>
void beside_sgemm(benchmark::State& state, double products, F f) {
    Sgemm sgemm;
    f();
    sgemm();
    std::vector<double> own, sgemms;
    for (auto _ : state) {
        own.push_back(seconds_of(f));
        sgemms.push_back(seconds_of([&] { sgemm(); }));
        state.SetIterationTime(own.back());
    }
    state.counters["GFLOP/s"] = products / median(own) / 1e9;
    state.counters["of_sgemm"] = products / median(own) / (Sgemm::kFlop / median(sgemms));
}

struct Block {
    explicit Block(int tokens) : N(tokens) {}
    static constexpr int D = 768, H = 12, F = 3072;
    int N;
    Numbers X{product(N, D)}, Y{product(N, D)}, W{product(4 * D, D), 0.03F}, W_1{product(D, F), 0.03F},
        W_2{product(F, D), 0.02F}, b{F};

    BlockWeights<float> weights() const {
        const auto vector = b.read(D);
        const auto W_of = [this](int k) {
            return TensorView<const float, 2>(W.read(4 * D, D)[k * D].data(), D, D);
        };
        return {
            vector,    vector,         {W_of(0), vector, W_of(1), vector, W_of(2), vector, W_of(3), vector},
            vector,    vector,         W_1.read(D, F),
            b.read(F), W_2.read(F, D), vector};
    }
    double products() const { return 2.0 * N * D * (4.0 * D + 2.0 * F) + 4.0 * N * N * D; }
};

void block_fast(benchmark::State& state) {
    Block x(static_cast<int>(state.range(0)));
    beside_sgemm(state, x.products(), [&] {
        fast::transformer_block(x.Y.view(1, x.N, x.D), x.X.read(1, x.N, x.D), x.weights(), {}, x.H, Norm::pre,
                                Activation::gelu_tanh, 1e-5F);
    });
}
BENCHMARK(block_fast)->Arg(1024)->UseManualTime()->Unit(benchmark::kMillisecond);

void block_plain(benchmark::State& state) {
    Block x(static_cast<int>(state.range(0)));
    beside_sgemm(state, x.products(), [&] {
        cpu::transformer_block<float>(x.Y.view(1, x.N, x.D), x.X.read(1, x.N, x.D), x.weights(), {}, x.H,
                                      Norm::pre, Activation::gelu_tanh, 1e-5F);
    });
}
BENCHMARK(block_plain)->Arg(64)->UseManualTime()->Iterations(3)->Unit(benchmark::kMillisecond);

constexpr float kEps = 1e-5F;

void layer_norm_fast(benchmark::State& state) {
    constexpr int N = 1024, D = 768;
    Numbers X(product(N, D)), Y(product(N, D)), gamma(D), beta(D);
    for (auto _ : state) {
        fast::layer_norm(Y.view(N, D), X.read(N, D), gamma.read(D), beta.read(D), kEps);
        benchmark::ClobberMemory();
    }
}
BENCHMARK(layer_norm_fast)->Unit(benchmark::kMillisecond);

void layer_norm_plain(benchmark::State& state) {
    constexpr int N = 1024, D = 768;
    Numbers X(product(N, D)), Y(product(N, D)), gamma(D), beta(D);
    for (auto _ : state) {
        cpu::layer_norm<float>(Y.view(N, D), X.read(N, D), gamma.read(D), beta.read(D), kEps);
        benchmark::ClobberMemory();
    }
}
BENCHMARK(layer_norm_plain)->Unit(benchmark::kMillisecond);

void activation_fast(benchmark::State& state) {
    constexpr int N = 1024, F = 3072;
    Numbers X(product(N, F)), Y(product(N, F));
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

struct Images {
    explicit Images(int images) : B(images) {}
    static constexpr int C = 3, side = 224, P = 16, D = 768, patches = side / P * (side / P),
                         features = P * P * C;
    int B;
    Numbers X{product(B, C, side*side)}, Z{product(B, patches + 1, D)}, E{product(features, D)}, b{D}, cls{D},
        E_pos{product(patches + 1, D)};
    double products() const { return 2.0 * B * patches * features * D; }
};

void embed_patches_fast(benchmark::State& state) {
    Images x(static_cast<int>(state.range(0)));
    beside_sgemm(state, x.products(), [&] {
        fast::embed_patches(x.Z.view(x.B, x.patches + 1, x.D), x.X.read(x.B, x.C, x.side, x.side),
                            x.E.read(x.features, x.D), x.b.read(x.D), x.cls.read(x.D),
                            x.E_pos.read(x.patches + 1, x.D), x.P);
    });
}
BENCHMARK(embed_patches_fast)->Arg(8)->UseManualTime()->Unit(benchmark::kMillisecond);

void embed_patches_plain(benchmark::State& state) {
    Images x(static_cast<int>(state.range(0)));
    beside_sgemm(state, x.products(), [&] {
        cpu::embed_patches<float>(x.Z.view(x.B, x.patches + 1, x.D), x.X.read(x.B, x.C, x.side, x.side),
                                  x.E.read(x.features, x.D), x.b.read(x.D), x.cls.read(x.D),
                                  x.E_pos.read(x.patches + 1, x.D), x.P);
    });
}
BENCHMARK(embed_patches_plain)->Arg(1)->UseManualTime()->Iterations(3)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace attn
