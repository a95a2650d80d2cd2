// The functions of image_captioning.h, empty, for you to fill in.
// Handout: assignments/08_image_captioning/README.md
// What each function has to do, with every shape: assignments/08_image_captioning/image_captioning.h
// What is different on a GPU, and how a thread finds the element that it owns: assignments/device.h
//
// Fill in the functions in this order, and run `make grade A=8` after each. You need no GPU.

#include "device.h"
#include "image_captioning_cuda.h"
#include "rnn_attention_cuda.h"
#include "seq2seq_cuda.h"

namespace attn::cuda {

// Step 1.  X [B, R, C, D_in], W [3, 3, D_in, D_out], bias [D_out], Y [B, ceil(R/S), ceil(C/S), D_out]
void conv2d(TensorView<float, 4> Y, TensorView<const float, 4> X, TensorView<const float, 4> W,
            TensorView<const float, 1> bias, int S, cudaStream_t stream) {
    // Your code.
    // Delete this line: it only prevents a warning
    (void)Y, (void)X, (void)W, (void)bias, (void)S, (void)stream;
}

// Step 2.  X [B, R, C, D_in], weights (GridWeights), grid [B, ceil(ceil(R/S)/S), ceil(ceil(C/S)/S), D_h]
void feature_grid(TensorView<float, 4> grid, TensorView<const float, 4> X, const GridWeights<float>& weights,
                  int S, cudaStream_t stream) {
    // Your code.
    (void)grid, (void)X, (void)weights, (void)S, (void)stream;
}

// Step 3.  grid [B, R, C, D_h], W_0 [D_h, D_s], b_0 [D_s], s_0 [B, D_s]
void first_state(TensorView<float, 2> s_0, TensorView<const float, 4> grid, TensorView<const float, 2> W_0,
                 TensorView<const float, 1> b_0, cudaStream_t stream) {
    // Your code.
    (void)s_0, (void)grid, (void)W_0, (void)b_0, (void)stream;
}

// Step 4.  y_prev [B], s_prev [B, D_s], grid [B, R, C, D_h], weights (CaptionWeights), s [B, D_s],
//          a [B, R, C], logits [B, V]
void caption_step(TensorView<float, 2> s, TensorView<float, 3> a, TensorView<float, 2> logits,
                  TensorView<const int, 1> y_prev, TensorView<const float, 2> s_prev,
                  TensorView<const float, 4> grid, const CaptionWeights<float>& weights,
                  cudaStream_t stream) {
    // Your code.
    (void)s, (void)a, (void)logits, (void)y_prev, (void)s_prev, (void)grid, (void)weights, (void)stream;
}

// Step 5.  y [B, L], grid [B, R, C, D_h], weights (CaptionWeights), loss [1], losses [B, L] or empty
void caption_loss(TensorView<float, 1> loss, TensorView<float, 2> losses, TensorView<const int, 2> y,
                  TensorView<const float, 4> grid, const CaptionWeights<float>& weights, int start, int eos,
                  cudaStream_t stream) {
    // Your code.
    (void)loss, (void)losses, (void)y, (void)grid, (void)weights, (void)start, (void)eos, (void)stream;
}

// Step 6.  grid [B, R, C, D_h], weights (CaptionWeights), y [B, L], A [B, L, R, C] or empty
void caption_greedy(TensorView<int, 2> y, TensorView<float, 4> A, TensorView<const float, 4> grid,
                    const CaptionWeights<float>& weights, int start, int eos, cudaStream_t stream) {
    // Your code.
    (void)y, (void)A, (void)grid, (void)weights, (void)start, (void)eos, (void)stream;
}

// Step 7.  y [B, L], grid [B, R, C, D_h], weights (ShowAndTellWeights), logits [B, L, V]
void show_and_tell(TensorView<float, 3> logits, TensorView<const int, 2> y, TensorView<const float, 4> grid,
                   const ShowAndTellWeights<float>& weights, int start, cudaStream_t stream) {
    // Your code.
    (void)logits, (void)y, (void)grid, (void)weights, (void)start, (void)stream;
}

}  // namespace attn::cuda
