#pragma once
/// make_float4 and the like, under the header name that CUDA sources include.

#include "vector_types.h"
