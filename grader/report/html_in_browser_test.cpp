// The page in a browser: it draws what the report contains, and text of a report stays text.

#include <map>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "grader/report/findings.h"
#include "grader/report/html.h"
#include "grader/report/json.h"
#include "grader/testing/browser.h"
#include "grader/testing/golden.h"

namespace attn::report {
namespace {

using nlohmann::json;

BOOST_AUTO_TEST_SUITE(html_in_browser, *has_browser() * boost::unit_test::label("long"))

BOOST_AUTO_TEST_CASE(the_page_runs_under_its_own_security_policy_without_errors) {
    for (const Report& report : {golden(), Report()}) {
        const LoadedPage seen = load_page(to_html(report));
        BOOST_TEST(seen.console == "");
        BOOST_TEST(contains(seen.dom, "<h1 id=\"title\">"));
    }
    BOOST_TEST(contains(load_page(to_html(golden())).dom, "data-part=\"softmax\""));
}

BOOST_AUTO_TEST_CASE(its_policy_blocks_any_other_script) {
    std::string page = to_html(golden());
    page.insert(page.rfind("</body>"),
                "<script>document.body.append('it got in')</script>"
                "<img src='data:,' onerror='document.body.append(1)'>");
    const LoadedPage seen = load_page(page);
    BOOST_TEST(contains(seen.console, "Content Security Policy"));
    BOOST_TEST(!contains(seen.dom, "</main>it got in"));
    BOOST_TEST(contains(seen.dom, "data-part=\"softmax\""));
}

BOOST_AUTO_TEST_CASE(all_parts_and_checks_are_shown_with_their_points) {
    const json report = json::parse(to_json(golden()));
    const json parts = ask(to_html(golden()), R"js(return all("[data-part]").map((part) => ({
        name: part.dataset.part, points: Number(part.dataset.points), open: part.open,
        checks: Object.fromEntries(all("[data-check]", part).map((check) => [check.dataset.check, {
            points: Number(check.dataset.points), score: check.querySelector(".score").textContent}]))})))js");
    const json& expected = report.at("assignments").at(0).at("parts");
    BOOST_TEST_REQUIRE(parts.size() == expected.size());
    const std::vector<bool> opened = {true, false, true};
    for (std::size_t k = 0; k < expected.size(); ++k) {
        BOOST_TEST(parts[k].at("name") == expected[k].at("function"));
        BOOST_TEST(parts[k].at("points") == expected[k].at("points"));
        BOOST_TEST(parts[k].at("open") == opened[k]);
        std::map<std::string, double> points;
        for (const json& check : expected[k].at("checks")) points[check.at("id")] = check.at("points");
        BOOST_TEST(parts[k].at("checks").size() == points.size());
        for (const auto& [id, value] : points)
            BOOST_TEST(parts[k].at("checks").at(id).at("points") == value, id);
    }
    BOOST_TEST(parts[0].at("checks").at("2.softmax.tall").at("score") == "0 / 2.5");
    BOOST_TEST(parts[2].at("checks").at("2.attention.speed").at("score") == "1.5 / 2.5");
}

BOOST_AUTO_TEST_CASE(a_seed_keeps_all_of_its_digits_or_is_secret) {
    const std::string query = R"js(return document.querySelector(".facts").textContent)js";
    Report report = golden();
    report.seed = 18'446'744'073'709'551'615U;
    BOOST_TEST(contains(ask(to_html(report), query), "seed18446744073709551615"));
    report.seed.reset();
    BOOST_TEST(contains(ask(to_html(report), query), "seedsecret"));
}

BOOST_AUTO_TEST_CASE(the_first_screen_says_what_to_do) {
    const json answer =
        ask(to_html(golden()), R"js(const texts = (query) => all(query).map((each) => each.textContent);
        const widths = all(".points-bar > span").map((each) => [each.className, each.style.width]);
        return {first: texts("main h2").slice(0, 2), items: texts(".findings li"), widths,
            links: all(".findings a").every((each) => document.querySelector(each.getAttribute("href").replaceAll(".", "\\."))),
            foot: texts("footer dt"), head: texts(".summary dt").length, state: texts(".assignments td:last-child")})js");
    BOOST_TEST(answer.at("first") == json({"Next", "4 mistakes"}));
    BOOST_TEST(answer.at("items").size() == 6U);
    BOOST_TEST(contains(answer.at("items")[0], "extra.cpp: does not compile: ?[31mred"));
    BOOST_TEST(answer.at("items")[1] == "\u22127.5softmax: exp is left out");
    BOOST_TEST(answer.at("links") == true);
    BOOST_TEST(answer.at("foot") == json({"submission", "seed", "took", "graded by"}));
    BOOST_TEST(answer.at("head") == 0);
    BOOST_TEST(answer.at("state")[0] ==
               "does not compile, 1 stopped early, 1 timed out, 1 wrong, 1 to write, 1 slow");
    const json& widths = answer.at("widths");
    BOOST_TEST_REQUIRE(widths.size() == 3U);
    BOOST_TEST(widths[0][0] == "right");
    BOOST_TEST(widths[1][0] == "wrong");
    BOOST_TEST(widths[2][0] == "slow");
}

