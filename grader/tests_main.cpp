#define BOOST_TEST_MODULE attention_lab
#include <boost/test/unit_test.hpp>
