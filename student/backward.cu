// The functions of backward.h, empty, for you to fill in.
// Handout: assignments/13_backward/README.md
// What each function has to do, with every shape: assignments/13_backward/backward.h
// What is different on a GPU, and how a thread finds the element that it owns: assignments/device.h
//
// Fill in the functions in this order, and run `make grade A=13` after each. You need no GPU.

#include "backward_cuda.h"
#include "device.h"
#include "multi_head_cuda.h"
#include "recurrent_backward_cuda.h"
#include "rnn_attention_cuda.h"
#include "transformer_block_cuda.h"

namespace attn::cuda {

// Step 1.  dY, X, dX [N, D]
void softmax_backward(TensorView<float, 2> dX, TensorView<const float, 2> dY, TensorView<const float, 2> X,
                      cudaStream_t stream) {
    // Your code.
    (void)dX, (void)dY, (void)X, (void)stream;  // delete this line: it only prevents a warning
}

// Step 2.  dY [B, N_q, D_v], Q [B, N_q, D_q], K [B, N_k, D_q], V [B, N_k, D_v], dQ [B, N_q, D_q],
//          dK [B, N_k, D_q], dV [B, N_k, D_v]
void scaled_dot_product_attention_backward(TensorView<float, 3> dQ, TensorView<float, 3> dK,
                                           TensorView<float, 3> dV, TensorView<const float, 3> dY,
                                           TensorView<const float, 3> Q, TensorView<const float, 3> K,
                                           TensorView<const float, 3> V, cudaStream_t stream) {
    // Your code.
    (void)dQ, (void)dK, (void)dV, (void)dY, (void)Q, (void)K, (void)V, (void)stream;
}

// Step 3.  dY [B, N_q, D_v], Q [B, N_q, D_q], K [B, N_k, D_q], V [B, N_k, D_v], mask [B, N_q, N_k],
//          dQ [B, N_q, D_q], dK [B, N_k, D_q], dV [B, N_k, D_v]
void masked_attention_backward(TensorView<float, 3> dQ, TensorView<float, 3> dK, TensorView<float, 3> dV,
                               TensorView<const float, 3> dY, TensorView<const float, 3> Q,
                               TensorView<const float, 3> K, TensorView<const float, 3> V,
                               TensorView<const std::uint8_t, 3> mask, cudaStream_t stream) {
    // Your code.
    (void)dQ, (void)dK, (void)dV, (void)dY, (void)Q, (void)K, (void)V, (void)mask, (void)stream;
}

// Step 4.  dY [B, N, D_v], X [B, N, D_x], W_Q, W_K [D_x, D_q], W_V [D_x, D_v], dX [B, N, D_x], dW_Q,
//          dW_K [D_x, D_q], dW_V [D_x, D_v]
void self_attention_backward(TensorView<float, 3> dX, TensorView<float, 2> dW_Q, TensorView<float, 2> dW_K,
                             TensorView<float, 2> dW_V, TensorView<const float, 3> dY,
                             TensorView<const float, 3> X, TensorView<const float, 2> W_Q,
                             TensorView<const float, 2> W_K, TensorView<const float, 2> W_V,
                             cudaStream_t stream) {
    // Your code.
    (void)dX, (void)dW_Q, (void)dW_K, (void)dW_V, (void)dY, (void)X, (void)W_Q, (void)W_K, (void)W_V,
        (void)stream;
}

// Step 5.  dY, X_q [B, N_q, D], X_kv [B, N_k, D], weights (MultiHeadWeights), mask [B, N_q, N_k] or empty,
//          dX_q [B, N_q, D], dX_kv [B, N_k, D], gradients (MultiHeadGradients)
void multi_head_attention_backward(TensorView<float, 3> dX_q, TensorView<float, 3> dX_kv,
                                   const MultiHeadGradients<float>& gradients, TensorView<const float, 3> dY,
                                   TensorView<const float, 3> X_q, TensorView<const float, 3> X_kv,
                                   const MultiHeadWeights<float>& weights,
                                   TensorView<const std::uint8_t, 3> mask, int H, cudaStream_t stream) {
    // Your code.
    (void)dX_q, (void)dX_kv, (void)gradients, (void)dY, (void)X_q, (void)X_kv, (void)weights, (void)mask,
        (void)H, (void)stream;
}

// Step 6.  dY, X [N, D], gamma, beta [D], dX [N, D], dgamma, dbeta [D]
void layer_norm_backward(TensorView<float, 2> dX, TensorView<float, 1> dgamma, TensorView<float, 1> dbeta,
                         TensorView<const float, 2> dY, TensorView<const float, 2> X,
                         TensorView<const float, 1> gamma, TensorView<const float, 1> beta, float eps,
                         cudaStream_t stream) {
    // Your code.
    (void)dX, (void)dgamma, (void)dbeta, (void)dY, (void)X, (void)gamma, (void)beta, (void)eps, (void)stream;
}

// Step 7.  dY, X [N, D], W_1 [D, F], b_1 [F], W_2 [F, D], b_2 [D], dX [N, D], dW_1 [D, F], db_1 [F],
//          dW_2 [F, D], db_2 [D]
void feed_forward_backward(TensorView<float, 2> dX, TensorView<float, 2> dW_1, TensorView<float, 1> db_1,
                           TensorView<float, 2> dW_2, TensorView<float, 1> db_2,
                           TensorView<const float, 2> dY, TensorView<const float, 2> X,
                           TensorView<const float, 2> W_1, TensorView<const float, 1> b_1,
                           TensorView<const float, 2> W_2, TensorView<const float, 1> b_2,
                           Activation activation, cudaStream_t stream) {
    // Your code.
    (void)dX, (void)dW_1, (void)db_1, (void)dW_2, (void)db_2, (void)dY, (void)X, (void)W_1, (void)b_1,
        (void)W_2, (void)b_2, (void)activation, (void)stream;
}

// Step 8.  dY, X [B, N, D], weights (BlockWeights), mask [B, N, N] or empty, dX [B, N, D],
//          gradients (BlockGradients)
void transformer_block_backward(TensorView<float, 3> dX, const BlockGradients<float>& gradients,
                                TensorView<const float, 3> dY, TensorView<const float, 3> X,
                                const BlockWeights<float>& weights, TensorView<const std::uint8_t, 3> mask,
                                int H, Norm norm, Activation activation, float eps, cudaStream_t stream) {
    // Your code.
    (void)dX, (void)gradients, (void)dY, (void)X, (void)weights, (void)mask, (void)H, (void)norm,
        (void)activation, (void)eps, (void)stream;
}

// Step 9.  dZ [B, H/P*W/P+1, D], X [B, C, H, W], E [P*P*C, D], b, cls [D], E_pos [H/P*W/P+1, D],
//          dX [B, C, H, W], dE [P*P*C, D], db, dcls [D], dE_pos [H/P*W/P+1, D]
void embed_patches_backward(TensorView<float, 4> dX, TensorView<float, 2> dE, TensorView<float, 1> db,
                            TensorView<float, 1> dcls, TensorView<float, 2> dE_pos,
                            TensorView<const float, 3> dZ, TensorView<const float, 4> X,
                            TensorView<const float, 2> E, TensorView<const float, 1> b,
                            TensorView<const float, 1> cls, TensorView<const float, 2> E_pos, int P,
                            cudaStream_t stream) {
    // Your code.
    (void)dX, (void)dE, (void)db, (void)dcls, (void)dE_pos, (void)dZ, (void)X, (void)E, (void)b, (void)cls,
        (void)E_pos, (void)P, (void)stream;
}

// Step 10.  dloss [1], logits [B, N, V], targets [B, N], dlogits [B, N, V]
void cross_entropy_backward(TensorView<float, 3> dlogits, TensorView<const float, 1> dloss,
                            TensorView<const float, 3> logits, TensorView<const int, 2> targets,
                            float smoothing, cudaStream_t stream) {
    // Your code.
    (void)dlogits, (void)dloss, (void)logits, (void)targets, (void)smoothing, (void)stream;
}

}  // namespace attn::cuda
