// The plain gradients are the slopes of their forward functions, number by number; those at the machine's speed agree with
// them, on every vector unit and with any number of threads.

#include "reference/models/image_gradients.h"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/convolution_attention_reference.h"
#include "contracts/image_captioning_reference.h"
#include "reference/fast/convolution.h"
#include "reference/fast/scoped_unit.h"
#include "reference/testing/arrays.h"
#include "reference/testing/near.h"
#include "reference/testing/slopes.h"

namespace attn {
namespace {

using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(image_gradients)

/// What a convolution reads, with an upstream gradient last.
template <class T>
Arrays convolution(int R, int C, int S) {
    return {normal<T>("X", {2, R, C, 3}), normal<T>("W", {3, 3, 3, 5}), normal<T>("bias", {5}),
            normal<T>("dY", {2, (R + S - 1) / S, (C + S - 1) / S, 5})};
}

template <class T>
Array convolved(const Arrays& in, int S) {
    Array Y = unwritten<T>("Y", in[3].shape);
    cpu::conv2d<T>(Y.view<T, 4>(), in[0].view<T, 4>(), in[1].view<T, 4>(), in[2].view<T, 1>(), S);
    return Y;
}

template <class T, class Backward>
Arrays convolution_gradients(const Arrays& in, int S, Backward backward) {
    Arrays out = {unwritten<T>("dX", in[0].shape), unwritten<T>("dW", in[1].shape),
                  unwritten<T>("dbias", in[2].shape)};
    backward(out[0].view<T, 4>(), out[1].view<T, 4>(), out[2].view<T, 1>(), std::as_const(in[3]).view<T, 4>(),
             std::as_const(in[0]).view<T, 4>(), std::as_const(in[1]).view<T, 4>(),
             std::as_const(in[2]).view<T, 1>(), S);
    return out;
}

BOOST_AUTO_TEST_CASE(the_gradients_of_a_convolution_are_its_slopes) {
    for (const int S : {1, 2, 3}) {
        const Arrays in = convolution<double>(4, 5, S);
        const Arrays out = convolution_gradients<double>(in, S, cpu::conv2d_backward<double>);
        const Loss loss = [&](const Arrays& inputs) {
            return inner_product(inputs[3], convolved<double>(inputs, S));
        };
        for (std::size_t k = 0; k < out.size(); ++k)
            BOOST_TEST(is_near(out[k], slopes(loss, in, k), 1e-8), "stride " << S);
    }
}

template <class T>
Arrays normed_inputs(int B, int N, int D) {
    Arrays in = {normal<T>("X", {B, N, D}), normal<T>("gamma", {D}), normal<T>("beta", {D}),
                 normal<T>("dY", {B, N, D})};
    for (T& x : in[0].as<T>()) x = 3 * x + 2;
    return in;
}

template <class T, class Forward>
Array batch_normed(const Arrays& in, Forward forward) {
    const Shape D = in[1].shape;
    Array Y = unwritten<T>("Y", in[0].shape), mean = unwritten<T>("mean", D),
          variance = unwritten<T>("variance", D);
    const Array zeros = Array::zeros<T>("before", D);
    forward(Y.view<T, 3>(), mean.view<T, 1>(), variance.view<T, 1>(), in[0].view<T, 3>(), in[1].view<T, 1>(),
            in[2].view<T, 1>(), zeros.view<T, 1>(), zeros.view<T, 1>(), true, T(1), T(1e-5));
    return Y;
}

template <class T, class Backward>
Arrays norm_gradients(const Arrays& in, Backward backward) {
    Arrays out = {unwritten<T>("dX", in[0].shape), unwritten<T>("dgamma", in[1].shape),
                  unwritten<T>("dbeta", in[2].shape)};
    backward(out[0].view<T, 3>(), out[1].view<T, 1>(), out[2].view<T, 1>(), std::as_const(in[3]).view<T, 3>(),
             std::as_const(in[0]).view<T, 3>(), std::as_const(in[1]).view<T, 1>(),
             std::as_const(in[2]).view<T, 1>(), T(1e-5));
    return out;
}

BOOST_AUTO_TEST_CASE(the_gradients_of_batch_norm_are_its_slopes) {
    const Arrays in = normed_inputs<double>(2, 3, 4);
    const Arrays out = norm_gradients<double>(in, cpu::batch_norm_backward<double>);
    const Loss loss = [](const Arrays& inputs) {
        return inner_product(inputs[3], batch_normed<double>(inputs, cpu::batch_norm<double>));
    };
    for (std::size_t k = 0; k < out.size(); ++k) BOOST_TEST(is_near(out[k], slopes(loss, in, k), 1e-7));
}

/// What a captioner reads, with an upstream gradient of its states last.
Arrays captioned() {
    return {
        normal<double>("grid", {2, 2, 3, 4}), normal<double>("y", {2, 4, 2}), normal<double>("W_q", {5, 3}),
        normal<double>("W_k", {4, 3}),        normal<double>("v", {3}),       normal<double>("W_x", {6, 5}),
        normal<double>("W_s", {5, 5}),        normal<double>("b", {5}),       normal<double>("W_0", {4, 5}),
        normal<double>("b_0", {5}),           normal<double>("dS", {2, 3, 5})};
}

DecoderWeights<double> decoder_of(const Arrays& in) {
    return {in[2].view<double, 2>(), in[3].view<double, 2>(), in[4].view<double, 1>(),
            in[5].view<double, 2>(), in[6].view<double, 2>(), in[7].view<double, 1>(),
            in[8].view<double, 2>(), in[9].view<double, 1>()};
}

Array states(const Arrays& in, bool looks) {
    Array S = unwritten<double>("S", in[10].shape), A = unwritten<double>("A", {2, 3, 6});
    cpu::caption_states<double>(S.view<double, 3>(), A.view<double, 3>(), in[0].view<double, 4>(), looks,
                                in[1].view<double, 3>(), decoder_of(in));
    return S;
}

BOOST_AUTO_TEST_CASE(the_gradients_of_a_captioner_are_its_slopes) {
    const Arrays in = captioned();
    for (const bool looks : {true, false}) {
        Arrays out;
        for (std::size_t k = 0; k < 10; ++k) out.push_back(unwritten<double>("d" + in[k].name, in[k].shape));
        const DecoderGradients<double> gradients = {out[2].view<double, 2>(), out[3].view<double, 2>(),
                                                    out[4].view<double, 1>(), out[5].view<double, 2>(),
                                                    out[6].view<double, 2>(), out[7].view<double, 1>(),
                                                    out[8].view<double, 2>(), out[9].view<double, 1>()};
        cpu::caption_states_backward<double>(out[0].view<double, 4>(), out[1].view<double, 3>(), gradients,
                                             in[10].view<double, 3>(), in[0].view<double, 4>(), looks,
                                             in[1].view<double, 3>(), decoder_of(in));
        const Loss loss = [looks](const Arrays& inputs) {
            return inner_product(inputs[10], states(inputs, looks));
        };
        for (std::size_t k = 0; k < out.size(); ++k)
            BOOST_TEST(is_near(out[k], slopes(loss, in, k), 1e-7), "looks: " << looks);
    }
}

/// Assignment 8's functions, step by step.
BOOST_AUTO_TEST_CASE(the_states_of_a_captioner_are_those_of_its_steps) {
    const Arrays in = captioned();
    const auto y = in[1].view<double, 3>();
    const DecoderWeights<double> decoder = decoder_of(in);
    const auto grid = in[0].view<double, 4>();
    const Array S = states(in, true), blind = states(in, false);
    // The vectors of all steps are the table.
    const int L = S.shape[1];
    const CaptionWeights<double> weights = {{y.data(), 2 * (L + 1), 2}, decoder, decoder.W_s, decoder.b};
    Array s_prev = unwritten<double>("s", {2, 5}), s = s_prev, a = unwritten<double>("a", {2, 2, 3}),
          logits = s;
    cpu::first_state<double>(s_prev.view<double, 2>(), grid, decoder.W_0, decoder.b_0);
    const Array s_0 = s_prev;
    for (int t = 0; t < L; ++t) {
        const std::vector<int> words = {t, L + 1 + t};
        cpu::caption_step<double>(s.view<double, 2>(), a.view<double, 3>(), logits.view<double, 2>(),
                                  {words.data(), 2}, std::as_const(s_prev).view<double, 2>(), grid, weights);
        for (int b = 0; b < 2; ++b)
            for (int d = 0; d < 5; ++d)
                BOOST_TEST(std::abs(S.view<double, 3>()(b, t, d) - s.view<double, 2>()(b, d)) < 1e-12);
        s_prev = s;
    }
    // Without attention the first step is one of an Elman network.
    for (int b = 0; b < 2; ++b)
        for (int d = 0; d < 5; ++d) {
            double z = decoder.b(d);
            for (int k = 0; k < 2; ++k) z += y(b, 0, k) * decoder.W_x(k, d);
            for (int k = 0; k < 5; ++k) z += s_0.view<double, 2>()(b, k) * decoder.W_s(k, d);
            BOOST_TEST(std::abs(blind.view<double, 3>()(b, 0, d) - std::tanh(z)) < 1e-12);
        }
}

Arrays in_double(const Arrays& arrays) {
    Arrays result;
    for (const Array& array : arrays) result.push_back(array.cast<double>());
    return result;
}

BOOST_AUTO_TEST_CASE(convolutions_at_the_machines_speed_are_those_of_the_plain_loops) {
    for (const fast::VectorUnit unit : fast::vector_units())
        for (const int S : {1, 2, 3}) {
            const Arrays in = convolution<float>(11, 6, S);
            const fast::ScopedUnit scope(unit, 1);
            Array Y = unwritten<float>("Y", in[3].shape);
            fast::conv2d(Y.view<float, 4>(), in[0].view<float, 4>(), in[1].view<float, 4>(),
                         in[2].view<float, 1>(), S);
            BOOST_TEST(is_near(Y, convolved<double>(in_double(in), S), 1e-5));
            const Arrays got = convolution_gradients<float>(in, S, fast::conv2d_backward);
            const Arrays want = convolution_gradients<double>(in_double(in), S, cpu::conv2d_backward<double>);
            for (std::size_t k = 0; k < got.size(); ++k) BOOST_TEST(is_near(got[k], want[k], 1e-4));
            const fast::ScopedUnit several(unit, 3);
            const Arrays again = convolution_gradients<float>(in, S, fast::conv2d_backward);
            for (std::size_t k = 0; k < got.size(); ++k)
                BOOST_TEST((again[k].as<float>() == got[k].as<float>()));
        }
}

BOOST_AUTO_TEST_CASE(batch_norm_at_the_machines_speed_is_that_of_the_plain_loops) {
    const Arrays in = normed_inputs<float>(5, 7, 19);
    BOOST_TEST(is_near(batch_normed<float>(in, fast::batch_norm),
                       batch_normed<double>(in_double(in), cpu::batch_norm<double>), 1e-5));
    const Arrays got = norm_gradients<float>(in, fast::batch_norm_backward),
                 want = norm_gradients<double>(in_double(in), cpu::batch_norm_backward<double>);
    for (std::size_t k = 0; k < got.size(); ++k) BOOST_TEST(is_near(got[k], want[k], 1e-4));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
