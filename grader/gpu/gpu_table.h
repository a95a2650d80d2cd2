#pragma once
/// The table of `make bench` about this machine's GPU.

#include <ostream>
#include <string>
#include <vector>

#include "grader/gpu/on_device.h"

namespace attn::gpu {

/// Times of one call by certain kernels.
struct GpuCell {
    std::string call;     ///< "B1 H12 N1024 d64 causal"
    std::string kernels;  ///< "attend"
    double gflop = 0;     ///< of a direct computation
    Timings times;
};

/// A row for each cell: medians of the whole call and of the kernels, and the speed with its share of the
/// device's peak. Nothing without cells.
void print_gpu_table(std::ostream& out, const Device& device, const std::vector<GpuCell>& cells);

/// What the benchmarks have measured on the GPU so far.
std::vector<GpuCell>& benched_cells();

}  // namespace attn::gpu
