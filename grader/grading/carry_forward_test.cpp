// Chooses the smallest set of stand-ins, and checks that a stand-in's library has no other function of the
// reference.

#include "grader/grading/carry_forward.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <sys/resource.h>

#include "datasets/files/temporary_directory.h"
#include "grader/base/installation.h"
#include "grader/compile/stand_ins.h"
#include "grader/grading/grade.h"
#include "grader/proof/harness.h"
#include "grader/testing/hostile_text.h"
#include "grader/worker/process.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(carry_forward, *boost::unit_test::label("long"))

using boost::test_tools::per_element;

/// A part with four cases, which simulates a student. The earlier functions `broken` are wrong: each moves every answer
/// but the first. With stand-ins for all of them, `right` cases pass. What is asked is recorded.
class FakePart final : public PartWithStandIns {
  public:
    FakePart(Names broken, int right) : broken_(std::move(broken)), right_(right) {}

    Judged ask(const Names& stand_ins) override {
        asked.push_back(stand_ins);
        return answers(stand_ins);
    }
    bool repeats(const Judged& like, const std::vector<std::size_t>& some, const Names& stand_ins) override {
        ++repeated;
        const Judged again = answers(stand_ins);
        return std::ranges::all_of(
            some, [&](std::size_t k) { return alike(again.numeric.verdicts[k], like.numeric.verdicts[k]); });
    }

    Judged answers(const Names& stand_ins) const {
        float moved = 0;
        for (std::size_t k = 0; k < broken_.size(); ++k)
            if (std::ranges::find(stand_ins, broken_[k]) == stand_ins.end())
                moved += static_cast<float>(1 << k);
        Judged judged;
        for (int k = 0; k < 4; ++k) {
            const bool passes = k < (moved == 0 ? right_ : 1);
            judged.numeric.questions.emplace_back();
            judge::Verdict& verdict = judged.numeric.verdicts.emplace_back();
            report::Check& check = judged.numeric.checks.emplace_back();
            check.outcome = verdict.outcome = passes ? Outcome::passed : Outcome::wrong;
            const float number = passes ? 0 : 100 + moved;
            verdict.got.emplace_back("Y", Shape{1}, std::vector<float>{number});
        }
        return judged;
    }

    std::vector<Names> asked;
    int repeated = 0;

  private:
    Names broken_;
    int right_;
};

std::optional<CarriedForward> carried(FakePart& part, const Names& may_call) {
    return attn::carry_forward(part.answers({}), may_call, part);
}

BOOST_AUTO_TEST_CASE(a_part_that_is_right_or_builds_on_nothing_is_not_judged_again) {
    FakePart right({}, 4), alone({}, 1);
    BOOST_TEST(!carried(right, {"f"}).has_value());
    BOOST_TEST(!carried(alone, {}).has_value());
    BOOST_TEST((right.asked.empty() && alone.asked.empty()));
}

BOOST_AUTO_TEST_CASE(only_wrong_functions_get_a_stand_in) {
    for (const Names& broken : {Names{"f"}, Names{"g"}, Names{"h"}, Names{"f", "h"}, Names{"f", "g", "h"}}) {
        FakePart part(broken, 4);
        const auto found = carried(part, {"f", "g", "h"});
        BOOST_REQUIRE(found.has_value());
        BOOST_TEST(found->stand_ins == broken, per_element());
        BOOST_TEST((found->judged.numeric.checks.back().outcome == Outcome::passed));
    }
}

BOOST_AUTO_TEST_CASE(a_part_that_is_wrong_itself_keeps_its_own_checks) {
    FakePart part({}, 1);
    BOOST_TEST(!carried(part, {"f", "g"}).has_value());
    BOOST_TEST(part.asked.size() == 1U);
    BOOST_TEST(part.repeated == 0);
}

BOOST_AUTO_TEST_CASE(stand_ins_with_which_fewer_checks_pass_are_not_used) {
    FakePart part({"f"}, 0);
    BOOST_TEST(!carried(part, {"f", "g"}).has_value());
}

