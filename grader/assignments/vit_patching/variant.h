#pragma once
/// Assignment 6 with a switch for every misconception, so that any two of them can be combined.

#include "assignments/array.h"
#include "assignments/tensor.h"
#include "grader/ask/check.h"

namespace attn::ask::vit_patching {

/// The order in which the numbers of the patches are read from memory, slowest index first.
enum class Unrolled {
    patches,   ///< r, k, py, px, c: the right order
    image,     ///< c, y, x: the order of the image in memory
    channels,  ///< c, r, k, py, px: the channels were not moved to the end
    features,  ///< c, py, px, r, k: one column for each patch, not transposed
};
enum class Positions { all, none, patches_from_row_0, all_from_row_0, patches_only };
enum class Reads { cls, last, mean, mean_of_patches };  ///< which tokens the head uses
enum class Hidden { as_asked, relu, gelu };
enum class Blocks { pre_and_norm, pre_without_norm, post, causal, first_only };

/// With its default values: the right computation.
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

/// Write the output of a function, from inputs of type T. False if the shapes do not allow this variant or an
/// output would not be complete. Require sizes in which P divides H and W.
template <class T>
bool patchify(const Variant& variant, Array& patches, const Array& X, const Sizes& sizes);
template <class T>
bool unpatchify(const Variant& variant, Array& X, const Array& patches, const Sizes& sizes);
template <class T>
bool embed_patches(const Variant& variant, Array& Z, const Arrays& inputs, const Sizes& sizes);
template <class T>
bool vit_encode(const Variant& variant, Array& logits, const Function& function, const Arrays& inputs,
                const Sizes& sizes);

}  // namespace attn::ask::vit_patching
