// Agreement with numbers from the tests of other projects. Only the numbers are copied.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/masking_reference.h"
#include "reference/testing/masking_inputs.h"
#include "reference/testing/near.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(masking_published)

namespace {

/// Queries times sqrt(D_q): they cancel the scale 1 / sqrt(D_q), for sources without a scale.
template <class T>
Array unscaled(const attn::Shape& shape, std::vector<double> queries) {
    for (double& q : queries) q *= std::sqrt(shape.back());
    return numbers<T>("Q", shape, queries);
}

/// PyTorch's torch.manual_seed(seed); torch.randn(shape), on a CPU and for a multiple of 16 numbers: 24 bits
/// each of a Mersenne Twister, of which numbers k and k + 8 of every 16 make two normal ones (Box and
/// Muller).
std::vector<double> torch_randn(unsigned seed, const attn::Shape& shape) {
    std::mt19937 engine(seed);
    std::vector<double> values(attn::element_count(shape));
    for (double& value : values) value = static_cast<double>(engine() & 0xFFFFFFU) * 0x1p-24;
    for (std::size_t k = 0; k < values.size(); k += k % 16 == 7 ? 9 : 1) {
        const double radius = std::sqrt(-2 * std::log(1 - values[k])),
                     angle = 2 * std::numbers::pi * values[k + 8];
        values[k] = radius * std::cos(angle);
        values[k + 8] = radius * std::sin(angle);
    }
    return values;
}

}  // namespace

// github.com/keras-team/keras, commit f9336cc5114b4a9429a242deb264b707379646b7,
// keras/layers/attention/base_dense_attention_test.py, test_square_shape and test_orthogonal_shape.
// Apache-2.0. With more queries than keys, their mask is aligned at the first query and ours at the last. So
// their rows, except the last one, are our rows from the second on.
BOOST_AUTO_TEST_CASE(keras_causal_masks) {
    BOOST_TEST(is_near(on_arrays::causal_mask(3, 3), {1, 0, 0, 1, 1, 0, 1, 1, 1}, 0));
    const std::vector<double> aligned_at_the_first_query = {1, 0, 1, 1, 1, 1};
    const Array M = on_arrays::causal_mask(3, 2);
    for (std::size_t k = 2; k < 6; ++k)
        BOOST_TEST(M.as<std::uint8_t>()[k] == aligned_at_the_first_query[k - 2]);
}

// github.com/keras-team/keras-hub, commit 71453d08f59edc90d276e999319fc51e61cbf82c,
// keras_hub/src/layers/modeling/transformer_layer_utils_test.py, test_merge_padding_and_attention_mask.
// Apache-2.0. The padding is 1 1 0.
BOOST_AUTO_TEST_CASE(keras_hub_merges_masks) {
    BOOST_TEST(
        is_near(on_arrays::combine_masks(mask({3, 3}, {0, 0, 1, 0, 1, 0, 1, 0, 0}), padding_mask({2}, 3, 3)),
                {0, 0, 0, 0, 1, 0, 1, 0, 0}, 0));
}

// github.com/OpenNMT/OpenNMT-tf, commit 6f3b952ebb973dec31250a806bf0f56ff730d0b5,
// opennmt/tests/transformer_test.py, testBuildFutureMask and testBuildFutureMaskWithMaxLen. MIT.
BOOST_AUTO_TEST_CASE(opennmt_future_masks) {
    BOOST_TEST(is_near(on_arrays::combine_masks(on_arrays::causal_mask(4, 4), padding_mask({2, 4, 3}, 4, 4)),
                       {1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0,  //
                        1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1,  //
                        1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0},
                       0));
    BOOST_TEST(is_near(on_arrays::combine_masks(on_arrays::causal_mask(5, 5), padding_mask({2, 4, 3}, 5, 5)),
                       {1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0,  //
                        1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0,  //
                        1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0},
                       0));
}

