// Answers computed by hand, comparisons with the attention of assignments 2 and 4, derivatives by differences, and
// numbers from the test of another project, of which only the numbers are copied.

#include <cmath>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/fused_attention_on_arrays.h"
#include "contracts/masking_on_arrays.h"
#include "contracts/self_attention_on_arrays.h"
#include "reference/testing/near.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(fused_attention)

namespace {

struct Call {
    Array Q, K, V;
};

template <class T>
Call normal_call(int B, int N, int D_q, int D_v) {
    return {normal<T>("Q", {B, N, D_q}), normal<T>("K", {B, N, D_q}), normal<T>("V", {B, N, D_v})};
}

/// The numbers of the handout's example.
template <class T>
Call example() {
    return {numbers<T>("Q", {1, 3, 1}, {1, 2, 0}), numbers<T>("K", {1, 3, 1}, {1, -1, 2}),
            numbers<T>("V", {1, 3, 1}, {3, 0, 6})};
}

/// Query i sees key j if first <= j - i <= last.
Array band(int B, int N, int first, int last) {
    std::vector<std::uint8_t> ones;
    for (int k = 0; k < B * N * N; ++k)
        ones.push_back(k % N - k / N % N >= first && k % N - k / N % N <= last ? 1 : 0);
    return mask({B, N, N}, ones);
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_worked_examples_of_the_handout, T, Reals) {
    const auto online = on_arrays::online_softmax<T>(numbers<T>("X", {1, 3}, {1, 3, 2}));
    BOOST_TEST(is_near(online.m, {1, 3, 3}, 0));
    BOOST_TEST(is_near(online.l, {1, 1.1353, 1.5032}, 5e-5));
    BOOST_TEST(is_near(online.Y, {0.0900, 0.6652, 0.2447}, 5e-5));
    const auto [Q, K, V] = example<T>();
    const auto blocked = on_arrays::blocked_attention<T>(Q, K, V, true, 2, 2);
    BOOST_TEST(is_near(blocked.Y, {3, 2.9460, 3}, 5e-5));
    BOOST_TEST(is_near(blocked.L, {1, 2.0181, 1.0986}, 5e-5));
    BOOST_TEST(is_near(blocked.visited, {1, 0, 1, 1}, 0));
    const auto gradients = on_arrays::blocked_attention_backward<T>(numbers<T>("dY", {1, 3, 1}, {0, 1, 1}), Q,
                                                                    K, V, blocked.Y, blocked.L, true);
    BOOST_TEST(is_near(gradients.dQ, {0, 0.1060, 3}, 5e-5));
    BOOST_TEST(is_near(gradients.dK, {0.1060, -0.1060, 0}, 5e-5));
    BOOST_TEST(is_near(gradients.dV, {1.3153, 0.3513, 0.3333}, 5e-5));
    BOOST_TEST(is_near(on_arrays::sliding_window_attention<T>(Q, K, V, false, 1), {2.6424, 5.6301, 3}, 5e-5));
    BOOST_TEST(is_near(on_arrays::linear_attention<T>(Q, K, V, true), {3, 2.5339, 4.4710}, 5e-5));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(blocks_of_every_size_give_plain_attention, T, Reals) {
    const auto [Q, K, V] = normal_call<T>(2, 7, 3, 4);
    const Array plain = on_arrays::scaled_dot_product_attention<T>(Q, K, V).Y;
    const Array masked = on_arrays::masked_attention<T>(Q, K, V, band(2, 7, -7, 0)).Y;
    for (int B_r = 1; B_r <= 8; ++B_r)
        for (int B_c = 1; B_c <= 8; ++B_c) {
            BOOST_TEST(
                is_near(on_arrays::blocked_attention<T>(Q, K, V, false, B_r, B_c).Y, plain, kRounding<T>));
            BOOST_TEST(
                is_near(on_arrays::blocked_attention<T>(Q, K, V, true, B_r, B_c).Y, masked, kRounding<T>));
        }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(causal_blocks_form_a_staircase, T, Reals) {
    const auto [Q, K, V] = normal_call<T>(1, 7, 2, 2);
    BOOST_TEST(is_near(on_arrays::blocked_attention<T>(Q, K, V, true, 3, 2).visited,
                       {1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1}, 0));
    BOOST_TEST(
        is_near(on_arrays::blocked_attention<T>(Q, K, V, true, 2, 5).visited, {1, 0, 1, 0, 1, 1, 1, 1}, 0));
}

// Differences of the forward in double, along each number of Q, K and V.
BOOST_AUTO_TEST_CASE(the_backward_is_the_derivative_of_the_forward) {
    for (const bool causal : {false, true}) {
        const auto [Q, K, V] = normal_call<double>(2, 4, 3, 2);
        const Array dY = normal<double>("dY", V.shape);
        const auto forward = [&, causal = causal](const Array& q, const Array& k, const Array& v) {
            return on_arrays::blocked_attention<double>(q, k, v, causal, 2, 3);
        };
        const auto loss = [&, &dY = dY](const Array& q, const Array& k, const Array& v) {
            const Array Y = forward(q, k, v).Y;
            double sum = 0;
            for (std::size_t n = 0; n < Y.count(); ++n) sum += dY.as<double>()[n] * Y.as<double>()[n];
            return sum;
        };
        const auto at = forward(Q, K, V);
        const auto gradients = on_arrays::blocked_attention_backward<double>(dY, Q, K, V, at.Y, at.L, causal);
        const Array* given[] = {&Q, &K, &V};
        const Array* gradient[] = {&gradients.dQ, &gradients.dK, &gradients.dV};
        for (int which = 0; which < 3; ++which)
            for (std::size_t n = 0; n < given[which]->count(); ++n) {
                constexpr double kStep = 1e-5;
                double ends[2];
                for (const int side : {0, 1}) {
                    Array moved[] = {Q, K, V};
                    moved[which].as<double>()[n] += side == 0 ? -kStep : kStep;
                    ends[side] = loss(moved[0], moved[1], moved[2]);
                }
                BOOST_TEST(std::abs((ends[1] - ends[0]) / (2 * kStep) - gradient[which]->as<double>()[n]) <
                           1e-8);
            }
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_window_is_a_band_of_the_mask, T, Reals) {
    const auto [Q, K, V] = normal_call<T>(2, 6, 3, 4);
    for (const int W : {1, 2, 9})
        for (const bool causal : {false, true})
            BOOST_TEST(is_near(on_arrays::sliding_window_attention<T>(Q, K, V, causal, W),
                               on_arrays::masked_attention<T>(Q, K, V, band(2, 6, -W, causal ? 0 : W)).Y,
                               kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(linear_attention_has_weights_that_sum_to_one, T, Reals) {
    const Call call = normal_call<T>(2, 5, 3, 4);
    const auto q = call.Q.view<T, 3>(), k = call.K.view<T, 3>(), v = call.V.view<T, 3>();
    const auto phi = [](T x) { return x > 0 ? x + 1 : std::exp(x); };
    for (const bool causal : {false, true}) {
        std::vector<double> wanted;
        for (int row = 0; row < 2 * 5; ++row)
            for (int d = 0; d < 4; ++d) {
                T above = 0, below = 0;
                for (int j = 0; j < (causal ? row % 5 + 1 : 5); ++j) {
                    T weight = 0;
                    for (int f = 0; f < 3; ++f) weight += phi(q(row / 5, row % 5, f)) * phi(k(row / 5, j, f));
                    above += weight * v(row / 5, j, d);
                    below += weight;
                }
                wanted.push_back(static_cast<double>(above / below));
            }
        BOOST_TEST(
            is_near(on_arrays::linear_attention<T>(call.Q, call.K, call.V, causal), wanted, kRounding<T>));
    }
}

// github.com/microsoft/onnxruntime, commit 0064128cd557a9e94397011e4bdeceac2870f8c8,
// onnxruntime/test/contrib_ops/attention_op_test.cc, AttentionTest.AttentionEmptyPastState: the first head. MIT.
BOOST_AUTO_TEST_CASE_TEMPLATE(onnxruntime_causal_attention_in_blocks, T, Reals) {
    const Array X = numbers<T>("X", {1, 2, 4},
                               {0.091099896, -0.01829446, -0.3659484, 0.28410032, -0.12125026, -0.006616009,
                                0.38809127, -0.22455512});
    const auto projected = [&X](const std::string& name, const std::vector<double>& W, double b_0,
                                double b_1) {
        Array Y = product<T>(X, numbers<T>("W", {4, 2}, W));
        for (std::size_t n = 0; n < Y.count(); ++n) Y.as<T>()[n] += static_cast<T>(n % 2 == 0 ? b_0 : b_1);
        Y.name = name;
        return Y;
    };
    const Array Q = projected("Q",
                              {-0.26592362, 0.02789675, 0.08960388, -0.27270448, 0.05936845, 0.17100939,
                               -0.0071525453, 0.109454446},
                              -0.054097984, -0.0644474),
                K = projected("K",
                              {0.020417947, -0.047518414, 0.01788955, 0.099938765, 0.14461797, -0.20505407,
                               0.092085086, 0.07014948},
                              0.07840359, 0.03914358),
                V = projected("V",
                              {-0.114969574, -0.17733477, -0.12958767, 0.22043331, 0.13995846, -0.10619818,
                               -0.09368397, 0.07878212},
                              0.3670335, 0.028461361);
    BOOST_TEST(is_near(on_arrays::blocked_attention<T>(Q, K, V, true, 1, 1).Y,
                       {0.2810973, 0.06951855, 0.3692801, 0.029495837}, 2e-5, 1e-4));
}

BOOST_AUTO_TEST_SUITE_END()
