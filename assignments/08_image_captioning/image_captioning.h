#pragma once
/// Assignment 8: image captioning. You write these seven functions in student/image_captioning.cpp.
///
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major,
/// float; vectors are rows, weights are [in, out]; the outputs exist and have the right shape, write every
/// element. Words are tokens, whole numbers 0 .. V - 1. relu(x) = max(0, x).
/// Letters:  B images, R rows and C columns of an image or of a grid, S stride, D numbers in a vector (D_in of a
///           pixel, or of a cell before a convolution, D_out after it, D_m between two of them, D_h of a cell
///           of the grid, D_s of a state, D_y of a word, D_a of the score's hidden layer), L words of a
///           caption, V tokens in the vocabulary;
///           b image, (r, k) cell, (p, q) place under the kernel, d feature, o feature of the output, t step.

#include "../01_rnn_attention/rnn_attention.h"
#include "../07_seq2seq/seq2seq.h"
#include "../tensor.h"

namespace attn {

/// The weights of two convolutions, one after the other.
template <class T>
struct GridWeights {
    TensorView<const T, 4> W_1;  ///< [3, 3, D_in, D_m]
    TensorView<const T, 1> b_1;  ///< [D_m]
    TensorView<const T, 4> W_2;  ///< [3, 3, D_m, D_h]
    TensorView<const T, 1> b_2;  ///< [D_h]
};

/// The weights of a captioner with attention. Every step and every image uses the same weights.
template <class T>
struct CaptionWeights {
    TensorView<const T, 2> table;  ///< [V, D_y]  the words' vectors
    DecoderWeights<T> decoder;     ///< of assignment 1: first state, attention, step
    TensorView<const T, 2> W_o;    ///< [D_s, V]  of the logits
    TensorView<const T, 1> b_o;    ///< [V]
};

/// The weights of a captioner without attention.
template <class T>
struct ShowAndTellWeights {
    TensorView<const T, 2> table;  ///< [V, D_y]    the words' vectors
    TensorView<const T, 2> W_0;    ///< [D_h, D_s]  of the first state
    TensorView<const T, 1> b_0;    ///< [D_s]
    TensorView<const T, 2> W_x;    ///< [D_y, D_s]  of the step: word
    TensorView<const T, 2> W_s;    ///< [D_s, D_s]  of the step: previous state
    TensorView<const T, 1> b;      ///< [D_s]
    TensorView<const T, 2> W_o;    ///< [D_s, V]    of the logits
    TensorView<const T, 1> b_o;    ///< [V]
};

/// Convolution of an image with a kernel of 3 x 3: a cross-correlation, which does not flip the kernel.
///   Y[b, r, k, o] = bias[o] + sum_{p, q, d} X[b, S r + p - 1, S k + q - 1, d] W[p, q, d, o]
/// with p, q = 0 .. 2. X is 0 outside of the image: a padding of 1. X [B, R, C, D_in], W [3, 3, D_in, D_out],
/// bias [D_out], Y [B, ceil(R/S), ceil(C/S), D_out]. The time grows like the number of cells.
/// Source: the documentation of torch.nn.Conv2d and ONNX's Conv, both with features before rows.
void conv2d(TensorView<float, 4> Y, TensorView<const float, 4> X, TensorView<const float, 4> W,
            TensorView<const float, 1> bias, int S);

/// The grid of features of an image: a small convolutional network.
///   Z    = relu(conv2d of X, W_1, b_1, S)
///   grid = relu(conv2d of Z, W_2, b_2, S)
/// X [B, R, C, D_in], grid [B, ceil(ceil(R/S)/S), ceil(ceil(C/S)/S), D_h].
/// Source: the lectures' "Use a CNN to compute a grid of features for an image"; Xu et al. 2015, section 3.1.1.
void feature_grid(TensorView<float, 4> grid, TensorView<const float, 4> X, const GridWeights<float>& weights,
                  int S);

/// The first state of a captioner, from the mean over the cells of the grid.
///   m[b]   = 1/(R C) sum_{r, k} grid[b, r, k]
///   s_0[b] = tanh(m[b] W_0 + b_0)      [B, D_s]
/// grid [B, R, C, D_h], W_0 [D_h, D_s], b_0 [D_s].
/// Source: Xu et al. 2015, section 3.1.2, with one layer for f_init; the lectures' "initial hidden state".
void first_state(TensorView<float, 2> s_0, TensorView<const float, 4> grid, TensorView<const float, 2> W_0,
                 TensorView<const float, 1> b_0);

/// One step: look at the grid, read the previous word, score the next one.
///   a, c   = grid_attention of s_prev and grid          assignment 1; a [B, R, C]
///   s      = decoder_step of table[y_prev], c, s_prev   assignment 1; s [B, D_s]
///   logits = s W_o + b_o      [B, V]
/// y_prev [B], s_prev [B, D_s], grid [B, R, C, D_h]. Throws std::invalid_argument where y_prev is outside
/// 0 .. V - 1. Source: Xu et al. 2015, section 3.1.2, with an Elman cell and logits from the state alone; the
/// lectures' "Image Captioning with RNNs and Attention".
void caption_step(TensorView<float, 2> s, TensorView<float, 3> a, TensorView<float, 2> logits,
                  TensorView<const int, 1> y_prev, TensorView<const float, 2> s_prev,
                  TensorView<const float, 4> grid, const CaptionWeights<float>& weights);

/// The loss of given captions. Every step reads the right word before it, whatever the model would have said.
///   s_0 = first_state of grid, y_0 = start, y_t = y[b, t - 1]
///   for t = 1 .. L:  s_t, a_t, logits_t = caption_step of y_{t-1}, s_{t-1}
///   losses[b, t - 1] = -ln softmax(logits_t)[y_t], or 0 for words after the first eos      [B, L] (optional)
///   loss = sum of losses / number of words that count      [1]
/// The first eos of a caption counts, too; what comes after it is padding. A caption without eos has L words.
/// y [B, L], grid [B, R, C, D_h]; start (default 0), eos (default 1), which may be the same token. Logits may
/// be +-10000. Throws std::invalid_argument where y or start is outside 0 .. V - 1.
/// Source: Vinyals et al. 2015, eq. (13), as a mean.
void caption_loss(TensorView<float, 1> loss, TensorView<float, 2> losses, TensorView<const int, 2> y,
                  TensorView<const float, 4> grid, const CaptionWeights<float>& weights, int start, int eos);

/// Writes captions: every step says its most probable word, which the next step reads.
///   y_0 = start, s_0 = first_state of grid
///   for t = 1 .. L:  s_t, a_t, logits_t = caption_step of y_{t-1}, s_{t-1};  y_t = argmax of logits_t
///   y[b, t - 1] = y_t      [B, L]
///   A[b, t - 1] = a_t      [B, L, R, C] (optional)
/// Of equal logits the token with the lower number is said. After the first eos all further y are eos, and
/// their A is 0. grid [B, R, C, D_h]; start (default 0), eos (default 1), which may be the same token.
/// Throws std::invalid_argument where start is outside 0 .. V - 1.
/// Source: Xu et al. 2015, figures 2 and 3, with the most probable word in place of a search.
void caption_greedy(TensorView<int, 2> y, TensorView<float, 4> A, TensorView<const float, 4> grid,
                    const CaptionWeights<float>& weights, int start, int eos);

/// A captioner without attention, a conditional language model: the image sets the first state, and no step sees
/// it again.
///   s_0 = first_state of grid, y_0 = start, y_t = y[b, t - 1]
///   for t = 1 .. L:  s_t = rnn_cell of table[y_{t-1}], s_{t-1}      assignment 7
///   logits[b, t - 1] = s_t W_o + b_o      [B, L, V]
/// y [B, L], grid [B, R, C, D_h]; start (default 0). Throws std::invalid_argument where y or start is outside
/// 0 .. V - 1. Source: Vinyals et al. 2015, section 3, with an Elman cell; the slide "Conditional Language
/// Models" of CS60010 at IIT Kharagpur.
void show_and_tell(TensorView<float, 3> logits, TensorView<const int, 2> y, TensorView<const float, 4> grid,
                   const ShowAndTellWeights<float>& weights, int start);

}  // namespace attn
