// The reference for assignment 21, as kernels: an outer loop of recurrent_backward.cpp becomes threads here. A
// thread owns one number of a gradient and sums over everything that this number was used for. So no two threads
// add to the same number.

#include <cstddef>
#include <cstdint>

#include "device.h"
#include "masking_cuda.h"
#include "recurrent_backward_cuda.h"
#include "rnn_attention_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;

using Numbers = DeviceBuffer<float>;

/// The words of all sentences, one after the other: [B, T, D] as [B T, D].
template <class T>
TensorView<T, 2> flat(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

/// Any array as one row of all its numbers.
template <class T, int Rank>
TensorView<T, 1> all_of(TensorView<T, Rank> X) {
    return {X.data(), static_cast<int>(X.count())};
}

/// Y = X W + b; b may be missing. A thread owns one number of Y.
__global__ void product_sums(TensorView<float, 2> Y, TensorView<const float, 2> X,
                             TensorView<const float, 2> W, TensorView<const float, 1> b) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [i, f] = index_in(Y, n);
    float sum = 0;
    for (int d = 0; d < X.size(1); ++d) sum += X(i, d) * W(d, f);
    Y(i, f) = b ? sum + b(f) : sum;
}

void affine(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W,
            TensorView<const float, 1> b, cudaStream_t stream) {
    product_sums<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, X, W, b);
    check(cudaGetLastError(), "product_sums");
}

/// dX = dY W^T. A thread owns one number of dX.
__global__ void input_sums(TensorView<float, 2> dX, TensorView<const float, 2> dY,
                           TensorView<const float, 2> W) {
    const std::ptrdiff_t n = thread_number();
    if (n >= dX.count()) return;
    const auto [i, d] = index_in(dX, n);
    float sum = 0;
    for (int f = 0; f < dY.size(1); ++f) sum += dY(i, f) * W(d, f);
    dX(i, d) = sum;
}

void input_gradient(TensorView<float, 2> dX, TensorView<const float, 2> dY, TensorView<const float, 2> W,
                    cudaStream_t stream) {
    input_sums<<<blocks_for(dX.count(), kThreads), kThreads, 0, stream>>>(dX, dY, W);
    check(cudaGetLastError(), "input_sums");
}

/// dW = X^T dY. A thread owns one number of dW, and walks along the rows.
__global__ void weight_sums(TensorView<float, 2> dW, TensorView<const float, 2> X,
                            TensorView<const float, 2> dY) {
    const std::ptrdiff_t n = thread_number();
    if (n >= dW.count()) return;
    const auto [d, f] = index_in(dW, n);
    float sum = 0;
    for (int i = 0; i < X.size(0); ++i) sum += X(i, d) * dY(i, f);
    dW(d, f) = sum;
}

void weight_gradient(TensorView<float, 2> dW, TensorView<const float, 2> X, TensorView<const float, 2> dY,
                     cudaStream_t stream) {
    weight_sums<<<blocks_for(dW.count(), kThreads), kThreads, 0, stream>>>(dW, X, dY);
    check(cudaGetLastError(), "weight_sums");
}

/// db = sum_i dY[i]. A thread owns one number of db.
__global__ void row_sums(TensorView<float, 1> db, TensorView<const float, 2> dY) {
    const std::ptrdiff_t n = thread_number();
    if (n >= db.count()) return;
    const int d = static_cast<int>(n);
    float sum = 0;
    for (int i = 0; i < dY.size(0); ++i) sum += dY(i, d);
    db(d) = sum;
}

void bias_gradient(TensorView<float, 1> db, TensorView<const float, 2> dY, cudaStream_t stream) {
    row_sums<<<blocks_for(db.count(), kThreads), kThreads, 0, stream>>>(db, dY);
    check(cudaGetLastError(), "row_sums");
}

/// X += Y. A thread owns one number of X.
__global__ void added(TensorView<float, 1> X, TensorView<const float, 1> Y) {
    const std::ptrdiff_t n = thread_number();
    if (n >= X.count()) return;
    X(static_cast<int>(n)) += Y(static_cast<int>(n));
}

template <class To, class From>
void accumulate(To X, From Y, cudaStream_t stream) {
    added<<<blocks_for(X.count(), kThreads), kThreads, 0, stream>>>(all_of(X), all_of(Y));
    check(cudaGetLastError(), "added");
}

