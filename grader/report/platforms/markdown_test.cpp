// Markdown: its contents, and that text of a student never becomes markup.

#include "grader/report/platforms/markdown.h"

#include <sstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/testing/golden.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(markdown)

std::size_t fence_of(const std::string& line) {
    const std::size_t length = std::min(line.find_first_not_of('`'), line.size());
    return length >= 3 ? length : 0;
}

/// The lines outside code blocks. Each opening fence needs a closing one of at least the same length.
std::vector<std::string> prose_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    std::size_t fence = 0;
    for (std::string line; std::getline(stream, line);) {
        const std::size_t here = fence_of(line);
        if (fence == 0 && here > 0)
            fence = here;
        else if (fence > 0 && here >= fence && line.find_first_not_of("` ") == std::string::npos)
            fence = 0;
        else if (fence == 0)
            lines.push_back(line);
    }
    BOOST_TEST(fence == 0U);
    return lines;
}

/// The line without escaped characters, in which Markdown could still find markup.
std::string without_escapes(const std::string& line) {
    std::string rest;
    for (std::size_t k = 0; k < line.size(); ++k) {
        if (line[k] == '\\')
            ++k;
        else
            rest += line[k];
    }
    return rest;
}

BOOST_AUTO_TEST_CASE(the_report_shows_the_main_results) {
    const std::string text = to_markdown(golden());
    for (const char* part :
         {"# Attention Lab: 6.5 / 27.5\n", "**Next:** fix softmax.", "## 2 Self-attention: 6.5 / 27.5\n",
          "| `softmax` | 2.5 / 15 | 1 of 5 numeric, 0 of 1 properties |\n",
          "| `self_attention` | 0 / 5 | not implemented yet |\n",
          "`extra.cpp`: does not compile\n\n```text\n| extra",
          "### `softmax`, case tall: wrong, 0 / 2.5\n\n(normal numbers, N=5 D=7)\n\nEvery row of Y is off.\n",
          "\n```text\nX      0.25        -3\n",
          "\n**Your output is exactly what comes out when exp is left out.**\n",
          "\nMore on this: `make explain ID=2.softmax.tall`\n", "- case long: wrong. the same mistake\n",
          "- property rows\\_sum\\_to\\_one: threw. ", "### `attention`, speed: slow, 1.5 / 2.5\n",
          "yardstick   ================================", "Time grows as N\\^2.96"})
        BOOST_TEST_CONTEXT(text) BOOST_TEST(contains(text, part), "missing: " << part);
    BOOST_TEST(!contains(text, "### `self_attention`"));
}

BOOST_AUTO_TEST_CASE(hostile_text_stays_text) {
    Report report = golden();
    const std::string worse =
        kHostile +
        "\n```\n````` \n~~~\n# heading\n<img src=x onerror=alert(1)> ![i](http://x.org/a.png) "
        "[l](javascript:x) @teacher www.x.org https://x.org a@b.org | cell | $x$ `code` \\";
    Check& check = report.assignments.at(0).parts.at(0).checks.at(4);
    check.printed = check.message = check.about = worse;
    report.notes = {worse};
    report.submission = report.next = worse;
    report.assignments.at(0).sources.at(1).messages = worse;
    report.assignments.at(0).title = worse;
    report.assignments.at(0).parts.at(0).checks = {check};
    const std::string text = to_markdown(report);
    int with_heading = 0;
    for (const std::string& line : prose_of(text)) {
        BOOST_TEST_CONTEXT(line) {
            for (const char* tag : {"<", "[", "]", "$", "~", "@teacher", "www.x", "://", "a@b"})
                BOOST_TEST(!contains(without_escapes(line), tag), "it contains " << tag);
            BOOST_TEST(!line.starts_with("::"));
            with_heading += line.starts_with('#') ? 1 : 0;
            if (line.starts_with('|')) {
                std::size_t bars = 0;
                for (std::size_t k = 0; k < line.size(); ++k)
                    if (line[k] == '|' && (k == 0 || line[k - 1] != '\\')) ++bars;
                BOOST_TEST((bars == 3 || bars == 4));
            }
        }
    }
    BOOST_TEST(with_heading == 5);  // the report's, the assignment's, a failure, speed, growth
}

BOOST_AUTO_TEST_CASE(escaped_text_reads_as_it_was_written) {
    BOOST_TEST(escape_markdown("a plain sentence, 3.5 (of 4).") == "a plain sentence, 3.5 (of 4).");
    BOOST_TEST(escape_markdown("*a* _b_ `c` [d] ~e~ \\f") == "\\*a\\* \\_b\\_ \\`c\\` \\[d\\] \\~e\\~ \\\\f");
    BOOST_TEST(escape_markdown("<b> & &amp;") == "&lt;b&gt; &amp; &amp;amp;");
    BOOST_TEST(escape_markdown("@you") == "@\u200byou");
    BOOST_TEST(escape_markdown("https://x.org") == "https:\u200b//x.org");
    BOOST_TEST(escape_markdown("see WWW.x.org") == "see WWW\u200b.x.org");
    BOOST_TEST(escape_markdown("- x") == "\\- x");
    BOOST_TEST(escape_markdown("12. x") == "12\\. x");
    BOOST_TEST(escape_markdown("1.5 x") == "1\\.5 x");
    BOOST_TEST(escape_markdown("::error::x") == "\\::error::x");
    BOOST_TEST(escape_markdown("a\n\n# b") == "a \\#\u200b b");
}

BOOST_AUTO_TEST_CASE(code_is_put_between_backticks_if_possible) {
    BOOST_TEST(code_span("softmax") == "`softmax`");
    BOOST_TEST(code_span("a`b") == "a\\`b");
    BOOST_TEST(code_span("a|b") == "a\\|b");
    BOOST_TEST(code_span("a\nb") == "`a b`");
    BOOST_TEST(code_span("") == "");
}

BOOST_AUTO_TEST_CASE(fences_are_longer_than_any_fence_in_the_text) {
    BOOST_TEST(fenced("a\n") == "```text\na\n```\n");
    BOOST_TEST(fenced("a") == "```text\na\n```\n");
    BOOST_TEST(fenced("```\n````x") == "`````text\n```\n````x\n`````\n");
    BOOST_TEST(prose_of("x\n" + fenced("`````\n# y") + "z\n") == (std::vector<std::string>{"x", "z"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(parts_that_do_not_fit_are_left_out_with_a_note) {
    const std::string whole = to_markdown(golden());
    BOOST_TEST(!contains(whole, "left out: it is too long"));
    for (const std::size_t limit : {whole.size() - 1, whole.size() / 2, std::size_t{1500}}) {
        const std::string text = to_markdown(golden(), limit);
        BOOST_TEST(text.size() <= limit);
        BOOST_TEST(text.ends_with("The rest is left out: it is too long for this page.\n"));
        BOOST_TEST(text.starts_with("# Attention Lab: 6.5 / 27.5\n"));
        prose_of(text);  // every fence is closed
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
