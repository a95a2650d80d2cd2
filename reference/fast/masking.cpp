#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "contracts/masking_fast.h"
#include "reference/fast/attention.h"
#include "reference/fast/layer_kernels.h"
#include "reference/fast/matmul.h"

namespace attn::fast {
namespace {

/// The matrices of a dense [B, N, D] array.
template <class T>
Heads<T> heads_of(TensorView<T, 3> X) {
    return {X.data(), std::ptrdiff_t{X.size(1)} * X.size(2), 0, X.size(2)};
}

/// `ones` 1s, as many as there are, and 0s after them.
void fill_row(std::uint8_t* row, std::ptrdiff_t count, std::ptrdiff_t ones) {
    ones = std::clamp<std::ptrdiff_t>(ones, 0, count);
    std::memset(row, 1, static_cast<std::size_t>(ones));
    std::memset(row + ones, 0, static_cast<std::size_t>(count - ones));
}

}  // namespace

void causal_mask(TensorView<std::uint8_t, 2> M) {
    const std::ptrdiff_t N_q = M.size(0), N_k = M.size(1);
    for (std::ptrdiff_t i = 0; i < N_q; ++i) fill_row(M.data() + i * N_k, N_k, i + N_k - N_q + 1);
}

void padding_mask(TensorView<std::uint8_t, 3> M, TensorView<const int, 1> lengths) {
    const std::ptrdiff_t N_q = M.size(1), N_k = M.size(2);
    for (std::ptrdiff_t k = 0; k < M.size(0) * N_q; ++k)
        fill_row(M.data() + k * N_k, N_k, lengths(static_cast<int>(k / N_q)));
}

void combine_masks(TensorView<std::uint8_t, 3> M, TensorView<const std::uint8_t, 2> causal,
                   TensorView<const std::uint8_t, 3> padding) {
    const std::ptrdiff_t count = causal.count();
    for (std::ptrdiff_t b = 0; b < M.size(0); ++b)
        for (std::ptrdiff_t k = 0; k < count; ++k)
            M.data()[b * count + k] = static_cast<std::uint8_t>(int{causal.data()[k] != 0} &
                                                                int{padding.data()[b * count + k] != 0});
}

void masked_softmax(TensorView<float, 2> Y, TensorView<const float, 2> X,
                    TensorView<const std::uint8_t, 2> mask) {
    const auto masked = layer_kernels().masked_softmax;
    const std::ptrdiff_t D = X.size(1);
    for_row_blocks(X.size(0), X.size(1), [&](int first, int end) {
        for (int i = first; i < end; ++i) masked(Y.data() + i * D, X.data() + i * D, mask.data() + i * D, D);
    });
}

void masked_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V,
                      TensorView<const std::uint8_t, 3> mask) {
    const int B = Q.size(0), N_q = Q.size(1), D_q = Q.size(2), N_k = K.size(1), D_v = V.size(2);
    if (!A) {
        const std::ptrdiff_t row = N_k;
        const Mask allowed = mask ? Mask{mask.data(), N_q * row, 0, row} : Mask{};
        attention(heads_of(Y), heads_of(Q), heads_of(K), heads_of(V), {B, 1, N_q, N_k, D_q, D_v},
                  {false, allowed});
        return;
    }
    const float factor = 1 / std::sqrt(static_cast<float>(D_q));
    for (int b = 0; b < B; ++b) {
        multiply_transposed(A[b], Q[b], K[b], factor);
        if (mask)
            fast::masked_softmax(A[b], A[b], mask[b]);
        else
            fast::softmax(A[b], A[b]);
        multiply(Y[b], A[b], V[b]);
    }
}

}  // namespace attn::fast
