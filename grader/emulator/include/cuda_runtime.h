#pragma once
/// The header that a `.cu` file includes: CUDA for g++, on top of the emulator's run time. In an emulated
/// build this one precedes the toolkit's header of the same name on the include path.

// This one must precede the C library's own declarations.
// clang-format off
#include "checked_bytes.h"
// clang-format on

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomics.h"
#include "attn_emulator.h"
#include "builtins.h"
#include "device_bits.h"
#include "device_math.h"
#include "driver_types.h"
#include "kernel_launch.h"
#include "memory_api.h"
#include "streams_api.h"
#include "vector_types.h"
#include "warp.h"
