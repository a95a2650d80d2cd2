// Agreement with numbers from the tests of other projects. Only the numbers are copied.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/transformer_block_reference.h"
#include "reference/testing/near.h"
#include "reference/testing/transformer_block_inputs.h"

using attn::Activation;
using attn::Array;
using attn::Norm;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(transformer_block_published)

namespace {

/// Columns first .. first + count - 1 of W [D_in, D_out].
template <class T>
Array columns(const Array& W, int first, int count) {
    Array result = unwritten<T>(W.name, {W.shape[0], count});
    const auto to = result.view<T, 2>();
    const auto from = W.view<T, 2>();
    for (int k = 0; k < W.shape[0]; ++k)
        for (int d = 0; d < count; ++d) to(k, d) = from(k, first + d);
    return result;
}

template <class T>
Array ones(const char* name, const attn::Shape& shape) {
    return numbers<T>(name, shape, std::vector<double>(attn::element_count(shape), 1));
}

/// A block whose biases are 0, gains 1 and shifts 0.
template <class T>
BlockParameters plain_parameters(int D, int F) {
    BlockParameters p;
    for (const auto& [name, shape] : block_shapes(D, F))
        p.by_name[name] =
            name.starts_with("gamma") ? ones<T>(name.c_str(), shape) : Array::zeros<T>(name, shape);
    return p;
}

/// torch's uniform numbers in 0 .. 1: the lower 24 bits of a Mersenne twister.
class TorchUniform {
  public:
    TorchUniform(std::uint32_t seed, unsigned long long skipped) : engine_(seed) { engine_.discard(skipped); }
    double operator()() { return static_cast<double>(engine_() & 0xffffffU) * 0x1p-24; }

  private:
    std::mt19937 engine_;
};

}  // namespace

// github.com/microsoft/onnxruntime, commit 00837244940c0b80d8d7f3b7ab90b43e6b3d22cc,
// onnxruntime/test/contrib_ops/skiplayernorm_op_test.cc, SkipLayerNormBatch1, SkipLayerNormBatch1_NoBeta.
// MIT.
BOOST_AUTO_TEST_CASE_TEMPLATE(onnxruntime_add_and_norm, T, Reals) {
    const Array X = numbers<T>("X", {2, 4}, {0.8, -0.5, 0, 1, 0.5, 0.2, 0.3, -0.6});
    const Array skip = numbers<T>("skip", {2, 4}, {0.1, -0.2, 0.3, 1, 0.5, 0.1, 0.4, 1.6});
    const Array gamma = numbers<T>("gamma", {4}, {0.3, 0.2, 4, 2.2});
    BOOST_TEST(
        is_near(layer_norm<T>(added<T>(X, skip), gamma, numbers<T>("beta", {4}, {0.2, 0.1, 0.4, 1.6}), 1e-12),
                std::vector<double>{0.2843386, -0.17090578, -0.92897165, 4.692415, 0.46111652, -0.2133398,
                                    -0.29631004, 3.5148544},
                1e-6, 1e-5));
    BOOST_TEST(is_near(layer_norm<T>(added<T>(X, skip), gamma, Array::zeros<T>("beta", {4}), 1e-12),
                       std::vector<double>{0.08433859, -0.2709058, -1.3289716, 3.0924153, 0.26111653,
                                           -0.3133398, -0.69631004, 1.9148544},
                       1e-6, 1e-5));
}

