#pragma once
/// A call of kernels on the GPU of this machine: once, or again and again against its clock. (That on the
/// emulator is in worker/emulated_call.h.)

#include "grader/worker/device_call.h"

namespace attn::worker {

/// A mark in the work of a stream, with the device's time.
class Event {
  public:
    Event() { cuda::check(cudaEventCreate(&event_), "cudaEventCreate"); }
    ~Event() { static_cast<void>(cudaEventDestroy(event_)); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void record() const { cuda::check(cudaEventRecord(event_, stream_of_call()), "cudaEventRecord"); }
    /// Waits for this one.
    double milliseconds_since(const Event& earlier) const {
        cuda::check(cudaEventSynchronize(event_), "running the timed kernels");
        float milliseconds = 0;
        cuda::check(cudaEventElapsedTime(&milliseconds, earlier.event_, event_), "cudaEventElapsedTime");
        return milliseconds;
    }

  private:
    cudaEvent_t event_ = nullptr;
};

/// Runs a call as often as `milliseconds`, an array of double in the host's memory, has elements, and sets
/// them; before that a few times more, since the first calls load code and raise the clock. The time is that
/// between two marks around everything the function does: what it allocates and waits for is in it.
class Timed {
  public:
    explicit Timed(const Argument& milliseconds) : milliseconds_(milliseconds) {}

    template <class Call>
    void operator()(const Call& call) const {
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

/// One more argument than the function has is an array for times: see Timed.
template <class... P>
void call_kernels(void (*f)(P...), const Argument* arguments, int count) {
    const int own = static_cast<int>(parameters_of(f).size());
    static_cast<void>(cudaGetLastError());  // of an earlier call: CUDA remembers it until it is asked
    if (count == own + 1)
        call_on_device(f, arguments, own, OutputsBefore::as_on_host, Timed(arguments[own]));
    else
        call_on_device(f, arguments, count, OutputsBefore::as_on_host);
}

}  // namespace attn::worker
