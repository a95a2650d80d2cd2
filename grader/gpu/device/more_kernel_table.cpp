// The table of the reference's kernels that no contract names: see more_functions.h.

#include "grader/gpu/kernel_tables.h"
#include "grader/worker/kernel_exports.h"
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

const attn::worker::Export* attn::gpu::more_kernels() {
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