BOOST_AUTO_TEST_CASE(the_whole_course_stands_in_the_table_in_its_order) {
    Report report = make_report({make_part("softmax", 1, {make_check("tall", Outcome::passed)})});
    report.path = {{5, "Homework 1: Block", "assignments/05_transformer_block/README.md", {2, 3}, false},
                   {2, "Homework 2: Self-attention", "assignments/02_self_attention/README.md", {}, false},
                   {7, "Much more", "", {}, true}};
    const json answer =
        ask(to_html(report), R"js(const texts = (query) => all(query).map((each) => each.textContent.trim());
        return {titles: texts(".assignments tbody th"), states: texts(".assignments tbody td:last-child"),
                links: texts(".assignments a"), seen: all(".assignments tr").filter((row) => row.checkVisibility()).length,
                folded: texts(".others summary")})js");
    // What this report grades comes first. The rest of the course can be unfolded.
    BOOST_TEST(answer.at("titles") == json({"2 Self-attention", "5 Homework 1: Block", "7 Much more"}));
    BOOST_TEST(answer.at("states") == json({"all passed", "builds on 2, 3", "later"}));
    BOOST_TEST(answer.at("links") == json({"Self-attention"}));
    BOOST_TEST(answer.at("seen") == 2);  // with its heading
    BOOST_TEST(answer.at("folded") == json({"The other 2 of the course"}));
}

BOOST_AUTO_TEST_CASE(steps_that_stand_apart_have_their_own_rows_and_points) {
    Report report = make_report({make_part("softmax", 1, {make_check("tall", Outcome::passed)}),
                                 make_part("attention", 2, {make_check("a", Outcome::wrong)}),
                                 make_part("layer", 3, {make_check("b", Outcome::not_implemented)})});
    report.path = {{2, "Self-attention, step 1", "handout", {}, false, {1}},
                   {1, "Between", "handout", {}, false},
                   {2, "Self-attention, steps 2 and 3", "handout", {1}, false, {2, 3}}};
    const json answer =
        ask(to_html(report), R"js(const texts = (query) => all(query).map((each) => each.textContent.trim());
        return {titles: texts(".assignments tbody th"), states: texts(".assignments tbody td:last-child"),
                points: texts(".assignments tbody td.score")})js");
    // What is not graded is folded below.
    BOOST_TEST(answer.at("titles") ==
               json({"2 Self-attention, step 1", "2 Self-attention, steps 2 and 3", "1 Between"}));
    BOOST_TEST(answer.at("states") == json({"all passed", "1 wrong, 1 to write, builds on 1", ""}));
    BOOST_TEST(answer.at("points") == json({"2.5 / 2.5", "0 / 5", ""}));
}

/// The page counts the findings itself. Its words are those of the terminal, for every kind.
BOOST_AUTO_TEST_CASE(findings_are_counted_in_the_terminal_s_words) {
    const Report report = make_report({make_part("softmax", 1, {make_check("a", Outcome::timed_out)}),
                                       make_part("attention", 2, {make_check("b", Outcome::exited)}),
                                       make_part("layer", 3, {make_check("c", Outcome::wrong)})});
    const json answer =
        ask(to_html(report), R"js(return {mistakes: document.querySelector(".findings").parentElement
            .querySelector("h2").textContent, state: document.querySelector(".assignments td:last-child").textContent})js");
    BOOST_TEST(answer.at("state") == counts_of(findings_of(report)));
    BOOST_TEST(answer.at("state") == "1 stopped early, 1 timed out, 1 wrong");
    BOOST_TEST(answer.at("mistakes") == "3 mistakes");
}

