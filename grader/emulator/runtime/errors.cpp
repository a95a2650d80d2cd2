#include "errors.h"

#include "streams_api.h"

namespace attn::emulator {
namespace {

cudaError_t last = cudaSuccess;
cudaError_t stuck = cudaSuccess;

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

}  // namespace

cudaError_t remember(cudaError_t error) {
    if (error != cudaSuccess) last = error;
    return error;
}

void stick(cudaError_t error) {
    if (stuck == cudaSuccess) stuck = error;
}

cudaError_t stuck_error() {
    return stuck;
}

void forget_errors() {
    last = stuck = cudaSuccess;
}

}  // namespace attn::emulator

using namespace attn::emulator;

cudaError_t cudaGetLastError() {
    const cudaError_t error = cudaPeekAtLastError();
    last = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError() {
    return stuck != cudaSuccess ? stuck : last;
}

const char* cudaGetErrorName(cudaError_t error) {
    return text_of(error).name;
}

const char* cudaGetErrorString(cudaError_t error) {
    return text_of(error).sentence;
}
