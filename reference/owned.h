#pragma once
/// An array for numbers that the plain loops keep.

#include <cstddef>
#include <vector>

#include "assignments/tensor.h"

namespace attn {

/// An array that owns its numbers, which are 0 until something is written.
template <class T, int Rank>
struct Owned {
    template <class... Sizes>
    explicit Owned(Sizes... sizes)
        : numbers((static_cast<std::size_t>(sizes) * ...)), view(numbers.data(), sizes...) {}
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;

    std::vector<T> numbers;
    TensorView<T, Rank> view;
};

}  // namespace attn
