// Agreement with numbers from the tests of other projects. Only the numbers are copied.
//
// Not used: joeynmt's test_bahdanau_precompute prints only the projected keys h W_k, which no function of
// ours returns (test_bahdanau_forward contains them). onnxruntime's other attention LSTMs repeat the numbers
// of the one below with a shorter input, backwards, or without attention.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/rnn_attention_reference.h"
#include "reference/testing/near.h"
#include "reference/testing/rnn_attention_inputs.h"

using attn::Array;
using attn::Shape;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(rnn_attention_published)

namespace {

/// Identity weights, for sources without W_q and W_k.
template <class T>
Array identity(int D) {
    Array I = Array::zeros<T>("I", {D, D});
    for (int d = 0; d < D; ++d) I.view<T, 2>()(d, d) = 1;
    return I;
}

/// Batches order[0], order[1], .. of an array.
template <class T>
Array batches_of(const Array& array, const std::vector<int>& order) {
    Shape shape = array.shape;
    shape[0] = static_cast<int>(order.size());
    Array result = unwritten<T>(array.name, shape);
    const auto size = static_cast<std::ptrdiff_t>(array.count()) / array.shape[0];
    auto to = result.as<T>().begin();
    for (const int b : order) to = std::copy_n(array.as<T>().begin() + b * size, size, to);
    return result;
}

/// v . tanh(query + key), as in Keras, and the softmax over it. If the source has several queries to one
/// sequence, `batches` repeats this sequence for each of them: our decoder has one query per step.
template <class T>
struct Keras {
    Array query, key, value, scale;
    std::vector<int> batches = {0};

    Array scores() const {
        const Array I = identity<T>(scale.shape[0]);
        return on_arrays::additive_scores<T>(query, batches_of<T>(key, batches), I, I, scale);
    }
    auto context(const std::vector<std::uint8_t>& words) const {
        const Array e = scores();
        return on_arrays::attention_context<T>(e, batches_of<T>(value, batches), mask(e.shape, words));
    }
};

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

}  // namespace

// github.com/allenai/allennlp, commit 80fb6061e568cb9d6ab5d45b661e86eb61b92c82,
// tests/modules/attention/additive_attention_test.py, test_forward_does_an_additive_product. Apache-2.0.
BOOST_AUTO_TEST_CASE_TEMPLATE(allennlp_additive_scores, T, Reals) {
    const Array e = on_arrays::additive_scores<T>(
        numbers<T>("query", {2, 2}, {0.7, -0.8, 0.4, 0.9}),
        numbers<T>("keys", {2, 4, 3}, {1,  -1, 3,  0.5, -0.3, 0, 0.2, -1,   1,  0.7, 0.8, -1,
                                       -2, 3,  -3, 0.6, 0.2,  2, 0.5, -0.4, -1, 0.2, 0.2, 0}),
        numbers<T>("W", {2, 2}, {-0.2, 0.3, -0.5, 0.5}), numbers<T>("U", {3, 2}, {0, 1, 1, 1, 1, -1}),
        numbers<T>("v", {2}, {1, -1}));
    BOOST_TEST(is_near(
        e, {1.975072, -0.04997836, 1.2176098, -0.9205586, -1.4851665, 1.489604, -1.890285, -1.0672251}, 1e-6,
        1e-5));
}

// github.com/keras-team/keras, commit f9336cc5114b4a9429a242deb264b707379646b7,
// keras/layers/attention/additive_attention_test.py: test_calculate_scores_one_dim, .._multi_dim and
// .._one_dim_batch_size_two. Apache-2.0.
BOOST_AUTO_TEST_CASE_TEMPLATE(keras_scores, T, Reals) {
    const Array half = numbers<T>("scale", {1}, {0.5});
    const Keras<T> one{numbers<T>("q", {1, 1}, {1.1}), numbers<T>("k", {1, 1, 1}, {1.6}), {}, half};
    BOOST_TEST(is_near(one.scores(), {0.495503724}, 1e-6, 1e-5));
    const Keras<T> two{
        numbers<T>("q", {2, 1}, {1.1, 2.1}), numbers<T>("k", {2, 1, 1}, {1.6, 2.6}), {}, half, {0, 1}};
    BOOST_TEST(is_near(two.scores(), {0.495503724, 0.499917269}, 1e-6, 1e-5));
    const Keras<T> many{
        numbers<T>("q", {2, 4}, {1.0, 1.1, 1.2, 1.3, 2.0, 2.1, 2.2, 2.3}),
        numbers<T>("k", {1, 3, 4}, {1.5, 1.6, 1.7, 1.8, 2.5, 2.6, 2.7, 2.8, 3.5, 3.6, 3.7, 3.8}),
        {},
        numbers<T>("scale", {4}, {0.5, 0.6, 0.7, 0.8}),
        {0, 0}};
    BOOST_TEST(is_near(many.scores(),
                       {2.58044529, 2.59734321, 2.59964013, 2.59734321, 2.59964013, 2.59995127}, 1e-6, 1e-5));
}

