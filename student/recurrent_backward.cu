// The functions of recurrent_backward.h, empty, for you to fill in.
// Handout: assignments/21_recurrent_backward/README.md
// What each function has to do, with every shape: assignments/21_recurrent_backward/recurrent_backward.h
// What is different on a GPU, and how a thread finds the element that it owns: assignments/device.h
//
// Fill in the functions in this order, and run `make grade A=21` after each. You need no GPU.

#include "device.h"
#include "recurrent_backward_cuda.h"
#include "rnn_attention_cuda.h"

namespace attn::cuda {

// Step 1.  de [B, T], s_prev [B, D_s], h [B, T, D_h], W_q [D_s, D_a], W_k [D_h, D_a], v [D_a],
//          ds_prev [B, D_s], dh [B, T, D_h], dW_q [D_s, D_a], dW_k [D_h, D_a], dv [D_a]
void additive_scores_backward(TensorView<float, 2> ds_prev, TensorView<float, 3> dh,
                              TensorView<float, 2> dW_q, TensorView<float, 2> dW_k, TensorView<float, 1> dv,
                              TensorView<const float, 2> de, TensorView<const float, 2> s_prev,
                              TensorView<const float, 3> h, TensorView<const float, 2> W_q,
                              TensorView<const float, 2> W_k, TensorView<const float, 1> v,
                              cudaStream_t stream) {
    // Your code.
    (void)ds_prev, (void)dh, (void)dW_q, (void)dW_k, (void)dv, (void)de, (void)s_prev, (void)h, (void)W_q,
        (void)W_k, (void)v, (void)stream;  // delete this line: it only prevents a warning
}

// Step 2.  da [B, T], dc [B, D_h], e [B, T], h [B, T, D_h], mask, de [B, T], dh [B, T, D_h]
void attention_context_backward(TensorView<float, 2> de, TensorView<float, 3> dh,
                                TensorView<const float, 2> da, TensorView<const float, 2> dc,
                                TensorView<const float, 2> e, TensorView<const float, 3> h,
                                TensorView<const std::uint8_t, 2> mask, cudaStream_t stream) {
    // Your code.
    (void)de, (void)dh, (void)da, (void)dc, (void)e, (void)h, (void)mask, (void)stream;
}

// Step 3.  ds [B, D_s], y_prev [B, D_y], c [B, D_h], s_prev [B, D_s], W_x [D_y+D_h, D_s], W_s [D_s, D_s],
//          b [D_s], dy_prev [B, D_y], dc [B, D_h], ds_prev [B, D_s], dW_x [D_y+D_h, D_s], dW_s [D_s, D_s],
//          db [D_s]
void decoder_step_backward(TensorView<float, 2> dy_prev, TensorView<float, 2> dc,
                           TensorView<float, 2> ds_prev, TensorView<float, 2> dW_x, TensorView<float, 2> dW_s,
                           TensorView<float, 1> db, TensorView<const float, 2> ds,
                           TensorView<const float, 2> y_prev, TensorView<const float, 2> c,
                           TensorView<const float, 2> s_prev, TensorView<const float, 2> W_x,
                           TensorView<const float, 2> W_s, TensorView<const float, 1> b,
                           cudaStream_t stream) {
    // Your code.
    (void)dy_prev, (void)dc, (void)ds_prev, (void)dW_x, (void)dW_s, (void)db, (void)ds, (void)y_prev, (void)c,
        (void)s_prev, (void)W_x, (void)W_s, (void)b, (void)stream;
}

// Step 4.  dS [B, L, D_s], h [B, T, D_h], mask [B, T], y [B, L+1, D_y], weights (DecoderWeights),
//          dh [B, T, D_h], dy [B, L+1, D_y], gradients (DecoderGradients)
void decode_backward(TensorView<float, 3> dh, TensorView<float, 3> dy,
                     const DecoderGradients<float>& gradients, TensorView<const float, 3> dS,
                     TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                     TensorView<const float, 3> y, const DecoderWeights<float>& weights,
                     cudaStream_t stream) {
    // Your code.
    (void)dh, (void)dy, (void)gradients, (void)dS, (void)h, (void)mask, (void)y, (void)weights, (void)stream;
}

}  // namespace attn::cuda
