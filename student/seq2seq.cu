// The functions of seq2seq.h, empty, for you to fill in.
// Handout: assignments/07_seq2seq/README.md
// What each function has to do, with every shape: assignments/07_seq2seq/seq2seq.h
// What is different on a GPU, and how a thread finds the element that it owns: assignments/device.h
//
// Fill in the functions in this order, and run `make grade A=7` after each. You need no GPU.

#include "device.h"
#include "rnn_attention_cuda.h"
#include "seq2seq_cuda.h"

namespace attn::cuda {

// Step 1.  x [B, D_x], h_prev [B, D_h], W_x [D_x, D_h], W_h [D_h, D_h], b [D_h], h [B, D_h]
void rnn_cell(TensorView<float, 2> h, TensorView<const float, 2> x, TensorView<const float, 2> h_prev,
              TensorView<const float, 2> W_x, TensorView<const float, 2> W_h, TensorView<const float, 1> b,
              cudaStream_t stream) {
    // Your code.
    // Delete this line: it only prevents a warning
    (void)h, (void)x, (void)h_prev, (void)W_x, (void)W_h, (void)b, (void)stream;
}

// Step 2.  x [B, D_x], h_prev, c_prev [B, D_h], W_x [D_x, 4*D_h], W_h [D_h, 4*D_h], b [4*D_h], h, c [B, D_h]
void lstm_cell(TensorView<float, 2> h, TensorView<float, 2> c, TensorView<const float, 2> x,
               TensorView<const float, 2> h_prev, TensorView<const float, 2> c_prev,
               TensorView<const float, 2> W_x, TensorView<const float, 2> W_h, TensorView<const float, 1> b,
               cudaStream_t stream) {
    // Your code.
    (void)h, (void)c, (void)x, (void)h_prev, (void)c_prev, (void)W_x, (void)W_h, (void)b, (void)stream;
}

// Step 3.  x [B, D_x], h_prev [B, D_h], W_x [D_x, 3*D_h], W_h [D_h, 3*D_h], b [3*D_h], h [B, D_h]
void gru_cell(TensorView<float, 2> h, TensorView<const float, 2> x, TensorView<const float, 2> h_prev,
              TensorView<const float, 2> W_x, TensorView<const float, 2> W_h, TensorView<const float, 1> b,
              cudaStream_t stream) {
    // Your code.
    (void)h, (void)x, (void)h_prev, (void)W_x, (void)W_h, (void)b, (void)stream;
}

// Step 4.  X [B, T, D], lengths [B], weights (RecurrentLayers), H [B, T, D], last [B, M, D]
void encode(TensorView<float, 3> H, TensorView<float, 3> last, TensorView<const float, 3> X,
            TensorView<const int, 1> lengths, const RecurrentLayers<float>& weights, Order order,
            cudaStream_t stream) {
    // Your code.
    (void)H, (void)last, (void)X, (void)lengths, (void)weights, (void)order, (void)stream;
}

// Step 5.  h_last [B, D_h], y [B, L+1, D_y], weights (PlainDecoder), S [B, L, D_s]
void decode_without_attention(TensorView<float, 3> S, TensorView<const float, 2> h_last,
                              TensorView<const float, 3> y, const PlainDecoder<float>& weights,
                              cudaStream_t stream) {
    // Your code.
    (void)S, (void)h_last, (void)y, (void)weights, (void)stream;
}

// Step 6.  s [B, D], h [B, T, D], weights (ScoreWeights), e [B, T]
void luong_scores(TensorView<float, 2> e, TensorView<const float, 2> s, TensorView<const float, 3> h,
                  const ScoreWeights<float>& weights, Score kind, cudaStream_t stream) {
    // Your code.
    (void)e, (void)s, (void)h, (void)weights, (void)kind, (void)stream;
}

// Step 7.  h [B, T, D], mask [B, T], s_0, u_0 [B, D], y [B, L+1, D_y], weights (LuongDecoder), S,
//          U [B, L, D], R [B, L, D_r], A [B, L, T]
void luong_decode(TensorView<float, 3> S, TensorView<float, 3> U, TensorView<float, 3> R,
                  TensorView<float, 3> A, TensorView<const float, 3> h,
                  TensorView<const std::uint8_t, 2> mask, TensorView<const float, 2> s_0,
                  TensorView<const float, 2> u_0, TensorView<const float, 3> y,
                  const LuongDecoder<float>& weights, Score kind, cudaStream_t stream) {
    // Your code.
    (void)S, (void)U, (void)R, (void)A, (void)h, (void)mask, (void)s_0, (void)u_0, (void)y, (void)weights,
        (void)kind, (void)stream;
}

// Step 8.  e [B, T], h [B, T, D_h], mask, a [B, T], c [B, D_h]
void hard_attention(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> e,
                    TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                    cudaStream_t stream) {
    // Your code.
    (void)a, (void)c, (void)e, (void)h, (void)mask, (void)stream;
}

// Step 9.  s [B, D_s], h [B, T, D_h], mask [B, T], weights (KeyValueWeights), a [B, T], c [B, D_v]
void key_value_attention(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> s,
                         TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                         const KeyValueWeights<float>& weights, cudaStream_t stream) {
    // Your code.
    (void)a, (void)c, (void)s, (void)h, (void)mask, (void)weights, (void)stream;
}

}  // namespace attn::cuda
