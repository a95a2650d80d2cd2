// Agreement with numbers from the tests of other projects. Only the numbers are copied.

#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/backward_on_arrays.h"
#include "reference/testing/near.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(backward_published)

// github.com/tensorflow/tensorflow, commit a93f5e719f22e88d64a3a45486e5baa3770c57ed,
// tensorflow/python/kernel_tests/xent_op_test.py, testNpXent.
// Apache-2.0. The gradients of the losses of two rows of logits.
BOOST_AUTO_TEST_CASE_TEMPLATE(tensorflow_cross_entropy_with_one_target, T, Reals) {
    const Array targets = {"targets", {1, 1}, std::vector<int>{3}};
    const Array dlogits = on_arrays::cross_entropy_backward<T>(
        numbers<T>("dloss", {1}, {1}), numbers<T>("logits", {1, 1, 4}, {1, 1, 1, 1}), targets, T(0));
    BOOST_TEST(is_near(dlogits, {0.25, 0.25, 0.25, -0.75}, 1e-3));
}

// Their target is token 1 or 2 with a half each. That is the mean of two losses with one target.
BOOST_AUTO_TEST_CASE_TEMPLATE(tensorflow_cross_entropy_with_two_targets, T, Reals) {
    const Array targets = {"targets", {1, 2}, std::vector<int>{1, 2}};
    const Array dlogits = on_arrays::cross_entropy_backward<T>(
        numbers<T>("dloss", {1}, {1}), numbers<T>("logits", {1, 2, 4}, {1, 2, 3, 4, 1, 2, 3, 4}), targets,
        T(0));
    std::vector<double> sums(4);
    for (std::size_t v = 0; v < 4; ++v)
        sums[v] = static_cast<double>(dlogits.template as<T>()[v] + dlogits.template as<T>()[4 + v]);
    BOOST_TEST(is_near(numbers<T>("sum", {4}, sums), {0.0321, -0.4129, -0.2632, 0.6439}, 1e-3));
}

BOOST_AUTO_TEST_SUITE_END()
