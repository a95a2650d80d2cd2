// The smaller functions of a wrong function are called with the inputs that it gives them.

#include "grader/diagnosis/inner_calls.h"

#include <boost/test/unit_test.hpp>

#include "grader/ask/inner_calls.h"
#include "grader/base/installation.h"
#include "grader/grading/questions.h"
#include "grader/judge/in_process.h"
#include "grader/rubric/rubric.h"
#include "grader/testing/sample.h"

namespace attn::diagnosis {
namespace {

BOOST_AUTO_TEST_SUITE(inner_calls)

/// A student whose functions `wrong` double their first output and whose functions `unwritten` write nothing.
judge::CallFunction student(const std::vector<std::string>& wrong,
                            const std::vector<std::string>& unwritten = {}) {
    return [=](const ask::Function& function, const Arrays& inputs, const std::vector<std::string>& wanted,
               worker::Placement placement) {
        const auto is_in = [&](const std::vector<std::string>& names) {
            return std::find(names.begin(), names.end(), function.name) != names.end();
        };
        worker::CallResult result = judge::reference_student()(function, inputs, wanted, placement);
        if (is_in(unwritten)) return worker::failure(Outcome::missing, "");
        if (is_in(wrong) && !result.outputs.empty())
            std::visit(
                [](auto& numbers) {
                    for (auto& y : numbers) y = static_cast<std::decay_t<decltype(y)>>(2 * y + 1);
                },
                result.outputs[0].values);
        return result;
    };
}

std::vector<judge::Question> questions() {
    std::vector<judge::Question> all;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(Installation().assignments))
        for (const rubric::PartRubric& part : rubric.parts)
            for (judge::Question& question : numeric_questions(rubric, part, 5))
                all.push_back(std::move(question));
    return all;
}

/// Of every case in a run of all tests.
BOOST_AUTO_TEST_CASE(the_inner_calls_of_drawn_cases_can_be_made_and_are_told_apart) {
    const proof::Sample sample = proof::at_most(150);
    int asked = 0;
    for (const judge::Question& question : proof::drawn(questions(), sample)) {
        if (!question.refusal().empty()) continue;
        const Arrays inputs = question.make_inputs();
        for (const ask::InnerCall& inner : ask::inner_calls(*question.function, inputs)) {
            ++asked;
            const std::string right = about_inner_calls(question, inputs, {}, student({}));
            BOOST_TEST(right.find("right: look at what " + question.function->name) != std::string::npos,
                       question.function->name << " " << question.name << ": " << right);
            const std::string wrong = about_inner_calls(question, inputs, {}, student({inner.function}));
            BOOST_TEST(wrong.find(inner.function + " is wrong") != std::string::npos,
                       question.function->name << " " << question.name << ": " << wrong);
        }
    }
    BOOST_TEST(asked > (sample.is_all() ? 80 : 5));
}

BOOST_AUTO_TEST_CASE(what_is_not_written_or_replaced_is_not_mentioned) {
    const ask::Module& module = *ask::find_module("rnn_attention");
    judge::Question question;
    question.module = &module;
    question.function = module.find_function("decode");
    question.recipe = module.find_recipe("normal");
    question.sizes = {{"B", 2}, {"T", 3}, {"L", 2}, {"D_h", 2}, {"D_y", 3}, {"D_a", 4}, {"D_s", 5}};
    const Arrays inputs = question.make_inputs();
    BOOST_TEST(about_inner_calls(question, inputs, {"decoder_step"},
                                 student({"additive_scores"}, {"attention_context"})) ==
               "With the numbers of this case, your additive_scores is wrong, too.");
    BOOST_TEST(about_inner_calls(question, inputs, {}, student({"attention_context"})) ==
               "With the numbers of this case, your additive_scores and decoder_step are right, and your "
               "attention_context is wrong.");
    BOOST_TEST(about_inner_calls(question, inputs, {"decoder_step"},
                                 student({}, {"additive_scores", "attention_context"}))
                   .empty());
}

BOOST_AUTO_TEST_CASE(one_failure_without_a_named_mistake_tells_of_them) {
    const ask::Module& module = *ask::find_module("masking");
    judge::Question question;
    question.module = &module;
    question.function = module.find_function("masked_attention");
    question.recipe = module.find_recipe("normal");
    question.sizes = {{"B", 2}, {"N_q", 3}, {"N_k", 4}, {"D_q", 2}, {"D_v", 3}};
    question.name = "a";
    judge::Question second = question;
    second.name = "b";
    const judge::CallFunction call = student({"masked_attention"});
    NumericResult judged = judge_numeric({question, second}, call);
    add_inner_calls(judged, {}, call);
    const std::string sentence =
        "With the numbers of this case, your masked_softmax is right: look at what masked_attention itself "
        "does "
        "around it.";
    BOOST_TEST(judged.checks[0].message.ends_with(sentence));
    BOOST_TEST(!judged.checks[1].message.ends_with(sentence));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::diagnosis
