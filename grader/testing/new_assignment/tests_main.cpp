#define BOOST_TEST_MODULE new_assignment
#include <boost/test/unit_test.hpp>
