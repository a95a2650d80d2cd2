#pragma once
/// The CUDA samples' stop watch.

#include <chrono>

struct StopWatchInterface {
    std::chrono::steady_clock::time_point begin;
    float total_ms = 0;
    int runs = 0;
    bool is_running = false;

    float time_ms() const {
        if (!is_running) return total_ms;
        return total_ms +
               std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - begin).count();
    }
};

inline bool sdkCreateTimer(StopWatchInterface** timer) {
    *timer = new StopWatchInterface;
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
    delete *timer;
    *timer = nullptr;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
    (*timer)->begin = std::chrono::steady_clock::now();
    (*timer)->is_running = true;
    return true;
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
    (*timer)->total_ms = (*timer)->time_ms();
    (*timer)->is_running = false;
    ++(*timer)->runs;
    return true;
}
inline bool sdkResetTimer(StopWatchInterface** timer) {
    const bool runs = (*timer)->is_running;
    **timer = {};
    if (runs) sdkStartTimer(timer);
    return true;
}
/// In milliseconds.
inline float sdkGetTimerValue(StopWatchInterface** timer) {
    return (*timer)->time_ms();
}
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) {
    return (*timer)->runs > 0 ? (*timer)->total_ms / static_cast<float>((*timer)->runs) : 0.0f;
}
