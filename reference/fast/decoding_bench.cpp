// Writing with a cache beside a whole pass for each token, in one run. Every column counts the same useful
// operations, so the ratio of two cells is the ratio of their times.

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "contracts/language_model_fast.h"
#include "contracts/language_model_reference.h"
#include "reference/fast/bench_table.h"
#include "reference/fast/scoped_unit.h"

namespace attn {
namespace {

std::vector<float> random_numbers(std::size_t count, float scale) {
    static std::minstd_rand random(2);
    std::normal_distribution<float> normal(0, scale);
    std::vector<float> numbers(count);
    for (float& x : numbers) x = normal(random);
    return numbers;
}

/// A language model that writes kNew tokens after a prompt of kPrompt.
class Writing {
  public:
    static constexpr int kPrompt = 16, kNew = 48, kRead = kPrompt + kNew - 1, D = 256, F = 1024, H = 4, L = 4,
                         V = 256;

    Writing()
        : matrices_(random_numbers(4 * cells(L, D, D) + 2 * cells(L, D, F), 0.05F)),
          vectors_(random_numbers(cells(L, F, 1), 0.1F)),
          table_(random_numbers(cells(V, D, 1), 1)),
          positions_(random_numbers(cells(kPrompt + kNew, D, 1), 1)),
          chances_(kNew, 0.5F),
          tokens_(kPrompt + kNew, 1),
          logits_(cells(kPrompt + kNew, V, 1)) {}

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
            language_model(TensorView<float, 3>(logits_.data(), 1, N, V),
                           TensorView<const int, 2>(tokens_.data(), 1, N), table(), positions(N), weights(),
                           H);
    }

  private:
    static constexpr std::size_t cells(int a, int b, int c) {
        return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c);
    }
    TensorView<const float, 2> table() const { return {table_.data(), V, D}; }
    TensorView<const float, 2> positions(int N) const { return {positions_.data(), N, D}; }
    EncoderWeights<float> weights() const {
        const TensorView<const float, 2> v(vectors_.data(), L, D), f(vectors_.data(), L, F);
        const TensorView<const float, 1> last(vectors_.data(), D);
        const auto W = [&](int k) {
            return TensorView<const float, 3>(matrices_.data() + static_cast<std::size_t>(k) * cells(L, D, D),
                                              L, D, D);
        };
        const float* const hidden = matrices_.data() + 4 * cells(L, D, D);
        const TensorView<const float, 3> W_1(hidden, L, D, F), W_2(hidden + cells(L, D, F), L, F, D);
        return {v, v, W(0), v, W(1), v, W(2), v, W(3), v, v, v, W_1, f, W_2, v, last, last};
    }

    std::vector<float> matrices_, vectors_, table_, positions_, chances_;
    std::vector<int> tokens_;
    std::vector<float> logits_;
};

/// A cell of the table.
template <class F>
benchmark::internal::Benchmark* add_writing(const std::string& column, F f) {
    const std::string row = "write 48 after 16, D256 L4";
    return benchmark::RegisterBenchmark(fast::cell_name(row, 1, column).c_str(),
                                        [=](benchmark::State& state) {
                                            const fast::ScopedUnit scope(fast::vector_unit(), 1);
                                            Writing writing;
                                            f(writing);  // caches and buffers
                                            for (auto _ : state) {
                                                f(writing);
                                                benchmark::ClobberMemory();
                                            }
                                            state.counters["flop"] = Writing::products();
                                        })
        ->UseRealTime()
        ->MinTime(0.06)
        ->Repetitions(5);
}

[[maybe_unused]] const bool kRegisteredWriting = [] {
    add_writing("attn::fast", [](Writing& x) { x.run(fast::generate); });
    add_writing("whole passes", [](Writing& x) { x.run_whole_passes(fast::language_model); });
    add_writing("plain loops", [](Writing& x) { x.run(cpu::generate<float>); })
        ->MinTime(0.001)
        ->Repetitions(1);
    return true;
}();

}  // namespace
}  // namespace attn
