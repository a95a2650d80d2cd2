// What is said about where a function is right and where it is wrong.

#include "grader/diagnosis/failure_pattern.h"

#include <limits>

#include <boost/test/unit_test.hpp>

#include "grader/diagnosis/failure_claims.h"
#include "grader/diagnosis/numeric.h"
#include "grader/diagnosis/simplify_values.h"
#include "grader/judge/in_process.h"

namespace attn::diagnosis {
namespace {

BOOST_AUTO_TEST_SUITE(failure_pattern)

const std::string kAttention = "scaled_dot_product_attention";
const ask::Sizes kRagged{{"B", 3}, {"N_q", 5}, {"N_k", 7}, {"D_q", 4}, {"D_v", 3}},
    kSquare{{"B", 2}, {"N_q", 6}, {"N_k", 6}, {"D_q", 6}, {"D_v", 6}},
    kOneKey{{"B", 2}, {"N_q", 3}, {"N_k", 1}, {"D_q", 5}, {"D_v", 7}},
    kOneBatch{{"B", 1}, {"N_q", 4}, {"N_k", 3}, {"D_q", 5}, {"D_v", 2}};

std::vector<judge::Question> questions() {
    std::vector<judge::Question> all;
    for (const ask::Sizes& sizes : {kRagged, kSquare, kOneKey, kOneBatch})
        all.push_back(judge::normal_question(kAttention, sizes));
    return all;
}

std::vector<judge::Question> questions_with_5_columns() {
    std::vector<judge::Question> all = questions();
    all.front().sizes["D_q"] = 5;
    return all;
}

/// What is said of a student who answers these questions. The first of them fails.
std::string said(const judge::CallFunction& student, std::vector<judge::Question> asked = questions()) {
    const NumericResult judged = judge_numeric(std::move(asked), student);
    std::vector<Evidence> answers;
    for (std::size_t k = 0; k < judged.questions.size(); ++k)
        answers.push_back({&judged.questions[k], &judged.verdicts[k]});
    return diagnosis::failure_pattern(answers, answers.front(), nullptr, student);
}

/// Adds 0.5 to the elements of an output that `where` chooses, by output, inputs and index.
using Where = std::function<bool(const Array& output, const Arrays& inputs, const std::vector<int>& at)>;
judge::CallFunction wrong_where(Where where) {
    return judge::reference_student([where = std::move(where)](const Arrays& inputs, Arrays& outputs) {
        for (Array& output : outputs) {
            std::vector<int> at(output.shape.size());
            for (std::size_t k = 0; k < output.count(); ++k) {
                std::size_t rest = k;
                for (std::size_t axis = at.size(); axis-- > 0;) {
                    const auto length = static_cast<std::size_t>(output.shape[axis]);
                    at[axis] = static_cast<int>(rest % length);
                    rest /= length;
                }
                if (where(output, inputs, at)) output.as<float>()[k] += 0.5F;
            }
        }
    });
}

int length(const Arrays& inputs, const char* name, std::size_t axis) {
    return ask::by_name(inputs, name).shape[axis];
}

bool has_large_numbers(const Arrays& inputs) {
    return std::ranges::any_of(ask::by_name(inputs, "Q").as<float>(),
                               [](float x) { return std::abs(x) > 10; });
}

BOOST_AUTO_TEST_CASE(a_length_of_one_can_be_right) {
    BOOST_TEST(said(wrong_where([](const Array&, const Arrays& inputs, const auto&) {
                   return length(inputs, "K", 1) > 1;
               })) ==
               "In the cases shown here, and in calls like them: right with N_k = 1, wrong from N_k = 2.");
    BOOST_TEST(
        said(wrong_where([](const Array&, const Arrays& inputs, const auto&) {
            return length(inputs, "K", 1) > 1 && length(inputs, "Q", 2) > 1;
        })) ==
        "In the cases shown here, and in calls like them: right with D_q = 1 or N_k = 1, wrong otherwise.");
}

BOOST_AUTO_TEST_CASE(equal_lengths_can_be_right) {
    BOOST_TEST(
        said(wrong_where([](const Array&, const Arrays& inputs, const auto&) {
            return length(inputs, "K", 1) != length(inputs, "Q", 1);
        })) ==
        "In the cases shown here, and in calls like them: right where N_k = N_q, wrong where they differ.");
    BOOST_TEST(
        said(wrong_where([](const Array&, const Arrays& inputs, const auto&) {
            return length(inputs, "K", 1) > length(inputs, "Q", 1);
        })) ==
        "In the cases shown here, and in calls like them: right where N_k <= N_q, wrong where N_k > N_q.");
}

BOOST_AUTO_TEST_CASE(two_lengths_are_compared_only_where_a_call_with_neither_of_them_1_is_right) {
    // With D = 5 only 1 and 5 heads can be asked for, so that N <= H is known with N = 1 alone.
    std::vector<judge::Question> asked;
    for (const ask::Sizes& sizes : {ask::Sizes{{"B", 2}, {"N", 3}, {"D", 5}, {"H", 1}},
                                    {{"B", 1}, {"N", 1}, {"D", 5}, {"H", 1}},
                                    {{"B", 2}, {"N", 7}, {"D", 5}, {"H", 5}}})
        asked.push_back(judge::normal_question("split_heads", sizes, "multi_head"));
    BOOST_TEST(said(wrong_where([](const Array&, const Arrays& inputs, const auto&) {
                        return length(inputs, "X", 1) > 1;
                    }),
                    asked) ==
               "In the cases shown here, and in calls like them: right with N = 1, wrong from N = 2.");
}

BOOST_AUTO_TEST_CASE(a_part_of_an_output_can_be_right) {
    const auto later_batches = [](const Array&, const Arrays&, const auto& at) { return at[0] > 0; };
    BOOST_TEST(said(wrong_where(later_batches)) ==
               "Y is right in the first batch and has errors in every other.");
    const auto last_row = [](const Array& output, const Arrays&, const auto& at) {
        return output.name == "Y" && at[1] + 1 == output.shape[1];
    };
    BOOST_TEST(said(wrong_where(last_row)) == "Y is wrong in the last row and right in every other.");
}

BOOST_AUTO_TEST_CASE(an_output_can_be_right) {
    BOOST_TEST(said(wrong_where([](const Array& output, const Arrays&, const auto&) {
                   return output.name == "Y";
               })) == "A is right in every case.");
}

BOOST_AUTO_TEST_CASE(a_root_of_whole_numbers_is_right_for_squares) {
    BOOST_TEST(said(wrong_where([](const Array&, const Arrays& inputs, const auto&) {
                        const int D_q = length(inputs, "Q", 2);
                        return length(inputs, "K", 1) > 1 && D_q != 1 && D_q != 4 && D_q != 9;
                    }),
                    questions_with_5_columns()) ==
               "In the cases shown here, and in calls like them: right where D_q is a square or N_k = 1, "
               "wrong otherwise.");
}

BOOST_AUTO_TEST_CASE(numbers_in_the_inputs_come_before_lengths) {
    const auto has_row_below_0 = [](const Arrays& inputs) {
        const std::vector<float>& K = ask::by_name(inputs, "K").as<float>();
        const auto columns = length(inputs, "K", 2);
        for (auto row = K.begin(); row != K.end(); row += columns)
            if (std::all_of(row, row + columns, [](float x) { return x < 0; })) return true;
        return false;
    };
    std::vector<judge::Question> asked = questions();
    asked.front().sizes["D_q"] = 2;  // a row of two numbers below 0 is likely
    BOOST_TEST(said(wrong_where([&](const Array&, const Arrays& inputs, const auto&) {
                        return has_row_below_0(inputs);
                    }),
                    asked) ==
               "In the cases shown here, and in calls like them: wrong where a row of K is below 0 "
               "throughout, right elsewhere.");
}

BOOST_AUTO_TEST_CASE(the_smallest_case_refutes_a_pattern) {
    // Right with one query, but not in this small call.
    const judge::CallFunction student = wrong_where([](const Array&, const Arrays& inputs, const auto&) {
        return length(inputs, "Q", 1) > 1 ||
               (length(inputs, "K", 1) == 2 && length(inputs, "V", 2) == 1 && length(inputs, "Q", 2) == 1);
    });
    NumericResult judged = judge_numeric(questions(), student);
    std::vector<Evidence> answers;
    for (std::size_t k = 0; k < judged.questions.size(); ++k)
        answers.push_back({&judged.questions[k], &judged.verdicts[k]});
    const judge::Question small =
        judge::normal_question(kAttention, {{"B", 1}, {"N_q", 1}, {"N_k", 2}, {"D_q", 1}, {"D_v", 1}});
    const judge::Verdict verdict = judge::answer(small, student);
    const Evidence smallest{&small, &verdict};
    BOOST_TEST(diagnosis::failure_pattern(answers, answers.front(), nullptr, student) ==
               "In the cases shown here, and in calls like them: right with N_q = 1, wrong from N_q = 2.");
    BOOST_TEST(diagnosis::failure_pattern(answers, answers.front(), &smallest, student) == "");
}

BOOST_AUTO_TEST_CASE(extreme_numbers_that_hide_a_mistake_are_left_out_with_a_word) {
    std::vector<judge::Question> asked = questions();
    asked.push_back(asked.front());
    asked.back().recipe = asked.front().module->find_recipe("overflow");
    const judge::CallFunction student = wrong_where([](const Array&, const Arrays& inputs, const auto&) {
        return length(inputs, "K", 1) > 1 && !has_large_numbers(inputs);
    });
    BOOST_TEST(said(student, asked) ==
               "In the cases shown here with inputs of this kind, and in calls like them: right with N_k = "
               "1, wrong from N_k = 2.");
}

BOOST_AUTO_TEST_CASE(extreme_numbers_that_are_wrong_too_refute_a_pattern) {
    std::vector<judge::Question> asked = questions();
    asked.push_back(judge::normal_question(kAttention, kOneKey));
    asked.back().recipe = asked.front().module->find_recipe("overflow");
    const judge::CallFunction student = wrong_where([](const Array&, const Arrays& inputs, const auto&) {
        return length(inputs, "K", 1) > 1 || has_large_numbers(inputs);
    });
    BOOST_TEST(said(student, asked) == "");
}

/// A question about a function of the block.
judge::Question of_block(const char* function, const ask::Sizes& sizes, const char* option, double value,
                         std::uint64_t seed = 7) {
    const ask::Module& module = *ask::find_module("transformer_block");
    judge::Question question{
        {module.find_function(function), module.find_recipe("normal"), sizes, {}, {}}, &module, seed, "test"};
    question.setting.options[option] = value;
    return question;
}

BOOST_AUTO_TEST_CASE(an_error_just_below_the_tolerance_is_not_called_right) {
    const ask::Sizes sizes{{"N", 4}, {"D", 5}};
    const judge::Question with_default = of_block("layer_norm", sizes, "eps", 1e-5);
    const double unit = judge::answer(with_default, judge::reference_student()).units.front();
    for (const double part : {0.0, 0.5}) {
        const judge::CallFunction student =
            judge::reference_student([=](const Arrays& inputs, Arrays& outputs) {
                const double eps = number_at(ask::by_name(inputs, "eps"), 0);
                outputs.front().as<float>().front() +=
                    eps > 0.1 ? 0.5F : static_cast<float>(part * unit * with_default.allowed_yardsticks);
            });
        BOOST_TEST(said(student, {of_block("layer_norm", sizes, "eps", 0.25), with_default}) ==
                   (part > 0 ? ""
                             : "In the cases shown here, and in calls like them: right with eps = 1e-05, "
                               "wrong with eps = 0.25."));
    }
}

BOOST_AUTO_TEST_CASE(a_mask_that_hides_a_mistake_proves_no_length_right) {
    // Right where the only key is hidden.
    const judge::CallFunction student = wrong_where([](const Array&, const Arrays& inputs, const auto&) {
        const std::vector<std::uint8_t>& mask = ask::by_name(inputs, "mask").as<std::uint8_t>();
        return number_at(ask::by_name(inputs, "norm"), 0) == 1 && (mask.size() > 1 || mask.front() == 1);
    });
    const ask::Sizes sizes{{"B", 1}, {"N", 3}, {"D", 2}, {"F", 2}, {"H", 1}};
    for (const std::uint64_t seed : {11U, 12U})  // N = 1 would have a mask of 0

        BOOST_TEST(said(student, {of_block("transformer_block", sizes, "norm", 1, seed),
                                  of_block("transformer_block", sizes, "norm", 0, seed)}) ==
                   "In the cases shown here, and in calls like them: right with norm = pre, wrong with norm "
                   "= post.");
}

BOOST_AUTO_TEST_CASE(one_kind_of_inputs_can_be_wrong) {
    std::vector<judge::Question> asked = questions();
    asked.insert(asked.begin(), asked.front());
    asked.front().recipe = asked.front().module->find_recipe("overflow");
    const judge::CallFunction student = wrong_where(
        [](const Array&, const Arrays& inputs, const auto&) { return has_large_numbers(inputs); });
    BOOST_TEST(said(student, asked) ==
               "In the cases shown here, and in calls like them: wrong only with scores near +-1000.");
}

BOOST_AUTO_TEST_CASE(nothing_is_said_that_an_answer_contradicts) {
    BOOST_TEST(said(wrong_where([](const auto&, const auto&, const auto&) { return true; })) == "");
    // Right with one key, but only in the cases of the rubric: with other queries it is wrong.
    BOOST_TEST(said(wrong_where([](const Array&, const Arrays& inputs, const auto&) {
                   return length(inputs, "K", 1) > 1 || length(inputs, "Q", 1) != 3;
               })) == "");
    // Wrong in the last row in three cases, and in the first row of the fourth.
    BOOST_TEST(said(wrong_where([](const Array& output, const Arrays& inputs, const auto& at) {
                   return at[1] == (length(inputs, "K", 1) == 1 ? 0 : output.shape[1] - 1);
               })) == "");
}

BOOST_AUTO_TEST_CASE(secret_answers_do_not_show) {
    const judge::CallFunction student =
        wrong_where([](const Array& output, const Arrays& inputs, const auto& at) {
            return at[1] == (length(inputs, "K", 1) == 1 ? 0 : output.shape[1] - 1);
        });
    for (const bool secret : {false, true}) {
        NumericResult judged = judge_numeric(questions(), student);
        for (judge::Question& question : judged.questions)
            question.kept_back = secret && question.sizes.at("N_k") == 1;
        SearchWork work;
        illustrate(judged, student, report::Hints::name, work);
        BOOST_TEST(judged.checks.front().pattern ==
                   (secret ? "Y is wrong in the last row and right in every other." : ""));
    }
}

BOOST_AUTO_TEST_CASE(a_cause_that_is_named_needs_no_pattern) {
    const judge::CallFunction student =
        wrong_where([](const Array& output, const Arrays& inputs, const auto&) {
            return output.name == "Y" && inputs.front().shape[0] > 1;
        });
    const NumericResult judged = judge_numeric(questions(), student);
    std::vector<Evidence> answers;
    for (std::size_t k = 0; k < judged.questions.size(); ++k)
        answers.push_back({&judged.questions[k], &judged.verdicts[k]});
    const std::string alone = diagnosis::failure_pattern(answers, answers.front(), nullptr, student),
                      beside_a_name =
                          diagnosis::failure_pattern(answers, answers.front(), nullptr, student, true);
    BOOST_TEST(alone.find("right with B = 1") != std::string::npos, alone);
    BOOST_TEST(beside_a_name == "A is right in every case.");
}

BOOST_AUTO_TEST_CASE(rows_tell_whether_only_rows_without_a_1_are_wrong) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    judge::Question question;
    question.allowed_yardsticks = 20;
    judge::Verdict verdict;
    verdict.outcome = Outcome::not_finite;
    verdict.inputs = {Array("mask", {2, 2}, std::vector<std::uint8_t>{0, 0, 1, 0})};
    verdict.truth_f64 = {Array("Y", {2, 1}, std::vector<double>{0, 3})};
    verdict.units = {1e-7};
    for (const bool both : {false, true}) {
        verdict.got = {Array("Y", {2, 1}, std::vector<float>{kNan, both ? kNan : 3.0F})};
        BOOST_TEST(wrong_beside_empty_rows({&question, &verdict}) == both);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::diagnosis
