// The settings of the yardstick as a library for the grader's workers: as many threads as the grader allows,
// which it says as programs of OpenMP expect it, and the vector unit of the other timed code. The grader asks
// the library for the machine's peak.

#include <algorithm>
#include <cstdlib>

#include "reference/fast/peak.h"
#include "reference/fast/threads.h"
#include "reference/fast/vector_unit.h"

namespace {

[[maybe_unused]] const bool kSet = [] {
    using namespace attn::fast;
    const char* allowed = std::getenv("OMP_NUM_THREADS");
    set_threads(allowed == nullptr ? 1 : std::max(1, std::atoi(allowed)));
    const VectorUnit unit = unit_of(ATTN_TIMED_LEVEL);
    // On a processor without this unit, speed is not measured, but `grader run --impl fast` works.
    const std::vector<VectorUnit> here = vector_units();
    set_vector_unit(std::find(here.begin(), here.end(), unit) != here.end() ? unit : here.back());
    return true;
}();

}  // namespace

extern "C" double attention_lab_peak_gflops();
double attention_lab_peak_gflops() {
    return attn::fast::peak_gflops();
}
