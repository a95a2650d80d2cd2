#include "reference/fast/vector_unit.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "reference/fast/kernels.h"
#include "reference/fast/scoped_unit.h"

using namespace attn::fast;

BOOST_AUTO_TEST_SUITE(vector_unit)

BOOST_AUTO_TEST_CASE(the_widest_is_in_use_and_each_has_its_kernels) {
    const std::vector<VectorUnit> units = vector_units();
    BOOST_REQUIRE(!units.empty());
    BOOST_TEST((attn::fast::vector_unit() == units.back()));
    int lanes = 0;
    for (const VectorUnit unit : units) {
        const ScopedUnit scope(unit);
        BOOST_TEST(kernels().lanes > lanes);
        lanes = kernels().lanes;
    }
    BOOST_TEST((attn::fast::vector_unit() == units.back()));
}

BOOST_AUTO_TEST_CASE(one_that_is_not_there_is_refused) {
    const std::vector<VectorUnit> units = vector_units();
    for (const VectorUnit unit : {VectorUnit::portable, VectorUnit::avx2, VectorUnit::avx512})
        if (std::find(units.begin(), units.end(), unit) == units.end())
            BOOST_CHECK_THROW(set_vector_unit(unit), std::invalid_argument);
    BOOST_CHECK_THROW(set_vector_unit(static_cast<VectorUnit>(17)), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