// Keras as above, test_multi_dim_with_mask.
BOOST_AUTO_TEST_CASE_TEMPLATE(keras_masked_softmax, T, Reals) {
    BOOST_TEST(is_near(
        on_arrays::masked_softmax<T>(numbers<T>("scores", {1, 3}, {1, 0, 1}), mask({1, 3}, {1, 1, 0})),
        {0.731058598, 0.268941432, 0}, 1e-6, 1e-5));
}

// Keras as above, keras/layers/attention/attention_test.py, test_multi_dim, test_multi_dim_with_key and
// test_multi_dim_with_query_mask (its weights are those without a mask of queries).
BOOST_AUTO_TEST_CASE_TEMPLATE(keras_masked_attention, T, Reals) {
    const Array K = numbers<T>("K", {1, 3, 1}, {1.6, 0.7, -0.8});
    const Array M = padding_mask({2}, 1, 3);
    BOOST_TEST(is_near(on_arrays::masked_attention<T>(numbers<T>("Q", {1, 1, 1}, {1.1}), K, K, M).Y,
                       {1.35617912}, 1e-6, 1e-5));
    BOOST_TEST(is_near(on_arrays::masked_attention<T>(numbers<T>("Q", {1, 1, 1}, {1.1}), K,
                                                      numbers<T>("V", {1, 3, 1}, {0.5, 0.8, -0.3}), M)
                           .Y,
                       {0.581273615}, 1e-6, 1e-5));
    BOOST_TEST(is_near(
        on_arrays::masked_attention<T>(numbers<T>("Q", {1, 2, 1}, {1.1, -0.5}), K, K, padding_mask({2}, 2, 3))
            .A,
        {0.729087949, 0.270912081, 0, 0.389360756, 0.610639215, 0}, 1e-6, 1e-5));
}

// github.com/yeoedward/Robust-Fill, commit ab11fff5bf7c09e1118037413a36c88523fb84cd, test_nn.py,
// test_luong_attention: its third batch has two keys and padding. MIT.
BOOST_AUTO_TEST_CASE_TEMPLATE(robust_fill_luong_attention_with_padding, T, Reals) {
    const Array K = numbers<T>("K", {1, 3, 3}, {0.4, 0.5, 0.6, 0.9, 0.8, 0.7, 9, 9, 9});
    BOOST_TEST(is_near(
        on_arrays::masked_attention<T>(unscaled<T>({1, 1, 3}, {4, 5, 6}), K, K, padding_mask({2}, 1, 3)).Y,
        {0.891848683, 0.795109212, 0.698369741}, 1e-6, 1e-5));
}

