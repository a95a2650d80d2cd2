#pragma once
/// One of CUDA's names for parts of cuda_runtime.h.

#include "cuda_runtime.h"
