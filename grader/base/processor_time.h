#pragma once
/// The processor time that this thread has used so far. A busy machine and a slow disk do not count.

#include <ctime>

namespace attn {

inline double processor_time_s() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace attn