BOOST_AUTO_TEST_CASE(a_file_that_does_not_compile_is_one_message) {
    std::vector<Check> checks(44, make_check("ragged", Outcome::not_compiled));
    Report report = make_report({make_part("softmax", 1, checks)});
    report.assignments.front().sources = {{"x.cpp", true, false, "x.cpp:16:9: error: expected ';'\n"}};
    const json answer =
        ask(to_html(report), R"js(return {marks: all(".sign").length, parts: all(".part").length,
        messages: all(".source pre").map((each) => each.textContent)})js");
    BOOST_TEST(answer.at("marks") == 0);
    BOOST_TEST(answer.at("parts") == 0);
    BOOST_TEST(answer.at("messages") == json({"x.cpp:16:9: error: expected ';'\n"}));
}

BOOST_AUTO_TEST_CASE(what_passed_can_be_hidden_and_the_header_says_where_one_is) {
    Report report = golden();
    report.assignments.at(0).parts.push_back(make_part("merge", 4, {make_check("a", Outcome::passed)}));
    const json answer = ask(to_html(report), R"js(const said = [], button = all("#tools button")[1];
        const shown = () => all(".part").filter((each) => each.offsetHeight > 0).map((each) => each.dataset.part);
        const place = document.getElementById("place");
        said.push(shown(), place.textContent);
        button.click();
        said.push(shown(), button.textContent);
        button.click();
        said.push(shown());
        scrollTo({top: 1e6, behavior: "instant"});
        dispatchEvent(new Event("scroll"));
        said.push(place.textContent);
        return said)js");
    const json all = {"softmax", "self_attention", "attention", "merge"};
    BOOST_TEST(answer[0] == all);
    BOOST_TEST(answer[1] == "");
    BOOST_TEST(answer[2] == json({"softmax", "attention"}));
    BOOST_TEST(answer[3] == "Show all");
    BOOST_TEST(answer[4] == all);
    BOOST_TEST(contains(answer[5], "2 Self-attention"));
}

BOOST_AUTO_TEST_CASE(a_page_about_one_check_has_no_tables_of_points) {
    Report report = make_report({make_part("softmax", 0, {make_pictured("tall")})});
    report.assignments.front().sources.clear();
    report.assignments.front().handout.clear();
    const json answer = ask(to_html(report), R"js(return {heading: document.querySelector("h1").textContent,
        tables: all("table.assignments, table.parts").length, pictures: all(".heatmap").length})js");
    BOOST_TEST(answer.at("heading") == "softmax, case tall");
    BOOST_TEST(answer.at("tables") == 0);
    BOOST_TEST(answer.at("pictures") == 1);
}

BOOST_AUTO_TEST_CASE(hostile_text_stays_text) {
    const json answer = ask(to_html(golden()),
                            R"js(const text = (query) => document.querySelector(query)?.textContent ?? null;
        return {scripts: document.scripts.length, strange: all("failure, testcase, img, iframe, object, main script").length,
            bold: all("b").filter((each) => each.textContent === "bread").length,
            note: text(".notes li:last-child"), message: text("[data-check$=rows_sum_to_one] .message"),
            printed: text("[data-check$=rows_sum_to_one] pre"), compiler: text(".source pre"),
            title: document.title, heading: text("h1"), words: text("[data-panel=yours] .labels")})js");
    BOOST_TEST(answer.at("scripts") == 3);  // the report, the page's, the test's
    BOOST_TEST(answer.at("strange") == 0);
    BOOST_TEST(answer.at("bold") == 0);
    BOOST_TEST(answer.at("note") == kInOneLine);
    BOOST_TEST(answer.at("message") == kInOneLine);
    BOOST_TEST(answer.at("printed") == kCleaned);
    BOOST_TEST(answer.at("compiler") == "extra.cpp:41:18: error: " + kCleaned + "\n");
    BOOST_TEST(answer.at("title") == "work of?[2J ?: Attention Lab");
    BOOST_TEST(answer.at("heading") == "work of?[2J ?");
    BOOST_TEST(contains(answer.at("words"), "<b>bread</b>"));
}

BOOST_AUTO_TEST_CASE(a_narrow_screen_never_scrolls_sideways) {
    Report report = golden();
    report.assignments.at(0).parts.push_back(make_part("a_function_with_a_name_that_" + std::string(60, 'x'),
                                                       4,
                                                       std::vector(30, make_check("one", Outcome::skipped))));
    for (const int width : {360, 1200}) {
        const json answer =
            ask(to_html(report), R"js(dispatchEvent(new Event("beforeprint"));  // all is opened
            const root = document.documentElement;
            return {inner: innerWidth, page: root.scrollWidth, high: root.scrollHeight})js",
                width);
        BOOST_TEST(answer.at("inner") == width);
        BOOST_TEST(answer.at("page") == width);
        BOOST_TEST(answer.at("high") > 2000);
    }
}

