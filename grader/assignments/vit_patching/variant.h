#pragma once
/// How somebody does assignment 6: a switch for every misconception, so that any two can be made at once.

#include "assignments/array.h"
#include "assignments/tensor.h"
#include "grader/ask/check.h"

namespace attn::ask::vit_patching {

/// In which order the numbers of the patches come out of memory.
enum class Unrolled {
    patches,   ///< r, k, py, px, c: rightly
    image,     ///< c, y, x: as the image lies in memory
    channels,  ///< c, r, k, py, px: the channels were never moved behind
    features,  ///< c, py, px, r, k: one column for each patch, never transposed
};
enum class Positions { all, none, patches_from_row_0, all_from_row_0, patches_only };
enum class Reads { cls, last, mean, mean_of_patches };  ///< what the head looks at
enum class Hidden { as_asked, relu, gelu };
enum class Blocks { pre_and_norm, pre_without_norm, post, causal, first_only };

/// As it stands: rightly.
struct Variant {
    Unrolled unrolled = Unrolled::patches;
    bool columns_of_patches = false, columns_of_pixels = false, channels_apart = false;
    bool turned = false, last_channel_first = false, overlapping = false, H_is_W = false;
    bool first_image = false, B_is_C = false;
    bool cls_last = false, E_transposed = false, b = true, b_on_cls = false;
    Positions positions = Positions::all;
    Reads reads = Reads::cls;
    Hidden hidden = Hidden::as_asked;
    Blocks blocks = Blocks::pre_and_norm;
    bool one_head = false, eps_fixed = false;
    bool b_head = true, W_head_transposed = false, softmax = false;
    bool operator==(const Variant&) const = default;
};

/// The patches, tokens, logits the way somebody makes them, from inputs of type T. False where the shapes do
/// not allow it, or no output is complete. `sizes` are such that P divides H and W.
template <class T>
bool patchify(const Variant& way, Array& patches, const Array& X, const Sizes& sizes);
template <class T>
bool unpatchify(const Variant& way, Array& X, const Array& patches, const Sizes& sizes);
template <class T>
bool embed_patches(const Variant& way, Array& Z, const Arrays& inputs, const Sizes& sizes);
template <class T>
bool vit_encode(const Variant& way, Array& logits, const Function& function, const Arrays& inputs,
                const Sizes& sizes);

}  // namespace attn::ask::vit_patching
