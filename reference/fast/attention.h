#pragma once
/// Attention and softmax at the machine's speed: what students' speed is held against. Same numbers as
/// attn::cpu up to rounding, no N_q x N_k array, threads as threads.h says, vectors as vector_unit.h says.
/// The same bits for every number of threads. Results below 2^-126 are rounded to zero.
/// Source: Dao et al. 2022 (tiles); Milakov and Gimelshein 2018 (the softmax that needs no second look).

#include <cstddef>
#include <cstdint>

#include "assignments/tensor.h"

namespace attn::fast {

/// One matrix for every batch b and head h: element (b, h, n, d) lies at
/// data[b * batch + h * head + n * row + d].
template <class T>
struct Heads {
    T* data = nullptr;
    std::ptrdiff_t batch = 0, head = 0, row = 0;
};

/// B, H, D_q, D_v >= 1 and N_q, N_k >= 0.
struct Sizes {
    int B = 1, H = 1, N_q = 0, N_k = 0, D_q = 1, D_v = 1;
};

/// Byte (b, h, i, j) at data[b * batch + h * head + i * row + j]: 1 = query i may attend to key j. A stride
/// of 0 says that every batch, head or query has the same one; no data, that all may attend to all.
struct Mask {
    const std::uint8_t* data = nullptr;
    std::ptrdiff_t batch = 0, head = 0, row = 0;
};

struct Options {
    bool causal = false;  ///< only keys j <= i + (N_k - N_q)
    Mask mask;            ///< together with `causal`: what both allow
};

/// E = Q K^T / sqrt(D_q), A = softmax of E by rows over the keys that a query may attend to, Y = A V.
/// A row that may attend to nothing is 0 (as in assignments/04_masking/masking.h).
/// Q [B, H, N_q, D_q], K [B, H, N_k, D_q], V [B, H, N_k, D_v], Y [B, H, N_q, D_v]
/// Y overlaps none of the others.
void attention(Heads<float> Y, Heads<const float> Q, Heads<const float> K, Heads<const float> V,
               const Sizes& sizes, const Options& options = {});

/// Y[i, j] = exp(X[i, j] - m_i) / sum_k exp(X[i, k] - m_i),  m_i = max_k X[i, k]      X, Y [N, D]
/// Y may be X.
void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X);

}  // namespace attn::fast
