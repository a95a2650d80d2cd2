// `train --modules student`: a wrong gradient is a failure even if the model learns in spite of it.

#include <iostream>
#include <sstream>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "datasets/shipped.h"
#include "grader/judge/in_process.h"
#include "grader/models/commands.h"

namespace attn::trained {
namespace {

BOOST_AUTO_TEST_SUITE(train_command)

struct CommandRun {
    int exit_code;
    std::string last_line, page;
};

/// A step of a model that has learned. The student has written these functions; `change` alters the outputs of
/// the function `wrong`.
CommandRun train_with(const std::set<std::string>& written, const std::string& wrong = "",
                      std::function<void(const Arrays&, Arrays&)> change = {}) {
    const data::TemporaryDirectory place;
    const std::string html = place / "page.html", save = place / "saved.safetensors",
                      load = data::shipped("weights/three_sentences.safetensors");
    std::vector<std::string> words = {
        "train", "three_sentences", "--modules", "student", "--steps", "1", "--load",
        load,    "--save",          save,        "--html",  html};
    std::vector<char*> values;
    for (std::string& word : words) values.push_back(word.data());
    std::ostringstream said;
    std::streambuf* const before = std::cout.rdbuf(said.rdbuf());
    const auto take_in = [&](const std::string&) {
        const judge::CallFunction right = judge::reference_student(),
                                  other = judge::reference_student(std::move(change));
        return TrainingStudent{[=](const ask::Function& function, const Arrays& inputs,
                                   const std::vector<std::string>& wanted, worker::Placement placement) {
                                   return (function.name == wrong ? other : right)(function, inputs, wanted,
                                                                                   placement);
                               },
                               written, [](const std::string&) { return 13; }};
    };
    // The suite has the function's name, too.
    const int code = trained::train_command(static_cast<int>(values.size()), values.data(), take_in);
    std::cout.rdbuf(before);
    const std::string text = said.str();
    BOOST_REQUIRE(text.ends_with('\n'));
    return {code, text.substr(text.rfind('\n', text.size() - 2) + 1), data::read_file(html)};
}

const std::set<std::string> kWritten = {"layer_norm_backward", "transformer_block_backward"};

BOOST_AUTO_TEST_CASE(right_gradients_are_a_success) {
    const CommandRun run = train_with(kWritten);
    BOOST_TEST(run.exit_code == 0);
    BOOST_TEST(run.last_line.starts_with("The page with the loss and the pictures: "));
    BOOST_TEST(run.page.find("the gradients of your functions are right") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_wrong_gradient_is_a_failure_and_the_last_line_names_the_function) {
    // The outputs of transformer_block_backward are dX, dgamma_1, dbeta_1, dW_Q, db_Q, dW_K, ..
    const CommandRun run =
        train_with(kWritten, "transformer_block_backward", [](const Arrays&, Arrays& outputs) {
            for (float& y : outputs.at(5).as<float>()) y *= 1.05F;
        });
    BOOST_TEST(run.exit_code == 1);
    const std::string expected =
        "gradient of blocks.0.W_K is wrong: its error is 5 % of it. Your transformer_block_backward makes it "
        "wrong: `make grade A=13` says more.";
    BOOST_TEST(run.last_line == "In the first step, the " + expected + "\n");
    BOOST_TEST(run.page.find(expected) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_gradient_that_is_not_finite_is_a_failure) {
    const CommandRun run = train_with(kWritten, "layer_norm_backward", [](const Arrays&, Arrays& outputs) {
        outputs.at(1).as<float>().at(0) = INFINITY;
    });
    BOOST_TEST(run.exit_code == 1);
    BOOST_TEST(run.last_line.find("it has values that are not finite. Your layer_norm_backward") !=
               std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::trained