// The same file: test_multi_dim, test_multi_dim_with_key, and of test_multi_dim_with_query_mask the query
// that is not masked (our decoder has a query at every step). The third key is a pad.
BOOST_AUTO_TEST_CASE_TEMPLATE(keras_masked_attention, T, Reals) {
    const Array q = numbers<T>("q", {1, 1}, {1.1}), k = numbers<T>("k", {1, 3, 1}, {1.6, 0.7, -0.8}),
                half = numbers<T>("scale", {1}, {0.5});
    BOOST_TEST(is_near(Keras<T>{q, k, k, half}.context({1, 1, 0}).c, {1.15497243}, 1e-6, 1e-5));
    const Array v = numbers<T>("v", {1, 3, 1}, {0.5, 0.8, -0.3});
    BOOST_TEST(is_near(Keras<T>{q, k, v, half}.context({1, 1, 0}).c, {0.64834249}, 1e-6, 1e-5));
}

// github.com/keras-team/keras, commit 3422977a5e38fb2f7709aaa9a08e47f0c43d0f60,
// keras/src/layers/attention/additive_attention_test.py, test_attention_correctness. Apache-2.0.
BOOST_AUTO_TEST_CASE_TEMPLATE(keras_attention, T, Reals) {
    const auto found = Keras<T>{
        numbers<T>("q", {2, 2}, {1, 0, 0, 1}),
        numbers<T>("k", {1, 2, 2}, {0, 1, 1, 0}),
        numbers<T>("v", {1, 2, 2}, {1, 2, 3, 4}),
        numbers<T>("scale", {2}, {1, 1}),
        {0, 0}}.context({1, 1, 1, 1});
    BOOST_TEST(is_near(found.a, {0.636, 0.363, 0.363, 0.636}, 1e-3));
    BOOST_TEST(is_near(found.c, {1.727, 2.727, 2.272, 3.272}, 1e-3));
}

