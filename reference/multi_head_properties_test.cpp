// Properties that follow from the formulas for any numbers.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/multi_head_reference.h"
#include "contracts/self_attention_on_arrays.h"
#include "reference/testing/multi_head_inputs.h"
#include "reference/testing/near.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(multi_head_properties)

namespace {

constexpr int kHeads = 3, kWidth = 2, kD = kHeads * kWidth;
const std::vector<int> kOrder = {2, 0, 3, 1};

/// B = 2, N_q = 3, N_k = 4, D = 6; row 1 of batch 1 is fully masked.
template <class T>
struct Inputs {
    const Array X_q = normal<T>("X_q", {2, 3, kD}), X_kv = normal<T>("X_kv", {2, 4, kD});
    const on_arrays::MultiHeadWeightsArrays layer = normal_layer<T>(kD);
    const Array mask = mask_of({2, 3, 4}, {1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1,  //
                                           0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 1});

    Array attended(const on_arrays::MultiHeadWeightsArrays& with) const {
        return multi_head_of<T>(X_q, X_kv, with, kHeads, mask);
    }
};

/// a + factor b
template <class T>
Array sum(const Array& a, double factor, const Array& b) {
    Array result = a;
    for (std::size_t k = 0; k < a.count(); ++k) result.as<T>()[k] += static_cast<T>(factor) * b.as<T>()[k];
    return result;
}

/// The layer with W_O's rows set to 0 except those of the heads for which `keep` returns true.
template <class T, class Keep>
on_arrays::MultiHeadWeightsArrays with_heads(on_arrays::MultiHeadWeightsArrays layer, const Keep& keep) {
    const auto W_O = layer.W_O.view<T, 2>();
    for (int row = 0; row < kD; ++row)
        for (int d = 0; d < kD; ++d)
            if (!keep(row / kWidth)) W_O(row, d) = 0;
    return layer;
}

template <class T>
on_arrays::MultiHeadWeightsArrays without_output_bias(on_arrays::MultiHeadWeightsArrays layer) {
    layer.b_O = Array::zeros<T>("b_O", {kD});
    return layer;
}

/// Heads 0, 1, 2 become 2, 0, 1: the columns of W_Q, W_K, W_V and their biases, and the rows of W_O.
template <class T>
on_arrays::MultiHeadWeightsArrays rotated(const on_arrays::MultiHeadWeightsArrays& layer) {
    on_arrays::MultiHeadWeightsArrays result = layer;
    const auto moved = [](int d) { return (d + kWidth) % kD; };
    for (Array on_arrays::MultiHeadWeightsArrays::*W :
         {&on_arrays::MultiHeadWeightsArrays::W_Q, &on_arrays::MultiHeadWeightsArrays::W_K,
          &on_arrays::MultiHeadWeightsArrays::W_V})
        for (int k = 0; k < kD; ++k)
            for (int d = 0; d < kD; ++d)
                (result.*W).view<T, 2>()(k, moved(d)) = (layer.*W).view<T, 2>()(k, d);
    for (Array on_arrays::MultiHeadWeightsArrays::*b :
         {&on_arrays::MultiHeadWeightsArrays::b_Q, &on_arrays::MultiHeadWeightsArrays::b_K,
          &on_arrays::MultiHeadWeightsArrays::b_V})
        for (int d = 0; d < kD; ++d) (result.*b).view<T, 1>()(moved(d)) = (layer.*b).view<T, 1>()(d);
    for (int k = 0; k < kD; ++k)
        for (int d = 0; d < kD; ++d) result.W_O.view<T, 2>()(moved(k), d) = layer.W_O.view<T, 2>()(k, d);
    return result;
}

/// Columns order[0], order[1], .. of a mask.
Array columns(const Array& mask, const std::vector<int>& order) {
    Array result = mask;
    const auto to = result.view<std::uint8_t, 3>();
    const auto from = mask.view<std::uint8_t, 3>();
    for (int b = 0; b < to.size(0); ++b)
        for (int i = 0; i < to.size(1); ++i)
            for (int j = 0; j < to.size(2); ++j) to(b, i, j) = from(b, i, order[static_cast<std::size_t>(j)]);
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(merging_undoes_splitting, T, Reals) {
    const Array X = normal<T>("X", {2, 5, 12});
    for (const int H : {1, 2, 3, 4, 6, 12})
        BOOST_TEST(is_near(on_arrays::merge_heads<T>(on_arrays::split_heads<T>(X, H)), X, 0));
    const Array heads = normal<T>("X", {2, 3, 5, 4});
    BOOST_TEST(is_near(on_arrays::split_heads<T>(on_arrays::merge_heads<T>(heads), 3), heads, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_head_is_assignment_2_with_an_output_projection, T, Reals) {
    const Inputs<T> in;
    on_arrays::MultiHeadWeightsArrays layer = empty_layer<T>(kD);
    layer.W_Q = in.layer.W_Q, layer.W_K = in.layer.W_K, layer.W_V = in.layer.W_V, layer.W_O = in.layer.W_O;
    const Array expected =
        product<T>(on_arrays::self_attention<T>(in.X_kv, layer.W_Q, layer.W_K, layer.W_V), layer.W_O);
    BOOST_TEST(is_near(multi_head_of<T>(in.X_kv, in.X_kv, layer, 1), expected, kRounding<T>));
    BOOST_TEST(!is_near(multi_head_of<T>(in.X_kv, in.X_kv, layer, 2), expected, 0.1));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(permuting_heads_with_the_rows_of_W_O_changes_nothing, T, Reals) {
    const Inputs<T> in;
    const on_arrays::MultiHeadWeightsArrays other = rotated<T>(in.layer);
    BOOST_TEST(is_near(in.attended(other), in.attended(in.layer), kRounding<T>));
    on_arrays::MultiHeadWeightsArrays half = other;
    half.W_O = in.layer.W_O;
    BOOST_TEST(!is_near(in.attended(half), in.attended(in.layer), 0.1));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_output_is_the_sum_of_the_heads_contributions, T, Reals) {
    const Inputs<T> in;
    const Array Y = in.attended(in.layer);
    Array total = in.attended(with_heads<T>(in.layer, [](int) { return false; }));  // only b_O
    for (int h = 0; h < kHeads; ++h) {
        const Array one =
            in.attended(without_output_bias<T>(with_heads<T>(in.layer, [h](int head) { return head == h; })));
        const Array rest = in.attended(with_heads<T>(in.layer, [h](int head) { return head != h; }));
        BOOST_TEST(is_near(sum<T>(Y, -1, one), rest, kRounding<T>));
        BOOST_TEST(!is_near(Y, rest, 0.1));
        total = sum<T>(total, 1, one);
    }
    BOOST_TEST(is_near(total, Y, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_head_without_rows_in_W_O_has_no_effect, T, Reals) {
    const Inputs<T> in;
    on_arrays::MultiHeadWeightsArrays muted = with_heads<T>(in.layer, [](int head) { return head != 1; }),
                                      other = muted;
    for (Array* W : {&other.W_Q, &other.W_K, &other.W_V})
        for (int k = 0; k < kD; ++k)
            for (int d = kWidth; d < 2 * kWidth; ++d) W->view<T, 2>()(k, d) = static_cast<T>(k - d);
    BOOST_TEST(is_near(in.attended(other), in.attended(muted), 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(permuting_tokens_permutes_the_output, T, Reals) {
    const Inputs<T> in;
    const Array Y = multi_head_of<T>(in.X_kv, in.X_kv, in.layer, kHeads);
    const Array X = rows<T>(in.X_kv, kOrder);
    BOOST_TEST(is_near(multi_head_of<T>(X, X, in.layer, kHeads), rows<T>(Y, kOrder), kRounding<T>));
    BOOST_TEST(!is_near(Y, rows<T>(Y, kOrder), 0.1));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(permuting_keys_with_the_masks_columns_changes_nothing, T, Reals) {
    const Inputs<T> in;
    const Array X_kv = rows<T>(in.X_kv, kOrder);
    BOOST_TEST(is_near(multi_head_of<T>(in.X_q, X_kv, in.layer, kHeads, columns(in.mask, kOrder)),
                       in.attended(in.layer), kRounding<T>));
    BOOST_TEST(
        !is_near(multi_head_of<T>(in.X_q, X_kv, in.layer, kHeads, in.mask), in.attended(in.layer), 0.1));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_mask_of_ones_changes_nothing, T, Reals) {
    const Inputs<T> in;
    const Array ones = mask_of({2, 3, 4}, std::vector<std::uint8_t>(24, 1));
    BOOST_TEST(is_near(multi_head_of<T>(in.X_q, in.X_kv, in.layer, kHeads, ones),
                       multi_head_of<T>(in.X_q, in.X_kv, in.layer, kHeads), kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_key_bias_changes_nothing, T, Reals) {
    const Inputs<T> in;
    on_arrays::MultiHeadWeightsArrays other = in.layer;
    other.b_K = Array::zeros<T>("b_K", {kD});
    BOOST_TEST(is_near(in.attended(other), in.attended(in.layer), kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(batches_are_independent_and_have_their_own_masks, T, Reals) {
    const Inputs<T> in;
    const Array Y = in.attended(in.layer);
    for (int b = 0; b < 2; ++b) {
        const auto alone = [b]<class U>(const Array& X, U) {
            const U* first = X.view<U, 3>()[b].data();
            return Array(X.name, {1, X.shape[1], X.shape[2]},
                         std::vector<U>(first, first + X.shape[1] * X.shape[2]));
        };
        BOOST_TEST(is_near(alone(Y, T{}),
                           multi_head_of<T>(alone(in.X_q, T{}), alone(in.X_kv, T{}), in.layer, kHeads,
                                            alone(in.mask, std::uint8_t{})),
                           0));
    }
}

BOOST_AUTO_TEST_SUITE_END()
