#include "grader/gpu/gpu_table.h"

#include <fmt/format.h>

#include "grader/judge/statistics.h"

namespace attn::gpu {

void print_gpu_table(std::ostream& out, const Device& device, const std::vector<GpuCell>& cells) {
    if (cells.empty()) return;
    out << fmt::format("\n{}, compute capability {}.{}; peak {:.4g} TFLOP/s in fp32 without tensor cores\n",
                       device.name, device.major, device.minor, device.peak_tflops);
    out << fmt::format("{:26}{:24}{:>14}{:>14}{:>18}\n", "", "kernels", "call", "kernels", "TFLOP/s (share)");
    for (const GpuCell& cell : cells) {
        const double kernels_ms = judge::median(cell.times.kernels), speed = cell.gflop / kernels_ms;
        out << fmt::format("{:26}{:24}{:>11.3f} ms{:>11.3f} ms{:>18}\n", cell.call, cell.kernels,
                           judge::median(cell.times.call), kernels_ms,
                           fmt::format("{:.4g} ({:.3f})", speed, speed / device.peak_tflops));
    }
    out << "call: until the host knows that it is done, by the host's clock. kernels: by the GPU's clock. "
           "Arrays are\nin its memory and not in its cache. Medians. Products in bf16 have another "
           "accuracy.\n";
}

std::vector<GpuCell>& benched_cells() {
    static std::vector<GpuCell> cells;
    return cells;
}

}  // namespace attn::gpu
