// What on_device.h needs with CUDA and without.

#include <array>
#include <cstdio>
#include <memory>

#include "grader/gpu/on_device.h"

namespace attn::gpu {

int operations_of_a_clock(int major, int minor) {
    // CUDA C++ Programming Guide, throughput of arithmetic instructions: 64 multiply-adds for Turing and A100.
    const bool half = major < 8 || (major == 8 && minor == 0);
    return 2 * (half ? 64 : 128);
}

std::string clocks_now() {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> answer(
        popen("nvidia-smi --id=0 --format=csv,noheader "
              "--query-gpu=clocks.sm,clocks.max.sm,clocks.mem,power.draw,temperature.gpu 2>/dev/null",
              "r"),
        pclose);
    std::array<char, 256> line{};
    if (!answer || std::fgets(line.data(), line.size(), answer.get()) == nullptr) return {};
    std::string text = line.data();
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

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

Timings time_kernels(const Kernels& kernels, const Argument* arguments, int count, int repetitions) {
    const auto calls = static_cast<std::size_t>(repetitions);
    std::vector<double> milliseconds(2 * calls);
    std::vector<Argument> all(arguments, arguments + count);
    Argument& times = all.emplace_back();
    times.type = ElementType::f64;
    times.rank = 2;
    times.shape[0] = 2;
    times.shape[1] = repetitions;
    times.data = milliseconds.data();
    kernels(all.data(), count + 1);
    const auto middle = milliseconds.begin() + repetitions;
    return {{milliseconds.begin(), middle}, {middle, milliseconds.end()}};
}

}  // namespace attn::gpu
