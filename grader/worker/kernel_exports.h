#pragma once
/// The table of the functions of a contract that run on a GPU. The build writes one for each module
/// from its contract (grader/contract/). It is compiled for the emulator, where the worker uses it (see
/// exports.h), and, if CUDA was found, for the machine's own GPU, where gpu/on_device.h uses it.

#include "grader/worker/exports.h"
#if defined(ATTN_EMULATOR)
#include "grader/worker/emulated_call.h"
#else
#include "grader/worker/timed_call.h"
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
