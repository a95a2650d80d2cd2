#pragma once
/// Assignment 17: windows. You write these eight functions in student/windows.cpp.
///
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major,
/// float; vectors are rows, weights are [in, out]; the outputs exist and have the right shape, write every
/// element; masks are uint8, 1 = may attend, 0 = may not.
/// Letters:  B images, H rows and W columns of cells or pixels, C channels of a pixel, D numbers in a cell's vector, F
///           numbers in the hidden layer of the feed-forward network, M cells along a window's side, N windows, N_h
///           heads, P pixels along a patch's side; b image, (r, k) cell in row r and column k, n window, i and j
///           cells of a window, d feature, h head, l block. Windows of an image, cells of a window and patches are
///           counted row by row: cell i of a window stands in its row i / M and its column i % M.

#include <cstdint>

#include "../05_transformer_block/transformer_block.h"
#include "../06_vit_patching/vit_patching.h"
#include "../tensor.h"

namespace attn {

/// The weights of attention inside of windows. All windows share them.
template <class T>
struct WindowWeights {
    MultiHeadWeights<T> attention;  ///< W [D, D], b [D]
    TensorView<const T, 3> table;   ///< [2 M - 1, 2 M - 1, N_h]  a bias for each distance in rows and columns
};

/// The weights of two blocks, with the blocks along the first axis.
template <class T>
struct SwinWeights {
    TensorView<const T, 2> gamma_1, beta_1;  ///< [2, D]    of the layer norm at the attention
    TensorView<const T, 3> W_Q;              ///< [2, D, D]
    TensorView<const T, 2> b_Q;              ///< [2, D]
    TensorView<const T, 3> W_K;              ///< [2, D, D]
    TensorView<const T, 2> b_K;              ///< [2, D]
    TensorView<const T, 3> W_V;              ///< [2, D, D]
    TensorView<const T, 2> b_V;              ///< [2, D]
    TensorView<const T, 3> W_O;              ///< [2, D, D]
    TensorView<const T, 2> b_O;              ///< [2, D]
    TensorView<const T, 4> table;            ///< [2, 2 M - 1, 2 M - 1, N_h]
    TensorView<const T, 2> gamma_2, beta_2;  ///< [2, D]    of the layer norm at the feed-forward network
    TensorView<const T, 3> W_1;              ///< [2, D, F]
    TensorView<const T, 2> b_1;              ///< [2, F]
    TensorView<const T, 3> W_2;              ///< [2, F, D]
    TensorView<const T, 2> b_2;              ///< [2, D]

