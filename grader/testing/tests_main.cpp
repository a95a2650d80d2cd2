#define BOOST_TEST_MODULE attention_lab
#include <boost/test/unit_test.hpp>

#include "datasets/shipped.h"
#include "grader/base/installation.h"

namespace {

struct DataSets {
    DataSets() { attn::data::set_shipped_folder(attn::Installation().datasets); }
};

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(DataSets);
