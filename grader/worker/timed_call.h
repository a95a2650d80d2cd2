#pragma once
/// Calls kernels on this machine's GPU, once or in timed repetitions. (worker/emulated_call.h calls them on
/// the emulator.)

#include <chrono>
#include <cstdint>

#include "grader/worker/device_call.h"

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

/// Memory that is larger than the device's L2 cache. Filling it removes all other data from the cache.
class CacheFiller {
  public:
    CacheFiller() : memory_(2 * static_cast<std::size_t>(cache_bytes())) {}
    void fill() const {
        cuda::check(cudaMemsetAsync(memory_.data(), 0, memory_.bytes(), stream_of_call()), "cudaMemsetAsync");
        cuda::check(cudaStreamSynchronize(stream_of_call()), "filling the cache");
    }

  private:
    static int cache_bytes() {
        int device = 0, bytes = 0;
        cuda::check(cudaGetDevice(&device), "cudaGetDevice");
        cuda::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "cudaDeviceGetAttribute");
        return bytes;
    }
    cuda::DeviceBuffer<unsigned char> memory_;
};

/// Takes the times of calls, and stores them in `milliseconds`, an array [2, repetitions] of double in the host's
/// memory: the whole call by the host's clock until the stream is done, and what the device does between two
/// events by its own clock. A few calls before do not count, because they load code and raise the clock rate.
/// Before each call other data fills the cache.
class TimedRepetitions {
  public:
    explicit TimedRepetitions(const Argument& milliseconds) : milliseconds_(milliseconds) {}

    template <class Call>
    void operator()(const Call& call, const std::vector<DeviceOutput>&) const {
        constexpr int kWarmUps = 3;
        const CacheFiller cache;
        for (int k = 0; k < kWarmUps; ++k) call();
        const Event start, stop;
        const int repetitions = milliseconds_.shape[1];
        auto* const whole_calls = static_cast<double*>(milliseconds_.data);
        for (int k = 0; k < repetitions; ++k) {
            cache.fill();
            const auto begin = std::chrono::steady_clock::now();
            call();
            cuda::check(cudaStreamSynchronize(stream_of_call()), "running the timed kernels");
            const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
            whole_calls[k] = passed.count();
            cache.fill();
            start.record();
            call();
            stop.record();
            whole_calls[repetitions + k] = stop.milliseconds_since(start);
        }
    }

  private:
    Argument milliseconds_;
};

/// Fills memory of the stream's pool with NaN and returns it, so that a temporary array of the next call gets
/// no earlier call's numbers.
inline void fill_pool_with_nan() {
    constexpr std::size_t kBytes = std::size_t{256} << 20;
    cudaMemPool_t pool = nullptr;
    std::uint64_t kept =
        ~std::uint64_t{0};  // the pool keeps its memory, instead of returning it when we wait
    cuda::check(cudaDeviceGetDefaultMemPool(&pool, 0), "cudaDeviceGetDefaultMemPool");
    cuda::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept),
                "cudaMemPoolSetAttribute");
    const cuda::DeviceBuffer<unsigned char> block(stream_of_call(), kBytes);
    cuda::check(cudaMemsetAsync(block.data(), 0xff, block.bytes(), stream_of_call()), "cudaMemsetAsync");
}

/// Runs a call once.
struct OnceAfterNan {
    template <class Call>
    void operator()(const Call& call, const std::vector<DeviceOutput>&) const {
        fill_pool_with_nan();
        call();
    }
};

/// One argument more than the function has is an array for times: see TimedRepetitions.
template <class... P>
void call_kernels(void (*f)(P...), const Argument* arguments, int count) {
    const int own = static_cast<int>(parameters_of(f).size());
    // CUDA keeps the error of an earlier call until it is read.
    static_cast<void>(cudaGetLastError());
    if (count == own + 1)
        call_on_device<PaddedMemory>(f, arguments, own, OutputsBefore::as_on_host,
                                     TimedRepetitions(arguments[own]));
    else
        call_on_device<PaddedMemory>(f, arguments, count, OutputsBefore::as_on_host, OnceAfterNan());
}

}  // namespace attn::worker
