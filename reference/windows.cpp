#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "contracts/masking_reference.h"
#include "contracts/self_attention_reference.h"
#include "contracts/transformer_block_reference.h"
#include "contracts/vit_patching_reference.h"
#include "contracts/windows_reference.h"
#include "reference/owned.h"
#include "reference/refusals.h"

namespace attn::cpu {
namespace {

/// Y = X W      X [N, D_in], W [D_in, D_out], Y [N, D_out]
template <class T>
void multiply_cells(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const T, 2> W) {
    for (int i = 0; i < Y.size(0); ++i) {
        for (int d = 0; d < Y.size(1); ++d) {
            T sum = 0;
            for (int k = 0; k < X.size(1); ++k) sum += X(i, k) * W(k, d);
            Y(i, d) = sum;
        }
    }
}

/// Y = X W + b      X [N, D_in], W [D_in, D_out], b [D_out], Y [N, D_out]
template <class T>
void project_cells(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const T, 2> W,
                   TensorView<const T, 1> b) {
    multiply_cells<T>(Y, X, W);
    for (int i = 0; i < Y.size(0); ++i)
        for (int d = 0; d < Y.size(1); ++d) Y(i, d) += b(d);
}

/// The cells of all images as the rows of one matrix.
template <class T>
TensorView<T, 2> cells_of(TensorView<T, 4> X) {
    return {X.data(), X.size(0) * X.size(1) * X.size(2), X.size(3)};
}

/// Z = X + Y
template <class T>
void add_cells(TensorView<T, 4> Z, TensorView<const T, 4> X, TensorView<const T, 4> Y) {
    for (int b = 0; b < Z.size(0); ++b)
        for (int r = 0; r < Z.size(1); ++r)
            for (int k = 0; k < Z.size(2); ++k)
                for (int d = 0; d < Z.size(3); ++d) Z(b, r, k, d) = X(b, r, k, d) + Y(b, r, k, d);
}

/// The mask of a window of a shifted image that begins at this row and column: 1 for two cells that have wrapped alike.
void mark_groups(TensorView<std::uint8_t, 2> mask, int top, int left, int H, int W, int M, int shift) {
    for (int i = 0; i < mask.size(0); ++i) {
        const bool row_i = top + i / M >= H - shift, column_i = left + i % M >= W - shift;
        for (int j = 0; j < mask.size(1); ++j) {
            const bool row_j = top + j / M >= H - shift, column_j = left + j % M >= W - shift;
            mask(i, j) = row_i == row_j && column_i == column_j ? 1 : 0;
        }
    }
}

}  // namespace

template <class T>
void window_partition(TensorView<T, 4> windows, TensorView<const T, 4> X, int M) {
    const int H = X.size(1), W = X.size(2);
    require_whole_windows(H, W, M);
    for (int b = 0; b < windows.size(0); ++b) {
        for (int n = 0; n < windows.size(1); ++n) {
            const int n_r = n / (W / M), n_k = n % (W / M);
            for (int i = 0; i < windows.size(2); ++i)
                for (int d = 0; d < windows.size(3); ++d)
                    windows(b, n, i, d) = X(b, M * n_r + i / M, M * n_k + i % M, d);
        }
    }
}

template <class T>
void window_reverse(TensorView<T, 4> X, TensorView<const T, 4> windows, int M) {
    const int H = X.size(1), W = X.size(2);
    require_whole_windows(H, W, M);
    for (int b = 0; b < windows.size(0); ++b) {
        for (int n = 0; n < windows.size(1); ++n) {
            const int n_r = n / (W / M), n_k = n % (W / M);
            for (int i = 0; i < windows.size(2); ++i)
                for (int d = 0; d < windows.size(3); ++d)
                    X(b, M * n_r + i / M, M * n_k + i % M, d) = windows(b, n, i, d);
        }
    }
}

template <class T>
void cyclic_shift(TensorView<T, 4> Y, TensorView<const T, 4> X, int shift) {
    const int H = X.size(1), W = X.size(2);
    for (int b = 0; b < X.size(0); ++b) {
        for (int r = 0; r < H; ++r) {
            for (int k = 0; k < W; ++k) {
                // % has the sign of its left side, so H and W are added before the last one.
                const int from_r = (r + shift % H + H) % H, from_k = (k + shift % W + W) % W;
                for (int d = 0; d < X.size(3); ++d) Y(b, r, k, d) = X(b, from_r, from_k, d);
            }
        }
    }
}

void shifted_window_mask(TensorView<std::uint8_t, 3> mask, int H, int W, int M, int shift) {
    require_whole_windows(H, W, M);
    require_inside(shift, 0, M);
    for (int n = 0; n < mask.size(0); ++n) {
        // The first row and column of window n in the shifted image
        const int top = n / (W / M) * M, left = n % (W / M) * M;
        mark_groups(mask[n], top, left, H, W, M, shift);
    }
}

template <class T>
void window_attention(TensorView<T, 4> Y, TensorView<const T, 4> X, const WindowWeights<T>& weights,
                      TensorView<const std::uint8_t, 3> mask, int M) {
    const int B = X.size(0), N = X.size(1), cells = X.size(2), D = X.size(3), N_h = weights.table.size(2);
    require_whole_heads(D, N_h);
    const int D_h = D / N_h;
    Owned<T, 2> queries(cells, D), keys(cells, D), values(cells, D), scores(cells, cells),
        shares(cells, cells), outputs(cells, D);
    const TensorView<T, 2> Q = queries.view, K = keys.view, V = values.view, E = scores.view, A = shares.view,
                           O = outputs.view;
    for (int b = 0; b < B; ++b) {
        for (int n = 0; n < N; ++n) {
            // Q = X W_Q + b_Q, K = X W_K + b_K, V = X W_V + b_V
            project_cells<T>(Q, X[b][n], weights.attention.W_Q, weights.attention.b_Q);
            project_cells<T>(K, X[b][n], weights.attention.W_K, weights.attention.b_K);
            project_cells<T>(V, X[b][n], weights.attention.W_V, weights.attention.b_V);
            for (int h = 0; h < N_h; ++h) {
                // E_h[i, j] = Q_h[i] . K_h[j] / sqrt(D/N_h) + the bias of the distance from j to i
                for (int i = 0; i < cells; ++i) {
                    for (int j = 0; j < cells; ++j) {
                        T dot = 0;
                        for (int d = h * D_h; d < (h + 1) * D_h; ++d) dot += Q(i, d) * K(j, d);
                        const int dr = i / M - j / M, dk = i % M - j % M;
                        const T bias = weights.table(dr + M - 1, dk + M - 1, h);
                        E(i, j) = dot / std::sqrt(static_cast<T>(D_h)) + bias;
                    }
                }
                // A_h = softmax of E_h by rows, over what the mask allows
                if (mask)
                    masked_softmax<T>(A, E, mask[n]);
                else
                    softmax<T>(A, E);
                // O_h = A_h V_h
                for (int i = 0; i < cells; ++i) {
                    for (int d = h * D_h; d < (h + 1) * D_h; ++d) {
                        T sum = 0;
                        for (int j = 0; j < cells; ++j) sum += A(i, j) * V(j, d);
                        O(i, d) = sum;
                    }
                }
            }
            // Y = O W_O + b_O
            project_cells<T>(Y[b][n], O, weights.attention.W_O, weights.attention.b_O);
        }
    }
}

template <class T>
void swin_block(TensorView<T, 4> Y, TensorView<const T, 4> X, const SwinWeights<T>& weights, int M,
                Activation activation, T eps) {
    const int B = X.size(0), H = X.size(1), W = X.size(2), D = X.size(3);
    require_whole_windows(H, W, M);
    require_whole_heads(D, weights.table.size(3));
    const int N = H / M * (W / M), cells = M * M;
    Owned<T, 4> stream(B, H, W, D), normalised(B, H, W, D), shifted(B, H, W, D), cut(B, N, cells, D),
        attended(B, N, cells, D), whole(B, H, W, D), sum(B, H, W, D);
    std::vector<std::uint8_t> allowed(static_cast<std::size_t>(N * cells * cells));
    const TensorView<std::uint8_t, 3> mask(allowed.data(), N, cells, cells);
    const TensorView<T, 4> X_l = stream.view, L = normalised.view, U = shifted.view, V = whole.view,
                           Z = sum.view;
    std::copy(X.data(), X.data() + X.count(), X_l.data());
    for (int l = 0; l < 2; ++l) {
        const int shift = l == 0 || M == H || M == W ? 0 : M / 2;
        // U = cyclic_shift of LN_1(X_l)
        layer_norm<T>(cells_of<T>(L), cells_of<const T>(X_l), weights.gamma_1[l], weights.beta_1[l], eps);
        cyclic_shift<T>(U, L, shift);
        // V = window_attention of U, window by window
        window_partition<T>(cut.view, U, M);
        for (int n = 0; n < N; ++n) mark_groups(mask[n], n / (W / M) * M, n % (W / M) * M, H, W, M, shift);
        window_attention<T>(attended.view, cut.view, weights.attention(l), mask, M);
        window_reverse<T>(V, attended.view, M);
        // Z = X_l + V, shifted back
        cyclic_shift<T>(U, V, -shift);
        add_cells<T>(Z, X_l, U);
        // X_{l+1} = Z + FF(LN_2(Z))
        layer_norm<T>(cells_of<T>(L), cells_of<const T>(Z), weights.gamma_2[l], weights.beta_2[l], eps);
        feed_forward<T>(cells_of<T>(U), cells_of<const T>(L), weights.W_1[l], weights.b_1[l], weights.W_2[l],
                        weights.b_2[l], activation);
        add_cells<T>(X_l, Z, U);
    }
    std::copy(X_l.data(), X_l.data() + X_l.count(), Y.data());
}

template <class T>
void patch_merging(TensorView<T, 4> Y, TensorView<const T, 4> X, TensorView<const T, 1> gamma,
                   TensorView<const T, 1> beta, TensorView<const T, 2> W_R, T eps) {
    const int B = X.size(0), H = X.size(1), W = X.size(2), D = X.size(3);
    require_whole_windows(H, W, 2);
    Owned<T, 4> four(B, H / 2, W / 2, 4 * D), normalised(B, H / 2, W / 2, 4 * D);
    const TensorView<T, 4> Z = four.view, L = normalised.view;
    // Z = the four cells of each square, down the columns
    for (int b = 0; b < B; ++b)
        for (int r = 0; r < H / 2; ++r)
            for (int k = 0; k < W / 2; ++k)
                for (int q = 0; q < 4; ++q)
                    for (int d = 0; d < D; ++d) Z(b, r, k, q * D + d) = X(b, 2 * r + q % 2, 2 * k + q / 2, d);
    // Y = LN(Z) W_R
    layer_norm<T>(cells_of<T>(L), cells_of<const T>(Z), gamma, beta, eps);
    multiply_cells<T>(cells_of<T>(Y), cells_of<const T>(L), W_R);
}

template <class T>
void shifted_patch_tokens(TensorView<T, 3> Z, TensorView<const T, 4> X, TensorView<const T, 1> gamma,
                          TensorView<const T, 1> beta, TensorView<const T, 2> E, TensorView<const T, 1> b_E,
                          int P, T eps) {
    const int B = X.size(0), C = X.size(1), H = X.size(2), W = X.size(3);
    require_whole_patches(H, W, P);
    const int S = P / 2, N = H / P * (W / P), features = E.size(0);
    Owned<T, 4> five_images(B, 5 * C, H, W);
    const TensorView<T, 4> U = five_images.view;
    for (int b = 0; b < B; ++b) {
        for (int q = 0; q < 5; ++q) {
            // The image itself, then the copies that read above left, above right, below left, below right
            const int y_q = q == 0 ? 0 : q <= 2 ? -S : S;
            const int x_q = q == 0 ? 0 : q % 2 == 1 ? -S : S;
            for (int c = 0; c < C; ++c) {
                for (int y = 0; y < H; ++y) {
                    for (int x = 0; x < W; ++x) {
                        const int from_y = y + y_q, from_x = x + x_q;
                        const bool inside = 0 <= from_y && from_y < H && 0 <= from_x && from_x < W;
                        U(b, q * C + c, y, x) = inside ? X(b, c, from_y, from_x) : T(0);
                    }
                }
            }
        }
    }
    // Z = LN(patches of U) E + b_E
    Owned<T, 3> cut(B, N, features);
    Owned<T, 2> normalised(B * N, features);
    patchify<T>(cut.view, U, P);
    const TensorView<const T, 2> patches(cut.view.data(), B * N, features);
    layer_norm<T>(normalised.view, patches, gamma, beta, eps);
    const TensorView<T, 2> tokens(Z.data(), B * N, Z.size(2));
    project_cells<T>(tokens, normalised.view, E, b_E);
}

}  // namespace attn::cpu

#include "contracts/windows_instances.h"
