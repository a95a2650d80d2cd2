// The fused attention of every vector unit against the plain loops in double, by the judge's yardstick.

#include "reference/fast/attention.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <malloc.h>

#include "assignments/array.h"
#include "contracts/masking_reference.h"
#include "contracts/self_attention_reference.h"
#include "grader/judge/compare.h"
#include "reference/fast/scoped_unit.h"

using namespace attn;
using fast::Sizes, fast::VectorUnit, fast::ScopedUnit;

BOOST_AUTO_TEST_SUITE(attention)

namespace {

constexpr double kAllowed = 5;  // students are allowed 20

using Numbers = std::vector<float>;
using Bytes = std::vector<std::uint8_t>;

std::size_t product(std::initializer_list<int> sizes) {
    std::size_t all = 1;
    for (const int size : sizes) all *= static_cast<std::size_t>(size);
    return all;
}

/// Heads one after the other, as the plain loops have them, or side by side in rows with a gap, as a layer's
/// projection leaves them. What lies between is not a number.
struct Tensor {
    Tensor(const Sizes& sizes, int N, int D, bool side_by_side)
        : B(sizes.B), H(sizes.H), N_(N), D_(D), row(side_by_side ? H * D + 5 : D) {
        head = side_by_side ? D : N * D;
        batch = static_cast<std::ptrdiff_t>(N) * (side_by_side ? row : H * D);
        data.assign(static_cast<std::size_t>(B * batch), std::nanf(""));
    }
    void fill(std::mt19937& random, float scale) {
        std::normal_distribution<float> normal(0, scale);
        each([&](float& x) { x = normal(random); });
    }
    template <class F>
    void each(F f) {
        for (int b = 0; b < B; ++b)
            for (int h = 0; h < H; ++h)
                for (int n = 0; n < N_; ++n)
                    for (int d = 0; d < D_; ++d)
                        f(data[static_cast<std::size_t>(b * batch + h * head + n * row + d)]);
    }
    template <class T>
    std::vector<T> dense() {
        std::vector<T> numbers;
        each([&](float& x) { numbers.push_back(x); });
        return numbers;
    }
    fast::Heads<float> heads() { return {data.data(), batch, head, row}; }
    fast::Heads<const float> read() const { return {data.data(), batch, head, row}; }

    int B, H, N_, D_;
    std::ptrdiff_t batch = 0, head = 0, row;
    Numbers data;
};

/// One question: Q, K, V, what is masked, and the plain loops' answers.
struct Question {
    Sizes sizes;
    bool causal = false, masked = false, side_by_side = false;
    float scale = 1;
    std::mt19937 random{7};
    Tensor Q{sizes, sizes.N_q, sizes.D_q, side_by_side}, K{sizes, sizes.N_k, sizes.D_q, side_by_side},
        V{sizes, sizes.N_k, sizes.D_v, side_by_side};
    Bytes mask = Bytes(masked ? product({sizes.B, sizes.N_q, sizes.N_k}) : 0, 0);

    void fill() {
        Q.fill(random, scale);
        K.fill(random, scale);
        V.fill(random, 1);
        for (std::uint8_t& m : mask) m = random() % 4 != 0;
        // The first query of every batch may attend to nothing, the last to a single key.
        if (masked && sizes.N_k > 0 && sizes.N_q > 0) {
            for (int b = 0; b < sizes.B; ++b) {
                std::uint8_t* const first = &mask[product({b, sizes.N_q, sizes.N_k})];
                std::uint8_t* const last = first + product({sizes.N_q - 1, sizes.N_k});
                std::fill(first, first + sizes.N_k, std::uint8_t{0});
                std::fill(last, last + sizes.N_k, std::uint8_t{0});
                last[sizes.N_k / 2] = 1;
            }
        }
    }

    fast::Options options() const {
        return {causal,
                {masked ? mask.data() : nullptr, static_cast<std::ptrdiff_t>(sizes.N_q) * sizes.N_k, 0,
                 sizes.N_k}};
    }

    template <class T>
    Array truth() {
        const int batches = sizes.B * sizes.H;
        Array Y = Array::zeros<T>("Y", {batches, sizes.N_q, sizes.D_v});
        const std::vector<T> q = Q.dense<T>(), k = K.dense<T>(), v = V.dense<T>();
        Bytes allowed;
        for (int b = 0; b < batches; ++b)
            for (int i = 0; i < sizes.N_q; ++i)
                for (int j = 0; j < sizes.N_k; ++j)
                    allowed.push_back((!causal || j <= i + (sizes.N_k - sizes.N_q)) &&
                                      (!masked || mask[product({b / sizes.H * sizes.N_q + i, sizes.N_k}) +
                                                       static_cast<std::size_t>(j)]));
        cpu::masked_attention<T>(Y.view<T, 3>(), {}, {q.data(), batches, sizes.N_q, sizes.D_q},
                                 {k.data(), batches, sizes.N_k, sizes.D_q},
                                 {v.data(), batches, sizes.N_k, sizes.D_v},
                                 {allowed.data(), batches, sizes.N_q, sizes.N_k});
        return Y;
    }

