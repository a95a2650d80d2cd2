#include <cmath>

#include "contracts/masking_reference.h"
#include "contracts/recurrent_backward_reference.h"
#include "contracts/rnn_attention_reference.h"
#include "reference/owned.h"

namespace attn::cpu {
namespace {

/// The words of all sentences, one after the other: [B, T, D] as [B T, D].
template <class T>
TensorView<T, 2> all_words(TensorView<T, 3> h) {
    return {h.data(), h.size(0) * h.size(1), h.size(2)};
}

/// A vector as a matrix of one row: [D] as [1, D].
template <class T>
TensorView<T, 2> row(TensorView<T, 1> x) {
    return {x.data(), 1, x.size(0)};
}

/// Y = X W      X [N, D], W [D, F], Y [N, F]
template <class T>
void multiplied(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const T, 2> W) {
    for (int i = 0; i < Y.size(0); ++i) {
        for (int f = 0; f < Y.size(1); ++f) {
            T sum = 0;
            for (int d = 0; d < X.size(1); ++d) sum += X(i, d) * W(d, f);
            Y(i, f) = sum;
        }
    }
}

/// dX = dY W^T: the gradient that comes back through Y = X W      dX [N, D], dY [N, F], W [D, F]
template <class T>
void gradient_of_input(TensorView<T, 2> dX, TensorView<const T, 2> dY, TensorView<const T, 2> W) {
    for (int i = 0; i < dX.size(0); ++i) {
        for (int d = 0; d < dX.size(1); ++d) {
            T sum = 0;
            for (int f = 0; f < dY.size(1); ++f) sum += dY(i, f) * W(d, f);
            dX(i, d) = sum;
        }
    }
}

/// dW = X^T dY: the weights of Y = X W met every row of X      dW [D, F], X [N, D], dY [N, F]
template <class T>
void gradient_of_weights(TensorView<T, 2> dW, TensorView<const T, 2> X, TensorView<const T, 2> dY) {
    for (int d = 0; d < dW.size(0); ++d) {
        for (int f = 0; f < dW.size(1); ++f) {
            T sum = 0;
            for (int i = 0; i < X.size(0); ++i) sum += X(i, d) * dY(i, f);
            dW(d, f) = sum;
        }
    }
}

/// db = sum_i dY[i]: the bias was added to every row      db [D], dY [N, D]
template <class T>
void gradient_of_bias(TensorView<T, 1> db, TensorView<const T, 2> dY) {
    for (int d = 0; d < db.size(0); ++d) {
        T sum = 0;
        for (int i = 0; i < dY.size(0); ++i) sum += dY(i, d);
        db(d) = sum;
    }
}

/// X = 0
template <class T>
void set_to_0(TensorView<T, 2> X) {
    for (int i = 0; i < X.size(0); ++i)
        for (int d = 0; d < X.size(1); ++d) X(i, d) = 0;
}

/// X += Y
template <class T>
void add_to(TensorView<T, 2> X, TensorView<const T, 2> Y) {
    for (int i = 0; i < X.size(0); ++i)
        for (int d = 0; d < X.size(1); ++d) X(i, d) += Y(i, d);
}

/// The place of the last word that the mask allows, -1 if there is none.
int last_word(TensorView<const std::uint8_t, 1> mask) {
    int last = mask.size(0) - 1;
    while (last >= 0 && mask(last) == 0) --last;
    return last;
}

/// What decode computes and does not return. s[t] is s_t, c[t - 1] and e[t - 1] are those of step t.
///   s [L + 1, B, D_s], c [L, B, D_h], e [L, B, T], h_last [B, D_h]
template <class T>
void decode_again(TensorView<T, 3> s, TensorView<T, 3> c, TensorView<T, 3> e, TensorView<T, 2> h_last,
                  TensorView<const T, 3> h, TensorView<const std::uint8_t, 2> mask, TensorView<const T, 3> y,
                  const DecoderWeights<T>& weights) {
    const int B = h.size(0), N = h.size(1), D_h = h.size(2), L = c.size(0), D_s = s.size(2);
    Owned<T, 3> states(B, L, D_s), attention(B, L, N);
    Owned<T, 2> attended(B, N);
    const TensorView<T, 3> S = states.view;
    decode<T>(S, attention.view, h, mask, y, weights);
    for (int b = 0; b < B; ++b) {
        const int last = last_word(mask[b]);
        for (int d = 0; d < D_h; ++d) h_last(b, d) = last >= 0 ? h(b, last, d) : T(0);
        for (int t = 1; t <= L; ++t)
            for (int d = 0; d < D_s; ++d) s(t, b, d) = S(b, t - 1, d);
    }
    // s_0 = tanh(h_last W_0 + b_0)
    multiplied<T>(s[0], h_last, weights.W_0);
    for (int b = 0; b < B; ++b)
        for (int d = 0; d < D_s; ++d) s(0, b, d) = std::tanh(s(0, b, d) + weights.b_0(d));
    for (int t = 1; t <= L; ++t) {
        additive_scores<T>(e[t - 1], s[t - 1], h, weights.W_q, weights.W_k, weights.v);
        attention_context<T>(attended.view, c[t - 1], e[t - 1], h, mask);
    }
}

}  // namespace

template <class T>
void additive_scores_backward(TensorView<T, 2> ds_prev, TensorView<T, 3> dh, TensorView<T, 2> dW_q,
                              TensorView<T, 2> dW_k, TensorView<T, 1> dv, TensorView<const T, 2> de,
                              TensorView<const T, 2> s_prev, TensorView<const T, 3> h,
                              TensorView<const T, 2> W_q, TensorView<const T, 2> W_k,
                              TensorView<const T, 1> v) {
    const int B = h.size(0), N = h.size(1), D_a = v.size(0);
    Owned<T, 3> keys(B, N, D_a), sums(B, N, D_a);
    Owned<T, 2> queries(B, D_a), dqueries(B, D_a);
    const TensorView<T, 3> k = keys.view, dz = sums.view;
    const TensorView<T, 2> q = queries.view, dq = dqueries.view;
    multiplied<T>(q, s_prev, W_q);
    multiplied<T>(all_words<T>(k), all_words<const T>(h), W_k);
    set_to_0<T>(row<T>(dv));
    for (int b = 0; b < B; ++b) {
        for (int j = 0; j < N; ++j) {
            for (int d = 0; d < D_a; ++d) {
                // z = s_prev W_q + h_j W_k
                const T tanh_z = std::tanh(q(b, d) + k(b, j, d));
                // dz = de_j v (1 - tanh(z)^2)
                dz(b, j, d) = de(b, j) * v(d) * (1 - tanh_z * tanh_z);
                // dv = sum de_j tanh(z)
                dv(d) += de(b, j) * tanh_z;
                // The query of a sentence is in all of its scores.
                dq(b, d) += dz(b, j, d);
            }
        }
    }
    gradient_of_input<T>(ds_prev, dq, W_q);
    gradient_of_input<T>(all_words<T>(dh), all_words<const T>(dz), W_k);
    gradient_of_weights<T>(dW_q, s_prev, dq);
    gradient_of_weights<T>(dW_k, all_words<const T>(h), all_words<const T>(dz));
}

template <class T>
void attention_context_backward(TensorView<T, 2> de, TensorView<T, 3> dh, TensorView<const T, 2> da,
                                TensorView<const T, 2> dc, TensorView<const T, 2> e, TensorView<const T, 3> h,
                                TensorView<const std::uint8_t, 2> mask) {
    const int B = h.size(0), N = h.size(1), D_h = h.size(2);
    Owned<T, 2> softmaxed(B, N), gradients(B, N);
    const TensorView<T, 2> a = softmaxed.view, g = gradients.view;
    masked_softmax<T>(a, e, mask);
    for (int b = 0; b < B; ++b) {
        for (int j = 0; j < N; ++j) {
            // A weight has two paths to the loss: g_j = da_j + dc . h_j
            T sum = da(b, j);
            for (int d = 0; d < D_h; ++d) sum += dc(b, d) * h(b, j, d);
            g(b, j) = sum;
            // dh_j = a_j dc
            for (int d = 0; d < D_h; ++d) dh(b, j, d) = a(b, j) * dc(b, d);
        }
        // de_j = a_j (g_j - sum_k g_k a_k)
        T sum = 0;
        for (int k = 0; k < N; ++k) sum += g(b, k) * a(b, k);
        for (int j = 0; j < N; ++j) de(b, j) = a(b, j) * (g(b, j) - sum);
    }
}

template <class T>
void decoder_step_backward(TensorView<T, 2> dy_prev, TensorView<T, 2> dc, TensorView<T, 2> ds_prev,
                           TensorView<T, 2> dW_x, TensorView<T, 2> dW_s, TensorView<T, 1> db,
                           TensorView<const T, 2> ds, TensorView<const T, 2> y_prev, TensorView<const T, 2> c,
                           TensorView<const T, 2> s_prev, TensorView<const T, 2> W_x,
                           TensorView<const T, 2> W_s, TensorView<const T, 1> b) {
    const int B = ds.size(0), D_s = ds.size(1), D_y = y_prev.size(1), D_h = c.size(1);
    Owned<T, 2> state(B, D_s), dsum(B, D_s), input(B, D_y + D_h), dinput(B, D_y + D_h);
    const TensorView<T, 2> s = state.view, dz = dsum.view, x = input.view, dx = dinput.view;
    decoder_step<T>(s, y_prev, c, s_prev, W_x, W_s, b);
    for (int i = 0; i < B; ++i) {
        // dz = ds (1 - s^2)
        for (int d = 0; d < D_s; ++d) dz(i, d) = ds(i, d) * (1 - s(i, d) * s(i, d));
        // [y_prev; c]
        for (int d = 0; d < D_y; ++d) x(i, d) = y_prev(i, d);
        for (int d = 0; d < D_h; ++d) x(i, D_y + d) = c(i, d);
    }
    // [dy_prev; dc] = dz W_x^T, ds_prev = dz W_s^T
    gradient_of_input<T>(dx, dz, W_x);
    for (int i = 0; i < B; ++i) {
        for (int d = 0; d < D_y; ++d) dy_prev(i, d) = dx(i, d);
        for (int d = 0; d < D_h; ++d) dc(i, d) = dx(i, D_y + d);
    }
    gradient_of_input<T>(ds_prev, dz, W_s);
    // dW_x = x^T dz, dW_s = s_prev^T dz, db = sum_i dz
    gradient_of_weights<T>(dW_x, x, dz);
    gradient_of_weights<T>(dW_s, s_prev, dz);
    gradient_of_bias<T>(db, dz);
}

template <class T>
void decode_backward(TensorView<T, 3> dh, TensorView<T, 3> dy, const DecoderGradients<T>& gradients,
                     TensorView<const T, 3> dS, TensorView<const T, 3> h,
                     TensorView<const std::uint8_t, 2> mask, TensorView<const T, 3> y,
                     const DecoderWeights<T>& weights) {
    const int B = h.size(0), N = h.size(1), D_h = h.size(2), L = dS.size(1), D_s = dS.size(2);
    const int D_y = y.size(2), D_a = weights.v.size(0);
    Owned<T, 3> states(L + 1, B, D_s), contexts(L, B, D_h), scores(L, B, N);
    Owned<T, 2> last_state(B, D_h);
    const TensorView<T, 3> s = states.view, c = contexts.view, e = scores.view;
    const TensorView<T, 2> h_last = last_state.view;
    decode_again<T>(s, c, e, h_last, h, mask, y, weights);

    // The gradients of one step. da stays 0: the loss does not read the weights.
    Owned<T, 2> step_W_x(D_y + D_h, D_s), step_W_s(D_s, D_s), step_W_q(D_s, D_a), step_W_k(D_h, D_a);
    Owned<T, 1> step_b(D_s), step_v(D_a);
    Owned<T, 2> state(B, D_s), word_read(B, D_y), dword(B, D_y), context(B, D_h), attended(B, N), score(B, N);
    Owned<T, 2> through_step(B, D_s), through_scores(B, D_s);
    Owned<T, 3> h_in_context(B, N, D_h), h_in_scores(B, N, D_h);
    const TensorView<T, 2> ds = state.view, y_prev = word_read.view, dy_prev = dword.view, dc = context.view,
                           da = attended.view, de = score.view;
    set_to_0<T>(all_words<T>(dh));
    set_to_0<T>(all_words<T>(dy));
    set_to_0<T>(gradients.dW_q);
    set_to_0<T>(gradients.dW_k);
    set_to_0<T>(row<T>(gradients.dv));
    set_to_0<T>(gradients.dW_x);
    set_to_0<T>(gradients.dW_s);
    set_to_0<T>(row<T>(gradients.db));
    for (int t = L; t >= 1; --t) {
        // ds_t = dS_t + what came back from step t + 1
        for (int b = 0; b < B; ++b) {
            for (int d = 0; d < D_s; ++d) ds(b, d) += dS(b, t - 1, d);
            // y_prev = y_{t-1}
            for (int d = 0; d < D_y; ++d) y_prev(b, d) = y(b, t - 1, d);
        }
        // dy_prev, dc = what the step's backward makes of ds_t
        decoder_step_backward<T>(dy_prev, dc, through_step.view, step_W_x.view, step_W_s.view, step_b.view,
                                 ds, y_prev, c[t - 1], s[t - 1], weights.W_x, weights.W_s, weights.b);
        // de = what the context's backward makes of dc
        attention_context_backward<T>(de, h_in_context.view, da, dc, e[t - 1], h, mask);
        // ds_prev = through the step and through the scores, whose backward gets de
        additive_scores_backward<T>(through_scores.view, h_in_scores.view, step_W_q.view, step_W_k.view,
                                    step_v.view, de, s[t - 1], h, weights.W_q, weights.W_k, weights.v);
        set_to_0<T>(ds);
        add_to<T>(ds, through_step.view);
        add_to<T>(ds, through_scores.view);
        // dh = a sum over all steps: through the context and through the scores
        add_to<T>(all_words<T>(dh), all_words<const T>(h_in_context.view));
        add_to<T>(all_words<T>(dh), all_words<const T>(h_in_scores.view));
        // dy_{t-1} = dy_prev of step t
        for (int b = 0; b < B; ++b)
            for (int d = 0; d < D_y; ++d) dy(b, t - 1, d) = dy_prev(b, d);
        // gradients of the weights = sums over all steps
        add_to<T>(gradients.dW_q, step_W_q.view);
        add_to<T>(gradients.dW_k, step_W_k.view);
        add_to<T>(row<T>(gradients.dv), row<const T>(step_v.view));
        add_to<T>(gradients.dW_x, step_W_x.view);
        add_to<T>(gradients.dW_s, step_W_s.view);
        add_to<T>(row<T>(gradients.db), row<const T>(step_b.view));
    }

    // ds_0 (1 - s_0^2) goes back through s_0 = tanh(h_last W_0 + b_0)
    Owned<T, 2> last_gradient(B, D_h);
    const TensorView<T, 2> dh_last = last_gradient.view;
    for (int b = 0; b < B; ++b)
        for (int d = 0; d < D_s; ++d) ds(b, d) *= 1 - s(0, b, d) * s(0, b, d);
    gradient_of_input<T>(dh_last, ds, weights.W_0);
    gradient_of_weights<T>(gradients.dW_0, h_last, ds);
    gradient_of_bias<T>(gradients.db_0, ds);
    for (int b = 0; b < B; ++b) {
        const int last = last_word(mask[b]);
        for (int d = 0; d < D_h && last >= 0; ++d) dh(b, last, d) += dh_last(b, d);
    }
}

}  // namespace attn::cpu

#include "contracts/recurrent_backward_instances.h"
