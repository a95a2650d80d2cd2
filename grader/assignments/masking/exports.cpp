// Linked into the student's library, not into the grader: the functions of this module that the worker can
// call.

#include "grader/worker/exports.h"

#include "assignments/04_masking/masking.h"

ATTN_MAY_BE_MISSING(causal_mask)
ATTN_MAY_BE_MISSING(padding_mask)
ATTN_MAY_BE_MISSING(combine_masks)
ATTN_MAY_BE_MISSING(masked_softmax)
ATTN_MAY_BE_MISSING(masked_attention)

extern "C" const attn::worker::Export* attention_lab_exports() {
    using attn::worker::export_function;
    static const attn::worker::Export table[] = {
        export_function("causal_mask", attn::causal_mask),
        export_function("padding_mask", attn::padding_mask),
        export_function("combine_masks", attn::combine_masks),
        export_function("masked_softmax", attn::masked_softmax),
        export_function("masked_attention", attn::masked_attention),
        {nullptr, nullptr, nullptr},
    };
    return table;
}
