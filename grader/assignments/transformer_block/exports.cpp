// Linked into the student's library, not into the grader: the functions of this module that the worker can
// call.

#include "grader/worker/exports.h"

#include "assignments/05_transformer_block/transformer_block.h"

ATTN_MAY_BE_MISSING(layer_norm)
ATTN_MAY_BE_MISSING(feed_forward)
ATTN_MAY_BE_MISSING(transformer_block)
ATTN_MAY_BE_MISSING(transformer_encoder)

extern "C" const attn::worker::Export* attention_lab_exports() {
    using attn::worker::export_function;
    static const attn::worker::Export table[] = {
        export_function("layer_norm", attn::layer_norm),
        export_function("feed_forward", attn::feed_forward),
        export_function("transformer_block", attn::transformer_block),
        export_function("transformer_encoder", attn::transformer_encoder),
        {nullptr, nullptr, nullptr},
    };
    return table;
}
