#pragma once
/// Assignment 6 at the machine's speed; see reference/vit_patching.h.

#include "assignments/06_vit_patching/vit_patching.h"
#include "assignments/tensor.h"

namespace attn::fast {

/// All throw std::invalid_argument where P does not divide H and W.
void patchify(TensorView<float, 3> patches, TensorView<const float, 4> X, int P);
void unpatchify(TensorView<float, 4> X, TensorView<const float, 3> patches, int P);

/// Z = [cls; patches E + b] + E_pos
void embed_patches(TensorView<float, 3> Z, TensorView<const float, 4> X, TensorView<const float, 2> E,
                   TensorView<const float, 1> b, TensorView<const float, 1> cls,
                   TensorView<const float, 2> E_pos, int P);

/// logits[b] = encoder(embedding of X)[b, 0] W_head + b_head. Throws std::invalid_argument also where `heads`
/// does not divide D.
void vit_encode(TensorView<float, 2> logits, TensorView<const float, 4> X, const VitWeights<float>& weights,
                int P, int heads, Activation activation, float eps);

}  // namespace attn::fast