BOOST_AUTO_TEST_CASE(checks_that_fail_in_the_same_way_are_one_row) {
    std::vector<Check> checks;
    for (int k = 0; k < 20; ++k)
        checks.push_back(make_check(fmt::format("case_{}", k), Outcome::out_of_bounds,
                                    fmt::format("In X: element (0, {}) of [5, {}].", k, k)));
    checks.push_back(make_check("other", Outcome::threw, "It threw."));
    const json answer = ask(to_html(make_report({make_part("softmax", 1, checks)})), R"js(
        return {rows: all(".part > .body > .check").length, text: document.querySelector(".alike summary").textContent,
            checks: all("[data-check]").length, closed: !document.querySelector(".alike").open})js");
    BOOST_TEST(answer.at("rows") == 3);
    BOOST_TEST(contains(answer.at("text"), "19 more"));
    BOOST_TEST(contains(answer.at("text"), "in the same way"));
    BOOST_TEST(answer.at("checks") == 21);
    BOOST_TEST(answer.at("closed") == true);
}

BOOST_AUTO_TEST_CASE(the_arrow_keys_move_between_cells) {
    const json answer = ask(to_html(golden()), R"js(const figure = document.querySelector(".heatmap");
        const box = figure.querySelector(".navigable"), readout = figure.querySelector("output"), said = [];
        box.focus();
        said.push(document.activeElement === box, readout.textContent);
        for (const key of ["ArrowRight", "ArrowUp", "ArrowUp", "End", "ArrowRight"]) {
            box.dispatchEvent(new KeyboardEvent("keydown", {key}));
            said.push(readout.textContent);
        }
        return said)js");
    BOOST_TEST(answer[0] == true);
    const auto says = [&answer](std::size_t k, const std::string& text) {
        BOOST_TEST(contains(answer[k], text), k << " says " << answer[k]);
    };
    says(1, "A(1, 1, 0)");  // it begins at the first wrong element
    says(1, "expected 0.125, yours no number");
    says(1, "wrong");
    says(2, "A(1, 1, 1)");
    says(2, "yours 0.125");
    says(2, "right");
    says(3, "A(1, 0, 1)");
    says(4, "A(1, 0, 1)");
    says(5, "A(1, 0, 2)");
    says(5, "<b>bread</b>");
    says(6, "A(1, 0, 2)");
}

BOOST_AUTO_TEST_CASE(the_theme_can_be_changed_and_printing_opens_everything) {
    const json answer =
        ask(to_html(golden()), R"js(const said = [], closed = "details:not([open], .numbers-as-table)";
        const tell = () => said.push(document.documentElement.dataset.theme, all(closed).length > 0);
        tell();
        all("#tools button").at(-1).click();
        tell();
        dispatchEvent(new Event("beforeprint"));
        tell();
        return said)js");
    BOOST_TEST(answer == json({"light", true, "dark", true, "dark", false}));
}

BOOST_AUTO_TEST_CASE(missing_and_unknown_fields_are_no_error) {
    const std::string page = to_html(Report()), json_text = to_json(Report());
    const auto with = [&](const std::string& text) {
        std::string copy = page;
        return copy.replace(copy.find(json_text), json_text.size(), text);
    };
    const std::string query =
        R"(return {checks: all("[data-check]").length, high: document.body.scrollHeight > 100,
        text: document.querySelector("main").textContent})";
    BOOST_TEST(contains(ask(page, query).at("text"), "holds no assignment"));
    for (const char* text :
         {"{}", R"({"schema_version": 1, "new": [1], "assignments": [], "notes": null})"}) {
        BOOST_TEST(load_page(with(text)).console == "", text);
        BOOST_TEST(contains(ask(with(text), query).at("text"), "holds no assignment"), text);
    }
    const std::string bare = R"({"assignments": [{"number": 1, "parts": [{"function": "f", "checks": [
        {"id": "1.f.a", "outcome": "wrong"}, {"id": "1.f.b", "outcome": "of_tomorrow", "tomorrow": {}},
        {"id": "1.f.c", "outcome": "wrong", "pictures": [{"array": "Y"}], "smallest": {}, "difference": {}}]}]}]})";
    const auto answer = ask(with(bare), query);
    BOOST_TEST(answer.at("checks") == 3);
    BOOST_TEST(contains(answer.at("text"), "of tomorrow"));
    BOOST_TEST(contains(answer.at("text"), "could not be drawn"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
