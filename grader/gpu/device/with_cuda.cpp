// Implements on_device.h with CUDA's run time.

#include <cuda_runtime.h>

#include "assignments/device.h"
#include "grader/gpu/kernel_tables.h"
#include "grader/gpu/on_device.h"

namespace attn::gpu {
namespace {

/// The kernels that are linked into this program; the others are null in their table.
std::vector<const worker::Export*> linked_kernels() {
    std::vector<const worker::Export*> all;
    for (const worker::ExportTable table : kernel_tables())
        for (const worker::Export* entry = table(); entry->name != nullptr; ++entry)
            if (entry->function != nullptr) all.push_back(entry);
    return all;
}

Device find_device() {
    using cuda::check;
    Device found;
    check(cudaRuntimeGetVersion(&found.runtime), "cudaRuntimeGetVersion");
    check(cudaDriverGetVersion(&found.driver), "cudaDriverGetVersion");
    int devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&devices);
    if (found.driver == 0) {
        found.why_not = "no CUDA driver is installed";
    } else if (status == cudaErrorInsufficientDriver) {
        found.why_not = "the driver supports CUDA " + version_name(found.driver) +
                        ", but this program needs CUDA " + version_name(found.runtime);
    } else if (status == cudaErrorNoDevice) {
        found.why_not = "the driver finds no CUDA device";
    } else {
        check(status, "cudaGetDeviceCount");
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
        found.name = properties.name;
        found.major = properties.major;
        found.minor = properties.minor;
    }
    return found;
}

}  // namespace

const Device& device() {
    static const Device kDevice = find_device();
    return kDevice;
}

bool built_with_cuda() {
    return true;
}

std::vector<std::string> functions_with_kernels() {
    std::vector<std::string> names;
    for (const worker::Export* entry : linked_kernels()) names.emplace_back(entry->name);
    return names;
}

Kernels kernels_of(const std::string& function) {
    for (const worker::Export* entry : linked_kernels())
        if (function == entry->name)
            return [entry](const Argument* arguments, int count) {
                entry->invoke(entry->function, arguments, count);
            };
    return {};
}

}  // namespace attn::gpu
