// Answers computed by hand, properties that the grader cannot ask of one call, and numbers from the tests of another
// project. Of those only the numbers are copied.

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/encoder_decoder_on_arrays.h"
#include "contracts/multi_head_on_arrays.h"
#include "contracts/transformer_block_on_arrays.h"
#include "reference/testing/arrays.h"
#include "reference/testing/near.h"

using attn::Activation;
using attn::Array;
using attn::Norm;
using attn::Shape;
using namespace attn::testing;
using on_arrays::DecoderBlockWeightsArrays;
using on_arrays::DecoderStackWeightsArrays;
using on_arrays::EncoderWeightsArrays;
using on_arrays::MultiHeadWeightsArrays;
using Translation = on_arrays::Outputs_of_translate_greedy;

BOOST_AUTO_TEST_SUITE(encoder_decoder)

namespace {

constexpr int kD = 6, kF = 5, kL = 2, kV = 9, kHeads = 2;
constexpr double kEps = 1e-5;

/// Parameters of one block (L = 0) or of a stack: their shapes follow from their names.
template <class T, class Structure>
Structure parameters(int L, int D = kD, int F = kF) {
    Structure made;
    made.for_each([=](const std::string& name, Array& array) {
        const bool last = name == "gamma" || name == "beta" || name == "gamma_d" || name == "beta_d";
        const std::string stem = name.substr(0, 3);
        Shape shape = stem == "W_1"    ? Shape{D, F}
                      : stem == "W_2"  ? Shape{F, D}
                      : stem == "b_1"  ? Shape{F}
                      : stem[0] == 'W' ? Shape{D, D}
                                       : Shape{D};
        if (L > 0 && !last) shape.insert(shape.begin(), L);
        array = normal<T>(name, shape);
        for (T& x : array.as<T>()) x = x / 2 + static_cast<T>(name[0] == 'g' ? 1 : 0);
    });
    return made;
}

Array words(const std::string& name, const Shape& shape, const std::vector<int>& numbers) {
    return {name, shape, numbers};
}

/// A model with a vocabulary of kV words, and two source sentences of 4 and 2 words.
template <class T>
struct Model {
    Array source = words("source", {2, 4}, {2, 3, 4, 5, 6, 7, 0, 0}), lengths = words("lengths", {2}, {4, 2});
    Array embedding = normal<T>("embedding", {kV, kD});
    EncoderWeightsArrays encoder = parameters<T, EncoderWeightsArrays>(kL);
    DecoderStackWeightsArrays decoder = parameters<T, DecoderStackWeightsArrays>(kL);
    Norm norm = Norm::pre;