    /// The fast answer; the gaps of Y must be untouched.
    Array answer() {
        Tensor Y(sizes, sizes.N_q, sizes.D_v, side_by_side);
        fast::attention(Y.heads(), Q.read(), K.read(), V.read(), sizes, options());
        Array dense = Array::zeros<float>("Y", {sizes.B * sizes.H, sizes.N_q, sizes.D_v});
        dense.as<float>() = Y.dense<float>();
        Y.each([](float& x) { x = std::nanf(""); });
        for (const float gap : Y.data) BOOST_REQUIRE(std::isnan(gap));
        return dense;
    }

    std::string name() const {
        const Sizes& s = sizes;
        return "B" + std::to_string(s.B) + " H" + std::to_string(s.H) + " N_q" + std::to_string(s.N_q) +
               " N_k" + std::to_string(s.N_k) + " D_q" + std::to_string(s.D_q) + " D_v" +
               std::to_string(s.D_v) + (causal ? " causal" : "") + (masked ? " masked" : "") +
               (side_by_side ? " side by side" : "");
    }
};

Question question(const Sizes& sizes, bool causal, bool masked, bool side_by_side, float scale = 1) {
    Question made{sizes, causal, masked, side_by_side, scale};
    made.fill();
    return made;
}

const std::vector<Sizes> kSizes = {
    {1, 1, 1, 1, 1, 1},      {2, 3, 5, 7, 11, 3},     {1, 2, 96, 64, 64, 64},     {1, 2, 97, 130, 64, 64},
    {2, 1, 100, 3, 80, 96},  {1, 1, 13, 129, 32, 40}, {1, 1, 200, 191, 128, 128}, {1, 2, 3, 300, 5, 130},
    {1, 1, 130, 65, 17, 33}, {2, 2, 64, 64, 16, 16},
};

/// Holds the answer of the unit in use against the plain loops; the error in yardsticks.
double check(Question& asked) {
    const Array truth = asked.truth<double>(), plain = asked.truth<float>();
    const judge::Comparison comparison =
        judge::compare(asked.answer(), truth, judge::yardstick_of(truth, plain), kAllowed);
    BOOST_TEST(comparison.ok, name_of(fast::vector_unit())
                                  << ", " << asked.name() << ": " << comparison.wrong_count
                                  << " wrong, worst " << comparison.error_yardsticks << " yardsticks");
    return comparison.error_yardsticks;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_unit_agrees_with_the_plain_loops_on_ragged_sizes) {
    for (const VectorUnit unit : fast::vector_units()) {
        const ScopedUnit scope(unit);
        double worst = 0;
        for (const Sizes& sizes : kSizes)
            for (const bool causal : {false, true})
                for (const bool masked : {false, true})
                    for (const bool side_by_side : {false, true}) {
                        Question asked = question(sizes, causal, masked, side_by_side);
                        worst = std::max(worst, check(asked));
                    }
        BOOST_TEST_MESSAGE(name_of(unit) << ": at most " << worst << " yardsticks");
    }
}

BOOST_AUTO_TEST_CASE(a_row_that_may_attend_to_nothing_is_exactly_zero) {
    for (const VectorUnit unit : fast::vector_units()) {
        const ScopedUnit scope(unit);
        // Causal with fewer keys than queries: the first 7 rows see nothing; masked: the row after them, too.
        Question asked = question({1, 1, 12, 5, 8, 8}, true, true, false);
        std::fill_n(&asked.mask[std::size_t{7} * 5], 5, std::uint8_t{0});
        Array Y = asked.answer();
        for (int i = 0; i < 8; ++i)
            for (int d = 0; d < 8; ++d) BOOST_TEST((Y.view<float, 3>()(0, i, d) == 0));
        Question no_keys = question({1, 2, 3, 0, 4, 5}, false, false, false);
        const Array nothing = no_keys.answer();
        for (const float y : nothing.as<float>()) BOOST_TEST(y == 0);
    }
}

BOOST_AUTO_TEST_CASE(large_scores_overflow_nothing) {
    for (const VectorUnit unit : fast::vector_units()) {
        const ScopedUnit scope(unit);
        for (const float scale : {0.01F, 10.0F, 100.0F, 3000.0F}) {
            Question asked = question({1, 1, 70, 200, 64, 64}, false, false, false, scale);
            check(asked);
        }
    }
}

BOOST_AUTO_TEST_CASE(scores_that_grow_from_key_to_key_are_weighed_rightly) {
    // Every step of keys raises the maximum by a little or by a lot; the first keys have scores near 0, or so
    // small or so large that their exponentials are no floats.
    for (const VectorUnit unit : fast::vector_units()) {
        const ScopedUnit scope(unit);
        for (const auto& start_and_slope : {std::pair(0.0F, 0.01F),
                                            {0, 0.3F},
                                            {0, 5},
                                            {0, -0.3F},
                                            {-30, 0.3F},
                                            {-4, 0.01F},
                                            {30, -0.01F}}) {
            const float start = start_and_slope.first, slope = start_and_slope.second;
            Question asked = question({1, 1, 20, 500, 16, 24}, false, false, false);
            int j = 0, d = 0;
            asked.Q.each([](float& x) { x = 1; });
            asked.K.each([&](float& x) {
                x += start + slope * static_cast<float>(j) / 4;
                if (++d == 16) ++j, d = 0;
            });
            check(asked);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_query_that_is_no_number_spoils_its_own_row_only) {
    for (const VectorUnit unit : fast::vector_units()) {
        const ScopedUnit scope(unit);
        Question asked = question({1, 1, 14, 150, 64, 64}, false, false, false);
        asked.Q.data[std::size_t{4} * 64 + 3] = std::nanf("");
        Array Y = asked.answer();
        for (int i = 0; i < 14; ++i)
            for (int d = 0; d < 64; ++d) BOOST_TEST(std::isnan(Y.view<float, 3>()(0, i, d)) == (i == 4));
    }
}

BOOST_AUTO_TEST_CASE(any_number_of_threads_gives_the_same_bits) {
    for (const VectorUnit unit : fast::vector_units()) {
        for (const Sizes& sizes :
             {Sizes{1, 1, 300, 200, 64, 64}, Sizes{2, 3, 130, 70, 20, 9}, Sizes{2, 8, 250, 50, 8, 8}}) {
            for (const bool causal : {false, true}) {
                Question asked = question(sizes, causal, true, false);
                Numbers alone;
                for (const int threads : {1, 2, 3, 4, 7}) {
                    const ScopedUnit scope(unit, threads);
                    const Numbers Y = asked.answer().as<float>();
                    if (alone.empty()) alone = Y;
                    BOOST_TEST(std::memcmp(Y.data(), alone.data(), Y.size() * sizeof(float)) == 0,
                               asked.name() << " with " << threads << " threads");
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(memory_grows_with_the_keys_and_not_with_their_square) {
#if defined(__SANITIZE_ADDRESS__)
    BOOST_TEST_MESSAGE("not under AddressSanitizer, which does not count");
#else
    const ScopedUnit scope(fast::vector_unit(), 1);
    const int N = 8192, D = 8;
    Question asked = question({1, 1, N, N, D, D}, true, false, false);
    Tensor Y(asked.sizes, N, D, false);
    std::size_t grown = 0;
    std::thread([&] {  // a new thread has no buffers yet
        const auto in_use = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
        const std::size_t before = in_use();
        fast::attention(Y.heads(), asked.Q.read(), asked.K.read(), asked.V.read(), asked.sizes,
                        asked.options());
        grown = in_use() - before;
    })
        .join();
    const std::size_t keys_bytes = product({N, D}) * sizeof(float);
    BOOST_TEST(grown >= keys_bytes);
    BOOST_TEST(grown <= 4 * keys_bytes);
#endif
}

BOOST_AUTO_TEST_CASE(softmax_agrees_with_the_plain_loops_also_in_place) {
    for (const VectorUnit unit : fast::vector_units()) {
        for (const int threads : {1, 2}) {
            const ScopedUnit scope(unit, threads);
            for (const auto& [N, D] : {std::pair{1, 1}, {3, 17}, {40, 1000}, {5, 64}}) {
                std::mt19937 random(3);
                std::normal_distribution<float> normal(0, 30);
                Numbers x(product({N, D})), y(x.size(), std::nanf(""));
                for (float& number : x) number = normal(random);
                const std::vector<double> x_f64(x.begin(), x.end());
                Array truth = Array::zeros<double>("Y", {N, D}), plain = Array::zeros<float>("Y", {N, D}),
                      got = plain;
                cpu::softmax<double>(truth.view<double, 2>(), {x_f64.data(), N, D});
                cpu::softmax<float>(plain.view<float, 2>(), {x.data(), N, D});
                fast::softmax({y.data(), N, D}, {x.data(), N, D});
                got.as<float>() = y;
                BOOST_TEST(judge::compare(got, truth, judge::yardstick_of(truth, plain), kAllowed).ok);
                fast::softmax({x.data(), N, D}, {x.data(), N, D});
                BOOST_TEST(x == y);
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
