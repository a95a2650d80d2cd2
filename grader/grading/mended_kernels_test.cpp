#include "grader/grading/mended_kernels.h"

#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/compile/barriers.h"
#include "grader/grading/replay.h"
#include "grader/testing/kernel_submission.h"
#include "grader/testing/sample.h"

namespace attn {
namespace {

using proof::KernelSubmission;
using proof::kSources;

BOOST_AUTO_TEST_SUITE(mended_kernels, *boost::unit_test::label("long"))

report::Check race(const std::string& message) {
    report::Check check;
    check.outcome = Outcome::kernel_error;
    check.message = message;
    check.diagnosis.emplace().mistakes = {"missing_barrier"};
    return check;
}

BOOST_AUTO_TEST_CASE(barriers_keep_the_number_of_lines) {
    using compile::with_barriers;
    const std::string text = "a;\nb; // c\nd;\n";
    BOOST_TEST(with_barriers(text, {}) == text);
    BOOST_TEST(with_barriers(text, {{3, false}}) == "a;\nb; // c\n__syncthreads(); d;\n");
    BOOST_TEST(with_barriers(text, {{2, true}, {1, false}}) ==
               "__syncthreads(); a;\n{ __syncthreads(); b;  } // c\nd;\n");
    BOOST_TEST(with_barriers("a;\nb;", {{2, false}}) == "a;\n__syncthreads(); b;");
}

BOOST_AUTO_TEST_CASE(racing_lines_are_those_of_races_in_this_file) {
    report::Check other = race("Race at a.cu:3: x (a.cu:4).");
    other.diagnosis->mistakes = {"blocks_share_memory"};
    report::Check passed;
    BOOST_TEST((racing_lines({race("Race at a.cu:12: read (a.cu:9)."), race("Race at a.cu:9: (b.cu:1)."),
                              other, passed},
                             "a.cu") == std::vector{9, 12}));
}

/// The reference's kernels, with each text in those of assignment 5 replaced by the other.
KernelSubmission changed(const std::vector<std::pair<std::string, std::string>>& edits) {
    KernelSubmission submission(kSources / "reference");
    std::string text = data::read_file(kSources / "reference/transformer_block.cu");
    for (const auto& [from, to] : edits) {
        const std::size_t at = text.find(from);
        BOOST_REQUIRE_MESSAGE(at != std::string::npos, from);
        text.replace(at, from.size(), to);
    }
    submission.folder.write("transformer_block.cu", text);
    return submission;
}

report::Report grade_changed(const std::vector<std::pair<std::string, std::string>>& edits) {
    return changed(edits).grade(5);
}

struct PartPoints {
    double earned = 0, all = 0;
};
PartPoints kernel_points(const report::Part& part) {
    PartPoints points;
    for (const report::Check* check : proof::kernel_checks_of(part))
        points.earned += check->points, points.all += check->max_points;
    return points;
}

const report::Part& part_of(const report::Report& report, std::string_view function) {
    for (const report::Part& part : report.assignments.at(0).parts)
        if (part.function == function) return part;
    throw std::invalid_argument(std::string(function));
}

struct OnlyWhereEmulated {
    boost::test_tools::assertion_result operator()(boost::unit_test::test_unit_id) const {
        return !Installation().emulator_library.empty();
    }
};

BOOST_AUTO_TEST_CASE(a_missing_barrier_costs_points_once,
                     *boost::unit_test::precondition(OnlyWhereEmulated())) {
    const report::Report report = grade_changed(
        {{"__syncthreads();  // every part is there", "// no barrier here"},
         // A mistake of the encoder's own stays its own.
         {"if (norm == Norm::pre)\n        layer_norm(rows(Y)", "if (B < 0)\n        layer_norm(rows(Y)"}});
    const PartPoints first = kernel_points(part_of(report, "layer_norm"));
    BOOST_TEST(first.earned == 0);
    BOOST_TEST(first.all > 0);
    BOOST_TEST(part_of(report, "layer_norm").race_charged_at == "");

    const report::Part& block = part_of(report, "transformer_block");
    BOOST_TEST(kernel_points(block).earned == kernel_points(block).all);
    BOOST_TEST(block.race_charged_at == "layer_norm");
    BOOST_TEST(part_of(report, "feed_forward").race_charged_at == "");

    const report::Part& encoder = part_of(report, "transformer_encoder");
    BOOST_TEST(encoder.race_charged_at == "layer_norm");
    for (const report::Check* check : proof::kernel_checks_of(encoder)) {
        BOOST_TEST_CONTEXT(check->name) {
            const bool is_pre = check->about.find("norm=post") == std::string::npos &&
                                check->name.find("uneven") == std::string::npos;
            BOOST_TEST((check->outcome == (is_pre ? Outcome::wrong : Outcome::passed)));
        }
    }
}

/// The vision transformer of assignment 6 calls the layer norm of assignment 5.
BOOST_AUTO_TEST_CASE(a_race_in_a_file_of_another_assignment_is_charged_there,
                     *boost::unit_test::precondition(OnlyWhereEmulated())) {
    if (!proof::at_most(0).is_all()) return;  // it grades kernels of two assignments; see `make test-all`
    const KernelSubmission submission =
        changed({{"__syncthreads();  // every part is there", "// no barrier here"}});
    const report::Report report = submission.grade(6);
    const report::Part& part = part_of(report, "vit_encode");
    BOOST_TEST(kernel_points(part).earned == kernel_points(part).all);
    BOOST_TEST(part.race_charged_at == "assignment 5");
    BOOST_REQUIRE(!part.added_barriers.empty());
    BOOST_TEST(part.added_barriers.front().file == "transformer_block.cu");

    // `explain` repeats a check with the barriers.
    report::RecordedCheck recorded = find_recorded_check(report, proof::kernel_checks_of(part).front()->id);
    BOOST_TEST((replay(recorded, submission.folder.path(), Installation()).outcome == Outcome::passed));
    recorded.added_barriers.clear();
    BOOST_TEST((replay(recorded, submission.folder.path(), Installation()).outcome == Outcome::kernel_error));
}

BOOST_AUTO_TEST_CASE(a_race_that_no_barrier_ends_is_charged_wherever_it_shows,
                     *boost::unit_test::precondition(OnlyWhereEmulated())) {
    if (!proof::at_most(0).is_all()) return;  // it compiles eight attempts; see `make test-all`
    // All threads write one number, each its own.
    const report::Report report = grade_changed({{"parts[t] = x;", "parts[0] = x;"}});
    BOOST_TEST(kernel_points(part_of(report, "layer_norm")).earned == 0);
    BOOST_TEST(part_of(report, "transformer_block").race_charged_at == "");
    BOOST_TEST(kernel_points(part_of(report, "transformer_block")).earned <
               kernel_points(part_of(report, "transformer_block")).all / 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
