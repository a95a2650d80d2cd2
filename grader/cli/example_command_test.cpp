// Worked examples: small, simple numbers, the reference's answers, and a student's answers beside them.

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/cli/run_function.h"
#include "grader/proof/harness.h"
#include "grader/rubric/rubric.h"
#include "grader/testing/run_grader.h"

namespace attn::cli {
namespace {

BOOST_AUTO_TEST_SUITE(example_command)

/// Runs the grader for a terminal of this width.
std::string example_of(const Words& words, int width) {
    worker::Command command;
    command.argv = {testing::built_grader().string(), "example"};
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    command.environment = testing::environment();
    command.environment.push_back("COLUMNS=" + std::to_string(width));
    command.directory = testing::built().sources;
    command.confinement.limits = kNoLimits;
    constexpr double kTimeLimit_s = 120;
    const worker::CommandResult result = worker::run_command(command, kTimeLimit_s, 1 << 20);
    BOOST_TEST(result.ending.exit_code == 0, result.printed);
    return result.printed;
}

BOOST_AUTO_TEST_CASE(every_function_has_an_example_of_few_and_simple_numbers_and_of_many_different_answers) {
    int functions = 0;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(Installation().assignments))
        for (const rubric::PartRubric& part : rubric.parts) BOOST_TEST_CONTEXT(part.function->name) {
                ++functions;
                const Arrays inputs = example_inputs(*rubric.module, *part.function);
                std::size_t numbers = 0;
                for (const Array& input : inputs) {
                    if (input.shape.empty()) continue;
                    numbers += input.count();
                    for (std::size_t k = 0; k < input.count(); ++k) {
                        const double x = number_at(input, k);
                        // Uniform numbers have two digits and are below 1.
                        const bool hundredths =
                            x > 0 && x < 1 && std::abs(100 * x - std::round(100 * x)) < 1e-4;
                        BOOST_TEST((hundredths || x == std::round(x)), input.name << ' ' << x);
                        BOOST_TEST(!(x == 0 && std::signbit(x)));
                    }
                }
                // Two streams of blocks have forty arrays of weights.
                constexpr std::size_t kFew = 200, kFewOfEach = 12;
                BOOST_TEST(numbers <= std::max(kFew, kFewOfEach * inputs.size()));
                std::set<double> answers;
                std::size_t count = 0;
                for (const Array& output : evaluate(*part.function, inputs, ask::Precision::f64)) {
                    count += output.count();
                    for (std::size_t k = 0; k < output.count(); ++k) answers.insert(number_at(output, k));
                }
                const bool mask = part.function->outputs.front().type == ElementType::u8;
                // A function without inputs gives the same numbers whatever the example is, one that looks tokens up gives
                // the few numbers of its table, and one whose answers are tokens gives tokens.
                const bool tokens = std::ranges::all_of(
                    part.function->outputs,
                    [](const ask::TensorSpec& output) { return output.type == ElementType::i32; });
                const bool chosen =
                    !part.function->inputs.empty() && part.function->name != "embed_tokens" && !tokens;
                // Half of the numbers differ, or at least eight: gradients and optimisers have many equal ones.
                constexpr std::size_t kEnough = 8;
                BOOST_TEST(answers.size() >= (part.function->inputs.empty() ? 1
                                              : mask || !chosen             ? 2
                                                                : std::min(kEnough, (count + 1) / 2)),
                           answers.size() << " of " << count);
                // The mask of a shift by 0, the default, hides nothing.
                BOOST_TEST((!mask || part.function->inputs.empty() || answers.size() == 2));
            }
    BOOST_TEST(functions >= 24);
}

BOOST_AUTO_TEST_CASE(an_example_shows_inputs_steps_and_outputs_within_the_width) {
    for (const int width : {60, 80, 110}) {
        const std::string all = example_of({}, width);
        std::istringstream lines(all);
        for (std::string line; std::getline(lines, line);) {
            BOOST_TEST(line.size() <= static_cast<std::size_t>(width), line);
            BOOST_TEST(!line.ends_with(' '), '"' << line << '"');
        }
        BOOST_TEST(contains(all, "\nsoftmax: Y [N, D] from X [N, D]\n"));
        BOOST_TEST(contains(all, "\npatchify: "));
    }
    const std::string two = example_of({"-a", "2"}, 80);
    BOOST_TEST(two.starts_with("softmax: "));
    BOOST_TEST(!contains(two, "patchify"));
    for (const char* part : {"\n   in     Q ", "\n   steps  E ", "\n   out    Y "})
        BOOST_TEST(contains(two, part), two);
}

BOOST_AUTO_TEST_CASE(a_students_numbers_stand_beside_the_right_ones) {
    const TestFolder test_folder;
    const std::string right = test_folder.submission(proof::solution("self_attention"));
    const Words words = {"example", "softmax", "--impl", "student", "--submission"};
    const auto with = [&words](const std::string& folder) {
        Words all = words;
        all.push_back(folder);
        return all;
    };
    const Run same = run_grader(with(right));
    BOOST_TEST(same.exit_code == 0);
    BOOST_TEST(contains(squeezed(same.text), "Y yours 0.8438 0.1142 0.04201 expected 0.8438 0.1142 0.04201"),
               same.text);
    check_run(with("student"), 1, {"softmax: not implemented", "Y expected"});
    check_run(with(test_folder.file("nowhere")), 2, {"nowhere"});
    check_run({"example", "softmx"}, 2, {"there is no function 'softmx'. Did you mean softmax?"});
    check_run({"example", "xyz"}, 2, {"there is no function 'xyz'. `grader list --details` shows all"});
    check_run({"example", "-a", "77"}, 2, {"there is no assignment 77"});
    check_run({"example", "softmax", "--impl", "mine"}, 2, {"--impl mine: expected reference"});
    check_run({"example", "--help"}, 0, {"usage: grader example"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
