#pragma once
/// The tables of all modules' kernels for this machine's GPU. CMake writes the list.

#include <vector>

#include "grader/worker/exports.h"

namespace attn::gpu {

std::vector<worker::ExportTable> kernel_tables();

/// The kernels that no contract names: see more_functions.h.
const worker::Export* more_kernels();

}  // namespace attn::gpu