// The same file, SkipLayerNormBatch2 and SkipLayerNormBatch2_Bias: two inputs with the same answer, the
// second with a bias that is added as well.
BOOST_AUTO_TEST_CASE_TEMPLATE(onnxruntime_add_and_norm_of_two_batches, T, Reals) {
    const std::vector<double> answer = {
        0.2843386, -0.17090578, -0.92897165, 4.692415,  0.46111652, -0.2133398, -0.29631004, 3.5148544,
        0.5547043, -0.15080102, -2.3229825,  3.2552867, 0.1563148,  0.21066919, 4.943261,    -1.7957965};
    const Array skip = numbers<T>(
        "skip", {4, 4}, {0.1, -0.2, 0.3, 1, 0.5, 0.1, 0.4, 1.6, 1.8, -0.3, 0, 1, -0.5, 0.4, 0.8, -0.6});
    const Array gamma = numbers<T>("gamma", {4}, {0.3, 0.2, 4, 2.2}),
                beta = numbers<T>("beta", {4}, {0.2, 0.1, 0.4, 1.6});
    const Array without =
        numbers<T>("X", {4, 4}, {0.8, -0.5, 0, 1, 0.5, 0.2, 0.3, -0.6, 0.8, -0.5, 0, 1, 0.5, 0.2, 0.3, -0.6});
    BOOST_TEST(is_near(layer_norm<T>(added<T>(without, skip), gamma, beta, 1e-12), answer, 1e-6, 1e-5));
    Array with = numbers<T>(
        "X", {4, 4}, {0.7, -0.4, -0.2, 1.2, 0.4, 0.3, 0.1, -0.4, 0.7, -0.4, -0.2, 1.2, 0.4, 0.3, 0.1, -0.4});
    const Array bias = numbers<T>("bias", {4}, {0.1, -0.1, 0.2, -0.2});
    for (std::size_t k = 0; k < with.count(); ++k) with.as<T>()[k] += bias.as<T>()[k % 4];
    BOOST_TEST(is_near(layer_norm<T>(added<T>(with, skip), gamma, beta, 1e-12), answer, 1e-6, 1e-5));
}

