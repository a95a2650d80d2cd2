// The reference for assignment 7, as kernels: an outer loop of seq2seq.cpp becomes threads here.

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "device.h"
#include "rnn_attention_cuda.h"
#include "seq2seq_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;

/// Number `column` of x[i] W_x + h[i] W_h + b
__device__ float sum_of(TensorView<const float, 2> x, TensorView<const float, 2> h, int i,
                        TensorView<const float, 2> W_x, TensorView<const float, 2> W_h,
                        TensorView<const float, 1> b, int column) {
    float sum = b(column);
    for (int k = 0; k < x.size(1); ++k) sum += x(i, k) * W_x(k, column);
    for (int k = 0; k < h.size(1); ++k) sum += h(i, k) * W_h(k, column);
    return sum;
}

__device__ float sigma(float x) {
    return 1 / (1 + expf(-x));
}

/// A thread owns one number of h, in the four kernels of the cells.
__global__ void rnn_states(TensorView<float, 2> h, TensorView<const float, 2> x,
                           TensorView<const float, 2> h_prev, TensorView<const float, 2> W_x,
                           TensorView<const float, 2> W_h, TensorView<const float, 1> b) {
    const std::ptrdiff_t n = thread_number();
    if (n >= h.count()) return;
    const auto [i, d] = index_in(h, n);
    h(i, d) = tanhf(sum_of(x, h_prev, i, W_x, W_h, b, d));
}

__global__ void lstm_states(TensorView<float, 2> h, TensorView<float, 2> c, TensorView<const float, 2> x,
                            TensorView<const float, 2> h_prev, TensorView<const float, 2> c_prev,
                            TensorView<const float, 2> W_x, TensorView<const float, 2> W_h,
                            TensorView<const float, 1> b) {
    const std::ptrdiff_t n = thread_number();
    if (n >= h.count()) return;
    const auto [i, d] = index_in(h, n);
    const int D = h.size(1);
    const float in = sigma(sum_of(x, h_prev, i, W_x, W_h, b, d));
    const float forget = sigma(sum_of(x, h_prev, i, W_x, W_h, b, D + d));
    const float candidate = tanhf(sum_of(x, h_prev, i, W_x, W_h, b, 2 * D + d));
    const float out = sigma(sum_of(x, h_prev, i, W_x, W_h, b, 3 * D + d));
    c(i, d) = forget * c_prev(i, d) + in * candidate;
    h(i, d) = out * tanhf(c(i, d));
}

/// r h_prev, number by number. A kernel of its own, because the candidate needs all of a row.
__global__ void reset_states(TensorView<float, 2> kept, TensorView<const float, 2> x,
                             TensorView<const float, 2> h_prev, TensorView<const float, 2> W_x,
                             TensorView<const float, 2> W_h, TensorView<const float, 1> b) {
    const std::ptrdiff_t n = thread_number();
    if (n >= kept.count()) return;
    const auto [i, d] = index_in(kept, n);
    kept(i, d) = sigma(sum_of(x, h_prev, i, W_x, W_h, b, d)) * h_prev(i, d);
}

__global__ void gru_states(TensorView<float, 2> h, TensorView<const float, 2> x,
                           TensorView<const float, 2> h_prev, TensorView<const float, 2> kept,
                           TensorView<const float, 2> W_x, TensorView<const float, 2> W_h,
                           TensorView<const float, 1> b) {
    const std::ptrdiff_t n = thread_number();
    if (n >= h.count()) return;
    const auto [i, d] = index_in(h, n);
    const int D = h.size(1);
    const float z = sigma(sum_of(x, h_prev, i, W_x, W_h, b, D + d));
    const float candidate = tanhf(sum_of(x, kept, i, W_x, W_h, b, 2 * D + d));
    h(i, d) = z * h_prev(i, d) + (1 - z) * candidate;
}

/// H = the words in the order in which they are read. A thread owns one number of H.
__global__ void words_in_order(TensorView<float, 3> H, TensorView<const float, 3> X,
                               TensorView<const int, 1> lengths, Order order) {
    const std::ptrdiff_t n = thread_number();
    if (n >= H.count()) return;
    const auto [b, t, d] = index_in(H, n);
    const bool back = order == Order::reversed && t < lengths(b);
    H(b, t, d) = X(b, back ? lengths(b) - 1 - t : t, d);
}

