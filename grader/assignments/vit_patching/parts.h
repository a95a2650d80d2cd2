#pragma once
/// The pieces that make up the module vit_patching; questions.cpp puts them together.

#include <optional>
#include <span>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask::vit_patching {

std::vector<Property> patchify_properties();
std::vector<Property> unpatchify_properties();
std::vector<Property> embed_patches_properties();
std::vector<Property> vit_encode_properties();
std::vector<Mistake> mistakes();
std::optional<Arrays> mistaken(const Function& function, std::span<const int> made, const Arrays& inputs,
                               Precision precision);

/// P of a call.
int patch_side(const Arrays& inputs);

/// The patches of images [B, C, H, W] and the images of patches, by the contract's formula.
Array cut(const Array& X, int P);
Array together(const Array& patches, const Shape& images, int P);

/// "One pixel goes into one row": changes a pixel of the first image and counts the rows of `output` [B, N,
/// D] that change.
Property one_pixel_one_row(const std::string& name, const std::string& statement, const std::string& output);

}  // namespace attn::ask::vit_patching
