#pragma once
/// The size of elements and arrays in memory.

#include <cstddef>

#include "assignments/call.h"

namespace attn::worker {

inline std::size_t bytes_of(ElementType type) {
    return type == ElementType::f64 ? 8 : type == ElementType::u8 ? 1 : 4;
}

inline std::size_t bytes_of(const Argument& tensor) {
    std::size_t bytes = bytes_of(tensor.type);
    for (int axis = 0; axis < tensor.rank; ++axis) bytes *= static_cast<std::size_t>(tensor.shape[axis]);
    return bytes;
}

}  // namespace attn::worker
