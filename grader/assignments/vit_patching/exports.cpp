// Linked into the student's library, not into the grader: the functions of this module that the worker can
// call.

#include "grader/worker/exports.h"

#include "assignments/06_vit_patching/vit_patching.h"

ATTN_MAY_BE_MISSING(patchify)
ATTN_MAY_BE_MISSING(unpatchify)
ATTN_MAY_BE_MISSING(embed_patches)
ATTN_MAY_BE_MISSING(vit_encode)

extern "C" const attn::worker::Export* attention_lab_exports() {
    using attn::worker::export_function;
    static const attn::worker::Export table[] = {
        export_function("patchify", attn::patchify),
        export_function("unpatchify", attn::unpatchify),
        export_function("embed_patches", attn::embed_patches),
        export_function("vit_encode", attn::vit_encode),
        {nullptr, nullptr, nullptr},
    };
    return table;
}
