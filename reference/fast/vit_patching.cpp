#include <algorithm>
#include <type_traits>

#include "contracts/transformer_block_fast.h"
#include "contracts/vit_patching_fast.h"
#include "reference/fast/buffer.h"
#include "reference/fast/matmul.h"
#include "reference/fast/threads.h"
#include "reference/refusals.h"

namespace attn::fast {
namespace {

/// Calls f(in patches, in X) for every row of pixels of every patch: where the row's first number stands in
/// the patches, and its first channel's in the images [B, C, H, W]. `patch_rows` is how far two images'
/// patches are apart.
template <class F>
void for_each_run(int B, int C, int H, int W, int P, std::ptrdiff_t patch_rows, F f) {
    const int down = H / P, across = W / P;
    parallel_for(B * down, [=](int k) {
        const std::ptrdiff_t b = k / down, r = k % down, features = std::ptrdiff_t{P} * P * C;
        for (std::ptrdiff_t py = 0; py < P; ++py)
            for (std::ptrdiff_t column = 0; column < across; ++column)
                f((b * patch_rows + r * across + column) * features + py * P * C,
                  (b * C * H + r * P + py) * W + column * P);
    });
}

/// Calls f(number of the run in the patches, in the images) for its P pixels of C channels; a channel's
/// pixels lie side by side in the images, a pixel's channels in the patches. The usual numbers of channels
/// are known to the compiler.
template <class F>
void for_each_number(int C, int P, std::ptrdiff_t channel, F f) {
    const auto with = [=](auto channels) {
        for (int px = 0; px < P; ++px)
            for (int c = 0; c < channels; ++c) f(px * channels + c, c * channel + px);
    };
    if (C == 1)
        with(std::integral_constant<int, 1>());
    else if (C == 3)
        with(std::integral_constant<int, 3>());
    else
        with(C);
}

void cut(float* patches, std::ptrdiff_t patch_rows, TensorView<const float, 4> X, int P) {
    const int C = X.size(1);
    const std::ptrdiff_t channel = std::ptrdiff_t{X.size(2)} * X.size(3);
    for_each_run(X.size(0), C, X.size(2), X.size(3), P, patch_rows,
                 [=](std::ptrdiff_t in_patches, std::ptrdiff_t in_X) {
                     float* const to = patches + in_patches;
                     const float* const from = X.data() + in_X;
                     for_each_number(C, P, channel, [=](int k, std::ptrdiff_t j) { to[k] = from[j]; });
                 });
}

}  // namespace

void patchify(TensorView<float, 3> patches, TensorView<const float, 4> X, int P) {
    require_whole_patches(X.size(2), X.size(3), P);
    cut(patches.data(), patches.size(1), X, P);
}

void unpatchify(TensorView<float, 4> X, TensorView<const float, 3> patches, int P) {
    require_whole_patches(X.size(2), X.size(3), P);
    const int C = X.size(1);
    const std::ptrdiff_t channel = std::ptrdiff_t{X.size(2)} * X.size(3);
    for_each_run(X.size(0), C, X.size(2), X.size(3), P, patches.size(1),
                 [=](std::ptrdiff_t in_patches, std::ptrdiff_t in_X) {
                     float* const to = X.data() + in_X;
                     const float* const from = patches.data() + in_patches;
                     for_each_number(C, P, channel, [=](int k, std::ptrdiff_t j) { to[j] = from[k]; });
                 });
}

void embed_patches(TensorView<float, 3> Z, TensorView<const float, 4> X, TensorView<const float, 2> E,
                   TensorView<const float, 1> b, TensorView<const float, 1> cls,
                   TensorView<const float, 2> E_pos, int P) {
    const int B = X.size(0), H = X.size(2), W = X.size(3), D = E.size(1), features = E.size(0);
    require_whole_patches(H, W, P);
    const int tokens = (H / P) * (W / P) + 1;
    // A row of zeros stands where the class token will be, so that one product makes the tokens of all
    // images.
    thread_local Buffer buffer;
    const auto size = static_cast<std::size_t>(features);
    float* const patches = buffer.get(static_cast<std::size_t>(B) * static_cast<std::size_t>(tokens) * size);
    cut(patches + features, tokens, X, P);
    for (std::ptrdiff_t image = 0; image < B; ++image) {
        std::fill_n(patches + image * tokens * features, features, 0.0F);
        float* const z = Z.data() + image * tokens * D;
        for (int d = 0; d < D; ++d) z[d] = cls(d) + E_pos(0, d);
        for (int k = 1; k < tokens; ++k)
            for (int d = 0; d < D; ++d) z[std::ptrdiff_t{k} * D + d] = E_pos(k, d) + b(d);
    }
    add_product(Z, {patches, B * tokens, features}, E);
}

void vit_encode(TensorView<float, 2> logits, TensorView<const float, 4> X, const VitWeights<float>& weights,
                int P, int heads, Activation activation, float eps) {
    const int B = X.size(0), H = X.size(2), W = X.size(3), D = weights.E.size(1);
    require_whole_patches(H, W, P);
    require_whole_heads(D, heads);
    const int tokens = (H / P) * (W / P) + 1;
    thread_local Buffer buffer;
    const TensorView<float, 3> Z(buffer.get(static_cast<std::size_t>(B) * static_cast<std::size_t>(tokens) *
                                            static_cast<std::size_t>(D)),
                                 B, tokens, D);
    fast::embed_patches(Z, X, weights.E, weights.b, weights.cls, weights.E_pos, P);
    fast::transformer_encoder(Z, Z, weights.encoder, {}, heads, Norm::pre, activation, eps);
    // The class tokens lie `tokens` rows apart.
    linear(logits, {Z.data(), B, D, std::ptrdiff_t{tokens} * D}, weights.W_head, weights.b_head.data());
}

}  // namespace attn::fast
