// Training steps beside the roofline, the plain loops and PyTorch: forward and backward of a transformer
// block of GPT-2's size, and a whole step of the digits' model with its batch and its update.

#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "contracts/backward_reference.h"
#include "contracts/transformer_block_reference.h"
#include "datasets/shipped.h"
#include "reference/fast/bench_layers.h"
#include "reference/fast/bench_torch.h"
#include "reference/fast/kept_block.h"
#include "reference/models/stack.h"
#include "reference/models/tasks.h"

namespace attn::training {
namespace {

/// Multiplications and additions of a block's products for `tokens` tokens, forward and backward: each
/// product of the forward has two in the backward. `seen` is how many tokens each one attends to on average.
double flop_of_block(double tokens, double seen, double D, double F) {
    constexpr double kPasses = 3;
    return kPasses * tokens * (2 * D * (4 * D + 2 * F) + 4 * seen * D);
}

/// One block of GPT-2 (124M), with a causal mask.
class GptBlock {
  public:
    explicit GptBlock(int tokens)
        : N_(tokens), mask_(static_cast<std::size_t>(N_) * static_cast<std::size_t>(N_)) {
        add_block(layout_, "", kD, kF, 12);
        theta_ = layout_.initial(1);
        gradient_.resize(theta_.size());
        std::minstd_rand random(1);
        std::normal_distribution<float> normal;
        for (Tensor<3>* tensor : {&X_, &dY_}) {
            const View3 view = tensor->shaped(1, N_, kD);
            for (std::ptrdiff_t k = 0; k < view.count(); ++k) view.data()[k] = normal(random);
        }
        Y_.shaped(1, N_, kD);
        dX_.shaped(1, N_, kD);
        const TensorView<std::uint8_t, 2> mask(mask_.data(), N_, N_);
        for (int i = 0; i < N_; ++i)
            for (int j = 0; j <= i; ++j) mask(i, j) = 1;
    }
    double flop() const { return flop(N_); }
    static double flop(int tokens) { return flop_of_block(tokens, (tokens + 1) / 2.0, kD, kF); }
    static std::string torch_line(int tokens) {
        return fmt::format("training 1 {} {} {} {}", tokens, kD, kH, kF);
    }

    template <class Forward, class Backward>
    void run(Forward forward, Backward backward) {
        const BlockWeights<float> weights = block_weights(layout_, theta_.data(), "");
        const Masks mask(mask_.data(), 1, N_, N_);
        forward(Y_.view(), X_.view(), weights, mask, kH, Norm::pre, Activation::gelu_tanh, kEps);
        backward(dX_.view(), block_gradients(layout_, gradient_.data(), ""), dY_.view(), X_.view(), weights,
                 mask, kH, Norm::pre, Activation::gelu_tanh, kEps);
    }
    void run(Modules& modules) {
        run([&](auto... x) { modules.transformer_block(x..., kept_); },
            [&](auto... x) { modules.transformer_block_backward(x..., kept_); });
    }

  private:
    static constexpr int kD = 768, kF = 3072, kH = 12;

    int N_;
    Layout layout_;
    Numbers theta_, gradient_;
    Tensor<3> X_, Y_, dX_, dY_;
    std::vector<std::uint8_t> mask_;
    Kept kept_;
};

/// Of the digits' model: two blocks of 17 tokens, D = 32, F = 64, for each of 64 images.
double flop_of_digits_step() {
    constexpr double kImages = 64, kTokens = 17, kD = 32, kF = 64, kPatches = 16, kFeatures = 4,
                     kClasses = 10;
    const double embedding = 2 * 2 * kImages * kPatches * kFeatures * kD;  // the pixels need no gradient
    return 2 * flop_of_block(kImages * kTokens, kTokens, kD, kF) + embedding +
           3 * 2 * kImages * kD * kClasses;
}

[[maybe_unused]] const bool kRegistered = [] {
    constexpr int kTokens = 1024, kFewTokens = 64;
    const auto block = [](int tokens) {
        return "training: block N" + std::to_string(tokens) + " D768 H12 F3072, causal";
    };
    const std::string digits_row = "training: digits, B64 N17 D32 L2";
    const auto train_digits = [](benchmark::State& state, int threads, std::unique_ptr<Modules> modules) {
        data::set_shipped_folder(ATTN_DATASETS);
        const auto task = digits();
        Training training(*task, *modules, 1, task->settings());
        fast::measure(state, threads, flop_of_digits_step(), [&] { training.step(); });
    };
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    for (const int threads : cores > 1 ? std::vector<int>{1, cores} : std::vector<int>{1}) {
        for (const int tokens : {kTokens, kFewTokens}) {
            fast::add(block(tokens), threads, fast::kFast, [=](benchmark::State& state) {
                GptBlock x(tokens);
                const auto modules = fast_modules();
                fast::measure(state, threads, x.flop(), [&] { x.run(*modules); });
            });
            fast::add_torch(block(tokens), threads, GptBlock::torch_line(tokens), GptBlock::flop(tokens));
        }
        fast::add(digits_row, threads, fast::kFast,
                  [=](benchmark::State& state) { train_digits(state, threads, fast_modules()); });
    }
    // The plain loops need seconds for more.
    fast::add(block(kFewTokens), 1, fast::kPlain, [=](benchmark::State& state) {
        GptBlock x(kFewTokens);
        const auto modules = plain_modules();
        fast::measure(state, 1, x.flop(), [&] { x.run(*modules); });
    });
    fast::add(digits_row, 1, fast::kPlain,
              [=](benchmark::State& state) { train_digits(state, 1, plain_modules()); });
    return true;
}();

}  // namespace
}  // namespace attn::training
