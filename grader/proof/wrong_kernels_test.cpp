// Wrong kernels, graded like a student's: each is caught in the part that it breaks, and named.

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/judge/kernel_mistakes.h"
#include "grader/proof/harness.h"
#include "grader/proof/proof_submissions.h"
#include "grader/proof/short_loops.h"
#include "grader/testing/kernel_submission.h"
#include "grader/testing/sample.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(wrong_kernels, *boost::unit_test::label("long"))

std::string mistake_of(const report::Check& check) {
    return check.diagnosis && !check.diagnosis->mistakes.empty() ? check.diagnosis->mistakes.at(0) : "none";
}

/// A wrong kernel, with the rubric of its assignment.
struct Wrong : WrongKernel {
    const rubric::Rubric* rubric;

    friend std::ostream& operator<<(std::ostream& out, const Wrong& wrong) {
        return out << wrong.rubric->module->name << ", " << wrong.name;
    }
};

/// A few wrong kernels, or all of them in a run of all tests.
template <class F>
std::vector<Wrong> selected_kernels(std::size_t count, F wrong_kernels_of) {
    std::vector<Wrong> wrong;
    for (const rubric::Rubric& rubric : rubrics()) {
        if (!rubric.cuda) continue;
        const std::string right = data::read_file(kSources / "reference" / rubric.cuda->source);
        for (WrongKernel& each : wrong_kernels_of(rubric, right)) wrong.push_back({std::move(each), &rubric});
    }
    return drawn(std::move(wrong), at_most(count));
}

std::vector<Wrong> listed_kernels() {
    return selected_kernels(1, [](const rubric::Rubric& rubric, const std::string& right) {
        return read_wrong_kernels(Installation().proof_of(rubric.module->name), right);
    });
}

/// The largest length alone: a case that notices it notices the others, which leave out more.
std::vector<Wrong> kernels_with_a_short_loop() {
    return selected_kernels(1, [](const rubric::Rubric& rubric, const std::string& right) {
        return short_kernels(rubric, right, kShortLengths.back());
    });
}

/// The part that the kernel breaks. The emulator takes long, so only this part runs.
report::Part graded_with(const Wrong& wrong) {
    const KernelSubmission submission(kSources / "reference");
    submission.folder.write(wrong.rubric->cuda->source, wrong.text);
    return part(submission.grade(wrong.rubric->number, {wrong.function}), wrong.function);
}

/// Whether a check fails in the way that the finding requires.
bool fails_as_expected(const report::Check& check, const std::string& finding) {
    if (finding == "numbers")
        return check.outcome == Outcome::wrong || check.outcome == Outcome::not_finite ||
               check.outcome == Outcome::partly_written || check.outcome == Outcome::not_deterministic;
    const std::string mistake = judge::mistake_for_finding(finding);
    return check.outcome == Outcome::kernel_error && !mistake.empty() && mistake_of(check) == mistake &&
           !check.message.empty() && check.message.find("@{") == std::string::npos;
}

// Loops rather than data of Boost.Test, which every run of any test would make at its start.
BOOST_AUTO_TEST_CASE(a_wrong_kernel_is_caught_and_named) {
    for (const Wrong& wrong : listed_kernels()) BOOST_TEST_CONTEXT(wrong) {
            const report::Part graded = graded_with(wrong);
            const auto checks = kernel_checks_of(graded);
            std::string outcomes;
            for (const report::Check* check : checks)
                if (check->outcome != Outcome::passed)
                    outcomes += check->id + " " + std::string(name_of(check->outcome)) + " " +
                                mistake_of(*check) + ": " + check->message + "\n";
            BOOST_TEST(
                std::ranges::any_of(
                    checks, [&](const auto* check) { return fails_as_expected(*check, wrong.finding); }),
                "expected " << wrong.finding << ", found\n"
                            << (outcomes.empty() ? "nothing" : outcomes));
        }
}

BOOST_AUTO_TEST_CASE(kernels_over_the_first_values_of_an_axis_lose_points) {
    for (const Wrong& wrong : kernels_with_a_short_loop()) BOOST_TEST_CONTEXT(wrong) {
            const report::Part graded = graded_with(wrong);
            const auto checks = kernel_checks_of(graded);
            BOOST_REQUIRE(!checks.empty());
            const auto lost = [](const report::Check* check) { return check->outcome != Outcome::passed; };
            BOOST_TEST(std::ranges::any_of(checks, lost), "all " << checks.size() << " cases pass");
            BOOST_TEST(!std::ranges::all_of(checks, lost),
                       "the small cases have no more values than the loop takes");
        }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
