#include "grader/models/training_page.h"

#include <cmath>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

namespace attn::trained {
namespace {

BOOST_AUTO_TEST_SUITE(training_page)

using training::Trained;

/// A training of five steps with a sample of each kind.
Trained small_training() {
    Trained trained;
    trained.model = "small";
    trained.modules = "plain";
    trained.steps = 5;
    trained.losses = {5, 4, 3, 2, 1};
    trained.lines = {{"everything is used", 0.5}, {"the context is not used", 4}};
    trained.figures = {{"share", 0.75, 0.5, 1}};
    trained.samples = {{"a b", "c", "c"}, {"xy", "12", "13"}, {"image 2", "7", "9"}};
    trained.pictures = {
        Array("attention.0", {2, 4, 4}, std::vector<float>(32, 0.25F)),
        Array("alignment.1", {2, 2}, std::vector<float>{1, 0, 0.5F, 0.5F}),
        Array("image.2", {2, 2}, std::vector<float>{0, 1, 0, 1}),
        Array("attention.2", {1, 5, 5}, std::vector<float>{0.2F, 0.1F, 0.3F, 0.4F, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                                           0,    0,    0,    0,    0, 0, 0, 0, 0, 0, 0, 0}),
    };
    return trained;
}

BOOST_AUTO_TEST_CASE(losses_are_means_of_equal_pieces) {
    const Curve curve = smoothed("c", {1, 3, 5, 7, 100, 300}, 3);
    BOOST_TEST(curve.x == (std::vector<double>{2, 4, 6}), boost::test_tools::per_element());
    BOOST_TEST(curve.y == (std::vector<double>{2, 6, 200}), boost::test_tools::per_element());
    BOOST_TEST(smoothed("c", {1, 2}, 3).y == (std::vector<double>{1, 2}), boost::test_tools::per_element());
    BOOST_TEST(smoothed("c", {}, 3).y.empty());
}

BOOST_AUTO_TEST_CASE(the_curve_is_drawn_with_the_lines_that_matter) {
    const ModelPage page = page_of({small_training()});
    const Section& losses = page.sections.at(0);
    BOOST_TEST(losses.charts.at(0).curves.at(0).y == (std::vector<double>{5, 4, 3, 2, 1}),
               boost::test_tools::per_element());
    BOOST_REQUIRE(losses.charts[0].levels.size() == 2U);
    BOOST_TEST(losses.charts[0].levels[1].text == "4.0000: the context is not used");
    BOOST_TEST(losses.text.at(0) ==
               "The last 5 losses are 3.0000 nats on average. That is above 0.5000 "
               "(\u201ceverything is used\u201d). That is below 4.0000 "
               "(\u201cthe context is not used\u201d).");
}

BOOST_AUTO_TEST_CASE(images_alignments_and_sentences_become_pictures) {
    const ModelPage page = page_of({small_training()});
    const Section& looks = page.sections.at(1);
    BOOST_REQUIRE(looks.maps.size() == 3U);  // two heads of the sentence and one alignment
    BOOST_TEST(looks.maps[0].rows == (std::vector<std::string>{"START", "a", "b", "c"}),
               boost::test_tools::per_element());
    BOOST_TEST(looks.maps[2].rows == (std::vector<std::string>{"1", "2"}), boost::test_tools::per_element());
    BOOST_TEST(looks.maps[2].columns == (std::vector<std::string>{"x", "y"}),
               boost::test_tools::per_element());
    BOOST_TEST(looks.maps[2].weights == (std::vector<double>{1, 0, 0.5, 0.5}),
               boost::test_tools::per_element());
    BOOST_REQUIRE(looks.images.size() == 1U);
    BOOST_TEST(looks.images[0].patch == 1);
    BOOST_TEST(looks.images[0].caption == "read 7, written 9");
    BOOST_TEST(!looks.images[0].right);
    BOOST_REQUIRE(looks.images[0].looked.size() == 4U);
    BOOST_TEST(std::abs(looks.images[0].looked[2] - 0.4) < 1e-6);
}

BOOST_AUTO_TEST_CASE(each_word_of_a_caption_has_a_picture_of_its_own) {
    Trained trained = small_training();
    trained.samples = {{"image 0", "two above", "two left of"}, {"image 1", "nine", "nine"}};
    trained.pictures = {Array("image.0", {4, 4}, std::vector<float>(16, 0.5F)),
                        Array("words.0", {2, 2, 2}, std::vector<float>{1, 0, 0, 0, 0, 0.5F, 0.25F, 0.25F}),
                        Array("image.1", {4, 4}, std::vector<float>(16, 1)),
                        Array("words.1", {1, 2, 2}, std::vector<float>{0, 0, 0, 1})};
    const Section looks = page_of({trained}).sections.at(1);
    BOOST_REQUIRE(looks.images.size() == 3U);
    BOOST_TEST(looks.columns == 2);
    BOOST_TEST(looks.images[0].caption == "two");
    BOOST_TEST(looks.images[0].right);
    BOOST_TEST(looks.images[0].starts_row);
    BOOST_TEST(looks.images[1].caption == "above");
    BOOST_TEST(!looks.images[1].right);
    BOOST_TEST(!looks.images[1].starts_row);
    BOOST_TEST(looks.images[1].patch == 2);
    BOOST_TEST(looks.images[1].looked == (std::vector<double>{0, 0.5, 0.25, 0.25}),
               boost::test_tools::per_element());
    BOOST_TEST(looks.images[2].starts_row);
}

BOOST_AUTO_TEST_CASE(an_answer_that_no_word_follows_has_no_row) {
    Trained trained = small_training();
    trained.samples = {{"a b c", "d", "d"}};
    const Section looks = page_of({trained}).sections.at(1);
    BOOST_REQUIRE(looks.maps.size() == 2U);
    BOOST_TEST(looks.maps[0].rows == (std::vector<std::string>{"START", "a", "b", "c"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_text_goes_on_where_it_was_given) {
    Trained trained = small_training();
    trained.pictures.clear();
    trained.samples = {{"a b", "c", "c"}, {"Alice ", "sat", ""}};
    const Section said = page_of({trained}).sections.at(1);
    BOOST_TEST(said.samples.at(0).written == " c");
    BOOST_TEST(said.samples.at(1).written == "sat");
}

BOOST_AUTO_TEST_CASE(a_figure_that_is_missed_is_said_so) {
    Trained trained = small_training();
    BOOST_TEST(page_of({trained}).good);
    BOOST_TEST(page_of({trained}).verdict == "share: 0.7500.");
    trained.figures[0].value = 0.25;
    BOOST_TEST(!page_of({trained}).good);
    BOOST_TEST(page_of({trained}).verdict == "share: 0.2500 (expected 0.5000 to 1.0000).");
}

BOOST_AUTO_TEST_CASE(training_and_held_out_data_are_two_curves) {
    Trained trained = small_training();
    training::add({{"Share", "share", "training", 0.5}, {"Share", "share", "held out", 0.25}}, 0,
                  trained.series);
    training::add({{"Share", "share", "training", 1}, {"Share", "share", "held out", 0.75}}, 5,
                  trained.series);
    const Section learned = page_of({trained}).sections.at(1);
    BOOST_REQUIRE(learned.charts.size() == 1U);
    BOOST_REQUIRE(learned.charts[0].curves.size() == 2U);
    BOOST_TEST(learned.charts[0].curves[1].name == "held out");
    BOOST_TEST(learned.charts[0].curves[1].x == (std::vector<double>{0, 5}),
               boost::test_tools::per_element());
    BOOST_TEST(learned.charts[0].curves[1].y == (std::vector<double>{0.25, 0.75}),
               boost::test_tools::per_element());
    BOOST_TEST(page_of({trained}).sections.at(0).text.at(1).starts_with("It stopped after 5 steps"));
    const auto text_for = [&](const char* data) {
        trained.series = {{"Share", "step", "share", {0}, {1}, data}};
        return page_of({trained}).sections.at(1).text.at(0);
    };
    BOOST_TEST(text_for("held out").find("knows the training data by heart") != std::string::npos);
    BOOST_TEST(text_for("training").find("so none are held out") != std::string::npos);
    BOOST_TEST(text_for("fresh").find("Each batch has new sentences") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(curves_of_an_earlier_training_stand_beside_these) {
    Trained old = small_training();
    old.losses = {9, 8};
    ModelPage page = page_of({small_training()});
    add_curves(page, curves_to_json(page_of({old}), "small"), "seed_2");
    const Chart& losses = page.sections.at(0).charts.at(0);
    BOOST_REQUIRE(losses.curves.size() == 2U);
    BOOST_TEST(losses.curves[1].name == "seed_2: small");
    BOOST_TEST(losses.curves[1].y == (std::vector<double>{9, 8}), boost::test_tools::per_element());
    BOOST_CHECK_THROW(add_curves(page, "{}", "x"), nlohmann::json::exception);
    BOOST_CHECK_THROW(add_curves(page, "no json", "x"), nlohmann::json::exception);
}

BOOST_AUTO_TEST_CASE(two_trainings_share_a_chart) {
    Trained other = small_training();
    other.model = "other";
    const ModelPage page = page_of({small_training(), other});
    BOOST_TEST(page.sections.at(0).charts.at(0).curves.size() == 2U);
    BOOST_TEST(page.verdict == "small, share: 0.7500; other, share: 0.7500.");
    BOOST_TEST(page.notes.size() == 2U);
}

BOOST_AUTO_TEST_CASE(series_with_one_title_share_a_chart) {
    Trained one = small_training(), other = small_training();
    one.series = {{"Right answers", "length", "share", {1, 2}, {1, 0.5}}};
    other.series = {{"Right answers", "length", "share", {1, 2}, {1, 0.25}},
                    {"Time", "length", "s", {1}, {2}}};
    other.model = "other";
    const Section learned = page_of({one, other}).sections.at(1);
    BOOST_REQUIRE(learned.charts.size() == 2U);
    BOOST_TEST(learned.charts[0].title == "Right answers");
    BOOST_REQUIRE(learned.charts[0].curves.size() == 2U);
    BOOST_TEST(learned.charts[0].curves[0].name == "small");
    BOOST_TEST(learned.charts[0].curves[1].name == "other");
    BOOST_TEST(learned.charts[0].curves[1].y == (std::vector<double>{1, 0.25}),
               boost::test_tools::per_element());
    BOOST_TEST(learned.charts[1].curves.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::trained
