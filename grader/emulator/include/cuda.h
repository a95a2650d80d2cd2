#pragma once
/// Sources that include the driver's header mostly want the version and the basic types only.

#include "cuda_runtime.h"

#define CUDA_VERSION 12000
#define CUDART_VERSION 12000
