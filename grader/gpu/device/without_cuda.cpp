// Implements on_device.h for a build that found no CUDA.

#include "grader/gpu/on_device.h"

namespace attn::gpu {

const Device& device() {
    static const Device kNone = [] {
        Device none;
        none.why_not = "this was built without CUDA";
        return none;
    }();
    return kNone;
}

bool built_with_cuda() {
    return false;
}

std::vector<std::string> functions_with_kernels() {
    return {};
}

Kernels kernels_of(const std::string&) {
    return {};
}

}  // namespace attn::gpu
