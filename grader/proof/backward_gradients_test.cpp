// The backward passes of the reference are exact derivatives of its forward passes, on the cases that students
// are asked.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "grader/ask/inputs.h"
#include "grader/base/installation.h"
#include "grader/grading/grade.h"
#include "grader/grading/questions.h"
#include "grader/judge/other_forward.h"
#include "reference/testing/dual_loops.h"
#include "reference/testing/near.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(backward_gradients)

double largest(const Array& array) {
    double most = 0;
    for (const double x : array.as<double>()) most = std::max(most, std::abs(x));
    return most;
}

/// Calls check(backward, inputs, forward) for every case of assignment 13 that gives an answer.
template <class Check>
int for_each_case(Check check) {
    const rubric::Rubric rubric = rubric::read_rubric(Installation().assignments / "13_backward");
    int cases = 0;
    for (const rubric::PartRubric& part : rubric.parts) {
        for (const judge::Question& question : numeric_questions(rubric, part, kPublicSeed)) {
            if (!question.refusal().empty()) continue;
            const Arrays inputs = question.make_inputs();
            BOOST_TEST_CONTEXT(question.about()) {
                const auto forward = judge::forward_of(*question.function, inputs);
                BOOST_TEST_REQUIRE(forward.has_value());
                check(*question.function, inputs, *forward);
            }
            ++cases;
        }
    }
    return cases;
}

BOOST_AUTO_TEST_CASE(the_loops_agree_with_dual_numbers) {
    const std::map<std::string, ask::Implementation> dual = testing::dual_loops();
    std::set<std::string> seen;
    const int cases = for_each_case(
        [&](const ask::Function& backward, const Arrays& inputs, const judge::ForwardCall& forward) {
            const auto exact = testing::exact_gradients(*forward.function, dual.at(forward.function->name),
                                                        forward.inputs, forward.upstream);
            const Arrays got = evaluate(backward, inputs, ask::Precision::f64);
            BOOST_TEST(got.size() == exact.size());
            for (const Array& gradient : got) {
                const Array& wanted = exact.at(gradient.name.substr(1));
                constexpr double kRoundings = 1e-11;
                BOOST_TEST(testing::is_near(gradient, wanted, kRoundings * std::max(1.0, largest(wanted))));
            }
            seen.insert(forward.function->name);
        });
    BOOST_TEST(cases >= 14);
    BOOST_TEST(seen.size() == dual.size());
}

BOOST_AUTO_TEST_CASE(dual_numbers_agree_with_central_differences) {
    const std::map<std::string, ask::Implementation> dual = testing::dual_loops();
    std::set<std::string> seen;
    for_each_case([&](const ask::Function&, const Arrays&, const judge::ForwardCall& forward) {
        if (!seen.insert(forward.function->name).second) return;  // the first case of each function
        const auto exact = testing::exact_gradients(*forward.function, dual.at(forward.function->name),
                                                    forward.inputs, forward.upstream);
        for (const auto& of_exact : exact) {
            const std::string& name = of_exact.first;
            const Array& gradient = of_exact.second;
            ask::Random random(7, name);
            Array direction = gradient;
            for (double& x : direction.as<double>()) x = random.normal();
            const auto moved = [&](double h) {
                Arrays changed;
                for (const Array& array : forward.inputs) {
                    changed.push_back(array.name == name ? array.cast<double>() : array);
                    for (std::size_t k = 0; array.name == name && k < array.count(); ++k)
                        changed.back().as<double>()[k] += h * direction.as<double>()[k];
                }
                return loss_of(forward, evaluate(*forward.function, changed, ask::Precision::f64));
            };
            constexpr double kStep = 1e-5;
            const double difference = (moved(kStep) - moved(-kStep)) / (2 * kStep);
            double along = 0;
            for (std::size_t k = 0; k < gradient.count(); ++k)
                along += gradient.as<double>()[k] * direction.as<double>()[k];
            const double error = std::abs(difference - along);
            BOOST_TEST(error <= 1e-7 * std::max(1.0, std::abs(along)),
                       name << ": " << difference << ", " << along);
        }
    });
    BOOST_TEST(seen.size() == dual.size());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
