// A product with a weight is made for as many steps as possible at once. What is left for each step is the product
// with the state before it.

#include <algorithm>
#include <cstddef>
#include <utility>

#include "contracts/rnn_attention_fast.h"
#include "contracts/seq2seq_fast.h"
#include "reference/fast/additive.h"
#include "reference/fast/buffer.h"
#include "reference/fast/layer_kernels.h"
#include "reference/fast/matmul.h"
#include "reference/fast/threads.h"
#include "reference/refusals.h"

namespace attn::fast {
namespace {

/// Row t of every sentence of a dense [B, L, D] array      [B, D]
template <class T>
Matrix<T> of_step(TensorView<T, 3> X, int t) {
    const std::ptrdiff_t D = X.size(2);
    return {X.data() + t * D, X.size(0), X.size(2), X.size(1) * D};
}

/// Some columns of a matrix.
template <class T>
Matrix<T> columns_of(Matrix<T> X, int first, int count) {
    return {X.data + first, X.rows, count, X.row};
}

/// Some rows of a dense matrix.
Matrix<const float> rows_of(TensorView<const float, 2> W, int first, int count) {
    return {W.data() + std::ptrdiff_t{first} * W.size(1), count, W.size(1)};
}

void copy_rows(Matrix<float> to, Matrix<const float> from) {
    for (int i = 0; i < to.rows; ++i) std::copy_n(from.data + i * from.row, to.columns, to.data + i * to.row);
}

/// X = tanh(X)
void tanh_of_rows(Matrix<float> X) {
    const auto tanh = layer_kernels().tanh;
    for (int i = 0; i < X.rows; ++i) tanh(X.data + i * X.row, X.data + i * X.row, X.columns);
}

/// H[:, t] = tanh(H[:, t] + H[:, t - 1] W_h), with h_0 before H[:, 0]      H [B, L, D]
void run_recurrence(TensorView<float, 3> H, Matrix<const float> h_0, Matrix<const float> W_h) {
    Matrix<const float> before = h_0;
    for (int t = 0; t < H.size(1); ++t) {
        const Matrix<float> h = of_step(H, t);
        add_product(h, before, W_h);
        tanh_of_rows(h);
        before = h;
    }
}

thread_local Buffer input_numbers;

/// The words y_0 .. y_{L-1}, without y_L, in memory that is good until the thread's next call      [B L, D_y]
Matrix<const float> inputs_of(TensorView<const float, 3> y) {
    const int B = y.size(0), L = y.size(1) - 1, D_y = y.size(2);
    const Matrix<float> inputs(input_numbers.get(numbers(B, L, D_y)), B * L, D_y);
    for (int b = 0; b < B; ++b)
        std::copy_n(y[b].data(), numbers(L, D_y), inputs.data + std::ptrdiff_t{b} * L * D_y);
    return inputs;
}

/// The word that an encoder's layer m reads in step t of a sentence of n words, t < n.
int word_of(int t, int n, int m, Order order) {
    const bool backward = order == Order::reversed ? m == 0 : order == Order::bidirectional && m % 2 == 1;
    return backward ? n - 1 - t : t;
}

/// The row of H that step t of layer m writes. With Order::reversed rows are steps, else they are words.
int row_of(int t, int n, int m, Order order) {
    return order == Order::reversed ? t : word_of(t, n, m, order);
}

/// e[b, j] = s[b] . h[b, j]
void dot_scores(TensorView<float, 2> e, Matrix<const float> s, TensorView<const float, 3> h) {
    const int T = h.size(1), D = h.size(2);
    parallel_for(h.size(0), [&](int b) {
        multiply_transposed({e[b].data(), 1, T}, {s.data + b * s.row, 1, D}, h[b], 1);
    });
}

/// Luong's scores of many states for the same words.
class LuongScores {
  public:
    LuongScores(TensorView<const float, 3> h, const ScoreWeights<float>& weights, Score kind)
        : h_(h),
          weights_(weights),
          kind_(kind),
          D_(h.size(2)),
          width_(kind == Score::concat ? weights.v.size(0) : h.size(2)) {
        if (kind == Score::concat) keys_ = additive_keys(h, rows_of(weights.W_c, D_, D_));
    }

    /// s may have any distance between its rows.
    void operator()(TensorView<float, 2> e, Matrix<const float> s) {
        const Matrix<float> queries(buffer().get(numbers(s.rows, width_)), s.rows, width_);
        switch (kind_) {
            case Score::dot:
                return dot_scores(e, s, h_);
            case Score::general:
                multiply(queries, s, weights_.W);
                return dot_scores(e, queries, h_);
            case Score::concat:
                return additive_scores_of_keys(e, s, keys_, rows_of(weights_.W_c, 0, D_), weights_.v,
                                               queries);
        }
        refuse(kind_);
    }

  private:
    static Buffer& buffer() {
        thread_local Buffer queries;
        return queries;
    }

