// Answers computed by hand, and closed forms.

#include <cmath>
#include <stdexcept>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/14_training/flat_model.h"
#include "assignments/array.h"
#include "contracts/training_on_arrays.h"
#include "reference/testing/near.h"

using attn::Array;
using attn::Schedule;
using attn::TensorView;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(training)

namespace {

/// One weight, one step after another, each with the gradient g(theta).
template <class T, class G>
std::vector<double> trajectory(T theta, int steps, T eta, T beta_1, T beta_2, T eps, T decay, const G& g) {
    T m = 0, v = 0;
    std::vector<double> all;
    for (int t = 1; t <= steps; ++t) {
        const Array decays("decays", {1}, std::vector<std::uint8_t>{1});
        const auto next = on_arrays::adamw_step<T>(
            numbers<T>("theta", {1}, {theta}), numbers<T>("gradient", {1}, {g(theta)}),
            numbers<T>("m", {1}, {m}), numbers<T>("v", {1}, {v}), decays, t, eta, beta_1, beta_2, eps, decay);
        theta = next.theta_new.template as<T>()[0];
        m = next.m_new.template as<T>()[0];
        v = next.v_new.template as<T>()[0];
        all.push_back(static_cast<double>(theta));
    }
    return all;
}

}  // namespace

// With the same gradient at every step, m_hat = g and v_hat = g^2, so that each step has the length eta.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_steady_gradient_moves_by_eta, T, Reals) {
    const auto all = trajectory<T>(T(3), 9, T(0.25), T(0.9), T(0.999), T(0), T(0), [](T) { return -0.01; });
    for (std::size_t k = 0; k < all.size(); ++k)
        BOOST_TEST(std::abs(all[k] - (3 + 0.25 * static_cast<double>(k + 1))) < kRounding<T> * 100);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(decay_alone_is_a_geometric_series, T, Reals) {
    const auto all = trajectory<T>(T(2), 5, T(0.5), T(0.9), T(0.999), T(1e-8), T(0.5), [](T) { return 0.0; });
    for (std::size_t k = 0; k < all.size(); ++k)
        BOOST_TEST(std::abs(all[k] - 2 * std::pow(0.75, static_cast<double>(k + 1))) < kRounding<T> * 10);
}

BOOST_AUTO_TEST_SUITE_END()