BOOST_AUTO_TEST_CASE(a_mistake_that_the_earlier_one_hid_is_charged_to_the_part) {
    FakePart part({"g"}, 3);
    const auto found = carried(part, {"f", "g"});
    BOOST_REQUIRE(found.has_value());
    BOOST_TEST(found->stand_ins == Names{"g"}, per_element());
    BOOST_TEST((found->judged.numeric.checks.at(2).outcome == Outcome::passed));
    BOOST_TEST((found->judged.numeric.checks.at(3).outcome == Outcome::wrong));
}

BOOST_AUTO_TEST_CASE(an_earlier_mistake_is_taken_out_of_answers_that_stay_wrong) {
    FakePart part({"f"}, 1);
    const auto found = carried(part, {"f", "g"});
    BOOST_REQUIRE(found.has_value());
    BOOST_TEST(found->stand_ins == Names{"f"}, per_element());
    BOOST_TEST(found->judged.numeric.verdicts.back().got.front().as<float>().front() == 100.0F);
}

BOOST_AUTO_TEST_CASE(answers_that_stay_wrong_get_stand_ins_only_for_functions_that_fail_their_own_checks) {
    const auto passes_all_but = [](const Names& wrong) {
        return [wrong](const std::string& function) {
            return std::ranges::find(wrong, function) == wrong.end();
        };
    };
    // Both move wrong answers: f because it is wrong, g because it rounds in another way.
    FakePart rounds({"f", "g"}, 1);
    const Carried both =
        carry_from_wrong_ones(rounds.answers({}), {"f", "g", "h"}, rounds, passes_all_but({"f"}));
    BOOST_REQUIRE(both.forward.has_value());
    BOOST_TEST(both.forward->stand_ins == Names{"f"}, per_element());
    BOOST_TEST(both.enlarges_rounding);
    FakePart right({"g"}, 1);
    const Carried none = carry_from_wrong_ones(right.answers({}), {"f", "g"}, right, passes_all_but({}));
    BOOST_TEST(!none.forward.has_value());
    BOOST_TEST(none.enlarges_rounding);
    // A check that passes with a stand-in proves more than all checks of the function.
    FakePart hidden({"g"}, 2);
    const Carried found = carry_from_wrong_ones(hidden.answers({}), {"f", "g"}, hidden, passes_all_but({}));
    BOOST_REQUIRE(found.forward.has_value());
    BOOST_TEST(found.forward->stand_ins == Names{"g"}, per_element());
    BOOST_TEST(!found.enlarges_rounding);
}

BOOST_AUTO_TEST_CASE(answers_that_change_by_themselves_get_no_stand_in) {
    class Restless final : public PartWithStandIns {
      public:
        Judged ask(const Names& /*stand_ins*/) override { return FakePart({"f"}, 1).answers({}); }
        bool repeats(const Judged&, const std::vector<std::size_t>&, const Names&) override { return false; }
    } restless;
    BOOST_TEST(!attn::carry_forward(FakePart({}, 1).answers({}), {"f", "g"}, restless).has_value());
}

