#pragma once
/// Assignment 6: what several of its files use.

#include <vector>

#include "grader/ask/module.h"

namespace attn::ask::vit_patching {

std::vector<Property> embed_patches_properties();
std::vector<Property> vit_encode_properties();

/// The patches of images X [B, C, H, W], by the contract's formula.
Array cut(const Array& X, int P);
/// The images of these patches, by the contract's formula. `images`: their shape [B, C, H, W].
Array together(const Array& patches, const Shape& images, int P);

/// Changes one pixel of the first image. Exactly one row of `output` [B, N, D] must change.
Property one_pixel_one_row(const std::string& name, const std::string& statement, const std::string& output);

}  // namespace attn::ask::vit_patching
