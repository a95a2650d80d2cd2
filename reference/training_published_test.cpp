// Agreement with numbers from the tests of other projects. Only the numbers are copied.

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/training_on_arrays.h"
#include "reference/testing/near.h"

using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(training_published)

// github.com/tensorflow/tensorflow, commit a170aef5b6703ec7d4819aaadc4bcd9c8f6cb017,
// tensorflow/python/kernel_tests/clip_ops_test.py, testClipByGlobalNormClipped, testClipByGlobalNormNotClipped
// and testClipByGlobalNormZero. Apache-2.0. Their two arrays stand one after the other.
BOOST_AUTO_TEST_CASE_TEMPLATE(tensorflow_clip_by_global_norm, T, Reals) {
    const attn::Array gradient = numbers<T>("gradient", {8}, {-2, 0, 0, 4, 0, 0, 1, -2});
    const auto longer = on_arrays::clip_gradients<T>(gradient, T(4));
    BOOST_TEST(is_near(longer.clipped, {-1.6, 0, 0, 3.2, 0, 0, 0.8, -1.6}, 1e-6));
    BOOST_TEST(is_near(longer.norm, {5}, 1e-6));
    const auto shorter = on_arrays::clip_gradients<T>(gradient, T(6));
    BOOST_TEST(is_near(shorter.clipped, {-2, 0, 0, 4, 0, 0, 1, -2}, 0));
    BOOST_TEST(is_near(shorter.norm, {5}, 1e-6));
    const auto zero =
        on_arrays::clip_gradients<T>(numbers<T>("gradient", {8}, {0, 0, 0, 0, 0, 0, 0, 0}), T(6));
    BOOST_TEST(is_near(zero.clipped, {0, 0, 0, 0, 0, 0, 0, 0}, 0));
    BOOST_TEST(is_near(zero.norm, {0}, 0));
}

BOOST_AUTO_TEST_SUITE_END()
