// Wrong answers that no listed mistake explains, and the edits that do.

#include <boost/test/unit_test.hpp>

#include "grader/ask/edited.h"
#include "grader/ask/inputs.h"
#include "grader/diagnosis/numeric.h"
#include "grader/edits/packed.h"
#include "grader/judge/in_process.h"

namespace attn::diagnosis {
BOOST_AUTO_TEST_SUITE(unlisted_mistakes)
namespace {

/// A submission that consists of the plain loops with these edits. Where the edited loops cannot run, its
/// answer is right.
judge::CallFunction edited_student(std::vector<edits::WrittenEdit> all,
                                   const std::string& file = "reference/self_attention.cpp") {
    return [all = std::move(all), file](const ask::Function& function, const Arrays& inputs,
                                        const std::vector<std::string>& wanted, worker::Placement placement) {
        auto& program = edits::packed_program();
        std::vector<edits::Edit> made;
        for (const edits::WrittenEdit& written : all) made.push_back(edits::locate(program, file, written));
        const edits::EditedFunctions edited(program, made);
        ask::EditedCall call(function, inputs, ask::Precision::f32);
        const Arrays* const wrong = call.outputs(edited.replacements());
        return judge::reference_student([wrong](const Arrays&, Arrays& outputs) {
            if (wrong != nullptr) outputs = *wrong;
        })(function, inputs, wanted, placement);
    };
}

struct Answered {
    Answered(const judge::CallFunction& call, const std::string& function) {
        questions = {
            judge::normal_question(function, {{"B", 2}, {"N_q", 4}, {"N_k", 3}, {"D_q", 5}, {"D_v", 2}}),
            judge::normal_question(function, {{"B", 1}, {"N_q", 3}, {"N_k", 6}, {"D_q", 2}, {"D_v", 4}}),
            judge::normal_question(function, {{"B", 3}, {"N_q", 2}, {"N_k", 2}, {"D_q", 3}, {"D_v", 5}})};
        for (const judge::Question& question : questions) verdicts.push_back(answer(question, call));
        for (std::size_t k = 0; k < questions.size(); ++k) answers.push_back({&questions[k], &verdicts[k]});
    }
    std::vector<judge::Question> questions;
    std::vector<judge::Verdict> verdicts;
    std::vector<Evidence> answers;
};

const std::string kAttention = "scaled_dot_product_attention";
constexpr SearchLimits kNoHurry{1'000'000'000, 1'000'000'000, 3};

/// What is told of a student, or an empty text.
std::string told(const judge::CallFunction& student, report::Hints hints = report::Hints::name) {
    const Answered answered(student, kAttention);
    const FoundEdits found = search_edits(answered.answers.front(), answered.answers, student, kNoHurry);
    const auto diagnosis = describe(found, hints);
    return diagnosis ? diagnosis->sentence : "";
}

const edits::WrittenEdit kUnscaled{kAttention, "dot / std::sqrt(static_cast<T>(D_q))", "dot", ""};
const edits::WrittenEdit kShifted{kAttention, "V(b, j, d)", "V(b, std::max(j - 1, 0), d)", ""};

}  // namespace

BOOST_AUTO_TEST_CASE(an_unlisted_mistake_is_told_with_its_equation) {
    BOOST_TEST(told(edited_student({kShifted})) ==
               "Your output is exactly what comes out after one change in Y = A V: V is read one place too "
               "early, at j - 1 or 0.");
    const edits::WrittenEdit too_short{kAttention, "d < D_q", "d < D_q - 1", ""};
    BOOST_TEST(told(edited_student({too_short})) ==
               "Your output is exactly what comes out after one change in E = Q K^T / sqrt(D_q): the range "
               "of d ends one too early.");
}

/// The exact gradient of b_K is 0, so both the student's and the plain loops' consist of rounding errors.
BOOST_AUTO_TEST_CASE(a_gradient_of_0_hides_no_edit) {
    const std::string backward = "multi_head_attention_backward";
    const std::string of_W_O = "weight_gradient<T>(gradients.dW_O, flat<const T>(O.view), ";
    const judge::CallFunction edited =
        edited_student({{backward, of_W_O + "flat<const T>(dY))", of_W_O + "flat<const T>(dO.view))", ""}},
                       "reference/backward.cpp");
    const judge::CallFunction student = [&edited](const auto&... of_call) {
        auto answered = edited(of_call...);
        for (Array& output : answered.outputs)
            if (output.name == "db_K") std::ranges::fill(std::get<std::vector<float>>(output.values), 0.0F);
        return answered;
    };
    const judge::Question question =
        judge::normal_question(backward, {{"B", 2}, {"N_q", 3}, {"N_k", 4}, {"D", 4}, {"H", 2}}, "backward");
    const judge::Verdict verdict = answer(question, student);
    BOOST_TEST_REQUIRE((verdict.outcome == Outcome::wrong));
    const Evidence evidence{&question, &verdict};
    const auto diagnosis =
        describe(search_edits(evidence, {&evidence, 1}, student, kNoHurry), report::Hints::name);
    BOOST_TEST_REQUIRE(diagnosis.has_value());
    BOOST_TEST(diagnosis->sentence.find("dW_O = O^T dY: dO is used instead of dY") != std::string::npos,
               diagnosis->sentence);
}

/// What is told of the plain loops of an assignment with one edit, after one call of the function.
std::string told_of(const edits::WrittenEdit& edit, const std::string& module, ask::Sizes sizes,
                    std::map<std::string, double> options = {}) {
    const judge::CallFunction student = edited_student({edit}, "reference/" + module + ".cpp");
    judge::Question question = judge::normal_question(edit.function, std::move(sizes), module);
    question.setting.options = std::move(options);
    const judge::Verdict verdict = answer(question, student);
    BOOST_TEST_REQUIRE((verdict.outcome == Outcome::wrong));
    const Evidence evidence{&question, &verdict};
    const auto diagnosis =
        describe(search_edits(evidence, {&evidence, 1}, student, kNoHurry), report::Hints::name);
    return diagnosis ? diagnosis->sentence : "";
}

BOOST_AUTO_TEST_CASE(an_equation_of_an_output_that_is_right_is_not_blamed) {
    // That dE is written into the memory of P gives the same dV, and dK is right.
    const std::string said =
        told_of({"blocked_attention_backward", "sum += P(i) * dY(b, i, d)", "sum += dE(i) * dY(b, i, d)", ""},
                "fused_attention", {{"B", 2}, {"N", 4}, {"D_q", 3}, {"D_v", 2}});
    BOOST_TEST(
        said ==
        "Your output is exactly what comes out after one change in dV = P^T dY: dE is used instead of P.");
}

BOOST_AUTO_TEST_CASE(an_option_that_is_fixed_is_told_by_its_name) {
    const std::string said = told_of(
        {"transformer", "decoder.beta_d, norm, eps)", "decoder.beta_d, Norm::pre, eps)", ""},
        "encoder_decoder",
        {{"B", 1}, {"N_s", 2}, {"N_t", 3}, {"V", 4}, {"D", 4}, {"F", 3}, {"L", 1}, {"H", 2}}, {{"norm", 1}});
    BOOST_TEST(said.ends_with("norm is always pre at this place."), said);
}

BOOST_AUTO_TEST_CASE(an_index_of_0_is_told_with_the_noun_of_its_letter) {
    const edits::WrittenEdit first_batch{kAttention, "K(b, j, d)", "K(0, j, d)", ""};
    BOOST_TEST(
        told(edited_student({first_batch})) ==
        "Your output is exactly what comes out after one change in E = Q K^T / sqrt(D_q): K of batch 0 is "
        "used for every batch.");
}

BOOST_AUTO_TEST_CASE(a_root_that_is_cut_off_and_a_sum_of_whole_numbers_are_told) {
    const std::string before = "Your output is exactly what comes out after one change in ";
    const edits::WrittenEdit root{kAttention, "std::sqrt(static_cast<T>(D_q))",
                                  "std::floor(std::sqrt(static_cast<T>(D_q)))", ""};
    BOOST_TEST(told(edited_student({root})) ==
               before + "E = Q K^T / sqrt(D_q): sqrt(D_q) is cut off to a whole number.");
    const edits::WrittenEdit sum{
        kAttention, "for (int d = 0; d < D_q; ++d) dot += Q(b, i, d) * K(b, j, d);",
        "for (int d = 0; d < D_q; ++d) { const T next = dot + Q(b, i, d) * K(b, j, d); dot = next < 0 ? "
        "-std::floor(-next) : std::floor(next); }",
        ""};
    BOOST_TEST(told(edited_student({sum})) ==
               before +
                   "E = Q K^T / sqrt(D_q): the sum dot is a whole number, so its decimals are cut off at "
                   "every step.");
}

BOOST_AUTO_TEST_CASE(a_listed_mistake_is_told_together_with_an_unlisted_one) {
    BOOST_TEST(
        told(edited_student({kUnscaled, kShifted})) ==
        "Your output is exactly what comes out when the scores are not divided by sqrt(D_q), and after "
        "one change in Y = A V: V is read one place too early, at j - 1 or 0.");
    const edits::WrittenEdit scaled{kAttention, "std::sqrt(static_cast<T>(D_q))", "static_cast<T>(D_q)", ""};
    const edits::WrittenEdit added{kAttention, "A_b(i, j) * V(b, j, d)", "A_b(i, j) + V(b, j, d)", ""};
    BOOST_TEST(
        told(edited_student({scaled, added})) ==
        "Your output is exactly what comes out when the scores are divided by D_q instead of its square "
        "root, and after one change in Y = A V: A(i, j) + V(b, j, d) is computed instead of A(i, j) * "
        "V(b, j, d).");
}

BOOST_AUTO_TEST_CASE(of_two_changes_in_one_equation_nothing_is_told) {
    const edits::WrittenEdit too_short{kAttention, "d < D_q", "d < D_q - 1", ""};
    BOOST_TEST(told(edited_student({kUnscaled, too_short})) == "");
}

BOOST_AUTO_TEST_CASE(two_unlisted_mistakes_are_not_told_as_a_listed_one) {
    const edits::WrittenEdit too_much{kAttention, "dot / std::sqrt", "T(1.7) * dot / std::sqrt", ""};
    BOOST_TEST(told(edited_student({too_much, kShifted})) == "");
}

BOOST_AUTO_TEST_CASE(an_edit_that_only_rounds_differently_is_not_told_beside_a_listed_mistake) {
    const edits::WrittenEdit scaled_later{kAttention, "softmax<T>(A_b, E);",
                                          "softmax<T>(A_b, E); for (int i = 0; i < N_q; ++i) for (int j = 0; "
                                          "j < N_k; ++j) A_b(i, j) /= std::sqrt(static_cast<T>(D_q));",
                                          ""};
    BOOST_TEST(told(edited_student({kUnscaled, scaled_later})) == "");
}

BOOST_AUTO_TEST_CASE(instructors_decide_how_much_is_told) {
    const judge::CallFunction student = edited_student({kShifted});
    BOOST_TEST(told(student, report::Hints::question) ==
               "Your output is exactly what comes out after one change in Y = A V.");
    BOOST_TEST(told(student, report::Hints::place) ==
               "Your output is exactly what comes out after one change in Y = A V: an index.");
}

BOOST_AUTO_TEST_CASE(nothing_is_told_of_numbers_that_no_edit_gives) {
    const auto noise = [](const Arrays&, Arrays& outputs) {
        for (Array& output : outputs)
            for (std::size_t k = 0; k < output.count(); ++k)
                output.as<float>()[k] += 0.1F * static_cast<float>(k % 7);
    };
    BOOST_TEST(told(judge::reference_student(noise)) == "");
    // Far from the truth, and the same everywhere.
    BOOST_TEST(told(judge::reference_student([](const Arrays&, Arrays& outputs) {
                   for (Array& output : outputs) output.as<float>().assign(output.count(), 0.3F);
               })) == "");
}

BOOST_AUTO_TEST_CASE(an_edit_has_to_explain_every_answer) {
    // Wrong in the first call only: an edit explains it, and contradicts the others.
    int calls = 0;
    const judge::CallFunction wrong = edited_student({kShifted}), right = judge::reference_student();
    const judge::CallFunction student = [&](const auto&... arguments) {
        return calls++ == 0 ? wrong(arguments...) : right(arguments...);
    };
    BOOST_TEST(told(student) == "");
}

BOOST_AUTO_TEST_CASE(an_edit_has_to_explain_fresh_inputs) {
    // The same mistake in all cases, but not for other inputs.
    int calls = 0;
    const judge::CallFunction wrong = edited_student({kShifted}), right = judge::reference_student();
    const judge::CallFunction student = [&](const auto&... arguments) {
        return calls++ < 3 ? wrong(arguments...) : right(arguments...);
    };
    BOOST_TEST(told(student) == "");
}

BOOST_AUTO_TEST_CASE(a_search_ends_in_time) {
    const judge::CallFunction student = edited_student({kShifted});
    const Answered answered(student, kAttention);
    const FoundEdits found = search_edits(answered.answers.front(), answered.answers, student, {0, 0, 3});
    BOOST_TEST(found.all.empty());
    BOOST_TEST(found.tried == 0);
}

BOOST_AUTO_TEST_CASE(the_searches_of_an_assignment_share_their_work) {
    const judge::CallFunction student = edited_student({kShifted});
    const auto named = [&student](SearchWork& work) {
        NumericResult judged = judge_numeric(Answered(student, kAttention).questions, student);
        illustrate(judged, student, report::Hints::name, work);
        return judged.checks.front().diagnosis.has_value();
    };
    SearchWork work;
    BOOST_TEST(named(work));
    BOOST_TEST(work.left < SearchWork().left);
    work.left = work.left_for_pairs = 0;
    BOOST_TEST(!named(work));
    // Work that is left for later searches is of no use to one that has its own limit.
    work = {.of_one = {0, 0, 3}};
    BOOST_TEST(!named(work));
}

BOOST_AUTO_TEST_CASE(the_same_search_does_the_same_work) {
    const judge::CallFunction student = edited_student({kUnscaled, kShifted});
    const auto work = [&] {
        const Answered answered(student, kAttention);
        const FoundEdits found = search_edits(answered.answers.front(), answered.answers, student);
        return std::pair(found.work, found.pair_work);
    };
    BOOST_TEST((work() == work()));
    BOOST_TEST(work().first > 0);
}

BOOST_AUTO_TEST_CASE(a_single_edit_is_found_after_few_others) {
    const judge::CallFunction student = edited_student({kShifted});
    const Answered answered(student, kAttention);
    const FoundEdits found = search_edits(answered.answers.front(), answered.answers, student, kNoHurry);
    BOOST_TEST(!found.all.empty());
    // The usual limit is enough for more than 4000.
    BOOST_TEST(found.tried < 3000);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace attn::diagnosis
