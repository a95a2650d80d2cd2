// A mistake in a helper of several functions.

#include "grader/grading/shared_mistakes.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "grader/edits/packed.h"
#include "grader/judge/in_process.h"
#include "grader/testing/built.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(shared_mistakes)

const rubric::Rubric& seq2seq() {
    static const rubric::Rubric rubric = rubric::read_rubric(testing::built().assignments / "07_seq2seq");
    return rubric;
}

const rubric::PartRubric& part(const std::string& function) {
    return *std::ranges::find_if(seq2seq().parts,
                                 [&](const auto& each) { return each.function->name == function; });
}

constexpr int kSeed = 1;
const char* const kTwo = "2 is used instead of 1";

/// The edits of a function of the plain loops that are told so.
edits::EditedFunctions told(int function, const std::string& said) {
    edits::Program& program = edits::packed_program();
    for (const edits::SystematicEdit& edit : systematic_edits(program, function)) {
        const std::vector<edits::Edit> made = as_edits(program, edit);
        if (edit.said == said) return {program, made};
    }
    throw std::logic_error("no edit: " + said);
}

/// The judge's answer to a student with this edit in sigma, or in the function itself.
Judged judged_with(const std::string& function, const edits::EditedFunctions& edited) {
    return ask_part(seq2seq(), part(function), kSeed, judge::edited_student(edited));
}

/// An edit of sigma that no list has, or tanh, which is listed for each cell in words of its own.
edits::EditedFunctions wrong_sigma(bool listed = false) {
    return told(edits::packed_program().find("sigma", "reference/seq2seq.cpp"),
                listed ? "tanh is used instead of 1 / (1 + exp(- x))" : kTwo);
}

bool all_passed(const Judged& judged) {
    const auto checks = judged.checks();
    return std::ranges::all_of(checks,
                               [](const report::Check& each) { return each.outcome == Outcome::passed; });
}

/// What is remembered of lstm_cell with a wrong sigma.
SharedMistakes of_lstm_cell(const edits::EditedFunctions& edited) {
    Judged judged = judged_with("lstm_cell", edited);
    const judge::CallFunction student = judge::edited_student(edited);
    diagnosis::name_mistakes(judged.numeric, student);
    diagnosis::SearchWork work;
    illustrate(judged.numeric, student, report::Hints::name, work);
    SharedMistakes shared;
    shared.remember("lstm_cell", judged.numeric);
    return shared;
}

BOOST_AUTO_TEST_CASE(a_later_function_with_the_same_mistake_loses_nothing) {
    SharedMistakes shared = of_lstm_cell(wrong_sigma());
    for (const char* const later : {"gru_cell", "key_value_attention"}) {
        Judged judged = judged_with(later, wrong_sigma());
        BOOST_TEST(!all_passed(judged), later);
        const std::size_t checks = judged.checks().size();
        BOOST_TEST(shared.charge(seq2seq(), part(later), kSeed, judged) == "lstm_cell");
        BOOST_TEST(all_passed(judged), later);
        BOOST_TEST(judged.checks().size() == checks);
    }
}

BOOST_AUTO_TEST_CASE(a_mistake_with_a_name_of_its_own_in_each_function_is_charged_once) {
    SharedMistakes shared = of_lstm_cell(wrong_sigma(true));
    for (const char* const later : {"gru_cell", "key_value_attention"}) {
        Judged judged = judged_with(later, wrong_sigma(true));
        BOOST_TEST(!all_passed(judged), later);
        BOOST_TEST(shared.charge(seq2seq(), part(later), kSeed, judged) == "lstm_cell");
    }
    Judged other = judged_with("gru_cell", wrong_sigma());
    BOOST_TEST(shared.charge(seq2seq(), part("gru_cell"), kSeed, other).empty());
}

BOOST_AUTO_TEST_CASE(numbers_that_are_not_finite_are_charged_once_for_a_mistake_of_the_list) {
    const auto listed = edits::listed_edits("seq2seq");
    const ask::Module& module = *ask::find_module("seq2seq");
    const auto overflows = std::ranges::find(module.mistakes, "sigma_overflows", &ask::Mistake::name);
    BOOST_REQUIRE(overflows != module.mistakes.end());
    const edits::EditedFunctions edited(
        edits::packed_program(), listed.at(static_cast<std::size_t>(overflows - module.mistakes.begin())));
    SharedMistakes shared = of_lstm_cell(edited);
    for (const char* const later : {"gru_cell", "key_value_attention"}) {
        Judged judged = judged_with(later, edited);
        BOOST_TEST(!all_passed(judged), later);
        BOOST_TEST(shared.charge(seq2seq(), part(later), kSeed, judged) == "lstm_cell");
        BOOST_TEST(all_passed(judged), later);
    }
}

