// Assignment 5: the transformer block, on a GPU. Handout: assignments/05_transformer_block/README.md
// What each function has to do, with every shape: assignments/05_transformer_block/transformer_block.h
// What is different on a GPU: assignments/device.h
//
// Fill in the functions in this order, and run `make grade A=5` after each. You need no GPU.

#include "device.h"
#include "multi_head_cuda.h"
#include "transformer_block_cuda.h"

namespace attn::cuda {

// Step 1.  X, Y [N, D], gamma, beta [D]. Thread i owns row i. (Faster, but more difficult: a block owns a
// row, and its threads add it up together. Try this later.) Write the kernel above this function:
//
//     __global__ void norm_of_rows(TensorView<float, 2> Y, TensorView<const float, 2> X,
//                                  TensorView<const float, 1> gamma, TensorView<const float, 1> beta, ..) {
//         const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
//         if (i >= X.size(0)) return;  // the last block has more threads than needed
//         // Your code: the body of the loop over i.
//     }
void layer_norm(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, float eps, cudaStream_t stream) {
    // Your code. Start the kernel, and check that it has started:
    //     norm_of_rows<<<blocks_for(X.size(0), 128), 128, 0, stream>>>(Y, X, gamma, beta, eps);
    //     check(cudaGetLastError(), "norm_of_rows");
    (void)Y, (void)X, (void)gamma, (void)beta, (void)eps,
        (void)stream;  // delete this: it only prevents a warning
}

// Step 2.  X, Y [N, D], W_1 [D, F], b_1 [F], W_2 [F, D], b_2 [D]. Two kernels: a thread of the first owns a
// number (i, f) of the hidden layer, which needs memory on the device, a thread of the second a number (i, d)
// of Y.
void feed_forward(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W_1,
                  TensorView<const float, 1> b_1, TensorView<const float, 2> W_2,
                  TensorView<const float, 1> b_2, Activation activation, cudaStream_t stream) {
    // Your code.
    (void)Y, (void)X, (void)W_1, (void)b_1, (void)W_2, (void)b_2, (void)activation, (void)stream;
}

// Step 3.  X, Y [B, N, D], mask [B, N, N] or empty; the attention is your multi_head_attention. The
// only new kernel is the sum of two arrays: a thread owns a number (b, i, d).
void transformer_block(TensorView<float, 3> Y, TensorView<const float, 3> X,
                       const BlockWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                       Norm norm, Activation activation, float eps, cudaStream_t stream) {
    // Your code.
    (void)Y, (void)X, (void)weights, (void)mask, (void)H, (void)norm, (void)activation, (void)eps,
        (void)stream;
}

// Step 4.  X, Y [B, N, D]; weights.layers() is L, weights.layer(l) has the weights of block l. The loop over
// l stays on the host.
void transformer_encoder(TensorView<float, 3> Y, TensorView<const float, 3> X,
                         const EncoderWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                         Norm norm, Activation activation, float eps, cudaStream_t stream) {
    // Your code.
    (void)Y, (void)X, (void)weights, (void)mask, (void)H, (void)norm, (void)activation, (void)eps,
        (void)stream;
}

}  // namespace attn::cuda
