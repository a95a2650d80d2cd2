#pragma once
/// Memory that is kept from call to call: the first touch of a page costs more than the arithmetic on it.

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include "assignments/tensor.h"

namespace attn::fast {

/// How many numbers an array of these lengths has.
inline std::size_t numbers(int a, int b, int c = 1) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c);
}

/// Floats, aligned to 64 bytes. It grows and never shrinks; its contents are lost when it grows.
class Buffer {
  public:
    float* get(std::size_t count) {
        if (count > count_) {
            const std::size_t bytes = (count * sizeof(float) + 63) / 64 * 64;
            data_.reset();
            count_ = 0;
            data_.reset(static_cast<float*>(std::aligned_alloc(64, bytes)));
            if (!data_) throw std::bad_alloc();
            count_ = count;
        }
        return data_.get();
    }
    std::size_t size() const { return count_; }

  private:
    struct Free {
        void operator()(float* data) const { std::free(data); }
    };
    std::unique_ptr<float, Free> data_;
    std::size_t count_ = 0;
};

/// Arrays that lie one after the other in a buffer. `count` is the sum of their numbers.
class Workspace {
  public:
    Workspace(Buffer& buffer, std::size_t count) : next_(buffer.get(count)) {}
    template <class... Lengths>
    TensorView<float, sizeof...(Lengths)> take(Lengths... lengths) {
        return {std::exchange(next_, next_ + (static_cast<std::size_t>(lengths) * ...)), lengths...};
    }

  private:
    float* next_;
};

}  // namespace attn::fast
