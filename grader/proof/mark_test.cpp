// Marks with a secret seed and the cases of secret.toml. A right submission gets all points, stubs get none,
// and a submission that is right only at the rubric's published sizes gets the points of these.

#include <algorithm>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "grader/cli/seed_file.h"
#include "grader/grading/grade.h"
#include "grader/proof/harness.h"
#include "grader/testing/sample.h"
#include "grader/testing/submission_folder.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(mark, *boost::unit_test::label("long"))

using report::Disclosure;
using rubric::Rubric;
using rubric::SecretCases;

const std::vector<Rubric>& rubrics(SecretCases secret) {
    static const auto kOpen = rubric::read_rubrics(Installation().assignments),
                      kAll = rubric::read_rubrics(Installation().assignments, SecretCases::added);
    return secret == SecretCases::added ? kAll : kOpen;
}

GradeOptions with_secret_seed(const std::filesystem::path& submission) {
    GradeOptions options;
    options.submission = submission;
    options.seed = seed_of("of this test, which is no secret");
    options.secret = true;
    options.speed = false;
    options.jobs = 2;
    options.extra.cache = build_cache(options.installation);
    return options;
}

/// A submission made of the given file of each module that a sample draws, or of each in a run of all tests.
struct ModuleFiles {
    data::TemporaryDirectory folder;
    std::vector<int> numbers;  ///< of their assignments

    template <class FileOf>
    explicit ModuleFiles(FileOf file_of) {
        for (const Rubric& rubric : drawn(rubrics(SecretCases::left_out), at_most(4))) {
            folder.write(rubric.sources.front(), data::read_file(file_of(rubric.module->name)));
            numbers.push_back(rubric.number);
        }
    }
};

/// Requires a check for each case, those of secret.toml included.
void check_all_asked(const report::Report& report) {
    BOOST_TEST(!report.seed.has_value());
    for (const report::Assignment& assignment : report.assignments) {
        const Rubric& rubric =
            *std::ranges::find(rubrics(SecretCases::added), assignment.number, &Rubric::number);
        for (std::size_t p = 0; p < rubric.parts.size(); ++p)
            BOOST_TEST(static_cast<std::size_t>(std::ranges::count(
                           assignment.parts[p].checks, report::CheckKind::numeric, &report::Check::kind)) ==
                       rubric.parts[p].cases.size());
    }
}

/// Requires that each assignment of these files gets all points, for all cases of the mark.
void check_full_marks(const ModuleFiles& files, GradeOptions options) {
    for (const int number : files.numbers) {
        options.assignment = number;
        const report::Report report = grade(options);
        check_all_asked(report);
        BOOST_REQUIRE(report.assignments.size() == 1U);
        const report::Assignment& assignment = report.assignments.front();
        BOOST_TEST_CONTEXT(assignment.title) {
            BOOST_TEST(assignment.points == assignment.max_points);
            BOOST_TEST(assignment.points > 0);
            for (const report::Part& part : assignment.parts) BOOST_TEST(outcomes_of(part) == "passed");
        }
    }
}

BOOST_AUTO_TEST_CASE(secret_cases_are_few) {
    std::vector<double> shares;
    for (std::size_t a = 0; a < rubrics(SecretCases::added).size(); ++a) {
        const Rubric &open = rubrics(SecretCases::left_out)[a], &all = rubrics(SecretCases::added)[a];
        std::size_t parts_with_more = 0;
        double share = 0;
        for (std::size_t p = 0; p < open.parts.size(); ++p) {
            const auto asked = open.parts[p].cases.size(), more = all.parts[p].cases.size();
            parts_with_more += more > asked;
            share += open.parts[p].points_of(report::CheckKind::numeric) * static_cast<double>(more - asked) /
                     static_cast<double>(more);
            BOOST_TEST_CONTEXT(open.title << ", " << open.parts[p].function->name)
            // Axes longer than 64 take a few.
            BOOST_TEST(more - asked <= asked + 2);
        }
        // They are optional; but a file of them serves for most of the parts.
        if (std::filesystem::exists(open.folder / "secret.toml"))
            BOOST_TEST_CONTEXT(open.title) BOOST_TEST(2 * parts_with_more > open.parts.size());
        shares.push_back(share);
    }
    const auto [least, most] = std::ranges::minmax(shares);
    const std::string range = fmt::format("the shares of the secret cases, {:.1f} to {:.1f} of", least, most);
    BOOST_TEST(
        data::read_file(Installation().sources / "grader/classes/README.md").find(range) != std::string::npos,
        range);
}

BOOST_AUTO_TEST_CASE(the_reference_gets_all_of_every_mark) {
    const ModuleFiles reference(
        [](const auto& module) { return Installation().reference_submission(module); });
    GradeOptions options = with_secret_seed(reference.folder.path());
    options.extra.flags = options.installation.reference_flags();
    options.extra.libraries = {options.installation.reference};
    check_full_marks(reference, options);
}

BOOST_AUTO_TEST_CASE(a_students_right_solution_gets_all_of_every_mark) {
    const ModuleFiles solution(
        [](const auto& module) { return Installation().proof_of(module) / "solution.cpp"; });
    check_full_marks(solution, with_secret_seed(solution.folder.path()));
}

