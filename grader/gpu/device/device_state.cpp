#include "grader/gpu/on_device.h"

namespace attn::gpu {

Device find_state(int driver, int runtime, DriverAnswer answer, const std::string& error) {
    Device found;
    found.driver = driver;
    found.runtime = runtime;
    if (driver == 0) {
        found.why_not = "no CUDA driver is installed";
    } else if (answer == DriverAnswer::no_device) {
        found.why_not = "the driver finds no CUDA device";
    } else if (answer == DriverAnswer::too_old || (answer == DriverAnswer::error && driver < runtime)) {
        found.unusable = true;
        found.why_not = "the driver supports CUDA " + version_name(driver) +
                        ", but this program needs CUDA " + version_name(runtime);
    } else if (answer == DriverAnswer::error) {
        found.unusable = true;
        found.why_not = error;
    }
    return found;
}

}  // namespace attn::gpu
