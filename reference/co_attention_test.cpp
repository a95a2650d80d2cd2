// Answers computed by hand, and those of other projects' layers on the same numbers.

#include <cmath>
#include <stdexcept>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/co_attention_on_arrays.h"
#include "reference/testing/near.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(co_attention)

namespace {

template <class T>
Array identity(const char* name) {
    return numbers<T>(name, {2, 2}, {1, 0, 0, 1});
}

template <class T>
Array zeros(const char* name, const attn::Shape& shape) {
    return Array::zeros<T>(name, shape);
}

Array mask_of(const attn::Shape& shape, std::vector<std::uint8_t> bits) {
    return {"mask", shape, std::move(bits)};
}

/// One number asks three vectors of two.
template <class T>
on_arrays::CoAttentionWeightsArrays asking_weights() {
    return {numbers<T>("W_Q", {1, 2}, {2, 0}),
            zeros<T>("b_Q", {2}),
            identity<T>("W_K"),
            zeros<T>("b_K", {2}),
            identity<T>("W_V"),
            zeros<T>("b_V", {2}),
            numbers<T>("W_O", {2, 1}, {1, 10}),
            zeros<T>("b_O", {1})};
}

/// The handout's block: every query attends to all equally, and the feed-forwards are 0.
template <class T>
on_arrays::CoBlockWeightsArrays equal_block() {
    const auto none = [](const char* name) { return zeros<T>(name, {2, 2}); };
    const auto zero = [](const char* name) { return zeros<T>(name, {2}); };
    const auto one = [](const char* name) { return numbers<T>(name, {2}, {1, 1}); };
    return {none("W_Q_r"),        zero("b_Q_r"),    none("W_K_r"),        zero("b_K_r"),
            identity<T>("W_V_r"), zero("b_V_r"),    identity<T>("W_O_r"), zero("b_O_r"),
            one("gamma_1_r"),     zero("beta_1_r"), none("W_1_r"),        zero("b_1_r"),
            none("W_2_r"),        zero("b_2_r"),    one("gamma_2_r"),     zero("beta_2_r"),
            none("W_Q_w"),        zero("b_Q_w"),    none("W_K_w"),        zero("b_K_w"),
            identity<T>("W_V_w"), zero("b_V_w"),    identity<T>("W_O_w"), zero("b_O_w"),
            one("gamma_1_w"),     zero("beta_1_w"), none("W_1_w"),        zero("b_1_w"),
            none("W_2_w"),        zero("b_2_w"),    one("gamma_2_w"),     zero("beta_2_w")};
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_worked_examples_of_the_handout, T, Reals) {
    const auto region = on_arrays::embed_regions<T>(
        numbers<T>("features", {1, 1, 1}, {2}), numbers<T>("boxes", {1, 1, 4}, {5, 2, 15, 7}),
        numbers<T>("width", {1}, {20}), numbers<T>("height", {1}, {10}),
        {numbers<T>("W_f", {1, 1}, {1}), numbers<T>("b_f", {1}, {0.5}),
         numbers<T>("W_p", {5, 1}, {1, 2, 3, 4, 5}), zeros<T>("b_p", {1})});
    BOOST_TEST(is_near(region.five, {0.25, 0.2, 0.75, 0.7, 0.25}, kRounding<T>));
    BOOST_TEST(is_near(region.X, {9.45}, 10 * kRounding<T>));

    const Array asking = numbers<T>("X_q", {1, 1, 1}, {1}),
                asked = numbers<T>("X_kv", {1, 3, 2}, {1, 0, 0, 1, 1, 1});
    const auto all = on_arrays::co_attention<T>(asking, asked, asking_weights<T>(), {}, 1);
    BOOST_TEST(is_near(all.A, {0.4458, 0.1084, 0.4458}, 5e-5));
    BOOST_TEST(is_near(all.Y, {6.4334}, 5e-4));
    const auto two =
        on_arrays::co_attention<T>(asking, asked, asking_weights<T>(), mask_of({1, 3}, {1, 1, 0}), 1);
    BOOST_TEST(is_near(two.A, {0.8044, 0.1956, 0}, 5e-5));
    BOOST_TEST(is_near(two.Y, {2.7601}, 5e-4));
    const auto none =
        on_arrays::co_attention<T>(asking, asked, asking_weights<T>(), mask_of({1, 3}, {0, 0, 0}), 1);
    BOOST_TEST(is_near(none.A, {0, 0, 0}, 0));
    BOOST_TEST(is_near(none.Y, {0}, 0));

    const auto block = on_arrays::co_attention_block<T>(numbers<T>("X_r", {1, 1, 2}, {1, 0}),
                                                        numbers<T>("X_w", {1, 2, 2}, {0, 2, 2, 0}),
                                                        equal_block<T>(), {}, {}, 1, T(1e-12));
    BOOST_TEST(is_near(block.Y_r, {1, -1}, 1e-5));
    BOOST_TEST(is_near(block.Y_w, {-1, 1, 1, -1}, 1e-5));

    BOOST_TEST(is_near(on_arrays::alignment_score<T>(
                           numbers<T>("X_r", {1, 1, 2}, {1, -2}), numbers<T>("X_w", {1, 1, 2}, {3, 4}),
                           identity<T>("W_r"), zeros<T>("b_r", {2}), identity<T>("W_w"), zeros<T>("b_w", {2}),
                           numbers<T>("v", {2}, {0.5, 1}), numbers<T>("c", {1}, {-1})),
                       {0.5}, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(heads_that_do_not_divide_the_width_are_refused, T, Reals) {
    const Array asking = numbers<T>("X_q", {1, 1, 1}, {1}),
                asked = numbers<T>("X_kv", {1, 3, 2}, {1, 0, 0, 1, 1, 1});
    for (const int H : {0, 3, 4})
        BOOST_CHECK_THROW(on_arrays::co_attention<T>(asking, asked, asking_weights<T>(), {}, H),
                          std::invalid_argument);
}

// Computed outside of this repository with flax 0.12.8 (flax.linen.MultiHeadDotProductAttention, LayerNorm and gelu) and jax 0.10.2 in double
// precision on a CPU, 2026-11-28. Array number s has the numbers shift + scale sin(0.7 k + s), k = 0, 1, ..; the arrays are counted
// from 1 in the order X_r, X_w, then the weights in the order of CoBlockWeights, with each stream's gammas about 1.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_block_of_flax, T, Reals) {
    int count = 0;
    const auto wave = [&count](const char* name, const attn::Shape& shape, double scale = 0.5,
                               double shift = 0) {
        Array array = Array::zeros<T>(name, shape);
        ++count;
        for (std::size_t k = 0; k < array.count(); ++k)
            array.as<T>()[k] = static_cast<T>(shift + scale * std::sin(0.7 * static_cast<double>(k) + count));
        return array;
    };
    const int N_r = 2, N_w = 3, D_r = 4, D_w = 6, D = 4, F_r = 5, F_w = 3;
    const Array X_r = wave("X_r", {1, N_r, D_r}, 1), X_w = wave("X_w", {1, N_w, D_w}, 1);
    // The members of a braced list are evaluated from left to right.
    const on_arrays::CoBlockWeightsArrays weights{wave("W_Q_r", {D_r, D}),           wave("b_Q_r", {D}),
                                                  wave("W_K_r", {D_r, D}),           wave("b_K_r", {D}),
                                                  wave("W_V_r", {D_r, D}),           wave("b_V_r", {D}),
                                                  wave("W_O_r", {D, D_r}),           wave("b_O_r", {D_r}),
                                                  wave("gamma_1_r", {D_r}, 0.25, 1), wave("beta_1_r", {D_r}),
                                                  wave("W_1_r", {D_r, F_r}),         wave("b_1_r", {F_r}),
                                                  wave("W_2_r", {F_r, D_r}),         wave("b_2_r", {D_r}),
                                                  wave("gamma_2_r", {D_r}, 0.25, 1), wave("beta_2_r", {D_r}),
                                                  wave("W_Q_w", {D_w, D}),           wave("b_Q_w", {D}),
                                                  wave("W_K_w", {D_w, D}),           wave("b_K_w", {D}),
                                                  wave("W_V_w", {D_w, D}),           wave("b_V_w", {D}),
                                                  wave("W_O_w", {D, D_w}),           wave("b_O_w", {D_w}),
                                                  wave("gamma_1_w", {D_w}, 0.25, 1), wave("beta_1_w", {D_w}),
                                                  wave("W_1_w", {D_w, F_w}),         wave("b_1_w", {F_w}),
                                                  wave("W_2_w", {F_w, D_w}),         wave("b_2_w", {D_w}),
                                                  wave("gamma_2_w", {D_w}, 0.25, 1), wave("beta_2_w", {D_w})};
    const double error = kRounding<T> + 1e-8;  // the numbers below have eight places
    const Array mask_w = mask_of({1, N_w}, {1, 0, 1});
    const auto block = on_arrays::co_attention_block<T>(X_r, X_w, weights, {}, mask_w, 2, T(1e-5));
    BOOST_TEST(is_near(
        block.Y_r,
        {-0.02899844, 0.63053898, 0.54688495, -1.31981910, -0.65464566, -0.81004244, -0.06009128, 2.25998482},
        error));
    BOOST_TEST(is_near(block.Y_w,
                       {2.21887774, 1.14871636, -0.26918482, -1.07739689, -1.17973239, -0.86090011,
                        0.13409062, 1.21677646, 0.80424960, -0.22366231, -0.94333902, -1.40723438,
                        -1.05049350, -1.46855546, -0.90642504, -0.24826414, 0.32889580, 1.05796593},
                       error));
    const on_arrays::CoAttentionWeightsArrays to_words{weights.W_Q_r, weights.b_Q_r, weights.W_K_w,
                                                       weights.b_K_w, weights.W_V_w, weights.b_V_w,
                                                       weights.W_O_r, weights.b_O_r};
    BOOST_TEST(is_near(on_arrays::co_attention<T>(X_r, X_w, to_words, mask_w, 2).Y,
                       {-0.47635226, -0.53324392, -0.33934264, 0.01415679, -0.47559718, -0.53303227,
                        -0.33977396, 0.01328536},
                       error));
}

BOOST_AUTO_TEST_SUITE_END()