BOOST_AUTO_TEST_CASE(full_marks_in_speed_need_no_intrinsics) {
    const std::pair<const char*, const char*> kSolutions[] = {{"rnn_attention", "right_quick_tanh.cpp"},
                                                              {"self_attention", "right_fused.cpp"},
                                                              {"multi_head", "right_tiles.cpp"},
                                                              {"masking", "right_tiles.cpp"},
                                                              {"transformer_block", "right_tiles.cpp"},
                                                              {"vit_patching", "tiles"},
                                                              {"seq2seq", "tiles"}};
    for (const auto& [module, name] : kSolutions) {
        const auto rights = read_proof_submissions(Installation().proof_of(module)).rights;
        const auto found = std::ranges::find(rights, name, &RightSolution::name);
        BOOST_REQUIRE_MESSAGE((found != rights.end()), module << " has no right solution " << name);
        const std::string& text = found->text;
        for (const char* word : {"intrin.h", "_mm", "__builtin_ia32"})
            BOOST_TEST(text.find(word) == std::string::npos, name << " contains " << word);
        if (!at_most(0).is_all()) continue;  // a busy machine would spoil the time; see `make test-all`
        const data::TemporaryDirectory folder;
        folder.write(std::string(module) + ".cpp", text);
        if (module == std::string_view("transformer_block"))  // it calls the student's multi_head_attention
            folder.write("multi_head.cpp",
                         data::read_file(Installation().proof_of("multi_head") / "right_tiles.cpp"));
        GradeOptions options;
        options.submission = folder.path();
        for (const Rubric& rubric : rubrics(SecretCases::left_out))
            if (rubric.module->name == module) options.assignment = rubric.number;
        // A busy machine may spoil one measurement.
        double points = 0;
        for (int attempt = 0; attempt < 3 && points < 100; ++attempt)
            points = grade(options).assignments.front().points;
        BOOST_TEST(points == 100, module << ": " << points);
    }
}

BOOST_AUTO_TEST_CASE(the_stubs_get_nothing) {
    const report::Report report = grade(with_secret_seed(Installation().sources / "student"));
    check_all_asked(report);
    BOOST_REQUIRE(report.assignments.size() == rubrics(SecretCases::added).size());
    for (const report::Assignment& assignment : report.assignments) {
        BOOST_TEST(assignment.points == 0);
        for (const report::Part& part : assignment.parts) BOOST_TEST(outcomes_of(part) == "not_implemented");
    }
}

BOOST_AUTO_TEST_CASE(a_submission_right_only_at_the_rubrics_sizes_gets_the_points_of_these) {
    const Rubric& rubric = rubrics(SecretCases::left_out).at(1);
    const rubric::PartRubric& softmax = rubric.parts.at(0);
    std::string known = "X.size(0) == 5 && X.size(1) == 13";  // the sizes of the properties
    for (const rubric::CaseRubric& each : softmax.cases)
        known += " || X.size(0) == " + std::to_string(each.sizes.at("N")) +
                 " && X.size(1) == " + std::to_string(each.sizes.at("D"));
    const std::string beginning = "void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X) {";
    const data::TemporaryDirectory folder;
    folder.write(rubric.sources.front(),
                 edited(solution("self_attention"),
                        {{beginning, beginning + "\n    if (!(" + known + ")) return;\n"}}));
    GradeOptions options = with_secret_seed(folder.path());
    options.assignment = rubric.number;
    const report::Report mark = grade(options);
    options.secret = false;
    options.seed = kPublicSeed;
    const report::Report open = grade(options);
    BOOST_TEST(part(open, "softmax").points == 20);
    // The rubric's cases keep their share of the 12 points for cases, 4 secret ones lose theirs, and properties pass.
    const auto cases = static_cast<double>(softmax.cases.size());
    BOOST_TEST(part(mark, "softmax").points == 8 + 12 * cases / (cases + 4),
               boost::test_tools::tolerance(1e-9));
    BOOST_TEST(outcomes_of(part(mark, "softmax")) == "not_implemented passed");
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_mark_and_another_seed_other_numbers) {
    const std::string wrong = edited(solution("self_attention"), {{"dot / scale", "dot"}});
    const data::TemporaryDirectory folder;
    folder.write("self_attention.cpp", wrong);
    const auto worst = [&folder](std::string_view seed) {
        GradeOptions options = with_secret_seed(folder.path());
        options.assignment = 2;
        options.seed = seed_of(seed);
        return first_with(part(grade(options), "scaled_dot_product_attention"), Outcome::wrong)
            .difference->yours;
    };
    const double first = worst("the first of two seeds");
    BOOST_TEST(worst("the first of two seeds") == first);
    BOOST_TEST(worst("the second of two seeds") != first);
}

BOOST_AUTO_TEST_CASE(every_check_has_its_disclosure) {
    compile::TestFolder folder(
        {{"secret = \"category\" ", "secret = \"after_deadline\" "},
         {"total  = \"always\" ", "total  = \"with_checks\" "},
         {"sizes = { N = 65, D = 11 }", "sizes = { N = 65, D = 11 }, disclosure = \"never\""}});
    folder.write("self_attention.cpp", compile::solution());
    GradeOptions options = with_secret_seed(folder.submission);
    options.assignment = 2;
    options.installation.assignments = folder.assignments;
    for (const bool secret : {true, false}) {
        options.secret = secret;
        const report::Report report = grade(options);
        BOOST_TEST(report.seed.has_value() == !secret);
        BOOST_TEST(!report.assignments.at(0).total_always);
        int kinds = 0;
        for (const report::Part& part : report.assignments.at(0).parts) {
            for (const report::Check& check : part.checks) {
                kinds |= check.kind == report::CheckKind::numeric    ? 1
                         : check.kind == report::CheckKind::property ? 2
                         : check.kind == report::CheckKind::speed    ? 4
                                                                     : 8;
                const Disclosure due = check.id == "2.softmax.tall" ? Disclosure::never
                                       : secret                     ? Disclosure::after_deadline
                                                                    : Disclosure::full;
                BOOST_TEST((check.disclosure == due), check.id);
            }
        }
        BOOST_TEST(kinds == 15);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
