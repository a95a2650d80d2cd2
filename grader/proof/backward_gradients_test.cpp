// The backward passes of the reference are exact derivatives of its forward passes, on the cases that students
// are asked.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "grader/ask/inputs.h"
#include "grader/base/installation.h"
#include "grader/diagnosis/other_forward.h"
#include "grader/grading/grade.h"
#include "grader/grading/questions.h"
#include "reference/testing/dual.h"
#include "reference/testing/dual_loops.h"
#include "reference/testing/near.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(backward_gradients)

std::size_t count_of(const Argument& argument) {
    return element_count(Shape(argument.shape, argument.shape + argument.rank));
}

/// Calls the dual loops with arrays of doubles. Number `element` of argument `moved` has the slope 1, and the outputs
/// get the slopes that follow from it.
ask::Implementation slopes(const testing::DualLoops& dual, int outputs, int moved, std::size_t element) {
    return [&dual, outputs, moved, element](const Argument* arguments, int count) {
        std::vector<Argument> given(arguments, arguments + count);
        std::vector<std::vector<testing::Dual>> numbers(given.size());
        for (std::size_t k = 0; k < given.size(); ++k) {
            Argument& argument = given[k];
            if (argument.type != ElementType::f64 || argument.data == nullptr) continue;
            const auto* const values = static_cast<const double*>(argument.data);
            numbers[k].assign(values, values + count_of(argument));
            if (static_cast<int>(k) == moved) numbers[k].at(element).slope = 1;
            argument.data = numbers[k].data();
        }
        dual(given.data(), count);
        for (std::size_t k = 0; k < static_cast<std::size_t>(outputs); ++k)
            for (std::size_t n = 0; n < numbers[k].size(); ++n)
                static_cast<double*>(arguments[k].data)[n] = numbers[k][n].slope;
    };
}

/// The exact gradient of sum_outputs <upstream, output> with respect to every real input of the function, by the
/// input's name. `inputs`: the arrays and options of the call. `upstream`: by the output's name; an output without
/// one does not count. One call for each number of an input, so the inputs should be small.
std::map<std::string, Array> exact_gradients(const ask::Function& function, const testing::DualLoops& dual,
                                             const Arrays& inputs,
                                             const std::map<std::string, Array>& upstream) {
    const int outputs = static_cast<int>(function.outputs.size());
    std::map<std::string, Array> gradients;
    for (std::size_t k = 0; k < function.inputs.size(); ++k) {
        const std::string& name = function.inputs[k].name;
        const auto input = std::ranges::find(inputs, name, &Array::name);
        if (function.inputs[k].type != ElementType::f32 || input == inputs.end()) continue;
        std::vector<double> gradient(input->count());
        for (std::size_t n = 0; n < gradient.size(); ++n) {
            const Arrays slope = evaluate(function, inputs, ask::Precision::f64,
                                          slopes(dual, outputs, outputs + static_cast<int>(k), n));
            for (const Array& each : slope) {
                const auto weights = upstream.find(each.name);
                if (weights == upstream.end()) continue;
                const Array exact = weights->second.cast<double>();
                for (std::size_t m = 0; m < each.count(); ++m)
                    gradient[n] += exact.as<double>()[m] * each.as<double>()[m];
            }
        }
        gradients.emplace(name, Array(name, input->shape, gradient));
    }
    return gradients;
}

double largest(const Array& array) {
    double most = 0;
    for (const double x : array.as<double>()) most = std::max(most, std::abs(x));
    return most;
}

/// Calls check(backward, inputs, forward) for every case of assignments 13 and 21 that gives an answer and is not long.
template <class Check>
int for_each_case(Check check) {
    std::vector<judge::Question> questions;
    for (const char* const folder : {"13_backward", "21_recurrent_backward"}) {
        const rubric::Rubric rubric = rubric::read_rubric(Installation().assignments / folder);
        for (const rubric::PartRubric& part : rubric.parts)
            std::ranges::move(numeric_questions(rubric, part, kPublicSeed), std::back_inserter(questions));
    }
    int cases = 0;
    for (const judge::Question& question : questions) {
        if (!question.refusal().empty()) continue;
        const Arrays inputs = question.make_inputs();
        // A forward pass for each number of the inputs. The loops of long axes are those of short ones.
        constexpr std::size_t kMostNumbers = 700;
        std::size_t numbers = 0;
        for (const Array& input : inputs) numbers += input.count();
        if (numbers > kMostNumbers) continue;
        BOOST_TEST_CONTEXT(question.about()) {
            const auto forward = diagnosis::forward_of(*question.function, inputs);
            BOOST_TEST_REQUIRE(forward.has_value());
            check(*question.function, inputs, *forward);
        }
        ++cases;
    }
    return cases;
}

BOOST_AUTO_TEST_CASE(the_loops_agree_with_dual_numbers) {
    const std::map<std::string, testing::DualLoops> dual = testing::dual_loops();
    std::set<std::string> seen;
    const int cases = for_each_case(
        [&](const ask::Function& backward, const Arrays& inputs, const diagnosis::ForwardCall& forward) {
            const auto exact = exact_gradients(*forward.function, dual.at(forward.function->name),
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
    const std::map<std::string, testing::DualLoops> dual = testing::dual_loops();
    std::set<std::string> seen;
    for_each_case([&](const ask::Function&, const Arrays&, const diagnosis::ForwardCall& forward) {
        if (!seen.insert(forward.function->name).second) return;  // the first case of each function
        const auto exact = exact_gradients(*forward.function, dual.at(forward.function->name), forward.inputs,
                                           forward.upstream);
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