/// The place in a sentence of `length` words that step t reads. Pads stay where they are.
__device__ int place_of(int t, int length, bool backward) {
    return backward && t < length ? length - 1 - t : t;
}

/// x[b] = what step t reads of H[b]. A thread owns one number of x.
__global__ void take_words(TensorView<float, 2> x, TensorView<const float, 3> H,
                           TensorView<const int, 1> lengths, int t, bool backward) {
    const std::ptrdiff_t n = thread_number();
    if (n >= x.count()) return;
    const auto [b, d] = index_in(x, n);
    x(b, d) = H(b, place_of(t, lengths(b), backward), d);
}

/// x[b] = X[b, t]. A thread owns one number of x.
__global__ void take_slice(TensorView<float, 2> x, TensorView<const float, 3> X, int t) {
    const std::ptrdiff_t n = thread_number();
    if (n >= x.count()) return;
    const auto [b, d] = index_in(x, n);
    x(b, d) = X(b, t, d);
}

/// X[b, t] = x[b]. A thread owns one number of x.
__global__ void put_slice(TensorView<float, 3> X, TensorView<const float, 2> x, int t) {
    const std::ptrdiff_t n = thread_number();
    if (n >= x.count()) return;
    const auto [b, d] = index_in(x, n);
    X(b, t, d) = x(b, d);
}

/// H[b] at the word that was read = h[b]; a sentence that has ended keeps its last state. A thread owns one number of h.
__global__ void keep_states(TensorView<float, 3> H, TensorView<float, 2> h_prev, TensorView<const float, 2> h,
                            TensorView<const int, 1> lengths, int t, bool backward) {
    const std::ptrdiff_t n = thread_number();
    if (n >= h.count()) return;
    const auto [b, d] = index_in(h, n);
    const bool word = t < lengths(b);
    if (word) h_prev(b, d) = h(b, d);
    H(b, place_of(t, lengths(b), backward), d) = word ? h(b, d) : 0;
}

/// y = tanh(x W + b). A thread owns one number of y.
__global__ void tanh_layer(TensorView<float, 2> y, TensorView<const float, 2> x, TensorView<const float, 2> W,
                           TensorView<const float, 1> b) {
    const std::ptrdiff_t n = thread_number();
    if (n >= y.count()) return;
    const auto [i, d] = index_in(y, n);
    float sum = b(d);
    for (int k = 0; k < x.size(1); ++k) sum += x(i, k) * W(k, d);
    y(i, d) = tanhf(sum);
}

/// R[b, t] = tanh([s[b]; c[b]] W_r). A thread owns one number of it.
__global__ void readouts(TensorView<float, 3> R, TensorView<const float, 2> s, TensorView<const float, 2> c,
                         TensorView<const float, 2> W_r, int t) {
    const std::ptrdiff_t n = thread_number();
    const int D = s.size(1), D_r = R.size(2), b = static_cast<int>(n / D_r), r = static_cast<int>(n % D_r);
    if (b >= R.size(0)) return;
    float sum = 0;
    for (int k = 0; k < D; ++k) sum += s(b, k) * W_r(k, r) + c(b, k) * W_r(D + k, r);
    R(b, t, r) = tanhf(sum);
}

/// A thread owns one score.
__global__ void luong_score(TensorView<float, 2> e, TensorView<const float, 2> s,
                            TensorView<const float, 3> h, ScoreWeights<float> weights, Score kind) {
    const std::ptrdiff_t n = thread_number();
    if (n >= e.count()) return;
    const auto [b, j] = index_in(e, n);
    const int D = s.size(1);
    float score = 0;
    for (int k = 0; kind == Score::dot && k < D; ++k) score += s(b, k) * h(b, j, k);
    for (int k = 0; kind == Score::general && k < D; ++k)
        for (int d = 0; d < D; ++d) score += s(b, k) * weights.W(k, d) * h(b, j, d);
    for (int a = 0; kind == Score::concat && a < weights.v.size(0); ++a) {
        float sum = 0;
        for (int k = 0; k < D; ++k) sum += s(b, k) * weights.W_c(k, a) + h(b, j, k) * weights.W_c(D + k, a);
        score += weights.v(a) * tanhf(sum);
    }
    e(b, j) = score;
}

