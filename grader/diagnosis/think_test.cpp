// A failure without a name ends with a question, also where a call gave no numbers.

#include "grader/diagnosis/think.h"

#include <boost/test/unit_test.hpp>

#include "grader/diagnosis/numeric.h"
#include "grader/judge/in_process.h"

namespace attn::diagnosis {
BOOST_AUTO_TEST_SUITE(think)
namespace {

/// The check of one call of softmax that ends like this.
report::Check check_of(Outcome outcome) {
    const judge::CallFunction student = [outcome](const auto& function, const auto& inputs,
                                                  const auto& wanted, worker::Placement placement) {
        worker::CallResult result = judge::reference_student([outcome](const Arrays&, Arrays& outputs) {
            if (outcome == Outcome::partly_written)
                outputs[0].as<float>()[1] = std::numeric_limits<float>::quiet_NaN();
            if (outcome == Outcome::wrong) outputs[0].as<float>()[1] += 1;
        })(function, inputs, wanted, placement);
        if (outcome == Outcome::wrong || outcome == Outcome::passed) return result;
        result.outcome = outcome;
        return result;
    };
    NumericResult judged = judge_numeric({judge::normal_question("softmax", {{"N", 3}, {"D", 4}})}, student);
    SearchWork none{0, 0, {0, 0, 0}};
    illustrate(judged, student, report::Hints::name, none);
    BOOST_TEST((judged.checks.front().outcome == outcome));
    return judged.checks.front();
}

constexpr std::array kAsked{Outcome::wrong,     Outcome::out_of_bounds, Outcome::crashed,
                            Outcome::timed_out, Outcome::changed_input, Outcome::threw};

}  // namespace

BOOST_AUTO_TEST_CASE(a_failed_call_gets_a_question) {
    for (const Outcome outcome : kAsked) {
        const report::Check check = check_of(outcome);
        BOOST_TEST(!check.diagnosis.has_value());
        BOOST_TEST(check.question.find('?') != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(a_right_one_gets_none) {
    BOOST_TEST(check_of(Outcome::passed).question == "");
}

BOOST_AUTO_TEST_CASE(a_missing_refusal_is_asked_about_and_a_refusal_of_everything_is_not) {
    judge::Verdict verdict;
    verdict.outcome = Outcome::wrong;
    verdict.message = "H = 3 does not divide D = 4: for such sizes it must throw. It returned normally.";
    BOOST_TEST(question_about(verdict).ends_with('?'));
    verdict.message = report::kRefusesEverything;
    BOOST_TEST(question_about(verdict) == "");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace attn::diagnosis
