// Assignment 3: multi-head attention, on a GPU. Handout: assignments/03_multi_head/README.md
// What each function has to do, with every shape: assignments/03_multi_head/multi_head.h
// What is different on a GPU: assignments/device.h
//
// Fill in the functions in this order, and run `make grade A=3` after each. You need no GPU. You may
// call your functions of student/self_attention.cu: put `#include "self_attention_cuda.h"` below the other
// includes.

#include "device.h"
#include "multi_head_cuda.h"

namespace attn::cuda {

// Step 1.  X [B, N, D], Y [B, H, N, D/H]; std::invalid_argument if H does not divide D. Thread n owns
// number n of Y, row-major. Write the kernel above this function:
//
//     __global__ void split(TensorView<float, 4> Y, TensorView<const float, 3> X) {
//         const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
//         if (n >= Y.count()) return;  // the last block has more threads than needed
//         const int d = n % Y.size(3);
//         // Your code: compute i, h and b from n in the same way.
//     }
void split_heads(TensorView<float, 4> Y, TensorView<const float, 3> X, cudaStream_t stream) {
    // Your code. First refuse a wrong H. Then start the kernel, and check that it has started:
    //     split<<<blocks_for(Y.count(), 128), 128, 0, stream>>>(Y, X);
    //     check(cudaGetLastError(), "split");
    (void)Y, (void)X, (void)stream;  // delete this: it only prevents a warning
}

// Step 2.  X [B, H, N, D_h], Y [B, N, H D_h]. A thread owns a number (b, h, i, d) of X, or of Y.
void merge_heads(TensorView<float, 3> Y, TensorView<const float, 4> X, cudaStream_t stream) {
    // Your code.
    (void)Y, (void)X, (void)stream;
}

// Step 3.  X_q [B, N_q, D], X_kv [B, N_k, D], W_* [D, D], b_* [D], mask [B, N_q, N_k] or empty,
// Y [B, N_q, D]; std::invalid_argument if H does not divide D. A thread owns a number (b, i, d) of a
// product, a score (b, h, i, j), a row (b, h, i) of weights: heads are one more independent axis.
void multi_head_attention(TensorView<float, 3> Y, TensorView<const float, 3> X_q,
                          TensorView<const float, 3> X_kv, const MultiHeadWeights<float>& weights,
                          TensorView<const std::uint8_t, 3> mask, int H, cudaStream_t stream) {
    // Your code. The weights are in device memory: pass weights.W_Q, weights.b_Q and so on to the
    // kernels.
    (void)Y, (void)X_q, (void)X_kv, (void)weights, (void)mask, (void)H, (void)stream;
}

}  // namespace attn::cuda
