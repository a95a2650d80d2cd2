// Answers computed by hand, and numbers from the tests of other projects. Of those only the numbers are copied.

#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/windows_on_arrays.h"
#include "reference/testing/near.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(windows)

namespace {

/// first, first + 1, ..
template <class T>
Array counted(const attn::Shape& shape, int first = 0) {
    Array array = unwritten<T>("X", shape);
    std::iota(array.as<T>().begin(), array.as<T>().end(), static_cast<T>(first));
    return array;
}

template <class T>
Array ones(const attn::Shape& shape, double value = 1) {
    return numbers<T>("", shape, std::vector<double>(attn::element_count(shape), value));
}

/// The matrix of D x D with 1 on its diagonal.
template <class T>
Array identity(int D) {
    Array matrix = Array::zeros<T>("", {D, D});
    for (int d = 0; d < D; ++d) matrix.view<T, 2>()(d, d) = 1;
    return matrix;
}

/// Attention whose scores are the table alone: W_Q is 0, and values are the cells themselves.
template <class T>
on_arrays::WindowWeightsArrays only_table(int D, const Array& table) {
    on_arrays::WindowWeightsArrays weights;
    weights.for_each([&](const std::string& name, Array& array) {
        array = name == "table"         ? table
                : name.starts_with('b') ? Array::zeros<T>(name, {D})
                : name == "W_Q"         ? Array::zeros<T>(name, {D, D})
                                        : identity<T>(D);
    });
    return weights;
}

/// A mask as 0 and 1 in one row for each cell.
std::vector<double> bits(const std::vector<std::vector<int>>& rows) {
    std::vector<double> all;
    for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
    return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_worked_examples_of_the_handout, T, Reals) {
    const Array X = counted<T>({1, 4, 4, 1});
    const Array shifted = on_arrays::cyclic_shift<T>(X, 1);
    BOOST_TEST(is_near(shifted, {5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12, 1, 2, 3, 0}, 0));
    const Array cut = on_arrays::window_partition<T>(shifted, 2);
    BOOST_TEST(is_near(cut, {5, 6, 9, 10, 7, 4, 11, 8, 13, 14, 1, 2, 15, 12, 3, 0}, 0));
    BOOST_TEST(is_near(on_arrays::cyclic_shift<T>(on_arrays::window_reverse<T>(cut, 4, 4, 2), -1),
                       X.cast<double>().as<double>(), 0));

    const Array table = numbers<T>("table", {3, 3, 1}, {0, 0, 0, 0, 0, 1, 0, 0, 0});
    on_arrays::WindowWeightsArrays weights = only_table<T>(1, table);
    weights.attention.W_Q = identity<T>(1);
    const Array window = counted<T>({1, 1, 4, 1});
    BOOST_TEST(
        is_near(on_arrays::window_attention<T>(window, weights, {}, 2), {1.5, 2.3625, 2.8448, 2.8764}, 5e-5));
    const Array of_two = mask({1, 4, 4}, {1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1});
    BOOST_TEST(is_near(on_arrays::window_attention<T>(window, weights, of_two, 2),
                       {1, 2.7616, 1.9640, 2.9951}, 5e-5));

    const Array merged =
        on_arrays::patch_merging<T>(counted<T>({1, 2, 2, 1}), ones<T>({4}), Array::zeros<T>("beta", {4}),
                                    numbers<T>("W_R", {4, 2}, {1, 0, 0, 1, 0, 0, 0, 0}), T(1e-5));
    BOOST_TEST(is_near(merged, {-1.3416, 0.4472}, 5e-5));

    Array E = Array::zeros<T>("E", {20, 1});
    for (const std::size_t pixel : {0U, 5U, 10U, 15U}) E.as<T>()[pixel] = 1;
    const Array tokens =
        on_arrays::shifted_patch_tokens<T>(counted<T>({1, 1, 2, 2}, 1), ones<T>({20}),
                                           Array::zeros<T>("beta", {20}), E, ones<T>({1}), 2, T(1e-5));
    BOOST_TEST(is_near(tokens, {5.2426}, 5e-5));
}

BOOST_AUTO_TEST_CASE(masks_of_four_windows_after_a_shift_by_one) {
    const Array mask = on_arrays::shifted_window_mask(4, 4, 2, 1);
    BOOST_TEST(is_near(mask.cast<double>(),
                       bits({{1, 1, 1, 1},
                             {1, 1, 1, 1},
                             {1, 1, 1, 1},
                             {1, 1, 1, 1},  // in the middle of the image
                             {1, 0, 1, 0},
                             {0, 1, 0, 1},
                             {1, 0, 1, 0},
                             {0, 1, 0, 1},  // left and right edge
                             {1, 1, 0, 0},
                             {1, 1, 0, 0},
                             {0, 0, 1, 1},
                             {0, 0, 1, 1},  // upper and lower edge
                             {1, 0, 0, 0},
                             {0, 1, 0, 0},
                             {0, 0, 1, 0},
                             {0, 0, 0, 1}}),  // the four corners
                       0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sizes_and_shifts_are_refused, T, Reals) {
    const Array X = counted<T>({1, 4, 6, 1});
    BOOST_CHECK_THROW(on_arrays::window_partition<T>(X, 4), std::invalid_argument);
    BOOST_CHECK_THROW(on_arrays::window_partition<T>(X, 3), std::invalid_argument);
    BOOST_CHECK_THROW(on_arrays::shifted_window_mask(4, 6, 3, 1), std::invalid_argument);
    BOOST_CHECK_THROW(on_arrays::shifted_window_mask(4, 6, 2, 2), std::invalid_argument);
    BOOST_CHECK_THROW(on_arrays::shifted_window_mask(4, 6, 2, -1), std::invalid_argument);
    const auto weights = only_table<T>(3, Array::zeros<T>("table", {3, 3, 2}));
    BOOST_CHECK_THROW(on_arrays::window_attention<T>(counted<T>({1, 1, 4, 3}), weights, {}, 2),
                      std::invalid_argument);
}

// github.com/tensorflow/tensor2tensor, commit bafdc1b67730430d38d6ab802cbd51f9d053ba2e,
// tensor2tensor/layers/common_attention_test.py, testBreakIntoBlocksND and testPutBackBlocksND. Apache-2.0.
BOOST_AUTO_TEST_CASE_TEMPLATE(tensor2tensor_blocks, T, Reals) {
    const std::vector<double> blocks = {1, 2, 5, 6, 3, 4, 7, 8, 9, 10, 13, 14, 11, 12, 15, 16};
    const Array X = counted<T>({1, 4, 4, 1}, 1);
    BOOST_TEST(is_near(on_arrays::window_partition<T>(X, 2), blocks, 0));
    BOOST_TEST(is_near(on_arrays::window_reverse<T>(numbers<T>("windows", {1, 4, 4, 1}, blocks), 4, 4, 2),
                       X.cast<double>().as<double>(), 0));
}

// github.com/mathpluscode/ImgX-DiffSeg, imgx/model/window.py, the example of get_window_mask_index: the parts of six
// columns for windows of 3 and a shift of 2. Apache-2.0. Its rows have windows of 4, so here rows have the columns' parts.
BOOST_AUTO_TEST_CASE(imgx_regions) {
    const int part[] = {0, 0, 0, 1, 2, 2};
    const Array mask = on_arrays::shifted_window_mask(6, 6, 3, 2);
    const auto m = mask.view<std::uint8_t, 3>();
    for (int n = 0; n < 4; ++n)
        for (int i = 0; i < 9; ++i)
            for (int j = 0; j < 9; ++j) {
                const auto region = [&](int cell) {
                    return 3 * part[n / 2 * 3 + cell / 3] + part[n % 2 * 3 + cell % 3];
                };
                BOOST_TEST(m(n, i, j) == (region(i) == region(j) ? 1 : 0));
            }
}

// github.com/microsoft/Swin-Transformer, commit 055c506510dd456f4a5f6cc52655a35ebbb1f87b, models/swin_transformer.py: what
// WindowAttention computes as relative_position_index of a window of 2 x 2. MIT.
BOOST_AUTO_TEST_CASE_TEMPLATE(swin_relative_position_index, T, Reals) {
    const int index[4][4] = {{4, 3, 1, 0}, {5, 4, 2, 1}, {7, 6, 4, 3}, {8, 7, 5, 4}};
    const Array table = counted<T>({3, 3, 1});
    Array cells = identity<T>(4);
    cells.shape = {1, 1, 4, 4};
    const Array Y = on_arrays::window_attention<T>(cells, only_table<T>(4, table), {}, 2);
    std::vector<double> A;
    for (const auto& row : index) {
        double sum = 0;
        for (const int at : row) sum += std::exp(at);
        for (const int at : row) A.push_back(std::exp(at) / sum);
    }
    BOOST_TEST(is_near(Y, A, kRounding<T>));
}

BOOST_AUTO_TEST_SUITE_END()
