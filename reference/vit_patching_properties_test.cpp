// Properties that follow from the formulas for any numbers.

#include <algorithm>
#include <cstddef>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/vit_patching_reference.h"
#include "datasets/png.h"
#include "datasets/shipped.h"
#include "reference/testing/near.h"
#include "reference/testing/vit_patching_inputs.h"

using attn::Activation;
using attn::Array;
using attn::Shape;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(vit_patching_properties)

namespace {

constexpr int kHeads = 4;

template <class T>
Array encoded(const Array& X, const VitArrays& all) {
    return vit_encode<T>(X, all, VitSizes{}.P, kHeads, Activation::gelu_erf, 1e-5);
}

template <class T>
Array image(int B = 2) {
    const VitSizes sizes;
    return normal<T>("X", {B, sizes.C, sizes.H, sizes.W});
}

/// Rows order[0], order[1], .. of a matrix.
template <class T>
Array rows_of_matrix(const Array& E, const std::vector<int>& order) {
    Array result = rows<T>(Array(E.name, {1, E.shape[0], E.shape[1]}, E.as<T>()), order);
    result.shape = E.shape;
    return result;
}

/// Image b, for any rank.
template <class T>
Array alone(const Array& X, int b) {
    Shape shape = X.shape;
    shape[0] = 1;
    const auto size = static_cast<std::ptrdiff_t>(attn::element_count(shape));
    const auto first = X.as<T>().begin() + b * size;
    return Array(X.name, shape, std::vector<T>(first, first + size));
}

/// The rows of [B, N, D] that differ, numbered through all batches.
template <class T>
std::vector<std::size_t> changed_rows(const Array& before, const Array& after) {
    std::vector<std::size_t> changed;
    const auto D = static_cast<std::size_t>(before.shape[2]);
    for (std::size_t k = 0; k < before.count(); ++k)
        if (!(before.as<T>()[k] == after.as<T>()[k]) && (changed.empty() || changed.back() != k / D))
            changed.push_back(k / D);
    return changed;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(unpatchify_undoes_patchify, T, Reals) {
    struct Sizes {
        Shape image;
        int P;
    };
    for (const auto& [shape, P] : {Sizes{{2, 3, 6, 9}, 3},
                                   {{3, 2, 10, 4}, 2},
                                   {{2, 1, 4, 10}, 2},
                                   {{1, 3, 3, 5}, 1},
                                   {{2, 2, 5, 5}, 5},
                                   {{1, 3, 4, 12}, 4}}) {
        const Array X = normal<T>("X", shape), patches = on_arrays::patchify<T>(X, P);
        BOOST_TEST(is_near(unpatchify<T>(patches, shape, P), X, 0));
        BOOST_TEST(is_near(on_arrays::patchify<T>(unpatchify<T>(patches, shape, P), P), patches, 0));
    }
}

BOOST_AUTO_TEST_CASE(a_photograph_is_the_same_after_patchify_and_unpatchify) {
    const Array cat = attn::data::read_png(attn::data::shipped("chelsea.png"));
    const auto rgb = cat.view<std::uint8_t, 3>();
    Array X = Array::zeros<float>("X", {1, 3, 288, 448});
    const auto x = X.view<float, 4>();
    for (int c = 0; c < 3; ++c)
        for (int row = 0; row < 288; ++row)
            for (int column = 0; column < 448; ++column) x(0, c, row, column) = rgb(row, column, c);
    const Array patches = on_arrays::patchify<float>(X, 16);
    BOOST_TEST(patches.shape == (Shape{1, 18 * 28, 768}));
    // The file keeps the channels of a pixel together, and so does the first row of a patch.
    for (int k = 0; k < 48; ++k)
        BOOST_TEST(patches.as<float>()[29 * 768 + static_cast<std::size_t>(k)] == rgb(16, 16 + k / 3, k % 3));
    BOOST_TEST(is_near(unpatchify<float>(patches, X.shape, 16), X, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_embedding_is_a_convolution_with_stride_P, T, Reals) {
    const VitSizes n;
    const VitArrays all = vit_arrays<T>(n);
    const Array X = image<T>(), Z = embed_patches<T>(X, all, n.P);
    const auto x = X.view<T, 4>();
    const auto arrays = made_of<on_arrays::VitWeightsArrays>(all);
    const attn::VitWeights<T> w = arrays.template views<T>();
    std::vector<double> due;
    for (int b = 0; b < 2; ++b) {
        for (int d = 0; d < n.D; ++d) due.push_back(static_cast<double>(w.cls(d) + w.E_pos(0, d)));
        for (int top = 0, t = 1; top < n.H; top += n.P) {
            for (int left = 0; left < n.W; left += n.P, ++t) {
                for (int d = 0; d < n.D; ++d) {
                    T sum = w.b(d) + w.E_pos(t, d);
                    for (int c = 0; c < n.C; ++c)
                        for (int dy = 0; dy < n.P; ++dy)
                            for (int dx = 0; dx < n.P; ++dx)
                                sum += x(b, c, top + dy, left + dx) * w.E(n.C * (n.P * dy + dx) + c, d);
                    due.push_back(static_cast<double>(sum));
                }
            }
        }
    }
    BOOST_TEST(is_near(Z, due, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_pixel_changes_exactly_one_token, T, Reals) {
    const VitSizes n;
    const VitArrays all = vit_arrays<T>(n);
    const Array X = image<T>();
    Array changed = X;
    changed.view<T, 4>()(1, 2, 3, 3) += 1;  // row 1, column 1 of the grid: patch 4 of image 1
    const std::size_t N = static_cast<std::size_t>(n.tokens()) - 1;
    BOOST_TEST((changed_rows<T>(on_arrays::patchify<T>(X, n.P), on_arrays::patchify<T>(changed, n.P)) ==
                std::vector<std::size_t>{N + 4}));
    BOOST_TEST((changed_rows<T>(embed_patches<T>(X, all, n.P), embed_patches<T>(changed, all, n.P)) ==
                std::vector<std::size_t>{N + 1 + 5}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(permuting_patches_together_with_their_positions_keeps_the_logits, T, Reals) {
    const VitSizes n;
    const VitArrays all = vit_arrays<T>(n);
    VitArrays permuted = all;
    const Array X = image<T>(), patches = on_arrays::patchify<T>(X, n.P);
    const Array shuffled = unpatchify<T>(rows<T>(patches, {3, 0, 5, 1, 2, 4}), X.shape, n.P);
    permuted["E_pos"] = rows_of_matrix<T>(all.at("E_pos"), {0, 4, 1, 6, 2, 3, 5});
    const Array logits = encoded<T>(X, all);
    BOOST_TEST(is_near(encoded<T>(shuffled, permuted), logits, 4 * kRounding<T>));
    BOOST_TEST(is_near(embed_patches<T>(shuffled, permuted, n.P),
                       rows<T>(embed_patches<T>(X, all, n.P), {0, 4, 1, 6, 2, 3, 5}), 0));
    BOOST_TEST(!is_near(encoded<T>(shuffled, all), logits, 0.01));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(images_are_independent, T, Reals) {
    const VitSizes n;
    const VitArrays all = vit_arrays<T>(n);
    const Array X = image<T>(3), Z = embed_patches<T>(X, all, n.P), logits = encoded<T>(X, all);
    for (int b = 0; b < 3; ++b) {
        BOOST_TEST(is_near(alone<T>(Z, b), embed_patches<T>(alone<T>(X, b), all, n.P), 0));
        BOOST_TEST(is_near(alone<T>(logits, b), encoded<T>(alone<T>(X, b), all), 0));
    }
    BOOST_TEST(!is_near(alone<T>(logits, 0), alone<T>(logits, 1), 0.01));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_number_added_to_every_position_changes_no_logit, T, Reals) {
    const VitArrays all = vit_arrays<T>({});
    VitArrays lifted = all;
    for (T& x : lifted["E_pos"].template as<T>()) x += 2;
    BOOST_TEST(is_near(encoded<T>(image<T>(), lifted), encoded<T>(image<T>(), all), 8 * kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_weight_and_every_pixel_has_an_effect, T, Reals) {
    const VitArrays all = vit_arrays<T>({});
    const Array X = image<T>(1), logits = encoded<T>(X, all);
    for (const auto& [name, array] : all) {
        if (name == "b_K") continue;  // the softmax removes it
        VitArrays other = all;
        for (T& x : other[name].template as<T>()) x += x / 2 + 1;
        if (name == "E_pos") other[name] = rows_of_matrix<T>(array, {1, 2, 3, 4, 5, 6, 0});
        BOOST_TEST(!is_near(encoded<T>(X, other), logits, 0.001), name);
    }
    for (std::size_t k = 0; k < X.count(); ++k) {
        Array other = X;
        other.as<T>()[k] += 1;
        BOOST_TEST(!is_near(encoded<T>(other, all), logits, 1e-6));
    }
}

BOOST_AUTO_TEST_SUITE_END()
