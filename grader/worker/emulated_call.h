#pragma once
/// Calls kernels on the GPU emulator. (timed_call.h calls them on a real GPU.)

#include <string>
#include <vector>

#include "grader/worker/device_call.h"
#include "grader/worker/kernel_error.h"

namespace attn::worker {

/// A launch that uses more processor time than this counts as endless. Launches of a correct submission take
/// milliseconds.
inline constexpr double kKernelTime_s = 3;

/// Throws KernelError if the emulator found a mistake, whether or not the function noticed it.
inline void throw_if_finding() {
    const std::vector<emulator::Finding>& findings = emulator::findings();
    if (findings.empty()) return;
    // A thread that does not wait for a value may first read it unwritten and then race for it. The race
    // explains both, so report it.
    const emulator::Finding* reported = &findings.front();
    if (reported->kind == "uninitialised_read")
        for (const emulator::Finding& each : findings)
            if (each.kind == "race_in_block") reported = &each;
    std::string text = reported->kind + ": " + reported->text;
    if (findings.size() > 1) text += " (And " + std::to_string(findings.size() - 1) + " more.)";
    // The text of a reply is limited. Do not cut inside a code location "@{..}".
    constexpr std::size_t kMost = 760;
    if (text.size() > kMost) {
        text.resize(kMost);
        const std::size_t open = text.rfind("@{");
        if (open != std::string::npos && text.find('}', open) == std::string::npos) text.resize(open);
        text += " ..";
    }
    throw KernelError(text);
}

/// Calls f(arguments) on the emulator, on a fresh device. The last arguments are the EmulatedOptions.
template <class... P>
void call_kernels(void (*f)(P...), const Argument* arguments, int count) {
    const int own = count - EmulatedOptions::kCount;
    if (own < 0) throw CallError("a call on the emulator needs a seed and the state of the outputs");
    const EmulatedOptions options = EmulatedOptions::read(arguments + own);
    emulator::begin(options.seed, true);
    emulator::set_time_limit(kKernelTime_s);
    try {
        call_on_device(f, arguments, own, options.before);
    } catch (const CallError&) {
        throw;
    } catch (...) {
        throw_if_finding();
        throw;
    }
    throw_if_finding();
}

}  // namespace attn::worker