// github.com/bytedance/neurst, commit 382a1559e5a98fa8ccfbb0a16b27b43f2b2155ce,
// tests/neurst/layers/encoders/transformer_encoder_test.py, test_transformer_encoder. Apache-2.0.
// One pre-norm block of two heads and a final norm. Its padding is 1 where no query may attend.
BOOST_AUTO_TEST_CASE_TEMPLATE(neurst_encoder, T, Reals) {
    const Array X = numbers<T>(
        "X", {2, 4, 4},
        {-0.37282175, 0.62301564, -2.0221813,  -0.00875833, 0.31516594, -1.117763, -1.0697726, 0.80373234,
         -0.717022,   0.3300997,  -0.44306225, 1.550383,    -1.5516962, 0.6025011, 1.8262954,  0.42469704,
         -0.98617625, 2.2856202,  -1.3063533,  0.4174998,   1.5724765,  1.2201295, 1.1479746,  0.7810888,
         0.8343642,   -1.073388,  1.2718492,   -0.7290778,  -1.4126722, 1.8000795, -2.118672,  -0.1366007});
    const Array qkv =
        numbers<T>("qkv", {4, 12},
                   {0.5907243,   -0.5555184,  0.5612393,   -0.2724994,  0.23405826,  0.38096863,  -0.02200276,
                    -0.26264596, 0.36556423,  0.10351193,  -0.1946517,  0.60423344,  0.16057128,  -0.4464733,
                    0.32041794,  -0.30858415, 0.26626736,  0.579398,    -0.19076341, 0.1072132,   -0.43820834,
                    0.05253071,  0.08801651,  -0.4995584,  -0.48593724, 0.1275987,   0.15794194,  -0.4632662,
                    0.54038125,  -0.45666856, -0.16076824, 0.43855423,  0.32468224,  -0.1931965,  -0.42853987,
                    0.2411524,   -0.32923162, -0.06395793, 0.33392805,  -0.46701026, -0.06507087, -0.61020637,
                    0.545703,    -0.23786944, -0.2854141,  -0.1698403,  -0.1244911,  0.40745395});
    BlockParameters p = plain_parameters<T>(4, 16);
    p.by_name["W_Q"] = columns<T>(qkv, 0, 4);
    p.by_name["W_K"] = columns<T>(qkv, 4, 4);
    p.by_name["W_V"] = columns<T>(qkv, 8, 4);
    p.by_name["W_O"] = numbers<T>(
        "W_O", {4, 4},
        {-0.04742211, -0.42928827, -0.54485893, -0.7514334, 0.3391741, 0.61141425, -0.23809844, 0.27043575,
         -0.7315594, 0.8002729, -0.2958873, 0.698168, -0.59683925, -0.38270262, -0.59893274, -0.4040773});
    p.by_name["W_1"] =
        numbers<T>("W_1", {4, 16},
                   {-0.14616564, 0.30248666,  0.5319947,   0.5002098,   0.2705282,   -0.21612385, -0.3336154,
                    0.03436899,  0.26958936,  0.26834202,  0.0843057,   -0.50728637, 0.19995207,  -0.3930181,
                    -0.4985036,  0.33232063,  -0.04522616, -0.20491397, -0.19712418, 0.18106508,  0.33636385,
                    0.4030161,   -0.30252987, 0.11853886,  0.2238034,   0.3744824,   -0.28127617, -0.03388816,
                    0.32239246,  -0.25639355, 0.02382994,  0.34818083,  0.4456296,   -0.48834273, -0.26576972,
                    0.28717202,  0.02354515,  -0.2434513,  -0.26277977, -0.05434859, 0.09830189,  0.08207488,
                    -0.28704825, -0.19418713, 0.47731507,  0.14538354,  -0.3832153,  -0.5143249,  0.33276683,
                    -0.248025,   -0.13612089, -0.15473047, 0.33012676,  -0.39191568, -0.32679468, 0.52579904,
                    -0.17942387, -0.39317977, 0.13891649,  -0.17397407, -0.19002154, 0.05117792,  0.34706026,
                    0.11179692});
    p.by_name["W_2"] =
        numbers<T>("W_2", {16, 4},
                   {0.18234771,  0.23902518,  0.4304248,   -0.05616844, -0.01435661, 0.11098373,  0.5370636,
                    -0.5271752,  -0.3239155,  0.5083337,   0.43396413,  -0.47642848, 0.31562793,  -0.04991594,
                    0.530545,    -0.51263183, 0.10357869,  0.2883237,   0.16929054,  0.18414849,  -0.30361128,
                    -0.2045235,  0.05544132,  0.22116774,  0.05548936,  -0.11504656, 0.13726586,  -0.13652831,
                    0.5011635,   0.45315623,  -0.35243145, 0.17173672,  -0.52015716, 0.42873853,  -0.09965438,
                    -0.45107275, 0.00233686,  0.2797522,   0.2702785,   0.33721972,  0.10216439,  -0.14768293,
                    -0.5122431,  -0.3882924,  -0.44032216, -0.09983957, -0.41019306, -0.26434696, 0.50977015,
                    -0.18238857, 0.54663074,  0.05787665,  0.3197481,   -0.45845133, -0.14075449, -0.33339915,
                    0.10717738,  0.28995162,  0.47179937,  0.01342988,  0.37111026,  -0.31352338, 0.37098122,
                    0.3895113});
    Array mask = Array::zeros<std::uint8_t>("mask", {2, 4, 4});
    for (int b = 0; b < 2; ++b)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < (b == 0 ? 4 : 2); ++j) mask.view<std::uint8_t, 3>()(b, i, j) = 1;
    const Array Y = encode<T>(X, stacked<T>({p}), ones<T>("gamma", {4}), Array::zeros<T>("beta", {4}),
                              {2, Norm::pre, Activation::relu, 1e-6}, mask);
    BOOST_TEST(is_near(
        Y, std::vector<double>{-0.2709918, 0.95230484, -1.5212451,  0.83993214, 0.7688386,   -0.69726187,
                               -1.2441225, 1.1725458,  -1.1408244,  0.57164305, -0.76654106, 1.3357224,
                               -1.5286305, 0.23827001, 1.267273,    0.02308742, -1.0156152,  1.4036102,
                               -0.8733843, 0.48538923, -0.60578734, 0.23574206, 1.5095922,   -1.1395471,
                               0.53838307, -0.7913252, 1.3617758,   -1.1088338, -0.8927619,  1.3975127,
                               -1.001557,  0.49680638},
        5e-6, 1e-5));
}

