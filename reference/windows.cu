// The reference for assignment 17, as kernels: an outer loop of windows.cpp becomes threads here.

#include <cstddef>
#include <stdexcept>
#include <string>

#include "device.h"
#include "transformer_block_cuda.h"
#include "vit_patching_cuda.h"
#include "windows_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;

void require_divides(int side, int H, int W) {
    if (side >= 1 && H % side == 0 && W % side == 0) return;
    throw std::invalid_argument(std::to_string(side) + " does not divide H = " + std::to_string(H) +
                                " and W = " + std::to_string(W));
}

void require_whole_heads(int D, int heads) {
    if (heads >= 1 && D % heads == 0) return;
    throw std::invalid_argument("N_h = " + std::to_string(heads) +
                                " does not divide D = " + std::to_string(D));
}

/// Row and column of a cell in its image.
struct Cell {
    int r, k;
};

/// Cell i of window n of an image with W columns.
__device__ Cell cell_of(int n, int i, int W, int M) {
    return {n / (W / M) * M + i / M, n % (W / M) * M + i % M};
}

/// windows[b, n, i] = X[b, row and column of cell i of window n]. A thread owns one number of windows.
__global__ void cut_windows(TensorView<float, 4> windows, TensorView<const float, 4> X, int M) {
    const std::ptrdiff_t number = thread_number();
    if (number >= windows.count()) return;
    const auto [b, n, i, d] = index_in(windows, number);
    const Cell at = cell_of(n, i, X.size(2), M);
    windows(b, n, i, d) = X(b, at.r, at.k, d);
}

/// X[b, row and column of cell i of window n] = windows[b, n, i]. A thread owns one number of windows.
__global__ void paste_windows(TensorView<float, 4> X, TensorView<const float, 4> windows, int M) {
    const std::ptrdiff_t number = thread_number();
    if (number >= windows.count()) return;
    const auto [b, n, i, d] = index_in(windows, number);
    const Cell at = cell_of(n, i, X.size(2), M);
    X(b, at.r, at.k, d) = windows(b, n, i, d);
}

/// Y[b, r, k] = X[b, (r + shift) mod H, (k + shift) mod W]. A thread owns one number of Y.
__global__ void roll(TensorView<float, 4> Y, TensorView<const float, 4> X, int shift) {
    const std::ptrdiff_t number = thread_number();
    if (number >= Y.count()) return;
    const auto [b, r, k, d] = index_in(Y, number);
    const int H = X.size(1), W = X.size(2);
    // % has the sign of its left side, so H and W are added before the last one.
    Y(b, r, k, d) = X(b, (r + shift % H + H) % H, (k + shift % W + W) % W, d);
}

/// mask[n, i, j] = 1 if cells i and j have wrapped alike. A thread owns one element.
__global__ void compare_wraps(TensorView<std::uint8_t, 3> mask, int H, int W, int M, int shift) {
    const std::ptrdiff_t number = thread_number();
    if (number >= mask.count()) return;
    const auto [n, i, j] = index_in(mask, number);
    const Cell a = cell_of(n, i, W, M), b = cell_of(n, j, W, M);
    const bool rows = (a.r >= H - shift) == (b.r >= H - shift);
    const bool columns = (a.k >= W - shift) == (b.k >= W - shift);
    mask(n, i, j) = rows && columns ? 1 : 0;
}

/// Y = X W + b, or without b if it is empty      X [N, D_in], W [D_in, D_out], Y [N, D_out]. A thread owns one number of Y.
__global__ void affine(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W,
                       TensorView<const float, 1> bias) {
    const std::ptrdiff_t number = thread_number();
    if (number >= Y.count()) return;
    const auto [i, d] = index_in(Y, number);
    float sum = 0;
    for (int k = 0; k < X.size(1); ++k) sum += X(i, k) * W(k, d);
    Y(i, d) = bias ? sum + bias(d) : sum;
}

