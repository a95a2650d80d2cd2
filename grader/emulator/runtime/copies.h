#pragma once
/// One copy or fill, as all of CUDA's functions for them come down to it.

#include <cstddef>
#include <source_location>

#include "driver_types.h"

namespace attn::emulator {

using Place = std::source_location;

/// `height` rows of `width` bytes.
struct Copy {
    const char* function;
    void* destination;
    std::size_t destination_pitch;
    const void* source;
    std::size_t source_pitch;
    std::size_t width, height;
    cudaMemcpyKind kind;
    cudaStream_t stream;
    Place place;

    std::size_t destination_size() const {
        return height == 0 ? 0 : destination_pitch * (height - 1) + width;
    }
    std::size_t source_size() const { return height == 0 ? 0 : source_pitch * (height - 1) + width; }
};

/// Queues the copy. `wait`: the caller goes on when it is done, as far as CUDA promises that.
cudaError_t queue_copy(Copy copy, bool wait);

/// Host memory from cudaMallocHost: only there are copies really asynchronous.
void remember_pinned(void* memory, std::size_t size);
bool forget_pinned(void* memory);
void forget_all_pinned();

/// True where [pointer, pointer + size) is device memory; else notes a finding that says what it is.
bool check_device_range(const char* function, const char* role, const void* pointer, std::size_t size,
                        const Place& place);

}  // namespace attn::emulator