/// X = 0
template <class To>
void clear(To X, cudaStream_t stream) {
    check(cudaMemsetAsync(X.data(), 0, static_cast<std::size_t>(X.count()) * sizeof(float), stream),
          "cudaMemsetAsync");
}

/// dE = A (dA - sum_k dA A). A thread owns one row.
__global__ void weights_to_scores(TensorView<float, 2> dE, TensorView<const float, 2> dA,
                                  TensorView<const float, 2> A) {
    const std::ptrdiff_t n = thread_number();
    if (n >= A.size(0)) return;
    const int i = static_cast<int>(n);
    float sum = 0;
    for (int k = 0; k < A.size(1); ++k) sum += dA(i, k) * A(i, k);
    for (int j = 0; j < A.size(1); ++j) dE(i, j) = A(i, j) * (dA(i, j) - sum);
}

void scores_gradient(TensorView<float, 2> dE, TensorView<const float, 2> dA, TensorView<const float, 2> A,
                     cudaStream_t stream) {
    weights_to_scores<<<blocks_for(A.size(0), kThreads), kThreads, 0, stream>>>(dE, dA, A);
    check(cudaGetLastError(), "weights_to_scores");
}

/// tanh_z = tanh(q[b] + k[b, j]), t = de tanh_z, dz = de v (1 - tanh_z^2). A thread owns one number of dz.
__global__ void through_scores(TensorView<float, 3> dz, TensorView<float, 3> t, TensorView<const float, 2> de,
                               TensorView<const float, 2> q, TensorView<const float, 3> k,
                               TensorView<const float, 1> v) {
    const std::ptrdiff_t n = thread_number();
    if (n >= dz.count()) return;
    const auto [b, j, d] = index_in(dz, n);
    const float tanh_z = tanhf(q(b, d) + k(b, j, d));
    t(b, j, d) = tanh_z * de(b, j);
    dz(b, j, d) = de(b, j) * v(d) * (1 - tanh_z * tanh_z);
}

/// dq = sum_j dz[b, j]. A thread owns one number of dq.
__global__ void sum_over_words(TensorView<float, 2> dq, TensorView<const float, 3> dz) {
    const std::ptrdiff_t n = thread_number();
    if (n >= dq.count()) return;
    const auto [b, d] = index_in(dq, n);
    float sum = 0;
    for (int j = 0; j < dz.size(1); ++j) sum += dz(b, j, d);
    dq(b, d) = sum;
}

/// g = da + dc . h[b, j]; dh = a dc. A thread owns one word.
__global__ void through_context(TensorView<float, 2> g, TensorView<float, 3> dh,
                                TensorView<const float, 2> da, TensorView<const float, 2> dc,
                                TensorView<const float, 2> a, TensorView<const float, 3> h) {
    const std::ptrdiff_t n = thread_number();
    if (n >= g.count()) return;
    const auto [b, j] = index_in(g, n);
    float sum = da ? da(b, j) : 0.0f;
    for (int d = 0; d < h.size(2); ++d) {
        sum += dc(b, d) * h(b, j, d);
        dh(b, j, d) = a(b, j) * dc(b, d);
    }
    g(b, j) = sum;
}

/// dz = ds (1 - s^2). A thread owns one number of dz.
__global__ void through_tanh(TensorView<float, 2> dz, TensorView<const float, 2> ds,
                             TensorView<const float, 2> s) {
    const std::ptrdiff_t n = thread_number();
    if (n >= dz.count()) return;
    const auto [i, d] = index_in(dz, n);
    dz(i, d) = ds(i, d) * (1 - s(i, d) * s(i, d));
}

/// x = [y; c], or y and c of x. A thread owns one number of x.
__global__ void side_by_side(TensorView<float, 2> x, TensorView<const float, 2> y,
                             TensorView<const float, 2> c) {
    const std::ptrdiff_t n = thread_number();
    if (n >= x.count()) return;
    const auto [i, d] = index_in(x, n);
    x(i, d) = d < y.size(1) ? y(i, d) : c(i, d - y.size(1));
}
__global__ void apart(TensorView<float, 2> y, TensorView<float, 2> c, TensorView<const float, 2> x) {
    const std::ptrdiff_t n = thread_number();
    if (n >= x.count()) return;
    const auto [i, d] = index_in(x, n);
    (d < y.size(1) ? y(i, d) : c(i, d - y.size(1))) = x(i, d);
}

