// Counts of published models. Of other projects only the numbers are copied.

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "contracts/sizes_on_arrays.h"

using attn::Array;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(sizes)

namespace {

/// The numbers of the rows, as one whole number each.
std::vector<std::int64_t> numbers_of(const Array& counts) {
    std::vector<std::int64_t> numbers;
    const auto c = counts.view<int, 2>();
    for (int r = 0; r < c.size(0); ++r) numbers.push_back(std::int64_t{1000000} * c(r, 0) + c(r, 1));
    return numbers;
}

std::int64_t total_of(const Array& counts) {
    return numbers_of(counts).back();
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_worked_example_of_the_handout) {
    // A BERT with V = 5, N = 4, two types, D = 2, F = 3, L = 2 and H = 1
    BOOST_TEST(numbers_of(on_arrays::bert_parameters(5, 4, 2, 2, 3, 2, 1, true)) ==
                   (std::vector<std::int64_t>{22, 48, 34, 20, 6, 130}),
               boost::test_tools::per_element());
    BOOST_TEST(total_of(on_arrays::bert_parameters(5, 4, 2, 2, 3, 2, 1, false)) == 124);
}

// Vaswani et al. 2017, table 3: 65M and 213M. D0's table has the same.
BOOST_AUTO_TEST_CASE(transformers_of_the_paper) {
    BOOST_TEST(total_of(on_arrays::transformer_parameters(37000, 512, 2048, 6, 8, true)) == 63'082'496);
    BOOST_TEST(total_of(on_arrays::transformer_parameters(37000, 1024, 4096, 6, 16, true)) == 214'245'376);
    BOOST_TEST(total_of(on_arrays::transformer_parameters(37000, 512, 2048, 6, 8, false)) ==
               63'082'496 + 2 * 37000 * 512);
}

// github.com/keras-team/keras-hub, the presets of bert: 109482240 for base and 335141888 for large, both uncased.
BOOST_AUTO_TEST_CASE(bert_as_it_is_published) {
    BOOST_TEST(total_of(on_arrays::bert_parameters(30522, 512, 2, 768, 3072, 12, 12, true)) == 109'482'240);
    BOOST_TEST(total_of(on_arrays::bert_parameters(30522, 512, 2, 1024, 4096, 24, 16, true)) == 335'141'888);
}

// RoBERTa large with the pooler: what transformers.TFRobertaMainLayer prints.
BOOST_AUTO_TEST_CASE(roberta_as_it_is_published) {
    BOOST_TEST(total_of(on_arrays::bert_parameters(50265, 514, 1, 1024, 4096, 24, 16, true)) == 355'359'744);
}

BOOST_AUTO_TEST_CASE(xlnet_has_more_than_the_slide_says) {
    BOOST_TEST(total_of(on_arrays::xlnet_parameters(32000, 1024, 4096, 24, 16)) == 360'268'800);
}

// github.com/keras-team/keras-hub, the presets of gpt2.
BOOST_AUTO_TEST_CASE(gpt2_as_it_is_published) {
    BOOST_TEST(total_of(on_arrays::gpt2_parameters(50257, 1024, 768, 3072, 12, 12)) == 124'439'808);
    BOOST_TEST(total_of(on_arrays::gpt2_parameters(50257, 1024, 1024, 4096, 24, 16)) == 354'823'168);
    BOOST_TEST(total_of(on_arrays::gpt2_parameters(50257, 1024, 1280, 5120, 36, 20)) == 774'030'080);
    BOOST_TEST(total_of(on_arrays::gpt2_parameters(50257, 1024, 1600, 6400, 48, 25)) == 1'557'611'200);
}

// Shoeybi et al. 2019: 1.2, 2.5, 4.2 and 8.3 billion.
BOOST_AUTO_TEST_CASE(megatron_agrees_with_the_slide) {
    BOOST_TEST(total_of(on_arrays::gpt2_parameters(51200, 1024, 1536, 6144, 40, 16)) == 1'213'479'936);
    BOOST_TEST(total_of(on_arrays::gpt2_parameters(51200, 1024, 1920, 7680, 54, 20)) == 2'490'408'960);
    BOOST_TEST(total_of(on_arrays::gpt2_parameters(51200, 1024, 2304, 9216, 64, 24)) == 4'199'109'120);
    BOOST_TEST(total_of(on_arrays::gpt2_parameters(51200, 1024, 3072, 12288, 72, 32)) == 8'317'040'640);
}

// github.com/pytorch/vision, torchvision/models/vision_transformer.py: num_params and _ops, which are billions of
// multiplications with their addition. BSD-3-Clause.
BOOST_AUTO_TEST_CASE(torchvision_counts_parameters_and_multiplications) {
    struct Published {
        int P, D, F, L, H;
        std::int64_t parameters;
        double ops;
    };
    for (const auto& [P, D, F, L, H, parameters, ops] : {Published{16, 768, 3072, 12, 12, 86'567'656, 17.564},
                                                         {32, 768, 3072, 12, 12, 88'224'232, 4.409},
                                                         {16, 1024, 4096, 24, 16, 304'326'632, 61.555},
                                                         {32, 1024, 4096, 24, 16, 306'535'400, 15.378}}) {
        BOOST_TEST(total_of(on_arrays::vit_parameters(224, P, 3, D, F, L, H, 1000)) == parameters);
        // The blocks see the patches and CLS; the patches' matrix sees the patches, and the head CLS alone.
        const int patches = (224 / P) * (224 / P);
        const auto flop = numbers_of(on_arrays::forward_flop(1, patches + 1, D, F, L, H, 1));
        const double multiplications = static_cast<double>(flop[0] + flop[1] + flop[2]) / 2 +
                                       static_cast<double>(patches) * P * P * 3 * D + 1000.0 * D;
        BOOST_TEST(multiplications / 1e9 == ops, boost::test_tools::tolerance(5e-4 / ops));
    }
    BOOST_TEST(total_of(on_arrays::vit_parameters(224, 14, 3, 1280, 5120, 32, 16, 1000)) == 632'045'800);
}

// Rajbhandari et al. 2020, section 3.1: 16 bytes for a parameter, at least 24 GB for GPT-2 with 1.5 billion.
BOOST_AUTO_TEST_CASE(sixteen_bytes_for_a_parameter) {
    for (const bool mixed : {false, true}) {
        const auto bytes = numbers_of(on_arrays::training_memory(50257, 1024, 1600, 6400, 48, 25, 1, mixed));
        BOOST_TEST(bytes[0] + bytes[1] + bytes[2] == std::int64_t{16} * 1'557'611'200);
    }
}

// Korthikanti et al. 2022, equation (1) without the dropout's masks and outputs: s b h (32 + 2 a s / h) bytes in half
// precision.
BOOST_AUTO_TEST_CASE(activations_of_a_block) {
    const std::int64_t s = 2048, b = 3, h = 12288, a = 96;
    const auto bytes =
        numbers_of(on_arrays::training_memory(1, int(s), int(h), int(4 * h), 1, int(a), int(b), true));
    BOOST_TEST(bytes[3] == s * b * (32 * h + 2 * a * s));
}

BOOST_AUTO_TEST_CASE(the_memory_of_attention_in_the_handout) {
    BOOST_TEST(numbers_of(on_arrays::attention_memory(8, 1024, 768, 12, 12, 4)) ==
                   (std::vector<std::int64_t>{4'831'838'208, 905'969'664, 603'979'776, 4'718'592}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(heads_that_do_not_divide_are_refused) {
    BOOST_CHECK_THROW(on_arrays::transformer_parameters(5, 6, 3, 1, 4, true), std::invalid_argument);
    BOOST_CHECK_THROW(on_arrays::vit_parameters(10, 4, 3, 4, 4, 1, 2, 3), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
