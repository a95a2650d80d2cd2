#pragma once
/// The header that a `.cu` file includes: CUDA for g++, on top of the emulator's run time. In an emulated
/// build this one precedes the toolkit's header of the same name on the include path.

#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__

// This one must precede the C library's own declarations.
// clang-format off
#include "checked_bytes.h"
// clang-format on

#include <assert.h>
#include <limits.h>
// Since C++20 math.h puts std::lerp into the global namespace. nvcc compiles as C++17, where a program may
// have a lerp of its own there.
#define lerp attn_emulator_lerp
#include <math.h>
#undef lerp
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "async_copies.h"
#include "atomics.h"
#include "attn_emulator.h"
#include "builtins.h"
#include "device_bits.h"
#include "device_math.h"
#include "device_special.h"
#include "driver_types.h"
#include "kernel_launch.h"
#include "memory_api.h"
#include "streams_api.h"
#include "vector_types.h"
#include "warp.h"

namespace std {
template <class T>
requires is_floating_point_v<T>
constexpr T lerp(T a, T b, T t) {
    return attn_emulator_lerp(a, b, t);
}
}  // namespace std
