// The reference for assignment 1, as kernels: an outer loop of rnn_attention.cpp becomes threads here.

#include <cstddef>
#include <utility>

#include "device.h"
#include "masking_cuda.h"
#include "rnn_attention_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;

/// sum + number d of the product x[b] W, where only the rows of W from `first` on are used.
__device__ float add_product(float sum, TensorView<const float, 2> x, int b, TensorView<const float, 2> W,
                             int d, int first = 0) {
    for (int k = 0; k < x.size(1); ++k) sum += x(b, k) * W(first + k, d);
    return sum;
}

/// q = s_prev W_q      q [B, D_a]. A thread owns one number of q.
__global__ void queries(TensorView<float, 2> q, TensorView<const float, 2> s_prev,
                        TensorView<const float, 2> W_q) {
    const std::ptrdiff_t n = thread_number();
    if (n >= q.count()) return;
    const auto [b, d] = index_in(q, n);
    q(b, d) = add_product(0, s_prev, b, W_q, d);
}

/// e[b, j] = v . tanh(q[b] + h[b, j] W_k)      e [B, T]. A thread owns one score.
__global__ void scores(TensorView<float, 2> e, TensorView<const float, 2> q, TensorView<const float, 3> h,
                       TensorView<const float, 2> W_k, TensorView<const float, 1> v) {
    const std::ptrdiff_t n = thread_number();
    if (n >= e.count()) return;
    const auto [b, j] = index_in(e, n);
    float dot = 0;
    for (int d = 0; d < v.size(0); ++d) dot += v(d) * tanhf(add_product(q(b, d), h[b], j, W_k, d));
    e(b, j) = dot;
}

/// c[b] = sum_j a[b, j] h[b, j]      c [B, D_h]. A thread owns one number of c.
__global__ void contexts(TensorView<float, 2> c, TensorView<const float, 2> a, TensorView<const float, 3> h) {
    const std::ptrdiff_t n = thread_number();
    if (n >= c.count()) return;
    const auto [b, d] = index_in(c, n);
    float sum = 0;
    for (int j = 0; j < h.size(1); ++j) sum += a(b, j) * h(b, j, d);
    c(b, d) = sum;
}

/// s = tanh([y_prev; c] W_x + s_prev W_s + b)      s [B, D_s]. A thread owns one number of s.
__global__ void states(TensorView<float, 2> s, TensorView<const float, 2> y_prev,
                       TensorView<const float, 2> c, TensorView<const float, 2> s_prev,
                       TensorView<const float, 2> W_x, TensorView<const float, 2> W_s,
                       TensorView<const float, 1> b) {
    const std::ptrdiff_t n = thread_number();
    if (n >= s.count()) return;
    const auto [i, d] = index_in(s, n);
    float z = b(d);
    z = add_product(z, y_prev, i, W_x, d);
    z = add_product(z, c, i, W_x, d, y_prev.size(1));
    z = add_product(z, s_prev, i, W_s, d);
    s(i, d) = tanhf(z);
}

/// s_0 = tanh(h_last W_0 + b_0); h_last is the state at the last j with mask[j] = 1, 0 where there is none.
/// A thread owns one number of s_0 [B, D_s].
__global__ void first_states(TensorView<float, 2> s_0, TensorView<const float, 3> h,
                             TensorView<const std::uint8_t, 2> mask, TensorView<const float, 2> W_0,
                             TensorView<const float, 1> b_0) {
    const std::ptrdiff_t n = thread_number();
    if (n >= s_0.count()) return;
    const auto [b, d] = index_in(s_0, n);
    int last = mask.size(1) - 1;
    while (last >= 0 && mask(b, last) == 0) --last;
    float z = b_0(d);
    if (last >= 0) z = add_product(z, h[b], last, W_0, d);
    s_0(b, d) = tanhf(z);
}

/// x[b] = X[b, t]      x [B, D]. A thread owns one number of x.
__global__ void take_step(TensorView<float, 2> x, TensorView<const float, 3> X, int t) {
    const std::ptrdiff_t n = thread_number();
    if (n >= x.count()) return;
    const auto [b, d] = index_in(x, n);
    x(b, d) = X(b, t, d);
}

/// X[b, t] = x[b]      x [B, D]. A thread owns one number of x.
__global__ void put_step(TensorView<float, 3> X, TensorView<const float, 2> x, int t) {
    const std::ptrdiff_t n = thread_number();
    if (n >= x.count()) return;
    const auto [b, d] = index_in(x, n);
    X(b, t, d) = x(b, d);
}

}  // namespace

