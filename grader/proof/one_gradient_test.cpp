// A student whose gradients are right except for one array loses points, in whatever way that array is wrong.

#include <functional>
#include <map>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/base/installation.h"
#include "grader/grading/grade.h"
#include "grader/grading/questions.h"
#include "grader/judge/answer.h"
#include "grader/judge/in_process.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(one_gradient)

using Change = std::function<float(float)>;

/// Whether a case of the part notices that `change` is applied to every number of this output.
bool is_noticed(const rubric::Rubric& rubric, const rubric::PartRubric& part, const std::string& output,
                const Change& change) {
    const auto student = judge::reference_student([&](const Arrays&, Arrays& outputs) {
        for (Array& array : outputs)
            if (array.name == output)
                for (float& x : array.as<float>()) x = change(x);
    });
    for (const judge::Question& question : numeric_questions(rubric, part, kPublicSeed))
        if (question.refusal().empty() && judge::answer(question, student).outcome == Outcome::wrong)
            return true;
    return false;
}

BOOST_AUTO_TEST_CASE(an_array_that_is_zero_negated_or_one_percent_off_is_noticed) {
    const std::map<std::string, Change> changes = {{"zero", [](float) { return 0.0F; }},
                                                   {"negated", [](float x) { return -x; }},
                                                   {"one percent more", [](float x) { return 1.01F * x; }},
                                                   {"one percent less", [](float x) { return 0.99F * x; }}};
    std::size_t parts = 0, arrays = 0;
    for (const char* const folder : {"13_backward", "21_recurrent_backward"}) {
        const rubric::Rubric rubric = rubric::read_rubric(Installation().assignments / folder);
        parts += rubric.parts.size();
        for (const rubric::PartRubric& part : rubric.parts) {
            for (const ask::TensorSpec& output : part.function->outputs) {
                ++arrays;
                // A softmax does not see a number that is added to all scores of a row. So the gradient of the
                // keys' bias is 0, and stays 0 whatever it is multiplied by.
                const bool is_0 = output.name == "db_K";
                for (const auto& [name, change] : changes)
                    BOOST_TEST(is_noticed(rubric, part, output.name, change) != is_0,
                               part.function->name << ", " << output.name << ": " << name);
                BOOST_TEST(is_noticed(rubric, part, output.name, [](float x) { return x + 0.01F; }),
                           part.function->name << ", " << output.name);
                BOOST_TEST(!is_noticed(rubric, part, output.name, [](float x) { return x; }),
                           part.function->name << ", " << output.name);
            }
        }
    }
    BOOST_TEST(parts == 14U);
    BOOST_TEST(arrays >= 70U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
