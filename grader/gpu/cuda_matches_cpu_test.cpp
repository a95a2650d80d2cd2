// The reference's kernels on a real device give the numbers of the plain loops, and the same bits in a second
// call.

#include <algorithm>
#include <string>
#include <vector>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/gpu/ask_kernels.h"
#include "grader/gpu/gpu_questions.h"
#include "grader/grading/grade.h"
#include "grader/testing/needs_cuda.h"

namespace attn::gpu {
namespace {

BOOST_AUTO_TEST_SUITE(cuda_matches_cpu, *needs_a_device())

const std::vector<FunctionQuestions>& all() {
    static const std::vector<FunctionQuestions> kAll =
        questions_for_all_kernels(rubric::read_rubrics(Installation().assignments), kPublicSeed);
    return kAll;
}

BOOST_AUTO_TEST_CASE(there_are_questions_for_every_function_with_kernels) {
    BOOST_TEST(all().size() == functions_with_kernels().size());
    for (const FunctionQuestions& entry : all()) BOOST_TEST(!entry.questions.empty(), entry.function->name);
}

BOOST_DATA_TEST_CASE(kernels_are_right, boost::unit_test::data::make(functions_with_kernels()), function) {
    const auto entry = std::find_if(all().begin(), all().end(), [&](const FunctionQuestions& one) {
        return one.function->name == function;
    });
    BOOST_REQUIRE(entry != all().end());
    const Agreement agreement = agree(entry->questions, ask_kernels());
    for (const std::string& failure : agreement.failures) BOOST_ERROR(failure);
    BOOST_TEST(agreement.all_passed());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::gpu