/// A thread owns one sentence.
__global__ void one_word_each(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> e,
                              TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask) {
    const int b = static_cast<int>(thread_number());
    if (b >= h.size(0)) return;
    int best = -1;
    for (int j = 0; j < h.size(1); ++j)
        if (mask(b, j) && (best < 0 || e(b, j) > e(b, best))) best = j;
    for (int j = 0; j < h.size(1); ++j) a(b, j) = j == best ? 1 : 0;
    for (int d = 0; d < h.size(2); ++d) c(b, d) = best < 0 ? 0 : h(b, best, d);
}

/// Y[i] = X[i] W + b, or sigma of it. A thread owns one number of Y.
__global__ void layer(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W,
                      TensorView<const float, 1> b, bool with_sigma) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [i, d] = index_in(Y, n);
    float sum = b(d);
    for (int k = 0; k < X.size(1); ++k) sum += X(i, k) * W(k, d);
    Y(i, d) = with_sigma ? sigma(sum) : sum;
}

/// e[b, j] = q[b] . k[b, j]. A thread owns one score.
__global__ void key_scores(TensorView<float, 2> e, TensorView<const float, 2> q,
                           TensorView<const float, 3> k) {
    const std::ptrdiff_t n = thread_number();
    if (n >= e.count()) return;
    const auto [b, j] = index_in(e, n);
    float sum = 0;
    for (int d = 0; d < q.size(1); ++d) sum += q(b, d) * k(b, j, d);
    e(b, j) = sum;
}

}  // namespace

void rnn_cell(TensorView<float, 2> h, TensorView<const float, 2> x, TensorView<const float, 2> h_prev,
              TensorView<const float, 2> W_x, TensorView<const float, 2> W_h, TensorView<const float, 1> b,
              cudaStream_t stream) {
    rnn_states<<<blocks_for(h.count(), kThreads), kThreads, 0, stream>>>(h, x, h_prev, W_x, W_h, b);
    check(cudaGetLastError(), "rnn_states");
}

void lstm_cell(TensorView<float, 2> h, TensorView<float, 2> c, TensorView<const float, 2> x,
               TensorView<const float, 2> h_prev, TensorView<const float, 2> c_prev,
               TensorView<const float, 2> W_x, TensorView<const float, 2> W_h, TensorView<const float, 1> b,
               cudaStream_t stream) {
    lstm_states<<<blocks_for(h.count(), kThreads), kThreads, 0, stream>>>(h, c, x, h_prev, c_prev, W_x, W_h,
                                                                          b);
    check(cudaGetLastError(), "lstm_states");
}

void gru_cell(TensorView<float, 2> h, TensorView<const float, 2> x, TensorView<const float, 2> h_prev,
              TensorView<const float, 2> W_x, TensorView<const float, 2> W_h, TensorView<const float, 1> b,
              cudaStream_t stream) {
    const DeviceBuffer<float> reset(stream, h.size(0), h.size(1));
    const TensorView<float, 2> kept = reset.view(h.size(0), h.size(1));
    reset_states<<<blocks_for(h.count(), kThreads), kThreads, 0, stream>>>(kept, x, h_prev, W_x, W_h, b);
    check(cudaGetLastError(), "reset_states");
    gru_states<<<blocks_for(h.count(), kThreads), kThreads, 0, stream>>>(h, x, h_prev, kept, W_x, W_h, b);
    check(cudaGetLastError(), "gru_states");
}

