// Agreement with numbers from the tests of other projects. Only the numbers are copied.
//
// Their layers have several widths. Here their weights are copied into a layer of one width D. All other
// weights are 0. If a head becomes wider than theirs, a factor in Q corrects the root of the width.

#include <cmath>
#include <cstddef>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "reference/testing/multi_head_inputs.h"
#include "reference/testing/near.h"

using attn::Array;
using attn::TensorView;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(multi_head_published)

namespace {

using Numbers = std::vector<double>;
constexpr int kHeads = 2;  // in all of these layers

Numbers first(const Numbers& numbers, std::ptrdiff_t count) {
    return {numbers.begin(), numbers.begin() + count};
}

/// Some columns of a published matrix (or bias): those of two heads, next to each other.
struct Columns {
    const Numbers& matrix;
    int in_all;    ///< columns of the matrix
    int from;      ///< the first one used
    int per_head;  ///< number of columns for each head
};

/// Copies them into W from row `row` on, those of each head to the beginning of this head's columns of W.
template <class T>
void copy_columns(Array& W, const Columns& columns, int row = 0, double factor = 1) {
    const int D = W.shape.back(), rows = static_cast<int>(columns.matrix.size()) / columns.in_all;
    const TensorView<const double, 2> from(columns.matrix.data(), rows, columns.in_all);
    const TensorView<T, 2> to(W.as<T>().data(), static_cast<int>(W.count()) / D, D);
    for (int r = 0; r < rows; ++r)
        for (int h = 0; h < kHeads; ++h)
            for (int d = 0; d < columns.per_head; ++d)
                to(row + r, h * D / kHeads + d) =
                    static_cast<T>(factor * from(r, columns.from + h * columns.per_head + d));
}

/// Copies the rows of a published output projection into W_O, those of each head to this head's rows.
template <class T>
void copy_rows(Array& W_O, const Numbers& matrix, int per_head) {
    const int D = W_O.shape[0], out = static_cast<int>(matrix.size()) / (kHeads * per_head);
    const TensorView<const double, 2> from(matrix.data(), kHeads * per_head, out);
    for (int h = 0; h < kHeads; ++h)
        for (int r = 0; r < per_head; ++r)
            for (int d = 0; d < out; ++d)
                W_O.view<T, 2>()(h * D / kHeads + r, d) = static_cast<T>(from(h * per_head + r, d));
}

Numbers identity(int size) {
    Numbers numbers(static_cast<std::size_t>(size * size));
    for (int d = 0; d < size; ++d) TensorView<double, 2>(numbers.data(), size, size)(d, d) = 1;
    return numbers;
}

/// Rows of `width` numbers as vectors of width D, filled up with zeros.
template <class T>
Array widened(const Numbers& numbers, const attn::Shape& shape, int width) {
    Array X = Array::zeros<T>("X", shape);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        const auto row = k / static_cast<std::size_t>(width), d = k % static_cast<std::size_t>(width);
        X.as<T>()[row * static_cast<std::size_t>(shape[2]) + d] = static_cast<T>(numbers[k]);
    }
    return X;
}

/// The numbers of Y [B, N, D] that the published layer has, too.
template <class T>
Array narrowed(const Array& Y, int width) {
    const auto y = Y.view<T, 3>();
    std::vector<T> kept;
    for (int b = 0; b < y.size(0); ++b)
        for (int i = 0; i < y.size(1); ++i)
            for (int d = 0; d < width; ++d) kept.push_back(y(b, i, d));
    return Array("Y", {static_cast<int>(kept.size())}, kept);
}

