// The trainings reach their figures. In short here; in whole with ATTN_ALL_TESTS (make test-all).

#include "reference/models/tasks.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include <boost/test/unit_test.hpp>

namespace attn::training {
namespace {

BOOST_AUTO_TEST_SUITE(tasks, *boost::unit_test::label("long"))

bool all_tests() {
    return std::getenv("ATTN_ALL_TESTS") != nullptr;
}

Trained trained(Modules& modules, const std::string& name, int steps) {
    const auto task = task_named(name);
    Settings settings = task->settings();
    if (!all_tests()) settings.steps = steps;
    Training training(*task, modules, 1, settings);
    while (!training.done()) training.step();
    return trained_by(training, *task, modules);
}

BOOST_AUTO_TEST_CASE(three_sentences_are_learned_to_the_least_possible_loss) {
    for (const auto& modules : {plain_modules(), fast_modules()}) {
        const Trained result = trained(*modules, "three_sentences", 400);
        BOOST_TEST(result.model == "three_sentences");
        BOOST_TEST(result.losses.size() == 400U);
        BOOST_REQUIRE(result.lines.size() == 2U);
        BOOST_TEST(result.lines[0].second == 3 * std::log(3) / 19, boost::test_tools::tolerance(1e-9));
        BOOST_TEST(result.lines[1].second == 0.2919, boost::test_tools::tolerance(1e-3));
        BOOST_REQUIRE(result.figures.size() == 1U);
        BOOST_TEST(result.figures[0].reached(), result.figures[0].value);
        BOOST_REQUIRE(result.samples.size() == 3U);
        for (const Sample& sample : result.samples) BOOST_TEST(sample.said == sample.right);
    }
}

BOOST_AUTO_TEST_CASE(recall_is_learned_only_by_a_model_that_chooses_where_to_look) {
    const auto modules = fast_modules();
    const double without = std::log(3);
    for (std::uint64_t seed = 1; seed <= (all_tests() ? 20U : 1U); ++seed)
        BOOST_TEST_CONTEXT("seed " << seed) {
            const auto right = recall();
            // With queries of zeros each word looks at itself and all before it alike.
            const auto equal = with_zeros(recall(), "recall", {".W_Q", ".b_Q"});
            Settings settings = right->settings();
            Training training(*right, *modules, seed, settings);
            while (!training.done()) training.step();
            const Trained result = trained_by(training, *right, *modules);
            BOOST_TEST(result.figures.at(0).reached(), result.figures[0].value);
            for (const Sample& sample : result.samples) BOOST_TEST(sample.said == sample.right);
            if (!all_tests()) settings.steps = 200;
            Training other(*equal, *modules, seed, settings);
            while (!other.done()) other.step();
            const Figure figure = trained_by(other, *equal, *modules).figures.at(0);
            BOOST_TEST(figure.value > 0.9 * without, figure.value);
            BOOST_TEST(!figure.reached());
        }
}

BOOST_AUTO_TEST_CASE(the_lines_of_recall_are_its_floors) {
    const auto modules = fast_modules();
    const auto task = recall();
    Training training(*task, *modules, 1, task->settings());
    const Trained result = trained_by(training, *task, *modules);
    const double ln_2 = std::log(2), ln_3 = std::log(3);
    BOOST_REQUIRE(result.lines.size() == 3U);
    BOOST_TEST(std::abs(result.lines[0].second - (3 * ln_3 + 2 * ln_2) / 8) < 1e-12);
    BOOST_TEST(std::abs(result.lines[1].second - (4 * ln_3 + 2 * ln_2) / 8) < 1e-12);
    BOOST_TEST(std::abs(result.lines[2].second - ln_3) < 1e-12);
}

BOOST_AUTO_TEST_CASE(sums_need_a_feed_forward_network_or_more_blocks) {
    const auto modules = fast_modules();
    const auto share = [&](const char* name) { return trained(*modules, name, 500).figures.at(0).value; };
    BOOST_TEST(share("sums") == 1);
    BOOST_TEST(share("sums_without_feed_forward") <= 0.75);
    BOOST_TEST(share("deep_sums_without_feed_forward") >= 0.95);
}

BOOST_AUTO_TEST_CASE(weights_that_should_be_zero_stay_zero) {
    const auto modules = fast_modules();
    const auto task = with_zeros(sums(), "sums", {".W_1"});
    Training training(*task, *modules, 1, task->settings());
    for (int step = 0; step < 3; ++step) training.step();
    for (const Array& weight : to_arrays(task->layout(), training.weights())) {
        const auto zeros = std::ranges::count(weight.as<float>(), 0.0F);
        if (weight.name.ends_with(".W_1")) BOOST_TEST(zeros == std::ssize(weight.as<float>()));
        if (weight.name.ends_with(".W_Q")) BOOST_TEST(zeros == 0);
    }
}

BOOST_AUTO_TEST_CASE(digits_are_read) {
    const Trained result = trained(*fast_modules(), "digits", 300);
    BOOST_REQUIRE(result.figures.size() == 2U);
    for (const Figure& figure : result.figures)
        BOOST_TEST(figure.value >= (all_tests() ? figure.least : 0.8), figure.what << ": " << figure.value);
    // The class token's attention in each picture is a distribution.
    for (const Array& picture : result.pictures) {
        if (picture.name.rfind("attention.", 0) != 0) continue;
        const auto A = picture.view<float, 3>();
        for (int h = 0; h < A.size(0); ++h) {
            float sum = 0;
            for (int j = 0; j < A.size(2); ++j) sum += A(h, 0, j);
            BOOST_TEST(sum == 1, boost::test_tools::tolerance(1e-5F));
        }
    }
}

BOOST_AUTO_TEST_CASE(captions_are_whole_and_look_at_what_they_name) {
    // In short it leaves ln 14 = 2.6 nats behind.
    const auto modules = fast_modules();
    if (!all_tests()) {
        const auto task = captions();
        Settings settings = task->settings();
        settings.steps = 20;
        Training training(*task, *modules, 1, settings);
        while (!training.done()) training.step();
        BOOST_TEST(training.losses().front() > 2.4, training.losses().front());
        BOOST_TEST(training.losses().back() < 2.2, training.losses().back());
        return;
    }
    const Trained with = trained(*modules, "captions", 0),
                  without = trained(*modules, "captions_without_attention", 0);
    for (const Figure& figure : with.figures)
        BOOST_TEST(figure.reached(), figure.what << ": " << figure.value);
    BOOST_TEST(without.figures.at(1).value < 0.8, without.figures[1].value);
}

BOOST_AUTO_TEST_CASE(convolutions_need_fewer_digits) {
    const Trained result = trained(*fast_modules(), "little_data", 30);
    BOOST_REQUIRE(result.series.size() == 2U);
    const Series &convolutions = result.series[0], &transformer = result.series[1];
    BOOST_TEST(convolutions.data == "convolutional network");
    BOOST_TEST(convolutions.x.front() == 50);
    BOOST_TEST(convolutions.x.back() == 1400);
    BOOST_TEST(convolutions.y.front() > transformer.y.front() + 0.1);
    BOOST_TEST(convolutions.y.back() > 0.7);
}

BOOST_AUTO_TEST_CASE(dates_are_translated_and_attention_is_why) {
    const Trained with = trained(*fast_modules(), "translation", 250),
                  without = trained(*fast_modules(), "translation_without_attention", 250);
    BOOST_TEST(with.figures.at(0).value >= 0.995, with.figures.at(0).value);
    BOOST_TEST(without.figures.at(0).value <= 0.6, without.figures.at(0).value);
}

BOOST_AUTO_TEST_CASE(one_vector_is_too_little_for_long_sentences_and_attention_is_not) {
    const auto modules = fast_modules();
    const Trained with = trained(*modules, "bottleneck", 900),
                  without = trained(*modules, "bottleneck_without_attention", 900);
    const Series &shares = with.series.at(0), &others = without.series.at(0);
    BOOST_TEST(shares.what == others.what);
    BOOST_REQUIRE(shares.y.size() == 16U);
    BOOST_REQUIRE(others.y.size() == 16U);
    for (std::size_t k = 0; k < 16; ++k) {
        BOOST_TEST(shares.x[k] == static_cast<double>(k + 1));
        if (k < 4) BOOST_TEST(others.y[k] >= 0.9, "length " << k + 1 << ": " << others.y[k]);
        if (k < 12) BOOST_TEST(shares.y[k] >= 0.85, "length " << k + 1 << ": " << shares.y[k]);
        if (k > 10) BOOST_TEST(others.y[k] <= 0.1, "length " << k + 1 << ": " << others.y[k]);
    }
    if (all_tests()) BOOST_TEST(with.figures.at(0).reached(), with.figures[0].value);
}

BOOST_AUTO_TEST_CASE(a_transformer_learns_to_translate_dates) {
    // In whole it reaches its figure. In short it leaves ln 37 = 3.6 nats, the loss without any knowledge.
    const auto task = transformer();
    const auto modules = fast_modules();
    Settings settings = task->settings();
    if (!all_tests()) settings.steps = 40;
    Training training(*task, *modules, 1, settings);
    while (!training.done()) training.step();
    BOOST_TEST(training.losses().front() > 3, training.losses().front());
    BOOST_TEST(training.losses().back() < 2.5, training.losses().back());
    if (all_tests()) BOOST_TEST(trained_by(training, *task, *modules).figures.at(0).reached());
}

BOOST_AUTO_TEST_CASE(a_book_is_learned) {
    // ln 69 = 4.23 nats before the first step. A few steps learn little more than which characters are
    // frequent.
    const Trained result = trained(*fast_modules(), "text", 25);
    const double most = all_tests() ? result.figures.at(0).most : 3.5;
    BOOST_TEST(result.figures.at(0).value <= most, result.figures.at(0).value);
    BOOST_TEST(result.samples.at(0).said.size() == 400U);
}

BOOST_AUTO_TEST_CASE(each_model_measures_its_loss_and_a_share_of_right_answers_for_the_data_it_has) {
    const auto modules = fast_modules();
    for (const std::string& name : task_names()) {
        const auto task = task_named(name);
        std::vector<std::string> measured, expected;
        for (const Measured& each : task->measured(*modules, task->layout().initial(1))) {
            measured.push_back(each.data + ": " + each.y_name);
            BOOST_TEST((each.value >= 0 && each.value <= (each.y_name == "share" ? 1 : 10)),
                       name << ", " << measured.back() << ": " << each.value);
        }
        const bool holds_out = name == "digits" || name == "little_data" || name == "text" ||
                               name == "masked" || name == "alignment" || name.starts_with("trans") ||
                               name.starts_with("captions");
        const std::string first = name.starts_with("bottleneck") ? "fresh" : "training";
        for (const std::string& data : {first, std::string("held out")})
            if (data == first || holds_out)
                for (const char* of : {": nats", ": share"}) expected.push_back(data + of);
        BOOST_TEST(measured == expected, name);
    }
}

BOOST_AUTO_TEST_CASE(a_wrong_name_lists_the_right_ones) {
    BOOST_CHECK_EXCEPTION(task_named("digit"), std::invalid_argument, [](const std::invalid_argument& error) {
        return std::string(error.what()).find("three_sentences, recall, digits, translation") !=
               std::string::npos;
    });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::training