// github.com/joeynmt/joeynmt, commit cdc4d03d430a1b0f29793a0d95743c5e72ae2f6c, test/unit/test_attention.py,
// TestBahdanauAttention.test_bahdanau_forward, the first three of its six batches. Apache-2.0. Its inputs and
// weights are drawn by torch after manual_seed(42); its answers are printed. W_q and W_k are its transposed.
BOOST_AUTO_TEST_CASE_TEMPLATE(joeynmt_attention, T, Reals) {
    const Array queries = numbers<T>(
        "queries", {12, 5},
        {0.32780886, 0.65320814, 0.39582926,  0.91469592,   0.20364904,  0.201801,    0.201783,    0.9497214,
         0.66662556, 0.98112535, 0.087361872, 0.0040619373, 0.10881811,  0.16365546,  0.70252007,  0.67903793,
         0.9154622,  0.24178731, 0.1591441,   0.76528907,   0.29789776,  0.80346191,  0.38134968,  0.78602296,
         0.111516,   0.24767512, 0.65243822,  0.60570377,   0.37252063,  0.79803473,  0.83990461,  0.13741332,
         0.2330659,  0.95783097, 0.33128375,  0.32274181,   0.016202688, 0.21366489,  0.62490183,  0.43400341,
         0.13705701, 0.51172835, 0.15845925,  0.075801671,  0.22466868,  0.062393963, 0.18163097,  0.99980444,
         0.59443748, 0.65407985, 0.033657849, 0.1716131,    0.33357209,  0.57818556,  0.060039341, 0.28456348,
         0.20066571, 0.50138563, 0.31394839,  0.46535212});
    const Array keys = numbers<T>(
        "keys", {3, 5, 3},
        {0.32193768,  0.76097107,   0.76275659, 0.68696362, 0.4121393,  0.36759937,  0.55349046, 0.41167295,
         0.35099947,  0.81960344,   0.92969978, 0.45050132, 0.38805157, 0.50729614,  0.47014588, 0.62020564,
         0.64011681,  0.045871615,  0.31548113, 0.92106473, 0.69477749, 0.47513121,  0.19854712, 0.19409746,
         0.052116573, 0.33701879,   0.66885209, 0.81881082, 0.73084867, 0.058027983, 0.19931877, 0.42109168,
         0.98367476,  0.57232875,   0.37051463, 0.70685762, 0.30955923, 0.17637217,  0.86494362, 0.27264911,
         0.39976662,  0.0025978684, 0.83463532, 0.87881732, 0.68222409});
    const Array W_q = numbers<T>(
        "W_q", {5, 7},
        {-0.052446008, -0.12628183, -0.37989372, 0.069698572, -0.12127513, 0.25816059,  -0.17278567,
         -0.18163952,  -0.26889724, 0.34526116,  0.36133218,  0.18821323,  0.080018222, -0.34302303,
         0.29666853,   0.042209417, 0.074424922, 0.04888925,  0.39928222,  0.22711074,  0.36695611,
         -0.35301706,  -0.44170353, -0.14521226, -0.14103916, 0.25851607,  -0.27257895, 0.12881154,
         -0.20617008,  0.40388262,  0.27635562,  0.12015897,  -0.19550949, -0.44270051, 0.18524194});
    const Array W_k = numbers<T>(
        "W_k", {3, 7},
        {0.44140649,  0.53036046, -0.28108588, -0.42356041, 0.42655146,  -0.081516653, -0.26953015,
         0.47920525,  -0.1264995, 0.33906782,  0.5018307,   0.078190863, 0.4450711,    0.1471656,
         -0.13525727, 0.11650389, 0.50895905,  0.10805649,  0.27839142,  0.08533752,   -0.26600641});
    const Array v = numbers<T>(
        "v", {7}, {0.11953548, -0.006575048, 0.29579809, -0.26854891, 0.023798048, -0.25797594, 0.11654609});
    const std::vector<double> weights = {
        0.4904, 0.5096, 0,      0,      0,      0.4859, 0.5141, 0,      0,      0,      0.4871, 0.5129,
        0,      0,      0,      0.4906, 0.5094, 0,      0,      0,      0.3314, 0.3278, 0.3408, 0,
        0,      0.3337, 0.323,  0.3433, 0,      0,      0.3301, 0.3297, 0.3402, 0,      0,      0.3312,
        0.3275, 0.3413, 0,      0,      0.1977, 0.2047, 0.204,  0.1936, 0.1999, 0.1973, 0.2052, 0.2045,
        0.1941, 0.1988, 0.1987, 0.2046, 0.2046, 0.1924, 0.1996, 0.1984, 0.2047, 0.2044, 0.193,  0.1995};
    const std::vector<double> contexts = {
        0.508,  0.5832, 0.5614, 0.5096, 0.5816, 0.5596, 0.5092, 0.582,  0.5601, 0.5079, 0.5833, 0.5615,
        0.4709, 0.5817, 0.3091, 0.472,  0.5793, 0.3063, 0.4704, 0.5825, 0.3102, 0.4709, 0.5814, 0.309,
        0.4394, 0.4482, 0.6526, 0.439,  0.4475, 0.6522, 0.4391, 0.4479, 0.6538, 0.4391, 0.4479, 0.6533};
    const Array h = batches_of<T>(keys, {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2});
    std::vector<std::uint8_t> words;
    for (int batch = 0; batch < 12; ++batch)
        for (int j = 0; j < 5; ++j) words.push_back(j < (batch < 4 ? 2 : batch < 8 ? 3 : 5));
    const auto found = on_arrays::attention_context<T>(on_arrays::additive_scores<T>(queries, h, W_q, W_k, v),
                                                       h, mask({12, 5}, words));
    BOOST_TEST(is_near(found.a, weights, 1e-4, 1e-4));
    BOOST_TEST(is_near(found.c, contexts, 1e-4, 1e-4));
    // The third batch has no pads, so its keys can also be a column of cells.
    const auto cells =
        on_arrays::grid_attention<T>(batches_of<T>(queries, {8, 9, 10, 11}),
                                     shaped(batches_of<T>(h, {8, 9, 10, 11}), {4, 5, 1, 3}), W_q, W_k, v);
    BOOST_TEST(is_near(cells.a, std::vector<double>(weights.begin() + 40, weights.end()), 1e-4, 1e-4));
    BOOST_TEST(is_near(cells.c, std::vector<double>(contexts.begin() + 24, contexts.end()), 1e-4, 1e-4));
}