    Array logits(const Array& target) const {
        return on_arrays::transformer<T>(source, target, embedding, encoder, decoder, lengths, kHeads, norm,
                                         Activation::relu, kEps);
    }
    Translation translate(int steps, int end) const {
        return on_arrays::translate_greedy<T>(source, embedding, encoder, decoder, lengths, steps, kHeads,
                                              norm, Activation::relu, kEps, end);
    }
};

/// The word with the largest of row t's logits.
int largest(const Array& logits, int b, int t) {
    const Array in_double = logits.cast<double>();
    int best = 0;
    for (int v = 1; v < logits.shape[2]; ++v)
        if (in_double.view<double, 3>()(b, t, v) > in_double.view<double, 3>()(b, t, best)) best = v;
    return best;
}

MultiHeadWeightsArrays identity_weights() {
    MultiHeadWeightsArrays weights;
    weights.for_each([](const std::string& name, Array& array) {
        array =
            name[0] == 'W' ? numbers<double>(name, {2, 2}, {1, 0, 0, 1}) : numbers<double>(name, {2}, {0, 0});
    });
    return weights;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_worked_example_of_the_handout) {
    MultiHeadWeightsArrays weights = identity_weights();
    weights.W_O = numbers<double>("W_O", {2, 2}, {0, 1, 1, 0});
    weights.b_O = numbers<double>("b_O", {2}, {0, 1});
    const auto got = on_arrays::cross_attention<double>(numbers<double>("X", {1, 2, 2}, {1, 0, 0, 2}),
                                                        numbers<double>("S", {1, 3, 2}, {1, 0, 0, 1, 5, 5}),
                                                        weights, words("lengths", {1}, {2}), 2);
    BOOST_TEST(is_near(got.A, {0.7311, 0.2689, 0, 0.5, 0.5, 0, 0.5, 0.5, 0, 0.1192, 0.8808, 0}, 5e-5));
    BOOST_TEST(is_near(got.Y, {0.5, 1.7311, 0.8808, 1.5}, 5e-5));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(without_padding_it_is_multi_head_attention, T, Reals) {
    const Array X = normal<T>("X", {2, 3, kD}), S = normal<T>("S", {2, 5, kD});
    const auto weights = parameters<T, MultiHeadWeightsArrays>(0);
    BOOST_TEST(is_near(on_arrays::cross_attention<T>(X, S, weights, {}, kHeads).Y,
                       on_arrays::multi_head_attention<T>(X, S, weights, {}, kHeads), kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_word_enters_scaled_and_with_its_position, T, Reals) {
    // Blocks whose parts give 0 leave what enters.
    const auto silent = [](auto weights) {
        weights.for_each([](const std::string& name, Array& array) {
            array.as<T>().assign(array.count(), static_cast<T>(name[0] == 'g' ? 1 : 0));
        });
        return weights;
    };
    const Array embedding = numbers<T>("embedding", {3, 4}, {1, 0, 0, 0, 0, 1, 0, 0, 0.5, 1, 0, -1});
    const Array logits = on_arrays::transformer<T>(
        words("source", {1, 1}, {1}), words("target", {1, 2}, {2, 0}), embedding,
        silent(parameters<T, EncoderWeightsArrays>(1, 4)),
        silent(parameters<T, DecoderStackWeightsArrays>(1, 4)), {}, 1, Norm::pre, Activation::relu, kEps);
    // START at place 0 is (2 + 0, 1, 0, 1), and word 2 at place 1 is (1.8415, 2.5403, 0.0100, -1.0000). Both are
    // normalised, and multiplied by the embedding.
    BOOST_TEST(is_near(logits, {1.4142, 0.0000, 0.7071, 0.7039, 1.1991, 2.8603}, 5e-5));
}

// Step by step, from the whole pass over the words so far.
BOOST_AUTO_TEST_CASE_TEMPLATE(cached_steps_are_whole_passes, T, Reals) {
    Model<T> model;
    for (const Norm norm : {Norm::pre, Norm::post}) {
        model.norm = norm;
        constexpr int kSteps = 5;
        const Translation cached = model.translate(kSteps, -1);
        Array target = words("target", {2, kSteps}, std::vector<int>(2 * kSteps, 0));
        for (int t = 0; t < kSteps; ++t) {
            const Array whole = model.logits(target);
            BOOST_TEST(is_near(rows<T>(cached.logits, {t}), rows<T>(whole, {t}), 4 * kRounding<T>));
            for (int b = 0; b < 2; ++b) {
                target.view<int, 2>()(b, t) = largest(whole, b, t);
                BOOST_TEST((cached.words.view<int, 2>()(b, t) == target.view<int, 2>()(b, t)));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(after_the_end_there_is_only_the_end, T, Reals) {
    const Model<T> model;
    constexpr int kSteps = 6;
    const Translation endless = model.translate(kSteps, -1);
    const int end = endless.words.view<int, 2>()(0, 2);
    int first = 0;
    while (endless.words.view<int, 2>()(0, first) != end) ++first;
    const Translation ended = model.translate(kSteps, end);
    for (int t = 0; t < kSteps; ++t) {
        const bool over = t > first;
        BOOST_TEST((ended.words.view<int, 2>()(0, t) == (over ? end : endless.words.view<int, 2>()(0, t))));
        for (int v = 0; v < kV; ++v)
            BOOST_TEST(
                (ended.logits.view<T, 3>()(0, t, v) == (over ? T(0) : endless.logits.view<T, 3>()(0, t, v))));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(of_equal_words_the_first_is_taken, T, Reals) {
    Model<T> model;
    for (T& x : model.embedding.template as<T>()) x = 1;
    const Array all = model.translate(3, -1).words;
    for (const int word : all.as<int>()) BOOST_TEST(word == 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(words_lengths_and_heads_are_refused, T, Reals) {
    const Array target = words("target", {2, 3}, {1, 2, 3, 4, 5, 6});
    BOOST_CHECK_NO_THROW(Model<T>().logits(target));
    const auto refuses = [&](auto change) {
        Model<T> model;
        Array changed = target;
        change(model, changed);
        BOOST_CHECK_THROW(model.logits(changed), std::invalid_argument);
        if (changed.as<int>() == target.as<int>())
            BOOST_CHECK_THROW(model.translate(3, 1), std::invalid_argument);
    };
    refuses([](Model<T>& model, Array&) { model.source.template as<int>()[7] = kV; });
    refuses([](Model<T>& model, Array&) { model.source.template as<int>()[0] = -1; });
    refuses([](Model<T>& model, Array&) { model.lengths.template as<int>()[1] = 0; });
    refuses([](Model<T>& model, Array&) { model.lengths.template as<int>()[1] = 5; });
    refuses([](Model<T>&, Array& changed) { changed.as<int>()[5] = kV; });
    refuses([](Model<T>&, Array& changed) { changed.as<int>()[0] = -1; });
    const Array X = normal<T>("X", {1, 2, 6});
    BOOST_CHECK_THROW(on_arrays::cross_attention<T>(X, X, parameters<T, MultiHeadWeightsArrays>(0), {}, 4),
                      std::invalid_argument);
}

// github.com/bytedance/neurst, commit 382a1559e5a98fa8ccfbb0a16b27b43f2b2155ce,
// tests/neurst/layers/decoders/transformer_decoder_test.py, test_transformer_decoder. Apache-2.0. Pre-norm without
// biases, with a layer norm at the end; q, k and v stand side by side in one matrix.
BOOST_AUTO_TEST_CASE_TEMPLATE(neurst_decoder, T, Reals) {
    const auto columns = [](const std::vector<double>& all, int width, int first, int count) {
        std::vector<double> part;
        for (std::size_t k = 0; k < all.size(); ++k)
            if (const int column = static_cast<int>(k) % width; column >= first && column < first + count)
                part.push_back(all[k]);
        return part;
    };
    const std::vector<double> qkv = {0.039492551,  0.32946128,   0.38817757,  0.47047406,   0.076099508,
                                     0.031318549,  0.15958023,   0.32920939,  0.42809182,   0.27969742,
                                     0.39156157,   -0.60457599,  0.48693591,  -0.59063703,  0.30925709,
                                     0.10321742,   0.45608515,   0.27015948,  0.2959339,    0.32079375,
                                     0.48019701,   -0.35878542,  0.04467481,  0.46741599,   -0.40064478,
                                     -0.050893191, -0.099937797, -0.60485733, 0.43793041,   0.36923659,
                                     0.39103013,   0.24920046,   -0.37060317, -0.03119427,  0.25101495,
                                     -0.21076846,  0.42842942,   0.48276085,  -0.24986491,  -0.097869098,
                                     -0.01024461,  -0.04072392,  -0.43499938, -0.097181022, 0.18174142,
                                     0.07100755,   -0.60752523,  -0.30185059},
                              cross_kv = {-0.4204824,  -0.23150605,  0.12045383,   -0.65388358, 0.29070246,
                                          -0.38376695, 0.65055054,   -0.51375425,  0.67025226,  0.092854202,
                                          -0.56662744, 0.12781924,   -0.61937439,  -0.61801594, 0.079648793,
                                          0.16530299,  -0.069403529, -0.087322891, 0.24984497,  0.18489975,
                                          0.53543681,  -0.076085873, -0.5801205,   -0.17658263, 0.54784423,
                                          -0.39817223, -0.11673075,  0.14106786,   -0.1637184,  0.0075051798,
                                          -0.44365695, -0.38458544};
    std::map<std::string, Array> by_name;
    const auto add = [&](const std::string& name, const Shape& shape, const std::vector<double>& values) {
        by_name[name] = numbers<T>(name, shape, values);
    };
    add("W_Q", {4, 4}, columns(qkv, 12, 0, 4)), add("W_K", {4, 4}, columns(qkv, 12, 4, 4));
    add("W_V", {4, 4}, columns(qkv, 12, 8, 4));
    add("W_O", {4, 4},
        {0.39332086, -0.36768559, -0.50203305, 0.67820591, -0.41239128, -0.15406412, 0.39648491, -0.79016757,
         0.6749844, -0.095487528, 0.16253561, -0.0560202, -0.4699119, 0.82841998, 0.35657936, -0.45770356});
    add("W_Q_c", {4, 4},
        {0.27346164, -0.12056953, 0.46171111, 0.31264621, -0.65311253, 0.24505383, 0.56249744, -0.55824113,
         -0.47464705, -0.60553044, 0.30191129, 0.33609575, -0.24644238, -0.16026068, -0.094582804,
         -0.051119272});
    add("W_K_c", {4, 4}, columns(cross_kv, 8, 0, 4)), add("W_V_c", {4, 4}, columns(cross_kv, 8, 4, 4));
    add("W_O_c", {4, 4},
        {-0.31871676, 0.46451026, -0.32600254, -0.42110354, 0.45953768, -0.52176374, -0.47615638, -0.78184491,
         0.77240628, -0.25975162, -0.49630436, 0.46811551, 0.71891493, 0.25591546, 0.21004111, -0.34392589});
    add("W_1", {4, 16},
        {-0.29522404,   -0.1185838,   0.13743329,    -0.33782017,    -0.38876867,  0.48396683,  0.15062505,
         -0.37749952,   -0.29512924,  -0.016212821,  -0.0001860857,  -0.41960135,  0.53800035,  0.27734953,
         0.0055179596,  -0.034055352, 0.21051055,    0.36151302,     0.3104564,    -0.11510965, 0.46738219,
         0.1250459,     -0.19454169,  0.41786206,    -0.37045652,    0.33854598,   -0.5097875,  0.52220762,
         0.16077441,    -0.39631999,  0.21259248,    0.23286474,     -0.10005751,  -0.50858349, 0.36911082,
         -0.051783592,  0.071038425,  -0.11148521,   -0.53392905,    0.36009926,   0.079382658, 0.10371411,
         -0.50254786,   0.17596281,   -0.0092926025, -0.00064194202, -0.014125884, 0.47321141,  0.28647327,
         0.26127762,    0.45843053,   0.49775457,    0.3805601,      -0.40995055,  0.36980593,  0.033520699,
         -0.0018056035, 0.016578972,  0.16026449,    -0.24952739,    -0.3143453,   -0.1315895,  0.007999897,
         0.11293548});
    add("W_2", {16, 4},
        {0.27942181,  0.29263318,   0.42604703,  -0.24461824, 0.32469118,  -0.26546389,  0.17872995,
         0.062226892, -0.076046564, -0.29360557, -0.46282101, 0.3731665,   0.27989155,   0.53663385,
         -0.12042063, 0.34913152,   -0.50028926, 0.089589119, 0.50753117,  -0.038600389, 0.12980306,
         -0.47548878, 0.54435623,   -0.41777247, 0.16824102,  -0.52710521, -0.18454444,  0.29872209,
         0.22610295,  -0.37615979,  0.49831951,  0.31664205,  -0.36606842, -0.37781239,  0.01393354,
         0.23516071,  0.26510388,   -0.47218412, 0.42749757,  0.22174352,  0.41393071,   0.096821837,
         -0.14474329, -0.072315693, 0.01711905,  -0.18132755, 0.032249931, 0.20714819,   0.12195373,
         -0.52764714, 0.48840046,   -0.21843264, 0.12467605,  -0.45452338, 0.058920559,  -0.28527409,
         -0.54644948, -0.48560941,  -0.29271287, 0.10828984,  0.37080926,  0.01543814,   0.10875225,
         -0.2678996});
    for (const char* name : {"b_Q", "b_K", "b_V", "b_O", "b_Q_c", "b_K_c", "b_V_c", "b_O_c", "b_2", "beta_1",
                             "beta_2", "beta_3"})
        add(name, {4}, std::vector<double>(4, 0));
    for (const char* name : {"gamma_1", "gamma_2", "gamma_3"}) add(name, {4}, std::vector<double>(4, 1));
    add("b_1", {16}, std::vector<double>(16, 0));
    const Array memory =
        numbers<T>("S", {2, 4, 4},
                   {-0.37282175, 0.62301564, -2.0221813,  -0.0087583298, 0.31516594, -1.117763,  -1.0697726,
                    0.80373234,  -0.717022,  0.3300997,   -0.44306225,   1.550383,   -1.5516962, 0.60250109,
                    1.8262954,   0.42469704, -0.98617625, 2.2856202,     -1.3063533, 0.41749981, 1.5724765,
                    1.2201295,   1.1479746,  0.78108883,  0.83436418,    -1.073388,  1.2718492,  -0.72907782,
                    -1.4126722,  1.8000795,  -2.1186719,  -0.1366007});
    const Array y = numbers<T>(
        "X", {2, 3, 4}, {0.86675537, 0.22135425,  1.4054185,     -0.42268831, 1.9606155,   -1.831841,
                         -1.8158482, -0.37030798, -0.0011357157, 0.55629879,  0.066107117, -1.7330967,
                         -1.1870812, -0.54499257, -0.86622888,   -0.74098641, 0.22233427,  0.53582352,
                         0.30567116, 0.10201423,  -1.8053315,    0.72125041,  1.0072237,   -2.0333264});
    Array Y =
        on_arrays::decoder_block<T>(y, memory, made_of<DecoderBlockWeightsArrays>(by_name),
                                    words("lengths", {2}, {4, 2}), 2, Norm::pre, Activation::relu, 1e-6);
    Y.shape = {6, 4};
    BOOST_TEST(is_near(
        on_arrays::layer_norm<T>(Y, by_name["gamma_1"], by_name["beta_1"], 1e-6),
        {0.4727962,  -0.68636543,   1.3879091,  -1.1743398, 1.4770155,  -1.2802002, 0.18456227, -0.38137752,
         0.67761642, -0.49349681,   1.1886327,  -1.3727522, -1.6973993, 0.26954588, 0.59817475, 0.82967865,
         -1.6315649, -0.0030859001, 0.78615719, 0.84849352, -1.4942819, 0.42606276, 1.246516,   -0.17829692},
        5e-6, 1e-5));
}

BOOST_AUTO_TEST_SUITE_END()
