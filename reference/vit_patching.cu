// The reference for assignment 6, as kernels: an outer loop of vit_patching.cpp becomes threads here.

#include <cstddef>
#include <stdexcept>
#include <string>

#include "device.h"
#include "transformer_block_cuda.h"
#include "vit_patching_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;

void require_whole_patches(int H, int W, int P) {
    if (P >= 1 && H % P == 0 && W % P == 0) return;
    throw std::invalid_argument("P = " + std::to_string(P) + " does not divide H = " + std::to_string(H) +
                                " and W = " + std::to_string(W));
}

void require_whole_heads(int D, int heads) {
    if (heads >= 1 && D % heads == 0) return;
    throw std::invalid_argument("heads = " + std::to_string(heads) +
                                " does not divide D = " + std::to_string(D));
}

/// The place of a number: (i, f) in the patches and (c, y, x) in the image.
struct Pixel {
    int i, f, c, y, x;
};

/// The place of number n of an image with C channels and W columns, counted patch by patch of P by P.
__device__ Pixel pixel(int n, int C, int W, int P) {
    const int i = n / (P * P * C), f = n % (P * P * C);
    const int r = i / (W / P), k = i % (W / P);
    const int py = f / C / P, px = f / C % P, c = f % C;
    return {i, f, c, r * P + py, k * P + px};
}

/// patches[b, r (W/P) + k, (py P + px) C + c] = X[b, c, r P + py, k P + px]. A thread owns one number.
__global__ void cut(TensorView<float, 3> patches, TensorView<const float, 4> X, int P) {
    const std::ptrdiff_t n = thread_number();
    if (n >= X.count()) return;
    const int C = X.size(1), H = X.size(2), W = X.size(3), pixels = C * H * W;
    const int b = static_cast<int>(n / pixels);
    const Pixel at = pixel(static_cast<int>(n % pixels), C, W, P);
    patches(b, at.i, at.f) = X(b, at.c, at.y, at.x);
}

/// X[b, c, r P + py, k P + px] = patches[b, r (W/P) + k, (py P + px) C + c]. A thread owns one number.
__global__ void paste(TensorView<float, 4> X, TensorView<const float, 3> patches, int P) {
    const std::ptrdiff_t n = thread_number();
    if (n >= X.count()) return;
    const int C = X.size(1), H = X.size(2), W = X.size(3), pixels = C * H * W;
    const int b = static_cast<int>(n / pixels);
    const Pixel at = pixel(static_cast<int>(n % pixels), C, W, P);
    X(b, at.c, at.y, at.x) = patches(b, at.i, at.f);
}

/// Z = [cls; patches E + b] + E_pos      Z [B, N + 1, D]. A thread owns one number of Z.
__global__ void embed(TensorView<float, 3> Z, TensorView<const float, 3> patches,
                      TensorView<const float, 2> E, TensorView<const float, 1> b,
                      TensorView<const float, 1> cls, TensorView<const float, 2> E_pos) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Z.count()) return;
    const auto [image, token, d] = index_in(Z, n);
    if (token == 0) {
        // Z[0] = cls + E_pos[0]
        Z(image, 0, d) = cls(d) + E_pos(0, d);
        return;
    }
    // Z[1 + i] = patches[i] E + b + E_pos[1 + i]
    const int i = token - 1;
    float sum = 0;
    for (int f = 0; f < E.size(0); ++f) sum += patches(image, i, f) * E(f, d);
    Z(image, 1 + i, d) = sum + b(d) + E_pos(1 + i, d);
}

/// logits = Z[0] W_head + b_head      logits [B, K]. A thread owns one number of logits.
__global__ void classify(TensorView<float, 2> logits, TensorView<const float, 3> Z,
                         TensorView<const float, 2> W_head, TensorView<const float, 1> b_head) {
    const std::ptrdiff_t n = thread_number();
    if (n >= logits.count()) return;
    const auto [b, k] = index_in(logits, n);
    float sum = 0;
    for (int d = 0; d < Z.size(2); ++d) sum += Z(b, 0, d) * W_head(d, k);
    logits(b, k) = sum + b_head(k);
}

}  // namespace

void patchify(TensorView<float, 3> patches, TensorView<const float, 4> X, int P, cudaStream_t stream) {
    require_whole_patches(X.size(2), X.size(3), P);
    cut<<<blocks_for(X.count(), kThreads), kThreads, 0, stream>>>(patches, X, P);
    check(cudaGetLastError(), "cut");
}

void unpatchify(TensorView<float, 4> X, TensorView<const float, 3> patches, int P, cudaStream_t stream) {
    require_whole_patches(X.size(2), X.size(3), P);
    paste<<<blocks_for(X.count(), kThreads), kThreads, 0, stream>>>(X, patches, P);
    check(cudaGetLastError(), "paste");
}

void embed_patches(TensorView<float, 3> Z, TensorView<const float, 4> X, TensorView<const float, 2> E,
                   TensorView<const float, 1> b, TensorView<const float, 1> cls,
                   TensorView<const float, 2> E_pos, int P, cudaStream_t stream) {
    const int B = X.size(0), C = X.size(1), H = X.size(2), W = X.size(3);
    require_whole_patches(H, W, P);
    const int N = (H / P) * (W / P), features = P * P * C;
    const DeviceBuffer<float> all_patches(stream, B, N, features);
    const TensorView<float, 3> patches = all_patches.view(B, N, features);
    patchify(patches, X, P, stream);
    // Z = [cls; patches E + b] + E_pos
    embed<<<blocks_for(Z.count(), kThreads), kThreads, 0, stream>>>(Z, patches, E, b, cls, E_pos);
    check(cudaGetLastError(), "embed");
}

void vit_encode(TensorView<float, 2> logits, TensorView<const float, 4> X, const VitWeights<float>& weights,
                int P, int heads, Activation activation, float eps, cudaStream_t stream) {
    const int B = X.size(0), H = X.size(2), W = X.size(3), D = weights.E.size(1);
    require_whole_patches(H, W, P);
    require_whole_heads(D, heads);
    const int N = (H / P) * (W / P);
    const DeviceBuffer<float> embedded(stream, B, N + 1, D), encoded(stream, B, N + 1, D);
    const TensorView<float, 3> Z_0 = embedded.view(B, N + 1, D), Z = encoded.view(B, N + 1, D);
    // Z_0 = [cls; patches E + b] + E_pos
    embed_patches(Z_0, X, weights.E, weights.b, weights.cls, weights.E_pos, P, stream);
    // Z = LN(X_L), X_l = pre-norm block l of X_{l-1}, X_0 = Z_0
    transformer_encoder(Z, Z_0, weights.encoder, {}, heads, Norm::pre, activation, eps, stream);
    // logits = Z[0] W_head + b_head
    classify<<<blocks_for(logits.count(), kThreads), kThreads, 0, stream>>>(logits, Z, weights.W_head,
                                                                            weights.b_head);
    check(cudaGetLastError(), "classify");
}

}  // namespace attn::cuda