/// A layer whose weight has the columns [q | k | v], without an output projection.
template <class T>
on_arrays::MultiHeadWeightsArrays joint_layer(const Numbers& weight, const Numbers& bias) {
    const int D = 4, all = 3 * D, per_head = D / kHeads;
    on_arrays::MultiHeadWeightsArrays layer = empty_layer<T>(D);
    Array* W[] = {&layer.W_Q, &layer.W_K, &layer.W_V};
    Array* b[] = {&layer.b_Q, &layer.b_K, &layer.b_V};
    for (int part = 0; part < 3; ++part) {
        copy_columns<T>(*W[part], {weight, all, part * D, per_head});
        copy_columns<T>(*b[part], {bias, all, part * D, per_head});
    }
    copy_rows<T>(layer.W_O, identity(D), per_head);
    return layer;
}

/// A layer that does not project keys and values: a row of X_kv holds both of one position, of both heads,
/// [k_0, k_1, v_0, v_1]. Only the queries are projected, by columns 0 .. 3 of `weight`.
template <class T>
on_arrays::MultiHeadWeightsArrays cached_layer(const Numbers& weight, const Numbers& bias,
                                               const Numbers& out) {
    const int D = 8, per_head = 2;
    const double wider = std::sqrt(D / static_cast<double>(kHeads * per_head));
    const Numbers copy = identity(4);
    on_arrays::MultiHeadWeightsArrays layer = empty_layer<T>(D);
    copy_columns<T>(layer.W_Q, {weight, 12, 0, per_head}, 0, wider);
    copy_columns<T>(layer.b_Q, {bias, 12, 0, per_head}, 0, wider);
    copy_columns<T>(layer.W_K, {copy, 4, 0, per_head});
    copy_columns<T>(layer.W_V, {copy, 4, 0, per_head}, 4);
    copy_rows<T>(layer.W_O, out, per_head);
    return layer;
}

/// A layer whose values are narrower than its queries and keys: columns [q | k | v] of widths 6, 6, 2 v.
template <class T>
on_arrays::MultiHeadWeightsArrays narrow_values(const Numbers& weight, const Numbers& bias, int v) {
    const int D = 6, all = 12 + kHeads * v;
    on_arrays::MultiHeadWeightsArrays layer = empty_layer<T>(D);
    Array* W[] = {&layer.W_Q, &layer.W_K, &layer.W_V};
    Array* b[] = {&layer.b_Q, &layer.b_K, &layer.b_V};
    for (int part = 0; part < 3; ++part) {
        copy_columns<T>(*W[part], {weight, all, part * D, part == 2 ? v : 3});
        copy_columns<T>(*b[part], {bias, all, part * D, part == 2 ? v : 3});
    }
    copy_rows<T>(layer.W_O, identity(kHeads * v), v);
    return layer;
}

const Numbers kOrtWeight = {0.1, -0.2, 0.3, 1,   1.1, 0.3, 0.5, 0.2, 0.3, -0.6, 1.5, 2,   0.5,
                            0.1, 0.4,  1.6, 1,   2,   0.4, 0.8, 0.9, 0.1, -1.3, 0.7, 0.3, 0.2,
                            4,   2.2,  1.6, 1.1, 0.7, 0.2, 0.4, 1,   1.2, 0.5,  0.2, 0.1, 0.4,
                            1.6, 2.4,  3.3, 2.1, 4.2, 8.4, 0,   2.1, 3.2, 0.3,  0.2, 4,   2.2,
                            2.4, 3.3,  2.1, 4.2, 0.5, 0.1, 0.4, 1.6, 0.4, 0.8,  0.9, 0.1};
const Numbers kOrtBias = {-0.5, 0.6, 1.2, 2.1, 0.5, 0.7, 0.2, 1.2, 0.5, 0.4, 0.3, 1.2, 0.5, 0.7, 0.2, 1.2};
const Numbers kPastWeight = {
    -0.4738484,  -0.26136586, -0.09780374, -0.34988934,  0.22432406,   -0.042920556, 0.41869533,
    0.17441125,  -0.18825532, 0.18357256,  -0.58064836,  -0.022514876, 0.08742206,   0.1473427,
    0.23870145,  0.2884027,   0.64908344,  0.16965826,   -0.06346885,  0.40739733,   -0.030709455,
    0.4110258,   0.078968085, 0.16783114,  0.0038893644, 0.06946629,   0.3668052,    -0.072610594,
    -0.14960581, 0.020944256, -0.09378613, -0.13367423,  0.06061395,   0.22059144,   -0.0351991,
    -0.18405692, 0.2214996,   -0.18843609, -0.014074507, 0.42524403,   0.24987127,   -0.3139642,
    0.14036843,  0.28541926,  0.09709841,  0.09935075,   -0.012154421, 0.25758165};