void additive_scores(TensorView<float, 2> e, TensorView<const float, 2> s_prev, TensorView<const float, 3> h,
                     TensorView<const float, 2> W_q, TensorView<const float, 2> W_k,
                     TensorView<const float, 1> v, cudaStream_t stream) {
    const int B = h.size(0), D_a = v.size(0);
    const DeviceBuffer<float> all_queries(stream, B, D_a);
    const TensorView<float, 2> q = all_queries.view(B, D_a);
    // q = s_prev W_q, the same for every source word
    queries<<<blocks_for(q.count(), kThreads), kThreads, 0, stream>>>(q, s_prev, W_q);
    check(cudaGetLastError(), "queries");
    // e_j = v . tanh(q + h_j W_k)
    scores<<<blocks_for(e.count(), kThreads), kThreads, 0, stream>>>(e, q, h, W_k, v);
    check(cudaGetLastError(), "scores");
}

void attention_context(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> e,
                       TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                       cudaStream_t stream) {
    // a = softmax(e) by rows, where the mask allows
    masked_softmax(a, e, mask, stream);
    // c = sum_j a_j h_j
    contexts<<<blocks_for(c.count(), kThreads), kThreads, 0, stream>>>(c, a, h);
    check(cudaGetLastError(), "contexts");
}

void decoder_step(TensorView<float, 2> s, TensorView<const float, 2> y_prev, TensorView<const float, 2> c,
                  TensorView<const float, 2> s_prev, TensorView<const float, 2> W_x,
                  TensorView<const float, 2> W_s, TensorView<const float, 1> b, cudaStream_t stream) {
    states<<<blocks_for(s.count(), kThreads), kThreads, 0, stream>>>(s, y_prev, c, s_prev, W_x, W_s, b);
    check(cudaGetLastError(), "states");
}

void decode(TensorView<float, 3> S, TensorView<float, 3> A, TensorView<const float, 3> h,
            TensorView<const std::uint8_t, 2> mask, TensorView<const float, 3> y,
            const DecoderWeights<float>& weights, cudaStream_t stream) {
    const int B = S.size(0), L = S.size(1), D_s = S.size(2), N = h.size(1), D_h = h.size(2), D_y = y.size(2);
    const DeviceBuffer<float> scores_of_step(stream, B, N), weights_of_step(stream, B, N),
        contexts_of_step(stream, B, D_h), words(stream, B, D_y), states_before(stream, B, D_s),
        states_after(stream, B, D_s);
    const TensorView<float, 2> e = scores_of_step.view(B, N), a = weights_of_step.view(B, N),
                               c = contexts_of_step.view(B, D_h), y_prev = words.view(B, D_y);
    TensorView<float, 2> s_prev = states_before.view(B, D_s), s = states_after.view(B, D_s);
    // s_0 = tanh(h_last W_0 + b_0)
    first_states<<<blocks_for(s_prev.count(), kThreads), kThreads, 0, stream>>>(s_prev, h, mask, weights.W_0,
                                                                                weights.b_0);
    check(cudaGetLastError(), "first_states");
    for (int t = 1; t <= L; ++t) {
        take_step<<<blocks_for(y_prev.count(), kThreads), kThreads, 0, stream>>>(y_prev, y, t - 1);
        check(cudaGetLastError(), "take_step");
        // e_t = scores of s_{t-1};  a_t, c_t = their weights and context
        additive_scores(e, s_prev, h, weights.W_q, weights.W_k, weights.v, stream);
        attention_context(a, c, e, h, mask, stream);
        // s_t = step of y_{t-1}, c_t, s_{t-1}
        decoder_step(s, y_prev, c, s_prev, weights.W_x, weights.W_s, weights.b, stream);
        put_step<<<blocks_for(s.count(), kThreads), kThreads, 0, stream>>>(S, s, t - 1);
        check(cudaGetLastError(), "put_step");
        put_step<<<blocks_for(a.count(), kThreads), kThreads, 0, stream>>>(A, a, t - 1);
        check(cudaGetLastError(), "put_step");
        std::swap(s_prev, s);
    }
}

void grid_attention(TensorView<float, 3> a, TensorView<float, 2> c, TensorView<const float, 2> s_prev,
                    TensorView<const float, 4> grid, TensorView<const float, 2> W_q,
                    TensorView<const float, 2> W_k, TensorView<const float, 1> v, cudaStream_t stream) {
    // Cell (r, k) is at r C + k of a row-major grid, so a grid is one long sentence without pads.
    const int B = grid.size(0), cells = grid.size(1) * grid.size(2);
    const TensorView<const float, 3> h(grid.data(), B, cells, grid.size(3));
    const DeviceBuffer<float> all_scores(stream, B, cells);
    const DeviceBuffer<std::uint8_t> all(stream, B, cells);
    check(cudaMemsetAsync(all.data(), 1, all.bytes(), stream), "cudaMemsetAsync");
    additive_scores(all_scores.view(B, cells), s_prev, h, W_q, W_k, v, stream);
    attention_context(TensorView<float, 2>(a.data(), B, cells), c, all_scores.view(B, cells), h,
                      all.view(B, cells), stream);
}

}  // namespace attn::cuda