/// E_h[i, j] = Q_h[i] . K_h[j] / sqrt(D/N_h) + bias of the distance, or -inf where the mask is 0.
/// E [B N N_h, M M, M M], Q and K [B N, M M, D], mask [N, M M, M M] or empty. A thread owns one score.
__global__ void scores_of_cells(TensorView<float, 3> E, TensorView<const float, 3> Q,
                                TensorView<const float, 3> K, TensorView<const float, 3> table,
                                TensorView<const std::uint8_t, 3> mask, int M) {
    const std::ptrdiff_t number = thread_number();
    if (number >= E.count()) return;
    const auto [map, i, j] = index_in(E, number);
    const int N_h = table.size(2), window = map / N_h, h = map % N_h, D_h = Q.size(2) / N_h;
    if (mask && !mask(window % mask.size(0), i, j)) {
        E(map, i, j) = -INFINITY;
        return;
    }
    float dot = 0;
    for (int d = h * D_h; d < (h + 1) * D_h; ++d) dot += Q(window, i, d) * K(window, j, d);
    const int dr = i / M - j / M, dk = i % M - j % M;
    E(map, i, j) = dot / sqrtf(static_cast<float>(D_h)) + table(dr + M - 1, dk + M - 1, h);
}

/// Each row of E becomes its softmax; a row of -inf becomes 0. A thread owns one row.
__global__ void softmax_of_rows(TensorView<float, 3> E) {
    const std::ptrdiff_t number = thread_number();
    const int cells = E.size(1);
    if (number >= E.size(0) * std::ptrdiff_t{cells}) return;
    const int map = static_cast<int>(number / cells), i = static_cast<int>(number % cells);
    float most = -INFINITY, sum = 0;
    for (int j = 0; j < cells; ++j) most = fmaxf(most, E(map, i, j));
    for (int j = 0; j < cells; ++j)
        sum += E(map, i, j) = most == -INFINITY ? 0.0f : expf(E(map, i, j) - most);
    for (int j = 0; j < cells && sum > 0; ++j) E(map, i, j) /= sum;
}

/// O_h = A_h V_h      O, V [B N, M M, D], A [B N N_h, M M, M M]. A thread owns one number of O.
__global__ void sums_of_values(TensorView<float, 3> O, TensorView<const float, 3> A,
                               TensorView<const float, 3> V, int N_h) {
    const std::ptrdiff_t number = thread_number();
    if (number >= O.count()) return;
    const auto [window, i, d] = index_in(O, number);
    const int map = window * N_h + d / (O.size(2) / N_h);
    float sum = 0;
    for (int j = 0; j < V.size(1); ++j) sum += A(map, i, j) * V(window, j, d);
    O(window, i, d) = sum;
}

/// Z = X + Y. A thread owns one number.
__global__ void sum_of(TensorView<float, 2> Z, TensorView<const float, 2> X, TensorView<const float, 2> Y) {
    const std::ptrdiff_t number = thread_number();
    if (number >= Z.count()) return;
    const auto [i, d] = index_in(Z, number);
    Z(i, d) = X(i, d) + Y(i, d);
}

/// Z = the four cells of each square, down the columns      Z [B, H/2, W/2, 4 D]. A thread owns one number of Z.
__global__ void gather_squares(TensorView<float, 4> Z, TensorView<const float, 4> X) {
    const std::ptrdiff_t number = thread_number();
    if (number >= Z.count()) return;
    const auto [b, r, k, f] = index_in(Z, number);
    const int D = X.size(3), q = f / D;
    Z(b, r, k, f) = X(b, 2 * r + q % 2, 2 * k + q / 2, f % D);
}

/// The image and its four copies      U [B, 5 C, H, W]. A thread owns one number of U.
__global__ void copy_along_diagonals(TensorView<float, 4> U, TensorView<const float, 4> X, int S) {
    const std::ptrdiff_t number = thread_number();
    if (number >= U.count()) return;
    const auto [b, channel, y, x] = index_in(U, number);
    const int C = X.size(1), q = channel / C;
    // The image itself, then the copies that read above left, above right, below left, below right
    const int from_y = y + (q == 0 ? 0 : q <= 2 ? -S : S), from_x = x + (q == 0 ? 0 : q % 2 == 1 ? -S : S);
    const bool inside = 0 <= from_y && from_y < X.size(2) && 0 <= from_x && from_x < X.size(3);
    U(b, channel, y, x) = inside ? X(b, channel % C, from_y, from_x) : 0.0f;
}

/// The cells of all images, or of all windows, as the rows of one matrix.
template <class T>
TensorView<T, 2> rows_of(TensorView<T, 4> X) {
    return {X.data(), X.size(0) * X.size(1) * X.size(2), X.size(3)};
}

void start_affine(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W,
                  TensorView<const float, 1> bias, cudaStream_t stream) {
    affine<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, X, W, bias);
    check(cudaGetLastError(), "affine");
}

