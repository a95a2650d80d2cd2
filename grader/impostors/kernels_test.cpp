// Submissions of kernels, graded as students' are: the reference's get everything, stubs nothing, and of the
// wrong ones each is caught in the part that it breaks, and named.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "datasets/file_error.h"
#include "datasets/temporary_directory.h"
#include "grader/grade.h"
#include "grader/impostors/harness.h"
#include "grader/impostors/slips.h"
#include "grader/kernel_checks.h"

namespace attn::impostors {
namespace {

const std::filesystem::path kSources = ATTN_SOURCES_DIR;

/// The .cu files of a folder, as a submission.
struct AllOf {
    data::TemporaryDirectory folder;

    explicit AllOf(const std::filesystem::path& from) {
        for (const auto& entry : std::filesystem::directory_iterator(from))
            if (entry.path().extension() == ".cu")
                folder.write(entry.path().filename().string(), data::read_file(entry.path()));
    }
    report::Report grade(std::optional<int> assignment = {}) const {
        GradeOptions options;
        options.submission = folder.path();
        options.assignment = assignment;
        options.speed = false;
        options.jobs = 2;
        return attn::grade(options);
    }
};

std::vector<const report::Check*> kernel_checks_of(const report::Part& part) {
    std::vector<const report::Check*> checks;
    for (const report::Check& check : part.checks)
        if (report::is_of_kernels(check)) checks.push_back(&check);
    return checks;
}

const std::vector<submission::Rubric>& rubrics() {
    static const auto kAll = submission::read_rubrics(Installation().assignments);
    return kAll;
}

/// What the report names for a finding, as the judge's table has it; "" where only numbers tell.
std::string mistake_of(const report::Check& check) {
    return check.diagnosis && !check.diagnosis->mistakes.empty() ? check.diagnosis->mistakes.front() : "";
}

BOOST_AUTO_TEST_SUITE(kernels)

BOOST_AUTO_TEST_CASE(the_references_kernels_get_all_points) {
    const report::Report report = AllOf(kSources / "reference").grade();
    BOOST_REQUIRE(report.assignments.size() == rubrics().size());
    for (std::size_t a = 0; a < rubrics().size(); ++a) {
        for (std::size_t p = 0; p < rubrics()[a].parts.size(); ++p) {
            const submission::PartRubric& rules = rubrics()[a].parts[p];
            const report::Part& part = report.assignments[a].parts[p];
            const auto checks = kernel_checks_of(part);
            BOOST_TEST_CONTEXT(part.function) {
                BOOST_TEST(checks.size() == rules.cuda_cases.size());
                BOOST_TEST(part.points == rules.cuda_points);  // the functions themselves are not handed in
                for (const report::Check* check : checks)
                    BOOST_TEST((check->outcome == Outcome::passed), check->id << ": " << check->message);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(stubs_are_not_begun_and_not_counted) {
    const report::Report report = AllOf(kSources / "student").grade();
    for (const report::Assignment& assignment : report.assignments)
        for (const report::Part& part : assignment.parts) BOOST_TEST(kernel_checks_of(part).empty());
    std::string notes;
    for (const std::string& note : report.notes) notes += note + '\n';
    BOOST_TEST(notes.find("CUDA: not begun") != std::string::npos);
    BOOST_TEST(notes.find("self_attention.cu") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(stubs_get_nothing_where_kernels_always_count) {
    const data::TemporaryDirectory assignments;
    std::filesystem::copy(kSources / "assignments", assignments.path(),
                          std::filesystem::copy_options::recursive);
    const std::string name = "02_self_attention/rubric.toml";
    const std::string text = edited(data::read_file(kSources / "assignments" / name),
                                    {{"counted = \"when_begun\"", "counted = \"always\""}});
    assignments.write(name, text);
    const AllOf stubs(kSources / "student");
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
}  // namespace attn::impostors
