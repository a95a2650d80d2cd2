#pragma once
/// Assignment 7: sequence to sequence. You write these nine functions in student/seq2seq.cpp.
///
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major,
/// float; vectors are rows, weights are [in, out]; the outputs exist and have the right shape, write every
/// element; masks are uint8, 1 = may attend, 0 = may not.
/// sigma(x) = 1 / (1 + exp(-x)). A product of two states, such as f c_prev, is taken number by number.
/// Letters:  B batches (sentence pairs), T words of the source sentence, L steps of the decoder, M layers of
///           the encoder, D numbers in a vector (D_x of a word, D_h of an encoder state, D_s of a decoder
///           state, D_y of a target word, D_a of the score's hidden layer, D_r of a readout, D_k of a key,
///           D_v of a value),
///           b batch, t step, j source word, m layer, d number of a state.

#include <cstdint>

#include "../01_rnn_attention/rnn_attention.h"
#include "../tensor.h"

namespace attn {

/// The order in which an encoder reads the words of a sentence. With `bidirectional` its layers read in turn from
/// the first word to the last and from the last to the first.
enum class Order { forward, reversed, bidirectional };

/// How well a decoder state s fits an encoder state h.
///   dot      s . h
///   general  (s W) . h
///   concat   v . tanh([s; h] W_c)
enum class Score { dot, general, concat };

/// The weights of an encoder of M layers, with the layers along the first axis.
template <class T>
struct RecurrentLayers {
    TensorView<const T, 3> W_x;  ///< [M, D, D]  from the layer's input
    TensorView<const T, 3> W_h;  ///< [M, D, D]  from the previous state
    TensorView<const T, 2> b;    ///< [M, D]
};

/// The weights of a decoder without attention.
template <class T>
struct PlainDecoder {
    TensorView<const T, 2> W_x;  ///< [D_y + D_h, D_s]  its first D_y rows meet y, the others c
    TensorView<const T, 2> W_s;  ///< [D_s, D_s]
    TensorView<const T, 1> b;    ///< [D_s]
    TensorView<const T, 2> W_0;  ///< [D_h, D_s]  of the first state
    TensorView<const T, 1> b_0;  ///< [D_s]
};

/// The weights of the scores. `dot` uses none of them.
template <class T>
struct ScoreWeights {
    TensorView<const T, 2> W;    ///< [D, D]        of general
    TensorView<const T, 2> W_c;  ///< [D + D, D_a]  of concat: its first D rows meet s, the others h
    TensorView<const T, 1> v;    ///< [D_a]         of concat
};

/// The weights of a decoder with Luong's attention.
template <class T>
struct LuongDecoder {
    TensorView<const T, 2>
        W_x;  ///< [D_y + D, D]  of the first layer: its first D_y rows meet y, the others c
    TensorView<const T, 2> W_s;  ///< [D, D]
    TensorView<const T, 1> b;    ///< [D]
    ScoreWeights<T> score;
    TensorView<const T, 2> W_r;  ///< [D + D, D_r]  of the readout: its first D rows meet s, the others c
    TensorView<const T, 2> V_x;  ///< [D + D, D]    of the second layer: its first D rows meet s, the others c
    TensorView<const T, 2> V_u;  ///< [D, D]
    TensorView<const T, 1> b_u;  ///< [D]
};

/// The weights of learned queries, keys and values.
template <class T>
struct KeyValueWeights {
    TensorView<const T, 2> W_q;  ///< [D_s, D_k]
    TensorView<const T, 1> b_q;  ///< [D_k]
    TensorView<const T, 2> W_k;  ///< [D_h, D_k]
    TensorView<const T, 1> b_k;  ///< [D_k]
    TensorView<const T, 2> W_v;  ///< [D_h, D_v]
    TensorView<const T, 1> b_v;  ///< [D_v]
};

/// Elman's cell: one step of the simplest recurrent network.
///   h = tanh(x W_x + h_prev W_h + b)      [B, D_h]
/// x [B, D_x], h_prev [B, D_h], W_x [D_x, D_h], W_h [D_h, D_h], b [D_h].
/// Source: Elman 1990; the lectures' h_t = f_W(x_t, h_{t-1}).
void rnn_cell(TensorView<float, 2> h, TensorView<const float, 2> x, TensorView<const float, 2> h_prev,
              TensorView<const float, 2> W_x, TensorView<const float, 2> W_h, TensorView<const float, 1> b);

/// Long short-term memory. A state has two parts: h, which others see, and c, which only the cell sees.
///   [z_i, z_f, z_g, z_o] = x W_x + h_prev W_h + b      four blocks of D_h numbers, in this order
///   c = sigma(z_f) c_prev + sigma(z_i) tanh(z_g)      [B, D_h]
///   h = sigma(z_o) tanh(c)                            [B, D_h]
/// x [B, D_x], h_prev and c_prev [B, D_h], W_x [D_x, 4 D_h], W_h [D_h, 4 D_h], b [4 D_h].
/// Source: Hochreiter & Schmidhuber 1997; Gers, Schmidhuber & Cummins 2000 for the forget gate f.
void lstm_cell(TensorView<float, 2> h, TensorView<float, 2> c, TensorView<const float, 2> x,
               TensorView<const float, 2> h_prev, TensorView<const float, 2> c_prev,
               TensorView<const float, 2> W_x, TensorView<const float, 2> W_h, TensorView<const float, 1> b);

/// Gated recurrent unit, in its first published form: the reset gate is applied before the product.
/// W_x, W_h and b have three blocks of D_h columns, for r, z and n in this order; W_x^r is the first of W_x.
///   r = sigma(x W_x^r + h_prev W_h^r + b^r)          the reset gate
///   z = sigma(x W_x^z + h_prev W_h^z + b^z)          the update gate
///   n = tanh(x W_x^n + (r h_prev) W_h^n + b^n)       the candidate
///   h = z h_prev + (1 - z) n      [B, D_h]
/// x [B, D_x], h_prev [B, D_h], W_x [D_x, 3 D_h], W_h [D_h, 3 D_h], b [3 D_h].
/// Source: Cho et al. 2014, eqs. (5) to (8), with biases.
void gru_cell(TensorView<float, 2> h, TensorView<const float, 2> x, TensorView<const float, 2> h_prev,
              TensorView<const float, 2> W_x, TensorView<const float, 2> W_h, TensorView<const float, 1> b);

/// An encoder of M layers. Sentence b has lengths[b] words, n for short; the rest of its row of X is padding.
///   x_t = X[b, t - 1], or X[b, n - t] with order = reversed      t = 1 .. n
///   h_t of layer m = rnn_cell(input, h_{t-1} of layer m), with row m of the weights and h_0 = 0
///   The input is x_t in layer 0, and h_t of layer m - 1 in the others.
///   H[b, t - 1] = h_t of the last layer, 0 for t > n      [B, T, D]
///   last[b, m] = h_n of layer m, 0 for n = 0              [B, M, D]
/// With order = bidirectional, step t of layers 0, 2, .. is at word t, and step t of layers 1, 3, .. at word n + 1 - t:
/// they begin at the sentence's last word. Every layer after the first reads the state that the layer below has at
/// this word. The state of the last layer at word w stands in row w - 1 of H.
/// X [B, T, D], lengths [B]. Throws std::invalid_argument where lengths is outside 0 .. T.
/// Source: Sutskever, Vinyals & Le 2014, sections 2 and 3.3, with Elman's cell; Zhou & Xu 2015 for
/// layers that read in turn.
void encode(TensorView<float, 3> H, TensorView<float, 3> last, TensorView<const float, 3> X,
            TensorView<const int, 1> lengths, const RecurrentLayers<float>& weights, Order order);

/// L steps of a decoder that knows the source only by its encoder's last state: one context for all steps.
///   c = h_last,  s_0 = tanh(h_last W_0 + b_0)
///   for t = 1 .. L:  s_t = tanh([y_{t-1}; c] W_x + s_{t-1} W_s + b)      decoder_step of assignment 1
///   S[b, t - 1] = s_t      [B, L, D_s]
/// The target words come as y_0 .. y_L: y_0 is START, and no step reads y_L. h_last [B, D_h],
/// y [B, L + 1, D_y]. Source: Cho et al. 2014, section 2.2; the lectures' "Sequence-to-Sequence with RNNs".
void decode_without_attention(TensorView<float, 3> S, TensorView<const float, 2> h_last,
                              TensorView<const float, 3> y, const PlainDecoder<float>& weights);

/// Luong's scores, none of them scaled. Encoder and decoder states are equally long.
///   e[b, j] = s[b] . h[b, j], (s[b] W) . h[b, j] or v . tanh([s[b]; h[b, j]] W_c)      [B, T]
/// s [B, D], h [B, T, D].
/// Source: Luong, Pham & Manning 2015, section 3.1.
void luong_scores(TensorView<float, 2> e, TensorView<const float, 2> s, TensorView<const float, 3> h,
                  const ScoreWeights<float>& weights, Score kind);

/// L steps of a decoder whose query is its state after the step, with three uses of the context.
///   c_0 = 0; s_0 and u_0 are given, y_0 .. y_L as above
///   for t = 1 .. L:  s_t = tanh([y_{t-1}; c_{t-1}] W_x + s_{t-1} W_s + b)      1. in the next step's input
///                    e_t = luong scores of s_t;  a_t, c_t = attention_context of e_t, h, mask
///                    r_t = tanh([s_t; c_t] W_r)                                2. in the readout
///                    u_t = tanh([s_t; c_t] V_x + u_{t-1} V_u + b_u)            3. in the next layer
///   S[b, t - 1] = s_t      [B, L, D]
///   U[b, t - 1] = u_t      [B, L, D]
///   R[b, t - 1] = r_t      [B, L, D_r]
///   A[b, t - 1] = a_t      [B, L, T]
/// h [B, T, D], mask [B, T], s_0 and u_0 [B, D], y [B, L + 1, D_y]. A sentence without words has a_t = 0 and
/// c_t = 0. Source: Luong, Pham & Manning 2015, sections 3.1 and 3.3; the lectures' "Attention Equations".
void luong_decode(TensorView<float, 3> S, TensorView<float, 3> U, TensorView<float, 3> R,
                  TensorView<float, 3> A, TensorView<const float, 3> h,
                  TensorView<const std::uint8_t, 2> mask, TensorView<const float, 2> s_0,
                  TensorView<const float, 2> u_0, TensorView<const float, 3> y,
                  const LuongDecoder<float>& weights, Score kind);

/// Hard attention: the whole attention goes to one word.
///   a[b, j] = 1 at the word with the largest score, the first of them if there are several; else 0    [B, T]
///   c[b] = h at this word      [B, D_h]
/// e and mask [B, T], h [B, T, D_h]; only j with mask[b, j] = 1 are words. If there is none, a and c are 0.
/// Source: the slide "Attention" of CS60010 at IIT Kharagpur: "send h_t for arg max e to the decoder".
void hard_attention(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> e,
                    TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask);

/// Attention with a key and a value of its own for each encoder state, and a query of its own for the decoder's.
///   q[b] = s[b] W_q + b_q                 a vector of D_k
///   k[b, j] = sigma(h[b, j] W_k + b_k)    a vector of D_k
///   v[b, j] = h[b, j] W_v + b_v           a vector of D_v
///   e[b, j] = q[b] . k[b, j], not scaled
///   a, c = attention_context of e, v, mask
/// a [B, T], c [B, D_v], s [B, D_s], h [B, T, D_h], mask [B, T]. A sentence without words has a = 0 and c = 0.
/// Source: the slides "Attention" and "Attention Variants" of CS60010 at IIT Kharagpur, with a linear query and value.
void key_value_attention(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> s,
                         TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                         const KeyValueWeights<float>& weights);

}  // namespace attn