BOOST_AUTO_TEST_CASE(one_wrong_function_among_many_is_found_in_few_trials) {
    Names many;
    for (int k = 0; k < 40; ++k) many.push_back("f" + std::to_string(k));
    FakePart part({"f17"}, 4);
    const auto found = carried(part, many);
    BOOST_REQUIRE(found.has_value());
    BOOST_TEST(found->stand_ins == Names{"f17"}, per_element());
    BOOST_TEST(part.repeated <= 15);
    BOOST_TEST(part.asked.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_mistake_is_charged_once_within_an_assignment) {
    const report::Report report = proof::grade_source(
        proof::edited(proof::solution("self_attention"), {{"std::exp(X(i, j) - m)", "X(i, j)"}}));
    BOOST_TEST(proof::part(report, "softmax").points < 10);
    for (const char* later : {"scaled_dot_product_attention", "self_attention"}) {
        const report::Part& part = proof::part(report, later);
        BOOST_TEST(part.points == part.max_points);
        BOOST_TEST(part.stand_ins == Names{"softmax"}, per_element());
    }
}

/// Grades assignment `number` in a submission with these files.
report::Assignment grade_files(const std::vector<std::pair<std::string, std::string>>& files, int number) {
    const data::TemporaryDirectory folder;
    for (const auto& [name, text] : files) folder.write(name, text);
    GradeOptions options;
    options.submission = folder.path();
    options.assignment = number;
    options.speed = false;
    return grade(options).assignments.at(0);
}

BOOST_AUTO_TEST_CASE(a_mistake_is_charged_once_across_assignments) {
    using proof::edited;
    using proof::solution;
    const std::string block = solution("transformer_block");
    const std::string heads = solution("multi_head"), wrong_heads = edited(heads, {{"dot / scale", "dot"}});
    // The block calls the multi-head attention of assignment 3. Try it right and wrong.
    for (const bool wrong : {false, true}) {
        const report::Assignment graded = grade_files(
            {{"multi_head.cpp", wrong ? wrong_heads : heads}, {"transformer_block.cpp", block}}, 5);
        BOOST_TEST(graded.points == 87.0);
        const report::Part& part = graded.parts.at(2);
        BOOST_TEST(part.function == "transformer_block");
        BOOST_TEST(part.stand_ins == (wrong ? Names{"multi_head_attention"} : Names{}), per_element());
    }
    // A missing file has the same effect.
    const report::Assignment alone = grade_files({{"transformer_block.cpp", block}}, 5);
    BOOST_TEST(alone.points == 87.0);
    BOOST_TEST(alone.parts.at(2).stand_ins == Names{"multi_head_attention"}, per_element());
}

/// The outcomes, points and named mistakes of all checks.
std::vector<std::string> verdicts_of(const report::Assignment& graded) {
    std::vector<std::string> found;
    for (const report::Part& part : graded.parts)
        for (const report::Check& check : part.checks)
            found.push_back(fmt::format("{} {} {} {}", check.id, in_words(check.outcome), check.points,
                                        check.diagnosis ? check.diagnosis->sentence : ""));
    return found;
}

/// Of this process and of those that it has waited for.
double all_processor_time_s() {
    double total = 0;
    for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage used{};
        getrusage(whose, &used);
        for (const timeval& time : {used.ru_utime, used.ru_stime})
            total += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    }
    return total;
}

BOOST_AUTO_TEST_CASE(the_stubs_of_a_kit_change_no_verdict_and_take_little_time) {
    const std::string wrong = proof::edited(
        proof::solution("training"), {{"beta_1 * m(w) + (1 - beta_1)", "beta_2 * m(w) + (1 - beta_2)"}});
    std::vector<std::pair<std::string, std::string>> files = {{"training.cpp", wrong}};
    const report::Assignment alone = grade_files(files, 14);
    for (const std::string stub : {"self_attention.cpp", "multi_head.cpp", "transformer_block.cpp",
                                   "language_model.cpp", "backward.cpp"}) {
        std::ifstream file(Installation().sources / "student" / stub);
        files.emplace_back(stub, std::string(std::istreambuf_iterator<char>(file), {}));
        BOOST_TEST(!files.back().second.empty());
    }
    const double before_s = all_processor_time_s();
    const report::Assignment with_stubs = grade_files(files, 14);
    BOOST_TEST(all_processor_time_s() - before_s < 20 * testing::kSlowedBySanitizers);
    BOOST_TEST(verdicts_of(with_stubs) == verdicts_of(alone), per_element());
    BOOST_TEST(with_stubs.points > 80);
    BOOST_TEST(with_stubs.points < 100);
    // A function of one's own that is right stays the student's, although it calls stubs.
    const report::Part& last = with_stubs.parts.back();
    BOOST_TEST(last.points == last.max_points);
    BOOST_TEST(std::ranges::count(last.stand_ins, "layer_norm") == 1);
    BOOST_TEST(std::ranges::count(last.stand_ins, "train_step") == 0);
}