void start_sum(TensorView<float, 2> Z, TensorView<const float, 2> X, TensorView<const float, 2> Y,
               cudaStream_t stream) {
    sum_of<<<blocks_for(Z.count(), kThreads), kThreads, 0, stream>>>(Z, X, Y);
    check(cudaGetLastError(), "sum_of");
}

}  // namespace

void window_partition(TensorView<float, 4> windows, TensorView<const float, 4> X, int M,
                      cudaStream_t stream) {
    require_divides(M, X.size(1), X.size(2));
    cut_windows<<<blocks_for(windows.count(), kThreads), kThreads, 0, stream>>>(windows, X, M);
    check(cudaGetLastError(), "cut_windows");
}

void window_reverse(TensorView<float, 4> X, TensorView<const float, 4> windows, int M, cudaStream_t stream) {
    require_divides(M, X.size(1), X.size(2));
    paste_windows<<<blocks_for(windows.count(), kThreads), kThreads, 0, stream>>>(X, windows, M);
    check(cudaGetLastError(), "paste_windows");
}

void cyclic_shift(TensorView<float, 4> Y, TensorView<const float, 4> X, int shift, cudaStream_t stream) {
    roll<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, X, shift);
    check(cudaGetLastError(), "roll");
}

void shifted_window_mask(TensorView<std::uint8_t, 3> mask, int H, int W, int M, int shift,
                         cudaStream_t stream) {
    require_divides(M, H, W);
    if (shift < 0 || shift >= M)
        throw std::invalid_argument("shift = " + std::to_string(shift) + " is outside 0 .. " +
                                    std::to_string(M - 1));
    compare_wraps<<<blocks_for(mask.count(), kThreads), kThreads, 0, stream>>>(mask, H, W, M, shift);
    check(cudaGetLastError(), "compare_wraps");
}

void window_attention(TensorView<float, 4> Y, TensorView<const float, 4> X,
                      const WindowWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int M,
                      cudaStream_t stream) {
    const int windows = X.size(0) * X.size(1), cells = X.size(2), D = X.size(3), N_h = weights.table.size(2);
    require_whole_heads(D, N_h);
    const MultiHeadWeights<float>& own = weights.attention;
    // Q = X W_Q + b_Q, K = X W_K + b_K, V = X W_V + b_V
    const DeviceBuffer<float> q(stream, windows * cells, D), k(stream, windows * cells, D),
        v(stream, windows * cells, D), o(stream, windows * cells, D);
    start_affine(q.view(windows * cells, D), rows_of(X), own.W_Q, own.b_Q, stream);
    start_affine(k.view(windows * cells, D), rows_of(X), own.W_K, own.b_K, stream);
    start_affine(v.view(windows * cells, D), rows_of(X), own.W_V, own.b_V, stream);
    const DeviceBuffer<float> scores(stream, windows * N_h, cells, cells);
    const TensorView<float, 3> E = scores.view(windows * N_h, cells, cells), O = o.view(windows, cells, D);
    scores_of_cells<<<blocks_for(E.count(), kThreads), kThreads, 0, stream>>>(
        E, q.view(windows, cells, D), k.view(windows, cells, D), weights.table, mask, M);
    check(cudaGetLastError(), "scores_of_cells");
    // A_h = softmax of E_h by rows
    const std::ptrdiff_t rows = windows * N_h * std::ptrdiff_t{cells};
    softmax_of_rows<<<blocks_for(rows, kThreads), kThreads, 0, stream>>>(E);
    check(cudaGetLastError(), "softmax_of_rows");
    sums_of_values<<<blocks_for(O.count(), kThreads), kThreads, 0, stream>>>(O, E, v.view(windows, cells, D),
                                                                             N_h);
    check(cudaGetLastError(), "sums_of_values");
    // Y = O W_O + b_O
    start_affine(rows_of(Y), o.view(windows * cells, D), own.W_O, own.b_O, stream);
}

