#pragma once
/// Assignment 6: ViT patching. You write these four functions in student/vit_patching.cpp.
///
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major,
/// float; vectors are rows, weights are [in, out]; the outputs exist and have the right shape, write every
/// element.
/// Letters:  B images, C channels, H rows and W columns of pixels, P pixels along a patch's side,
///           N = (H/P) (W/P) patches, D numbers in a token, L blocks, K classes;
///           b image, c channel, y row, x column, i patch or token, d feature.

#include "../05_transformer_block/transformer_block.h"
#include "../tensor.h"

namespace attn {

/// The weights of a vision transformer.
template <class T>
struct VitWeights {
    TensorView<const T, 2> E;       ///< [P P C, D]  of the patch embedding
    TensorView<const T, 1> b;       ///< [D]
    TensorView<const T, 1> cls;     ///< [D]         the class token
    TensorView<const T, 2> E_pos;   ///< [N + 1, D]  one position per row, row 0 for the class token
    EncoderWeights<T> encoder;      ///< L blocks and the final layer norm
    TensorView<const T, 2> W_head;  ///< [D, K]
    TensorView<const T, 1> b_head;  ///< [K]
};

/// Cuts images into patches, row by row. A patch is in row order, too, with the channels of a pixel together.
///   patches[b, r (W/P) + k, (py P + px) C + c] = X[b, c, r P + py, k P + px]
/// X [B, C, H, W], patches [B, N, P P C]. Throws std::invalid_argument where P does not divide H and W.
/// Source: Dosovitskiy et al. 2020, section 3.1, x_p in R^{N x (P^2 C)}.
void patchify(TensorView<float, 3> patches, TensorView<const float, 4> X, int P);

/// Puts patches together again: undoes patchify.
///   X[b, c, r P + py, k P + px] = patches[b, r (W/P) + k, (py P + px) C + c]
/// patches [B, N, P P C], X [B, C, H, W]. Throws std::invalid_argument where P does not divide H and W.
void unpatchify(TensorView<float, 4> X, TensorView<const float, 3> patches, int P);

/// The tokens of an image: the class token, then the projected patches. A position is added to each token.
///   Z = [cls; patches E + b] + E_pos      [B, N + 1, D]
/// X [B, C, H, W], E [P P C, D], b and cls [D], E_pos [N + 1, D]. Throws std::invalid_argument where P does
/// not divide H and W. Source: Dosovitskiy et al. 2020, eq. (1).
void embed_patches(TensorView<float, 3> Z, TensorView<const float, 4> X, TensorView<const float, 2> E,
                   TensorView<const float, 1> b, TensorView<const float, 1> cls,
                   TensorView<const float, 2> E_pos, int P);

/// A vision transformer: what class is each image?
///   Z_0 = embed_patches of X                                     [B, N + 1, D]
///   Z   = transformer_encoder of Z_0: pre-norm, no mask, final LN   [B, N + 1, D]
///   logits[b] = Z[b, 0] W_head + b_head                          [B, K]
/// X [B, C, H, W]; every layer norm takes eps (default 1e-5). Throws std::invalid_argument where P does not
/// divide H and W, or heads does not divide D.
/// Source: Dosovitskiy et al. 2020, eqs. (1) to (4), with a linear head.
void vit_encode(TensorView<float, 2> logits, TensorView<const float, 4> X, const VitWeights<float>& weights,
                int P, int heads, Activation activation, float eps);

}  // namespace attn
