// Wrong answers get the right diagnosis, and a small case that still fails.

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <utility>

#include <boost/test/unit_test.hpp>

#include "grader/diagnosis/explanations.h"
#include "grader/diagnosis/numeric.h"
#include "grader/diagnosis/shrink.h"
#include "grader/judge/in_process.h"
#include "grader/worker/protocol.h"

namespace attn::diagnosis {
namespace {

BOOST_AUTO_TEST_SUITE(explain)

const ask::Module& module() {
    return *ask::find_module("self_attention");
}

int number_of(const std::string& mistake) {
    for (std::size_t k = 0; k < module().mistakes.size(); ++k)
        if (module().mistakes[k].name == mistake) return static_cast<int>(k);
    throw std::invalid_argument(mistake);
}

const ask::Sizes kRagged{{"B", 2}, {"N_q", 5}, {"N_k", 7}, {"D_q", 11}, {"D_v", 3}};
const ask::Sizes kSquare{{"B", 3}, {"N_q", 6}, {"N_k", 6}, {"D_q", 6}, {"D_v", 6}};

BOOST_AUTO_TEST_CASE(the_reference_is_right_and_has_no_diagnosis) {
    const judge::Question question = judge::normal_question("scaled_dot_product_attention", kRagged);
    const judge::Verdict verdict = answer_twice(question, judge::reference_student());
    BOOST_TEST(name_of(verdict.outcome) == "passed");
    BOOST_TEST(verdict.comparison.error_yardsticks <= 1.0);
    const Evidence evidence{&question, &verdict};
    BOOST_TEST(Explanations({&evidence, 1}).of_all().empty());
}

BOOST_AUTO_TEST_CASE(a_mistake_explains_its_own_numbers_only) {
    const judge::Question question = judge::normal_question("scaled_dot_product_attention", kSquare);
    const int count = static_cast<int>(module().mistakes.size());
    int distinguished = 0;
    for (int made = 0; made < count; ++made) {
        const judge::Verdict verdict = answer(question, judge::mistaken_student(module(), {made}));
        if (verdict.outcome == Outcome::passed)
            continue;  // no effect here: a mistake about X, or about overflow
        for (int blamed = 0; blamed < count; ++blamed) {
            const std::vector<int> only{blamed};
            const bool yes = explains(question, verdict, only) == Explains::yes;
            // At equal lengths the scales by N, D_v and D_q are the same number.
            BOOST_TEST(yes == (made == blamed), module().mistakes[static_cast<std::size_t>(made)].name +
                                                    " blamed on " +
                                                    module().mistakes[static_cast<std::size_t>(blamed)].name);
            distinguished += yes ? 0 : 1;
        }
    }
    BOOST_TEST(distinguished > 100);
}

BOOST_AUTO_TEST_CASE(a_mistake_must_explain_all_answers) {
    // At N_k = D_v the two scales are the same. The second case distinguishes them.
    ask::Sizes alike = kRagged;
    alike["D_v"] = alike["N_k"];
    const judge::CallFunction student = judge::mistaken_student(module(), {number_of("scale_sqrt_N")});
    const judge::Question first = judge::normal_question("scaled_dot_product_attention", alike);
    const judge::Question second = judge::normal_question("scaled_dot_product_attention", kRagged);
    const judge::Verdict one = answer(first, student), two = answer(second, student);
    const Evidence both[] = {{&first, &one}, {&second, &two}};
    BOOST_TEST(Explanations({both, 1}).of_all().size() == 2U);
    const auto found = Explanations(both).of_all();
    BOOST_REQUIRE(found.size() == 1U);
    BOOST_TEST(found[0][0] == number_of("scale_sqrt_N"));
}

BOOST_AUTO_TEST_CASE(mistakes_with_the_same_numbers_are_reported_together) {
    const report::Diagnosis both =
        describe(module(), {{number_of("K_Q_transposed")}, {number_of("W_Q_W_K_swapped")}});
    BOOST_TEST(both.mistakes.size() == 2U);
    BOOST_TEST(both.hints.size() == 2U);
    BOOST_TEST(both.sentence.find("do not tell them apart") != std::string::npos);
    BOOST_TEST(both.sentence.find("K Q^T instead of Q K^T") != std::string::npos);
    BOOST_TEST(both.sentence.find("W_Q and W_K are swapped") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(shrinking_finds_the_smallest_sizes_that_fail) {
    const judge::Question question = judge::normal_question("scaled_dot_product_attention", kRagged);
    const auto is_wrong = [](const judge::Question&, const judge::Verdict& verdict) {
        return verdict.outcome == Outcome::wrong;
    };
    const auto shrunk =
        shrink(question, judge::mistaken_student(module(), {number_of("no_scale")}), is_wrong);
    BOOST_REQUIRE(shrunk.has_value());
    const ask::Sizes smallest{{"B", 1}, {"N_q", 1}, {"N_k", 2}, {"D_q", 2}, {"D_v", 1}};
    BOOST_TEST((shrunk->question.sizes == smallest));
    BOOST_TEST(!shrink(question, judge::reference_student(), is_wrong).has_value());
}

BOOST_AUTO_TEST_CASE(a_failure_at_large_sizes_only_is_shrunk_to_its_threshold) {
    const judge::Question question = judge::normal_question("softmax", {{"N", 65}, {"D", 40}});
    const judge::CallFunction wrong_from_row_33 =
        judge::reference_student([](const Arrays&, Arrays& outputs) {
            if (outputs[0].shape[0] > 33)
                outputs[0].as<float>()[33 * static_cast<std::size_t>(outputs[0].shape[1])] += 0.5F;
        });
    const auto is_wrong = [](const judge::Question&, const judge::Verdict& verdict) {
        return verdict.outcome == Outcome::wrong;
    };
    const auto shrunk = shrink(question, wrong_from_row_33, is_wrong);
    BOOST_REQUIRE(shrunk.has_value());
    const ask::Sizes smallest{{"N", 34}, {"D", 1}};
    BOOST_TEST((shrunk->question.sizes == smallest));
}

BOOST_AUTO_TEST_CASE(a_failure_of_few_numbers_is_cut_out) {
    const judge::Question question = judge::normal_question("softmax", {{"N", 1}, {"D", 40}});
    // Wrong in the place of the largest input, if that is large. Few rows of 1 to 3 numbers have one.
    const judge::CallFunction student = judge::reference_student([](const Arrays& inputs, Arrays& outputs) {
        const std::vector<float>& X = inputs[0].as<float>();
        const auto largest = std::ranges::max_element(X);
        if (*largest > 2) outputs[0].as<float>()[static_cast<std::size_t>(largest - X.begin())] += 0.5F;
    });
    const auto is_wrong = [](const judge::Question&, const judge::Verdict& verdict) {
        return verdict.outcome == Outcome::wrong;
    };
    const auto shrunk = shrink(question, student, is_wrong);
    BOOST_REQUIRE(shrunk.has_value());
    BOOST_TEST(shrunk->question.sizes.at("D") == 1);
    BOOST_TEST((shrunk->verdict.inputs[0].shape == Shape{1, 1}));
    BOOST_TEST(std::as_const(shrunk->verdict.inputs[0]).as<float>()[0] > 2);
}

BOOST_AUTO_TEST_CASE(real_data_is_not_shrunk) {
    judge::Question question =
        judge::normal_question("self_attention", {{"B", 1}, {"N", 8}, {"D_x", 8}, {"D_q", 5}, {"D_v", 4}});
    question.recipe = module().find_recipe("digit");
    const auto anything = [](const judge::Question&, const judge::Verdict&) { return true; };
    BOOST_TEST(!shrink(question, judge::reference_student(), anything).has_value());
}

BOOST_AUTO_TEST_CASE(a_check_has_place_numbers_smallest_case_and_diagnosis) {
    const std::vector<judge::Question> questions{
        judge::normal_question("scaled_dot_product_attention", kRagged)};
    const judge::CallFunction student = judge::mistaken_student(module(), {number_of("no_scale")});
    NumericResult judged = judge_numeric(questions, student);
    BOOST_REQUIRE(judged.checks.size() == 1U);
    const report::Check& check = judged.checks[0];
    BOOST_TEST(!check.smallest.has_value());
    SearchWork work;
    illustrate(judged, student, report::Hints::name, work);
    BOOST_TEST(name_of(check.outcome) == "wrong");
    BOOST_TEST(check.message == "Y is wrong in every element.");
    BOOST_REQUIRE(check.difference.has_value());
    BOOST_TEST(check.difference->error_yardsticks > 1000);
    BOOST_TEST(check.difference->yours != check.difference->expected);
    BOOST_REQUIRE(check.smallest.has_value());
    BOOST_TEST(check.smallest->inputs.size() == 3U);
    BOOST_REQUIRE(check.diagnosis.has_value());
    BOOST_TEST(check.diagnosis->sentence ==
               "Your output is exactly what comes out when the scores are not divided by sqrt(D_q).");
}

judge::Question of(const char* module, const char* function, const char* recipe, const ask::Sizes& sizes) {
    const ask::Module& found = *ask::find_module(module);
    return {{found.find_function(function), found.find_recipe(recipe), sizes, {}, {}}, &found, 7, "test"};
}

BOOST_AUTO_TEST_CASE(exponentials_that_are_0_in_float_alone_are_explained_whatever_the_rounding) {
    const ask::Module& heads = *ask::find_module("multi_head");
    const auto mistake = std::ranges::find(heads.mistakes, "maximum_of_masked_too_or_0", &ask::Mistake::name);
    BOOST_TEST_REQUIRE((mistake != heads.mistakes.end()));
    const std::vector<int> made{static_cast<int>(mistake - heads.mistakes.begin())};
    judge::Question question = of("multi_head", "multi_head_attention", "loud_masked",
                                  {{"B", 2}, {"N_q", 6}, {"N_k", 7}, {"D", 4}, {"H", 2}});
    question.seed = 1;
    const double unit = answer(question, judge::reference_student()).units.front();
    for (const double part : {0.0, 0.5, 3.0}) {
        const judge::CallFunction mistaken = judge::mistaken_student(heads, made);
        const judge::Verdict verdict =
            answer(question, [&](const ask::Function& function, const Arrays& inputs,
                                 const std::vector<std::string>& wanted, worker::Placement placement) {
                worker::CallResult result = mistaken(function, inputs, wanted, placement);
                result.outputs.front().as<float>().front() +=
                    static_cast<float>(part * question.allowed_yardsticks * unit);
                return result;
            });
        BOOST_TEST_REQUIRE(name_of(verdict.outcome) == "wrong");
        BOOST_TEST((explains(question, verdict, made) == Explains::yes) == (part < 1), part);
    }
}

BOOST_AUTO_TEST_CASE(an_output_that_a_mistake_leaves_right_only_has_to_be_right) {
    // V_is_K leaves A right. A that sums in another order has other roundings than the plain loops.
    const std::vector<int> made{number_of("V_is_K")};
    const judge::CallFunction mistaken = judge::mistaken_student(module(), made);
    const judge::Question question = judge::normal_question("scaled_dot_product_attention", kSquare);
    const judge::Verdict exact = answer(question, mistaken);
    const auto A =
        static_cast<std::size_t>(std::ranges::find(exact.got, "A", &Array::name) - exact.got.begin());
    BOOST_TEST_REQUIRE(A < exact.got.size());
    BOOST_TEST_REQUIRE(exact.units[A] > 1.1 * judge::yardstick_of(exact.truth_f64[A], exact.truth_f32[A]));
    for (const double part : {0.0, 0.95, 1.5}) {
        const judge::Verdict verdict =
            answer(question, [&](const ask::Function& function, const Arrays& inputs,
                                 const std::vector<std::string>& wanted, worker::Placement placement) {
                worker::CallResult result = mistaken(function, inputs, wanted, placement);
                result.outputs[A].as<float>().front() +=
                    static_cast<float>(part * question.allowed_yardsticks * exact.units[A]);
                return result;
            });
        BOOST_TEST((explains(question, verdict, made) == Explains::yes) == (part < 1), part);
    }
}

BOOST_AUTO_TEST_CASE(zeros_that_are_not_written_are_named) {
    const judge::Question question = of("masking", "masked_softmax", "normal", {{"N", 4}, {"D", 5}});
    for (const float left_out : {0.0F, 2.0F}) {
        // Does not write what is at most this.
        const judge::CallFunction student =
            judge::reference_student([left_out](const Arrays&, Arrays& outputs) {
                bool first = true;
                for (float& x : outputs.front().as<float>())
                    if (x <= left_out && !std::exchange(first, false))
                        x = std::bit_cast<float>(worker::kPoison);
            });
        const NumericResult judged = judge_numeric({question}, student);
        BOOST_TEST_REQUIRE(name_of(judged.verdicts.front().outcome) == "partly_written");
        BOOST_TEST(judged.checks.front().diagnosis.has_value() == (left_out == 0));
    }
}

/// b_1 is forgotten where `where` says so, by the number of rows and the activation.
judge::CallFunction without_b_1(std::function<bool(int rows, int activation)> where) {
    return [where = std::move(where)](const ask::Function& function, Arrays inputs,
                                      const std::vector<std::string>& wanted, worker::Placement placement) {
        const auto activation = static_cast<int>(number_at(ask::by_name(inputs, "activation"), 0));
        if (where(ask::by_name(inputs, "X").shape[0], activation)) {
            Array& b_1 = ask::by_name(inputs, "b_1");
            b_1 = ask::zeros_like(b_1);
        }
        return judge::reference_student()(function, inputs, wanted, placement);
    };
}

BOOST_AUTO_TEST_CASE(a_choice_of_an_option_is_blamed_only_if_the_others_are_right_in_the_same_call) {
    std::vector<judge::Question> questions;
    for (const auto& [rows, activation] : {std::pair(3, 1.0), {1, 0.0}, {1, 2.0}}) {
        questions.push_back(
            judge::normal_question("feed_forward", {{"N", rows}, {"D", 4}, {"F", 5}}, "transformer_block"));
        questions.back().setting.options["activation"] = activation;
    }
    const auto said = [&](const judge::CallFunction& student) {
        NumericResult judged = judge_numeric(questions, student);
        SearchWork work;
        illustrate(judged, student, report::Hints::name, work);
        return judged.checks.front().diagnosis ? judged.checks.front().diagnosis->sentence : "";
    };
    const std::string of_gelu = said(without_b_1([](int, int activation) { return activation == 1; }));
    BOOST_TEST(of_gelu.starts_with("With activation = gelu_erf, your output is"), of_gelu);
    // Only the cases with several rows are wrong, whatever the activation is.
    const std::string of_rows = said(without_b_1([](int rows, int) { return rows > 1; }));
    BOOST_TEST(!of_rows.starts_with("With activation"), of_rows);
}

BOOST_AUTO_TEST_CASE(a_function_that_copies_has_no_rounding_errors) {
    const judge::Question copies = of("positional_encoding", "concatenate_positions", "normal",
                                      {{"B", 1}, {"N", 2}, {"D", 3}, {"D_p", 2}});
    const auto error = [](const judge::Question& question) {
        const NumericResult judged =
            judge_numeric({question}, judge::reference_student([](const Arrays&, Arrays& outputs) {
                              outputs.front().as<float>().front() += 1;
                          }));
        return judged.checks.front().difference.value().error_yardsticks;
    };
    BOOST_TEST(std::isinf(error(copies)));
    BOOST_TEST(!std::isinf(error(judge::normal_question("scaled_dot_product_attention", kRagged))));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::diagnosis