void swin_block(TensorView<float, 4> Y, TensorView<const float, 4> X, const SwinWeights<float>& weights,
                int M, Activation activation, float eps, cudaStream_t stream) {
    const int B = X.size(0), H = X.size(1), W = X.size(2), D = X.size(3);
    require_divides(M, H, W);
    require_whole_heads(D, weights.table.size(3));
    const int N = H / M * (W / M), cells = M * M;
    const DeviceBuffer<float> first(stream, B, H, W, D), normalised(stream, B, H, W, D),
        moved(stream, B, H, W, D), cut(stream, B, H, W, D), attended(stream, B, H, W, D),
        sum(stream, B, H, W, D);
    const DeviceBuffer<std::uint8_t> allowed(stream, N, cells, cells);
    const TensorView<float, 4> X_1 = first.view(B, H, W, D), L = normalised.view(B, H, W, D),
                               U = moved.view(B, H, W, D), Z = sum.view(B, H, W, D),
                               V = cut.view(B, N, cells, D), A = attended.view(B, N, cells, D);
    const TensorView<std::uint8_t, 3> mask = allowed.view(N, cells, cells);
    for (int l = 0; l < 2; ++l) {
        const int shift = l == 0 || M == H || M == W ? 0 : M / 2;
        const TensorView<const float, 4> X_l = l == 0 ? X : TensorView<const float, 4>(X_1);
        // U = cyclic_shift of LN_1(X_l), then attention, window by window
        layer_norm(rows_of(L), rows_of(X_l), weights.gamma_1[l], weights.beta_1[l], eps, stream);
        cyclic_shift(U, L, shift, stream);
        window_partition(V, U, M, stream);
        shifted_window_mask(mask, H, W, M, shift, stream);
        window_attention(A, V, weights.attention(l), mask, M, stream);
        window_reverse(L, A, M, stream);
        // Z = X_l + what comes out of the windows, shifted back
        cyclic_shift(U, L, -shift, stream);
        start_sum(rows_of(Z), rows_of(X_l), rows_of(U), stream);
        // X_{l+1} = Z + FF(LN_2(Z))
        layer_norm(rows_of(L), rows_of(Z), weights.gamma_2[l], weights.beta_2[l], eps, stream);
        feed_forward(rows_of(U), rows_of(L), weights.W_1[l], weights.b_1[l], weights.W_2[l], weights.b_2[l],
                     activation, stream);
        start_sum(rows_of(l == 0 ? X_1 : Y), rows_of(Z), rows_of(U), stream);
    }
}

void patch_merging(TensorView<float, 4> Y, TensorView<const float, 4> X, TensorView<const float, 1> gamma,
                   TensorView<const float, 1> beta, TensorView<const float, 2> W_R, float eps,
                   cudaStream_t stream) {
    const int B = X.size(0), H = X.size(1), W = X.size(2), D = X.size(3);
    require_divides(2, H, W);
    const DeviceBuffer<float> four(stream, B, H / 2, W / 2, 4 * D),
        normalised(stream, B, H / 2, W / 2, 4 * D);
    const TensorView<float, 4> Z = four.view(B, H / 2, W / 2, 4 * D),
                               L = normalised.view(B, H / 2, W / 2, 4 * D);
    gather_squares<<<blocks_for(Z.count(), kThreads), kThreads, 0, stream>>>(Z, X);
    check(cudaGetLastError(), "gather_squares");
    // Y = LN(Z) W_R
    layer_norm(rows_of(L), rows_of(Z), gamma, beta, eps, stream);
    start_affine(rows_of(Y), rows_of(L), W_R, {}, stream);
}

void shifted_patch_tokens(TensorView<float, 3> Z, TensorView<const float, 4> X,
                          TensorView<const float, 1> gamma, TensorView<const float, 1> beta,
                          TensorView<const float, 2> E, TensorView<const float, 1> b_E, int P, float eps,
                          cudaStream_t stream) {
    const int B = X.size(0), C = X.size(1), H = X.size(2), W = X.size(3);
    require_divides(P, H, W);
    const int tokens = B * Z.size(1), features = E.size(0);
    const DeviceBuffer<float> copies(stream, B, 5 * C, H, W), cut(stream, tokens, features),
        normalised(stream, tokens, features);
    const TensorView<float, 4> U = copies.view(B, 5 * C, H, W);
    copy_along_diagonals<<<blocks_for(U.count(), kThreads), kThreads, 0, stream>>>(U, X, P / 2);
    check(cudaGetLastError(), "copy_along_diagonals");
    // Z = LN(patches of U) E + b_E
    patchify(cut.view(B, Z.size(1), features), U, P, stream);
    layer_norm(normalised.view(tokens, features), cut.view(tokens, features), gamma, beta, eps, stream);
    start_affine(TensorView<float, 2>(Z.data(), tokens, Z.size(2)), normalised.view(tokens, features), E, b_E,
                 stream);
}

}  // namespace attn::cuda
