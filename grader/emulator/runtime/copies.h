#pragma once
/// Copies between host and device. All of CUDA's copy functions use the one implementation here.

#include <cstddef>

#include "builtins.h"
#include "driver_types.h"

namespace attn::emulator {

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

/// Queues the copy. `wait`: returns only when the copy is done, as far as CUDA guarantees that.
cudaError_t queue_copy(Copy copy, bool wait);

/// True if [pointer, pointer + size) is device memory. Otherwise notes a finding that says what memory it is.
bool check_device_range(const char* function, const char* role, const void* pointer, std::size_t size,
                        const Place& place);

}  // namespace attn::emulator
