#define BOOST_TEST_MODULE attention_lab
#include <iostream>

#include <boost/test/unit_test.hpp>

#include "datasets/shipped.h"
#include "grader/base/installation.h"
#include "grader/testing/sample.h"

namespace {

struct DataSets {
    DataSets() { attn::data::set_shipped_folder(attn::Installation().datasets); }
};

/// A test that fails can be repeated with the same sample.
struct SampleNote {
    SampleNote() {
        std::cout << "Samples are drawn with ATTN_SAMPLE=" << attn::proof::sample_seed() << std::endl;
    }
};

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(DataSets);
BOOST_TEST_GLOBAL_FIXTURE(SampleNote);
