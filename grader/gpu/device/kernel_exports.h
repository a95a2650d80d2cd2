#pragma once
/// The tables of the functions of the contracts that run on a GPU. The build writes one for each module
/// from its contract (grader/contract/). They are compiled for the emulator, where the worker uses them (see
/// exports.h), and, if CUDA was found, for the machine's own GPU, where gpu/on_device.h uses them.

#include "grader/worker/exports.h"
#if defined(ATTN_EMULATOR)
#include "grader/gpu/device/emulated_call.h"
#else
#include "grader/gpu/device/timed_call.h"
#endif

namespace attn::worker {

template <class... P>
Export export_kernels(const char* name, void (*f)(P...)) {
    return {name, reinterpret_cast<void (*)()>(f),
            [](void (*erased)(), const Argument* arguments, int count) {
                call_kernels(device_function(reinterpret_cast<void (*)(P...)>(erased)), arguments, count);
            }};
}

}  // namespace attn::worker
