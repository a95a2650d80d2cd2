#pragma once
/// Takes the times of calls of kernels on a device.

#include <chrono>
#include <cstddef>
#include <vector>

#include "grader/gpu/device/device_call.h"
#include "grader/gpu/device/rotated_copies.h"

namespace attn::worker {

/// A CUDA event: a point in a stream, with the device's time.
class Event {
  public:
    Event() { cuda::check(cudaEventCreate(&event_), "cudaEventCreate"); }
    ~Event() { static_cast<void>(cudaEventDestroy(event_)); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void record() const { cuda::check(cudaEventRecord(event_, stream_of_call()), "cudaEventRecord"); }
    /// Waits for this event.
    double milliseconds_since(const Event& earlier) const {
        cuda::check(cudaEventSynchronize(event_), "running the timed kernels");
        float milliseconds = 0;
        cuda::check(cudaEventElapsedTime(&milliseconds, earlier.event_, event_), "cudaEventElapsedTime");
        return milliseconds;
    }

  private:
    cudaEvent_t event_ = nullptr;
};

/// The size of the device's L2 cache.
inline std::size_t cache_bytes() {
    int device = 0, bytes = 0;
    cuda::check(cudaGetDevice(&device), "cudaGetDevice");
    cuda::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "cudaDeviceGetAttribute");
    return static_cast<std::size_t>(bytes);
}

/// Takes the times of calls, and stores them in `milliseconds`, an array [2, repetitions] of double in the
/// host's memory: the whole call by the host's clock until the stream is done, and what the device does
/// between two events by its own clock. The calls use RotatedCopies of the arrays, so no array is in the
/// cache. Calls before do not count, because they load code and raise the clock rate. They use every copy
/// once.
class TimedRepetitions {
  public:
    explicit TimedRepetitions(const Argument& milliseconds) : milliseconds_(milliseconds) {}

    template <class Call>
    void operator()(const Call& call, const std::vector<Argument>& arguments,
                    const std::vector<DeviceOutput>&) const {
        constexpr std::size_t kWarmUps = 3;
        RotatedCopies copies(arguments, cache_bytes(), stream_of_call());
        for (std::size_t k = 0; k < copies.count() + kWarmUps; ++k) call(copies.next());
        const auto wait = [] {
            cuda::check(cudaStreamSynchronize(stream_of_call()), "running the timed kernels");
        };
        const Event start, stop;
        const int repetitions = milliseconds_.shape[1];
        auto* const whole_calls = static_cast<double*>(milliseconds_.data);
        for (int k = 0; k < repetitions; ++k) {
            wait();
            const auto begin = std::chrono::steady_clock::now();
            call(copies.next());
            wait();
            const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
            whole_calls[k] = passed.count();
            start.record();
            call(copies.next());
            stop.record();
            whole_calls[repetitions + k] = stop.milliseconds_since(start);
        }
    }

  private:
    Argument milliseconds_;
};

}  // namespace attn::worker