// github.com/joeynmt/joeynmt, commit cdc4d03d430a1b0f29793a0d95743c5e72ae2f6c, test/unit/test_attention.py,
// TestLuongAttention.test_luong_attention_forward, batches 0 and 1, which have 2 and 3 keys of 5. Apache-2.0.
// Answers are printed with four decimals.
BOOST_AUTO_TEST_CASE_TEMPLATE(joey_nmt_luong_attention_with_padding, T, Reals) {
    const Array Q = unscaled<T>(
        {2, 4, 5},
        {0.429404497,   0.885442913,  0.573904455,  0.266580045, 0.627449155, 0.269631684, 0.441363573,
         0.296920836,   0.831685483,  0.10531491,   0.269494832, 0.35881263,  0.199363768, 0.54719156,
         0.00616043806, 0.951554537,  0.0752658844, 0.886013687, 0.583209574, 0.337647736,  //
         0.808974981,   0.577925384,  0.903981686,  0.554659843, 0.342313409, 0.634341836, 0.364410281,
         0.710428774,   0.946411073,  0.789029777,  0.281413734, 0.788632333, 0.589463115, 0.753917515,
         0.195247471,   0.0050457716, 0.306819737,  0.116488576, 0.910269439, 0.64401567});
    const Array V =
        numbers<T>("V", {2, 5, 3}, {0.308336973, 0.0849647522, 0.00291967392, 0.64305532,   0.390778065,
                                    0.694661558, 0.0896682739, 0.871214569,   0.132973135,  0.413663328,
                                    0.604434848, 0.758125901,  0.903655171,   0.955479622,  0.10353893,  //
                                    0.625833631, 0.284937024,  0.445207596,   0.125754952,  0.955429316,
                                    0.133024752, 0.767225623,  0.675719798,   0.66247797,   0.229676902,
                                    0.95447576,  0.609875202,  0.564320028,   0.0593726039, 0.70989424});
    const Array W = numbers<T>("W", {3, 5},
                               {0.441406488, 0.53036046, -0.281085879, -0.423560411, 0.426551461,   //
                                0.479205251, -0.126499504, 0.339067817, 0.501830697, 0.0781908631,  //
                                -0.135257274, 0.116503894, 0.508959055, 0.108056486, 0.278391421});
    const auto attended = on_arrays::masked_attention<T>(Q, product<T>(V, W), V, padding_mask({2, 3}, 4, 5));
    BOOST_TEST(is_near(attended.A, {0.3238, 0.6762, 0,      0, 0, 0.4090, 0.5910, 0,      0, 0,  //
                                    0.4367, 0.5633, 0,      0, 0, 0.3319, 0.6681, 0,      0, 0,  //
                                    0.2483, 0.3291, 0.4226, 0, 0, 0.2353, 0.3474, 0.4174, 0, 0,  //
                                    0.2725, 0.3322, 0.3953, 0, 0, 0.2803, 0.3476, 0.3721, 0, 0},
                       1e-4));
    BOOST_TEST(is_near(attended.Y, {0.5347, 0.2918, 0.4707, 0.5062, 0.2657, 0.4117, 0.4969, 0.2572,
                                    0.3926, 0.5320, 0.2893, 0.4651, 0.5210, 0.6707, 0.4343, 0.5111,
                                    0.6809, 0.4274, 0.5156, 0.6622, 0.4274, 0.5046, 0.6634, 0.4175},
                       1e-4));
}

// github.com/stanford-cs336/assignment1-basics, commit 25a8a49f6460c83a30416d42348f2ef11d1dd185,
// tests/_snapshots/test_scaled_dot_product_attention.npz, test_scaled_dot_product_attention: columns 0, 21
// and 63 of rows 0 and 7 of every batch. MIT. True in their mask says that a query may attend.
BOOST_AUTO_TEST_CASE_TEMPLATE(cs336_masked_attention, T, Reals) {
    const Array Q = numbers<T>("Q", {4, 12, 64}, torch_randn(1, {4, 12, 64}));
    const Array K = numbers<T>("K", {4, 16, 64}, torch_randn(2, {4, 16, 64}));
    const Array V = numbers<T>("V", {4, 16, 64}, torch_randn(3, {4, 16, 64}));
    Array M = mask({4, 12, 16}, std::vector<std::uint8_t>(4 * 12 * 16));
    const std::vector<double> draws = torch_randn(5, M.shape);
    for (std::size_t k = 0; k < draws.size(); ++k) M.as<std::uint8_t>()[k] = draws[k] > 0.5;
    const Array Y = on_arrays::masked_attention<T>(Q, K, V, M).Y;
    const auto y = Y.view<T, 3>();
    std::vector<double> found;
    for (int b = 0; b < 4; ++b)
        for (const int i : {0, 7})
            for (const int d : {0, 21, 63}) found.push_back(static_cast<double>(y(b, i, d)));
    BOOST_TEST(is_near(Array("Y", {4, 2, 3}, found),
                       {-0.32653603, 0.0120503353, -0.493437827, -1.01204717,  -0.338477463, 0.482719392,  //
                        1.63570285,  0.581185162,  -0.694486201, -0.295974702, -0.786750793, 0.259317219,  //
                        0.216329679, -1.03998196,  0.323690355,  0.906850159,  0.56093508,   0.196778834,  //
                        -1.03183115, 0.244181782,  0.235685512,  -0.294776022, 0.242908493,  0.0532873459},
                       2e-6, 1e-5));
}

BOOST_AUTO_TEST_SUITE_END()
