// The functions of convolution_attention.h, empty, for you to fill in.
// Handout: assignments/16_convolution_attention/README.md
// What each function has to do, with every shape: assignments/16_convolution_attention/convolution_attention.h
// What is different on a GPU, and how a thread finds the element that it owns: assignments/device.h
//
// Fill in the functions in this order, and run `make grade A=16` after each. You need no GPU.

#include "convolution_attention_cuda.h"
#include "device.h"
#include "self_attention_cuda.h"

namespace attn::cuda {

// Step 1.  X [B, N, D], gamma, beta, mean, variance [D], Y [B, N, D], mean_new, variance_new [D]
void batch_norm(TensorView<float, 3> Y, TensorView<float, 1> mean_new, TensorView<float, 1> variance_new,
                TensorView<const float, 3> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, TensorView<const float, 1> mean,
                TensorView<const float, 1> variance, bool training, float momentum, float eps,
                cudaStream_t stream) {
    // Your code.
    // Delete this line: it only prevents a warning
    (void)Y, (void)mean_new, (void)variance_new, (void)X, (void)gamma, (void)beta, (void)mean, (void)variance,
        (void)training, (void)momentum, (void)eps, (void)stream;
}

// Step 2.  X [B, N, D_in], W [K, D_in, D_out], bias [D_out], Y [B, N, D_out]
void conv1d(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 3> W,
            TensorView<const float, 1> bias, Convolution kind, cudaStream_t stream) {
    // Your code.
    (void)Y, (void)X, (void)W, (void)bias, (void)kind, (void)stream;
}

// Step 3.  X [B, R, C, D], W_f, W_g [D, D_k], W_h [D, D_h], W_v [D_h, D], Y [B, R, C, D],
//          A [B, R*C, R*C] or empty
void image_self_attention(TensorView<float, 4> Y, TensorView<float, 3> A, TensorView<const float, 4> X,
                          TensorView<const float, 2> W_f, TensorView<const float, 2> W_g,
                          TensorView<const float, 2> W_h, TensorView<const float, 2> W_v, float gamma,
                          cudaStream_t stream) {
    // Your code.
    (void)Y, (void)A, (void)X, (void)W_f, (void)W_g, (void)W_h, (void)W_v, (void)gamma, (void)stream;
}

// Step 4.  operations, steps, path, memory [3]
void costs(TensorView<float, 1> operations, TensorView<float, 1> steps, TensorView<float, 1> path,
           TensorView<float, 1> memory, int N, int D, int K, Convolution kind, cudaStream_t stream) {
    // Your code.
    (void)operations, (void)steps, (void)path, (void)memory, (void)N, (void)D, (void)K, (void)kind,
        (void)stream;
}

}  // namespace attn::cuda
