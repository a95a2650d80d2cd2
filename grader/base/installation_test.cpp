// Grading with an incomplete installation.

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/grading/grade.h"

namespace attn {
BOOST_AUTO_TEST_SUITE(installation)

namespace {

/// A correct submission of assignment 2.
struct CorrectSubmission {
    data::TemporaryDirectory folder;
    GradeOptions options;
    CorrectSubmission() {
        options.submission = folder.path();
        options.assignment = 2;
        folder.write("self_attention.cpp",
                     data::read_file(options.installation.proof_of("self_attention") / "solution.cpp"));
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(speed_that_this_machine_cannot_measure_does_not_count) {
    CorrectSubmission correct;
    correct.options.installation.no_speed = "this processor is made of wood";
    const report::Report report = grade(correct.options);
    BOOST_TEST(report.assignments.at(0).points == 85);
    BOOST_TEST(report.assignments.at(0).max_points == 85);
    BOOST_REQUIRE(report.notes.size() == 1);
    BOOST_TEST(report.notes[0] ==
               "speed is not measured (this processor is made of wood), and its points do not count");
    int left_out = 0;
    for (const report::Part& part : report.assignments.at(0).parts)
        for (const report::Check& check : part.checks)
            if (!report::is_correctness_check(check)) {
                ++left_out;
                BOOST_TEST(check.message == "Not measured: this processor is made of wood.");
                BOOST_TEST(report::is_left_out(check));
            }
    BOOST_TEST(left_out == 2);
}

BOOST_AUTO_TEST_CASE(a_missing_compiler_is_the_graders_fault) {
    CorrectSubmission correct;
    correct.options.installation.compiler = "/no/such/compiler";
    BOOST_CHECK_EXCEPTION(grade(correct.options), std::runtime_error, [](const std::runtime_error& error) {
        const std::string message = error.what();
        return message.find("there is no compiler /no/such/compiler") != std::string::npos &&
               message.find("install g++") != std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(what_is_not_built_is_named_with_the_command) {
    BOOST_CHECK_EXCEPTION(
        require_built("/no/such/plain.so", "the yardstick of speed"), UserError, [](const UserError& error) {
            return error.what() ==
                   std::string(
                       "/no/such/plain.so: there is no such file; expected the yardstick of speed, "
                       "which is not built yet; type make build");
        });
    BOOST_CHECK_NO_THROW(require_built("/", "the folder of all folders"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attn
