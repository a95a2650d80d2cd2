// Every function of every contract header has its kernels in this program, whether or not there is a device.

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/base/installation.h"
#include "grader/rubric/rubric.h"
#include "grader/testing/needs_cuda.h"

namespace attn::gpu {
namespace {

BOOST_AUTO_TEST_SUITE(kernel_tables, *needs_kernels())

BOOST_AUTO_TEST_CASE(every_function_whose_kernels_a_rubric_asks_for_has_them_once) {
    std::set<std::string> asked;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(Installation().assignments))
        for (const rubric::PartRubric& part : rubric.parts)
            if (!part.cuda_cases.empty()) asked.insert(part.function->name);
    const std::vector<std::string> found = functions_with_kernels();
    const std::set<std::string> distinct(found.begin(), found.end());
    BOOST_TEST(!asked.empty());
    BOOST_TEST(std::includes(distinct.begin(), distinct.end(), asked.begin(), asked.end()));
    BOOST_TEST(found.size() == distinct.size());
}

BOOST_AUTO_TEST_CASE(kernels_are_found_by_name) {
    for (const std::string& name : functions_with_kernels())
        BOOST_TEST(static_cast<bool>(kernels_of(name)), name);
    BOOST_TEST(!kernels_of("no_such_function"));
}

BOOST_AUTO_TEST_CASE(a_wrong_number_of_arguments_is_refused_even_without_a_device) {
    for (const std::string& name : functions_with_kernels())
        BOOST_CHECK_THROW(kernels_of(name)(nullptr, 0), CallError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::gpu
