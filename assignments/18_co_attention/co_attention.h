#pragma once
/// Assignment 18: co-attention. You write these five functions in student/co_attention.cpp.
///
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major,
/// float; vectors are rows, weights are [in, out]; the outputs exist and have the right shape, write every
/// element; masks are uint8, 1 = may attend, 0 = may not. Words are tokens, whole numbers 0 .. V - 1.
/// There are two streams. Names with _r belong to the regions of an image, names with _w to the words of a sentence.
/// Letters:  B pairs of an image and a sentence, N_r regions, N_w words, D_r and D_w numbers in a vector of a region and of
///           a word, D numbers in a query, a key or a value, of all heads together, F_r and F_w numbers in the hidden layer
///           of a feed-forward, D_f features of a region, H heads, L blocks, V tokens in the vocabulary; in one attention
///           N_q vectors of D_q numbers ask, N_k vectors of D_k numbers are asked; b pair, i query or place, j key,
///           d feature, h head, l block.

#include <cstdint>

#include "../03_multi_head/multi_head.h"
#include "../04_masking/masking.h"
#include "../05_transformer_block/transformer_block.h"
#include "../11_language_model/language_model.h"
#include "../tensor.h"

namespace attn {

/// The weights that make a vector of a region.
template <class T>
struct RegionWeights {
    TensorView<const T, 2> W_f;  ///< [D_f, D_r]  of the features
    TensorView<const T, 1> b_f;  ///< [D_r]
    TensorView<const T, 2> W_p;  ///< [5, D_r]    of the five numbers that say where the region is
    TensorView<const T, 1> b_p;  ///< [D_r]
};

/// The weights of one attention from one stream to the other.
template <class T>
struct CoAttentionWeights {
    TensorView<const T, 2> W_Q;  ///< [D_q, D]  reads the stream that asks
    TensorView<const T, 1> b_Q;  ///< [D]
    TensorView<const T, 2> W_K;  ///< [D_k, D]  reads the stream that is asked
    TensorView<const T, 1> b_K;  ///< [D]
    TensorView<const T, 2> W_V;  ///< [D_k, D]  reads the stream that is asked
    TensorView<const T, 1> b_V;  ///< [D]
    TensorView<const T, 2> W_O;  ///< [D, D_q]  goes back to the stream that asks
    TensorView<const T, 1> b_O;  ///< [D_q]
};

/// The weights of one co-attention block. A matrix with _r reads or writes vectors of regions, one with _w vectors of words.
template <class T>
struct CoBlockWeights {
    TensorView<const T, 2> W_Q_r;                ///< [D_r, D]
    TensorView<const T, 1> b_Q_r;                ///< [D]
    TensorView<const T, 2> W_K_r;                ///< [D_r, D]
    TensorView<const T, 1> b_K_r;                ///< [D]
    TensorView<const T, 2> W_V_r;                ///< [D_r, D]
    TensorView<const T, 1> b_V_r;                ///< [D]
    TensorView<const T, 2> W_O_r;                ///< [D, D_r]
    TensorView<const T, 1> b_O_r;                ///< [D_r]
    TensorView<const T, 1> gamma_1_r, beta_1_r;  ///< [D_r]  of the layer norm at the attention
    TensorView<const T, 2> W_1_r;                ///< [D_r, F_r]
    TensorView<const T, 1> b_1_r;                ///< [F_r]
    TensorView<const T, 2> W_2_r;                ///< [F_r, D_r]
    TensorView<const T, 1> b_2_r;                ///< [D_r]
    TensorView<const T, 1> gamma_2_r, beta_2_r;  ///< [D_r]  of the layer norm at the feed-forward
    TensorView<const T, 2> W_Q_w;                ///< [D_w, D]
    TensorView<const T, 1> b_Q_w;                ///< [D]
    TensorView<const T, 2> W_K_w;                ///< [D_w, D]
    TensorView<const T, 1> b_K_w;                ///< [D]
    TensorView<const T, 2> W_V_w;                ///< [D_w, D]
    TensorView<const T, 1> b_V_w;                ///< [D]
    TensorView<const T, 2> W_O_w;                ///< [D, D_w]
    TensorView<const T, 1> b_O_w;                ///< [D_w]
    TensorView<const T, 1> gamma_1_w, beta_1_w;  ///< [D_w]
    TensorView<const T, 2> W_1_w;                ///< [D_w, F_w]
    TensorView<const T, 1> b_1_w;                ///< [F_w]
    TensorView<const T, 2> W_2_w;                ///< [F_w, D_w]
    TensorView<const T, 1> b_2_w;                ///< [D_w]
    TensorView<const T, 1> gamma_2_w, beta_2_w;  ///< [D_w]
};

/// The weights of L co-attention blocks, with the blocks along the first axis.
template <class T>
struct CoStackWeights {
    TensorView<const T, 3> W_Q_r;                ///< [L, D_r, D]
    TensorView<const T, 2> b_Q_r;                ///< [L, D]
    TensorView<const T, 3> W_K_r;                ///< [L, D_r, D]
    TensorView<const T, 2> b_K_r;                ///< [L, D]
    TensorView<const T, 3> W_V_r;                ///< [L, D_r, D]
    TensorView<const T, 2> b_V_r;                ///< [L, D]
    TensorView<const T, 3> W_O_r;                ///< [L, D, D_r]
    TensorView<const T, 2> b_O_r;                ///< [L, D_r]
    TensorView<const T, 2> gamma_1_r, beta_1_r;  ///< [L, D_r]
    TensorView<const T, 3> W_1_r;                ///< [L, D_r, F_r]
    TensorView<const T, 2> b_1_r;                ///< [L, F_r]
    TensorView<const T, 3> W_2_r;                ///< [L, F_r, D_r]
    TensorView<const T, 2> b_2_r;                ///< [L, D_r]
    TensorView<const T, 2> gamma_2_r, beta_2_r;  ///< [L, D_r]
    TensorView<const T, 3> W_Q_w;                ///< [L, D_w, D]
    TensorView<const T, 2> b_Q_w;                ///< [L, D]
    TensorView<const T, 3> W_K_w;                ///< [L, D_w, D]
    TensorView<const T, 2> b_K_w;                ///< [L, D]
    TensorView<const T, 3> W_V_w;                ///< [L, D_w, D]
    TensorView<const T, 2> b_V_w;                ///< [L, D]
    TensorView<const T, 3> W_O_w;                ///< [L, D, D_w]
    TensorView<const T, 2> b_O_w;                ///< [L, D_w]
    TensorView<const T, 2> gamma_1_w, beta_1_w;  ///< [L, D_w]
    TensorView<const T, 3> W_1_w;                ///< [L, D_w, F_w]
    TensorView<const T, 2> b_1_w;                ///< [L, F_w]
    TensorView<const T, 3> W_2_w;                ///< [L, F_w, D_w]
    TensorView<const T, 2> b_2_w;                ///< [L, D_w]
    TensorView<const T, 2> gamma_2_w, beta_2_w;  ///< [L, D_w]

