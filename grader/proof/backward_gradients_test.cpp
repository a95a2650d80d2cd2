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
#include "reference/testing/dual_loops.h"
#include "reference/testing/near.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(backward_gradients)

/// A backward pass, its forward pass, and what a call of the backward says about the forward.
struct Pair {
    const ask::Function *backward, *forward;
    Arrays inputs;  ///< of the forward, with its options
    std::map<std::string, Array>
        upstream;  ///< the gradient of each output of the forward, by the output's name
};

Pair pair_for(const ask::Function& backward, const Arrays& inputs) {
    const std::string name = backward.name.substr(0, backward.name.rfind("_backward"));
    const ask::Module* const module = ask::module_of(name);
    BOOST_TEST_REQUIRE(module != nullptr, name);
    Pair pair{&backward, module->find_function(name), {}, {}};
    const auto is_input = [&](const std::string& wanted) {
        const auto& specs = pair.forward->inputs;
        const auto& options = pair.forward->options;
        return std::ranges::find(specs, wanted, &ask::TensorSpec::name) != specs.end() ||
               std::ranges::find(options, wanted, &ask::OptionSpec::name) != options.end();
    };
    for (const Array& array : inputs)
        if (is_input(array.name)) pair.inputs.push_back(array);
    for (const ask::TensorSpec& output : pair.forward->outputs) {
        const auto given = std::ranges::find(inputs, "d" + output.name, &Array::name);
        if (given != inputs.end()) pair.upstream.emplace(output.name, *given);
    }
    BOOST_TEST(!pair.upstream.empty(), backward.name);
    // A length that the forward reads from the shape of an output.
    for (const ask::OptionSpec& option : pair.forward->options) {
        if (!option.length || ask::has(pair.inputs, option.name)) continue;
        pair.inputs.push_back(ask::option(option.name, sizes_of(backward, inputs).at(option.name)));
    }
    return pair;
}

/// <upstream, output>, summed over the outputs.
double loss(const Pair& pair, const Arrays& inputs) {
    double sum = 0;
    for (const Array& output : evaluate(*pair.forward, inputs, ask::Precision::f64)) {
        const auto weights = pair.upstream.find(output.name);
        if (weights == pair.upstream.end()) continue;
        const Array exact = weights->second.cast<double>();
        for (std::size_t k = 0; k < output.count(); ++k)
            sum += exact.as<double>()[k] * output.as<double>()[k];
    }
    return sum;
}

double largest(const Array& array) {
    double most = 0;
    for (const double x : array.as<double>()) most = std::max(most, std::abs(x));
    return most;
}

/// Calls check(question, inputs, pair) for every case of assignment 13 that gives an answer.
template <class Check>
int for_each_case(Check check) {
    const submission::Rubric rubric = submission::read_rubric(Installation().assignments / "13_backward");
    int cases = 0;
    for (const submission::PartRubric& part : rubric.parts) {
        for (const judge::Question& question : numeric_questions(rubric, part, kPublicSeed)) {
            if (!question.refusal().empty()) continue;
            const Arrays inputs = question.make_inputs();
            BOOST_TEST_CONTEXT(question.about()) check(inputs, pair_for(*question.function, inputs));
            ++cases;
        }
    }
    return cases;
}

BOOST_AUTO_TEST_CASE(the_loops_agree_with_dual_numbers) {
    const std::map<std::string, ask::Implementation> dual = testing::dual_loops();
    std::set<std::string> seen;
    const int cases = for_each_case([&](const Arrays& inputs, const Pair& pair) {
        const auto exact =
            testing::exact_gradients(*pair.forward, dual.at(pair.forward->name), pair.inputs, pair.upstream);
        const Arrays got = evaluate(*pair.backward, inputs, ask::Precision::f64);
        BOOST_TEST(got.size() == exact.size());
        for (const Array& gradient : got) {
            const Array& wanted = exact.at(gradient.name.substr(1));
            constexpr double kRoundings = 1e-11;
            BOOST_TEST(testing::is_near(gradient, wanted, kRoundings * std::max(1.0, largest(wanted))));
        }
        seen.insert(pair.forward->name);
    });
    BOOST_TEST(cases >= 14);
    BOOST_TEST(seen.size() == dual.size());
}

BOOST_AUTO_TEST_CASE(dual_numbers_agree_with_central_differences) {
    const std::map<std::string, ask::Implementation> dual = testing::dual_loops();
    std::set<std::string> seen;
    for_each_case([&](const Arrays&, const Pair& pair) {
        if (!seen.insert(pair.forward->name).second) return;  // the first case of each function
        const auto exact =
            testing::exact_gradients(*pair.forward, dual.at(pair.forward->name), pair.inputs, pair.upstream);
        for (const auto& [name, gradient] : exact) {
            ask::Random random(7, name);
            Array direction = gradient;
            for (double& x : direction.as<double>()) x = random.normal();
            const auto moved = [&](double h) {
                Arrays changed;
                for (const Array& array : pair.inputs) {
                    changed.push_back(array.name == name ? array.cast<double>() : array);
                    for (std::size_t k = 0; array.name == name && k < array.count(); ++k)
                        changed.back().as<double>()[k] += h * direction.as<double>()[k];
                }
                return loss(pair, changed);
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
