// The model put together from the course's functions, with made-up weights. with_weights_test.cpp has the real ones.

#include "grader/search/sentence_model.h"

#include <algorithm>
#include <cmath>

#include <boost/test/unit_test.hpp>

#include "datasets/files/message_contains.h"
#include "grader/search/testing/tiny_model.h"

namespace attn::search {
namespace {

BOOST_AUTO_TEST_SUITE(sentence_model)

const std::vector<std::string> kTexts = {"why divide by the root", "Softmax of a mask.", "word"};

std::vector<std::vector<std::int32_t>> tokens_of(const SentenceModel& model,
                                                 const std::vector<std::string>& texts) {
    std::vector<std::vector<std::int32_t>> all;
    for (const std::string& text : texts) all.push_back(model.tokens(text));
    return all;
}

BOOST_AUTO_TEST_CASE(vectors_are_those_of_bert_in_numpy) {
    // Computed from tiny_arrays() with numpy, in double, by the equations of BERT's paper.
    const std::vector<std::vector<double>> expected = {
        {-0.2442865, -0.4619364, 0.3287395, 0.1680122, 0.2198527, 0.6604048, -0.1211262, -0.3024893},
        {-0.2566740, -0.4033879, 0.4219958, 0.2661114, -0.0255467, 0.6440393, -0.1268314, -0.3016216},
        {-0.3786685, 0.3732825, 0.0206783, 0.6719916, -0.3275206, -0.0814092, -0.3165983, 0.2261379}};
    const TinyModel tiny;
    SentenceModel model(tiny.folder.path(), tiny.package.sizes);
    const auto tokens = tokens_of(model, kTexts);
    BOOST_TEST(tokens[1] == (std::vector<std::int32_t>{2, 10, 11, 18, 19, 16, 14, 3}),
               boost::test_tools::per_element());
    for (const Functions& functions : {plain_functions(), fast_functions()}) {
        const Array v = model.vectors(tokens, functions);
        for (int k = 0; k < 3; ++k)
            for (int d = 0; d < 8; ++d)
                BOOST_TEST(std::abs(double{v.view<float, 2>()(k, d)} -
                                    expected[static_cast<std::size_t>(k)][static_cast<std::size_t>(d)]) <
                           2e-6);
    }
}

BOOST_AUTO_TEST_CASE(a_text_has_the_same_vector_alone_and_among_longer_ones) {
    const TinyModel tiny;
    SentenceModel model(tiny.folder.path(), tiny.package.sizes);
    const auto tokens = tokens_of(model, kTexts);
    const Array together = model.vectors(tokens, fast_functions());
    for (int k = 0; k < 3; ++k) {
        const Array alone = model.vectors({tokens[static_cast<std::size_t>(k)]}, fast_functions());
        BOOST_TEST(std::abs(similarity(alone, 0, together, k) - 1) < 1e-6);
        BOOST_TEST(std::abs(similarity(alone, 0, together, (k + 1) % 3)) < 0.999);
    }
}

BOOST_AUTO_TEST_CASE(a_text_is_read_up_to_the_most_tokens_that_have_a_position) {
    const TinyModel tiny;
    const SentenceModel model(tiny.folder.path(), {2, 1e-12, 256});  // there are 16 positions
    const std::string word = "word ";
    std::string text;
    for (int k = 0; k < 14; ++k) text += word;
    BOOST_TEST(!model.is_too_long(text));
    BOOST_TEST(model.is_too_long(text + word));
    BOOST_TEST(model.tokens(text + word) == model.tokens(text), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_file_of_another_model_is_refused) {
    using data::message_contains;
    const auto refused = [](const std::function<void(Arrays&)>& change, const std::string& text,
                            int heads = 2) {
        Arrays arrays = tiny_arrays();
        change(arrays);
        const TinyModel tiny(arrays);
        BOOST_CHECK_EXCEPTION(SentenceModel(tiny.folder.path(), {heads, 1e-12, 16}), data::FileError,
                              message_contains({"model.safetensors", text}));
    };
    const auto named = [](Arrays& arrays, const std::string& name) -> Array& {
        return ask::by_name(arrays, name);
    };
    refused([](Arrays& arrays) { arrays.clear(); }, "no array embeddings.word_embeddings.weight");
    refused([](Arrays& arrays) { arrays.pop_back(); }, "no array encoder.layer.1.output.dense.bias");
    refused(
        [&](Arrays& arrays) {
            named(arrays, "embeddings.word_embeddings.weight") =
                Array::zeros<float>("embeddings.word_embeddings.weight", {19, 8});
        },
        "[19, 8]");
    refused(
        [&](Arrays& arrays) {
            named(arrays, "embeddings.LayerNorm.bias") =
                Array::zeros<double>("embeddings.LayerNorm.bias", {8});
        },
        "embeddings.LayerNorm.bias");
    refused(
        [&](Arrays& arrays) {
            named(arrays, "embeddings.token_type_embeddings.weight").shape = {2, 8, 1};
        },
        "[2, 8, 1]");
    refused(
        [&](Arrays& arrays) {
            named(arrays, "encoder.layer.0.intermediate.dense.weight").shape = {8, 12};
        },
        "[8, 12]");
    refused(
        [&](Arrays& arrays) {
            std::erase_if(arrays, [](const Array& each) { return each.name.starts_with("encoder"); });
        },
        "encoder.layer.0");
    refused([](Arrays&) {}, "8 numbers", 3);
    const TinyModel tiny(tiny_arrays(), "no\nvocabulary\n");
    BOOST_CHECK_EXCEPTION(SentenceModel(tiny.folder.path(), {}), data::FileError,
                          message_contains({"vocab.txt", "[PAD]"}));
}

BOOST_AUTO_TEST_CASE(arrays_that_are_not_needed_may_have_any_type) {
    // The real file has such an array of 64-bit integers.
    const TinyModel tiny;
    std::string bytes = data::read_file(tiny.folder / "model.safetensors");
    const std::string entry =
        R"({"embeddings.position_ids":{"dtype":"I64","shape":[1],"data_offsets":[NUMBERS]},)";
    std::uint64_t length = 0;
    for (int k = 7; k >= 0; --k)
        length = length << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(k)]);
    const std::string header = bytes.substr(8, length);
    const std::size_t numbers = bytes.size() - 8 - length;
    std::string longer = entry + header.substr(1);
    longer.replace(longer.find("NUMBERS"), 7, fmt::format("{},{}", numbers, numbers + 8));
    bytes = intake::little(longer.size(), 8) + longer + bytes.substr(8 + length) + std::string(8, '\1');
    tiny.folder.write("model.safetensors", bytes);
    BOOST_CHECK_THROW(data::read_safetensors(tiny.folder / "model.safetensors"), data::FileError);
    BOOST_TEST(SentenceModel(tiny.folder.path(), tiny.package.sizes).width() == 8);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::search
