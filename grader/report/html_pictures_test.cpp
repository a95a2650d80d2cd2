// The page in a browser: its pictures and charts show the numbers of the report.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "grader/report/html.h"
#include "grader/report/json.h"
#include "grader/testing/browser.h"
#include "grader/testing/golden.h"

namespace attn::report {
namespace {

using nlohmann::json;

constexpr int kRows = 48, kColumns = 47, kFirst = 8, kEach = 2;

/// The wrong elements of the large picture: queries attend to later keys.
bool is_wrong(int i, int j) {
    return j > i;
}

/// Attention weights of which the picture shows a window, and an error map whose cells are 2 x 2 elements.
Picture large_picture() {
    constexpr int kMapRows = 32, kMapColumns = 33, kMatrix = 1 * 4 + 2;
    constexpr double kAllowed = 1e-4;
    Picture picture;
    picture.array = "A";
    picture.letters = {"B", "H", "N_q", "N_k"};
    picture.shape = {2, 4, 64, 66};
    picture.slice = {1, 2};
    picture.first_row = picture.first_column = kFirst;
    picture.yours = {"A", {kRows, kColumns}, {}};
    picture.expected = picture.yours;
    picture.map = {{2, 4}, kMapRows, kMapColumns,
                   kEach,  kEach,    std::vector<double>(8 * kMapRows * kMapColumns)};
    for (int i = 0; i < kRows; ++i) {
        for (int j = 0; j < kColumns; ++j) {
            const double right = std::sin(i * 3 + j * j), error = is_wrong(i, j) ? 1.5e-4 * (i + 1) : 7e-5;
            const int cell = (kMatrix * kMapRows + (i + kFirst) / kEach) * kMapColumns + (j + kFirst) / kEach;
            double& largest = picture.map.errors.at(static_cast<std::size_t>(cell));
            largest = std::max(largest, error / kAllowed);
            if (i == 3 && j == 9) largest = kInf;
            picture.expected.values.push_back(right);
            picture.yours.values.push_back(i == 3 && j == 9 ? kNan : right + error);
        }
    }
    return picture;
}

Report pictured() {
    Report report = golden();
    Check check = make_wrong("large");
    check.id = "2.softmax.large";
    check.pictures = {large_picture()};
    report.assignments.at(0).parts.at(0).checks.push_back(check);
    return report;
}

BOOST_AUTO_TEST_SUITE(html_pictures, *has_browser() * boost::unit_test::label("long"))

BOOST_AUTO_TEST_CASE(pictures_show_every_number_of_the_report) {
    const json report = json::parse(to_json(pictured()));
    const json figures =
        ask(to_html(pictured()), R"js(dispatchEvent(new Event("beforeprint"));  // all is opened
        const number = (text) => text === "null" ? null : Number(text);
        return all(".heatmap").map((figure) => ({
            panels: Object.fromEntries(all(".panel", figure).map((panel) => [panel.dataset.panel,
                all("[data-value]", panel).map((cell) => number(cell.dataset.value))])),
            wrong: all("[data-panel=yours] [data-value]", figure).map((cell) => "wrong" in cell.dataset),
            errors: all("[data-error]", figure.nextElementSibling).map((cell) => number(cell.dataset.error))})))js");
    std::vector<json> pictures;
    for (const json& check : report.at("assignments").at(0).at("parts").at(0).at("checks"))
        if (check.contains("pictures")) pictures.push_back(check.at("pictures").at(0));
    BOOST_TEST_REQUIRE(pictures.size() == 2U);
    BOOST_TEST_REQUIRE(figures.size() == 2U);
    for (std::size_t p = 0; p < pictures.size(); ++p) {
        const json &yours = pictures[p].at("yours").at("values"),
                   &due = pictures[p].at("expected").at("values");
        const json& panels = figures[p].at("panels");
        BOOST_TEST((panels.at("yours") == yours));
        BOOST_TEST((panels.at("expected") == due));
        BOOST_TEST((figures[p].at("errors") == pictures[p].at("map").at("errors")));
        BOOST_TEST_REQUIRE(panels.at("difference").size() == yours.size());
        for (std::size_t k = 0; k < yours.size(); ++k) {
            const json& difference = panels.at("difference")[k];
            if (yours[k].is_null())
                BOOST_TEST(difference.is_null());
            else
                BOOST_TEST(difference.get<double>() == yours[k].get<double>() - due[k].get<double>());
        }
    }
    const std::vector<bool> small = figures[0].at("wrong"), due = {false, false, false, true, false, false};
    BOOST_TEST(small == due, boost::test_tools::per_element());
    const std::vector<bool> large = figures[1].at("wrong");
    BOOST_TEST_REQUIRE(large.size() == static_cast<std::size_t>(kRows * kColumns));
    for (int i = 0; i < kRows; ++i)
        for (int j = 0; j < kColumns; ++j)
            BOOST_TEST(large[static_cast<std::size_t>(i * kColumns + j)] == is_wrong(i, j), i << ", " << j);
}

BOOST_AUTO_TEST_CASE(probabilities_over_a_vocabulary_are_drawn_as_bars) {
    Report report = pictured();
    Picture next;
    next.array = "P";
    next.letters = {"B", "V"};
    next.shape = {2, 3};
    next.expected = {"P", {2, 3}, {0.5, 0.25, 0.25, 0, 1, 0}};
    next.yours = {"P", {2, 3}, {0.5, 0.25, 0.25, 0, kNan, 0.125}};
    next.column_words = {"think", "like", "am"};
    const auto bars_of = [&](const Picture& picture) {
        report.assignments.at(0).parts.at(0).checks.back().pictures = {picture};
        return ask(to_html(report), R"js(dispatchEvent(new Event("beforeprint"));
            return all(".bars [data-bar]").map((bar) => [bar.dataset.value, bar.querySelector("text").textContent,
                Number(bar.querySelector("rect").getAttribute("width")), bar.querySelector("path").getAttribute("d")]))js");
    };
    const json bars = bars_of(next);
    BOOST_TEST_REQUIRE(bars.size() == 6U);
    BOOST_TEST(bars[0] == json({"0.5", "think", 80, "M176 0v16"}));
    BOOST_TEST(bars[4] == json({"null", "like", 0, "M256 16v16"}));
    BOOST_TEST(bars[5] == json({"0.125", "am", 20, "M96 32v16"}));
    next.letters = {"N_q", "N_k"};  // attention weights
    BOOST_TEST(bars_of(next).empty());
    next.letters = {"N", "V"};  // logits
    next.expected.values[0] = 3;
    BOOST_TEST(bars_of(next).empty());
}

BOOST_AUTO_TEST_CASE(a_vector_is_drawn_as_a_curve_between_its_lines) {
    Report report = pictured();
    Picture losses;
    losses.array = "losses";
    losses.letters = {"S"};
    losses.shape = {4};
    losses.expected = {"losses", {1, 4}, {4, 2, 0.5, 0.25}};
    losses.yours = {"losses", {1, 4}, {4, kNan, 3, 0.125}};
    losses.curve = Curve{{{0.25, "the floor"}}};
    losses.sentences = {"It ends below."};
    Picture looks;  // a drawing, which judges nothing
    looks.array = "A";
    looks.letters = {"H", "N", "N"};
    looks.shape = {1, 2, 2};
    looks.slice = {0};
    looks.yours = looks.expected = {"A", {2, 2}, {1, 0, 0.5, 0.5}};
    looks.row_words = looks.column_words = {"I", "am"};
    looks.sentences = {"I looks at I."};
    report.assignments.at(0).parts.at(0).checks.back().pictures = {losses, looks};
    const json drawn = ask(to_html(report), R"js(dispatchEvent(new Event("beforeprint"));
        return all(".curve").map((figure) => [figure.dataset.last,
            all("[data-level]", figure).map((line) => line.dataset.level),
            figure.querySelector(".fitted[d]").getAttribute("d").match(/[ML]/g).join(""),
            all("p", figure).at(-1).textContent,
            ...all("p, output", figure.nextElementSibling).map((text) => text.textContent)]))js");
    BOOST_TEST(drawn ==
               json::array({json::array(
                   {"0.125", json::array({"0.25"}), "MML", "It ends below.", "I looks at I.", "expected",
                    "yours", "A(0, 0, 0) \u201cI\u201d \u201cI\u201d: expected 1, yours 1, difference 0"})}));
}

/// A passed check with a picture to look at: the losses along a sentence, or a matrix.
Report seen() {
    Check check = make_check("sentence", Outcome::passed);
    Picture losses;
    losses.array = "losses";
    losses.letters = {"B", "N"};
    losses.shape = {3, 4};
    losses.first_row = 1;
    losses.yours = losses.expected = {"losses", {1, 4}, {0.5, 1.25, 0, 0}};
    losses.map = {{}, 3, 4, 1, 1, std::vector<double>(12, 0.5)};
    losses.column_words = {"START", "I", "EOS", ""};
    losses.sentences = {"Where is it large?"};
    Picture matrix;
    matrix.array = "P";
    matrix.letters = {"N", "D"};
    matrix.shape = {2, 2};
    matrix.yours = matrix.expected = {"P", {2, 2}, {1, 0.000651, -12345, 0}};
    matrix.yours.values[0] += 1e-6;
    matrix.map = {{}, 2, 2, 1, 1, {0.9, 0, 0, 0}};
    check.pictures = {losses, matrix};
    return make_report({make_part("f", 1, {check, make_check("other", Outcome::passed)})});
}

BOOST_AUTO_TEST_CASE(pictures_of_a_passed_check_are_open_and_show_no_errors) {
    const json answer =
        ask(to_html(seen()), R"js(const text = (query) => document.querySelector(query)?.textContent;
        const numbers = all(".numbers text"), cell = document.querySelector("[data-panel=yours] rect[data-cell]").getBBox().width;
        return {seen: all("figure").every((figure) => figure.checkVisibility()), link: text(".to-see a"), look: text(".along .look"),
            bars: all(".along [data-bar]").map((bar) => bar.dataset.value), words: all(".along b:not(figcaption b)").map((each) => each.textContent),
            panels: all("[data-panel]").map((panel) => panel.dataset.panel), maps: all(".error-map").length,
            title: text(".heatmap figcaption b"), fits: numbers.every((each) => each.getBBox().width <= cell),
            shown: numbers.slice(0, 3).map((each) => each.textContent)})js");
    BOOST_TEST(answer.at("seen") == true);
    BOOST_TEST(answer.at("link") == "f, sentence");
    BOOST_TEST(answer.at("look") == "Where is it large?");
    BOOST_TEST(answer.at("bars") == json({"0.5", "1.25"}));  // none after EOS
    BOOST_TEST(answer.at("words") == json({"START", "I"}));
    BOOST_TEST(answer.at("panels") == json({"expected", "yours"}));
    BOOST_TEST(answer.at("maps") == 0);
    BOOST_TEST(answer.at("title") == "P");
    BOOST_TEST(answer.at("fits") == true);
    BOOST_TEST(answer.at("shown") == json({"1", "0.0007", "\u221212000"}));
}

BOOST_AUTO_TEST_CASE(every_picture_fits_on_a_narrow_screen_and_has_a_scale) {
    Report report = seen();
    const Report others = pictured();
    for (const Check& check : others.assignments.at(0).parts.at(0).checks)
        if (!check.pictures.empty()) report.assignments.at(0).parts.at(0).checks.push_back(check);
    const json answer = ask(to_html(report), R"js(dispatchEvent(new Event("beforeprint"));
        return {page: document.documentElement.scrollWidth, maps: all(".heatmap, .error-map").length,
            without: all(".heatmap, .error-map").filter((figure) => !figure.querySelector(".keys .key, .keys svg")).length,
            wide: all("figure").filter((figure) => figure.getBoundingClientRect().right > innerWidth).length})js",
                            390);
    BOOST_TEST(answer.at("page") == 390);
    BOOST_TEST(answer.at("wide") == 0);
    BOOST_TEST(answer.at("maps").get<int>() >= 3);
    BOOST_TEST(answer.at("without") == 0);
}

BOOST_AUTO_TEST_CASE(a_photograph_is_dark_where_attention_does_not_look) {
    Report report = pictured();
    for (Check& check : report.assignments.at(0).parts.at(0).checks)
        if (check.photograph) check.photograph->weights = {0.25, 0.5};
    const json answer = ask(to_html(report), R"js(const figure = document.querySelector("figure.photograph");
        return {dark: all("[data-weight]", figure).map((cell) => cell.getAttribute("fill-opacity")),
            scale: figure.querySelector(".key-labels").textContent})js");
    BOOST_TEST(answer.at("dark") == json({"0.350", "0.000"}));
    BOOST_TEST(answer.at("scale") == "00.5");
}

BOOST_AUTO_TEST_CASE(a_closed_picture_is_drawn_once_when_it_is_opened) {
    const json counts = ask(to_html(pictured()), R"js(const [toggle] = all("#tools button"), said = [];
        for (let k = 0; k < 4; k++, toggle.click()) said.push(all(".heatmap").length);
        return said)js");
    BOOST_TEST(counts == json({1, 2, 2, 2}));
}

BOOST_AUTO_TEST_CASE(a_photograph_shows_its_pixels_and_its_wrong_patches) {
    const json answer =
        ask(to_html(golden()), R"js(const figure = document.querySelector("figure.photograph");
        const canvas = figure.querySelector("canvas");
        return {pixels: [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data],
            size: [canvas.height, canvas.width],
            errors: all("[data-error]", figure).map((patch) => Number(patch.dataset.error)),
            wrong: all(".wrong-patch", figure).length, text: figure.querySelector("output").textContent})js");
    BOOST_TEST(answer.at("size") == json({1, 2}));
    BOOST_TEST(answer.at("pixels") == json({255, 0, 0, 255, 0, 128, 255, 255}));
    BOOST_TEST(answer.at("errors") == json({0.5, 3e5}));
    BOOST_TEST(answer.at("wrong") == 1);
    BOOST_TEST(contains(answer.at("text"), "Patch 1 "));
    BOOST_TEST(contains(answer.at("text"), "300000 times the allowed error"));
}

BOOST_AUTO_TEST_CASE(charts_show_the_measurements) {
    const json answer = ask(to_html(golden()), R"js(const speed = document.querySelector("figure.speed");
        const place = (dot) => Number(dot.getAttribute("cx")), whisker = speed.querySelector(".whisker").getBBox();
        const yours = place(speed.querySelector(".measure.yours"));
        const inside = whisker.x < yours && yours < whisker.x + whisker.width;
        return {bars: all(".measure", speed).map(place), inside, words: speed.textContent,
            growth: all("figure.growth").map((figure) => ({points: all(".measured", figure).length,
                plain: all(".measured-plain, .fitted-plain", figure.querySelector("svg")).length,
                lines: all(".fitted, .allowed, .fan", figure.querySelector("svg")).length,
                words: figure.textContent}))})js");
    const std::vector<double> bars = answer.at("bars");  // yours, plain loops, yardstick: longer is faster
    BOOST_TEST_REQUIRE(bars.size() == 3U);
    BOOST_TEST(bars[1] > 10);
    BOOST_TEST(bars[0] > bars[1]);
    BOOST_TEST(bars[2] > bars[0]);
    BOOST_TEST(answer.at("inside") == true);
    BOOST_TEST(contains(answer.at("words"), "6.25 times the plain loops (95 % interval 6.10 to 6.60)"));
    BOOST_TEST(
        contains(answer.at("words"), "0.400 times the yardstick (0.380 to 0.430): 60 % of the points."));
    BOOST_TEST(contains(answer.at("words"), "too noisy"));
    const json& growth = answer.at("growth");
    BOOST_TEST_REQUIRE(growth.size() == 2U);
    BOOST_TEST(growth[0].at("points") == 2);  // the third was no number
    BOOST_TEST(growth[1].at("points") == 3);
    BOOST_TEST(growth[1].at("lines") == 3);
    BOOST_TEST(contains(growth[0].at("words"),
                        "Time grows as N^2.96 for N = N_q = N_k = 64 .. 512, the plain loops' "
                        "as N^2.02. The difference is 0.94 (95 % interval 0.90 to "
                        "0.98); 0.5 is allowed."));
    BOOST_TEST(contains(growth[0].at("words"), "allowed, N^2.52"));
    BOOST_TEST(growth[0].at("plain") == 4);  // three points and a line
    BOOST_TEST(growth[1].at("plain") == 0);
    BOOST_TEST(contains(growth[1].at("words"), "for N = N_q = N_k = 64 .. 512; N^2.2 is allowed."));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
