#include "reference/fast/gradients.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "reference/fast/blocks.h"
#include "reference/fast/buffer.h"
#include "reference/fast/gradient_kernels.h"
#include "reference/fast/kernels.h"
#include "reference/fast/layer_kernels.h"
#include "reference/fast/threads.h"
#include "reference/refusals.h"

namespace attn::fast {
namespace {

void clear(Matrix<float> X) {
    for (int i = 0; i < X.rows; ++i) std::fill_n(X.data + i * X.row, X.columns, 0.0F);
}

/// The keys of one query: the first `reach` of them at most, and if `prefix` all of these.
struct Allowed {
    int reach;
    bool prefix;
};

Allowed allowed(const std::uint8_t* mask, int N_k) {
    if (mask == nullptr) return {N_k, true};
    const auto* const zero =
        static_cast<const std::uint8_t*>(std::memchr(mask, 0, static_cast<std::size_t>(N_k)));
    if (zero == nullptr) return {N_k, true};
    const int ones = static_cast<int>(zero - mask);
    // Bytes that are equal to the next one are all equal: a causal row is looked at in long steps.
    if (std::memcmp(zero, zero + 1, static_cast<std::size_t>(N_k - ones - 1)) == 0) return {ones, true};
    int last = N_k;
    while (mask[last - 1] == 0) --last;
    return {last, false};
}

/// One head. Queries come in blocks, whose scores stay in the second cache; a block meets no key beyond the
/// last one that any of its queries may attend to.
struct HeadGradients {
    Matrix<float> dQ, dK, dV;
    Matrix<const float> dY, Q, K, V;
    const std::uint8_t* mask;  ///< of query 0, or null
    std::ptrdiff_t mask_row;

    const std::uint8_t* mask_of(int i) const { return mask == nullptr ? nullptr : mask + i * mask_row; }

    void run() const {
        constexpr int kQueries = 128;
        clear(dK);
        clear(dV);
        for (int first = 0; first < Q.rows; first += kQueries)
            add_block(first, std::min(Q.rows, first + kQueries));
    }

  private:
    void add_block(int first, int end) const {
        thread_local Buffer weights, upstream;
        const int rows = end - first;
        int keys = 0;
        for (int i = first; i < end; ++i) keys = std::max(keys, allowed(mask_of(i), K.rows).reach);
        const Matrix<float> dQ_block(dQ.data + first * dQ.row, rows, dQ.columns, dQ.row);
        if (keys == 0) return clear(dQ_block);
        const Matrix<const float> Q_block(Q.data + first * Q.row, rows, Q.columns, Q.row),
            dY_block(dY.data + first * dY.row, rows, dY.columns, dY.row),
            K_part(K.data, keys, K.columns, K.row), V_part(V.data, keys, V.columns, V.row);
        const Matrix<float> A(weights.get(numbers(rows, keys)), rows, keys),
            dE(upstream.get(numbers(rows, keys)), rows, keys);
        const float factor = 1 / std::sqrt(static_cast<float>(Q.columns));
        // A = softmax(Q K^T / sqrt(D_q)),  dA = dY V^T
        multiply_transposed(A, Q_block, K_part, factor);
        for (int i = 0; i < rows; ++i) weigh(A.data + i * A.row, keys, mask_of(first + i));
        multiply_transposed(dE, dY_block, V_part, 1);
        // dV += A^T dY,  dE = A (dA - sum of A dA) / sqrt(D_q),  dQ = dE K,  dK += dE^T Q
        add_product_first_transposed({dV.data, keys, dV.columns, dV.row}, A, dY_block);
        for (int i = 0; i < rows; ++i)
            gradient_kernels().softmax(dE.data + i * dE.row, dE.data + i * dE.row, A.data + i * A.row, factor,
                                       keys);
        multiply(dQ_block, dE, K_part);
        add_product_first_transposed({dK.data, keys, dK.columns, dK.row}, dE, Q_block);
    }

