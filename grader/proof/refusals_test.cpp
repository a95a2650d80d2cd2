// Wrong refusals are noticed by a public or a secret case.

#include "grader/proof/refusals.h"

#include <algorithm>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/base/installation.h"
#include "grader/grading/grade.h"
#include "grader/rubric/secret_cases.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(refusals)

const std::vector<rubric::Rubric>& with_secret_cases() {
    static const auto kAll = [] {
        std::vector<rubric::Rubric> all = rubric::read_rubrics(Installation().assignments);
        for (rubric::Rubric& each : all) rubric::add_secret_cases(each);
        return all;
    }();
    return kAll;
}

const rubric::PartRubric& part_of(const std::string& function, const rubric::Rubric*& rubric) {
    for (const rubric::Rubric& each : with_secret_cases())
        for (const rubric::PartRubric& part : each.parts)
            if (part.function->name == function) {
                rubric = &each;
                return part;
            }
    throw std::logic_error("no function " + function);
}

BOOST_AUTO_TEST_CASE(every_wrong_refusal_is_noticed) {
    for (const rubric::Rubric& rubric : with_secret_cases())
        for (const rubric::PartRubric& part : rubric.parts)
            for (const std::string& each : unnoticed_refusals(rubric, part, kPublicSeed))
                BOOST_ERROR(part.function->name + ": no case notices a function that " + each);
}

/// Options whose range a contract gives in a sentence alone.
BOOST_AUTO_TEST_CASE(the_ends_of_the_ranges_of_options_are_asked) {
    struct End {
        std::string function, option;
        double value;
    };
    for (const End& end :
         {End{"cross_entropy", "smoothing", 1}, End{"cross_entropy_backward", "smoothing", 1},
          End{"rotary_positions", "offset", 0}, End{"generate", "eos", -1},
          End{"translate_greedy", "end", -1}}) {
        const rubric::Rubric* rubric = nullptr;
        const rubric::PartRubric& part = part_of(end.function, rubric);
        const auto has_it = [&](const rubric::CaseRubric& each) {
            const auto given = each.setting.options.find(end.option);
            return given != each.setting.options.end() && given->second == end.value;
        };
        const auto& options = part.function->options;
        const auto option = std::ranges::find(options, end.option, &ask::OptionSpec::name);
        BOOST_REQUIRE(option != options.end());
        BOOST_TEST((option->default_value == end.value || std::ranges::any_of(part.cases, has_it)),
                   end.function << ": no case has " << end.option << " = " << end.value);
    }
}

BOOST_AUTO_TEST_CASE(a_case_that_is_missing_is_found) {
    const rubric::Rubric* rubric = nullptr;
    rubric::PartRubric part = part_of("sample_top_k", rubric);
    std::erase_if(part.cases, [](const auto& each) { return each.name == "k_0" || each.name == "all"; });
    const std::vector<std::string> unnoticed = unnoticed_refusals(*rubric, part, kPublicSeed);
    const auto has = [&](const std::string& said) {
        return std::ranges::find(unnoticed, said) != unnoticed.end();
    };
    BOOST_TEST(has("takes a k below 1"));
    BOOST_TEST(!has("takes a k of V + 1"));
    part.cases.resize(1);
    BOOST_TEST(unnoticed_refusals(*rubric, part, kPublicSeed).size() > unnoticed.size());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
