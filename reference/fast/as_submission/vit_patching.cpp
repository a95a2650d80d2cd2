// The contract's functions, answered by the yardstick.

#include "reference/fast/vit_patching.h"

namespace attn {

void patchify(TensorView<float, 3> patches, TensorView<const float, 4> X, int P) {
    fast::patchify(patches, X, P);
}

void unpatchify(TensorView<float, 4> X, TensorView<const float, 3> patches, int P) {
    fast::unpatchify(X, patches, P);
}

void embed_patches(TensorView<float, 3> Z, TensorView<const float, 4> X, TensorView<const float, 2> E,
                   TensorView<const float, 1> b, TensorView<const float, 1> cls,
                   TensorView<const float, 2> E_pos, int P) {
    fast::embed_patches(Z, X, E, b, cls, E_pos, P);
}

void vit_encode(TensorView<float, 2> logits, TensorView<const float, 4> X, const VitWeights<float>& weights,
                int P, int heads, Activation activation, float eps) {
    fast::vit_encode(logits, X, weights, P, heads, activation, eps);
}

}  // namespace attn
