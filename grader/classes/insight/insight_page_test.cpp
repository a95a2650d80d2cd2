// The page about a class in a browser: for small and large classes, on phones and on screens.

#include <boost/test/unit_test.hpp>

#include "grader/classes/insight/write_insight.h"
#include "grader/testing/browser.h"
#include "grader/testing/graded_reports.h"

namespace attn::classes {
namespace {

using nlohmann::json;
using report::ask;
using report::load_page;

BOOST_AUTO_TEST_SUITE(insight_page, *report::has_browser() * boost::unit_test::label("long"))

std::string page_of(const ClassView& view) {
    InsightCollector collector(view);
    for (const StudentView& student : view.students) collector.add(student);
    return to_html(collector.finish());
}

BOOST_AUTO_TEST_CASE(it_runs_under_its_own_security_policy_without_errors) {
    for (const int students : {0, 1, 3, 300}) {
        const report::LoadedPage seen = load_page(page_of(drawn_class(graded_reports(), students)));
        BOOST_TEST(seen.console == "", students << " students");
        BOOST_TEST((seen.dom.find("<h1 id=\"title\">Attention 2026") != std::string::npos));
    }
    ClassView without_due = drawn_class(graded_reports(), 30);
    without_due.due.reset();
    BOOST_TEST(load_page(page_of(without_due)).console == "");
}

BOOST_AUTO_TEST_CASE(every_figure_leads_to_its_students) {
    const ClassView view = drawn_class(graded_reports(), 300);
    const json answer = ask(page_of(view), R"js(const dialog = document.getElementById("students");
        const data = JSON.parse(document.getElementById("insight").textContent), wrong = [], links = [];
        for (const button of all("[data-students]")) {
            button.click();
            const listed = all(".people li", dialog).length;
            if (!dialog.open || listed !== Number(button.dataset.students)) wrong.push(button.textContent);
            links.push(...all(".people a", dialog).map((each) => each.getAttribute("href")));
            dialog.close();
        }
        const graded = data.students.filter((each) => each.report).map((each) => each.report);
        return {wrong, buttons: all("[data-students]").length,
            all: new Set(links.map((each) => each.split("#")[0])).size,
            graded: graded.length, strange: links.filter((each) => !graded.includes(each.split("#")[0])),
            first: all(".misconception [data-students]")[0].textContent,
            expected: `${data.misconceptions[0].students.length} of ${data.graded.length}`,
            // Every graded student is in one column of each histogram.
            columns: all(".shares").map((figure) => all("[data-students]", figure)
                .reduce((sum, each) => sum + Number(each.dataset.students), 0)),
            parts: all(".part-figure").length, rows: all(".everybody tbody tr").length})js");
    BOOST_TEST(answer.at("wrong") == json::array());
    BOOST_TEST(answer.at("strange") == json::array());
    BOOST_TEST(answer.at("buttons") > 60);
    BOOST_TEST(answer.at("all") == answer.at("graded"));
    BOOST_TEST(answer.at("first") == answer.at("expected"));
    BOOST_TEST(answer.at("columns") == json(std::vector(4, answer.at("graded").get<int>())));
    BOOST_TEST(answer.at("parts") == 3);
    BOOST_TEST(answer.at("rows") == 300);
}

BOOST_AUTO_TEST_CASE(it_never_scrolls_sideways) {
    for (const int students : {3, 300})
        for (const int width : {390, 1280}) {
            const json answer = ask(page_of(drawn_class(graded_reports(), students, true)),
                                    R"js(for (const each of all("details")) each.open = true;
                const root = document.documentElement;
                return {inner: innerWidth, page: root.scrollWidth, high: root.scrollHeight})js",
                                    width);
            BOOST_TEST(answer.at("inner") == width);
            BOOST_TEST(answer.at("page") == width, students << " students");
            BOOST_TEST(answer.at("high") > 1500);
        }
}

BOOST_AUTO_TEST_CASE(names_stay_text) {
    const json answer = ask(page_of(drawn_class(graded_reports(), 20, true)), R"js(return {
        bold: all("main b").some((each) => each.textContent === "Bold"), scripts: document.scripts.length,
        shown: document.querySelector(".everybody").textContent.includes("5 <b>Bold</b>"),
        boards: all(".speed-board a").every((each) => each.textContent.startsWith("student-"))})js");
    BOOST_TEST(answer.at("bold") == false);
    BOOST_TEST(answer.at("scripts") == 3);  // the insight, the page's, the test's
    BOOST_TEST(answer.at("shown") == true);
    BOOST_TEST(answer.at("boards") == true);
}

BOOST_AUTO_TEST_CASE(the_table_of_students_is_sorted_and_searched) {
    const json answer = ask(page_of(drawn_class(graded_reports(), 40)), R"js(const said = [];
        const rows = () => all(".everybody tbody tr").filter((each) => !each.hidden);
        const numbers = () => rows().map((row) => Number(row.children[1].textContent))
            .filter((each) => !Number.isNaN(each));
        const sort = all(".everybody .sort")[1];
        sort.click();
        said.push(numbers().every((each, k, list) => k === 0 || list[k - 1] >= each));
        sort.click();
        said.push(numbers().every((each, k, list) => k === 0 || list[k - 1] <= each));
        const search = document.getElementById("search");
        search.value = "STUDENT-31";
        search.dispatchEvent(new Event("input"));
        said.push(rows().length, rows()[0].textContent.startsWith("student-31"));
        return said)js");
    BOOST_TEST(answer == json({true, true, 1, true}));
}

BOOST_AUTO_TEST_CASE(without_data_it_says_what_is_there) {
    std::string page = page_of(drawn_class({}, 0));
    const std::size_t begin = page.find('{', page.find("id=\"insight\"")),
                      end = page.find("</script>", begin);
    page.replace(begin, end - begin, "{}");
    BOOST_TEST(load_page(page).console == "");
    BOOST_TEST(ask(page, R"js(return document.querySelector("h1").textContent)js") == "A class");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
