// The quiz "Dimensions?": which shapes can be asked for, which answers are right, and how it ends.

#include <algorithm>
#include <set>
#include <sstream>

#include <boost/test/unit_test.hpp>

#include "datasets/files/message_contains.h"
#include "grader/base/installation.h"
#include "grader/cli/quiz.h"
#include "grader/cli/run_function.h"

namespace attn::cli {
namespace {

BOOST_AUTO_TEST_SUITE(quiz_command)

const std::vector<rubric::Rubric>& rubrics_of_quiz() {
    static const auto kAll = rubric::read_rubrics(Installation().assignments);
    return kAll;
}

ShapeQuestion question_of(const std::string& function, const std::string& array) {
    const Target target = find_function(rubrics_of_quiz(), function);
    const auto part = std::ranges::find(target.rubric->parts, target.function, &rubric::PartRubric::function);
    for (const ShapeQuestion& each : shape_questions({&*part}))
        if (each.hidden->name == array) return each;
    BOOST_FAIL(function << " has no question for " << array);
    return {};
}

BOOST_AUTO_TEST_CASE(the_shape_is_hidden_and_all_others_are_shown) {
    const std::string text = question_text(question_of("scaled_dot_product_attention", "A"));
    BOOST_TEST(text.find("A [?]") != std::string::npos, text);
    BOOST_TEST(text.find("Q [B, N_q, D_q]") != std::string::npos, text);
    BOOST_TEST(text.find("N_q, N_k]") == std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(a_shape_is_right_in_any_spelling_and_wrong_in_another_order) {
    const ShapeQuestion weights = question_of("scaled_dot_product_attention", "A");
    for (const char* right : {"B N_q N_k", "[B, N_q, N_k]", " b "}) {
        const std::string mistake = shape_mistake(weights, right);
        BOOST_TEST(mistake.empty() == (right[1] != 'b'), right << ": " << mistake);
    }
    BOOST_TEST(shape_mistake(weights, "B N_k N_q") == "no");
    BOOST_TEST(shape_mistake(weights, "N_q N_k") == "A has 3 axes, you typed 2");
    BOOST_TEST(shape_mistake(weights, "B N_q D") == "D is none of the lengths here: B, D_q, D_v, N_k, N_q");
    BOOST_TEST(shape_mistake(weights, "B N_q +").find("+ is no length") == 0U);
    BOOST_TEST(!shape_mistake(weights, "").empty());

    // D/H is a length of its own: neither D nor H.
    const ShapeQuestion heads = question_of("split_heads", "Y");
    BOOST_TEST(shape_mistake(heads, "B H N D/H").empty());
    for (const char* wrong : {"B N H D/H", "B H N D", "B H D/H N", "B N N D/H"})
        BOOST_TEST(shape_mistake(heads, wrong) == "no", wrong);
}

BOOST_AUTO_TEST_CASE(every_function_with_arrays_is_asked_for_and_its_own_shape_is_the_right_answer) {
    std::set<std::string> functions;
    std::size_t wrong_orders = 0;
    for (const rubric::Rubric& rubric : rubrics_of_quiz())
        for (const rubric::PartRubric& part : rubric.parts)
            for (const ShapeQuestion& each : shape_questions({&part}))
                BOOST_TEST_CONTEXT(question_text(each)) {
                    functions.insert(part.function->name);
                    std::string right, reversed;
                    for (const std::string& dim : each.hidden->dims) {
                        right += dim + ' ';
                        reversed = dim + ' ' + reversed;
                    }
                    BOOST_TEST(shape_mistake(each, right) == "");
                    if (right != reversed && shape_mistake(each, reversed).empty()) ++wrong_orders;
                }
    BOOST_TEST(functions.size() >= 60U);
    // The cases of the rubrics tell all lengths apart.
    BOOST_TEST(wrong_orders == 0U);
}

BOOST_AUTO_TEST_CASE(each_question_comes_twice_and_the_end_says_what_was_wrong) {
    const Target target = find_function(rubrics_of_quiz(), "split_heads");
    const auto part = std::ranges::find(target.rubric->parts, target.function, &rubric::PartRubric::function);
    const auto questions = shape_questions({&*part});
    BOOST_TEST_REQUIRE(questions.size() == 2U);
    std::istringstream in("B N D\nB N D\nB N D\nB N D\n");
    std::ostringstream out;
    BOOST_TEST(ask_shapes(questions, 7, in, out, 80) == 2);
    const std::string text = out.str();
    BOOST_TEST(text.find("4/4  split_heads") != std::string::npos, text);
    BOOST_TEST(text.find("2 of 4 right.\n   split_heads: Y is [B, H, N, D/H], you typed [B, N, D]\n") !=
                   std::string::npos,
               text);

    std::istringstream ends("\nq\nB N D\n");
    std::ostringstream short_run;
    BOOST_TEST(ask_shapes(questions, 7, ends, short_run, 80) == 1);
    BOOST_TEST(short_run.str().find("0 of 1 right.") != std::string::npos, short_run.str());
    std::istringstream nothing;
    std::ostringstream unasked;
    BOOST_TEST(ask_shapes(questions, 7, nothing, unasked, 80) == 0);
    BOOST_TEST(unasked.str().find("0 of 0 right.") != std::string::npos, unasked.str());
}

BOOST_AUTO_TEST_CASE(the_order_follows_from_the_seed) {
    std::vector<const rubric::PartRubric*> parts;
    for (const rubric::PartRubric& part : rubrics_of_quiz().at(1).parts) parts.push_back(&part);
    const auto run = [&](unsigned seed) {
        std::istringstream in(std::string(200, '\n'));
        std::ostringstream out;
        ask_shapes(shape_questions(parts), seed, in, out, 80);
        return out.str();
    };
    BOOST_TEST(run(1) == run(1));
    BOOST_TEST(run(1) != run(2));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
