// Writing with a cache beside a whole pass for each token, in one run. Every column counts the same useful
// operations, so the ratio of two cells is the ratio of their times.

#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "contracts/language_model_fast.h"
#include "contracts/language_model_reference.h"
#include "reference/fast/bench_layers.h"

namespace attn {
namespace {

using fast::Numbers, fast::numbers;

/// A language model that writes kNew tokens after a prompt of kPrompt.
class Writing {
  public:
    static constexpr int kPrompt = 16, kNew = 48, kRead = kPrompt + kNew - 1, D = 256, F = 1024, H = 4, L = 4,
                         V = 256;

    /// Of the products with weights and with the table, for all tokens that are read.
    static double products() { return 2.0 * kRead * (L * (4.0 * D * D + 2.0 * D * F) + 1.0 * D * V); }

    /// Calls a version of generate.
    template <class Version>
    void run(Version generate) {
        generate(TensorView<int, 2>(tokens_.data() + kPrompt, 1, kNew),
                 TensorView<const int, 2>(tokens_.data(), 1, kPrompt), table(), positions(kPrompt + kNew),
                 weights(), TensorView<const float, 2>(chances_.data(), 1, kNew), H, 1, 1.0F, -1);
    }

    /// A whole pass for each token, with a version of language_model.
    template <class Version>
    void run_whole_passes(Version language_model) {
        for (int N = kPrompt; N <= kRead; ++N)
            language_model(logits_.view(1, N, V), TensorView<const int, 2>(tokens_.data(), 1, N), table(),
                           positions(N), weights(), H);
    }

  private:
    TensorView<const float, 2> table() const { return table_.read(V, D); }
    TensorView<const float, 2> positions(int N) const { return positions_.read(N, D); }
    EncoderWeights<float> weights() const {
        const auto W = [this](int k) {
            return TensorView<const float, 3>(W_.read(4 * L, D, D)[k * L].data(), L, D, D);
        };
        return fast::stack_of({W(0), W(1), W(2), W(3)}, vectors_.read(L, D), W_1_.read(L, D, F),
                              vectors_.read(L, F), W_2_.read(L, F, D));
    }

    Numbers W_{numbers(4 * L, D, D), 0.05F}, W_1_{numbers(L, D, F), 0.05F}, W_2_{numbers(L, F, D), 0.05F},
        vectors_{numbers(L, F), 0.1F}, table_{numbers(V, D)}, positions_{numbers(kPrompt + kNew, D)},
        logits_{numbers(kPrompt + kNew, V)};
    std::vector<float> chances_ = std::vector<float>(kNew, 0.5F);
    std::vector<int> tokens_ = std::vector<int>(kPrompt + kNew, 1);
};

template <class F>
void add_writing(std::string_view column, F f) {
    fast::add("write 48 after 16, D256 L4", 1, column, [=](benchmark::State& state) {
        Writing writing;
        fast::measure(state, 1, Writing::products(), [&] { f(writing); });
    });
}

[[maybe_unused]] const bool kRegisteredWriting = [] {
    add_writing(fast::kFast, [](Writing& x) { x.run(fast::generate); });
    add_writing("whole passes", [](Writing& x) { x.run_whole_passes(fast::language_model); });
    add_writing(fast::kPlain, [](Writing& x) { x.run(cpu::generate<float>); });
    return true;
}();

}  // namespace
}  // namespace attn
