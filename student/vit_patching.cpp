// Assignment 6: ViT patching. Handout: assignments/06_vit_patching/README.md
// What each function has to do, with every shape: assignments/06_vit_patching/vit_patching.h
//
// Fill in the functions in this order, and run `make grade A=6` after each.

#include "vit_patching.h"

namespace attn {

// Step 1.  X [B, C, H, W], patches [B, (H/P) (W/P), P P C]
void patchify(TensorView<float, 3> patches, TensorView<const float, 4> X, int P) {
    // Your code. C, H, W are X.size(1), X.size(2), X.size(3); write every patches(b, i, f).
    (void)patches, (void)X, (void)P;  // delete this line: it only prevents a warning
}

// Step 2.  patches [B, (H/P) (W/P), P P C], X [B, C, H, W]
void unpatchify(TensorView<float, 4> X, TensorView<const float, 3> patches, int P) {
    // Your code.
    (void)X, (void)patches, (void)P;
}

// Step 3.  X [B, C, H, W], E [P P C, D], b and cls [D], E_pos [N + 1, D], Z [B, N + 1, D]
void embed_patches(TensorView<float, 3> Z, TensorView<const float, 4> X, TensorView<const float, 2> E,
                   TensorView<const float, 1> b, TensorView<const float, 1> cls,
                   TensorView<const float, 2> E_pos, int P) {
    // Your code.
    (void)Z, (void)X, (void)E, (void)b, (void)cls, (void)E_pos, (void)P;
}

// Step 4.  X [B, C, H, W], logits [B, K], weights as in the header
void vit_encode(TensorView<float, 2> logits, TensorView<const float, 4> X, const VitWeights<float>& weights,
                int P, int heads, Activation activation, float eps) {
    // Your code.
    (void)logits, (void)X, (void)weights, (void)P, (void)heads, (void)activation, (void)eps;
}

}  // namespace attn
