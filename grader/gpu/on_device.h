#pragma once
/// The reference's kernels on the GPU of this machine, called from this process. There are two of these: one
/// where CUDA was found (device/with_cuda.cpp), and one that says that it was not (device/without_cuda.cpp).

#include <functional>
#include <string>
#include <vector>

#include "assignments/call.h"

namespace attn::gpu {

/// What the kernels would run on.
struct Device {
    std::string why_not;  ///< there is none; empty where there is one
    std::string name;
    int major = 0, minor = 0;     ///< its compute capability
    int driver = 0, runtime = 0;  ///< CUDA's versions, as CUDA numbers them: 13000. No driver: 0

    bool present() const { return why_not.empty(); }
};

/// "13.0"
inline std::string version_name(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Throws cuda::DeviceError where there is a device and CUDA cannot use it: that is no absence.
const Device& device();

/// Were kernels compiled into this program at all?
bool built_with_cuda();

/// The functions that have kernels in this program, whether or not there is a device.
std::vector<std::string> functions_with_kernels();

/// A function of a contract with arrays in the host's memory, run by its kernels; empty where it has none.
/// Calls throw what call_on_device() throws.
using Kernels = std::function<void(const Argument* arguments, int count)>;
Kernels kernels_of(const std::string& function);

/// The milliseconds of each of so many calls by the device's clock, after a few that do not count, with the
/// arrays in its memory before it starts. Throws as a call does.
std::vector<double> time_kernels(const Kernels& kernels, const Argument* arguments, int count,
                                 int repetitions);

}  // namespace attn::gpu
