#pragma once
/// What a model in training calls: the layers and their backwards. Models know nothing else, so that the same
/// training runs on plain loops, on the fast functions, or on a student's.
///
/// The functions are those of the contracts (assignments/), with the same arguments in the same order.
/// Besides, a forward may keep something for the backward that follows with the same inputs: it leaves it in
/// `kept`, which belongs to one place of the model.

#include <cstdint>
#include <memory>
#include <string>

#include "assignments/01_rnn_attention/rnn_attention.h"
#include "assignments/07_seq2seq/seq2seq.h"
#include "assignments/08_image_captioning/image_captioning.h"
#include "assignments/12_masked_language_model/masked_language_model.h"
#include "assignments/13_backward/backward.h"
#include "assignments/21_recurrent_backward/recurrent_backward.h"
#include "assignments/tensor.h"

namespace attn::training {

/// What one forward keeps. Each implementation has its own kind.
struct Memory {
    Memory() = default;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    virtual ~Memory() = default;
};
using Kept = std::unique_ptr<Memory>;

/// The gradients of RecurrentLayers.
template <class T>
struct RecurrentGradients {
    TensorView<T, 3> dW_x, dW_h;  ///< [M, D, D]
    TensorView<T, 2> db;          ///< [M, D]
};

using View2 = TensorView<float, 2>;
using View3 = TensorView<float, 3>;
using View4 = TensorView<float, 4>;
using Read1 = TensorView<const float, 1>;
using Read2 = TensorView<const float, 2>;
using Read3 = TensorView<const float, 3>;
using Read4 = TensorView<const float, 4>;
using MaskView = TensorView<const std::uint8_t, 2>;
using Masks = TensorView<const std::uint8_t, 3>;

/// What feed_forward and its backward have besides vectors.
struct FeedForwardWeights {
    Read2 W_1;
    Read1 b_1;
    Read2 W_2;
    Read1 b_2;
};
struct FeedForwardGradients {
    View2 dW_1;
    TensorView<float, 1> db_1;
    View2 dW_2;
    TensorView<float, 1> db_2;
};

/// What assignment 12's token_head has besides vectors. T is const float for weights and float for gradients.
template <class T>
struct TokenHead {
    TensorView<T, 2> W;
    TensorView<T, 1> b, gamma, beta;
    TensorView<T, 2> table;
    TensorView<T, 1> bias;
};
/// What sentence_head has.
template <class T>
struct SentenceHead {
    TensorView<T, 2> W;
    TensorView<T, 1> b;
    TensorView<T, 2> W_c;
    TensorView<T, 1> b_c;
};

class Modules {
  public:
    Modules() = default;
    Modules(const Modules&) = delete;
    Modules& operator=(const Modules&) = delete;
    virtual ~Modules() = default;

    /// "plain", "fast", ..
    virtual std::string name() const = 0;

    /// Y = X W + b      X [N, D_in], W [D_in, D_out], b [D_out]
    virtual void linear(View2 Y, Read2 X, Read2 W, Read1 b) = 0;
    /// dX may be an empty view: then it is not wanted.
    virtual void linear_backward(View2 dX, View2 dW, TensorView<float, 1> db, Read2 dY, Read2 X, Read2 W) = 0;

    /// logits = Y table^T      Y [N, D], table [V, D]
    virtual void score_words(View2 logits, Read2 Y, Read2 table) = 0;
    /// dtable += dlogits^T Y, because the table has a second use at the model's input.
    virtual void score_words_backward(View2 dY, View2 dtable, Read2 dlogits, Read2 Y, Read2 table) = 0;

    virtual void layer_norm(View2 Y, Read2 X, Read1 gamma, Read1 beta, float eps) = 0;
    virtual void layer_norm_backward(View2 dX, TensorView<float, 1> dgamma, TensorView<float, 1> dbeta,
                                     Read2 dY, Read2 X, Read1 gamma, Read1 beta, float eps) = 0;

    virtual void transformer_block(View3 Y, Read3 X, const BlockWeights<float>& weights, Masks mask, int H,
                                   Norm norm, Activation activation, float eps, Kept& kept) = 0;
    virtual void transformer_block_backward(View3 dX, const BlockGradients<float>& gradients, Read3 dY,
                                            Read3 X, const BlockWeights<float>& weights, Masks mask, int H,
                                            Norm norm, Activation activation, float eps, Kept& kept) = 0;

    virtual void multi_head_attention(View3 Y, Read3 X_q, Read3 X_kv, const MultiHeadWeights<float>& weights,
                                      Masks mask, int H) = 0;
    virtual void multi_head_attention_backward(View3 dX_q, View3 dX_kv,
                                               const MultiHeadGradients<float>& gradients, Read3 dY,
                                               Read3 X_q, Read3 X_kv, const MultiHeadWeights<float>& weights,
                                               Masks mask, int H) = 0;

