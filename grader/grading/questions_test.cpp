// Questions from the cases of a rubric.

#include "grader/grading/questions.h"

#include <algorithm>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/diagnosis/numeric.h"
#include "grader/judge/in_process.h"
#include "grader/testing/broken_rubric.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(questions)

/// What grading the reference says if the case "token_V" of `embed` has this flag.
std::string complaint(const std::string& flag) {
    const data::TemporaryDirectory folder;
    const std::string
        name = "11_language_model",
        text = rubric::shipped_text(name),
        line =
            "name = \"token_V\",        inputs = \"token_V\",        sizes = { B = 2, N = 3, D = 2, V = 4 }";
    const std::string edited = proof::edited(text, {{line + ", refused = true", line + flag}});
    const auto path = rubric::make_assignment(folder, name, edited);
    const rubric::Rubric rubric = rubric::read_rubric(path);
    const auto& part = rubric.parts.front();
    try {
        diagnosis::judge_numeric(numeric_questions(rubric, part, 1), judge::reference_student());
    } catch (const UserError& error) {
        const std::string place =
            (path / "rubric.toml").string() + ":" + rubric::line_of(edited, line) + ": ";
        BOOST_TEST(std::string(error.what()).starts_with(place), error.what());
        return error.what();
    }
    return "";
}

BOOST_AUTO_TEST_CASE(a_case_whose_numbers_are_refused_has_to_say_so) {
    BOOST_TEST(complaint(", refused = true").empty());
    const std::string found = complaint("");
    BOOST_TEST(found.find("must refuse these inputs") != std::string::npos, found);
    BOOST_TEST(found.find("say refused = true") != std::string::npos, found);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
