// Compares the counts with counts by hand at small sizes, and lists the functions that have a count.

#include "grader/ask/flop.h"

#include <algorithm>
#include <set>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/ask/module.h"

namespace attn::ask {
namespace {

BOOST_AUTO_TEST_SUITE(flop)

double flop_of(const std::string& function, const Sizes& sizes) {
    const Function* found = module_of(function)->find_function(function);
    BOOST_REQUIRE(found->flop);
    return found->flop(sizes);
}

BOOST_AUTO_TEST_CASE(attention_of_two_queries_to_three_keys_by_hand) {
    // Each of 6 scores: 5 products, 5 sums (the first adds to 0), 1 scaling, then maximum, difference, exp,
    // sum, quotient. Each of 8 results: 3 products, 3 sums.
    BOOST_TEST(
        flop_of("scaled_dot_product_attention", {{"B", 1}, {"N_q", 2}, {"N_k", 3}, {"D_q", 5}, {"D_v", 4}}) ==
        6 * (5 + 5 + 1 + 5) + 8 * (3 + 3));
    BOOST_TEST(flop_of("masked_attention", {{"B", 7}, {"N_q", 2}, {"N_k", 3}, {"D_q", 5}, {"D_v", 4}}) ==
               7 * 144);
}

BOOST_AUTO_TEST_CASE(a_row_of_layer_norm_by_hand) {
    // Sum 3, quotient 1; 3 differences, 3 squares, 3 sums, quotient 1; eps 1, root 1; 3 times difference,
    // quotient, product, sum.
    BOOST_TEST(flop_of("layer_norm", {{"N", 1}, {"D", 3}}) == 3 + 1 + 9 + 1 + 2 + 12);
}

BOOST_AUTO_TEST_CASE(a_token_of_feed_forward_by_hand) {
    // 3 hidden numbers of 2 products, 2 sums, bias, activation; 2 results of 3 products, 3 sums, bias.
    BOOST_TEST(flop_of("feed_forward", {{"N", 1}, {"D", 2}, {"F", 3}}) == 3 * 6 + 2 * 7);
}

BOOST_AUTO_TEST_CASE(a_block_is_the_sum_of_its_layers) {
    // Two tokens of two numbers, one head: four projections of 2 * 2 numbers at 2 * 2 + 1, attention (4
    // scores at 4 + 1 + 5, 4 results at 4), two layer norms of 2 rows at 20, the feed-forward above twice,
    // two residuals.
    BOOST_TEST(flop_of("transformer_block", {{"B", 1}, {"N", 2}, {"D", 2}, {"F", 3}, {"H", 1}}) ==
               4 * 4 * 5 + (4 * 10 + 4 * 4) + 2 * 2 * 20 + 2 * 32 + 2 * 4);
}

BOOST_AUTO_TEST_CASE(scores_of_one_word_by_hand) {
    // Query: 2 numbers of 3 products, 3 sums; key: 2 of 5 and 5; then 2 sums, 2 tanh, 2 products, 2 sums.
    BOOST_TEST(flop_of("additive_scores", {{"B", 1}, {"T", 1}, {"D_s", 3}, {"D_h", 5}, {"D_a", 2}}) ==
               2 * 6 + 2 * 10 + 8);
}

BOOST_AUTO_TEST_CASE(a_word_of_an_encoder_by_hand) {
    // Two layers of 3 numbers: for each, 6 products and 6 sums, a sum with b, a tanh.
    BOOST_TEST(flop_of("encode", {{"B", 1}, {"T", 1}, {"D", 3}, {"M", 2}}) == 2 * 3 * (6 + 6 + 1 + 1));
}

BOOST_AUTO_TEST_CASE(vit_b_16_costs_what_the_literature_says) {
    // ViT-B/16 at 224 x 224: 17.6 G multiplications and as many sums in the literature.
    const double vit = flop_of("vit_encode", {{"B", 1},
                                              {"C", 3},
                                              {"H", 224},
                                              {"W", 224},
                                              {"P", 16},
                                              {"D", 768},
                                              {"L", 12},
                                              {"F", 3072},
                                              {"K", 1000},
                                              {"heads", 12}});
    BOOST_TEST(vit / 1e9 == 35.2, boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(all_costly_functions_have_a_count) {
    std::set<std::string> counted;
    for (const Module& module : modules())
        for (const Function& function : module.functions)
            if (function.flop) counted.insert(function.name);
    const std::set<std::string> wanted = {"additive_scores",     "decode",
                                          "grid_attention",      "scaled_dot_product_attention",
                                          "self_attention",      "multi_head_attention",
                                          "masked_attention",    "layer_norm",
                                          "feed_forward",        "transformer_block",
                                          "transformer_encoder", "embed_patches",
                                          "vit_encode",          "encode"};
    BOOST_TEST(std::includes(counted.begin(), counted.end(), wanted.begin(), wanted.end()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::ask
