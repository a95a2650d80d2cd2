#pragma once
/// The functions of the CUDA samples' helper_cuda.h that programs use. A helper_cuda.h beside the program or in
/// one of its include folders comes before this one.

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include "helper_string.h"

#if !defined(MAX)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#if !defined(MIN)
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

namespace attn::emulator {

/// Ends the program if a call of CUDA has failed.
inline void require_success(cudaError_t error, const char* what, const char* file, int line) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "CUDA error at %s:%d: %s (%d) by \"%s\"\n", file, line, cudaGetErrorName(error),
            static_cast<int>(error), what);
    exit(EXIT_FAILURE);
}

}  // namespace attn::emulator

#define checkCudaErrors(call) attn::emulator::require_success((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message) \
    attn::emulator::require_success(cudaGetLastError(), message, __FILE__, __LINE__)

inline const char* _cudaGetErrorEnum(cudaError_t error) {
    return cudaGetErrorName(error);
}
/// The emulator has one device.
inline int findCudaDevice(int, const char**) {
    return 0;
}
inline int gpuGetMaxGflopsDeviceId() {
    return 0;
}
inline bool checkCudaCapabilities(int major, int minor) {
    return major < 8 || (major == 8 && minor == 0);
}
inline int _ConvertSMVer2Cores(int, int) {
    return 64;
}