const Numbers kPastBias = {0.48033914,  -0.5254326,  -0.42926455,  -0.2059525,   -0.1277338,    -0.09542736,
                           -0.35286078, -0.07646318, -0.045903143, -0.037528504, -0.0137644885, -0.18478283};
const Numbers kNeurstQKV = {0.33632386,  -0.5640344,  -0.35587463, -0.5443644,  -0.32000348, -0.16645259,
                            0.38587856,  0.32863826,  -0.5743795,  0.56257737,  0.17102379,  -0.3622746,
                            -0.1831755,  -0.60358423, -0.55541337, 0.47493768,  -0.37104,    -0.14766628,
                            -0.64589596, 0.13060516,  0.4516778,   -0.39557537, 0.08319885,  0.5473006};
const Numbers kNeurstOut = {-0.43040165, 0.841504,   0.8552141, -0.0111503,  -0.14350098, -0.0815115,
                            -0.54251707, 0.90105367, 0.7500602, -0.69162977, -0.10975248, 0.80686176};

}  // namespace

// github.com/microsoft/onnxruntime, commit 0064128cd557a9e94397011e4bdeceac2870f8c8,
// onnxruntime/test/contrib_ops/attention_op_test.cc, MIT: AttentionTest.AttentionBatch1,
// .AttentionMaskPartialSequence and .AttentionLeftPaddingMaskIndex2.
BOOST_AUTO_TEST_CASE_TEMPLATE(onnxruntime_attention_and_its_padding, T, Reals) {
    const on_arrays::MultiHeadWeightsArrays layer =
        joint_layer<T>(first(kOrtWeight, 48), first(kOrtBias, 12));
    const Array X = numbers<T>("X", {1, 2, 4}, {0.8, -0.5, 0, 1, 0.5, 0.2, 0.3, -0.6});
    BOOST_TEST(is_near(multi_head_of<T>(X, X, layer, kHeads),
                       {3.1495984, 0.10843669, 4.25, 5.6499996, 3.969679, 0.073143676, 4.2499995, 5.649999},
                       2e-5, 1e-4));
    BOOST_TEST(is_near(multi_head_of<T>(X, X, layer, kHeads, mask_of({1, 2, 2}, {1, 0, 1, 0})),
                       {8.69, -0.13000003, 4.25, 5.6499996, 8.69, -0.13000003, 4.2499995, 5.649999}, 2e-5,
                       1e-4));
    const Array swapped = rows<T>(X, {1, 0});
    BOOST_TEST(is_near(multi_head_of<T>(swapped, swapped, layer, kHeads, mask_of({1, 2, 2}, {0, 1, 0, 1})),
                       {8.69, -0.13, 4.25, 5.65, 8.69, -0.13, 4.25, 5.65}, 2e-5, 1e-4));
}