    TensorView<const float, 3> h_;
    const ScoreWeights<float>& weights_;
    Score kind_;
    int D_, width_;
    Matrix<const float> keys_{nullptr, 0, 0};
};

}  // namespace

void rnn_cell(TensorView<float, 2> h, TensorView<const float, 2> x, TensorView<const float, 2> h_prev,
              TensorView<const float, 2> W_x, TensorView<const float, 2> W_h, TensorView<const float, 1> b) {
    linear(h, x, W_x, b.data());
    add_product(h, h_prev, W_h);
    tanh_of_rows(h);
}

void lstm_cell(TensorView<float, 2> h, TensorView<float, 2> c, TensorView<const float, 2> x,
               TensorView<const float, 2> h_prev, TensorView<const float, 2> c_prev,
               TensorView<const float, 2> W_x, TensorView<const float, 2> W_h, TensorView<const float, 1> b) {
    const int B = h.size(0), D = h.size(1);
    thread_local Buffer buffer;
    const Matrix<float> sums(buffer.get(numbers(B, 4 * D)), B, 4 * D);
    linear(sums, x, W_x, b.data());
    add_product(sums, h_prev, W_h);
    const auto lstm = layer_kernels().lstm;
    for_row_blocks(B, sums.columns, [&](int first, int end) {
        for (int i = first; i < end; ++i)
            lstm(h[i].data(), c[i].data(), sums.data + i * sums.row, c_prev[i].data(), D);
    });
}

void gru_cell(TensorView<float, 2> h, TensorView<const float, 2> x, TensorView<const float, 2> h_prev,
              TensorView<const float, 2> W_x, TensorView<const float, 2> W_h, TensorView<const float, 1> b) {
    const int B = h.size(0), D = h.size(1);
    thread_local Buffer buffer;
    Workspace memory(buffer, numbers(B, 4 * D));
    const Matrix<float> sums = memory.take(B, 3 * D), reset = memory.take(B, D);  // reset = r h_prev
    const Matrix<const float> W(W_h);
    linear(sums, x, W_x, b.data());
    add_product(columns_of(sums, 0, 2 * D), h_prev, columns_of(W, 0, 2 * D));
    const LayerKernels& kernels = layer_kernels();
    for_row_blocks(B, D, [&](int first, int end) {
        for (int i = first; i < end; ++i)
            kernels.gated(reset.data + i * reset.row, sums.data + i * sums.row, h_prev[i].data(), D);
    });
    add_product(columns_of(sums, 2 * D, D), reset, columns_of(W, 2 * D, D));
    for_row_blocks(B, 3 * D, [&](int first, int end) {
        for (int i = first; i < end; ++i) {
            const float* const row = sums.data + i * sums.row;
            kernels.gru(h[i].data(), row + D, row + 2 * D, h_prev[i].data(), D);
        }
    });
}

void encode(TensorView<float, 3> H, TensorView<float, 3> last, TensorView<const float, 3> X,
            TensorView<const int, 1> lengths, const RecurrentLayers<float>& weights, Order order) {
    const int B = X.size(0), T = X.size(1), D = X.size(2), M = last.size(1);
    for (int b = 0; b < B; ++b) require_inside(lengths(b), 0, T + 1);
    for (int b = 0; b < B; ++b)
        std::fill_n(H[b].data() + numbers(lengths(b), D), numbers(T - lengths(b), D), 0.0F);
    const int longest = *std::max_element(lengths.data(), lengths.data() + B);
    thread_local Buffer buffer;
    Workspace memory(buffer, numbers(B, T + 2, D));
    const auto sums = memory.take(B, T, D);
    auto h = memory.take(B, D), h_prev = memory.take(B, D);
    for (int m = 0; m < M; ++m) {
        // What the layer's input brings to all of its steps.
        linear(sums, m == 0 ? X : H, weights.W_x[m], weights.b[m].data());
        std::fill_n(h_prev.data(), h_prev.count(), 0.0F);
        for (int t = 0; t < longest; ++t) {
            for (int b = 0; b < B; ++b)
                if (t < lengths(b))
                    std::copy_n(sums[b][word_of(t, lengths(b), m, order)].data(), D, h[b].data());
                else
                    std::fill_n(h[b].data(), D, 0.0F);
            if (t > 0) add_product(h, Matrix<float>(h_prev), weights.W_h[m]);
            tanh_of_rows(h);
            for (int b = 0; b < B; ++b)
                if (t < lengths(b))
                    std::copy_n(h[b].data(), D, H[b][row_of(t, lengths(b), m, order)].data());
                else  // a sentence that has ended keeps its last state
                    std::copy_n(h_prev[b].data(), D, h[b].data());
            std::swap(h, h_prev);
        }
        for (int b = 0; b < B; ++b) std::copy_n(h_prev[b].data(), D, last[b][m].data());
    }
}

void decode_without_attention(TensorView<float, 3> S, TensorView<const float, 2> h_last,
                              TensorView<const float, 3> y, const PlainDecoder<float>& weights) {
    const int B = S.size(0), L = S.size(1), D_s = S.size(2), D_y = y.size(2), D_h = h_last.size(1);
    thread_local Buffer buffer;
    Workspace memory(buffer, numbers(2, B, D_s));
    const Matrix<float> of_context = memory.take(B, D_s), s_0 = memory.take(B, D_s);
    linear(of_context, h_last, rows_of(weights.W_x, D_y, D_h), weights.b.data());
    linear(s_0, h_last, weights.W_0, weights.b_0.data());
    tanh_of_rows(s_0);
    for (int t = 0; t < L; ++t) copy_rows(of_step(S, t), of_context);
    add_product(S, inputs_of(y), rows_of(weights.W_x, 0, D_y));
    run_recurrence(S, s_0, weights.W_s);
}

void luong_scores(TensorView<float, 2> e, TensorView<const float, 2> s, TensorView<const float, 3> h,
                  const ScoreWeights<float>& weights, Score kind) {
    LuongScores(h, weights, kind)(e, s);
}

void luong_decode(TensorView<float, 3> S, TensorView<float, 3> U, TensorView<float, 3> R,
                  TensorView<float, 3> A, TensorView<const float, 3> h,
                  TensorView<const std::uint8_t, 2> mask, TensorView<const float, 2> s_0,
                  TensorView<const float, 2> u_0, TensorView<const float, 3> y,
                  const LuongDecoder<float>& weights, Score kind) {
    const int B = S.size(0), L = S.size(1), D = S.size(2), T = h.size(1), D_y = y.size(2);
    thread_local Buffer buffer;
    Workspace memory(buffer, numbers(B, L + 1, D) + numbers(2, B, T));
    const auto C = memory.take(B, L, D);
    const auto c = memory.take(B, D), e = memory.take(B, T), a = memory.take(B, T);
    LuongScores scores(h, weights.score, kind);
    // s_t, a_t and c_t, which need those of the step before
    linear(S, inputs_of(y), rows_of(weights.W_x, 0, D_y), weights.b.data());
    Matrix<const float> before(s_0);
    for (int t = 0; t < L; ++t) {
        const Matrix<float> s = of_step(S, t);
        if (t > 0) add_product(s, Matrix<float>(c), rows_of(weights.W_x, D_y, D));
        add_product(s, before, weights.W_s);
        tanh_of_rows(s);
        scores(e, s);
        fast::attention_context(a, c, e, h, mask);
        copy_rows(of_step(A, t), a);
        copy_rows(of_step(C, t), c);
        before = s;
    }
    // r_t = tanh([s_t; c_t] W_r)
    multiply(R, Matrix<float>(S), rows_of(weights.W_r, 0, D));
    add_product(R, Matrix<float>(C), rows_of(weights.W_r, D, D));
    tanh_of_rows(R);
    // u_t = tanh([s_t; c_t] V_x + u_{t-1} V_u + b_u)
    linear(U, Matrix<float>(S), rows_of(weights.V_x, 0, D), weights.b_u.data());
    add_product(U, Matrix<float>(C), rows_of(weights.V_x, D, D));
    run_recurrence(U, u_0, weights.V_u);
}

void hard_attention(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> e,
                    TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask) {
    for (int b = 0; b < h.size(0); ++b) {
        int best = -1;
        for (int j = 0; j < h.size(1); ++j)
            if (mask(b, j) && (best < 0 || e(b, j) > e(b, best))) best = j;
        std::fill_n(a[b].data(), a.size(1), 0.0F);
        std::fill_n(c[b].data(), c.size(1), 0.0F);
        if (best < 0) continue;
        a(b, best) = 1;
        std::copy_n(h[b][best].data(), c.size(1), c[b].data());
    }
}

void key_value_attention(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> s,
                         TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                         const KeyValueWeights<float>& weights) {
    const int B = h.size(0), T = h.size(1), D_k = weights.b_k.size(0), D_v = c.size(1);
    thread_local Buffer buffer;
    Workspace memory(buffer, numbers(B, D_k) + numbers(B, T, D_k + D_v) + numbers(B, T));
    const auto q = memory.take(B, D_k), e = memory.take(B, T);
    const auto k = memory.take(B, T, D_k), v = memory.take(B, T, D_v);
    linear(q, s, weights.W_q, weights.b_q.data());
    linear(k, h, weights.W_k, weights.b_k.data());
    linear(v, h, weights.W_v, weights.b_v.data());
    layer_kernels().sigma(k.data(), k.data(), k.count());
    dot_scores(e, Matrix<float>(q), k);
    fast::attention_context(a, c, e, v, mask);
}

}  // namespace attn::fast
