// Agreement with numbers from the tests of other projects. Only the numbers are copied.

#include <numeric>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/vit_patching_reference.h"
#include "reference/testing/near.h"
#include "reference/testing/vit_patching_inputs.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(vit_patching_published)

namespace {

/// first, first + 1, ..
template <class T>
Array counted(const attn::Shape& shape, double first = 0) {
    std::vector<double> values(attn::element_count(shape));
    std::iota(values.begin(), values.end(), first);
    return numbers<T>("X", shape, values);
}

/// [B, H, W, C] as [B, C, H, W]
template <class T>
Array channels_in_front(const Array& images) {
    const auto from = images.view<T, 4>();
    Array X = unwritten<T>("X", {from.size(0), from.size(3), from.size(1), from.size(2)});
    const auto to = X.view<T, 4>();
    for (int b = 0; b < to.size(0); ++b)
        for (int c = 0; c < to.size(1); ++c)
            for (int y = 0; y < to.size(2); ++y)
                for (int x = 0; x < to.size(3); ++x) to(b, c, y, x) = from(b, y, x, c);
    return X;
}

}  // namespace

// github.com/kornia/kornia, commit b4f5a78a13891c7ac4c1cd9695941380273e981d,
// tests/contrib/test_extract_tensor_patch.py, test_b1_ch1_h4w4_ws2_stride2. Apache-2.0.
BOOST_AUTO_TEST_CASE_TEMPLATE(kornia_windows_of_2_with_stride_2, T, Reals) {
    BOOST_TEST(is_near(on_arrays::patchify<T>(counted<T>({1, 1, 4, 4}), 2),
                       {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}, 0));
}

// github.com/tensorflow/tensorflow, commit 0304934138cbfabd338ec432a630a9c3c1191564,
// tensorflow/python/kernel_tests/image_ops/extract_image_patches_op_test.py,
// testKsize2x2Stride1x1Rate1x1Valid. Apache-2.0. The window is as large as the image, so its stride does not
// matter.
BOOST_AUTO_TEST_CASE_TEMPLATE(tensorflow_one_patch_of_2x2, T, Reals) {
    BOOST_TEST(is_near(on_arrays::patchify<T>(counted<T>({1, 1, 2, 2}, 1), 2), {1, 2, 3, 4}, 0));
}

// The same file, testKsize1x1Stride2x3Rate1x1: of an image [2, 4, 5, 3], channels last, every second row and
// every third column. Patches of one pixel include these; the others are left out here.
BOOST_AUTO_TEST_CASE_TEMPLATE(tensorflow_patches_of_one_pixel, T, Reals) {
    const Array all = on_arrays::patchify<T>(channels_in_front<T>(counted<T>({2, 4, 5, 3})), 1);
    const std::vector<int> chosen = {0, 3, 10, 13};  // y * 5 + x for y = 0, 2 and x = 0, 3
    BOOST_TEST(is_near(rows<T>(all, chosen), {0,  1,  2,  9,  10, 11, 30, 31, 32, 39, 40,  41,  //
                                              60, 61, 62, 69, 70, 71, 90, 91, 92, 99, 100, 101},
                       0));
}

BOOST_AUTO_TEST_SUITE_END()
