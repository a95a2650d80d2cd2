// A right solution as a student would write it, independent of the reference. edits.toml changes parts of
// this text, so each text that it replaces must occur here exactly once.

#include <stdexcept>
#include <string>
#include <vector>

#include "vit_patching.h"

namespace attn {

static void check_patches(int H, int W, int P) {
    if (H % P != 0 || W % P != 0)
        throw std::invalid_argument("P = " + std::to_string(P) + " does not divide " + std::to_string(H) +
                                    " x " + std::to_string(W));
}

void patchify(TensorView<float, 3> patches, TensorView<const float, 4> X, int P) {
    const int B = X.size(0), C = X.size(1), H = X.size(2), W = X.size(3);
    check_patches(H, W, P);
    for (int b = 0; b < B; b++)
        for (int i = 0; i < patches.size(1); i++)
            for (int c = 0; c < C; c++)
                for (int py = 0; py < P; py++)
                    for (int px = 0; px < P; px++) {
                        const int y = i / (W / P) * P + py, x = i % (W / P) * P + px;
                        patches(b, i, (py * P + px) * C + c) = X(b, c, y, x);
                    }
}

void unpatchify(TensorView<float, 4> X, TensorView<const float, 3> patches, int P) {
    const int C = X.size(1), height = X.size(2), width = X.size(3);
    check_patches(height, width, P);
    for (int b = 0; b < X.size(0); b++)
        for (int c = 0; c < C; c++)
            for (int y = 0; y < height; y++)
                for (int x = 0; x < width; x++) {
                    const int row = y / P, column = x / P;
                    const int patch = row * (width / P) + column;
                    X(b, c, y, x) = patches(b, patch, (y % P * P + x % P) * C + c);
                }
}

void embed_patches(TensorView<float, 3> Z, TensorView<const float, 4> X, TensorView<const float, 2> E,
                   TensorView<const float, 1> b, TensorView<const float, 1> cls,
                   TensorView<const float, 2> E_pos, int P) {
    const int B = X.size(0), N = Z.size(1) - 1, F = E.size(0), D = E.size(1);
    check_patches(X.size(2), X.size(3), P);
    std::vector<float> memory(B * N * F);
    TensorView<float, 3> cut(memory.data(), B, N, F);
    patchify(cut, X, P);
    for (int n = 0; n < B; n++) {
        for (int d = 0; d < D; d++) Z(n, 0, d) = cls(d) + E_pos(0, d);
        for (int i = 0; i < N; i++)
            for (int d = 0; d < D; d++) {
                float sum = 0;
                for (int f = 0; f < F; f++) sum += cut(n, i, f) * E(f, d);
                Z(n, i + 1, d) = sum + b(d) + E_pos(i + 1, d);
            }
    }
}

void vit_encode(TensorView<float, 2> logits, TensorView<const float, 4> X, const VitWeights<float>& weights,
                int P, int heads, Activation activation, float eps) {
    const int B = X.size(0), K = logits.size(1), tokens = weights.E_pos.size(0), D = weights.E_pos.size(1);
    check_patches(X.size(2), X.size(3), P);
    if (D % heads != 0)
        throw std::invalid_argument(std::to_string(heads) + " heads do not divide " + std::to_string(D));
    std::vector<float> in(B * tokens * D), out(B * tokens * D);
    TensorView<float, 3> Z0(in.data(), B, tokens, D), Z(out.data(), B, tokens, D);
    embed_patches(Z0, X, weights.E, weights.b, weights.cls, weights.E_pos, P);
    transformer_encoder(Z, Z0, weights.encoder, {}, heads, Norm::pre, activation, eps);
    for (int b = 0; b < B; b++)
        for (int k = 0; k < K; k++) {
            float sum = weights.b_head(k);
            for (int d = 0; d < D; d++) sum += Z(b, 0, d) * weights.W_head(d, k);
            logits(b, k) = sum;
        }
}

}  // namespace attn