// The same file, AttentionTest.AttentionEmptyPastState: causal, without saturated softmax.
BOOST_AUTO_TEST_CASE_TEMPLATE(onnxruntime_causal_attention, T, Reals) {
    const on_arrays::MultiHeadWeightsArrays layer = joint_layer<T>(
        {-0.26592362,  0.02789675,    0.072805166, 0.05095168,  0.020417947,  -0.047518414, 0.04381553,
         0.0060153534, -0.114969574,  -0.17733477, 0.30928606,  0.0056484127, 0.08960388,   -0.27270448,
         0.14847396,   -0.17960812,   0.01788955,  0.099938765, 0.039435137,  -0.024844,    -0.12958767,
         0.22043331,   0.17204843,    0.22024006,  0.05936845,  0.17100939,   -0.39674523,  -0.15914507,
         0.14461797,   -0.20505407,   0.12749597,  0.321397,    0.13995846,   -0.10619818,  0.045285575,
         0.045598604,  -0.0071525453, 0.109454446, -0.15825303, -0.2646342,   0.092085086,  0.07014948,
         -0.19062495,  -0.24360456,   -0.09368397, 0.07878212,  0.2973635,    0.11210034},
        {-0.054097984, -0.0644474, 0.031128775, -0.082882226, 0.07840359, 0.03914358, -0.45591456,
         -0.118760556, 0.3670335, 0.028461361, -0.08913631, 0.28048715});
    const Array X = numbers<T>("X", {1, 2, 4},
                               {0.091099896, -0.01829446, -0.3659484, 0.28410032, -0.12125026, -0.006616009,
                                0.38809127, -0.22455512});
    BOOST_TEST(is_near(
        multi_head_of<T>(X, X, layer, kHeads, mask_of({1, 2, 2}, {1, 0, 1, 1})),
        {0.2810973, 0.06951855, 0.0038009658, 0.29213354, 0.3692801, 0.029495837, -0.084964074, 0.28169215},
        2e-5, 1e-4));
}

// The same file, AttentionTest.AttentionBatch1WithQKVAttr2 and .AttentionBatch1WithQKVAttr1: queries and keys
// of width 3 in each head, values of width 1 and 2.
BOOST_AUTO_TEST_CASE_TEMPLATE(onnxruntime_values_of_another_width, T, Reals) {
    const Array X = widened<T>({-0.031707365, 0.053643607, 0.057394292, -0.019800574, 0.07546645,
                                -0.0034214978, 0.012995008, -0.01958751},
                               {1, 2, 6}, 4);
    const on_arrays::MultiHeadWeightsArrays one =
        narrow_values<T>(first(kOrtWeight, 56), first(kOrtBias, 14), 1);
    BOOST_TEST(is_near(narrowed<T>(multi_head_of<T>(X, X, one, kHeads), 2),
                       {0.64932525, 0.7939072, 0.6493285, 0.79375863}, 2e-5, 1e-4));
    const Array Z = widened<T>({0.8, -0.5, 0, 1, 0.5, 0.2, 0.3, -0.6}, {1, 2, 6}, 4);
    const on_arrays::MultiHeadWeightsArrays two = narrow_values<T>(kOrtWeight, kOrtBias, 2);
    BOOST_TEST(
        is_near(narrowed<T>(multi_head_of<T>(Z, Z, two, kHeads), 4),
                {3.1967618, 0.51903456, 0.6305154, 2.9394615, 0.6533218, 1.0009495, 0.74175024, 2.8231702},
                2e-5, 1e-4));
}

// The same file, AttentionTest.AttentionPastStateBatch1: one new token after three in the cache. Keys
// and values of all four are the source's "present".
BOOST_AUTO_TEST_CASE_TEMPLATE(onnxruntime_one_token_after_three, T, Reals) {
    const Array present = numbers<T>(
        "X_kv", {1, 4, 8},
        {0.55445826,   0.10127074,   0.6604407,    0.27559045,  0.45075402,  0.8536599,   0.8177433,
         0.4212271,    0.71770734,   0.15915526,   0.3573163,   0.6203353,   0.097346395, 0.2885973,
         0.34352475,   0.059609573,  0.13913247,   0.7744752,   0.24354559,  0.22859341,  0.2692618,
         0.65922296,   0.46556228,   0.7226882,    -0.30182117, -0.12330482, -0.36450946, -0.19483691,
         -0.027254611, -0.096526355, -0.025281552, -0.25482416});
    BOOST_TEST(is_near(
        narrowed<T>(
            multi_head_of<T>(widened<T>({-0.019333266, -0.21813886, 0.16212955, -0.015626367}, {1, 1, 8}, 4),
                             present, cached_layer<T>(kPastWeight, kPastBias, identity(4)), kHeads),
            4),
        {0.20141591, 0.43005896, 0.35745093, 0.19957167}, 2e-5, 1e-4));
}

