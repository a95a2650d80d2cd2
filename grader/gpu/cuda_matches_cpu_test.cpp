// The reference's kernels on a real device give the plain loops' numbers, and the same bits again.

#include <algorithm>
#include <string>
#include <vector>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/gpu/agreement.h"
#include "grader/gpu/ask_kernels.h"
#include "grader/gpu/asked.h"
#include "grader/grading/grade.h"
#include "grader/testing/needs_cuda.h"

namespace attn::gpu {
namespace {

const std::vector<Asked>& all() {
    static const std::vector<Asked> kAll =
        all_asked(submission::read_rubrics(Installation().assignments), kPublicSeed);
    return kAll;
}

BOOST_AUTO_TEST_SUITE(cuda_matches_cpu, *needs_a_device())

BOOST_AUTO_TEST_CASE(every_function_with_kernels_is_asked_something) {
    BOOST_TEST(all().size() == functions_with_kernels().size());
    for (const Asked& asked : all()) BOOST_TEST(!asked.questions.empty(), asked.function->name);
}

BOOST_DATA_TEST_CASE(kernels_are_right, boost::unit_test::data::make(functions_with_kernels()), function) {
    const auto asked = std::find_if(all().begin(), all().end(),
                                    [&](const Asked& one) { return one.function->name == function; });
    BOOST_REQUIRE(asked != all().end());
    const Agreement agreement = agree(asked->questions, ask_kernels());
    for (const std::string& failure : agreement.failures) BOOST_ERROR(failure);
    BOOST_TEST(agreement.all_passed());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::gpu