__device__ int last_word(TensorView<const std::uint8_t, 2> mask, int b) {
    int last = mask.size(1) - 1;
    while (last >= 0 && mask(b, last) == 0) --last;
    return last;
}

/// The last word of each sentence, 0 where there is none. A thread owns one number.
__global__ void last_words(TensorView<float, 2> h_last, TensorView<const float, 3> h,
                           TensorView<const std::uint8_t, 2> mask) {
    const std::ptrdiff_t n = thread_number();
    if (n >= h_last.count()) return;
    const auto [b, d] = index_in(h_last, n);
    const int last = last_word(mask, b);
    h_last(b, d) = last >= 0 ? h(b, last, d) : 0.0f;
}

/// dh of the last word += dh_last. A thread owns one number of dh_last.
__global__ void to_last_words(TensorView<float, 3> dh, TensorView<const float, 2> dh_last,
                              TensorView<const std::uint8_t, 2> mask) {
    const std::ptrdiff_t n = thread_number();
    if (n >= dh_last.count()) return;
    const auto [b, d] = index_in(dh_last, n);
    const int last = last_word(mask, b);
    if (last >= 0) dh(b, last, d) += dh_last(b, d);
}

/// s = tanh(s). A thread owns one number.
__global__ void tanh_of(TensorView<float, 2> s) {
    const std::ptrdiff_t n = thread_number();
    if (n >= s.count()) return;
    const auto [b, d] = index_in(s, n);
    s(b, d) = tanhf(s(b, d));
}

/// x[b] = X[b, t], or X[b, t] = x[b], or x[b] += X[b, t]. A thread owns one number of x.
enum class Move { take, put, add };
__global__ void move_step(TensorView<float, 2> x, TensorView<float, 3> X, int t, Move move) {
    const std::ptrdiff_t n = thread_number();
    if (n >= x.count()) return;
    const auto [b, d] = index_in(x, n);
    if (move == Move::put)
        X(b, t, d) = x(b, d);
    else
        x(b, d) = (move == Move::add ? x(b, d) : 0.0f) + X(b, t, d);
}

void step(TensorView<float, 2> x, TensorView<const float, 3> X, int t, Move move, cudaStream_t stream) {
    const TensorView<float, 3> array(const_cast<float*>(X.data()), X.size(0), X.size(1), X.size(2));
    move_step<<<blocks_for(x.count(), kThreads), kThreads, 0, stream>>>(x, array, t, move);
    check(cudaGetLastError(), "move_step");
}

}  // namespace

void additive_scores_backward(TensorView<float, 2> ds_prev, TensorView<float, 3> dh,
                              TensorView<float, 2> dW_q, TensorView<float, 2> dW_k, TensorView<float, 1> dv,
                              TensorView<const float, 2> de, TensorView<const float, 2> s_prev,
                              TensorView<const float, 3> h, TensorView<const float, 2> W_q,
                              TensorView<const float, 2> W_k, TensorView<const float, 1> v,
                              cudaStream_t stream) {
    const int B = h.size(0), N = h.size(1), D_a = v.size(0);
    const Numbers queries(stream, B, D_a), dqueries(stream, B, D_a), keys(stream, B, N, D_a),
        sums(stream, B, N, D_a), parts(stream, B, N, D_a);
    const TensorView<float, 2> q = queries.view(B, D_a), dq = dqueries.view(B, D_a);
    const TensorView<float, 3> k = keys.view(B, N, D_a), dz = sums.view(B, N, D_a), t = parts.view(B, N, D_a);
    affine(q, s_prev, W_q, {}, stream);
    affine(flat(k), flat(h), W_k, {}, stream);
    through_scores<<<blocks_for(dz.count(), kThreads), kThreads, 0, stream>>>(dz, t, de, q, k, v);
    check(cudaGetLastError(), "through_scores");
    sum_over_words<<<blocks_for(dq.count(), kThreads), kThreads, 0, stream>>>(dq, dz);
    check(cudaGetLastError(), "sum_over_words");
    bias_gradient(dv, flat(t), stream);
    input_gradient(ds_prev, dq, W_q, stream);
    input_gradient(flat(dh), flat(dz), W_k, stream);
    weight_gradient(dW_q, s_prev, dq, stream);
    weight_gradient(dW_k, flat(h), flat(dz), stream);
}

