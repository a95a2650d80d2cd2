#include "reference/fast/peak.h"

#include <algorithm>
#include <ctime>

#include "reference/fast/kernels.h"

namespace attn::fast {
namespace {

double processor_s() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

double peak_gflops() {
    static const double gflops = [] {
        constexpr long kRounds = 100'000;
        constexpr int kRuns = 25;
        const Kernels& unit = kernels();
        double best = 0;
        for (int run = 0; run < kRuns; ++run) {
            const double start = processor_s();
            const volatile float kept = unit.multiply_adds(kRounds, 0.999F);
            const double time_s = processor_s() - start;
            if (kept == kept) best = std::max(best, kRounds * unit.flop_of_round() / time_s);
        }
        return best * 1e-9;
    }();
    return gflops;
}

}  // namespace attn::fast
