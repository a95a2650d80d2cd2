// The pages of `make show` for right and wrong functions, with weights that have learned nothing: they are not
// shipped, but a wrong function changes what they lead to all the same.

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/judge/in_process.h"
#include "grader/models/random_weights.h"
#include "grader/models/shows.h"

namespace attn::trained {
namespace {

BOOST_AUTO_TEST_SUITE(model_shows, *boost::unit_test::label("long"))

struct Case {
    ModelPage (*show)(const Shown&);
    Weights weights;
    std::string function;  ///< the one that the show is about
    std::size_t images, maps, samples;
};

/// The words that the captioner with random weights says about eight images.
constexpr std::size_t kDrawnWords = 12;

std::vector<Case> all_shows() {
    return {{show_self_attention, random_digit_weights(), "scaled_dot_product_attention", 24, 1, 0},
            {show_multi_head, random_digit_weights(), "multi_head_attention", 40, 0, 0},
            {show_vit_patching, random_digit_weights(), "vit_encode", 40, 0, 0},
            {show_rnn_attention, random_date_weights(), "decode", 0, 4, 10},
            {show_masking, random_sentence_weights(), "masked_attention", 0, 6, 3},
            {show_transformer_block, random_sentence_weights(), "transformer_block", 0, 6, 3},
            {show_encoder_decoder, random_transformer_weights(), "translate_greedy", 0, 4, 10},
            {show_language_model, random_sentence_weights(), "generate", 0, 0, 9},
            {show_seq2seq, random_date_weights(), "decode_without_attention", 0, 0, 10},
            {show_image_captioning, random_caption_weights(), "caption_greedy", kDrawnWords, 0, 0},
            {show_co_attention, random_alignment_weights(), "vision_language_encode", 6, 1, 0}};
}

/// The page for a student who has written only the functions in `written`. If `change` is given, it changes the
/// results of `each.function`.
ModelPage page_for(const Case& each, const std::set<std::string>& written,
                   std::function<void(const Arrays&, Arrays&)> change = {}) {
    const judge::CallFunction right = judge::reference_student(),
                              wrong = judge::reference_student(std::move(change));
    StudentOrReference yours(
        [&](const ask::Function& function, const Arrays& inputs, const std::vector<std::string>& wanted,
            worker::Placement placement) {
            return (function.name == each.function ? wrong : right)(function, inputs, wanted, placement);
        },
        written, StudentOrReference::Checked::yes);
    StudentOrReference reference({}, {});
    return page_of({0, "", each.show}, {each.weights, yours, reference}, [](const auto&) { return 7; });
}

BOOST_AUTO_TEST_CASE(right_functions_are_good_and_everything_is_drawn) {
    for (const Case& each : all_shows()) BOOST_TEST_CONTEXT(each.function) {
            const ModelPage page = page_for(each, {each.function});
            BOOST_TEST(page.good);
            BOOST_TEST(page.verdict.find(each.show == show_co_attention ? "of 60 canvases"
                                         : each.images == kDrawnWords   ? "of 40 images"
                                         : each.images > 0              ? "of 360 digits"
                                         : each.samples > 9             ? "0 dates"
                                                            : "of 3 sentences") != std::string::npos);
            BOOST_TEST(page.verdict.find("wrong") == std::string::npos);
            std::size_t images = 0, maps = 0, samples = 0;
            for (const Section& section : page.sections) {
                images += section.images.size(), maps += section.maps.size(),
                    samples += section.samples.size();
                for (const WeightMap& map : section.maps)
                    BOOST_TEST(map.weights.size() == map.rows.size() * map.columns.size());
                for (const ReadImage& image : section.images) {
                    BOOST_TEST(image.ink.size() == static_cast<std::size_t>(image.width * image.height));
                    const int patches = image.width / image.patch * (image.height / image.patch);
                    BOOST_TEST(image.looked.size() == static_cast<std::size_t>(patches));
                }
            }
            BOOST_TEST(images == each.images);
            BOOST_TEST(maps == each.maps);
            BOOST_TEST(samples == each.samples);
        }
}

BOOST_AUTO_TEST_CASE(a_wrong_function_spoils_the_page) {
    for (const Case& each : all_shows()) BOOST_TEST_CONTEXT(each.function) {
            // The first output, upside down.
            const ModelPage page = page_for(each, {each.function}, [](const Arrays&, Arrays& outputs) {
                if (type_of(outputs[0]) == ElementType::i32)
                    std::ranges::reverse(outputs[0].as<std::int32_t>());
                else
                    for (float& y : outputs[0].as<float>()) y = -y;
            });
            BOOST_TEST(!page.good);
            BOOST_TEST(page.verdict.starts_with("Your " + each.function + " is wrong: "), page.verdict);
            BOOST_TEST(page.verdict.find(". Type make grade A=7. ") != std::string::npos, page.verdict);
        }
}

BOOST_AUTO_TEST_CASE(a_function_that_is_not_written_is_said_to_be_the_references) {
    for (const Case& each : all_shows()) BOOST_TEST_CONTEXT(each.function) {
            const ModelPage page = page_for(each, {});
            BOOST_TEST(!page.good);
            BOOST_TEST(page.verdict.find("The reference's " + each.function) == 0U);
        }
}

/// The functions that a show calls besides the one in its title.
BOOST_AUTO_TEST_CASE(every_function_of_a_language_model_and_a_transformer_counts) {
    const std::vector<std::pair<std::size_t, std::set<std::string>>> all = {
        {6, {"transformer", "decoder_block", "cross_attention", "transformer_encoder"}},
        {7, {"language_model", "next_token_probabilities", "sample_top_p", "shift_right", "perplexity"}}};
    for (const auto& [place, functions] : all)
        for (const std::string& function : functions) BOOST_TEST_CONTEXT(function) {
                Case each = all_shows()[place];
                const std::string title = each.function;
                each.function = function;
                const ModelPage page = page_for(each, {title, function}, [](const Arrays&, Arrays& outputs) {
                    for (Array& output : outputs)
                        if (type_of(output) == ElementType::i32)
                            std::ranges::reverse(output.as<std::int32_t>());
                        else
                            for (float& y : output.as<float>()) y = -y;
                });
                BOOST_TEST(!page.good);
                BOOST_TEST(page.verdict.starts_with("Your " + function + " is wrong: "), page.verdict);
            }
}

/// A wrong function may say numbers that are no words.
BOOST_AUTO_TEST_CASE(numbers_that_are_no_words_are_drawn) {
    for (const std::size_t place : {6U, 7U}) {
        const Case each = all_shows()[place];
        const ModelPage page = page_for(each, {each.function}, [](const Arrays&, Arrays& outputs) {
            std::ranges::fill(outputs[0].as<std::int32_t>(), -7);
            outputs[0].as<std::int32_t>().back() = 1000;
        });
        BOOST_TEST(!page.good);
        BOOST_TEST(page.sections.at(place == 6 ? 1 : 0).samples.at(0).written.find('?') != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(a_mask_that_is_not_applied_is_seen) {
    const Case masking = all_shows()[4];
    const ModelPage page = page_for(masking, {"masked_attention"}, [](const Arrays& inputs, Arrays& outputs) {
        const Array& mask = ask::by_name(inputs, "mask");
        Arrays all = ask::without(inputs, "mask");
        all.push_back(Array("mask", mask.shape, std::vector<std::uint8_t>(mask.count(), 1)));
        outputs = evaluate(*ask::module_of("masked_attention")->find_function("masked_attention"), all,
                           ask::Precision::f32);
    });
    BOOST_TEST(!page.good);
    bool sees_the_future = false;
    for (const WeightMap& map : page.sections.at(1).maps)
        for (std::size_t i = 0; i < map.rows.size(); ++i)
            for (std::size_t j = i + 1; j < map.columns.size(); ++j)
                sees_the_future = sees_the_future || map.weights[i * map.columns.size() + j] > 0;
    BOOST_TEST(sees_the_future);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::trained
