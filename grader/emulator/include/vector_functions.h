#pragma once
/// make_float4 and its family, under the name by which CUDA sources include them.

#include "vector_types.h"
