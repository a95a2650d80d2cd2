#include <algorithm>

#include "contracts/masking_fast.h"
#include "contracts/recurrent_backward_fast.h"
#include "contracts/rnn_attention_fast.h"
#include "reference/fast/buffer.h"
#include "reference/fast/gradient_kernels.h"
#include "reference/fast/gradients.h"
#include "reference/fast/kept_decoder.h"
#include "reference/fast/matmul.h"
#include "reference/fast/threads.h"

namespace attn::fast {
namespace {

/// dz = ds (1 - s^2)
void tanh_backward(Matrix<float> dz, Matrix<const float> ds, Matrix<const float> s) {
    for (int i = 0; i < dz.rows; ++i) {
        float* const to = dz.data + i * dz.row;
        const float *const d = ds.data + i * ds.row, *const x = s.data + i * s.row;
        for (int k = 0; k < dz.columns; ++k) to[k] = d[k] * (1 - x[k] * x[k]);
    }
}

void add_to(Matrix<float> Y, Matrix<const float> X) {
    for (int i = 0; i < Y.rows; ++i)
        for (int d = 0; d < Y.columns; ++d) Y.data[i * Y.row + d] += X.data[i * X.row + d];
}

/// Of sentence b's scores e_j = v . tanh(q + k_j): adds to dv [D_a], dq [D_a] and dk [T, D_a].
void add_scores_backward(float* dv, float* dq, Matrix<float> dk, const float* de, const float* v,
                         const float* q, Matrix<const float> k) {
    for (int j = 0; j < k.rows; ++j)
        gradient_kernels().score(dv, dq, dk.data + j * dk.row, de[j], v, q, k.data + j * k.row, k.columns);
}

/// Of sentence b's weights a and context c = sum_j a_j h_j: de from da (which may be nullptr for 0) and dc.
/// dh += a dc.
void context_backward(float* de, Matrix<float> dh, const float* da, const float* dc, const float* a,
                      Matrix<const float> h) {
    const int T = h.rows;
    multiply_transposed({de, 1, T}, {dc, 1, h.columns}, h, 1);
    if (da != nullptr)
        for (int j = 0; j < T; ++j) de[j] += da[j];
    gradient_kernels().softmax(de, de, a, 1, T);
    add_product_first_transposed(dh, {a, 1, T}, {dc, 1, h.columns});
}

/// Matrix b of a dense [B, rows, columns] array.
template <class T>
Matrix<T> matrix_of(T* data, int b, int rows, int columns) {
    return {data + static_cast<std::ptrdiff_t>(numbers(b, rows, columns)), rows, columns};
}

}  // namespace

void additive_scores_backward(TensorView<float, 2> ds_prev, TensorView<float, 3> dh,
                              TensorView<float, 2> dW_q, TensorView<float, 2> dW_k, TensorView<float, 1> dv,
                              TensorView<const float, 2> de, TensorView<const float, 2> s_prev,
                              TensorView<const float, 3> h, TensorView<const float, 2> W_q,
                              TensorView<const float, 2> W_k, TensorView<const float, 1> v) {
    const int B = h.size(0), T = h.size(1), D_a = v.size(0);
    thread_local Buffer buffer;
    const std::size_t of_words = numbers(B, T, D_a), of_queries = numbers(B, D_a);
    float* const start = buffer.get(2 * of_words + 3 * of_queries);
    const Matrix<float> keys(start, B * T, D_a), dkeys(start + of_words, B * T, D_a),
        queries(dkeys.data + of_words, B, D_a), dqueries(queries.data + of_queries, B, D_a),
        dvs(dqueries.data + of_queries, B, D_a);
    multiply(keys, h, W_k);
    multiply(queries, s_prev, W_q);
    std::fill_n(dkeys.data, of_words, 0.0F);
    std::fill_n(dqueries.data, 2 * of_queries, 0.0F);
    parallel_for(B, [&](int b) {
        add_scores_backward(dvs.data + b * D_a, dqueries.data + b * D_a, matrix_of(dkeys.data, b, T, D_a),
                            de[b].data(), v.data(), queries.data + b * D_a, matrix_of(keys.data, b, T, D_a));
    });
    sum_rows(dv.data(), dvs);
    multiply_first_transposed(dW_q, s_prev, dqueries);
    multiply_first_transposed(dW_k, h, dkeys);
    multiply_transposed(ds_prev, dqueries, W_q, 1);
    multiply_transposed(dh, dkeys, W_k, 1);
}

void attention_context_backward(TensorView<float, 2> de, TensorView<float, 3> dh,
                                TensorView<const float, 2> da, TensorView<const float, 2> dc,
                                TensorView<const float, 2> e, TensorView<const float, 3> h,
                                TensorView<const std::uint8_t, 2> mask) {
    const int B = h.size(0), T = h.size(1);
    thread_local Buffer buffer;
    const TensorView<float, 2> a(buffer.get(numbers(B, T)), B, T);
    fast::masked_softmax(a, e, mask);
    std::fill_n(dh.data(), dh.count(), 0.0F);
    parallel_for(B, [&](int b) {
        context_backward(de[b].data(), dh[b], da[b].data(), dc[b].data(), a[b].data(), h[b]);
    });
}

void decoder_step_backward(TensorView<float, 2> dy_prev, TensorView<float, 2> dc,
                           TensorView<float, 2> ds_prev, TensorView<float, 2> dW_x, TensorView<float, 2> dW_s,
                           TensorView<float, 1> db, TensorView<const float, 2> ds,
                           TensorView<const float, 2> y_prev, TensorView<const float, 2> c,
                           TensorView<const float, 2> s_prev, TensorView<const float, 2> W_x,
                           TensorView<const float, 2> W_s, TensorView<const float, 1> b) {
    const int B = ds.size(0), D_s = ds.size(1), D_y = y_prev.size(1), D_h = c.size(1);
    thread_local Buffer buffer;
    float* const start = buffer.get(2 * numbers(B, D_s));
    const TensorView<float, 2> s(start, B, D_s), dz(start + s.count(), B, D_s);
    fast::decoder_step(s, y_prev, c, s_prev, W_x, W_s, b);
    tanh_backward(dz, ds, s);
    const Matrix<const float> W_y(W_x.data(), D_y, D_s), W_c(W_y.data + numbers(D_y, D_s), D_h, D_s);
    multiply_transposed(dy_prev, dz, W_y, 1);
    multiply_transposed(dc, dz, W_c, 1);
    multiply_transposed(ds_prev, dz, W_s, 1);
    multiply_first_transposed({dW_x.data(), D_y, D_s}, y_prev, dz);
    multiply_first_transposed({dW_x.data() + numbers(D_y, D_s), D_h, D_s}, c, dz);
    linear_weights_backward(dW_s, db.data(), dz, s_prev);
}

void decode_backward(TensorView<float, 3> dh, TensorView<float, 3> dy,
                     const DecoderGradients<float>& gradients, TensorView<const float, 3> dS,
                     TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                     TensorView<const float, 3> y, const DecoderWeights<float>& weights) {
    thread_local DecoderMemory memory;
    thread_local Buffer states;
    const TensorView<float, 3> S(states.get(static_cast<std::size_t>(dS.count())), dS.size(0), dS.size(1),
                                 dS.size(2));
    decode_keeping(memory, S, {}, h, mask, y, weights);
    decode_backward_of_kept(dh, dy, gradients, dS, h, mask, y, weights, memory);
}

void decode_backward_of_kept(TensorView<float, 3> dh, TensorView<float, 3> dy,
                             const DecoderGradients<float>& gradients, TensorView<const float, 3> dS,
                             TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                             TensorView<const float, 3> y, const DecoderWeights<float>& weights,
                             const DecoderMemory& memory) {
    const int B = dS.size(0), L = dS.size(1), D_s = dS.size(2), T = h.size(1), D_h = h.size(2),
              D_y = y.size(2), D_a = weights.v.size(0);
    thread_local Buffer buffer;
    Workspace arrays(buffer, numbers(B, L, D_s + 2 * D_a + D_y) + numbers(B, 2 * D_s + D_h + T + D_a) +
                                 numbers(B, T, D_a));
    // Of all steps, as they lie in the memory: so each weight has one product for all steps.
    const Matrix<float> dz(arrays.take(L * B, D_s)), dqueries(arrays.take(L * B, D_a)),
        y_steps(arrays.take(L * B, D_y)), dvs(arrays.take(B, D_a)), dkeys(arrays.take(B * T, D_a)),
        ds(arrays.take(B, D_s)), carried(arrays.take(B, D_s)), dc(arrays.take(B, D_h)), de(arrays.take(B, T));
    const Matrix<const float> W_y(weights.W_x.data(), D_y, D_s), W_c(W_y.data + numbers(D_y, D_s), D_h, D_s);
    const auto of_step = [B](const Matrix<float>& X, int t) {
        return Matrix<float>(X.data + numbers(t, B, X.columns), B, X.columns);
    };
    std::fill_n(dh.data(), dh.count(), 0.0F);
    std::fill_n(dqueries.data, numbers(L * B, D_a), 0.0F);
    std::fill_n(dvs.data, numbers(B, D_a), 0.0F);
    std::fill_n(dkeys.data, numbers(B * T, D_a), 0.0F);
    std::fill_n(carried.data, numbers(B, D_s), 0.0F);
    for (int b = 0; b < B; ++b) std::fill_n(dy[b][L].data(), D_y, 0.0F);
    for (int t = L - 1; t >= 0; --t) {
        const Matrix<float> dz_t = of_step(dz, t), dqueries_t = of_step(dqueries, t);
        for (int b = 0; b < B; ++b) {
            std::copy_n(y[b][t].data(), D_y, y_steps.data + numbers(t * B + b, D_y));
            std::copy_n(dS[b][t].data(), D_s, ds.data + numbers(b, D_s));
        }
        // s_t = tanh([y; c] W_x + s_prev W_s + b)
        add_to(ds, carried);
        tanh_backward(dz_t, ds, {memory.S + numbers(t + 1, B, D_s), B, D_s});
        multiply_transposed({dy.data() + numbers(t, D_y), B, D_y, std::ptrdiff_t{L + 1} * D_y}, dz_t, W_y, 1);
        multiply_transposed(dc, dz_t, W_c, 1);
        multiply_transposed(carried, dz_t, weights.W_s, 1);
        // c and the scores, sentence by sentence
        parallel_for(B, [&](int b) {
            const std::size_t row = numbers(t, B) + static_cast<std::size_t>(b);
            float* const de_b = de.data + numbers(b, T);
            context_backward(de_b, dh[b], nullptr, dc.data + numbers(b, D_h),
                             memory.A + row * static_cast<std::size_t>(T), h[b]);
            add_scores_backward(dvs.data + numbers(b, D_a), dqueries_t.data + numbers(b, D_a),
                                matrix_of(dkeys.data, b, T, D_a), de_b, weights.v.data(),
                                memory.queries + row * static_cast<std::size_t>(D_a),
                                matrix_of<const float>(memory.keys, b, T, D_a));
        });
        add_product_transposed(carried, dqueries_t, weights.W_q);
    }
    const Matrix<const float> S_before(memory.S, L * B, D_s);
    multiply_first_transposed({gradients.dW_x.data(), D_y, D_s}, y_steps, dz);
    multiply_first_transposed({gradients.dW_x.data() + numbers(D_y, D_s), D_h, D_s}, {memory.C, L * B, D_h},
                              dz);
    linear_weights_backward(gradients.dW_s, gradients.db.data(), dz, S_before);
    multiply_first_transposed(gradients.dW_q, S_before, dqueries);
    multiply_first_transposed(gradients.dW_k, h, dkeys);
    sum_rows(gradients.dv.data(), dvs);
    add_product_transposed(dh, dkeys, weights.W_k);
    // s_0 = tanh(x W_0 + b_0), with x the last word or the mean
    tanh_backward(ds, carried, {memory.S, B, D_s});
    sum_rows(gradients.db_0.data(), ds);
    std::fill_n(gradients.dW_0.data(), gradients.dW_0.count(), 0.0F);
    for (int b = 0; b < B; ++b) {
        const int last = last_word(mask[b]);
        const bool mean = memory.first == FirstState::mean;
        if (!mean && last < 0) continue;
        const Matrix<const float> d(ds.data + numbers(b, D_s), 1, D_s);
        add_product_first_transposed(gradients.dW_0, {memory.read_first + numbers(b, D_h), 1, D_h}, d);
        if (!mean) {
            add_product_transposed({dh[b][last].data(), 1, D_h}, d, weights.W_0);
            continue;
        }
        float* const dx = dc.data + numbers(b, D_h);
        multiply_transposed({dx, 1, D_h}, d, weights.W_0, 1 / static_cast<float>(T));
        for (int j = 0; j < T; ++j)
            for (int k = 0; k < D_h; ++k) dh(b, j, k) += dx[k];
    }
}

}  // namespace attn::fast
