#include "device_api.h"

#include <algorithm>
#include <climits>
#include <cstring>

#include "device_state.h"
#include "heap.h"
#include "program.h"
#include "streams.h"
#include "streams_api.h"

namespace attn::emulator {
namespace {

constexpr int kTextureAlignment = 512;

cudaError_t last_error = cudaSuccess;
cudaError_t sticky = cudaSuccess;

struct Text {
    cudaError_t error;
    const char* name;
    const char* sentence;
};

constexpr Text kTexts[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

const Text& text_of(cudaError_t error) {
    for (const Text& text : kTexts)
        if (text.error == error) return text;
    static constexpr Text kUnknown{cudaErrorUnknown, "unrecognized error code", "unrecognized error code"};
    return kUnknown;
}

std::unordered_map<const void*, std::size_t>& limits() {
    static auto* const instance = new std::unordered_map<const void*, std::size_t>;
    return *instance;
}

}  // namespace

std::size_t dynamic_limit(const void* kernel) {
    const auto found = limits().find(kernel);
    return found == limits().end() ? kSharedMemory : found->second;
}

void set_dynamic_limit(const void* kernel, std::size_t bytes) {
    limits()[kernel] = bytes;
}

cudaError_t record_error(cudaError_t error) {
    if (error != cudaSuccess) last_error = error;
    return error;
}

void set_sticky_error(cudaError_t error) {
    if (sticky == cudaSuccess) sticky = error;
}

cudaError_t sticky_error() {
    return sticky;
}

void forget_errors() {
    last_error = sticky = cudaSuccess;
}

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

cudaError_t cudaGetLastError() {
    const cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError() {
    return sticky != cudaSuccess ? sticky : last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
    return text_of(error).name;
}

const char* cudaGetErrorString(cudaError_t error) {
    return text_of(error).sentence;
}

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
    properties->totalGlobalMem = memory_size();
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
    properties->memoryPoolsSupported = properties->hostRegisterSupported = 1;
    properties->memPitch = INT_MAX;
    properties->textureAlignment = properties->surfaceAlignment = kTextureAlignment;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device_number) {
    cudaDeviceProp all;
    if (const cudaError_t error = cudaGetDeviceProperties(&all, device_number); error != cudaSuccess)
        return error;
    const std::pair<cudaDeviceAttr, int> values[] = {
        {cudaDevAttrMaxThreadsPerBlock, all.maxThreadsPerBlock},
        {cudaDevAttrMaxBlockDimX, all.maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimY, all.maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimZ, all.maxThreadsDim[2]},
        {cudaDevAttrMaxGridDimX, all.maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, all.maxGridSize[1]},
        {cudaDevAttrMaxGridDimZ, all.maxGridSize[1]},
        {cudaDevAttrMaxSharedMemoryPerBlock, static_cast<int>(all.sharedMemPerBlock)},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<int>(all.sharedMemPerBlockOptin)},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, static_cast<int>(all.sharedMemPerMultiprocessor)},
        {cudaDevAttrTotalConstantMemory, static_cast<int>(all.totalConstMem)},
        {cudaDevAttrWarpSize, all.warpSize},
        {cudaDevAttrMaxRegistersPerBlock, all.regsPerBlock},
        {cudaDevAttrClockRate, all.clockRate},
        {cudaDevAttrMultiProcessorCount, all.multiProcessorCount},
        {cudaDevAttrMemoryClockRate, all.memoryClockRate},
        {cudaDevAttrGlobalMemoryBusWidth, all.memoryBusWidth},
        {cudaDevAttrL2CacheSize, all.l2CacheSize},
        {cudaDevAttrMaxThreadsPerMultiProcessor, all.maxThreadsPerMultiProcessor},
        {cudaDevAttrComputeCapabilityMajor, all.major},
        {cudaDevAttrComputeCapabilityMinor, all.minor},
        {cudaDevAttrManagedMemory, 1},
        {cudaDevAttrConcurrentManagedAccess, 1},
        {cudaDevAttrCanMapHostMemory, 1},
        {cudaDevAttrMaxBlocksPerMultiprocessor, all.maxBlocksPerMultiProcessor},
        {cudaDevAttrMaxRegistersPerMultiprocessor, all.regsPerMultiprocessor},
        {cudaDevAttrAsyncEngineCount, all.asyncEngineCount},
        {cudaDevAttrMaxPitch, INT_MAX},
        {cudaDevAttrConcurrentKernels, 1},
        {cudaDevAttrUnifiedAddressing, 1},
        {cudaDevAttrGpuOverlap, 1},
        {cudaDevAttrMemoryPoolsSupported, 1},
        {cudaDevAttrHostRegisterSupported, 1},
    };
    *value = 0;  // what the emulator does not have
    for (const auto& [known, its_value] : values)
        if (known == attribute) *value = its_value;
    return cudaSuccess;
}