void attention_context_backward(TensorView<float, 2> de, TensorView<float, 3> dh,
                                TensorView<const float, 2> da, TensorView<const float, 2> dc,
                                TensorView<const float, 2> e, TensorView<const float, 3> h,
                                TensorView<const std::uint8_t, 2> mask, cudaStream_t stream) {
    const int B = h.size(0), N = h.size(1);
    const Numbers weights(stream, B, N), dweights(stream, B, N);
    const TensorView<float, 2> a = weights.view(B, N), g = dweights.view(B, N);
    masked_softmax(a, e, mask, stream);
    through_context<<<blocks_for(g.count(), kThreads), kThreads, 0, stream>>>(g, dh, da, dc, a, h);
    check(cudaGetLastError(), "through_context");
    scores_gradient(de, g, a, stream);
}

void decoder_step_backward(TensorView<float, 2> dy_prev, TensorView<float, 2> dc,
                           TensorView<float, 2> ds_prev, TensorView<float, 2> dW_x, TensorView<float, 2> dW_s,
                           TensorView<float, 1> db, TensorView<const float, 2> ds,
                           TensorView<const float, 2> y_prev, TensorView<const float, 2> c,
                           TensorView<const float, 2> s_prev, TensorView<const float, 2> W_x,
                           TensorView<const float, 2> W_s, TensorView<const float, 1> b,
                           cudaStream_t stream) {
    const int B = ds.size(0), D_s = ds.size(1), D_x = W_x.size(0);
    const Numbers state(stream, B, D_s), dsum(stream, B, D_s), input(stream, B, D_x), dinput(stream, B, D_x);
    const TensorView<float, 2> s = state.view(B, D_s), dz = dsum.view(B, D_s), x = input.view(B, D_x),
                               dx = dinput.view(B, D_x);
    decoder_step(s, y_prev, c, s_prev, W_x, W_s, b, stream);
    through_tanh<<<blocks_for(dz.count(), kThreads), kThreads, 0, stream>>>(dz, ds, s);
    check(cudaGetLastError(), "through_tanh");
    side_by_side<<<blocks_for(x.count(), kThreads), kThreads, 0, stream>>>(x, y_prev, c);
    check(cudaGetLastError(), "side_by_side");
    input_gradient(dx, dz, W_x, stream);
    apart<<<blocks_for(dx.count(), kThreads), kThreads, 0, stream>>>(dy_prev, dc, dx);
    check(cudaGetLastError(), "apart");
    input_gradient(ds_prev, dz, W_s, stream);
    weight_gradient(dW_x, x, dz, stream);
    weight_gradient(dW_s, s_prev, dz, stream);
    bias_gradient(db, dz, stream);
}

