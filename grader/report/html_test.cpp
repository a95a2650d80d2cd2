// The page as text. html_in_browser_test.cpp tests how it works in a browser.

#include "grader/report/html.h"

#include <regex>
#include <string>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "grader/report/json.h"
#include "grader/testing/golden.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(html)

const std::string kOpening = R"(<script type="application/json" id="report">)", kClosing = "</script>";

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
    return times;
}

/// The page without a report.
std::string page() {
    return kReportPage.with("");
}

std::string first_match(const std::string& text, const std::regex& wanted) {
    std::smatch found;
    return std::regex_search(text, found, wanted) ? found.str() : "";
}

BOOST_AUTO_TEST_CASE(the_page_contains_the_whole_report_once_as_json) {
    for (const Report& report : {golden(), Report()}) {
        const std::string html = to_html(report);
        BOOST_TEST_REQUIRE(count(html, kOpening) == 1U);
        const std::size_t begin = html.find(kOpening) + kOpening.size(), end = html.find(kClosing, begin);
        const std::string json = html.substr(begin, end - begin);
        BOOST_TEST(json == to_json(report));
        BOOST_TEST(nlohmann::json::parse(json).at("schema_version") == kSchemaVersion);
    }
}

BOOST_AUTO_TEST_CASE(a_report_adds_nothing_but_its_json) {
    const std::string html = to_html(golden());
    BOOST_TEST(html.size() == page().size() + to_json(golden()).size());
    BOOST_TEST(count(html, "<") == count(page(), "<"));
    BOOST_TEST(count(to_json(golden()), "\\u003c/script>") > 0U);
    BOOST_TEST(count(html, kClosing) == 2U);
    BOOST_TEST(!contains(html, "<b>bread"));
    BOOST_TEST(!contains(html, "\x1b"));
}

BOOST_AUTO_TEST_CASE(the_page_needs_no_other_file) {
    const std::regex link(R"(\b(src|href|action|poster|data)\s*=\s*["'`]?[^#"'`\s>])");
    const std::string text = page();
    BOOST_TEST(first_match(text, link) == "");
    for (const char* word : {"@import", "url(http", "fetch(", "XMLHttpRequest", "WebSocket", "import("})
        BOOST_TEST(!contains(text, word), word);
    // The only address is the name space of SVG, which is not fetched.
    BOOST_TEST(count(text, "http") == 2U);
    BOOST_TEST(count(text, "http-equiv") == 1U);
    BOOST_TEST(count(text, "\"http://www.w3.org/2000/svg\"") == 1U);
}

BOOST_AUTO_TEST_CASE(texts_never_become_markup) {
    for (const char* word : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser",
                             "eval(", "new Function"})
        BOOST_TEST(!contains(page(), word), word);
}

BOOST_AUTO_TEST_CASE(its_policy_allows_its_own_style_and_script_only) {
    const std::regex policy(
        R"(content="default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; )"
        R"(script-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'")");
    BOOST_TEST(std::regex_search(page(), policy));
    BOOST_TEST(count(page(), "<script>") == 1U);
    BOOST_TEST(count(page(), "<style>") == 1U);
    BOOST_TEST(!contains(page(), "unsafe-"));
}

BOOST_AUTO_TEST_CASE(the_page_contains_all_files_of_the_page) {
    const std::regex left_over("@[a-z_. ]+@");
    const std::string text = page();
    BOOST_TEST(first_match(text, left_over) == "");
    for (const char* name :
         {"function main()", "function heatMap(", "@media print", "<noscript>", "<html lang=\"en\">"})
        BOOST_TEST(contains(text, name), name);
}

BOOST_AUTO_TEST_CASE(the_page_is_small) {
    constexpr std::size_t kLargest = 89 << 10;
    BOOST_TEST(page().size() < kLargest);
    BOOST_TEST(page().size() > kLargest / 4);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
