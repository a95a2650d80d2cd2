#pragma once
/// The reference's kernels on this machine's GPU, called from this process. There are two implementations:
/// device/with_cuda.cpp, and device/without_cuda.cpp for a build that found no CUDA.

#include <functional>
#include <string>
#include <vector>

#include "assignments/call.h"
#include "grader/worker/exports.h"

namespace attn::gpu {

/// The device that the kernels run on.
struct Device {
    std::string why_not;  ///< the reason why there is no device; empty if there is one
    std::string name;
    int major = 0, minor = 0;     ///< its compute capability
    int driver = 0, runtime = 0;  ///< CUDA's version numbers, such as 13000; 0 without a driver
    bool unusable = false;        ///< there is a driver, but the kernels cannot run; `why_not` has the reason

    double peak_tflops = 0;  ///< fp32 multiply-adds without tensor cores at the highest clock; 0: unknown
    double peak_gbytes = 0;  ///< bytes of its memory per second, in 1e9; 0: unknown

    bool present() const { return why_not.empty(); }
};

/// "13.0"
inline std::string version_name(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// What CUDA answers when it is asked for the number of devices.
enum class DriverAnswer { devices, no_device, too_old, error };

/// The state of a machine with these versions, without the device's properties. A driver that cannot be used
/// is not the same as a machine without a device: it has to be an error of gpu_check. `error`: CUDA's
/// message.
Device find_state(int driver, int runtime, DriverAnswer answer, const std::string& error);

const Device& device();

/// Whether kernels were compiled into this program.
bool built_with_cuda();

/// The functions that have kernels in this program, whether or not there is a device.
std::vector<std::string> functions_with_kernels();

/// Runs a function of a contract by its kernels, on arrays in the host's memory. Empty if the function has no
/// kernels. A call throws what call_on_device() throws.
using Kernels = std::function<void(const Argument* arguments, int count)>;
Kernels kernels_of(const std::string& function);

/// The times of calls in milliseconds. The arrays are in the device's memory before, and not in its L2 cache.
struct Timings {
    std::vector<double> call;     ///< from the call until the host knows that it is done, by the host's clock
    std::vector<double> kernels;  ///< what the device does for it, by the device's clock
};

/// Times `repetitions` calls, after a few that do not count. Throws as a call does.
Timings time_kernels(const Kernels& kernels, const Argument* arguments, int count, int repetitions);

/// The clocks, power and temperature of the device now, as nvidia-smi reports them. They are never set. Empty if
/// it reports nothing.
std::string clocks_now();

/// fp32 operations (two for each multiply-add) that a multiprocessor of this compute capability does in a clock.
int operations_of_a_clock(int major, int minor);

/// The tables of all modules' kernels, in device/with_cuda.cpp. CMake writes the list.
std::vector<worker::ExportTable> kernel_tables();

/// The kernels that no contract names: see gpu_questions.h.
const worker::Export* more_kernels();

}  // namespace attn::gpu