    static void weigh(float* row, int keys, const std::uint8_t* mask) {
        const Allowed here = allowed(mask, keys);
        if (!here.prefix) return layer_kernels().masked_softmax(row, row, mask, keys);
        std::fill(row + here.reach, row + keys, 0.0F);
        if (here.reach > 0) kernels().softmax_row(row, row, here.reach);
    }
};

template <class T>
Matrix<T> head_of(const Heads<T>& X, int b, int h, int rows, int columns) {
    return {X.data + b * X.batch + h * X.head, rows, columns, X.row};
}

}  // namespace

void sum_rows(float* sum, Matrix<const float> X) {
    constexpr int kColumns = 256;
    parallel_for(blocks_of(X.columns, kColumns), [&](int block) {
        const int first = block * kColumns, end = std::min(X.columns, first + kColumns);
        std::fill(sum + first, sum + end, 0.0F);
        for (int i = 0; i < X.rows; ++i) {
            const float* const x = X.data + i * X.row;
            for (int d = first; d < end; ++d) sum[d] += x[d];
        }
    });
}

void linear_weights_backward(Matrix<float> dW, float* db, Matrix<const float> dY, Matrix<const float> X) {
    multiply_first_transposed(dW, X, dY);
    sum_rows(db, dY);
}

void add_layer_norm_backward(Matrix<float> dX, float* dgamma, float* dbeta, Matrix<const float> dY,
                             Matrix<const float> X, const float* gamma, float eps) {
    thread_local Buffer buffer;
    constexpr int kRows = 32;
    const int D = X.columns, blocks = blocks_of(X.rows, kRows);
    // Each block has its own sums of dgamma and dbeta, which are then added up in order.
    const Matrix<float> sums(buffer.get(numbers(blocks, 2 * D)), blocks, 2 * D);
    parallel_for(blocks, [&](int block) {
        float* const sum = sums.data + block * sums.row;
        std::fill_n(sum, 2 * D, 0.0F);
        for (int i = block * kRows; i < std::min(X.rows, (block + 1) * kRows); ++i)
            gradient_kernels().layer_norm(dX.data + i * dX.row, sum, sum + D, dY.data + i * dY.row,
                                          X.data + i * X.row, gamma, eps, D);
    });
    sum_rows(dgamma, {sums.data, blocks, D, sums.row});
    sum_rows(dbeta, {sums.data + D, blocks, D, sums.row});
}

void activation_backward(Matrix<float> M, Matrix<float> dU, Matrix<const float> U, Activation activation) {
    const GradientKernels& table = gradient_kernels();
    const auto kernel = [&] {
        switch (activation) {
            case Activation::relu:
                return table.relu;
            case Activation::gelu_erf:
                return table.gelu_erf;
            case Activation::gelu_tanh:
                return table.gelu_tanh;
        }
        refuse(activation);
    }();
    for_row_blocks(U.rows, U.columns, [&](int first, int end) {
        for (int i = first; i < end; ++i)
            kernel(M.data + i * M.row, dU.data + i * dU.row, U.data + i * U.row, U.columns);
    });
}

void attention_backward(Heads<float> dQ, Heads<float> dK, Heads<float> dV, Heads<const float> dY,
                        Heads<const float> Q, Heads<const float> K, Heads<const float> V, const Sizes& sizes,
                        const Mask& mask) {
    parallel_for(sizes.B * sizes.H, [&](int head) {
        const auto& [B, H, N_q, N_k, D_q, D_v] = sizes;
        const int b = head / H, h = head % H;
        HeadGradients{head_of(dQ, b, h, N_q, D_q),
                      head_of(dK, b, h, N_k, D_q),
                      head_of(dV, b, h, N_k, D_v),
                      head_of(dY, b, h, N_q, D_v),
                      head_of(Q, b, h, N_q, D_q),
                      head_of(K, b, h, N_k, D_q),
                      head_of(V, b, h, N_k, D_v),
                      mask.data == nullptr ? nullptr : mask.data + b * mask.batch + h * mask.head,
                      mask.row}
            .run();
    });
}

ProjectionGradients multi_head_weights_backward(const MultiHeadGradients<float>& gradients,
                                                TensorView<const float, 3> dY, TensorView<const float, 3> X_q,
                                                TensorView<const float, 3> X_kv,
                                                const MultiHeadWeights<float>& weights,
                                                TensorView<const std::uint8_t, 3> mask, int H,
                                                const AttentionMemory& memory) {
    const int B = X_q.size(0), N_q = X_q.size(1), D = X_q.size(2), N_k = X_kv.size(1);
    thread_local Buffer attended, queries, keys, values;
    const Matrix<float> dO(attended.get(numbers(B, N_q, D)), B * N_q, D),
        dQ(queries.get(numbers(B, N_q, D)), B * N_q, D), dK(keys.get(numbers(B, N_k, D)), B * N_k, D),
        dV(values.get(numbers(B, N_k, D)), B * N_k, D);
    // Y = O W_O + b_O
    linear_weights_backward(gradients.dW_O, gradients.db_O.data(), dY, {memory.O, B * N_q, D});
    multiply_transposed(dO, dY, weights.W_O, 1);
    const std::ptrdiff_t row = D, D_h = D / H;
    const auto heads = [=](auto* data, int N) {
        return Heads<std::remove_pointer_t<decltype(data)>>{data, N * row, D_h, row};
    };
    attention_backward(heads(dQ.data, N_q), heads(dK.data, N_k), heads(dV.data, N_k),
                       heads(static_cast<const float*>(dO.data), N_q), heads(memory.Q, N_q),
                       heads(memory.K, N_k), heads(memory.V, N_k), {B, H, N_q, N_k, D / H, D / H},
                       mask ? Mask{mask.data(), std::ptrdiff_t{N_q} * N_k, 0, N_k} : Mask{});
    linear_weights_backward(gradients.dW_Q, gradients.db_Q.data(), dQ, X_q);
    linear_weights_backward(gradients.dW_K, gradients.db_K.data(), dK, X_kv);
    linear_weights_backward(gradients.dW_V, gradients.db_V.data(), dV, X_kv);
    return {dQ, dK, dV};
}

}  // namespace attn::fast
