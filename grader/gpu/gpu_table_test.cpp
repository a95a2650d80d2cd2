// The table of `make bench` about a GPU, on invented times.

#include "grader/gpu/gpu_table.h"

#include <sstream>
#include <string>

#include <boost/test/unit_test.hpp>

namespace attn::gpu {
namespace {

BOOST_AUTO_TEST_SUITE(gpu_table)

Device some_gpu() {
    Device device;
    device.name = "Some GPU";
    device.major = 9;
    device.peak_tflops = 50;
    return device;
}

BOOST_AUTO_TEST_CASE(a_row_has_both_medians_and_the_share_of_the_peak) {
    std::ostringstream out;
    print_gpu_table(out, some_gpu(), {{"B1 H12 N1024 d64", "attend", 5, {{0.75, 9, 0.25}, {0.25, 7, 0.1}}}});
    const std::string text = out.str();
    BOOST_TEST(text.find("Some GPU, compute capability 9.0; peak 50 TFLOP/s") != std::string::npos);
    BOOST_TEST(text.find("\nB1 H12 N1024 d64          attend                        0.750 ms      0.250 ms"
                         "        20 (0.400)\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(without_a_measurement_there_is_no_table) {
    std::ostringstream out;
    print_gpu_table(out, some_gpu(), {});
    BOOST_TEST(out.str().empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::gpu
