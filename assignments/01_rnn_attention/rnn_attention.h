#pragma once
/// Assignment 1: RNN attention. You write these five functions in student/rnn_attention.cpp.
///
/// Conventions of the whole course:
///   - arrays are dense, row-major, float; vectors are rows; weights are [in, out], so that q = s W_q
///   - outputs come first, then inputs: a call reads like its equation
///   - the output arrays exist already and have the right shape; write every element of them
///   - inputs are never changed, nothing is random, and the same call gives the same bits twice
///   - masks are uint8: 1 = may attend, 0 = may not
/// Letters:  B batches (sentence pairs), T words of the source sentence, L steps of the decoder, R rows and C
///           columns of a grid, D numbers in a vector (D_h of an encoder state, D_s of a decoder state, D_y
///           of a target word, D_a of the score's hidden layer),
///           b batch, t step, j source word, (r, k) cell of a grid.

#include <cstdint>

#include "../tensor.h"

namespace attn {

/// The weights of a decoder with attention. Every step and every batch uses the same weights.
template <class T>
struct DecoderWeights {
    TensorView<const T, 2> W_q;  ///< [D_s, D_a]  of the score: decoder state
    TensorView<const T, 2> W_k;  ///< [D_h, D_a]  of the score: encoder state
    TensorView<const T, 1> v;    ///< [D_a]       of the score: output
    TensorView<const T, 2> W_x;  ///< [D_y + D_h, D_s]  of the step: its first D_y rows meet y, the others c
    TensorView<const T, 2> W_s;  ///< [D_s, D_s]  of the step: previous state
    TensorView<const T, 1> b;    ///< [D_s]
    TensorView<const T, 2> W_0;  ///< [D_h, D_s]  of the first state
    TensorView<const T, 1> b_0;  ///< [D_s]
};

/// Alignment scores: how well the decoder's state before the step fits each source word.
///   e[b, j] = v . tanh(s_prev[b] W_q + h[b, j] W_k)      [B, T]
/// s_prev [B, D_s], h [B, T, D_h], W_q [D_s, D_a], W_k [D_h, D_a], v [D_a].
/// Source: Bahdanau, Cho & Bengio 2015, appendix A.1.2.
void additive_scores(TensorView<float, 2> e, TensorView<const float, 2> s_prev, TensorView<const float, 3> h,
                     TensorView<const float, 2> W_q, TensorView<const float, 2> W_k,
                     TensorView<const float, 1> v);

/// Attention weights and context.
///   a[b] = softmax of e[b] over the j with mask[b, j] = 1; a[b, j] = 0 for the others      [B, T]
///   c[b] = sum_j a[b, j] h[b, j]                                                           [B, D_h]
/// If the mask of a sentence is all 0, its a and c are 0. Scores, also those of pads, may be +-10000. The
/// score of a pad changes nothing, even if it lies far above those of all words. e [B, T], h [B, T, D_h],
/// mask [B, T]. Source: Bahdanau, Cho & Bengio 2015, eqs. (5) and (6).
void attention_context(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> e,
                       TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask);

/// One step of the decoder.
///   s = tanh([y_prev; c] W_x + s_prev W_s + b)      [B, D_s]
/// [y_prev; c] is y_prev followed by c. y_prev [B, D_y], c [B, D_h], s_prev [B, D_s], W_x [D_y + D_h, D_s],
/// W_s [D_s, D_s], b [D_s].
/// Source: the lectures' s_t = g_U(y_{t-1}, s_{t-1}, c_t), with an Elman cell for g.
void decoder_step(TensorView<float, 2> s, TensorView<const float, 2> y_prev, TensorView<const float, 2> c,
                  TensorView<const float, 2> s_prev, TensorView<const float, 2> W_x,
                  TensorView<const float, 2> W_s, TensorView<const float, 1> b);

/// L steps of the decoder, each with a context of its own.
///   s_0 = tanh(h_last W_0 + b_0)
///   for t = 1 .. L:  e_t = additive scores of s_{t-1};  a_t, c_t = their weights and context
///                    s_t = decoder step of y_{t-1}, c_t, s_{t-1}
/// S[b, t - 1] is s_t [D_s], A[b, t - 1] is a_t [T]. The target words come as y_0 .. y_L: y_0 is START, y_L
/// is the word that step L should say, and no step reads it. h_last[b] is the encoder's state at the last j
/// with mask[b, j] = 1: the sentence's last word, not a pad after it. It is 0 if the sentence has no words.
/// S [B, L, D_s], A [B, L, T], h [B, T, D_h], mask [B, T], y [B, L + 1, D_y].
/// Source: Bahdanau, Cho & Bengio 2015, section 3.1; the lectures' "Seq2seq with RNNs and Attention".
void decode(TensorView<float, 3> S, TensorView<float, 3> A, TensorView<const float, 3> h,
            TensorView<const std::uint8_t, 2> mask, TensorView<const float, 3> y,
            const DecoderWeights<float>& weights);

/// The same attention over the cells of a feature grid, as used in image captioning.
///   e[b, r, k] = v . tanh(s_prev[b] W_q + grid[b, r, k] W_k)
///   a[b] = softmax of e[b] over all cells (r, k) together      [B, R, C]
///   c[b] = sum_{r, k} a[b, r, k] grid[b, r, k]                 [B, D_h]
/// s_prev [B, D_s], grid [B, R, C, D_h], W_q [D_s, D_a], W_k [D_h, D_a], v [D_a].
/// Source: Xu et al. 2015, sections 3.1 and 4.2; the lectures' "Image Captioning with RNNs and Attention".
void grid_attention(TensorView<float, 3> a, TensorView<float, 2> c, TensorView<const float, 2> s_prev,
                    TensorView<const float, 4> grid, TensorView<const float, 2> W_q,
                    TensorView<const float, 2> W_k, TensorView<const float, 1> v);

}  // namespace attn
