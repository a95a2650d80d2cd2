#pragma once
/// Calls kernels on this machine's GPU, once or in timed repetitions. (worker/emulated_call.h calls them on
/// the emulator.)

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

/// Runs a call once for each element of `milliseconds`, an array of double in the host's memory, and stores
/// the times there. A few calls before do not count, because they load code and raise the clock rate. The
/// time lies between two events around everything the function does, so it includes its allocations and
/// waits.
class TimedRepetitions {
  public:
    explicit TimedRepetitions(const Argument& milliseconds) : milliseconds_(milliseconds) {}

    template <class Call>
    void operator()(const Call& call, const std::vector<DeviceOutput>&) const {
        constexpr int kWarmUps = 3;
        for (int k = 0; k < kWarmUps; ++k) call();
        cuda::check(cudaStreamSynchronize(stream_of_call()), "warming up");
        const Event start, stop;
        for (int k = 0; k < milliseconds_.shape[0]; ++k) {
            start.record();
            call();
            stop.record();
            static_cast<double*>(milliseconds_.data)[k] = stop.milliseconds_since(start);
        }
    }

  private:
    Argument milliseconds_;
};

/// One argument more than the function has is an array for times: see TimedRepetitions.
template <class... P>
void call_kernels(void (*f)(P...), const Argument* arguments, int count) {
    const int own = static_cast<int>(parameters_of(f).size());
    // CUDA keeps the error of an earlier call until it is read.
    static_cast<void>(cudaGetLastError());
    if (count == own + 1)
        call_on_device(f, arguments, own, OutputsBefore::as_on_host, TimedRepetitions(arguments[own]));
    else
        call_on_device(f, arguments, count, OutputsBefore::as_on_host);
}

}  // namespace attn::worker
