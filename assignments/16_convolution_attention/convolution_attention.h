#pragma once
/// Assignment 16: convolution beside attention. You write these four functions in
/// student/convolution_attention.cpp.
///
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major,
/// float; vectors are rows, weights are [in, out]; the outputs exist and have the right shape, write every
/// element.
/// Letters:  B batches, N vectors in a sequence, D numbers in a vector (D_in before and D_out after a
///           convolution, D_k in a key or query, D_h in a value), K places under a kernel, R rows and C columns
///           of a grid; b batch, n place, d feature, o feature of the output, t place under the kernel; i and j
///           cells of a grid, counted row by row: cell i stands in row i / C and column i % C.

#include "../02_self_attention/self_attention.h"
#include "../tensor.h"

namespace attn {

/// Where the places under a kernel lie: as many before a place as after it (one more after it if their number is
/// even), or none after it.
enum class Convolution { centred, causal };

/// Batch norm: every feature on its own, over all vectors of all batches. [B, R, C, D] is the same as
/// [B, N, D] with N = R C.
///   mu[d]  = 1/(B N) sum_{b, n} X[b, n, d]               if training, else mean[d]
///   var[d] = 1/(B N) sum_{b, n} (X[b, n, d] - mu[d])^2   if training, else variance[d]
///   Y[b, n, d] = gamma[d] (X[b, n, d] - mu[d]) / sqrt(var[d] + eps) + beta[d]      [B, N, D]
/// These are the slide's lines, with eps. The running statistics are those of PyTorch: with training
///   mean_new[d] = (1 - momentum) mean[d] + momentum mu[d]      [D]
///   variance_new[d] = (1 - momentum) variance[d] + momentum var[d] B N / max(1, B N - 1)      [D]
/// so that the running variance is the unbiased one, although var is not; without training they are mean and
/// variance, bit for bit. X [B, N, D], gamma, beta, mean, variance [D]. training (default true), momentum
/// (default 0.1), eps (default 1e-5) > 0. Features may be constant, or lie far from 0 with a small spread.
/// Requires variance >= 0.
/// Source: Ioffe & Szegedy 2015, algorithms 1 and 2; the documentation of torch.nn.BatchNorm1d.
void batch_norm(TensorView<float, 3> Y, TensorView<float, 1> mean_new, TensorView<float, 1> variance_new,
                TensorView<const float, 3> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, TensorView<const float, 1> mean,
                TensorView<const float, 1> variance, bool training, float momentum, float eps);

/// Convolution over a sequence, every batch on its own: a cross-correlation, which does not flip the kernel.
///   Y[n, o] = bias[o] + sum_{t, d} X[n + t - s, d] W[t, d, o]      [B, N, D_out]
/// with t = 0 .. K - 1, and s = (K - 1) / 2, rounded down, if kind = centred, s = K - 1 if kind = causal. X is 0
/// outside of the sequence. X [B, N, D_in], W [K, D_in, D_out], bias [D_out]. The time grows like N.
/// K may be even, and larger than N.
/// Source: the documentation of torch.nn.Conv1d; van den Oord et al. 2016, section 2.1, for causal.
void conv1d(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 3> W,
            TensorView<const float, 1> bias, Convolution kind);

/// Self-attention of the cells of an image's features, as in SAGAN. Without a scale; every image on its own.
///   f[i] = X[i] W_f, g[i] = X[i] W_g, h[i] = X[i] W_h
///   A[b, j, i] = exp(f[i] . g[j]) / sum_k exp(f[k] . g[j])      [B, R C, R C] (optional)
///   o[j] = (sum_i A[j, i] h[i]) W_v
///   Y[j] = gamma o[j] + X[j]      [B, R, C, D]
/// Row j of A belongs to the cell that looks, so g are queries and f are keys; the sum over i is 1. If gamma
/// (default 1) is 0, Y is X. X [B, R, C, D], W_f, W_g [D, D_k], W_h [D, D_h], W_v [D_h, D]. Scores may be +-1000.
/// Source: Zhang et al. 2019, eqs. (1) to (3), where gamma is learned and begins with 0.
void image_self_attention(TensorView<float, 4> Y, TensorView<float, 3> A, TensorView<const float, 4> X,
                          TensorView<const float, 2> W_f, TensorView<const float, 2> W_g,
                          TensorView<const float, 2> W_h, TensorView<const float, 2> W_v, float gamma);

/// What one layer costs for one sequence of N vectors. All vectors have D numbers. Number 0 is that of a recurrent layer,
/// 1 of a convolution with a kernel of K places, 2 of self-attention with one head and without W_O.
///   operations = 2 N D D,  K N D D,            3 N D D + 2 N N D      [3]
///   steps      = N,        1,                  1                      [3]
///   path       = N - 1,    ceil((N - 1) / r),  1                      [3]
///   memory     = N D,      N D,                N N + 4 N D            [3]
/// with r = K - 1 if kind = causal, r = (K - 1) / 2, rounded down, if kind = centred.
/// operations: multiplications of the layer's matrix products; those with zeros outside of the sequence count.
/// steps: steps of the layer that have to wait for each other.
/// path: how many steps, or layers, it takes until the last vector depends on the first one; centred, also the
/// first on the last. It is 0 where r = 0, because that never happens.
/// memory: numbers that the layer computes and that its gradient reads: the states; Y; Q, K, V, A and Y.
/// The operations may be more than an int can hold.
/// Source: Vaswani et al. 2017, table 1, where O(..) keeps the largest term.
void costs(TensorView<float, 1> operations, TensorView<float, 1> steps, TensorView<float, 1> path,
           TensorView<float, 1> memory, int N, int D, int K, Convolution kind);

}  // namespace attn
