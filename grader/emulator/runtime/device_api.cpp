#include <algorithm>
#include <cstring>

#include "cuda_errors.h"
#include "device_limits.h"
#include "device_state.h"
#include "heap.h"
#include "queue.h"
#include "reset.h"
#include "streams_api.h"

namespace attn::emulator {

cudaError_t set_kernel_attribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return cudaSuccess;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
        static_cast<std::size_t>(value) > kSharedMemoryOptIn)
        return record_error(cudaErrorInvalidValue);
    set_dynamic_limit(kernel, static_cast<std::size_t>(value));
    return cudaSuccess;
}

cudaError_t kernel_attributes(cudaFuncAttributes* attributes, const void* kernel) {
    constexpr int kArchitecture = 80;
    *attributes = {0,
                   0,
                   0,
                   static_cast<int>(kMaxThreads),
                   32,
                   static_cast<int>(dynamic_limit(kernel)),
                   kArchitecture,
                   kArchitecture};
    return sticky_error();
}

cudaError_t resident_blocks(int* blocks, int threads, std::size_t shared) {
    *blocks = 0;
    if (threads <= 0 || threads > static_cast<int>(kMaxThreads)) return record_error(cudaErrorInvalidValue);
    if (shared > kSharedMemoryOptIn) return cudaSuccess;
    *blocks = std::min(kBlocksOfProcessor, kThreadsOfProcessor / threads);
    if (shared > 0) *blocks = std::min(*blocks, static_cast<int>(kSharedMemoryOfProcessor / shared));
    return cudaSuccess;
}

}  // namespace attn::emulator

using namespace attn::emulator;

cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device_number) {
    *device_number = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device_number) {
    return record_error(device_number == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceReset() {
    reset_device();
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
    *version = 12000;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    return cudaDriverGetVersion(version);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device_number) {
    if (device_number != 0) return record_error(cudaErrorInvalidDevice);
    *properties = {};
    std::strcpy(properties->name, "Attention Lab's emulator");
    properties->totalGlobalMem = kMemoryLimit;
    properties->sharedMemPerBlock = kSharedMemory;
    properties->sharedMemPerBlockOptin = kSharedMemoryOptIn;
    properties->sharedMemPerMultiprocessor = kSharedMemoryOfProcessor;
    properties->totalConstMem = 65536;
    properties->regsPerBlock = properties->regsPerMultiprocessor = kRegisters;
    properties->warpSize = static_cast<int>(kWarpLanes);
    properties->maxThreadsPerBlock = static_cast<int>(kMaxThreads);
    properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = static_cast<int>(kMaxThreads);
    properties->maxThreadsDim[2] = static_cast<int>(kMaxBlockZ);
    properties->maxGridSize[0] = static_cast<int>(kMaxGridX);
    properties->maxGridSize[1] = properties->maxGridSize[2] = static_cast<int>(kMaxGridYZ);
    properties->maxThreadsPerMultiProcessor = kThreadsOfProcessor;
    properties->maxBlocksPerMultiProcessor = kBlocksOfProcessor;
    properties->multiProcessorCount = kMultiprocessors;
    properties->major = 8;
    properties->clockRate = properties->memoryClockRate = 1000000;
    properties->memoryBusWidth = 64;
    properties->l2CacheSize = 1 << 20;
    properties->managedMemory = properties->concurrentManagedAccess = properties->canMapHostMemory = 1;
    properties->concurrentKernels = properties->asyncEngineCount = properties->unifiedAddressing = 1;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device_number) {
    cudaDeviceProp all;
    if (const cudaError_t error = cudaGetDeviceProperties(&all, device_number); error != cudaSuccess)
        return error;
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock:
            *value = all.maxThreadsPerBlock;
            break;
        case cudaDevAttrMaxBlockDimX:
        case cudaDevAttrMaxBlockDimY:
            *value = all.maxThreadsDim[0];
            break;
        case cudaDevAttrMaxBlockDimZ:
            *value = all.maxThreadsDim[2];
            break;
        case cudaDevAttrMaxGridDimX:
            *value = all.maxGridSize[0];
            break;
        case cudaDevAttrMaxGridDimY:
        case cudaDevAttrMaxGridDimZ:
            *value = all.maxGridSize[1];
            break;
        case cudaDevAttrMaxSharedMemoryPerBlock:
            *value = static_cast<int>(all.sharedMemPerBlock);
            break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            *value = static_cast<int>(all.sharedMemPerBlockOptin);
            break;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            *value = static_cast<int>(all.sharedMemPerMultiprocessor);
            break;
        case cudaDevAttrTotalConstantMemory:
            *value = static_cast<int>(all.totalConstMem);
            break;
        case cudaDevAttrWarpSize:
            *value = all.warpSize;
            break;
        case cudaDevAttrMaxRegistersPerBlock:
            *value = all.regsPerBlock;
            break;
        case cudaDevAttrClockRate:
            *value = all.clockRate;
            break;
        case cudaDevAttrMultiProcessorCount:
            *value = all.multiProcessorCount;
            break;
        case cudaDevAttrMemoryClockRate:
            *value = all.memoryClockRate;
            break;
        case cudaDevAttrGlobalMemoryBusWidth:
            *value = all.memoryBusWidth;
            break;
        case cudaDevAttrL2CacheSize:
            *value = all.l2CacheSize;
            break;
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            *value = all.maxThreadsPerMultiProcessor;
            break;
        case cudaDevAttrComputeCapabilityMajor:
            *value = all.major;
            break;
        case cudaDevAttrComputeCapabilityMinor:
            *value = all.minor;
            break;
        case cudaDevAttrManagedMemory:
        case cudaDevAttrConcurrentManagedAccess:
        case cudaDevAttrCanMapHostMemory:
            *value = 1;
            break;
        case cudaDevAttrCooperativeLaunch:
            *value = 0;
            break;
        default:
            return record_error(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}
