// A submission's functions, compiled and called in a worker.

#include "grader/models/submission_workers.h"

#include <boost/test/unit_test.hpp>

#include "grader/base/installation.h"
#include "grader/models/student_or_reference.h"

namespace attn::trained {
namespace {

BOOST_AUTO_TEST_SUITE(submission_workers, *boost::unit_test::label("long"))

/// softmax gives 7 everywhere, scaled_dot_product_attention what softmax gives for Q; self_attention crashes.
const char* const kSource = R"(#include "self_attention.h"

namespace attn {

void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X) { SOFTMAX }

void scaled_dot_product_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                                  TensorView<const float, 3> K, TensorView<const float, 3> V) {
    softmax(Y[0], Q[0]);
    for (int i = 0; i < Y.size(1); ++i)
        for (int j = 0; A && j < A.size(2); ++j) A(0, i, j) = 0;
}

void self_attention(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> W_Q,
                    TensorView<const float, 2> W_K, TensorView<const float, 2> W_V) {
    __builtin_trap();
}

}  // namespace attn
)";

std::string source_with(const std::string& softmax) {
    std::string text = kSource;
    return text.replace(text.find("SOFTMAX"), 7, softmax);
}

struct Submission {
    data::TemporaryDirectory folder;
    explicit Submission(const std::string& source) { folder.write("self_attention.cpp", source); }
    SubmissionWorkers functions(const TrainingLimits& limits = {}) const {
        return {folder.path(), rubrics_for_training(limits)};
    }
};

Array cube(const std::string& name) {
    return Array(name, {1, 1, 2}, std::vector<float>{0, 0});
}
const Arrays kQKV = {cube("Q"), cube("K"), cube("V")};

BOOST_AUTO_TEST_CASE(written_functions_are_called_and_failures_have_reasons) {
    const Submission submission(
        source_with("volatile bool busy = X(0, 0) == 5;  while (busy) {}"
                    "for (int j = 0; j < Y.size(1); ++j) Y(0, j) = 7 + X(0, j);"));
    // A training's own limits would be 120 s, as below.
    SubmissionWorkers calls = submission.functions({.call_s = 0.25});
    BOOST_TEST(calls.assignment_of("softmax") == 2);
    StudentOrReference f(std::ref(calls),
                         {"softmax", "scaled_dot_product_attention", "self_attention", "split_heads"});
    BOOST_TEST(f("softmax", {Array("X", {1, 2}, std::vector<float>{0, 1})}).at(0).as<float>() ==
                   (std::vector<float>{7, 8}),
               boost::test_tools::per_element());
    BOOST_TEST(f("scaled_dot_product_attention", kQKV).at(0).as<float>() == (std::vector<float>{7, 7}),
               boost::test_tools::per_element());
    const auto W = [](const char* name) { return Array(name, {2, 1}, std::vector<float>{1, 1}); };
    f("self_attention", {cube("X"), W("W_Q"), W("W_K"), W("W_V")});
    f("split_heads", {cube("X"), ask::option("H", 1)});
    BOOST_REQUIRE(f.origins().size() == 4U);
    BOOST_TEST(f.origins()[0].students);
    BOOST_TEST(f.origins()[1].students);
    BOOST_TEST(!f.origins()[2].students);
    BOOST_TEST(f.origins()[2].note.starts_with("crashed"), f.origins()[2].note);
    BOOST_TEST(!f.origins()[3].students);
    BOOST_TEST(f.origins()[3].note == "not written yet");
    // A function that does not return is the reference's from then on.
    const Arrays endless = f("softmax", {Array("X", {1, 2}, std::vector<float>{5, 5})});
    BOOST_TEST(endless.at(0).as<float>() == (std::vector<float>{0.5F, 0.5F}),
               boost::test_tools::per_element());
    BOOST_TEST(f.origins()[0].note.starts_with("timed out: It did not come back within 0.25 s"),
               f.origins()[0].note);
}

BOOST_AUTO_TEST_CASE(a_training_has_more_time_than_a_graded_call) {
    const auto graded = rubric::read_rubrics(Installation().assignments), trained = rubrics_for_training();
    BOOST_REQUIRE(trained.size() == graded.size());
    for (std::size_t k = 0; k < trained.size(); ++k) {
        BOOST_TEST(trained[k].limits.time_s == 120);
        BOOST_TEST(trained[k].limits.process.cpu_s == 24 * 3600);
        BOOST_TEST(trained[k].limits.time_s > graded[k].limits.time_s);
        BOOST_TEST(trained[k].limits.process.cpu_s > graded[k].limits.process.cpu_s);
    }
}

BOOST_AUTO_TEST_CASE(the_reference_stands_in_for_an_earlier_function_that_is_not_written) {
    const Submission submission(source_with(""));
    SubmissionWorkers calls = submission.functions();
    StudentOrReference f(std::ref(calls), {"scaled_dot_product_attention"});
    BOOST_TEST(f("scaled_dot_product_attention", kQKV).at(0).as<float>() == (std::vector<float>{0.5F, 0.5F}),
               boost::test_tools::per_element());
    BOOST_TEST(f.is_students("scaled_dot_product_attention"));
}

BOOST_AUTO_TEST_CASE(a_source_that_does_not_compile_is_said_so) {
    const Submission submission("#include \"self_attention.h\"\nint f() { return nobody; }\n");
    SubmissionWorkers calls = submission.functions();
    StudentOrReference f(std::ref(calls), {"softmax"});
    BOOST_TEST(f("softmax", {Array("X", {1, 1}, std::vector<float>{3})}).at(0).as<float>().at(0) == 1);
    BOOST_TEST(f.origins().at(0).note.find("not compiled: type make grade") == 0U, f.origins().at(0).note);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::trained
