#pragma once
/// Assignment 10: encoder and decoder. You write these four functions in student/encoder_decoder.cpp.
///
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major,
/// float; vectors are rows, weights are [in, out]; words are whole numbers, counted from 0; the outputs exist
/// and have the right shape, write every element.
/// Letters:  B batches, N_s words of a source sentence, N_t of a target sentence, D numbers in a vector,
///           F numbers in the hidden layer of the feed-forward, H heads, L blocks in the encoder and as many
///           in the decoder, V words in the vocabulary; b batch, i place in the target, j place in the source,
///           d feature, h head, l block, v word.

#include "../02_self_attention/self_attention.h"
#include "../03_multi_head/multi_head.h"
#include "../04_masking/masking.h"
#include "../05_transformer_block/transformer_block.h"
#include "../09_positional_encoding/positional_encoding.h"
#include "../tensor.h"

namespace attn {

/// The weights of one block of a decoder.
template <class T>
struct DecoderBlockWeights {
    TensorView<const T, 1> gamma_1, beta_1;  ///< [D]     of the layer norm at the self-attention
    MultiHeadWeights<T> attention;           ///< W [D, D], b [D]
    TensorView<const T, 1> gamma_2, beta_2;  ///< [D]     of the layer norm at the cross-attention
    TensorView<const T, 2> W_Q_c;            ///< [D, D]  _c: of the cross-attention
    TensorView<const T, 1> b_Q_c;            ///< [D]
    TensorView<const T, 2> W_K_c;            ///< [D, D]
    TensorView<const T, 1> b_K_c;            ///< [D]
    TensorView<const T, 2> W_V_c;            ///< [D, D]
    TensorView<const T, 1> b_V_c;            ///< [D]
    TensorView<const T, 2> W_O_c;            ///< [D, D]
    TensorView<const T, 1> b_O_c;            ///< [D]
    TensorView<const T, 1> gamma_3, beta_3;  ///< [D]     of the layer norm at the feed-forward
    TensorView<const T, 2> W_1;              ///< [D, F]
    TensorView<const T, 1> b_1;              ///< [F]
    TensorView<const T, 2> W_2;              ///< [F, D]
    TensorView<const T, 1> b_2;              ///< [D]

    /// The weights of the cross-attention.
    MultiHeadWeights<T> cross() const { return {W_Q_c, b_Q_c, W_K_c, b_K_c, W_V_c, b_V_c, W_O_c, b_O_c}; }
};

/// The weights of L decoder blocks, with the blocks along the first axis, and of the layer norm after the last
/// block. Their names end with _d, because a call takes those of an encoder, too.
template <class T>
struct DecoderStackWeights {
    TensorView<const T, 2> gamma_1_d, beta_1_d;  ///< [L, D]
    TensorView<const T, 3> W_Q_d;                ///< [L, D, D]
    TensorView<const T, 2> b_Q_d;                ///< [L, D]
    TensorView<const T, 3> W_K_d;                ///< [L, D, D]
    TensorView<const T, 2> b_K_d;                ///< [L, D]
    TensorView<const T, 3> W_V_d;                ///< [L, D, D]
    TensorView<const T, 2> b_V_d;                ///< [L, D]
    TensorView<const T, 3> W_O_d;                ///< [L, D, D]
    TensorView<const T, 2> b_O_d;                ///< [L, D]
    TensorView<const T, 2> gamma_2_d, beta_2_d;  ///< [L, D]
    TensorView<const T, 3> W_Q_c;                ///< [L, D, D]
    TensorView<const T, 2> b_Q_c;                ///< [L, D]
    TensorView<const T, 3> W_K_c;                ///< [L, D, D]
    TensorView<const T, 2> b_K_c;                ///< [L, D]
    TensorView<const T, 3> W_V_c;                ///< [L, D, D]
    TensorView<const T, 2> b_V_c;                ///< [L, D]
    TensorView<const T, 3> W_O_c;                ///< [L, D, D]
    TensorView<const T, 2> b_O_c;                ///< [L, D]
    TensorView<const T, 2> gamma_3_d, beta_3_d;  ///< [L, D]
    TensorView<const T, 3> W_1_d;                ///< [L, D, F]
    TensorView<const T, 2> b_1_d;                ///< [L, F]
    TensorView<const T, 3> W_2_d;                ///< [L, F, D]
    TensorView<const T, 2> b_2_d;                ///< [L, D]
    TensorView<const T, 1> gamma_d, beta_d;      ///< [D]  of the final layer norm

