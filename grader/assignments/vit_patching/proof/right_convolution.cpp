// Another right solution: the embedding is a convolution of stride P that never makes the patches. patchify
// copies pixel by pixel of the image with pointers.

#include <stdexcept>
#include <vector>

#include "vit_patching.h"

namespace attn {

void patchify(TensorView<float, 3> patches, TensorView<const float, 4> X, int P) {
    const int C = X.size(1), H = X.size(2), W = X.size(3);
    if (H % P || W % P) throw std::invalid_argument("no whole number of patches");
    const float* pixel = X.data();
    for (int b = 0; b < X.size(0); b++)
        for (int c = 0; c < C; c++)
            for (int y = 0; y < H; y++)
                for (int x = 0; x < W; x++)
                    patches(b, y / P * (W / P) + x / P, ((y % P) * P + x % P) * C + c) = *pixel++;
}

void unpatchify(TensorView<float, 4> X, TensorView<const float, 3> patches, int P) {
    const int C = X.size(1), H = X.size(2), W = X.size(3);
    if (H % P || W % P) throw std::invalid_argument("no whole number of patches");
    const float* number = patches.data();
    for (int b = 0; b < X.size(0); b++)
        for (int top = 0; top < H; top += P)
            for (int left = 0; left < W; left += P)
                for (int y = top; y < top + P; y++)
                    for (int x = left; x < left + P; x++)
                        for (int c = 0; c < C; c++) X(b, c, y, x) = *number++;
}

void embed_patches(TensorView<float, 3> Z, TensorView<const float, 4> X, TensorView<const float, 2> E,
                   TensorView<const float, 1> b, TensorView<const float, 1> cls,
                   TensorView<const float, 2> E_pos, int P) {
    const int C = X.size(1), H = X.size(2), W = X.size(3), D = E.size(1);
    if (H % P || W % P) throw std::invalid_argument("no whole number of patches");
    for (int n = 0; n < X.size(0); n++) {
        for (int t = 0; t < Z.size(1); t++)
            for (int d = 0; d < D; d++) Z(n, t, d) = E_pos(t, d) + (t == 0 ? cls(d) : b(d));
        for (int c = 0; c < C; c++)
            for (int y = 0; y < H; y++)
                for (int x = 0; x < W; x++) {
                    const int t = 1 + y / P * (W / P) + x / P, f = ((y % P) * P + x % P) * C + c;
                    for (int d = 0; d < D; d++) Z(n, t, d) += X(n, c, y, x) * E(f, d);
                }
    }
}

// Computes each image by itself, block by block.
void vit_encode(TensorView<float, 2> logits, TensorView<const float, 4> X, const VitWeights<float>& weights,
                int P, int heads, Activation activation, float eps) {
    const int C = X.size(1), H = X.size(2), W = X.size(3);
    const int tokens = weights.E_pos.size(0), D = weights.E_pos.size(1), K = logits.size(1);
    if (H % P || W % P) throw std::invalid_argument("no whole number of patches");
    if (D % heads) throw std::invalid_argument("no whole number of heads");
    for (int b = 0; b < X.size(0); b++) {
        const TensorView<const float, 4> image(X[b].data(), 1, C, H, W);
        std::vector<float> now(tokens * D), next(tokens * D), normed(tokens * D);
        embed_patches(TensorView<float, 3>(now.data(), 1, tokens, D), image, weights.E, weights.b,
                      weights.cls, weights.E_pos, P);
        for (int l = 0; l < weights.encoder.layers(); l++) {
            transformer_block(TensorView<float, 3>(next.data(), 1, tokens, D),
                              TensorView<float, 3>(now.data(), 1, tokens, D), weights.encoder.layer(l), {},
                              heads, Norm::pre, activation, eps);
            now.swap(next);
        }
        const TensorView<float, 2> z(normed.data(), 1, D);
        layer_norm(z, TensorView<float, 2>(now.data(), 1, D), weights.encoder.gamma, weights.encoder.beta,
                   eps);
        for (int k = 0; k < K; k++) {
            logits(b, k) = weights.b_head(k);
            for (int d = D - 1; d >= 0; d--) logits(b, k) += z(0, d) * weights.W_head(d, k);
        }
    }
}

}  // namespace attn
