#pragma once
/// The driver's header. Sources that include it mostly need only the version and the basic types.

#include "cuda_runtime.h"

#define CUDA_VERSION 12000
