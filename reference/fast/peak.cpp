#include "reference/fast/peak.h"

#include <algorithm>
#include <ctime>

namespace attn::fast {

namespace portable {
double multiply_add(long rounds, float* result);
}
#if defined(__x86_64__)
namespace avx2 {
double multiply_add(long rounds, float* result);
}
namespace avx512 {
double multiply_add(long rounds, float* result);
}
#endif

namespace {

double processor_s() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double best_rate(double (*multiply_add)(long, float*)) {
    constexpr long kRounds = 100'000;
    constexpr int kRuns = 25;
    float result = 0;
    double best = 0;
    for (int run = 0; run < kRuns; ++run) {
        const double start = processor_s();
        const double operations = multiply_add(kRounds, &result);
        best = std::max(best, operations / (processor_s() - start));
    }
    return result > 0 ? best : 0;
}

}  // namespace

double peak_gflops() {
    static const double gflops = [] {
        double best = best_rate(portable::multiply_add);
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            best = std::max(best, best_rate(avx2::multiply_add));
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
            best = std::max(best, best_rate(avx512::multiply_add));
#endif
        return best * 1e-9;
    }();
    return gflops;
}

}  // namespace attn::fast