// The same file, AttentionTest.AttentionPastStateBatch2 and .AttentionPastStateBatch2WithPadding, where only
// key 2 of batch 1 is real.
BOOST_AUTO_TEST_CASE_TEMPLATE(onnxruntime_batches_with_masks_of_their_own, T, Reals) {
    const Array present = numbers<T>(
        "X_kv", {2, 4, 8},
        {0.42028648,   0.5585595,   0.36911047,  0.83399564,  0.3113814,    0.639998,    0.8127893,
         0.63969064,   0.044569403, 0.7652579,   0.3690532,   0.91414654,   0.28603253,  0.9889983,
         0.14494057,   0.11349615,  0.13962431,  0.40977913,  0.17300875,   0.7879379,   0.04440521,
         0.95105386,   0.87086016,  0.20983537,  -0.22849128, -0.022080801, -0.4449589,  -0.17704415,
         -0.033968594, -0.03483373, 0.04575924,  -0.26863033, 0.10279467,   0.8050126,   0.8862618,
         0.06977647,   0.351074,    0.90144604,  0.70763874,  0.48440042,   0.08955052,  0.8537111,
         0.10591964,   0.8483688,   0.68950737,  0.18928574,  0.58114725,   0.1048766,   0.61801594,
         0.9122294,    0.8352019,   0.009868085, 0.18029204,  0.0745174,    0.736941,    0.17766342,
         -0.2994619,   -0.14412443, -0.3342195,  -0.18547727, -0.03320186,  -0.10592631, -0.05436956,
         -0.24562015});
    const Array X = widened<T>(
        {-0.10902753, 0.0041178204, 0.1871525, -0.20399982, 0.027207348, -0.25321805, 0.12869114, 0.02313681},
        {2, 1, 8}, 4);
    const on_arrays::MultiHeadWeightsArrays layer = cached_layer<T>(kPastWeight, kPastBias, identity(4));
    BOOST_TEST(is_near(
        narrowed<T>(multi_head_of<T>(X, present, layer, kHeads), 4),
        {0.14902574, 0.6227337, 0.43022552, 0.12759127, 0.26993567, 0.23553593, 0.4319065, 0.086044826}, 2e-5,
        1e-4));
    const Array mask = mask_of({2, 1, 4}, {1, 1, 1, 1, 0, 0, 1, 0});
    BOOST_TEST(
        is_near(narrowed<T>(multi_head_of<T>(X, present, layer, kHeads, mask), 4),
                {0.14902574, 0.6227337, 0.43022552, 0.12759127, 0.18029204, 0.0745174, 0.736941, 0.17766342},
                2e-5, 1e-4));
}

