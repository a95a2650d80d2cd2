// The functions of co_attention.h, empty, for you to fill in.
// Handout: assignments/18_co_attention/README.md
// What each function has to do, with every shape: assignments/18_co_attention/co_attention.h
// What is different on a GPU, and how a thread finds the element that it owns: assignments/device.h
//
// Fill in the functions in this order, and run `make grade A=18` after each. You need no GPU.

#include "co_attention_cuda.h"
#include "device.h"
#include "language_model_cuda.h"
#include "masking_cuda.h"
#include "multi_head_cuda.h"
#include "transformer_block_cuda.h"

namespace attn::cuda {

// Step 1.  features [B, N_r, D_f], boxes [B, N_r, 4], width, height [B], weights (RegionWeights),
//          X [B, N_r, D_r], five [B, N_r, 5] or empty
void embed_regions(TensorView<float, 3> X, TensorView<float, 3> five, TensorView<const float, 3> features,
                   TensorView<const float, 3> boxes, TensorView<const float, 1> width,
                   TensorView<const float, 1> height, const RegionWeights<float>& weights,
                   cudaStream_t stream) {
    // Your code.
    // Delete this line: it only prevents a warning
    (void)X, (void)five, (void)features, (void)boxes, (void)width, (void)height, (void)weights, (void)stream;
}

// Step 2.  X_q [B, N_q, D_q], X_kv [B, N_k, D_k], weights (CoAttentionWeights), mask [B, N_k] or empty,
//          Y [B, N_q, D_q], A [B, H, N_q, N_k] or empty
void co_attention(TensorView<float, 3> Y, TensorView<float, 4> A, TensorView<const float, 3> X_q,
                  TensorView<const float, 3> X_kv, const CoAttentionWeights<float>& weights,
                  TensorView<const std::uint8_t, 2> mask, int H, cudaStream_t stream) {
    // Your code.
    (void)Y, (void)A, (void)X_q, (void)X_kv, (void)weights, (void)mask, (void)H, (void)stream;
}

// Step 3.  X_r [B, N_r, D_r], X_w [B, N_w, D_w], weights (CoBlockWeights), mask_r [B, N_r] or empty,
//          mask_w [B, N_w] or empty, Y_r [B, N_r, D_r], Y_w [B, N_w, D_w]
void co_attention_block(TensorView<float, 3> Y_r, TensorView<float, 3> Y_w, TensorView<const float, 3> X_r,
                        TensorView<const float, 3> X_w, const CoBlockWeights<float>& weights,
                        TensorView<const std::uint8_t, 2> mask_r, TensorView<const std::uint8_t, 2> mask_w,
                        int H, float eps, cudaStream_t stream) {
    // Your code.
    (void)Y_r, (void)Y_w, (void)X_r, (void)X_w, (void)weights, (void)mask_r, (void)mask_w, (void)H, (void)eps,
        (void)stream;
}

// Step 4.  features [B, N_r, D_f], boxes [B, N_r, 4], width, height [B], tokens [B, N_w],
//          regions (RegionWeights), table [V, D_w], P [N_w, D_w], weights (CoStackWeights),
//          mask_r [B, N_r] or empty, mask_w [B, N_w] or empty, Y_r [B, N_r, D_r], Y_w [B, N_w, D_w]
void vision_language_encode(TensorView<float, 3> Y_r, TensorView<float, 3> Y_w,
                            TensorView<const float, 3> features, TensorView<const float, 3> boxes,
                            TensorView<const float, 1> width, TensorView<const float, 1> height,
                            TensorView<const int, 2> tokens, const RegionWeights<float>& regions,
                            TensorView<const float, 2> table, TensorView<const float, 2> P,
                            const CoStackWeights<float>& weights, TensorView<const std::uint8_t, 2> mask_r,
                            TensorView<const std::uint8_t, 2> mask_w, int H, float eps, cudaStream_t stream) {
    // Your code.
    (void)Y_r, (void)Y_w, (void)features, (void)boxes, (void)width, (void)height, (void)tokens, (void)regions,
        (void)table, (void)P, (void)weights, (void)mask_r, (void)mask_w, (void)H, (void)eps, (void)stream;
}

// Step 5.  X_r [B, N_r, D_r], X_w [B, N_w, D_w], W_r [D_r, D], b_r [D], W_w [D_w, D], b_w, v [D], c [1],
//          score [B]
void alignment_score(TensorView<float, 1> score, TensorView<const float, 3> X_r,
                     TensorView<const float, 3> X_w, TensorView<const float, 2> W_r,
                     TensorView<const float, 1> b_r, TensorView<const float, 2> W_w,
                     TensorView<const float, 1> b_w, TensorView<const float, 1> v,
                     TensorView<const float, 1> c, cudaStream_t stream) {
    // Your code.
    (void)score, (void)X_r, (void)X_w, (void)W_r, (void)b_r, (void)W_w, (void)b_w, (void)v, (void)c,
        (void)stream;
}

}  // namespace attn::cuda
