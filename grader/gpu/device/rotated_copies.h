#pragma once
/// Copies of the arrays of a call, for timing.

#include <cstddef>
#include <vector>

#include "assignments/call.h"
#include "assignments/device.h"
#include "grader/worker/bytes_of.h"

namespace attn::worker {

/// So many copies of a call's arrays in the device's memory that together they are more than twice as large
/// as its L2 cache. Calls that use one copy after the other therefore find no array in the cache. (Filling
/// the cache by writing other data before each call would do so, too. But the device would then write this
/// data back to its memory while the call runs.)
class RotatedCopies {
  public:
    /// `arguments`: arrays in the device's memory. The copies are queued on `stream`.
    RotatedCopies(const std::vector<Argument>& arguments, std::size_t cache_bytes, cudaStream_t stream)
        : count_(count_for(arguments, cache_bytes)), memory_(count_ * bytes_of_all(arguments)) {
        unsigned char* free = memory_.data();
        for (std::size_t k = 0; k < count_; ++k) {
            copies_.push_back(arguments);
            for (Argument& argument : copies_.back()) {
                if (argument.data == nullptr) continue;
                cuda::check(cudaMemcpyAsync(free, argument.data, bytes_of(argument), cudaMemcpyDeviceToDevice,
                                            stream),
                            "cudaMemcpyAsync of an argument");
                argument.data = free;
                free += aligned_bytes_of(argument);
            }
        }
    }

    std::size_t count() const { return count_; }

    /// The copy that was used longest ago.
    const std::vector<Argument>& next() { return copies_[next_++ % count_]; }

  private:
    /// As cudaMalloc aligns memory. An array without elements gets memory, too.
    static std::size_t aligned_bytes_of(const Argument& argument) {
        constexpr std::size_t kAlignment = 256;
        return (bytes_of(argument) / kAlignment + 1) * kAlignment;
    }
    static std::size_t bytes_of_all(const std::vector<Argument>& arguments) {
        std::size_t bytes = 0;
        for (const Argument& argument : arguments)
            if (argument.data != nullptr) bytes += aligned_bytes_of(argument);
        return bytes;
    }
    /// Between two uses of a copy all others are used: together at least twice the cache.
    static std::size_t count_for(const std::vector<Argument>& arguments, std::size_t cache_bytes) {
        const std::size_t bytes = bytes_of_all(arguments);
        return bytes == 0 ? 1 : 2 + 2 * cache_bytes / bytes;
    }

    std::size_t count_, next_ = 0;
    cuda::DeviceBuffer<unsigned char> memory_;
    std::vector<std::vector<Argument>> copies_;
};

}  // namespace attn::worker
