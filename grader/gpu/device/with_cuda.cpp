// Implements on_device.h with CUDA's run time.

#include <cuda_runtime.h>

#include "grader/gpu/device/kernel_exports.h"
#include "grader/gpu/on_device.h"
#include "reference/fast/cuda/attend.h"
#include "reference/fast/cuda/matmul.h"
#include "reference/fast/cuda/rows.h"
#include "reference/steps/attention_steps.h"

// Only a program that is linked with cuBLAS has the products.
namespace attn::cuda::fast {
using multiply_type = decltype(multiply);
using multiply_transposed_type = decltype(multiply_transposed);
using linear_type = decltype(linear);
// NOLINTBEGIN(readability-redundant-declaration): these declarations make the functions weak
[[gnu::weak]] extern multiply_type multiply;
[[gnu::weak]] extern multiply_transposed_type multiply_transposed;
[[gnu::weak]] extern linear_type linear;
// NOLINTEND(readability-redundant-declaration)
}  // namespace attn::cuda::fast

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
    int runtime = 0, driver = 0, devices = 0;
    static_cast<void>(cudaRuntimeGetVersion(&runtime));
    static_cast<void>(cudaDriverGetVersion(&driver));
    const cudaError_t status = cudaGetDeviceCount(&devices);
    const DriverAnswer answer = status == cudaSuccess && devices > 0 ? DriverAnswer::devices
                                : status == cudaSuccess || status == cudaErrorNoDevice
                                    ? DriverAnswer::no_device
                                : status == cudaErrorInsufficientDriver ? DriverAnswer::too_old
                                                                        : DriverAnswer::error;
    Device found = find_state(driver, runtime, answer, cudaGetErrorString(status));
    if (!found.present()) return found;
    cudaDeviceProp properties{};
    if (const cudaError_t error = cudaGetDeviceProperties(&properties, 0); error != cudaSuccess)
        return find_state(driver, runtime, DriverAnswer::error, cudaGetErrorString(error));
    found.name = properties.name;
    found.major = properties.major;
    found.minor = properties.minor;
    int processors = 0, clock_khz = 0, memory_khz = 0, bus_bits = 0;
    static_cast<void>(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    static_cast<void>(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0));
    static_cast<void>(cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, 0));
    static_cast<void>(cudaDeviceGetAttribute(&bus_bits, cudaDevAttrGlobalMemoryBusWidth, 0));
    found.peak_tflops = 1e-9 * operations_of_a_clock(found.major, found.minor) * processors * clock_khz;
    const int bus_bytes = bus_bits / 8;
    found.peak_gbytes = 1e-6 * 2 * memory_khz * bus_bytes;  // two transfers in each clock
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

const worker::Export* more_kernels() {
    using worker::export_kernels;
    static const worker::Export kTable[] = {
        export_kernels("attend_by_threads", cuda::steps::attend_by_threads),
        export_kernels("attend_by_warps", cuda::steps::attend_by_warps),
        export_kernels("attend_by_tiles", cuda::steps::attend_by_tiles),
        export_kernels("attend_online", cuda::steps::attend_online),
        export_kernels("attend", cuda::fast::attend),
        export_kernels("attend_simt", cuda::fast::attend_simt),
        export_kernels("attend_in_bf16", cuda::fast::attend_in_bf16),
        export_kernels("layer_norm_rows", cuda::fast::layer_norm_rows),
        export_kernels("softmax_rows", cuda::fast::softmax_rows),
        export_kernels("gelu", cuda::fast::gelu),
        export_kernels("multiply", cuda::fast::multiply),
        export_kernels("multiply_transposed", cuda::fast::multiply_transposed),
        export_kernels("linear", cuda::fast::linear),
        {nullptr, nullptr, nullptr},
    };
    return kTable;
}

}  // namespace attn::gpu
