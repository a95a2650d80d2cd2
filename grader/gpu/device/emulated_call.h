#pragma once
/// Calls kernels on the GPU emulator. (timed_call.h calls them on a real GPU.)

#include <string>
#include <vector>

#include "grader/gpu/device/device_call.h"

namespace attn::worker {

/// Runs a call and checks that kernels have written its outputs, and that all of its work was on its stream.
struct WatchedOutputs {
    template <class Call>
    void operator()(const Call& call, const std::vector<Argument>& arguments,
                    const std::vector<DeviceOutput>& outputs) const {
        for (const DeviceOutput& output : outputs) emulator::watch_output(output.data, output.bytes);
        emulator::require_stream(stream_of_call());
        call(arguments);
        emulator::require_stream(nullptr);
        static_cast<void>(cudaDeviceSynchronize());  // an error of it stays, and call_on_device() finds it
        emulator::check_outputs();
    }
};

/// Calls f(arguments) on the emulator, on a fresh device. The last arguments are the EmulatedOptions.
/// Findings reach the parent on their own: see ReplyKind::finding.
inline void call_kernels(const DeviceFunction& f, const Argument* arguments, int count) {
    const int own = count - EmulatedOptions::kCount;
    if (own < 0) throw CallError("a call on the emulator needs a seed and the state of the outputs");
    const EmulatedOptions options = EmulatedOptions::read(arguments + own);
    emulator::begin(options.seed, true);
    emulator::set_time_limit(options.launch_s);
    call_on_device(f, arguments, own, options.before, WatchedOutputs());
}

}  // namespace attn::worker