    /// The attention of block l, 0 or 1.
    WindowWeights<T> attention(int l) const {
        return {{W_Q[l], b_Q[l], W_K[l], b_K[l], W_V[l], b_V[l], W_O[l], b_O[l]}, table[l]};
    }
};

/// Cuts images into windows of M x M cells that do not overlap.
///   windows[b, n, i] = X[b, M n_r + i / M, M n_k + i % M]      [B, (H/M) (W/M), M M, D]
/// where window n = n_r (W/M) + n_k stands in row n_r and column n_k of the windows. X [B, H, W, D]. Throws
/// std::invalid_argument where M does not divide H and W.
/// Source: Liu et al. 2021, section 3.2, "evenly partition the image in a non-overlapping manner".
void window_partition(TensorView<float, 4> windows, TensorView<const float, 4> X, int M);

/// Puts windows together again: undoes window_partition.
///   X[b, M n_r + i / M, M n_k + i % M] = windows[b, n, i]      [B, H, W, D]
/// windows [B, (H/M) (W/M), M M, D]. Throws std::invalid_argument where M does not divide H and W.
void window_reverse(TensorView<float, 4> X, TensorView<const float, 4> windows, int M);

/// Moves images up and to the left. What leaves on one side comes back on the other.
///   Y[b, r, k] = X[b, (r + shift) mod H, (k + shift) mod W]      X, Y [B, H, W, D]
/// where mod gives 0 .. H - 1 and 0 .. W - 1. shift (default 1) may be negative, which moves down and to the right,
/// and larger than the image.
/// Source: Liu et al. 2021, section 3.2, "cyclic-shifting toward the top-left direction".
void cyclic_shift(TensorView<float, 4> Y, TensorView<const float, 4> X, int shift);

/// Which cells of a window of the shifted image were neighbours before the shift.
///   wrapped_rows(r)    = 1 if r >= H - shift, else 0
///   wrapped_columns(k) = 1 if k >= W - shift, else 0
///   mask[n, i, j] = 1 if cells i and j of window n have the same wrapped_rows and the same wrapped_columns, else 0
/// where r and k are the row and column of a cell in the shifted image. mask [(H/M) (W/M), M M, M M], for images of
/// H rows and W columns after cyclic_shift by shift (default 0). Throws std::invalid_argument where M does not divide H
/// and W, or shift is outside 0 .. M - 1.
/// Source: Liu et al. 2021, figure 4 and "Efficient batch computation for shifted configuration".
void shifted_window_mask(TensorView<std::uint8_t, 3> mask, int H, int W, int M, int shift);

/// Multi-head attention in each window on its own, with a bias for the distance of two cells.
///   Q = X W_Q + b_Q,  K = X W_K + b_K,  V = X W_V + b_V                [B, N, M M, D]
///   head h has columns [h D/N_h, (h + 1) D/N_h) of each, and in each window:
///     E_h[i, j] = Q_h[i] . K_h[j] / sqrt(D/N_h) + table[i / M - j / M + M - 1, i % M - j % M + M - 1, h]
///     A_h = softmax(E_h) by rows, over the j with mask[n, i, j] = 1; 0 for the others
///     O_h = A_h V_h                                                    [M M, D/N_h]
///   Y = [O_0, .., O_{N_h - 1}] W_O + b_O                               [B, N, M M, D]
/// X [B, N, M M, D], mask [N, M M, M M] (optional), the same for every image and head. An empty mask view (`if (mask)`
/// is false) means that every cell may attend to all cells of its window. A cell that may attend to nothing has
/// weights 0. Scores may be +-1000, also masked ones. N_h is the last length of the table. The time grows like N.
/// Throws std::invalid_argument where N_h does not divide D.
/// Source: Liu et al. 2021, eq. (4); Vaswani et al. 2017, section 3.2.2.
void window_attention(TensorView<float, 4> Y, TensorView<const float, 4> X,
                      const WindowWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int M);

/// Two successive Swin blocks. Both are pre-norm; the second one, with l = 1, shifts its windows.
///   X_0 = X,  shift_0 = 0,  shift_1 = M / 2, rounded down, or 0 where M = H or M = W
///   for l = 0, 1, with the weights of block l:
///     U   = cyclic_shift of LN_1(X_l) by shift_l
///     V   = window_reverse of window_attention of window_partition of U, with shifted_window_mask of shift_l
///     Z   = X_l + cyclic_shift of V by -shift_l
///     X_{l+1} = Z + FF(LN_2(Z))
///   Y = X_2      [B, H, W, D]
/// X [B, H, W, D]. FF is feed_forward of assignment 5 with this activation; both layer norms take eps (default
/// 1e-5). Throws std::invalid_argument where M does not divide H and W, or N_h does not divide D.
/// Source: Liu et al. 2021, eq. (3) and figure 3 (b); the published code for a window as large as the image.
void swin_block(TensorView<float, 4> Y, TensorView<const float, 4> X, const SwinWeights<float>& weights,
                int M, Activation activation, float eps);

/// Merges each square of 2 x 2 cells into one, with twice as many features.
///   Z[b, r, k] = [X[b, 2r, 2k], X[b, 2r + 1, 2k], X[b, 2r, 2k + 1], X[b, 2r + 1, 2k + 1]]      4 D numbers
///   Y = LN(Z) W_R      [B, H/2, W/2, 2 D]
/// X [B, H, W, D], gamma, beta [4 D], W_R [4 D, 2 D]; eps (default 1e-5). There is no bias. Throws
/// std::invalid_argument where 2 does not divide H and W.
/// Source: Liu et al. 2021, section 3.1; the order of the four and the layer norm are those of the published code.
void patch_merging(TensorView<float, 4> Y, TensorView<const float, 4> X, TensorView<const float, 1> gamma,
                   TensorView<const float, 1> beta, TensorView<const float, 2> W_R, float eps);

/// Shifted patch tokenization: the tokens of an image and of four copies that are moved along the diagonals.
///   S = P / 2, rounded down, and for the copy q = 0 .. 4:
///     (y_q, x_q) = (0, 0), (-S, -S), (-S, S), (S, -S), (S, S)
///     U[b, q C + c, y, x] = X[b, c, y + y_q, x + x_q], or 0 outside of the image      5 C channels
///   Z = LN(patches of U) E + b_E      [B, (H/P) (W/P), D]
/// where the patches are those of patchify, assignment 6. X [B, C, H, W], gamma, beta [5 P P C], E [5 P P C, D],
/// b_E [D]; eps (default 1e-5). Throws std::invalid_argument where P does not divide H and W.
/// Source: Lee, Lee & Song 2021, section 3.1 and figure 2; the order of the four is that of the published code.
void shifted_patch_tokens(TensorView<float, 3> Z, TensorView<const float, 4> X,
                          TensorView<const float, 1> gamma, TensorView<const float, 1> beta,
                          TensorView<const float, 2> E, TensorView<const float, 1> b_E, int P, float eps);

}  // namespace attn
