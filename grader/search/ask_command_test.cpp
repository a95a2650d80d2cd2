// `ask` as users run it, on the course's own text, with made-up weights.

#include "grader/search/ask_command.h"

#include <cmath>
#include <iostream>
#include <regex>
#include <set>
#include <sstream>

#include <boost/test/unit_test.hpp>

#include "datasets/files/message_contains.h"
#include "grader/judge/in_process.h"
#include "grader/search/testing/tiny_model.h"
#include "grader/testing/run_grader.h"

namespace attn::search {
namespace {

BOOST_AUTO_TEST_SUITE(ask_command)

using cli::contains;

struct Asking {
    TinyModel tiny;
    std::string html = tiny.folder / "ask.html";

    /// Asks a student who has written these functions; `change` alters the outputs of the function `wrong`.
    struct Result {
        int exit_code;
        std::string text, page;
    };
    Result operator()(std::vector<std::string> words, const std::set<std::string>& written = {},
                      const std::string& wrong = "",
                      std::function<void(const Arrays&, Arrays&)> change = {}) {
        words.insert(words.begin(), {"--html", html});
        const auto take_in = [&](const std::string&) {
            const judge::CallFunction right = judge::reference_student(),
                                      other = judge::reference_student(change);
            return trained::TrainingStudent{
                [=](const ask::Function& function, const Arrays& inputs,
                    const std::vector<std::string>& wanted, worker::Placement placement) {
                    return (function.name == wrong ? other : right)(function, inputs, wanted, placement);
                },
                written, [](const std::string& name) { return name == "embed_tokens" ? 11 : 5; }};
        };
        std::ostringstream said;
        std::streambuf* const before = std::cout.rdbuf(said.rdbuf());
        int code = -1;
        try {
            code = search::ask_command(words, tiny.package, tiny.folder.path(), take_in);
        } catch (...) {
            std::cout.rdbuf(before);
            throw;
        }
        std::cout.rdbuf(before);
        return {code, said.str(), data::read_file(html)};
    }
};

const std::set<std::string> kWritten = {"embed_tokens", "layer_norm", "transformer_encoder"};

BOOST_AUTO_TEST_CASE(it_names_five_passages_with_file_line_heading_and_score) {
    Asking asking;
    const auto result = asking({"why", "divide", "by", "the", "root"});
    BOOST_TEST(result.exit_code == 0);
    BOOST_TEST(result.text.starts_with("why divide by the root\n\n1  "));
    int passages = 0;
    std::istringstream lines(result.text);
    static const std::regex kPlace(R"(\d  0\.\d{3}  assignments/\S+:\d+)");
    for (std::string line; std::getline(lines, line);) passages += std::regex_match(line, kPlace);
    BOOST_TEST(passages == 5, result.text);
    BOOST_TEST(contains(result.text, asking.html));
    BOOST_TEST(contains(result.page, "why divide by the root"));
    BOOST_TEST(contains(result.page, R"("mark":"5")"));
    BOOST_TEST(contains(result.page, R"("mark":"?")"));
    // The plain loops find the same.
    BOOST_TEST(asking({"--modules", "plain", "why divide by the root"}).text == result.text);
}

BOOST_AUTO_TEST_CASE(right_functions_of_a_student_find_the_same) {
    Asking asking;
    const std::string fast = asking({"why divide by the root"}).text;
    const auto result = asking({"--modules", "student", "why divide by the root"}, kWritten);
    BOOST_TEST(result.exit_code == 0);
    BOOST_TEST(contains(result.text, "Your functions are right"));
    BOOST_TEST(contains(result.text, "transformer_encoder            yours"));
    const std::size_t found = fast.find("\nThe page");
    BOOST_TEST(result.text.substr(0, found) == fast.substr(0, found));
}

BOOST_AUTO_TEST_CASE(a_wrong_function_is_named) {
    const auto spoil = [](const Arrays&, Arrays& outputs) { outputs[0].as<float>()[3] += 1; };
    for (const std::string& wrong : kWritten) {
        Asking asking;
        const auto result =
            asking({"--modules", "student", "why divide by the root"}, kWritten, wrong, spoil);
        BOOST_TEST_CONTEXT(result.text) {
            BOOST_TEST(result.exit_code == 1);
            BOOST_TEST(contains(result.text, "Your " + wrong + " is wrong: Y(0, "));
            BOOST_TEST(contains(result.text, wrong == "embed_tokens" ? "make grade A=11" : "make grade A=5"));
            BOOST_TEST(contains(result.page, "Your " + wrong + " is wrong: "));
        }
    }
}

BOOST_AUTO_TEST_CASE(numbers_that_are_not_finite_find_nothing) {
    Asking asking;
    const auto result = asking({"--modules", "student", "why divide"}, kWritten, "transformer_encoder",
                               [](const Arrays&, Arrays& outputs) { outputs[0].as<float>()[3] = NAN; });
    BOOST_TEST(result.exit_code == 1);
    BOOST_TEST(contains(result.text, "Your transformer_encoder is wrong"));
    BOOST_TEST(contains(result.text, "not finite"));
    BOOST_TEST(!contains(result.text, "\n1  "));
}

BOOST_AUTO_TEST_CASE(what_is_not_written_is_the_references_and_counts) {
    Asking asking;
    const auto result = asking({"--modules", "student", "why divide"}, {"layer_norm"});
    BOOST_TEST(result.exit_code == 1);
    BOOST_TEST(contains(result.text, "stand in"));
    BOOST_TEST(contains(result.text, "layer_norm                     yours"), result.text);
    BOOST_TEST(contains(result.text, "transformer_encoder            the reference's"));
}

BOOST_AUTO_TEST_CASE(a_question_that_is_none_is_refused) {
    using data::message_contains;
    Asking asking;
    for (const char* const none : {"", "  \t ", "\n"})
        BOOST_CHECK_EXCEPTION(asking({none}), cli::UsageError,
                              message_contains({"which question", "make ask Q="}));
    BOOST_CHECK_EXCEPTION(asking({}), cli::UsageError, message_contains({"which question"}));
    BOOST_CHECK_EXCEPTION(asking({"\u00bfqu\u00e9?"}), cli::UsageError,
                          message_contains({"knows none", "English"}));
    BOOST_CHECK_EXCEPTION(asking({"--modules", "slow", "why"}), cli::UsageError,
                          message_contains({"fast, plain and student"}));
}

BOOST_AUTO_TEST_CASE(a_question_of_ten_thousand_words_is_cut_and_this_is_said) {
    Asking asking;
    std::string question = "why divide by the root of a mask";
    for (int k = 0; k < 10'000; ++k) question += " word";
    const auto result = asking({question});
    BOOST_TEST(result.exit_code == 0);
    BOOST_TEST(contains(result.text, "only its first 14 pieces of words are read"));
    BOOST_TEST(result.text.size() < 5'000U);
    BOOST_TEST(!contains(asking({"why divide"}).text, "pieces of words"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::search
