// The reference handed in as a submission. Only the project's own tests can: they put the project's folder on
// the search path.

#include "reference/rnn_attention.h"
#include "rnn_attention.h"

namespace attn {

void additive_scores(TensorView<float, 2> e, TensorView<const float, 2> s_prev, TensorView<const float, 3> h,
                     TensorView<const float, 2> W_q, TensorView<const float, 2> W_k,
                     TensorView<const float, 1> v) {
    cpu::additive_scores<float>(e, s_prev, h, W_q, W_k, v);
}

void attention_context(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> e,
                       TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask) {
    cpu::attention_context<float>(a, c, e, h, mask);
}

void decoder_step(TensorView<float, 2> s, TensorView<const float, 2> y_prev, TensorView<const float, 2> c,
                  TensorView<const float, 2> s_prev, TensorView<const float, 2> W_x,
                  TensorView<const float, 2> W_s, TensorView<const float, 1> b) {
    cpu::decoder_step<float>(s, y_prev, c, s_prev, W_x, W_s, b);
}

void decode(TensorView<float, 3> S, TensorView<float, 3> A, TensorView<const float, 3> h,
            TensorView<const std::uint8_t, 2> mask, TensorView<const float, 3> y,
            const DecoderWeights<float>& weights) {
    cpu::decode<float>(S, A, h, mask, y, weights);
}

void grid_attention(TensorView<float, 3> a, TensorView<float, 2> c, TensorView<const float, 2> s_prev,
                    TensorView<const float, 4> grid, TensorView<const float, 2> W_q,
                    TensorView<const float, 2> W_k, TensorView<const float, 1> v) {
    cpu::grid_attention<float>(a, c, s_prev, grid, W_q, W_k, v);
}

}  // namespace attn