// github.com/joeynmt/joeynmt, commit cdc4d03d430a1b0f29793a0d95743c5e72ae2f6c,
// test/unit/test_transformer_encoder.py, test_transformer_encoder_forward. Apache-2.0.
// Three pre-norm blocks of four heads. It prints the answer; parameters and input are drawn by torch with
// seed 42, after 3708 draws for the layers' first values, which the test overwrites. Positions are added to
// the input.
BOOST_AUTO_TEST_CASE_TEMPLATE(joeynmt_encoder_of_three_layers, T, Reals) {
    const int D = 12, F = 24, L = 3;
    TorchUniform uniform(42, 3708);
    const auto vector = [&uniform](const char* name, int length) {
        std::vector<double> values(static_cast<std::size_t>(length));
        for (double& value : values) value = uniform() - 0.5;
        return numbers<T>(name, {length}, values);
    };
    // Its matrices are [out, in].
    const auto matrix = [&uniform](const char* name, int in, int out) {
        Array W = unwritten<T>(name, {in, out});
        for (int d = 0; d < out; ++d)
            for (int k = 0; k < in; ++k) W.view<T, 2>()(k, d) = static_cast<T>(uniform() - 0.5);
        return W;
    };
    std::vector<BlockParameters> blocks(L);
    for (BlockParameters& block : blocks) {
        auto& p = block.by_name;
        p["gamma_1"] = vector("gamma_1", D);
        p["beta_1"] = vector("beta_1", D);
        for (const std::string which : {"_K", "_V", "_Q", "_O"}) {
            p["W" + which] = matrix("W", D, D);
            p["b" + which] = vector("b", D);
        }
        p["gamma_2"] = vector("gamma_2", D);
        p["beta_2"] = vector("beta_2", D);
        p["W_1"] = matrix("W_1", D, F);
        p["b_1"] = vector("b_1", F);
        p["W_2"] = matrix("W_2", F, D);
        p["b_2"] = vector("b_2", D);
    }
    const Array gamma = vector("gamma", D), beta = vector("beta", D);
    Array X = unwritten<T>("X", {2, 4, D});
    for (T& x : X.as<T>()) x = static_cast<T>(uniform());
    for (int b = 0; b < 2; ++b)
        for (int i = 0; i < 4; ++i)
            for (int d = 0; d < D; ++d) {
                const int pair = d / 2;
                const double angle = i / std::pow(10000.0, 2 * pair / static_cast<double>(D));
                X.view<T, 3>()(b, i, d) += static_cast<T>(d % 2 == 0 ? std::sin(angle) : std::cos(angle));
            }
    const Array Y = encode<T>(X, stacked<T>(blocks), gamma, beta, {4, Norm::pre, Activation::relu, 1e-6});
    BOOST_TEST(
        is_near(Y,
                std::vector<double>{
                    0.19728,   -0.12042, 0.080998, 0.0013411,  -0.3596,  -0.52988, -0.56056, -0.35297,
                    0.2668,    0.28343,  -0.37342, -0.0059113, 0.089687, -0.12491, 0.077809, -0.0013499,
                    -0.27002,  -0.47312, -0.57981, -0.41998,   0.10457,  0.29726,  -0.39461, 0.081598,
                    0.034988,  -0.1302,  0.060043, 0.027782,   -0.31483, -0.3894,  -0.55557, -0.5954,
                    -0.029808, 0.31468,  -0.45809, 0.0043312,  0.12234,  -0.13285, 0.063068, -0.023343,
                    -0.23519,  -0.40794, -0.56063, -0.55484,   -0.11272, 0.30103,  -0.40983, 0.033038,
                    0.098597,  -0.12121, 0.10718,  -0.022644,  -0.40282, -0.42646, -0.59981, -0.372,
                    0.19538,   0.27036,  -0.34072, -0.0017965, 0.08847,  -0.12618, 0.053351, -0.018531,
                    -0.33834,  -0.49047, -0.57063, -0.4979,    0.2207,   0.33964,  -0.41604, 0.023519,
                    0.058373,  -0.12706, 0.10598,  9.3256e-05, -0.30493, -0.44406, -0.54723, -0.52214,
                    0.080374,  0.26307,  -0.44571, 0.087052,   0.079567, -0.12977, 0.11731,  0.026198,
                    -0.24024,  -0.42161, -0.57604, -0.73298,   0.16698,  0.31454,  -0.49189, 0.024027},
                1e-5, 1e-4));
}

BOOST_AUTO_TEST_SUITE_END()
