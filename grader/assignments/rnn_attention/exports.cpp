// Linked into the student's library, not into the grader: the functions of this module that the worker can
// call.

#include "grader/worker/exports.h"

#include "assignments/01_rnn_attention/rnn_attention.h"

ATTN_MAY_BE_MISSING(additive_scores)
ATTN_MAY_BE_MISSING(attention_context)
ATTN_MAY_BE_MISSING(decoder_step)
ATTN_MAY_BE_MISSING(decode)
ATTN_MAY_BE_MISSING(grid_attention)

extern "C" const attn::worker::Export* attention_lab_exports() {
    using attn::worker::export_function;
    static const attn::worker::Export table[] = {
        export_function("additive_scores", attn::additive_scores),
        export_function("attention_context", attn::attention_context),
        export_function("decoder_step", attn::decoder_step),
        export_function("decode", attn::decode),
        export_function("grid_attention", attn::grid_attention),
        {nullptr, nullptr, nullptr},
    };
    return table;
}