    /// Number of blocks.
    int layers() const { return W_Q_r.size(0); }
    /// Block l, 0 .. layers() - 1.
    CoBlockWeights<T> layer(int l) const {
        return {W_Q_r[l],     b_Q_r[l],    W_K_r[l], b_K_r[l], W_V_r[l], b_V_r[l], W_O_r[l],     b_O_r[l],
                gamma_1_r[l], beta_1_r[l], W_1_r[l], b_1_r[l], W_2_r[l], b_2_r[l], gamma_2_r[l], beta_2_r[l],
                W_Q_w[l],     b_Q_w[l],    W_K_w[l], b_K_w[l], W_V_w[l], b_V_w[l], W_O_w[l],     b_O_w[l],
                gamma_1_w[l], beta_1_w[l], W_1_w[l], b_1_w[l], W_2_w[l], b_2_w[l], gamma_2_w[l], beta_2_w[l]};
    }
};

/// A vector for each region: what is seen there, and where it is.
///   x_1, y_1, x_2, y_2 = boxes[b, i], the left, upper, right and lower edge of the region, in pixels
///   area = (x_2 - x_1) (y_2 - y_1) / (width[b] height[b])
///   five[b, i] = x_1 / width[b], y_1 / height[b], x_2 / width[b], y_2 / height[b], area      [B, N_r, 5] (optional)
///   X[b, i] = features[b, i] W_f + b_f + five[b, i] W_p + b_p      [B, N_r, D_r]
/// features [B, N_r, D_f], boxes [B, N_r, 4], width and height [B] of the image, in pixels and above 0.
/// Source: Lu et al. 2019, section 2.2, "Image Representations".
void embed_regions(TensorView<float, 3> X, TensorView<float, 3> five, TensorView<const float, 3> features,
                   TensorView<const float, 3> boxes, TensorView<const float, 1> width,
                   TensorView<const float, 1> height, const RegionWeights<float>& weights);

/// One stream asks the other: multi-head attention between vectors of two widths.
///   Q = X_q W_Q + b_Q,  K = X_kv W_K + b_K,  V = X_kv W_V + b_V      [B, N_q, D], [B, N_k, D], [B, N_k, D]
///   head h has columns [h D/H, (h + 1) D/H) of each:
///     E_h = Q_h K_h^T / sqrt(D/H)
///     A[b, h] = softmax(E_h) by rows, over the j with mask[b, j] = 1; 0 for the others      [B, H, N_q, N_k] (optional)
///   Y = [A_0 V_0, .., A_{H-1} V_{H-1}] W_O + b_O      [B, N_q, D_q]
/// X_q [B, N_q, D_q], X_kv [B, N_k, D_k], mask [B, N_k] (optional), the same for all queries and heads: which vectors may be
/// attended to. Without it all may be. If none may be, A is 0, and so Y = b_O. A masked score changes nothing, even if it lies
/// far above the allowed ones (scores may be +-1000). Throws std::invalid_argument where H does not divide D.
/// Source: Vaswani et al. 2017, section 3.2.2; Lu et al. 2019, figure 2 (b).
void co_attention(TensorView<float, 3> Y, TensorView<float, 4> A, TensorView<const float, 3> X_q,
                  TensorView<const float, 3> X_kv, const CoAttentionWeights<float>& weights,
                  TensorView<const std::uint8_t, 2> mask, int H);

/// One co-attention block: each stream asks the other, and has a feed-forward of its own.
///   C_r = co_attention of X_r to X_w, with W_Q_r, W_K_w, W_V_w, W_O_r and their biases, and mask_w
///   C_w = co_attention of X_w to X_r, with W_Q_w, W_K_r, W_V_r, W_O_w and their biases, and mask_r
///   Z_r = LN_1_r(X_r + C_r),  Z_w = LN_1_w(X_w + C_w)
///   Y_r = LN_2_r(Z_r + FF_r(Z_r))      [B, N_r, D_r]
///   Y_w = LN_2_w(Z_w + FF_w(Z_w))      [B, N_w, D_w]
/// Both streams are updated at once: both attentions read X_r and X_w. FF(z) = gelu_erf(z W_1 + b_1) W_2 + b_2 and LN are
/// feed_forward and layer_norm of assignment 5. X_r [B, N_r, D_r], X_w [B, N_w, D_w], mask_r [B, N_r] (optional),
/// mask_w [B, N_w] (optional); all layer norms take eps (default 1e-5). Masked vectors are
/// updated, too. Throws std::invalid_argument where H does not divide D.
/// Source: Lu et al. 2019, section 2.2 and figure 2 (b).
void co_attention_block(TensorView<float, 3> Y_r, TensorView<float, 3> Y_w, TensorView<const float, 3> X_r,
                        TensorView<const float, 3> X_w, const CoBlockWeights<float>& weights,
                        TensorView<const std::uint8_t, 2> mask_r, TensorView<const std::uint8_t, 2> mask_w,
                        int H, float eps);

/// From the regions of an image and the words of a sentence to vectors that know of both.
///   X_r = embed_regions of features and boxes
///   X_w[b, i] = table[tokens[b, i]] + P[i]
///   for l = 0 .. L - 1:  X_r, X_w = co_attention_block of X_r, X_w with block l
///   Y_r = X_r,  Y_w = X_w      [B, N_r, D_r], [B, N_w, D_w]
/// features [B, N_r, D_f], boxes [B, N_r, 4], width and height [B], tokens [B, N_w], table [V, D_w], P [N_w, D_w],
/// mask_r [B, N_r] (optional), mask_w [B, N_w] (optional), the same for all blocks; eps (default 1e-5). Masked tokens have
/// to be tokens, too. Throws std::invalid_argument where H does not divide D, and where tokens is outside 0 .. V - 1.
/// Source: Lu et al. 2019, section 2.2, without the blocks of self-attention between those of co-attention.
void vision_language_encode(TensorView<float, 3> Y_r, TensorView<float, 3> Y_w,
                            TensorView<const float, 3> features, TensorView<const float, 3> boxes,
                            TensorView<const float, 1> width, TensorView<const float, 1> height,
                            TensorView<const int, 2> tokens, const RegionWeights<float>& regions,
                            TensorView<const float, 2> table, TensorView<const float, 2> P,
                            const CoStackWeights<float>& weights, TensorView<const std::uint8_t, 2> mask_r,
                            TensorView<const std::uint8_t, 2> mask_w, int H, float eps);

/// Do this image and this sentence belong together? The logit of the answer yes, from the first vector of each stream.
///   p_r[b] = relu(X_r[b, 0] W_r + b_r)
///   p_w[b] = relu(X_w[b, 0] W_w + b_w)
///   score[b] = sum_d p_r[b, d] p_w[b, d] v[d] + c      [B]
/// relu(x) = max(0, x). X_r [B, N_r, D_r], X_w [B, N_w, D_w], W_r [D_r, D], b_r [D], W_w [D_w, D], b_w [D], v [D], c [1].
/// The first region is usually the whole image, and the first word a token such as START.
/// Source: Lu et al. 2019, section 2.3, "multi-modal alignment"; the two layers with relu as in the authors' code.
void alignment_score(TensorView<float, 1> score, TensorView<const float, 3> X_r,
                     TensorView<const float, 3> X_w, TensorView<const float, 2> W_r,
                     TensorView<const float, 1> b_r, TensorView<const float, 2> W_w,
                     TensorView<const float, 1> b_w, TensorView<const float, 1> v,
                     TensorView<const float, 1> c);

}  // namespace attn