void encode(TensorView<float, 3> H, TensorView<float, 3> last, TensorView<const float, 3> X,
            TensorView<const int, 1> lengths, const RecurrentLayers<float>& weights, Order order,
            cudaStream_t stream) {
    const int B = X.size(0), N = X.size(1), D = X.size(2), M = last.size(1);
    // The host checks the lengths, so it has to copy them and to wait for them.
    std::vector<int> on_host(static_cast<std::size_t>(B));
    check(cudaMemcpyAsync(on_host.data(), lengths.data(), on_host.size() * sizeof(int),
                          cudaMemcpyDeviceToHost, stream),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    for (const int n : on_host)
        if (n < 0 || n > N) throw std::invalid_argument("a length is outside 0 .. T");
    const DeviceBuffer<float> input(stream, B, D), before(stream, B, D), after(stream, B, D);
    const TensorView<float, 2> x = input.view(B, D), h_prev = before.view(B, D), h = after.view(B, D);
    words_in_order<<<blocks_for(H.count(), kThreads), kThreads, 0, stream>>>(H, X, lengths, order);
    check(cudaGetLastError(), "words_in_order");
    for (int m = 0; m < M; ++m) {
        check(cudaMemsetAsync(before.data(), 0, before.bytes(), stream), "cudaMemsetAsync");
        const bool backward = order == Order::bidirectional && m % 2 == 1;
        for (int t = 0; t < N; ++t) {
            take_words<<<blocks_for(x.count(), kThreads), kThreads, 0, stream>>>(x, H, lengths, t, backward);
            check(cudaGetLastError(), "take_words");
            rnn_cell(h, x, h_prev, weights.W_x[m], weights.W_h[m], weights.b[m], stream);
            keep_states<<<blocks_for(h.count(), kThreads), kThreads, 0, stream>>>(H, h_prev, h, lengths, t,
                                                                                  backward);
            check(cudaGetLastError(), "keep_states");
        }
        put_slice<<<blocks_for(h.count(), kThreads), kThreads, 0, stream>>>(last, h_prev, m);
        check(cudaGetLastError(), "put_slice");
    }
}

void decode_without_attention(TensorView<float, 3> S, TensorView<const float, 2> h_last,
                              TensorView<const float, 3> y, const PlainDecoder<float>& weights,
                              cudaStream_t stream) {
    const int B = S.size(0), L = S.size(1), D_s = S.size(2), D_y = y.size(2);
    const DeviceBuffer<float> word(stream, B, D_y), before(stream, B, D_s), after(stream, B, D_s);
    const TensorView<float, 2> y_prev = word.view(B, D_y);
    TensorView<float, 2> s_prev = before.view(B, D_s), s = after.view(B, D_s);
    // s_0 = tanh(h_last W_0 + b_0)
    tanh_layer<<<blocks_for(s.count(), kThreads), kThreads, 0, stream>>>(s_prev, h_last, weights.W_0,
                                                                         weights.b_0);
    check(cudaGetLastError(), "tanh_layer");
    for (int t = 1; t <= L; ++t) {
        take_slice<<<blocks_for(y_prev.count(), kThreads), kThreads, 0, stream>>>(y_prev, y, t - 1);
        check(cudaGetLastError(), "take_slice");
        decoder_step(s, y_prev, h_last, s_prev, weights.W_x, weights.W_s, weights.b, stream);
        put_slice<<<blocks_for(s.count(), kThreads), kThreads, 0, stream>>>(S, s, t - 1);
        check(cudaGetLastError(), "put_slice");
        std::swap(s_prev, s);
    }
}

void luong_scores(TensorView<float, 2> e, TensorView<const float, 2> s, TensorView<const float, 3> h,
                  const ScoreWeights<float>& weights, Score kind, cudaStream_t stream) {
    luong_score<<<blocks_for(e.count(), kThreads), kThreads, 0, stream>>>(e, s, h, weights, kind);
    check(cudaGetLastError(), "luong_score");
}

void luong_decode(TensorView<float, 3> S, TensorView<float, 3> U, TensorView<float, 3> R,
                  TensorView<float, 3> A, TensorView<const float, 3> h,
                  TensorView<const std::uint8_t, 2> mask, TensorView<const float, 2> s_0,
                  TensorView<const float, 2> u_0, TensorView<const float, 3> y,
                  const LuongDecoder<float>& weights, Score kind, cudaStream_t stream) {
    const int B = S.size(0), L = S.size(1), D = S.size(2), N = h.size(1), D_y = y.size(2);
    const DeviceBuffer<float> scores(stream, B, N), shares(stream, B, N), context(stream, B, D),
        word(stream, B, D_y), states(stream, 4, B, D);
    const TensorView<float, 2> e = scores.view(B, N), a = shares.view(B, N), c = context.view(B, D),
                               y_prev = word.view(B, D_y);
    const TensorView<float, 3> memory = states.view(4, B, D);
    TensorView<float, 2> s_prev = memory[0], s = memory[1], u_prev = memory[2], u = memory[3];
    const auto copy = [stream](TensorView<float, 2> to, TensorView<const float, 2> from) {
        check(cudaMemcpyAsync(to.data(), from.data(), static_cast<std::size_t>(to.count()) * sizeof(float),
                              cudaMemcpyDeviceToDevice, stream),
              "cudaMemcpyAsync");
    };
    const auto put = [stream](TensorView<float, 3> X, TensorView<float, 2> x, int t) {
        put_slice<<<blocks_for(x.count(), kThreads), kThreads, 0, stream>>>(X, x, t);
        check(cudaGetLastError(), "put_slice");
    };
    copy(s_prev, s_0);
    copy(u_prev, u_0);
    check(cudaMemsetAsync(context.data(), 0, context.bytes(), stream), "cudaMemsetAsync");
    for (int t = 1; t <= L; ++t) {
        take_slice<<<blocks_for(y_prev.count(), kThreads), kThreads, 0, stream>>>(y_prev, y, t - 1);
        check(cudaGetLastError(), "take_slice");
        // s_t = step of y_{t-1}, c_{t-1}, s_{t-1}
        decoder_step(s, y_prev, c, s_prev, weights.W_x, weights.W_s, weights.b, stream);
        // e_t = scores of s_t;  a_t, c_t = their weights and context
        luong_scores(e, s, h, weights.score, kind, stream);
        attention_context(a, c, e, h, mask, stream);
        // r_t = tanh([s_t; c_t] W_r)
        readouts<<<blocks_for(B * R.size(2), kThreads), kThreads, 0, stream>>>(R, s, c, weights.W_r, t - 1);
        check(cudaGetLastError(), "readouts");
        // u_t = step of s_t, c_t, u_{t-1}
        decoder_step(u, s, c, u_prev, weights.V_x, weights.V_u, weights.b_u, stream);
        put(S, s, t - 1);
        put(U, u, t - 1);
        put(A, a, t - 1);
        std::swap(s_prev, s);
        std::swap(u_prev, u);
    }
}

void hard_attention(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> e,
                    TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                    cudaStream_t stream) {
    one_word_each<<<blocks_for(h.size(0), kThreads), kThreads, 0, stream>>>(a, c, e, h, mask);
    check(cudaGetLastError(), "one_word_each");
}

void key_value_attention(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> s,
                         TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                         const KeyValueWeights<float>& weights, cudaStream_t stream) {
    const int B = h.size(0), N = h.size(1), D_h = h.size(2), D_k = weights.b_k.size(0), D_v = c.size(1);
    const DeviceBuffer<float> queries(stream, B, D_k), keys(stream, B, N, D_k), values(stream, B, N, D_v),
        scores(stream, B, N);
    const auto apply = [stream](TensorView<float, 2> Y, TensorView<const float, 2> X,
                                TensorView<const float, 2> W, TensorView<const float, 1> b, bool with_sigma) {
        layer<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, X, W, b, with_sigma);
        check(cudaGetLastError(), "layer");
    };
    // All states of all sentences as the rows of one matrix.
    const TensorView<const float, 2> states(h.data(), B * N, D_h);
    apply(queries.view(B, D_k), s, weights.W_q, weights.b_q, false);
    apply(keys.view(B * N, D_k), states, weights.W_k, weights.b_k, true);
    apply(values.view(B * N, D_v), states, weights.W_v, weights.b_v, false);
    const TensorView<float, 2> e = scores.view(B, N);
    key_scores<<<blocks_for(e.count(), kThreads), kThreads, 0, stream>>>(e, queries.view(B, D_k),
                                                                         keys.view(B, N, D_k));
    check(cudaGetLastError(), "key_scores");
    attention_context(a, c, e, values.view(B, N, D_v), mask, stream);
}

}  // namespace attn::cuda
