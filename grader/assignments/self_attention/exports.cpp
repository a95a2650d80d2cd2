// Linked into the student's library, not into the grader: the functions of this module that the worker can
// call.

#include "grader/worker/exports.h"

#include "assignments/02_self_attention/self_attention.h"

ATTN_MAY_BE_MISSING(softmax)
ATTN_MAY_BE_MISSING(scaled_dot_product_attention)
ATTN_MAY_BE_MISSING(self_attention)

extern "C" const attn::worker::Export* attention_lab_exports() {
    using attn::worker::export_function;
    static const attn::worker::Export table[] = {
        export_function("softmax", attn::softmax),
        export_function("scaled_dot_product_attention", attn::scaled_dot_product_attention),
        export_function("self_attention", attn::self_attention),
        {nullptr, nullptr, nullptr},
    };
    return table;
}
