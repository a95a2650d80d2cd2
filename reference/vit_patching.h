#pragma once
/// The reference for assignment 6: plain loops, one text for float and double. Contract, shapes and sources:
/// assignments/06_vit_patching/vit_patching.h.

#include "assignments/06_vit_patching/vit_patching.h"
#include "assignments/tensor.h"

namespace attn::cpu {

/// patches[b, r (W/P) + k, (py P + px) C + c] = X[b, c, r P + py, k P + px]
/// X [B, C, H, W], patches [B, (H/P) (W/P), P P C]. Throws std::invalid_argument if P does not divide H
/// and W, as do all functions here.
template <class T>
void patchify(TensorView<T, 3> patches, TensorView<const T, 4> X, int P);

/// X[b, c, r P + py, k P + px] = patches[b, r (W/P) + k, (py P + px) C + c]
template <class T>
void unpatchify(TensorView<T, 4> X, TensorView<const T, 3> patches, int P);

/// Z = [cls; patches E + b] + E_pos
/// X [B, C, H, W], E [P P C, D], b and cls [D], E_pos [N + 1, D], Z [B, N + 1, D]
template <class T>
void embed_patches(TensorView<T, 3> Z, TensorView<const T, 4> X, TensorView<const T, 2> E,
                   TensorView<const T, 1> b, TensorView<const T, 1> cls, TensorView<const T, 2> E_pos, int P);

/// logits[b] = Z[b, 0] W_head + b_head, Z = pre-norm encoder of embed_patches of X, with its final layer
/// norm. X [B, C, H, W], logits [B, K]. Throws std::invalid_argument also if heads does not divide D.
template <class T>
void vit_encode(TensorView<T, 2> logits, TensorView<const T, 4> X, const VitWeights<T>& weights, int P,
                int heads, Activation activation, T eps);

}  // namespace attn::cpu
