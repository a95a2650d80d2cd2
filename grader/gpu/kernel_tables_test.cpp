// Every function of every contract header has its kernels in this program, whether or not there is a device.

#include <set>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/ask/check.h"
#include "grader/testing/needs_cuda.h"

namespace attn::gpu {
namespace {

BOOST_AUTO_TEST_SUITE(kernel_tables, *needs_kernels())

BOOST_AUTO_TEST_CASE(every_function_has_kernels_and_all_kernels_have_a_function) {
    std::set<std::string> contracts;
    for (const ask::Module& module : ask::modules())
        for (const ask::Function& function : module.functions) contracts.insert(function.name);
    const std::vector<std::string> found = functions_with_kernels();
    const std::set<std::string> distinct(found.begin(), found.end());
    BOOST_TEST(contracts.size() >= 24U);
    BOOST_TEST(distinct == contracts, boost::test_tools::per_element());
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