// github.com/microsoft/onnxruntime, commit 194144dfd419cbee29d18e57bed734fc883ae833,
// onnxruntime/test/contrib_ops/attention_lstm_op_test.cc,
// AttnLSTMTest.BidirectionLstmWithBahdanauAM2BatchShortenSeqLen, forward half. MIT.
// Its decoder differs from our decode: it is an LSTM, the state after the step is the query, and the context
// is projected and becomes an input of the next step. The cell is written here; the scores and the context
// come from additive_scores and attention_context.
BOOST_AUTO_TEST_CASE_TEMPLATE(onnxruntime_attention_lstm, T, Reals) {
    const std::vector<double> x = {0.25, -1.5, 1,      0.25, -0.5, -1.5, 0.1, 1.5,
                                   0.25, 0.1,  -0.125, 0.25, -0.5, 0.25, 0.1};
    const Array memory = numbers<T>(
        "memory", {2, 3, 3},
        {0.1, -0.25, 1, 1, -1, -1.5, 1, 0.25, -0.125, 0.1, -0.25, 0.5, -0.25, -1.25, 0.25, -1, 1.5, -1.25});
    const Array words = mask({2, 3}, {1, 1, 1, 1, 1, 0});
    const std::vector<double> kernel = {
        -1,   -1.5,   -0.5,   -1.5, 0.1,    -0.5,  0.5,  -1.5, -0.25, 1,    -0.125, -0.25, -1,     -0.5,
        0.25, -0.125, -0.25,  -1,   1.5,    1,     -1.5, 0.25, 0.5,   0.5,  1.5,    -0.5,  -1,     -0.5,
        0.1,  1,      0.1,    -0.5, -0.125, -1.5,  0.1,  1.5,  1,     -0.5, -0.5,   -1.5,  -0.125, -0.125,
        0.25, -0.25,  -0.25,  0.1,  -0.5,   -0.25, 0.25, -0.5, 0.1,   -0.5, -0.25,  0.25,  0.1,    0.5,
        -1.5, -0.125, 1.5,    0.5,  -1.5,   1,     0.1,  -0.5, -1.5,  0.5,  -1,     0.25,  -0.25,  1,
        0.25, 0.5,    -0.125, 0.1,  -1,     -1,    0.1,  1.5,  -1.5,  0.1,  1.5,    0.5,   0.25,   1,
        1,    -1.5,   -0.25,  0.5,  -0.25,  1,     -1,   0.25, -0.5,  0.5,  -1.5,   0.5};
    const std::vector<double> bias = {0.25, -0.25, 0.1, 1, 1.5, -1.5, 1.5, -1, -0.25, 1, -0.25, 1};
    const Array W_q = numbers<T>("query_kernel", {3, 2}, {-0.125, -0.25, 0.1, -0.125, -0.5, 1.5});
    const Array W_k = numbers<T>("memory_kernel", {3, 2}, {4, 2, 0.5, -8, -2, -2});
    const Array v = numbers<T>("v", {2}, {-0.25, 0.1});
    const std::vector<double> attention_kernel = {1.5,   1,      0.1,  -0.25, 0.1,   1,
                                                  -0.25, -0.125, -1.5, -1.5,  -0.25, 1.5};
    const std::vector<double> expected[] = {
        {0.0978363082, 0.105625421, 0.116753615, 0.236107856, 0.195716992, -0.133973882, -0.029754376,
         0.274325848, -0.387993187},
        {0.261070877, 0.144692719, -0.274273455, -0.272313654, 0.324584424, -0.298215479}};
    const std::size_t lengths[] = {3, 2};
    std::size_t next_word = 0;
    for (const int b : {0, 1}) {
        std::vector<double> fed(2), h(3), cell(3), states;
        for (std::size_t t = 0; t < lengths[b]; ++t) {
            std::vector<double> in(x.begin() + static_cast<std::ptrdiff_t>(next_word),
                                   x.begin() + static_cast<std::ptrdiff_t>(next_word + 3)),
                gates = bias;
            next_word += 3;
            in.insert(in.end(), fed.begin(), fed.end());
            in.insert(in.end(), h.begin(), h.end());
            for (std::size_t g = 0; g < 12; ++g)
                for (std::size_t i = 0; i < 8; ++i) gates[g] += in[i] * kernel[12 * i + g];
            for (std::size_t d = 0; d < 3; ++d) {  // gates in, cell, forget, out
                cell[d] = sigmoid(gates[6 + d]) * cell[d] + sigmoid(gates[d]) * std::tanh(gates[3 + d]);
                h[d] = sigmoid(gates[9 + d]) * std::tanh(cell[d]);
            }
            states.insert(states.end(), h.begin(), h.end());
            const Array M = batches_of<T>(memory, {b}),
                        e = on_arrays::additive_scores<T>(numbers<T>("h", {1, 3}, h), M, W_q, W_k, v);
            const Array c = on_arrays::attention_context<T>(e, M, batches_of<std::uint8_t>(words, {b}))
                                .c.template cast<double>();
            for (std::size_t d = 0; d < 2; ++d) {
                fed[d] = 0;
                for (std::size_t i = 0; i < 3; ++i)
                    fed[d] += h[i] * attention_kernel[2 * i + d] +
                              c.as<double>()[i] * attention_kernel[6 + 2 * i + d];
            }
        }
        BOOST_TEST(is_near(Array("Y", {static_cast<int>(states.size())}, states), expected[b], 1e-6, 1e-5));
    }
}

BOOST_AUTO_TEST_SUITE_END()