    virtual void feed_forward(View2 Y, Read2 X, const FeedForwardWeights& weights, Activation activation) = 0;
    virtual void feed_forward_backward(View2 dX, const FeedForwardGradients& gradients, Read2 dY, Read2 X,
                                       const FeedForwardWeights& weights, Activation activation) = 0;

    virtual void embed_patches(View3 Z, Read4 X, Read2 E, Read1 b, Read1 cls, Read2 E_pos, int P) = 0;
    /// The gradient of the pixels is not wanted.
    virtual void embed_patches_backward(View2 dE, TensorView<float, 1> db, TensorView<float, 1> dcls,
                                        View2 dE_pos, Read3 dZ, Read4 X, Read2 E, Read1 b, Read1 cls,
                                        Read2 E_pos, int P) = 0;

    virtual void conv2d(View4 Y, Read4 X, Read4 W, Read1 bias, int S) = 0;
    /// dX may be an empty view: then it is not wanted.
    virtual void conv2d_backward(View4 dX, View4 dW, TensorView<float, 1> dbias, Read4 dY, Read4 X, Read4 W,
                                 Read1 bias, int S) = 0;

    virtual void batch_norm(View3 Y, TensorView<float, 1> mean_new, TensorView<float, 1> variance_new,
                            Read3 X, Read1 gamma, Read1 beta, Read1 mean, Read1 variance, bool training,
                            float momentum, float eps) = 0;
    /// Of a batch norm in training.
    virtual void batch_norm_backward(View3 dX, TensorView<float, 1> dgamma, TensorView<float, 1> dbeta,
                                     Read3 dY, Read3 X, Read1 gamma, Read1 beta, float eps) = 0;

    /// Assignment 7's encode with order = forward.
    virtual void encode(View3 H, View3 last, Read3 X, TensorView<const int, 1> lengths,
                        const RecurrentLayers<float>& weights) = 0;
    virtual void encode_backward(View3 dX, const RecurrentGradients<float>& gradients, Read3 dH, Read3 X,
                                 TensorView<const int, 1> lengths, const RecurrentLayers<float>& weights,
                                 Read3 H) = 0;

    virtual void decode(View3 S, View3 A, Read3 h, MaskView mask, Read3 y,
                        const DecoderWeights<float>& weights, Kept& kept) = 0;
    virtual void decode_backward(View3 dh, View3 dy, const DecoderGradients<float>& gradients, Read3 dS,
                                 Read3 h, MaskView mask, Read3 y, const DecoderWeights<float>& weights,
                                 Kept& kept) = 0;

    /// As decode, over the cells of a grid: assignment 8's first_state, then for each word grid_attention and decoder_step.
    /// If it does not look at the grid, its context is 0 and A is 0, as in show_and_tell. A [B, L, R C]
    virtual void caption_states(View3 S, View3 A, Read4 grid, bool looks, Read3 y,
                                const DecoderWeights<float>& weights, Kept& kept) = 0;
    virtual void caption_states_backward(View4 dgrid, View3 dy, const DecoderGradients<float>& gradients,
                                         Read3 dS, Read4 grid, bool looks, Read3 y,
                                         const DecoderWeights<float>& weights, Kept& kept) = 0;

    virtual void token_head(View3 logits, Read3 X, const TokenHead<const float>& weights, float eps) = 0;
    /// The table's gradient is added, because the table has a second use at the model's input.
    virtual void token_head_backward(View3 dX, const TokenHead<float>& gradients, Read3 dlogits, Read3 X,
                                     const TokenHead<const float>& weights, float eps) = 0;

    /// The first token's, of sequences that need no length for it.
    virtual void sentence_head(View2 logits, Read3 X, const SentenceHead<const float>& weights) = 0;
    virtual void sentence_head_backward(View3 dX, const SentenceHead<float>& gradients, Read2 dlogits,
                                        Read3 X, const SentenceHead<const float>& weights) = 0;

    /// The mean loss.
    virtual float cross_entropy(Read3 logits, TensorView<const int, 2> targets, float smoothing) = 0;
    virtual void cross_entropy_backward(View3 dlogits, float dloss, Read3 logits,
                                        TensorView<const int, 2> targets, float smoothing) = 0;
};

/// Plain loops, float.
std::unique_ptr<Modules> plain_modules();
/// reference/fast, on as many threads as fast::set_threads() said. Backwards use what forwards kept.
std::unique_ptr<Modules> fast_modules();

}  // namespace attn::training
