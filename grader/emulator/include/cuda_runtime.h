#pragma once
/// What a `.cu` file includes: CUDA for g++, upon the emulator's run time. The real header of this name comes
/// with a toolkit; this one comes first on the include path of an emulated build.

// Before the C library's own declarations.
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
#include "launch.h"
#include "memory_api.h"
#include "streams_api.h"
#include "vector_types.h"
#include "warp.h"