BOOST_AUTO_TEST_CASE(a_wrong_function_that_calls_a_stub_is_wrong_for_its_own_reason) {
    // No mistake of any list has this scale, and no check passes with or without a right softmax.
    std::string text = proof::edited(proof::solution("self_attention"),
                                     {{"std::sqrt(float(D_q))", "std::sqrt(float(D_q) + 0.37F)"}});
    const auto begin = text.find('{', text.find("void softmax(")), end = text.find("\n}\n", begin);
    text.replace(begin + 1, end - begin - 1, "\n    // Your code.\n    (void)Y, (void)X;");
    const report::Report report = proof::grade_source(text);
    const report::Part& part = proof::part(report, "scaled_dot_product_attention");
    BOOST_TEST(part.stand_ins == Names{"softmax"}, per_element());
    BOOST_TEST(proof::outcomes_of(part).find("not implemented") == std::string::npos,
               proof::outcomes_of(part));
    BOOST_TEST(proof::first_with(part, Outcome::wrong).difference.has_value());
}

BOOST_AUTO_TEST_CASE(a_softmax_without_a_maximum_costs_only_the_large_scores_of_its_own_function) {
    const report::Report report = proof::grade_source(
        proof::edited(proof::solution("rnn_attention"), {{"float m = -INFINITY;", "float m = 0;"},
                                                         {"if (mask(b, j)) m = std::max(m, e(b, j));", ";"}}),
        {"01_rnn_attention"});
    for (const report::Part& part : report.assignments.front().parts)
        BOOST_TEST(part.max_points - part.points < (part.function == "attention_context" ? 1.31 : 1e-9),
                   part.function << " loses " << part.max_points - part.points);
}

/// The demangled symbols of the stand-ins' libraries, by function: the exported ones, or all.
std::map<std::string, std::string> symbols_of_stand_ins(bool exported) {
    std::map<std::string, std::string> symbols, functions;
    worker::Command command;
    command.argv = {"/usr/bin/env",      "nm",
                    "--print-file-name", exported ? "--dynamic" : "--debug-syms",
                    "--demangle",        "--defined-only"};
    for (const ask::Module& module : ask::modules())
        for (const ask::Function& function : module.functions) {
            command.argv.push_back(compile::stand_in_for(function.name, Installation()).string());
            functions[command.argv.back()] = function.name;
        }
    command.environment = {"PATH=/usr/bin:/bin"};
    command.directory = Installation().sources;
    const worker::CommandResult result = worker::run_command(command, 60, 64 << 20);
    BOOST_REQUIRE(result.ending.exit_code == 0);
    std::istringstream lines(result.printed);
    for (std::string line; std::getline(lines, line);)
        symbols[functions.at(line.substr(0, line.find(':')))] += line.substr(line.find(':') + 1) + "\n";
    return symbols;
}

BOOST_AUTO_TEST_CASE(a_stand_in_exports_only_its_own_function) {
    const auto symbols = symbols_of_stand_ins(true);
    for (const ask::Module& module : ask::modules()) {
        for (const ask::Function& function : module.functions) {
            const std::string& exported = symbols.at(function.name);
            BOOST_TEST(std::count(exported.begin(), exported.end(), '\n') == 1);
            BOOST_TEST(exported.find(" T attn::" + function.name + "(") != std::string::npos);
        }
    }
}

BOOST_AUTO_TEST_CASE(no_stand_in_contains_the_function_of_the_part_that_uses_it) {
    int checked = 0;
    const auto all = symbols_of_stand_ins(false);
    for (const rubric::Rubric& rubric : rubric::read_rubrics(Installation().assignments)) {
        for (const rubric::PartRubric& part : rubric.parts) {
            for (const std::string& earlier : part.may_call) {
                const std::string& symbols = all.at(earlier);
                BOOST_TEST(symbols.find(" T attn::" + earlier + "(") != std::string::npos);
                BOOST_TEST(symbols.find("attn::" + part.function->name + "(") == std::string::npos);
#ifdef NDEBUG  // in the Debug build of `make sanitize` a stand-in keeps all loops of a file
                BOOST_TEST(symbols.find("attn::cpu::" + part.function->name + "<") == std::string::npos);
#endif
                ++checked;
            }
        }
    }
    BOOST_TEST(checked > 10);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