    /// Number of blocks.
    int layers() const { return W_Q_d.size(0); }
    /// Block l, 0 .. layers() - 1.
    DecoderBlockWeights<T> layer(int l) const {
        return {gamma_1_d[l],
                beta_1_d[l],
                {W_Q_d[l], b_Q_d[l], W_K_d[l], b_K_d[l], W_V_d[l], b_V_d[l], W_O_d[l], b_O_d[l]},
                gamma_2_d[l],
                beta_2_d[l],
                W_Q_c[l],
                b_Q_c[l],
                W_K_c[l],
                b_K_c[l],
                W_V_c[l],
                b_V_c[l],
                W_O_c[l],
                b_O_c[l],
                gamma_3_d[l],
                beta_3_d[l],
                W_1_d[l],
                b_1_d[l],
                W_2_d[l],
                b_2_d[l]};
    }
};

/// Cross-attention: the vectors of a target sentence ask, those of a source sentence answer.
///   Q = X W_Q + b_Q,  K = S W_K + b_K,  V = S W_V + b_V
///   head h has columns [h D/H, (h + 1) D/H) of each:
///     E_h = Q_h K_h^T / sqrt(D/H)
///     A[b, h] = softmax(E_h) by rows, over the j < lengths[b]; 0 for the others      [B, H, N_t, N_s] (optional)
///   Y = [A_0 V_0, .., A_{H-1} V_{H-1}] W_O + b_O                                     [B, N_t, D]
/// X [B, N_t, D] are vectors of the decoder, S [B, N_s, D] the outputs of the encoder. lengths [B] (optional):
/// sentence b has lengths[b] words, what follows is padding; without lengths there is none. Scores may be
/// +-1000. Throws std::invalid_argument where H does not divide D, and where lengths is outside 1 .. N_s.
/// Source: Vaswani et al. 2017, section 3.2.3 ("encoder-decoder attention").
void cross_attention(TensorView<float, 3> Y, TensorView<float, 4> A, TensorView<const float, 3> X,
                     TensorView<const float, 3> S, const MultiHeadWeights<float>& weights,
                     TensorView<const int, 1> lengths, int H);

/// One block of the decoder: self-attention, cross-attention and feed-forward, each with a residual and a
/// layer norm.
///   norm = post:  Z_1 = LN_1(X + SA(X)),  Z_2 = LN_2(Z_1 + CA(Z_1, S)),  Y = LN_3(Z_2 + FF(Z_2))
///   norm = pre:   Z_1 = X + SA(LN_1(X)),  Z_2 = Z_1 + CA(LN_2(Z_1), S),  Y = Z_2 + FF(LN_3(Z_2))
/// X, Y [B, N_t, D]. SA is multi-head attention of the target with itself, with the causal mask: place i attends
/// to the places 0 .. i. CA is the cross-attention with S [B, N_s, D] and lengths [B] (optional). Both have H
/// heads. The layer norms take eps (default 1e-5). Throws std::invalid_argument where H does not divide D, and
/// where lengths is outside 1 .. N_s.
/// Source: Vaswani et al. 2017, section 3.1 (post); Xiong et al. 2020, figure 1 (pre).
void decoder_block(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 3> S,
                   const DecoderBlockWeights<float>& weights, TensorView<const int, 1> lengths, int H,
                   Norm norm, Activation activation, float eps);

/// The transformer: for each place of the target, a number for each word that may stand there. Word 0 is START.
///   words of the encoder   source[b, j]
///   words of the decoder   START, target[b, 0], .., target[b, N_t - 2]
///   a word w at place p enters its stack as sqrt(D) embedding[w] + P[p], P the sinusoidal positions
///   S = the encoder's output; L blocks, padding after lengths[b] masked, a final layer norm if norm = pre
///   Z = the decoder's output; L blocks, each with the same S, a final layer norm if norm = pre
///   logits[b, i, v] = Z[b, i] . embedding[v]      [B, N_t, V]
/// source [B, N_s], target [B, N_t], embedding [V, D], lengths [B] (optional). The numbers of source that are
/// padding have to be words, too. The layer norms take eps (default 1e-5). Throws std::invalid_argument where H
/// does not divide D, where a number of source or target is outside 0 .. V - 1, and where lengths is outside
/// 1 .. N_s.
/// Source: Vaswani et al. 2017, sections 3.1, 3.4 (one matrix for all words) and 3.5.
void transformer(TensorView<float, 3> logits, TensorView<const int, 2> source,
                 TensorView<const int, 2> target, TensorView<const float, 2> embedding,
                 const EncoderWeights<float>& encoder, const DecoderStackWeights<float>& decoder,
                 TensorView<const int, 1> lengths, int H, Norm norm, Activation activation, float eps);

/// Greedy translation, word by word: step t takes the word with the largest logit (of equal ones the first) of
/// the transformer whose target begins with the words of the steps before.
///   words[b, t] = argmax_v logits[b, t, v]      [B, N_t]
///   logits[b, t] = row t of transformer's logits for the target words[b]      [B, N_t, V] (optional)
/// After the word end (default 1) a sentence has only words end, and its logits are 0. The time of a step must
/// not grow like that of a whole pass: each block keeps the keys and values of the places before, and those of
/// the source. source [B, N_s], embedding [V, D], lengths [B] (optional). The numbers of source that are padding
/// have to be words, too. The layer norms take eps (default 1e-5). Throws std::invalid_argument where H does not
/// divide D, where source is outside 0 .. V - 1, and where lengths is outside 1 .. N_s.
/// Source: Vaswani et al. 2017, section 3.1 ("auto-regressive"); Sutskever et al. 2014 for START and end.
void translate_greedy(TensorView<int, 2> words, TensorView<float, 3> logits, TensorView<const int, 2> source,
                      TensorView<const float, 2> embedding, const EncoderWeights<float>& encoder,
                      const DecoderStackWeights<float>& decoder, TensorView<const int, 1> lengths, int H,
                      Norm norm, Activation activation, float eps, int end);

}  // namespace attn
