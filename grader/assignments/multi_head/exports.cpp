// Linked into the student's library, not into the grader: the functions of this module that the worker can
// call.

#include "grader/worker/exports.h"

#include "assignments/03_multi_head/multi_head.h"

ATTN_MAY_BE_MISSING(split_heads)
ATTN_MAY_BE_MISSING(merge_heads)
ATTN_MAY_BE_MISSING(multi_head_attention)

extern "C" const attn::worker::Export* attention_lab_exports() {
    using attn::worker::export_function;
    static const attn::worker::Export table[] = {
        export_function("split_heads", attn::split_heads),
        export_function("merge_heads", attn::merge_heads),
        export_function("multi_head_attention", attn::multi_head_attention),
        {nullptr, nullptr, nullptr},
    };
    return table;
}
