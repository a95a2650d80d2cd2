// A right solution as a student would write it, independent of the reference. edits.toml changes parts of
// this text, so each text that it replaces must occur here exactly once.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "recurrent_backward.h"

namespace attn {

using Numbers = std::vector<float>;
using Matrix = TensorView<float, 2>;
using In = TensorView<const float, 2>;
using Row = TensorView<float, 1>;

template <class View>
static void zero(View x) {
    std::fill(x.data(), x.data() + x.count(), 0.0f);
}

/// C += A B
static void add_AB(Matrix C, In A, In B) {
    for (int i = 0; i < C.size(0); i++)
        for (int k = 0; k < A.size(1); k++)
            for (int j = 0; j < C.size(1); j++) C(i, j) += A(i, k) * B(k, j);
}

/// C += A B^T: how a gradient comes back through a matrix
static void add_ABt(Matrix C, In A, In B) {
    for (int i = 0; i < C.size(0); i++)
        for (int j = 0; j < C.size(1); j++)
            for (int k = 0; k < A.size(1); k++) C(i, j) += A(i, k) * B(j, k);
}

/// C += A^T B: the gradient of a matrix
static void add_AtB(Matrix C, In A, In B) {
    for (int k = 0; k < A.size(0); k++)
        for (int i = 0; i < C.size(0); i++)
            for (int j = 0; j < C.size(1); j++) C(i, j) += A(k, i) * B(k, j);
}

/// b += the sum of the rows of A: the gradient of a bias
static void add_rows(Row b, In A) {
    for (int i = 0; i < A.size(0); i++)
        for (int d = 0; d < A.size(1); d++) b(d) += A(i, d);
}

void additive_scores_backward(Matrix ds_prev, TensorView<float, 3> dh, Matrix dW_q, Matrix dW_k, Row dv,
                              In de, In s_prev, TensorView<const float, 3> h, In W_q, In W_k,
                              TensorView<const float, 1> v) {
    const int B = h.size(0), T = h.size(1), D_a = v.size(0);
    zero(ds_prev), zero(dh), zero(dW_q), zero(dW_k), zero(dv);
    Numbers z(D_a), dz(D_a);
    Matrix Z(z.data(), 1, D_a), dZ(dz.data(), 1, D_a);
    for (int b = 0; b < B; b++) {
        const In s_b(s_prev[b].data(), 1, s_prev.size(1));
        for (int j = 0; j < T; j++) {
            const In h_j(h[b][j].data(), 1, h.size(2));
            zero(Z);
            add_AB(Z, s_b, W_q);
            add_AB(Z, h_j, W_k);
            for (int d = 0; d < D_a; d++) {
                const float t = std::tanh(z[d]);
                dv(d) += de(b, j) * t;
                dz[d] = de(b, j) * v(d) * (1 - t * t);
            }
            add_ABt(Matrix(ds_prev[b].data(), 1, s_prev.size(1)), dZ, W_q);
            add_ABt(Matrix(dh[b][j].data(), 1, h.size(2)), dZ, W_k);
            add_AtB(dW_q, s_b, dZ);
            add_AtB(dW_k, h_j, dZ);
        }
    }
}

void attention_context_backward(Matrix de, TensorView<float, 3> dh, In da, In dc, In e,
                                TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask) {
    const int B = e.size(0), T = e.size(1), D_h = h.size(2);
    Numbers a(T), g(T);
    for (int b = 0; b < B; b++) {
        float top = -INFINITY, total = 0, mean = 0;
        for (int j = 0; j < T; j++)
            if (mask(b, j)) top = std::max(top, e(b, j));
        for (int j = 0; j < T; j++) total += a[j] = mask(b, j) ? std::exp(e(b, j) - top) : 0;
        for (int j = 0; j < T; j++) {
            if (total > 0) a[j] /= total;
            g[j] = da(b, j);
            for (int d = 0; d < D_h; d++) {
                g[j] += dc(b, d) * h(b, j, d);
                dh(b, j, d) = a[j] * dc(b, d);
            }
            mean += a[j] * g[j];
        }
        for (int j = 0; j < T; j++) de(b, j) = a[j] * (g[j] - mean);
    }
}

void decoder_step_backward(Matrix dy_prev, Matrix dc, Matrix ds_prev, Matrix dW_x, Matrix dW_s, Row db, In ds,
                           In y_prev, In c, In s_prev, In W_x, In W_s, TensorView<const float, 1> b) {
    const int B = ds.size(0), D_s = ds.size(1), D_y = y_prev.size(1), D_h = c.size(1);
    Numbers dz(B * D_s), s(B * D_s);
    Matrix dZ(dz.data(), B, D_s), S(s.data(), B, D_s);
    decoder_step(S, y_prev, c, s_prev, W_x, W_s, b);
    for (int k = 0; k < B * D_s; k++) dz[k] = ds.data()[k] * (1 - s[k] * s[k]);
    zero(dy_prev), zero(dc), zero(ds_prev), zero(dW_x), zero(dW_s), zero(db);
    const In W_y(W_x.data(), D_y, D_s), W_c(W_x.data() + D_y * D_s, D_h, D_s);
    add_ABt(dy_prev, dZ, W_y);
    add_ABt(dc, dZ, W_c);
    add_ABt(ds_prev, dZ, W_s);
    add_AtB(Matrix(dW_x.data(), D_y, D_s), y_prev, dZ);
    add_AtB(Matrix(dW_x.data() + D_y * D_s, D_h, D_s), c, dZ);
    add_AtB(dW_s, s_prev, dZ);
    add_rows(db, dZ);
}

void decode_backward(TensorView<float, 3> dh, TensorView<float, 3> dy, const DecoderGradients<float>& g,
                     TensorView<const float, 3> dS, TensorView<const float, 3> h,
                     TensorView<const std::uint8_t, 2> mask, TensorView<const float, 3> y,
                     const DecoderWeights<float>& w) {
    const int B = h.size(0), T = h.size(1), D_h = h.size(2), L = dS.size(1), D_s = dS.size(2),
              D_y = y.size(2);
    zero(dh), zero(dy), zero(g.dW_q), zero(g.dW_k), zero(g.dv), zero(g.dW_x), zero(g.dW_s), zero(g.db);
    zero(g.dW_0), zero(g.db_0);
    // each sentence on its own
    for (int b = 0; b < B; b++) {
        const TensorView<const float, 3> h_b(h[b].data(), 1, T, D_h);
        const TensorView<const std::uint8_t, 2> mask_b(mask[b].data(), 1, T);
        const auto word = [&](int t) { return In(y[b][t].data(), 1, D_y); };
        Numbers states((L + 1) * D_s), context(L * D_h), scores(L * T), weight(T);
        const auto state = [&](int t) { return Matrix(states.data() + t * D_s, 1, D_s); };
        const auto c = [&](int t) { return Matrix(context.data() + t * D_h, 1, D_h); };
        const auto e = [&](int t) { return Matrix(scores.data() + t * T, 1, T); };
        int last = T - 1;
        while (last >= 0 && !mask(b, last)) last--;
        for (int d = 0; d < D_s; d++) {
            float sum = w.b_0(d);
            for (int k = 0; k < D_h && last >= 0; k++) sum += h(b, last, k) * w.W_0(k, d);
            states[d] = std::tanh(sum);
        }
        for (int t = 0; t < L; t++) {
            additive_scores(e(t), state(t), h_b, w.W_q, w.W_k, w.v);
            attention_context(Matrix(weight.data(), 1, T), c(t), e(t), h_b, mask_b);
            decoder_step(state(t + 1), word(t), c(t), state(t), w.W_x, w.W_s, w.b);
        }
        Numbers ds(D_s), through_step(D_s), through_scores(D_s), dc(D_h), de(T), dh_1(T * D_h), dh_2(T * D_h),
            no_da(T), dW_q(D_s * w.v.size(0)), dW_k(D_h * w.v.size(0)), dv(w.v.size(0)),
            dW_x((D_y + D_h) * D_s), dW_s(D_s * D_s), db(D_s);
        const auto add = [](auto to, const Numbers& x) {
            for (int k = 0; k < to.count(); k++) to.data()[k] += x[k];
        };
        for (int t = L - 1; t >= 0; t--) {
            for (int d = 0; d < D_s; d++) ds[d] = dS(b, t, d) + through_step[d] + through_scores[d];
            decoder_step_backward(Matrix(dy[b][t].data(), 1, D_y), Matrix(dc.data(), 1, D_h),
                                  Matrix(through_step.data(), 1, D_s), Matrix(dW_x.data(), D_y + D_h, D_s),
                                  Matrix(dW_s.data(), D_s, D_s), Row(db.data(), D_s), In(ds.data(), 1, D_s),
                                  word(t), c(t), state(t), w.W_x, w.W_s, w.b);
            attention_context_backward(Matrix(de.data(), 1, T), TensorView<float, 3>(dh_1.data(), 1, T, D_h),
                                       In(no_da.data(), 1, T), In(dc.data(), 1, D_h), e(t), h_b, mask_b);
            additive_scores_backward(
                Matrix(through_scores.data(), 1, D_s), TensorView<float, 3>(dh_2.data(), 1, T, D_h),
                Matrix(dW_q.data(), D_s, w.v.size(0)), Matrix(dW_k.data(), D_h, w.v.size(0)),
                Row(dv.data(), w.v.size(0)), In(de.data(), 1, T), state(t), h_b, w.W_q, w.W_k, w.v);
            add(dh[b], dh_1), add(dh[b], dh_2);
            add(g.dW_q, dW_q), add(g.dW_k, dW_k), add(g.dv, dv);
            add(g.dW_x, dW_x), add(g.dW_s, dW_s), add(g.db, db);
        }
        for (int d = 0; d < D_s; d++) {
            const float dz = (through_step[d] + through_scores[d]) * (1 - states[d] * states[d]);
            g.db_0(d) += dz;
            for (int k = 0; k < D_h && last >= 0; k++) {
                g.dW_0(k, d) += h(b, last, k) * dz;
                dh(b, last, k) += w.W_0(k, d) * dz;
            }
        }
    }
}

}  // namespace attn
