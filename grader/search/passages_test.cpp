// How texts are cut into passages.

#include "grader/search/passages.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "grader/base/installation.h"
#include "grader/search/testing/ten_questions.h"

namespace attn::search {
namespace {

BOOST_AUTO_TEST_SUITE(passages)

const std::string kWords =
    " one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen twenty and five more of them here.";

BOOST_AUTO_TEST_CASE(a_page_is_cut_at_headings_paragraphs_items_and_rows) {
    const auto all = passages_of_page(
        "assignments/x.md",
        "# Title\n\nFirst" + kWords +
            "\n\nSecond, of [B, N].\n\n## A `part`\n\n> 12. *Item* with a [long\n  link](x.md)," + kWords +
            "\n- Next item.\n\n| a | b |\n|---|---|\n| 1 | two |\n");
    BOOST_REQUIRE(all.size() == 4U);
    BOOST_TEST(all[0].title == "Title");
    BOOST_TEST(all[0].heading == "");
    BOOST_TEST(all[0].line == 3);
    BOOST_TEST(all[1].to_read() == "Title. Second, of [B, N].");
    BOOST_TEST(all[2].heading == "A part");
    BOOST_TEST(all[2].line == 9);
    BOOST_TEST(all[2].to_show().starts_with("Item with a long link, one two"));
    BOOST_TEST(all[2].to_read().starts_with("Title. A part. Item with a long link, one two"));
    // Short pieces stand together.
    BOOST_TEST(all[3].to_read() == "Title. A part. Next item. a b 1 two");
    BOOST_TEST(all[3].to_show() == "Next item.\na b\n1 two\n");
    BOOST_TEST(all[3].text == "- Next item.\n| a | b |\n| 1 | two |\n");
}

BOOST_AUTO_TEST_CASE(code_belongs_to_the_text_before_it_and_is_not_read) {
    const auto all =
        passages_of_page("x.md", "# T\n\nThe formula" + kWords +
                                     "\n\n```\n# E = Q K^T\n\nA = softmax(E)\n```\n\nNext" + kWords + "\n");
    BOOST_REQUIRE(all.size() == 2U);
    BOOST_TEST(all[0].text.find("A = softmax(E)") != std::string::npos);
    BOOST_TEST(all[0].to_read().find("softmax") == std::string::npos);
    BOOST_TEST(all[0].to_show().find("here.\n# E = Q K^T\n\nA = softmax(E)\n") != std::string::npos);
    BOOST_TEST(all[1].to_read().starts_with("T. Next one"));
}

BOOST_AUTO_TEST_CASE(a_long_paragraph_is_cut) {
    std::string page = "# T\n\n";
    for (int k = 0; k < 30; ++k) page += "line" + kWords + "\n";
    const auto all = passages_of_page("x.md", page);
    BOOST_TEST(all.size() == 6U);
    for (const Passage& each : all) BOOST_TEST(std::ranges::count(each.text, ' ') < 150);
}

BOOST_AUTO_TEST_CASE(a_header_is_cut_at_its_declarations) {
    const auto all = passages_of_header("x.h",
                                        "#pragma once\n/// Assignment 2: self-attention. You write "
                                        "it.\n///\n/// Letters: B batches.\n\n#include <x>\n\n"
                                        "/// Weights from scores.\n///   Y = exp(X)      [N, D]\nvoid "
                                        "softmax(View Y,\n             View X);\n\n"
                                        "/// Where the norms stand.\nenum class Norm { pre, post };\n");
    BOOST_REQUIRE(all.size() == 3U);
    BOOST_TEST(all[0].heading == "x.h");
    BOOST_TEST(
        all[0].to_read() ==
        "Assignment 2: self-attention. x.h. Assignment 2: self-attention. You write it. Letters: B batches.");
    BOOST_TEST(all[1].heading == "softmax");
    BOOST_TEST(all[1].line == 8);
    BOOST_TEST(all[1].to_read() ==
               "Assignment 2: self-attention. softmax. Weights from scores. Y = exp(X) [N, D] void "
               "softmax(View Y, View X);");
    BOOST_TEST(all[1].text.ends_with("View X);\n"));
    BOOST_TEST(all[2].heading == "Norm");
}

BOOST_AUTO_TEST_CASE(the_course_has_the_passages_that_answer_the_ten_questions) {
    const std::vector<Passage> all = course_passages(Installation().assignments);
    BOOST_TEST(all.size() > 500U);
    for (const Asked& asked : ten_questions())
        for (const Answer& answer : asked.answers)
            BOOST_TEST(std::ranges::any_of(all, [&](const Passage& each) { return is_answer(each, answer); }),
                       answer.file << ": " << answer.words);
    const auto has = [&](const std::string& file) {
        return std::ranges::any_of(all,
                                   [&](const Passage& each) { return each.file == file && each.line > 0; });
    };
    for (const char* const file :
         {"assignments/lectures.md", "assignments/working.md", "assignments/courses/eecs498.toml",
          "assignments/05_transformer_block/transformer_block.h", "assignments/tensor.h"})
        BOOST_TEST(has(file), file);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::search
