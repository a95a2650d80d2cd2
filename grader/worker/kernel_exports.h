#pragma once
/// The table of the functions of a contract that run on a GPU. One is written for each module from
/// its contract (grader/contract/), and compiled for the emulator, where it is the worker's (see exports.h),
/// and, where CUDA was found, for the machine's own GPU, where it is gpu/on_device.h's.

#include "grader/worker/exports.h"
#if defined(ATTN_EMULATOR)
#include "grader/worker/emulated_call.h"
#else
#include "grader/gpu/timed_call.h"
#endif

namespace attn::worker {

template <class... P>
Export export_kernels(const char* name, void (*f)(P...)) {
    return {name, reinterpret_cast<void (*)()>(f),
            [](void (*erased)(), const Argument* arguments, int count) {
                call_kernels(reinterpret_cast<void (*)(P...)>(erased), arguments, count);
            }};
}

}  // namespace attn::worker
