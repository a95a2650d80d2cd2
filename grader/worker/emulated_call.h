#pragma once
/// A call of kernels on the emulator of a GPU. (That on a real one is in gpu/timed_call.h.)

#include <string>
#include <vector>

#include "grader/worker/device_call.h"
#include "grader/worker/kernel_error.h"

namespace attn::worker {

/// Processor time of one launch until it counts as endless. Those of a right submission take milliseconds.
inline constexpr double kKernelTime_s = 3;

/// What the emulator found counts, whether or not the function noticed.
inline void throw_first_finding() {
    const std::vector<emulator::Finding>& findings = emulator::findings();
    if (findings.empty()) return;
    // Who did not wait for a value may find it unwritten first, and only then raced for it.
    const emulator::Finding* told = &findings.front();
    if (told->kind == "uninitialised_read")
        for (const emulator::Finding& each : findings)
            if (each.kind == "race_in_block") told = &each;
    std::string text = told->kind + ": " + told->text;
    if (findings.size() > 1) text += " (And " + std::to_string(findings.size() - 1) + " more.)";
    // A reply has room for so much; a place that is cut in two would be none.
    constexpr std::size_t kMost = 760;
    if (text.size() > kMost) {
        text.resize(kMost);
        const std::size_t open = text.rfind("@{");
        if (open != std::string::npos && text.find('}', open) == std::string::npos) text.resize(open);
        text += " ..";
    }
    throw KernelError(text);
}

/// On the emulator, from a fresh device on.
template <class... P>
void call_kernels(void (*f)(P...), const Argument* arguments, int count) {
    const int own = count - EmulatedOptions::kCount;
    if (own < 0) throw CallError("a call on the emulator says seed and state of the outputs");
    const EmulatedOptions how = EmulatedOptions::read(arguments + own);
    emulator::begin(how.seed, true);
    emulator::set_time_limit(kKernelTime_s);
    try {
        call_on_device(f, arguments, own, how.before);
    } catch (const CallError&) {
        throw;
    } catch (...) {
        throw_first_finding();
        throw;
    }
    throw_first_finding();
}

}  // namespace attn::worker
