#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(encoder_decoder)
BOOST_AUTO_TEST_SUITE_END()
