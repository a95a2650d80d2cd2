// The table of the reference's kernels that no contract names.

#include "grader/gpu/kernel_tables.h"
#include "grader/worker/kernel_exports.h"
#include "reference/fast/cuda/attend.h"
#include "reference/fast/cuda/rows.h"
#include "reference/steps/attention_steps.h"

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
        {nullptr, nullptr, nullptr},
    };
    return kTable;
}
