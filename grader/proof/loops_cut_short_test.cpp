// Loops that take the first values of an axis only are noticed by the public cases of every part.

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/base/installation.h"
#include "grader/grading/grade.h"
#include "grader/proof/short_loops.h"
#include "grader/rubric/secret_cases.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(loops_cut_short)

rubric::Rubric rubric_of_attention() {
    return rubric::read_rubric(Installation().assignments / "02_self_attention");
}

/// The lengths of axes that a letter stands for: its own, and its square where the assignment has arrays of M M cells. Attention
/// over a window whose side is above 64 would take seconds.
std::vector<int> lengths_of(const rubric::Rubric& rubric, const std::string& letter, int size) {
    const auto has_square = [&](const ask::TensorSpec& spec) {
        return std::ranges::find(spec.dims, letter + "*" + letter) != spec.dims.end();
    };
    for (const ask::Function& function : rubric.module->functions)
        if (std::ranges::any_of(function.inputs, has_square) ||
            std::ranges::any_of(function.outputs, has_square))
            return {size, size * size};
    return {size};
}

BOOST_AUTO_TEST_CASE(the_public_cases_notice_loops_over_the_first_values) {
    const std::vector<rubric::Rubric> rubrics = rubric::read_rubrics(Installation().assignments);
    std::vector<std::pair<const rubric::Rubric*, const rubric::PartRubric*>> parts;
    for (const rubric::Rubric& rubric : rubrics)
        for (const rubric::PartRubric& part : rubric.parts) parts.emplace_back(&rubric, &part);
    for (const auto& [rubric, part] : drawn(parts, at_most(6))) {
        const ShortLoops loops = short_loops_of(*rubric, *part, kPublicSeed, at_most(4));
        for (const Survivor& each : loops.survivors)
            BOOST_TEST(!each.is_hole(), part->function->name << ", " << each.function << ": " << each.said
                                                             << ", noticed with " << each.witness);
    }
}

/// Also in the axes that no loop of the plain loops runs over alone, and in those of the kernels' threads.
BOOST_AUTO_TEST_CASE(every_axis_is_longer_than_the_longest_of_these_in_a_public_case) {
    for (const rubric::Rubric& rubric : rubric::read_rubrics(Installation().assignments))
        for (const rubric::PartRubric& part : rubric.parts)
            for (const std::string& letter : part.function->letters())
                BOOST_TEST(
                    std::ranges::any_of(part.cases,
                                        [&](const rubric::CaseRubric& each) {
                                            return std::ranges::max(
                                                       lengths_of(rubric, letter, each.sizes.at(letter))) >
                                                   kShortLengths.back();
                                        }),
                    part.function->name << ": " << letter << " is never above " << kShortLengths.back());
}

/// Sizes that fill no whole number of tiles, in the secret cases, too.
BOOST_AUTO_TEST_CASE(every_axis_of_a_kernel_has_more_than_a_tile_and_a_rest_in_a_secret_case) {
    constexpr int kTile = 32, kLongest = 70, kMultiple = 8;
    for (rubric::Rubric& rubric : rubric::read_rubrics(Installation().assignments)) {
        std::map<std::string, std::size_t> is_public;
        for (const rubric::PartRubric& part : rubric.parts)
            is_public[part.function->name] = part.cases.size();
        rubric::add_secret_cases(rubric);
        for (const rubric::PartRubric& part : rubric.parts)
            for (const std::string& letter : part.function->letters()) {
                if (part.cuda_points == 0) continue;
                const auto is_ragged = [&](const rubric::CaseRubric& each) {
                    return std::ranges::any_of(
                        lengths_of(rubric, letter, each.sizes.at(letter)),
                        [](int size) { return size > kTile && size <= kLongest && size % kMultiple != 0; });
                };
                BOOST_TEST(std::any_of(part.cases.begin() +
                                           static_cast<std::ptrdiff_t>(is_public.at(part.function->name)),
                                       part.cases.end(), is_ragged),
                           part.function->name << ": no secret case has a ragged " << letter);
            }
    }
}

BOOST_AUTO_TEST_CASE(without_a_long_case_there_are_holes) {
    rubric::Rubric rubric = rubric_of_attention();
    for (rubric::PartRubric& part : rubric.parts) {
        std::erase_if(part.cases, [](const auto& each) {
            return std::ranges::any_of(each.sizes, [](const auto& size) { return size.second > 7; });
        });
        BOOST_REQUIRE(!part.cases.empty());
        const ShortLoops loops = short_loops_of(rubric, part, kPublicSeed, {});
        BOOST_TEST(loops.edits > 10);
        BOOST_TEST(loops.survivors.size() == static_cast<std::size_t>(loops.edits));
        BOOST_TEST(std::ranges::count_if(loops.survivors, &Survivor::is_hole) > loops.edits * 3 / 4);
    }
}

BOOST_AUTO_TEST_CASE(each_loop_of_the_kernels_is_cut_once) {
    const rubric::Rubric rubric = rubric_of_attention();
    const std::string text =
        "\nvoid unused() {\n    for (int d = 0; d < D_q; ++d) dot += 1;\n}\n"
        "\n__global__ void rows() {\n    for (int d = 0; d < D_q; ++d) dot += 1;\n}\n"
        "\nvoid helper() {\n    rows<<<1, 32>>>();\n}\n"
        "\nvoid softmax() {\n    helper();\n    for (int j = first; go && j < N; j += 2) x = j;\n}\n"
        "\nvoid self_attention() {\n    for (int t = 1; t <= L; ++t) x = t;\n    for (int p = 0; p < 3; ++p) "
        "x = p;\n"
        "    for (int v = 0; v < V && drawn < 0; ++v) x = v;\n}\n";
    const auto kernels = short_kernels(rubric, text, 16);
    BOOST_REQUIRE(kernels.size() == 4U);  // a loop that ends at a number walks no axis
    BOOST_TEST(kernels[0].function == "softmax");
    BOOST_TEST(kernels[0].text.find("d < min(static_cast<int>(D_q), 16); ++d") != std::string::npos);
    BOOST_TEST(kernels[1].function == "softmax");
    BOOST_TEST(kernels[1].text.find("go && j < min(static_cast<int>(N), 16); j += 2") != std::string::npos);
    BOOST_TEST(kernels[2].function == "self_attention");
    BOOST_TEST(kernels[2].text.find("t <= min(static_cast<int>(L), 16); ++t") != std::string::npos);
    BOOST_TEST(kernels[3].text.find("v < min(static_cast<int>(V ), 16)&& drawn < 0") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