BOOST_AUTO_TEST_CASE(where_every_number_is_wrong_a_right_refusal_is_no_other_mistake) {
    const rubric::Rubric sizes = rubric::read_rubric(testing::built().assignments / "19_sizes");
    const auto& mistakes = ask::find_module("sizes")->mistakes;
    const auto forgotten = std::ranges::find(mistakes, "no_biases_in_attention", &ask::Mistake::name);
    BOOST_REQUIRE(forgotten != mistakes.end());
    const judge::CallFunction student =
        judge::mistaken_student(*ask::find_module("sizes"), {static_cast<int>(forgotten - mistakes.begin())});
    const auto judged_part = [&](const char* function) {
        const auto rules = std::ranges::find_if(
            sizes.parts, [&](const rubric::PartRubric& each) { return each.function->name == function; });
        return std::pair{&*rules, ask_part(sizes, *rules, kSeed, student)};
    };
    Judged first = judged_part("bert_parameters").second;
    BOOST_TEST(
        std::ranges::count(first.numeric.verdicts, report::kRefusesEverything, &judge::Verdict::message) > 0);
    diagnosis::name_mistakes(first.numeric, student);
    SharedMistakes shared;
    shared.remember("bert_parameters", first.numeric);
    for (const char* const later : {"gpt2_parameters", "training_memory"}) {
        auto [rules, judged] = judged_part(later);
        BOOST_TEST(!all_passed(judged), later);
        BOOST_TEST(shared.charge(sizes, *rules, kSeed, judged) == "bert_parameters");
        BOOST_TEST(all_passed(judged), later);
    }
}

BOOST_AUTO_TEST_CASE(a_refusal_that_is_missing_because_of_the_named_mistake_has_its_name) {
    const rubric::Rubric captions = rubric::read_rubric(testing::built().assignments / "08_image_captioning");
    edits::Program& program = edits::packed_program();
    // The student reads a row of the table without looking whether it exists.
    const auto of = [&](const std::string& row) {
        std::vector<edits::Edit> made;
        for (const edits::WrittenEdit& written :
             {edits::WrittenEdit{"look_up", "require_inside(y(b), 0, table.size(0));", "", ""},
              edits::WrittenEdit{"look_up", "table(y(b), d)", "table(" + row + ", d)", ""}})
            made.push_back(edits::locate(program, "reference/image_captioning.cpp", written));
        const edits::EditedFunctions edited(program, made);
        const judge::CallFunction student = judge::edited_student(edited);
        const auto rules = std::ranges::find_if(
            captions.parts, [](const auto& each) { return each.function->name == "caption_step"; });
        Judged judged = ask_part(captions, *rules, kSeed, student);
        diagnosis::name_mistakes(judged.numeric, student);
        diagnosis::SearchWork work;
        illustrate(judged.numeric, student, report::Hints::name, work);
        std::vector<std::string> told;
        for (std::size_t k = 0; k < judged.numeric.checks.size(); ++k)
            if (const report::Check& check = judged.numeric.checks[k];
                !judged.numeric.questions[k].refusal().empty() && check.outcome != Outcome::passed)
                told.push_back(check.diagnosis ? check.diagnosis->sentence : "");
        return told;
    };
    // A listed mistake, and an edit that no list has.
    const auto listed = of("y(0)"), searched = of("std::max(y(b) - 1, 0)");
    BOOST_TEST_REQUIRE(!listed.empty());
    for (const std::string& sentence : listed)
        BOOST_TEST(sentence ==
                   "It returned normally, which is also what comes out when every image reads the previous "
                   "word of the first one.");
    BOOST_TEST_REQUIRE(!searched.empty());
    for (const std::string& sentence : searched)
        BOOST_TEST(
            (sentence.empty() ||
             sentence.starts_with("It returned normally, which is also what comes out after one change in ")),
            sentence);
    BOOST_TEST(std::ranges::any_of(searched, [](const std::string& each) { return !each.empty(); }));
}

BOOST_AUTO_TEST_CASE(another_mistake_is_charged_where_it_is) {
    SharedMistakes shared = of_lstm_cell(wrong_sigma());
    const int gru_cell = edits::packed_program().find_public("gru_cell");
    const edits::EditedFunctions other = told(gru_cell, kTwo);
    Judged judged = judged_with("gru_cell", other);
    BOOST_TEST(!all_passed(judged));
    BOOST_TEST(shared.charge(seq2seq(), part("gru_cell"), kSeed, judged).empty());
    BOOST_TEST(!all_passed(judged));
}

BOOST_AUTO_TEST_CASE(a_case_that_the_mistake_does_not_explain_is_charged) {
    SharedMistakes shared = of_lstm_cell(wrong_sigma());
    const edits::EditedFunctions edited = wrong_sigma();
    // The numbers of batches of one are twice as large.
    const judge::CallFunction wrong = judge::edited_student(edited);
    const judge::CallFunction student = [&](const ask::Function& function, const Arrays& inputs,
                                            const std::vector<std::string>& wanted,
                                            worker::Placement placement) {
        worker::CallResult result = wrong(function, inputs, wanted, placement);
        for (Array& output : result.outputs)
            if (output.shape.front() == 1)
                for (float& number : output.as<float>()) number *= 2;
        return result;
    };
    Judged judged = ask_part(seq2seq(), part("gru_cell"), kSeed, student);
    BOOST_TEST(shared.charge(seq2seq(), part("gru_cell"), kSeed, judged).empty());
    BOOST_TEST(!all_passed(judged));
}

BOOST_AUTO_TEST_CASE(a_right_function_has_no_mistake_of_another) {
    SharedMistakes shared = of_lstm_cell(wrong_sigma());
    Judged judged = ask_part(seq2seq(), part("gru_cell"), kSeed, judge::reference_student());
    BOOST_TEST(all_passed(judged));
    BOOST_TEST(shared.charge(seq2seq(), part("gru_cell"), kSeed, judged).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
