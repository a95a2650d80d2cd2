#pragma once
/// How much memory an argument's elements take.

#include <cstddef>

#include "assignments/call.h"

namespace attn::worker {

inline std::size_t bytes_of(const Argument& tensor) {
    std::size_t bytes = tensor.type == ElementType::u8 ? 1 : tensor.type == ElementType::f64 ? 8 : 4;
    for (int axis = 0; axis < tensor.rank; ++axis) bytes *= static_cast<std::size_t>(tensor.shape[axis]);
    return bytes;
}

}  // namespace attn::worker
