// Submissions of kernels, graded like students': the reference's kernels get all points, stubs none.

#include <filesystem>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/proof/proof_submissions.h"
#include "grader/testing/kernel_submission.h"
#include "grader/testing/sample.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(kernels, *boost::unit_test::label("long"))

/// Kernels that call those of many assignments take a minute to compile; `make test-all` asks them, too.
std::vector<rubric::Rubric> drawn_with_kernels(std::size_t count) {
    constexpr int kMostIncluded = 3;
    std::vector<rubric::Rubric> with_kernels;
    for (const rubric::Rubric& rubric : rubrics()) {
        if (!rubric.cuda) continue;
        const std::string text = data::read_file(kSources / "reference" / rubric.cuda->source);
        int included = 0;
        for (auto at = text.find("_cuda.h\""); at != std::string::npos; at = text.find("_cuda.h\"", at + 1))
            ++included;
        if (at_most(count).is_all() || included <= kMostIncluded) with_kernels.push_back(rubric);
    }
    return drawn(with_kernels, at_most(count));
}

std::string notes_of(const report::Report& report) {
    std::string notes;
    for (const std::string& note : report.notes) notes += note + '\n';
    return notes;
}

BOOST_AUTO_TEST_CASE(the_references_kernels_get_all_points) {
    for (const rubric::Rubric& rubric : drawn_with_kernels(1)) {
        const report::Report report = KernelSubmission(kSources / "reference").grade(rubric.number);
        BOOST_REQUIRE(report.assignments.size() == 1U);
        for (std::size_t p = 0; p < rubric.parts.size(); ++p) {
            const rubric::PartRubric& rules = rubric.parts[p];
            const report::Part& part = report.assignments.front().parts[p];
            const auto checks = kernel_checks_of(part);
            BOOST_TEST_CONTEXT(part.function) {
                BOOST_TEST(checks.size() == rules.cuda_cases.size());
                BOOST_TEST(part.points == rules.cuda_points);  // the submission has no C++ functions
                for (const report::Check* check : checks)
                    BOOST_TEST((check->outcome == Outcome::passed), check->id << ": " << check->message);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(stubs_count_as_not_begun) {
    for (const rubric::Rubric& rubric : drawn_with_kernels(1)) {
        const report::Report report = KernelSubmission(kSources / "student").grade(rubric.number);
        for (const report::Assignment& assignment : report.assignments)
            for (const report::Part& part : assignment.parts) BOOST_TEST(kernel_checks_of(part).empty());
        // Where nothing is begun, nothing has to be said of kernels.
        BOOST_TEST(notes_of(report).find("CUDA") == std::string::npos, notes_of(report));
    }
}

BOOST_AUTO_TEST_CASE(kernels_that_are_not_begun_are_said_beside_functions_that_are) {
    KernelSubmission stubs(kSources / "student");
    stubs.folder.write("self_attention.cpp", solution("self_attention"));
    const std::string notes = notes_of(stubs.grade(2));
    BOOST_TEST(notes.find("CUDA: not begun, so not counted: self_attention.cu") != std::string::npos, notes);
}

/// The loader finds a kernel that is launched when it opens the library, before anything is called.
BOOST_AUTO_TEST_CASE(a_launch_of_a_kernel_that_nobody_wrote_names_it) {
    KernelSubmission stubs(kSources / "student");
    stubs.folder.write("self_attention.cu",
                       "#include \"self_attention_cuda.h\"\n"
                       "__global__ void nobodys(float* x, int n);\n"
                       "void attn::cuda::softmax(TensorView<float, 2> Y, TensorView<const float, 2>,\n"
                       "                         cudaStream_t stream) {\n"
                       "    nobodys<<<1, 32, 0, stream>>>(Y.data(), Y.size(0));\n}\n");
    const report::Part part = stubs.grade(2).assignments.at(0).parts.at(0);
    for (const report::Check* check : kernel_checks_of(part)) {
        BOOST_TEST((check->outcome == Outcome::missing));
        BOOST_TEST(check->message ==
                   "It calls nobodys(float*, int), which none of the files that compiled defines.");
    }
    BOOST_TEST(!kernel_checks_of(part).empty());
}

BOOST_AUTO_TEST_CASE(stubs_get_nothing_where_kernels_always_count) {
    const data::TemporaryDirectory assignments;
    std::filesystem::copy(kSources / "assignments", assignments.path(),
                          std::filesystem::copy_options::recursive);
    const std::string name = "02_self_attention/rubric.toml";
    const std::string text = edited(data::read_file(kSources / "assignments" / name),
                                    {{"counted = \"when_begun\"", "counted = \"always\""}});
    assignments.write(name, text);
    const KernelSubmission stubs(kSources / "student");
    GradeOptions options;
    options.submission = stubs.folder.path();
    options.assignment = 2;
    options.speed = false;
    options.installation.assignments = assignments.path();
    const report::Report report = attn::grade(options);
    for (const report::Part& part : report.assignments.at(0).parts) {
        const auto checks = kernel_checks_of(part);
        BOOST_TEST(!checks.empty());
        BOOST_TEST(part.points == 0);
        for (const report::Check* check : checks) BOOST_TEST((check->outcome == Outcome::not_implemented));
    }
    BOOST_TEST(report.assignments.at(0).max_points == rubrics().at(1).points() + 25 - 15);  // without speed
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
