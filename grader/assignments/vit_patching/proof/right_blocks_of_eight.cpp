// Another right solution: a table of indices is computed first, products are summed in double for eight
// features of a token at a time, and the class token is written last.

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "vit_patching.h"

namespace attn {

// places[i * features + f]: the index of number f of patch i in an image [C, H, W].
static std::vector<int> places(int C, int H, int W, int P) {
    if (H % P != 0) throw std::invalid_argument("H = " + std::to_string(H) + ", P = " + std::to_string(P));
    if (W % P != 0) throw std::invalid_argument("W = " + std::to_string(W) + ", P = " + std::to_string(P));
    std::vector<int> all;
    for (int top = 0; top < H; top += P)
        for (int left = 0; left < W; left += P)
            for (int inside = 0; inside < P * P; inside++)
                for (int c = 0; c < C; c++) all.push_back((c * H + top + inside / P) * W + left + inside % P);
    return all;
}

void patchify(TensorView<float, 3> patches, TensorView<const float, 4> X, int P) {
    const std::vector<int> from = places(X.size(1), X.size(2), X.size(3), P);
    for (int b = 0; b < X.size(0); b++)
        for (size_t k = 0; k < from.size(); k++) patches[b].data()[k] = X[b].data()[from[k]];
}

void unpatchify(TensorView<float, 4> X, TensorView<const float, 3> patches, int P) {
    const std::vector<int> to = places(X.size(1), X.size(2), X.size(3), P);
    for (int b = 0; b < X.size(0); b++)
        for (size_t k = 0; k < to.size(); k++) X[b].data()[to[k]] = patches[b].data()[k];
}

void embed_patches(TensorView<float, 3> Z, TensorView<const float, 4> X, TensorView<const float, 2> E,
                   TensorView<const float, 1> b, TensorView<const float, 1> cls,
                   TensorView<const float, 2> E_pos, int P) {
    const std::vector<int> from = places(X.size(1), X.size(2), X.size(3), P);
    const int features = E.size(0), D = E.size(1);
    for (int n = 0; n < X.size(0); n++) {
        const float* image = X[n].data();
        for (int t = Z.size(1) - 1; t > 0; t--)
            for (int start = 0; start < D; start += 8) {
                double sum[8] = {};
                const int end = std::min(D, start + 8);
                for (int f = 0; f < features; f++)
                    for (int d = start; d < end; d++)
                        sum[d - start] += double(image[from[(t - 1) * features + f]]) * E(f, d);
                for (int d = start; d < end; d++) Z(n, t, d) = float(sum[d - start] + b(d) + E_pos(t, d));
            }
        for (int d = 0; d < D; d++) Z(n, 0, d) = E_pos(0, d) + cls(d);
    }
}

void vit_encode(TensorView<float, 2> logits, TensorView<const float, 4> X, const VitWeights<float>& weights,
                int P, int heads, Activation activation, float eps) {
    const int B = X.size(0), tokens = weights.E_pos.size(0), D = weights.E_pos.size(1);
    std::vector<float> z(B * tokens * D), y(B * tokens * D);
    TensorView<float, 3> Z(z.data(), B, tokens, D), Y(y.data(), B, tokens, D);
    embed_patches(Z, X, weights.E, weights.b, weights.cls, weights.E_pos, P);
    if (D % heads != 0) throw std::invalid_argument("heads = " + std::to_string(heads));
    transformer_encoder(Y, Z, weights.encoder, {}, heads, Norm::pre, activation, eps);
    for (int b = 0; b < B; b++)
        for (int k = 0; k < logits.size(1); k++) {
            double sum = 0;
            for (int d = 0; d < D; d++) sum += double(Y(b, 0, d)) * weights.W_head(d, k);
            logits(b, k) = float(sum + weights.b_head(k));
        }
}

}  // namespace attn
