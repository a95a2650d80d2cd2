// As many threads as the grader allows, which it says as programs of OpenMP expect it.

#include "reference/fast/threads.h"

#include <algorithm>
#include <cstdlib>

namespace {

[[maybe_unused]] const bool kSet = [] {
    const char* allowed = std::getenv("OMP_NUM_THREADS");
    attn::fast::set_threads(allowed == nullptr ? 1 : std::max(1, std::atoi(allowed)));
    return true;
}();

}  // namespace
