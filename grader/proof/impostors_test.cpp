// Impostors earn nothing, and an impostor with all of the influence is right.

#include "grader/proof/impostors.h"

#include <set>

#include <boost/test/unit_test.hpp>

#include "grader/base/installation.h"
#include "grader/grading/grade.h"
#include "grader/grading/questions.h"
#include "grader/judge/in_process.h"
#include "grader/judge/property.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(impostors)

rubric::Rubric self_attention() {
    return rubric::read_rubric(Installation().assignments / "02_self_attention");
}

BOOST_AUTO_TEST_CASE(none_earns_a_property_although_its_relations_hold) {
    const auto results = ask_impostors(self_attention(), kPublicSeed, {});
    BOOST_TEST(results.size() == 18U);
    for (const PropertyAndImpostors& each : results) {
        BOOST_TEST(each.earned_by.empty(), each.function << ": " << each.property);
        BOOST_TEST(each.held > 0, each.function << ": " << each.property);
        BOOST_TEST(each.held <= each.asked);
    }
}

BOOST_AUTO_TEST_CASE(an_impostor_with_all_of_the_influence_is_right) {
    const rubric::Rubric rubric = self_attention();
    for (const rubric::PartRubric& part : rubric.parts) {
        const judge::Question question = property_question(rubric, part, kPublicSeed);
        std::set<std::vector<std::string>> ignored;
        for (Impostor impostor : impostors_of(question)) {
            if (!ignored.insert(impostor.ignored).second) continue;
            impostor.influence = 1;
            for (const report::Check& check :
                 judge::judge_properties(question, part.properties, impostor.student(*question.recipe)))
                BOOST_TEST(name_of(check.outcome) == "passed", impostor.name() << ": " << check.message);
        }
    }
}

/// A property may divide by outputs, and these are 0 if the student's function, or one that it calls, writes nothing.
BOOST_AUTO_TEST_CASE(zeros_earn_no_property_of_any_assignment) {
    const judge::CallFunction zeros = judge::reference_student([](const Arrays&, Arrays& outputs) {
        for (Array& output : outputs) output = ask::zeros_like(output);
    });
    int asked = 0;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(Installation().assignments))
        for (const rubric::PartRubric& part : rubric.parts) {
            if (part.properties.empty()) continue;
            for (const report::Check& check : judge::judge_properties(
                     property_question(rubric, part, kPublicSeed), part.properties, zeros)) {
                BOOST_TEST(name_of(check.outcome) == "wrong", part.function->name << ": " << check.name);
                ++asked;
            }
        }
    BOOST_TEST(asked > 300);
}

BOOST_AUTO_TEST_CASE(they_ignore_all_inputs_or_a_quarter_of_them) {
    const rubric::Rubric rubric = rubric::read_rubric(Installation().assignments / "05_transformer_block");
    std::set<std::size_t> counts;
    for (const Impostor& impostor : impostors_of(property_question(rubric, rubric.parts.at(2), kPublicSeed)))
        if (impostor.output == "Y") counts.insert(impostor.ignored.size());
    BOOST_TEST(counts == (std::set<std::size_t>{5, 17}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
