#pragma once
/// The emulator's cuda_pipeline_primitives.h: asynchronous copies from global to shared memory.

#include <cuda_runtime.h>

/// The last `zfill` bytes become 0 instead of being copied.
[[gnu::always_inline]] inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t size,
                                                           std::size_t zfill = 0) {
    attn::emulator::queue_copy(to, from, size, size - (zfill < size ? zfill : size));
}
[[gnu::always_inline]] inline void __pipeline_commit() {
    attn::emulator::commit_copies();
}
[[gnu::always_inline]] inline void __pipeline_wait_prior(unsigned groups) {
    attn::emulator::wait_for_copies(groups);
}
