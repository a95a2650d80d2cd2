// The page of a model in a browser.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "grader/models/model_page.h"
#include "grader/testing/browser.h"

namespace attn::trained {
namespace {

using nlohmann::json;

BOOST_AUTO_TEST_SUITE(show_page, *report::has_browser() * boost::unit_test::label("long"))

/// A page with everything that a page can have; one weight is no number, and the texts look like markup.
ModelPage full_page() {
    ModelPage page;
    page.title = "A <b>model</b>";
    page.verdict = "It reads </script> well.";
    Section section{"All pictures", {"A paragraph."}};
    Chart chart{"Loss",
                "step",
                "nats",
                {{"training", {}, {}}, {"held out", {0, 100}, {2, NAN}}},
                {{0.1735, "the least possible"}, {0.2919, "only the last word"}}};
    for (int k = 0; k < 50; ++k) {
        chart.curves[0].x.push_back(k);
        chart.curves[0].y.push_back(3.0 / (k + 1));
    }
    section.charts = {chart};
    ReadImage image{4, 4, std::vector<double>(16, 0.5), 2, {0.1, 0.2, NAN, 0.7}, "read 3, written 5", false};
    section.images = {image, image, image};
    section.images[1].right = true;
    section.maps = {
        {"A", {"one", "two", "three"}, {"a", "b", "c"}, {1, 0, 0, 0.5, 0.25, 0.25, 0.001, NAN, 0.999}}};
    section.samples = {{"I think", " therefore I am", "", true},
                       {"I like", " <i>cats</i>", "the sentence is", false}};
    section.bars = {
        {"I <i>like</i>", {"START", "cats", "a word that is much longer than its place"}, {0.25, NAN, 0.75}}};
    section.point_maps = {{"Where <it> stands",
                           {{0, 0, "here", "2", ""},
                            {1, 2, "there", "2", ""},
                            {3, 1, "the <first>", "13", "1"},
                            {NAN, 1, "nowhere", "", ""}}}};
    page.sections = {section};
    page.origins = {{"softmax", 2, true, ""}, {"layer_norm", 5, false, "crashed: <at> line 7"}};
    page.notes = {"made by: make train"};
    return page;
}

BOOST_AUTO_TEST_CASE(it_runs_under_its_own_security_policy_without_errors) {
    for (const ModelPage& page : {full_page(), ModelPage()}) {
        const report::LoadedPage seen = report::load_page(to_html(page));
        BOOST_TEST(seen.console == "");
        BOOST_TEST(seen.dom.find("id=\"verdict\"") != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(it_shows_every_number_and_text) {
    const json seen = report::ask(to_html(full_page()), R"js(
        const texts = (query) => all(query).map((each) => each.textContent);
        return {title: texts("h1"), verdict: texts("#verdict"), looked: all("[data-weight]").map((each) => each.dataset.weight),
            misread: all(".read-image.misread").length, cells: all("[data-value]").map((each) => each.dataset.value),
            samples: texts(".sample"), origins: all("[data-function]").map((each) => each.textContent),
            bars: all("[data-probability]").map((each) => each.dataset.probability),
            levels: all(".level").length, points: all(".curve").map((each) => each.dataset.points),
            dots: all(".dot").map((each) => each.dataset.point), groups: texts(".group"), marked: texts(".marked"),
            saidOfMark: all(".marked").map((each) => each.getAttribute("aria-label")),
            pointed: texts(".weight-map .readout"), notes: texts("footer p"), markup: all("main i, main b b").length})js");
    BOOST_TEST(seen.at("title") == json({"A <b>model</b>"}));
    BOOST_TEST(seen.at("verdict") == json({"\u2713 It reads </script> well."}));
    const json four = {"0.1", "0.2", "null", "0.7"};
    json looked = four;
    for (int k = 0; k < 2; ++k) looked.insert(looked.end(), four.begin(), four.end());
    BOOST_TEST(seen.at("looked") == looked);
    BOOST_TEST(seen.at("misread") == 2);
    BOOST_TEST(seen.at("cells") == json({"1", "0", "0", "0.5", "0.25", "0.25", "0", "null", "1"}));
    // At first the page points to the largest weight of the rows that have more than one.
    BOOST_TEST(seen.at("pointed") == json({"\u201cthree\u201d looked at \u201cc\u201d with weight 0.999"}));
    BOOST_TEST(seen.at("samples") ==
               json({"I think therefore I am", "I like <i>cats</i>  \u2717 the sentence is"}));
    BOOST_TEST(seen.at("origins") == json({"softmaxassignment 2yours",
                                           "layer_normassignment 5the reference'scrashed: <at> line 7"}));
    BOOST_TEST(seen.at("bars") == json({"0.25", "null", "0.75"}));
    BOOST_TEST(seen.at("levels") == 2);
    BOOST_TEST(seen.at("points") == json({"50", "2"}));
    BOOST_TEST(seen.at("notes") == json({"made by: make train"}));
    BOOST_TEST(seen.at("dots") == json({"2", "2"}));  // a point that is no number is left out
    BOOST_TEST(seen.at("groups") == json({"2", "13"}));
    BOOST_TEST(seen.at("marked") == json({"1"}));
    BOOST_TEST(seen.at("saidOfMark") == json({"the <first>"}));
    BOOST_TEST(seen.at("markup") == 0);
}

BOOST_AUTO_TEST_CASE(it_never_scrolls_sideways) {
    for (const int width : {390, 1280}) {
        const json seen = report::ask(to_html(full_page()), R"js(
            return {inner: innerWidth, page: document.documentElement.scrollWidth})js",
                                      width);
        BOOST_TEST(seen.at("page") == seen.at("inner"), "at " << width);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::trained
