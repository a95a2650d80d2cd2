// Answers computed by hand, and properties that the grader cannot ask of one call.

#include <boost/test/unit_test.hpp>

#include "contracts/language_model_on_arrays.h"
#include "reference/testing/near.h"

using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(language_model)

BOOST_AUTO_TEST_SUITE_END()
