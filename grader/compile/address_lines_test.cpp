// Frames of the submission's own files in what addr2line prints.

#include "grader/compile/address_lines.h"

#include <boost/test/unit_test.hpp>

namespace attn::compile {
namespace {

BOOST_AUTO_TEST_SUITE(address_lines)

BOOST_AUTO_TEST_CASE(only_frames_in_the_submission_are_kept) {
    const auto frames = own_frames(
        "attn::TensorView<float, 2>::operator()(int, int) const\n./../contract/tensor.h:180\n"
        "std::vector<float>::at(unsigned long)\n/usr/include/c++/12/bits/stl_vector.h:1163\n"
        "attn::(anonymous namespace)::row_of(attn::TensorView<float, 2>, int)\n./lib/rows.h:7 (discriminator "
        "3)\n"
        "attn::softmax(attn::TensorView<float, 2>, attn::TensorView<float const, "
        "2>)\n./self_attention.cpp:15\n"
        "??\n??:0\n"
        "attn::f(int)\n./self_attention.cpp:?\n");
    BOOST_REQUIRE(frames.size() == 2U);
    BOOST_TEST(frames[0].function == "row_of");
    BOOST_TEST(frames[0].file == "lib/rows.h");
    BOOST_TEST(frames[0].line == 7);
    BOOST_TEST(frames[1].function == "softmax");
    BOOST_TEST(frames[1].file == "self_attention.cpp");
    BOOST_TEST(frames[1].line == 15);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::compile
