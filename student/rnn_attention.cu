// Assignment 1: RNN attention, on a GPU. Handout: assignments/01_rnn_attention/README.md
// What each function has to do, with every shape: assignments/01_rnn_attention/rnn_attention.h
// What is different on a GPU: assignments/device.h
//
// Fill in the functions in this order, and run `make grade A=1` after each. You need no GPU.

#include "device.h"
#include "rnn_attention_cuda.h"

namespace attn::cuda {

// Step 1.  s_prev [B, D_s], h [B, T, D_h], W_q [D_s, D_a], W_k [D_h, D_a], v [D_a], e [B, T]. Thread n owns
// the score (b, j) of one source word. Write the kernel above this function:
//
//     __global__ void scores(TensorView<float, 2> e, TensorView<const float, 2> s_prev,
//                            TensorView<const float, 3> h, ..) {
//         const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
//         if (n >= e.count()) return;  // the last block has more threads than needed
//         const int b = n / e.size(1), j = n % e.size(1);
//         // Your code: the body of the loops over b and j.
//     }
void additive_scores(TensorView<float, 2> e, TensorView<const float, 2> s_prev, TensorView<const float, 3> h,
                     TensorView<const float, 2> W_q, TensorView<const float, 2> W_k,
                     TensorView<const float, 1> v, cudaStream_t stream) {
    // Your code. Start the kernel, and check that it has started:
    //     scores<<<blocks_for(e.count(), 128), 128, 0, stream>>>(e, s_prev, h, ..);
    //     check(cudaGetLastError(), "scores");
    (void)e, (void)s_prev, (void)h, (void)W_q, (void)W_k, (void)v,
        (void)stream;  // delete this: it only prevents a warning
}

// Step 2.  e and mask [B, T], h [B, T, D_h], a [B, T], c [B, D_h]; mask: 1 = may attend. Two kernels: a
// thread of the first owns a row b of a, of the second a number (b, d) of c.
void attention_context(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> e,
                       TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                       cudaStream_t stream) {
    // Your code.
    (void)a, (void)c, (void)e, (void)h, (void)mask, (void)stream;
}

// Step 3.  y_prev [B, D_y], c [B, D_h], s_prev [B, D_s], W_x [D_y + D_h, D_s], W_s [D_s, D_s], b [D_s],
//          s [B, D_s]. A thread owns a number (b, d) of s.
void decoder_step(TensorView<float, 2> s, TensorView<const float, 2> y_prev, TensorView<const float, 2> c,
                  TensorView<const float, 2> s_prev, TensorView<const float, 2> W_x,
                  TensorView<const float, 2> W_s, TensorView<const float, 1> b, cudaStream_t stream) {
    // Your code.
    (void)s, (void)y_prev, (void)c, (void)s_prev, (void)W_x, (void)W_s, (void)b, (void)stream;
}

// Step 4.  h [B, T, D_h], mask [B, T], y [B, L + 1, D_y], S [B, L, D_s], A [B, L, T];
//          weights.W_q, weights.W_k, .. as in steps 1 and 3, weights.W_0 [D_h, D_s], weights.b_0 [D_s].
// The loop over t stays on the host: step t needs all of step t - 1. Data that one
// step leaves to the next stays on the device.
void decode(TensorView<float, 3> S, TensorView<float, 3> A, TensorView<const float, 3> h,
            TensorView<const std::uint8_t, 2> mask, TensorView<const float, 3> y,
            const DecoderWeights<float>& weights, cudaStream_t stream) {
    // Your code.
    (void)S, (void)A, (void)h, (void)mask, (void)y, (void)weights, (void)stream;
}

// Step 5.  s_prev [B, D_s], grid [B, R, C, D_h], W_q, W_k, v as in step 1, a [B, R, C], c [B, D_h]. A thread
// owns a score (b, r, k), then a row b of a, then a number (b, d) of c.
void grid_attention(TensorView<float, 3> a, TensorView<float, 2> c, TensorView<const float, 2> s_prev,
                    TensorView<const float, 4> grid, TensorView<const float, 2> W_q,
                    TensorView<const float, 2> W_k, TensorView<const float, 1> v, cudaStream_t stream) {
    // Your code.
    (void)a, (void)c, (void)s_prev, (void)grid, (void)W_q, (void)W_k, (void)v, (void)stream;
}

}  // namespace attn::cuda
