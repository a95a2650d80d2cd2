// Answers computed by hand, edge cases, and sizes that are refused.

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/transformer_block_reference.h"
#include "contracts/vit_patching_reference.h"
#include "datasets/files/message_contains.h"
#include "reference/testing/near.h"
#include "reference/testing/vit_patching_inputs.h"

using attn::Activation;
using attn::Array;
using attn::data::message_contains;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(vit_patching)

namespace {

/// 0, 1, 2, ..
template <class T>
Array counted(const char* name, const attn::Shape& shape) {
    std::vector<double> values(attn::element_count(shape));
    std::iota(values.begin(), values.end(), 0);
    return numbers<T>(name, shape, values);
}

/// Two patches of two channels: the example of the handout.
template <class T>
Array handout_image() {
    return numbers<T>("X", {1, 2, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 30, 40, 50, 60, 70, 80});
}

template <class T>
VitArrays handout_embedding() {
    VitArrays all = vit_arrays<T>({2, 2, 4, 2, 2, 1, 1, 1});
    all["E"] = numbers<T>("E", {8, 2}, {0.5, 0, 0, 0.1, 0.5, 0, 0, 0.1, 0.5, 0, 0, 0.1, 0.5, 0, 0, 0.1});
    all["b"] = numbers<T>("b", {2}, {1, -1});
    all["cls"] = numbers<T>("cls", {2}, {2, 3});
    all["E_pos"] = numbers<T>("E_pos", {3, 2}, {0.5, 0, 0, 1, -1, 2});
    return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_worked_example_of_the_handout, T, Reals) {
    const Array X = handout_image<T>();
    const std::vector<double> cut = {1, 10, 2, 20, 5, 50, 6, 60, 3, 30, 4, 40, 7, 70, 8, 80};
    BOOST_TEST(is_near(on_arrays::patchify<T>(X, 2), cut, 0));
    BOOST_TEST(is_near(unpatchify<T>(numbers<T>("patches", {1, 2, 8}, cut), X.shape, 2), X, 0));
    BOOST_TEST(
        is_near(embed_patches<T>(X, handout_embedding<T>(), 2), {2.5, 3, 8, 14, 11, 23}, 0, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(patches_go_row_by_row_and_so_do_the_pixels_inside, T, Reals) {
    // Two rows of three patches, one channel.
    const std::vector<double> cut = {0,  1,  6,  7,  2,  3,  8,  9,  4,  5,  10, 11,  //
                                     12, 13, 18, 19, 14, 15, 20, 21, 16, 17, 22, 23};
    BOOST_TEST(is_near(on_arrays::patchify<T>(counted<T>("X", {1, 1, 4, 6}), 2), cut, 0));
    // Three rows of two: the same image on its side is no transpose of that.
    const std::vector<double> on_its_side = {0,  1,  4,  5,  2,  3,  6,  7,  8,  9,  12, 13,  //
                                             10, 11, 14, 15, 16, 17, 20, 21, 18, 19, 22, 23};
    BOOST_TEST(is_near(on_arrays::patchify<T>(counted<T>("X", {1, 1, 6, 4}), 2), on_its_side, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(patches_of_one_pixel_move_the_channels_behind, T, Reals) {
    BOOST_TEST(is_near(on_arrays::patchify<T>(counted<T>("X", {2, 3, 1, 2}), 1),
                       {0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_patch_of_one_channel_is_the_image, T, Reals) {
    const Array X = normal<T>("X", {3, 1, 5, 5});
    const Array patches = on_arrays::patchify<T>(X, 5);
    BOOST_TEST(patches.shape == (attn::Shape{3, 1, 25}));
    BOOST_TEST((patches.as<T>() == X.as<T>()));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(with_blocks_that_add_nothing_the_head_reads_the_class_token, T, Reals) {
    const VitSizes sizes{1, 2, 4, 2, 2, 2, 3, 3};
    VitArrays all = vit_arrays<T>(sizes);
    for (const char* name : {"W_O", "b_O", "W_2", "b_2"}) all[name] = Array::zeros<T>(name, all[name].shape);
    all["cls"] = numbers<T>("cls", {2}, {0, 5});
    all["E_pos"] = numbers<T>("E_pos", {3, 2}, {1, -2, 9, 9, 9, 9});
    all["gamma"] = numbers<T>("gamma", {2}, {2, 3});
    all["beta"] = numbers<T>("beta", {2}, {0.5, -1});
    all["W_head"] = numbers<T>("W_head", {2, 3}, {1, 0, 2, 0, 1, 3});
    all["b_head"] = numbers<T>("b_head", {3}, {10, 20, 30});
    // cls + E_pos[0] = (1, 3): mean 2, variance 1, with eps = 3 it is normalised to (-1/2, 1/2).
    const double z[] = {2 * -0.5 + 0.5, 3 * 0.5 - 1};
    const std::vector<double> due = {z[0] + 10, z[1] + 20, 2 * z[0] + 3 * z[1] + 30};
    const Array logits = vit_encode<T>(normal<T>("X", {1, 1, 2, 4}), all, 2, 1, Activation::relu, 3);
    BOOST_TEST(is_near(logits, due, 0, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(logits_are_the_head_of_the_encoded_class_token, T, Reals) {
    const VitSizes sizes;
    const VitArrays all = vit_arrays<T>(sizes);
    const Array X = normal<T>("X", {2, sizes.C, sizes.H, sizes.W});
    const Array Z_0 = embed_patches<T>(X, all, sizes.P);
    const auto weights = made_of<on_arrays::VitWeightsArrays>(all);
    for (const Activation activation : {Activation::relu, Activation::gelu_erf, Activation::gelu_tanh}) {
        Array Z = unwritten<T>("Z", Z_0.shape);
        attn::cpu::transformer_encoder<T>(Z.view<T, 3>(), Z_0.view<T, 3>(),
                                          weights.template views<T>().encoder, {}, 4, attn::Norm::pre,
                                          activation, static_cast<T>(1e-3));
        Array due = product<T>(rows<T>(Z, {0}), all.at("W_head"));
        due.shape = {2, sizes.K};
        for (std::size_t k = 0; k < due.count(); ++k)
            due.as<T>()[k] += all.at("b_head").as<T>()[k % static_cast<std::size_t>(sizes.K)];
        BOOST_TEST(is_near(vit_encode<T>(X, all, sizes.P, 4, activation, 1e-3), due, kRounding<T>));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sides_that_P_does_not_divide_are_refused, T, Reals) {
    const Array X = normal<T>("X", {1, 2, 6, 4});
    const auto refused = message_contains({"H = 6", "W = 4", "P = 3"});
    BOOST_CHECK_EXCEPTION(on_arrays::patchify<T>(X, 3), std::invalid_argument, refused);
    BOOST_CHECK_EXCEPTION(unpatchify<T>(normal<T>("patches", {1, 2, 18}), X.shape, 3), std::invalid_argument,
                          refused);
    VitSizes sizes{2, 6, 4, 3};
    const VitArrays all = vit_arrays<T>(sizes);
    BOOST_CHECK_EXCEPTION(embed_patches<T>(X, all, 3), std::invalid_argument, refused);
    BOOST_CHECK_EXCEPTION(vit_encode<T>(X, all, 3, 2, Activation::relu, 1e-5), std::invalid_argument,
                          refused);
    BOOST_CHECK_EXCEPTION(on_arrays::patchify<T>(X, 4), std::invalid_argument, message_contains({"P = 4"}));
    BOOST_CHECK_EXCEPTION(on_arrays::patchify<T>(normal<T>("X", {1, 2, 4, 6}), 4), std::invalid_argument,
                          message_contains({"W = 6"}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(heads_that_do_not_divide_D_are_refused, T, Reals) {
    const VitSizes sizes;
    const Array X = normal<T>("X", {1, sizes.C, sizes.H, sizes.W});
    BOOST_CHECK_EXCEPTION(vit_encode<T>(X, vit_arrays<T>(sizes), sizes.P, 3, Activation::relu, 1e-5),
                          std::invalid_argument, message_contains({"heads = 3 does not divide D = 8"}));
}

BOOST_AUTO_TEST_SUITE_END()