void decode_backward(TensorView<float, 3> dh, TensorView<float, 3> dy,
                     const DecoderGradients<float>& gradients, TensorView<const float, 3> dS,
                     TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                     TensorView<const float, 3> y, const DecoderWeights<float>& weights,
                     cudaStream_t stream) {
    const int B = h.size(0), N = h.size(1), D_h = h.size(2), L = dS.size(1), D_s = dS.size(2);
    const int D_y = y.size(2), D_a = weights.v.size(0);
    // Forward once more: s[t] is s_t; c[t - 1] and e[t - 1] are those of step t.
    const Numbers states(stream, L + 1, B, D_s), contexts(stream, L, B, D_h), scores(stream, L, B, N),
        weight(stream, B, N), last_state(stream, B, D_h), word(stream, B, D_y);
    const TensorView<float, 3> s = states.view(L + 1, B, D_s), c = contexts.view(L, B, D_h),
                               e = scores.view(L, B, N);
    const TensorView<float, 2> h_last = last_state.view(B, D_h), y_prev = word.view(B, D_y);
    last_words<<<blocks_for(h_last.count(), kThreads), kThreads, 0, stream>>>(h_last, h, mask);
    check(cudaGetLastError(), "last_words");
    affine(s[0], h_last, weights.W_0, weights.b_0, stream);
    tanh_of<<<blocks_for(s[0].count(), kThreads), kThreads, 0, stream>>>(s[0]);
    check(cudaGetLastError(), "tanh_of");
    for (int t = 1; t <= L; ++t) {
        step(y_prev, y, t - 1, Move::take, stream);
        additive_scores(e[t - 1], s[t - 1], h, weights.W_q, weights.W_k, weights.v, stream);
        attention_context(weight.view(B, N), c[t - 1], e[t - 1], h, mask, stream);
        decoder_step(s[t], y_prev, c[t - 1], s[t - 1], weights.W_x, weights.W_s, weights.b, stream);
    }

    const Numbers state(stream, B, D_s), through_step(stream, B, D_s), from_scores(stream, B, D_s),
        dword(stream, B, D_y), context(stream, B, D_h), score(stream, B, N), attended(stream, B, N),
        h_part(stream, B, N, D_h);
    const Numbers step_W_x(stream, D_y + D_h, D_s), step_W_s(stream, D_s, D_s), step_b(stream, D_s),
        step_W_q(stream, D_s, D_a), step_W_k(stream, D_h, D_a), step_v(stream, D_a);
    const TensorView<float, 2> ds = state.view(B, D_s), dy_prev = dword.view(B, D_y),
                               dc = context.view(B, D_h), de = score.view(B, N), da = attended.view(B, N),
                               of_step = through_step.view(B, D_s), of_scores = from_scores.view(B, D_s),
                               W_x = step_W_x.view(D_y + D_h, D_s), W_s = step_W_s.view(D_s, D_s),
                               W_q = step_W_q.view(D_s, D_a), W_k = step_W_k.view(D_h, D_a);
    const TensorView<float, 1> b = step_b.view(D_s), v = step_v.view(D_a);
    const TensorView<float, 3> dh_part = h_part.view(B, N, D_h);
    clear(ds, stream), clear(da, stream), clear(dh, stream), clear(dy, stream);
    clear(gradients.dW_q, stream), clear(gradients.dW_k, stream), clear(gradients.dv, stream);
    clear(gradients.dW_x, stream), clear(gradients.dW_s, stream), clear(gradients.db, stream);
    for (int t = L; t >= 1; --t) {
        // ds_t = dS_t + what came back from step t + 1
        step(ds, dS, t - 1, Move::add, stream);
        step(y_prev, y, t - 1, Move::take, stream);
        decoder_step_backward(dy_prev, dc, of_step, W_x, W_s, b, ds, y_prev, c[t - 1], s[t - 1], weights.W_x,
                              weights.W_s, weights.b, stream);
        step(dy_prev, dy, t - 1, Move::put, stream);
        attention_context_backward(de, dh_part, da, dc, e[t - 1], h, mask, stream);
        accumulate(dh, dh_part, stream);
        additive_scores_backward(of_scores, dh_part, W_q, W_k, v, de, s[t - 1], h, weights.W_q, weights.W_k,
                                 weights.v, stream);
        accumulate(dh, dh_part, stream);
        clear(ds, stream);
        accumulate(ds, of_step, stream);
        accumulate(ds, of_scores, stream);
        accumulate(gradients.dW_q, W_q, stream);
        accumulate(gradients.dW_k, W_k, stream);
        accumulate(gradients.dv, v, stream);
        accumulate(gradients.dW_x, W_x, stream);
        accumulate(gradients.dW_s, W_s, stream);
        accumulate(gradients.db, b, stream);
    }
    // Back through s_0 = tanh(h_last W_0 + b_0)
    through_tanh<<<blocks_for(ds.count(), kThreads), kThreads, 0, stream>>>(of_step, ds, s[0]);
    check(cudaGetLastError(), "through_tanh");
    weight_gradient(gradients.dW_0, h_last, of_step, stream);
    bias_gradient(gradients.db_0, of_step, stream);
    input_gradient(dc, of_step, weights.W_0, stream);
    to_last_words<<<blocks_for(dc.count(), kThreads), kThreads, 0, stream>>>(dh, dc, mask);
    check(cudaGetLastError(), "to_last_words");
}

}  // namespace attn::cuda
