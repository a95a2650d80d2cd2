// The functions of windows.h, empty, for you to fill in.
// Handout: assignments/17_windows/README.md
// What each function has to do, with every shape: assignments/17_windows/windows.h
// What is different on a GPU, and how a thread finds the element that it owns: assignments/device.h
//
// Fill in the functions in this order, and run `make grade A=17` after each. You need no GPU.

#include "device.h"
#include "multi_head_cuda.h"
#include "transformer_block_cuda.h"
#include "vit_patching_cuda.h"
#include "windows_cuda.h"

namespace attn::cuda {

// Step 1.  X [B, H, W, D], windows [B, H/M*W/M, M*M, D]
void window_partition(TensorView<float, 4> windows, TensorView<const float, 4> X, int M,
                      cudaStream_t stream) {
    // Your code.
    (void)windows, (void)X, (void)M, (void)stream;  // delete this line: it only prevents a warning
}

// Step 2.  windows [B, H/M*W/M, M*M, D], X [B, H, W, D]
void window_reverse(TensorView<float, 4> X, TensorView<const float, 4> windows, int M, cudaStream_t stream) {
    // Your code.
    (void)X, (void)windows, (void)M, (void)stream;
}

// Step 3.  X, Y [B, H, W, D]
void cyclic_shift(TensorView<float, 4> Y, TensorView<const float, 4> X, int shift, cudaStream_t stream) {
    // Your code.
    (void)Y, (void)X, (void)shift, (void)stream;
}

// Step 4.  mask [H/M*W/M, M*M, M*M]
void shifted_window_mask(TensorView<std::uint8_t, 3> mask, int H, int W, int M, int shift,
                         cudaStream_t stream) {
    // Your code.
    (void)mask, (void)H, (void)W, (void)M, (void)shift, (void)stream;
}

// Step 5.  X [B, N, M*M, D], weights (WindowWeights), mask [N, M*M, M*M] or empty, Y [B, N, M*M, D]
void window_attention(TensorView<float, 4> Y, TensorView<const float, 4> X,
                      const WindowWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int M,
                      cudaStream_t stream) {
    // Your code.
    (void)Y, (void)X, (void)weights, (void)mask, (void)M, (void)stream;
}

// Step 6.  X [B, H, W, D], weights (SwinWeights), Y [B, H, W, D]
void swin_block(TensorView<float, 4> Y, TensorView<const float, 4> X, const SwinWeights<float>& weights,
                int M, Activation activation, float eps, cudaStream_t stream) {
    // Your code.
    (void)Y, (void)X, (void)weights, (void)M, (void)activation, (void)eps, (void)stream;
}

// Step 7.  X [B, H, W, D], gamma, beta [4*D], W_R [4*D, 2*D], Y [B, H/2, W/2, 2*D]
void patch_merging(TensorView<float, 4> Y, TensorView<const float, 4> X, TensorView<const float, 1> gamma,
                   TensorView<const float, 1> beta, TensorView<const float, 2> W_R, float eps,
                   cudaStream_t stream) {
    // Your code.
    (void)Y, (void)X, (void)gamma, (void)beta, (void)W_R, (void)eps, (void)stream;
}

// Step 8.  X [B, C, H, W], gamma, beta [5*P*P*C], E [5*P*P*C, D], b_E [D], Z [B, H/P*W/P, D]
void shifted_patch_tokens(TensorView<float, 3> Z, TensorView<const float, 4> X,
                          TensorView<const float, 1> gamma, TensorView<const float, 1> beta,
                          TensorView<const float, 2> E, TensorView<const float, 1> b_E, int P, float eps,
                          cudaStream_t stream) {
    // Your code.
    (void)Z, (void)X, (void)gamma, (void)beta, (void)E, (void)b_E, (void)P, (void)eps, (void)stream;
}

}  // namespace attn::cuda