// github.com/bytedance/neurst, commit 382a1559e5a98fa8ccfbb0a16b27b43f2b2155ce,
// tests/neurst/layers/attentions/multi_head_attention_test.py, test_multihead_attention. Apache-2.0.
BOOST_AUTO_TEST_CASE_TEMPLATE(neurst_cross_attention, T, Reals) {
    const Numbers q_kernel = {-0.8584202, 0.7467462, -0.9890406, 0.87380886};
    const Numbers kv_kernel = {-0.741413,  0.05889565, -0.5399234,  -0.5455819,
                               0.05704415, 0.75564325, -0.01531863, 0.7374855};
    on_arrays::MultiHeadWeightsArrays layer = empty_layer<T>(4);
    copy_columns<T>(layer.W_Q, {q_kernel, 4, 0, 2});
    copy_columns<T>(layer.W_K, {kv_kernel, 8, 0, 2});
    copy_columns<T>(layer.W_V, {kv_kernel, 8, 4, 2});
    copy_rows<T>(layer.W_O,
                 {-0.18127477, -0.19210565, 0.6076416, 0.43351638, 0.33151555, -0.49277717, -0.7911906,
                  -0.48433813, 0.19314659, 0.20843744, 0.76494586, -0.24448353},
                 2);
    const Array X_q = widened<T>({-1.3010577, 0.79014736}, {1, 2, 4}, 1),
                X_kv = widened<T>({-1.1650294, -0.88871276}, {1, 2, 4}, 1);
    BOOST_TEST(is_near(narrowed<T>(multi_head_of<T>(X_q, X_kv, layer, kHeads), 3),
                       {-0.5000115, -0.8363301, 0.5391713, -0.49366233, -0.83081436, 0.5324018}, 2e-6, 1e-5));
}

// The same file, test_multiheadself_attention. Its bias is added to the scores of a key in every head. Here
// the bias is a third feature of each head's key, and the same feature of each head's query is 1.
BOOST_AUTO_TEST_CASE_TEMPLATE(neurst_self_attention_with_a_bias_for_each_key, T, Reals) {
    on_arrays::MultiHeadWeightsArrays layer = empty_layer<T>(6);
    copy_columns<T>(layer.W_Q, {kNeurstQKV, 12, 0, 2}, 0, std::sqrt(3.0 / 2));
    copy_columns<T>(layer.W_K, {kNeurstQKV, 12, 4, 2});
    copy_columns<T>(layer.W_V, {kNeurstQKV, 12, 8, 2});
    for (const int h : {0, 1}) {
        layer.b_Q.view<T, 1>()(3 * h + 2) = std::sqrt(T{3});
        layer.W_K.view<T, 2>()(2, 3 * h + 2) = 1;
    }
    copy_rows<T>(layer.W_O, kNeurstOut, 2);
    const Array X =
        widened<T>({-1.3010577, -2.3010578, -0.2276893, 0.79014736, -0.79014736, 0.11865579}, {1, 2, 6}, 3);
    BOOST_TEST(is_near(narrowed<T>(multi_head_of<T>(X, X, layer, kHeads), 3),
                       {0.8281387, -0.55132246, -1.1976832, 0.8589912, -0.61944896, -1.2623004}, 2e-6, 1e-5));
}

// The same file, test_multiheadself_attention_under_dec: two keys and values in the cache, then the new
// token, twice. Keys and values of all four are the source's.
BOOST_AUTO_TEST_CASE_TEMPLATE(neurst_decoding_with_a_cache, T, Reals) {
    const Array cache =
        numbers<T>("X_kv", {1, 4, 8},
                   {-0.46546218, -1.0054358,  0.42906007,  -1.6854379,  -1.2360295, 0.69050753,  -1.8204833,
                    0.23788007,  1.078194,    1.1625745,   -0.25033495, -1.980812,  2.3751693,   -1.8772833,
                    -0.2574517,  1.3010416,   1.2701274,   0.5563531,   0.9841937,  -0.72810733, -0.29203582,
                    0.17829615,  -0.41395718, -0.78803015, 1.2701274,   0.5563531,  0.9841937,   -0.72810733,
                    -0.29203582, 0.17829615,  -0.41395718, -0.78803015});
    const on_arrays::MultiHeadWeightsArrays layer = cached_layer<T>(kNeurstQKV, Numbers(12), kNeurstOut);
    const Array X = widened<T>({-1.3010577, -2.3010578}, {1, 1, 8}, 2);
    BOOST_TEST(is_near(narrowed<T>(multi_head_of<T>(X, cache, layer, kHeads), 3),
                       {0.14431843, 0.4875261, 0.23705271}, 2e-6, 1e-5));
}

BOOST_AUTO_TEST_SUITE_END()
