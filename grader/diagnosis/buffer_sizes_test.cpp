#include "grader/diagnosis/buffer_sizes.h"

#include <boost/test/unit_test.hpp>

namespace attn::diagnosis {
namespace {

/// What is said about a buffer of so many floats in a call with B = 2, N = 5, D_x = 7, D_q = 3.
std::string said(const std::string& size, ask::Sizes sizes = {{"B", 2}, {"N", 5}, {"D_x", 7}, {"D_q", 3}}) {
    ask::Function function;
    function.inputs = {{.name = "X", .dims = {"B", "N", "D_x"}}, {.name = "W_Q", .dims = {"D_x", "D_q"}}};
    ask::CallSpec call;
    call.function = &function;
    call.sizes = std::move(sizes);
    return lengths_of_buffer("It wrote past the end of a buffer of " + size + ": element 30.", call);
}

BOOST_AUTO_TEST_SUITE(buffer_sizes)

BOOST_AUTO_TEST_CASE(the_size_of_a_buffer_is_a_product_of_lengths) {
    BOOST_TEST(said("15 floats") == " These are N D_q = 15 floats. Is B missing? B N D_q = 30.");
    BOOST_TEST(said("30 floats") == " These are B N D_q = 30 floats.");
    BOOST_TEST(said("21 floats") == " These are D_x D_q = 21 floats. Is B missing? B D_x D_q = 42.");
}

BOOST_AUTO_TEST_CASE(nothing_is_said_where_it_would_be_a_guess) {
    BOOST_TEST(said("16 floats").empty());
    BOOST_TEST(said("15 bytes").empty());
    BOOST_TEST(said("15 floats", {{"B", 3}, {"N", 5}, {"D_x", 5}, {"D_q", 3}}).empty());  // B N, N D_q, ..
    ask::Function function;
    ask::CallSpec call;
    call.function = &function;
    BOOST_TEST(lengths_of_buffer("It divided by zero.", call).empty());
    BOOST_TEST(lengths_of_buffer("It read past the end of a buffer of 15 floats: element 15.", call).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::diagnosis
