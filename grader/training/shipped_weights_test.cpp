// The trained weights that the project ships: what they can do, and that the mistakes of students spoil it.

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "datasets/shipped.h"
#include "grader/judge/in_process.h"
#include "grader/training/shows.h"

namespace attn::trained {
namespace {

BOOST_AUTO_TEST_SUITE(shipped_weights)

struct Shipped {
    int assignment;
    std::string module;
    std::set<std::string> functions;
    std::string verdict;  ///< a part of it
    std::vector<std::string>
        mistakes;  ///< each spoils the page; those of recurrent decoders take too long for a test
};

const std::vector<Shipped>& all_shipped() {
    static const std::vector<Shipped> all = {
        {1, "rnn_attention", {"decode"}, "100 of 100 dates", {}},
        {2,
         "self_attention",
         {"scaled_dot_product_attention"},
         "349 of 360 digits (96.9 %)",
         {"softmax_over_columns"}},
        {3, "multi_head", {"multi_head_attention"}, "349 of 360 digits (96.9 %)", {"no_scale"}},
        {4,
         "masking",
         {"masked_attention", "causal_mask"},
         "3 of 3 sentences. Its loss is 0.173",
         {"mask_ignored", "one_key_ahead", "mask_transposed"}},
        {5,
         "transformer_block",
         {"transformer_block"},
         "3 of 3 sentences. Its loss is 0.173",
         {"mask_ignored", "residual_from_norm", "no_second_norm"}},
        {6, "vit_patching", {"vit_encode", "embed_patches"}, "349 of 360 digits (96.9 %)", {"no_positions"}},
        {7, "seq2seq", {"encode", "decode_without_attention"}, "23 of 100 dates", {}},
        {10,
         "encoder_decoder",
         {"translate_greedy", "transformer", "decoder_block", "cross_attention"},
         "40 of 40 dates",
         {"cache_not_advanced"}},
        {11,
         "language_model",
         {"generate", "language_model", "next_token_probabilities", "sample_top_p", "shift_right",
          "perplexity"},
         "3 of 3 sentences. At each place the model hesitates between 1.19 words",
         {"own_key_only", "no_causal_mask", "not_shifted", "power_of_2", "first_place", "u_of_batch_0"}},
    };
    return all;
}

/// The reference's functions, which remember their answers: every mistake is compared with the same ones.
Functions remembering_reference() {
    using Call = std::pair<std::string, std::vector<std::pair<Shape, Array::Values>>>;
    static std::map<Call, worker::CallResult> known;
    std::set<std::string> all;
    for (const ask::Module& module : ask::modules())
        for (const ask::Function& function : module.functions) all.insert(function.name);
    return {[](const ask::Function& function, const Arrays& inputs,
               const std::vector<std::string>& /*wanted*/, worker::Placement placement) {
                Call call = {function.name, {}};
                for (const Array& input : inputs) call.second.emplace_back(input.shape, input.values);
                const auto [answer, is_new] = known.try_emplace(std::move(call));
                if (is_new) answer->second = judge::reference_student()(function, inputs, {}, placement);
                return answer->second;
            },
            all};
}

ModelPage page_of(const Shipped& shipped, const judge::CallFunction& student) {
    for (const Show& show : shows())
        if (show.assignment == shipped.assignment) {
            const Weights weights(data::shipped("weights") / show.weights);
            Functions yours(student, shipped.functions), reference = remembering_reference();
            return show.page(weights, yours, reference);
        }
    throw std::logic_error("no show");
}

BOOST_AUTO_TEST_CASE(right_functions_do_what_the_weights_have_learned) {
    BOOST_TEST(shows().size() == all_shipped().size());
    for (const Shipped& shipped : all_shipped()) BOOST_TEST_CONTEXT(shipped.module) {
            const ModelPage page = page_of(shipped, judge::reference_student());
            BOOST_TEST(page.good);
            BOOST_TEST(page.verdict.find(shipped.verdict) != std::string::npos, page.verdict);
        }
}

BOOST_AUTO_TEST_CASE(mistakes_are_seen) {
    for (const Shipped& shipped : all_shipped()) {
        const ask::Module& module = *ask::find_module(shipped.module);
        for (const std::string& mistake : shipped.mistakes)
            BOOST_TEST_CONTEXT(shipped.module << ": " << mistake) {
                const auto found =
                    std::find_if(module.mistakes.begin(), module.mistakes.end(),
                                 [&](const ask::Mistake& known) { return known.name == mistake; });
                BOOST_REQUIRE(found != module.mistakes.end());
                const int number = static_cast<int>(found - module.mistakes.begin());
                const ModelPage page = page_of(shipped, judge::mistaken_student(module, {number}));
                BOOST_TEST(!page.good);
                BOOST_TEST(page.verdict.find("something in the table below is wrong") != std::string::npos);
            }
    }
}

BOOST_AUTO_TEST_CASE(all_together_are_small) {
    std::uintmax_t bytes = 0;
    for (const auto& file : std::filesystem::directory_iterator(data::shipped("weights")))
        bytes += file.file_size();
    constexpr std::uintmax_t kMost = std::uintmax_t{1} << 20;
    BOOST_TEST(bytes <= kMost);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::trained
