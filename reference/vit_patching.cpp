#include <cstddef>
#include <vector>

#include "contracts/transformer_block_reference.h"
#include "contracts/vit_patching_reference.h"
#include "reference/refusals.h"

namespace attn::cpu {
namespace {

/// Calls visit(i, f, c, y, x) for every number of an image. Its place is (i, f) in the patches and (c, y,
/// x) in the image.
template <class Visit>
void for_each_pixel(int C, int H, int W, int P, Visit visit) {
    for (int r = 0; r < H / P; ++r)
        for (int k = 0; k < W / P; ++k)
            for (int py = 0; py < P; ++py)
                for (int px = 0; px < P; ++px)
                    for (int c = 0; c < C; ++c)
                        visit(r * (W / P) + k, (py * P + px) * C + c, c, r * P + py, k * P + px);
}

std::size_t product(int a, int b, int c) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c);
}

}  // namespace

template <class T>
void patchify(TensorView<T, 3> patches, TensorView<const T, 4> X, int P) {
    const int B = X.size(0), C = X.size(1), H = X.size(2), W = X.size(3);
    require_whole_patches(H, W, P);
    for (int b = 0; b < B; ++b) {
        for_each_pixel(C, H, W, P,
                       [&](int i, int f, int c, int y, int x) { patches(b, i, f) = X(b, c, y, x); });
    }
}

template <class T>
void unpatchify(TensorView<T, 4> X, TensorView<const T, 3> patches, int P) {
    const int B = X.size(0), C = X.size(1), H = X.size(2), W = X.size(3);
    require_whole_patches(H, W, P);
    for (int b = 0; b < B; ++b) {
        for_each_pixel(C, H, W, P,
                       [&](int i, int f, int c, int y, int x) { X(b, c, y, x) = patches(b, i, f); });
    }
}

template <class T>
void embed_patches(TensorView<T, 3> Z, TensorView<const T, 4> X, TensorView<const T, 2> E,
                   TensorView<const T, 1> b, TensorView<const T, 1> cls, TensorView<const T, 2> E_pos,
                   int P) {
    const int B = X.size(0), C = X.size(1), H = X.size(2), W = X.size(3), D = E.size(1);
    require_whole_patches(H, W, P);
    const int N = (H / P) * (W / P), features = P * P * C;
    std::vector<T> cut(product(B, N, features));
    const TensorView<T, 3> patches(cut.data(), B, N, features);
    patchify<T>(patches, X, P);
    for (int image = 0; image < B; ++image) {
        for (int d = 0; d < D; ++d) {
            // Z[0] = cls + E_pos[0]
            Z(image, 0, d) = cls(d) + E_pos(0, d);
            // Z[1 + i] = patches[i] E + b + E_pos[1 + i]
            for (int i = 0; i < N; ++i) {
                T sum = 0;
                for (int f = 0; f < features; ++f) sum += patches(image, i, f) * E(f, d);
                Z(image, 1 + i, d) = sum + b(d) + E_pos(1 + i, d);
            }
        }
    }
}

template <class T>
void vit_encode(TensorView<T, 2> logits, TensorView<const T, 4> X, const VitWeights<T>& weights, int P,
                int heads, Activation activation, T eps) {
    const int B = X.size(0), H = X.size(2), W = X.size(3), D = weights.E.size(1), K = logits.size(1);
    require_whole_patches(H, W, P);
    require_whole_heads(D, heads);
    const int N = (H / P) * (W / P);
    std::vector<T> embedded(product(B, N + 1, D)), encoded(embedded.size());
    const TensorView<T, 3> Z_0(embedded.data(), B, N + 1, D), Z(encoded.data(), B, N + 1, D);
    // Z_0 = [cls; patches E + b] + E_pos
    embed_patches<T>(Z_0, X, weights.E, weights.b, weights.cls, weights.E_pos, P);
    // Z = LN(X_L), X_l = pre-norm block l of X_{l-1}, X_0 = Z_0
    transformer_encoder<T>(Z, Z_0, weights.encoder, {}, heads, Norm::pre, activation, eps);
    // logits = Z[0] W_head + b_head
    for (int b = 0; b < B; ++b) {
        for (int k = 0; k < K; ++k) {
            T sum = 0;
            for (int d = 0; d < D; ++d) sum += Z(b, 0, d) * weights.W_head(d, k);
            logits(b, k) = sum + weights.b_head(k);
        }
    }
}

}  // namespace attn::cpu

#include "contracts/vit_patching_instances.h"
