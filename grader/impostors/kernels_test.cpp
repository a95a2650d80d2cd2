// Submissions of kernels, graded as students' are: the reference's get everything, stubs nothing, and of the
// wrong ones each is caught in the part that it breaks, and named.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "datasets/file_error.h"
#include "datasets/temporary_directory.h"
#include "grader/grade.h"
#include "grader/impostors/harness.h"
#include "grader/impostors/slips.h"
#include "grader/judge/kernel_mistakes.h"

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
    report::Report grade(std::optional<int> assignment = {}, const std::filesystem::path& cache = {}) const {
        GradeOptions options;
        options.submission = folder.path();
        options.assignment = assignment;
        options.speed = false;
        options.jobs = 2;
        options.extra.cache = cache;
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

std::string mistake_of(const report::Check& check) {
    return check.diagnosis ? check.diagnosis->mistakes.at(0) : "none";
}

/// A wrong kernel among the reference's right ones.
struct Wrong : WrongKernel {
    const submission::Rubric* rubric;

    friend std::ostream& operator<<(std::ostream& out, const Wrong& wrong) {
        return out << wrong.rubric->module->name << ", " << wrong.name;
    }
};

/// All of them; where this is not all that is asked, one for each finding of a module.
std::vector<Wrong> wrong_kernels() {
    const bool all = std::getenv("ATTN_ALL_WRONG_KERNELS") != nullptr;
    std::vector<Wrong> wrong;
    for (const submission::Rubric& rubric : rubrics()) {
        const std::string right = data::read_file(kSources / "reference" / rubric.cuda.value().source);
        std::set<std::string> seen;
        for (WrongKernel& each : read_wrong_kernels(Installation().impostors / rubric.module->name, right))
            if (seen.insert(each.finding).second || all) wrong.push_back({std::move(each), &rubric});
    }
    return wrong;
}

/// Whether a check fails as a wrong kernel ought to.
bool shows(const report::Check& check, const std::string& finding) {
    if (finding == "numbers")
        return check.outcome == Outcome::wrong || check.outcome == Outcome::not_finite ||
               check.outcome == Outcome::partly_written || check.outcome == Outcome::not_deterministic ||
               check.outcome == Outcome::not_implemented;
    const std::string mistake = judge::mistake_behind(finding);
    return check.outcome == Outcome::kernel_error && !mistake.empty() && mistake_of(check) == mistake &&
           !check.message.empty() && check.message.find("@{") == std::string::npos;
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

BOOST_DATA_TEST_CASE(a_wrong_kernel_is_caught_and_named, boost::unit_test::data::make(wrong_kernels()),
                     wrong) {
    static const data::TemporaryDirectory kCache;
    const AllOf submission(kSources / "reference");
    submission.folder.write(wrong.rubric->cuda->source, wrong.text);
    const report::Report report = submission.grade(wrong.rubric->number, kCache.path());
    const report::Part& suffering = part(report, wrong.function);
    const auto checks = kernel_checks_of(suffering);
    std::string outcomes;
    for (const report::Check* check : checks)
        if (check->outcome != Outcome::passed)
            outcomes += check->id + " " + std::string(name_of(check->outcome)) + " " + mistake_of(*check) +
                        ": " + check->message + "\n";
    BOOST_TEST(std::ranges::any_of(checks, [&](const auto* check) { return shows(*check, wrong.finding); }),
               "expected " << wrong.finding << ", found\n"
                           << (outcomes.empty() ? "nothing" : outcomes));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::impostors
