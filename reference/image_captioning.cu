// The reference for assignment 8, as kernels: an outer loop of image_captioning.cpp becomes threads here.

#include <stdexcept>
#include <utility>
#include <vector>

#include "device.h"
#include "image_captioning_cuda.h"
#include "rnn_attention_cuda.h"
#include "seq2seq_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;

void require_word(int word, int V) {
    if (word < 0 || word >= V) throw std::invalid_argument("a word is outside 0 .. V - 1");
}

/// Throws std::invalid_argument for a word outside 0 .. V - 1. The host has to copy the words to see them.
void require_words(const int* words, std::ptrdiff_t count, int V, cudaStream_t stream) {
    std::vector<int> copy(static_cast<std::size_t>(count));
    check(cudaMemcpyAsync(copy.data(), words, copy.size() * sizeof(int), cudaMemcpyDeviceToHost, stream),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    for (const int word : copy) require_word(word, V);
}

/// Y[r, k, o] = bias[o] + sum_{p, q, d} X[S r + p - 1, S k + q - 1, d] W[p, q, d, o], and relu of it if wanted. A thread
/// owns one number of Y. Neighbouring threads read the same numbers of X and neighbouring numbers of W.
__global__ void correlations(TensorView<float, 4> Y, TensorView<const float, 4> X,
                             TensorView<const float, 4> W, TensorView<const float, 1> bias, int S,
                             bool relu) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [b, r, k, o] = index_in(Y, n);
    float sum = bias(o);
    for (int p = 0; p < 3; ++p) {
        for (int q = 0; q < 3; ++q) {
            const int row = S * r + p - 1, column = S * k + q - 1;
            if (0 <= row && row < X.size(1) && 0 <= column && column < X.size(2))
                for (int d = 0; d < X.size(3); ++d) sum += X(b, row, column, d) * W(p, q, d, o);
        }
    }
    Y(b, r, k, o) = relu ? fmaxf(0.0f, sum) : sum;
}

void correlate(TensorView<float, 4> Y, TensorView<const float, 4> X, TensorView<const float, 4> W,
               TensorView<const float, 1> bias, int S, bool relu, cudaStream_t stream) {
    correlations<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, X, W, bias, S, relu);
    check(cudaGetLastError(), "correlations");
}

/// m = 1/(R C) sum_{r, k} grid[r, k]      m [B, D_h]. A thread owns one number of m.
__global__ void means(TensorView<float, 2> m, TensorView<const float, 4> grid) {
    const std::ptrdiff_t n = thread_number();
    if (n >= m.count()) return;
    const auto [b, d] = index_in(m, n);
    float sum = 0;
    for (int r = 0; r < grid.size(1); ++r)
        for (int k = 0; k < grid.size(2); ++k) sum += grid(b, r, k, d);
    m(b, d) = sum / static_cast<float>(grid.size(1) * grid.size(2));
}

/// y = x W + b, and tanh of it if wanted      y [B, D_out]. A thread owns one number of y.
__global__ void layer(TensorView<float, 2> y, TensorView<const float, 2> x, TensorView<const float, 2> W,
                      TensorView<const float, 1> bias, bool squash) {
    const std::ptrdiff_t n = thread_number();
    if (n >= y.count()) return;
    const auto [b, o] = index_in(y, n);
    float sum = bias(o);
    for (int d = 0; d < x.size(1); ++d) sum += x(b, d) * W(d, o);
    y(b, o) = squash ? tanhf(sum) : sum;
}

/// x[b] = table[y[b]]      x [B, D_y]. A thread owns one number of x.
__global__ void look_up(TensorView<float, 2> x, TensorView<const int, 1> y,
                        TensorView<const float, 2> table) {
    const std::ptrdiff_t n = thread_number();
    if (n >= x.count()) return;
    const auto [b, d] = index_in(x, n);
    x(b, d) = table(y(b), d);
}

/// The words that step t reads: y_{t-1}, and y_0 = start. A thread owns one image.
__global__ void words_before(TensorView<int, 1> y_prev, TensorView<const int, 2> y, int t, int start) {
    const std::ptrdiff_t n = thread_number();
    if (n >= y_prev.count()) return;
    const int b = static_cast<int>(n);
    y_prev(b) = t == 1 ? start : y(b, t - 2);
}

/// Whether a caption has ended before its word t.
__device__ bool has_ended(TensorView<const int, 1> y, int t, int eos) {
    for (int k = 1; k < t; ++k)
        if (y(k - 1) == eos) return true;
    return false;
}

/// losses[b, t - 1] = -ln softmax(logits[b])[y_t], or 0 after the first eos. A thread owns one image.
__global__ void losses_of_step(TensorView<float, 2> losses, TensorView<const float, 2> logits,
                               TensorView<const int, 2> y, int t, int eos) {
    const std::ptrdiff_t n = thread_number();
    if (n >= losses.size(0)) return;
    const int b = static_cast<int>(n);
    float most = logits(b, 0), sum = 0;
    for (int v = 1; v < logits.size(1); ++v) most = fmaxf(most, logits(b, v));
    for (int v = 0; v < logits.size(1); ++v) sum += expf(logits(b, v) - most);
    losses(b, t - 1) = has_ended(y[b], t, eos) ? 0 : most + logf(sum) - logits(b, y(b, t - 1));
}

/// The mean of losses over the words that count. One thread adds them up.
__global__ void mean_loss(TensorView<float, 1> loss, TensorView<const float, 2> losses,
                          TensorView<const int, 2> y, int eos) {
    if (thread_number() != 0) return;
    float sum = 0;
    int counted = 0;
    for (int b = 0; b < y.size(0); ++b) {
        for (int t = 1; t <= y.size(1) && !has_ended(y[b], t, eos); ++t) {
            sum += losses(b, t - 1);
            ++counted;
        }
    }
    loss(0) = sum / static_cast<float>(counted);
}

/// y_t = argmax of the logits, the first of equal ones, or eos after the first eos. A thread owns one image.
__global__ void say(TensorView<int, 2> y, TensorView<const float, 2> logits, int t, int eos) {
    const std::ptrdiff_t n = thread_number();
    if (n >= y.size(0)) return;
    const int b = static_cast<int>(n);
    int best = 0;
    for (int v = 1; v < logits.size(1); ++v)
        if (logits(b, v) > logits(b, best)) best = v;
    y(b, t - 1) = has_ended(y[b], t, eos) ? eos : best;
}

/// A[b, t - 1] = a[b], or 0 after the first eos. A thread owns one number of a.
__global__ void put_map(TensorView<float, 4> A, TensorView<const float, 3> a, TensorView<const int, 2> y,
                        int t, int eos) {
    const std::ptrdiff_t n = thread_number();
    if (n >= a.count()) return;
    const auto [b, r, k] = index_in(a, n);
    A(b, t - 1, r, k) = has_ended(y[b], t, eos) ? 0 : a(b, r, k);
}

/// logits[b, t - 1] = z[b]. A thread owns one number of z.
__global__ void put_logits(TensorView<float, 3> logits, TensorView<const float, 2> z, int t) {
    const std::ptrdiff_t n = thread_number();
    if (n >= z.count()) return;
    const auto [b, v] = index_in(z, n);
    logits(b, t - 1, v) = z(b, v);
}

/// caption_step without its test of the words.
void step(TensorView<float, 2> s, TensorView<float, 3> a, TensorView<float, 2> logits,
          TensorView<const int, 1> y_prev, TensorView<const float, 2> s_prev, TensorView<const float, 4> grid,
          const CaptionWeights<float>& weights, cudaStream_t stream) {
    const int B = grid.size(0), D_h = grid.size(3), D_y = weights.table.size(1);
    const DecoderWeights<float>& decoder = weights.decoder;
    const DeviceBuffer<float> words(stream, B, D_y), context(stream, B, D_h);
    const TensorView<float, 2> x = words.view(B, D_y), c = context.view(B, D_h);
    grid_attention(a, c, s_prev, grid, decoder.W_q, decoder.W_k, decoder.v, stream);
    look_up<<<blocks_for(x.count(), kThreads), kThreads, 0, stream>>>(x, y_prev, weights.table);
    check(cudaGetLastError(), "look_up");
    decoder_step(s, x, c, s_prev, decoder.W_x, decoder.W_s, decoder.b, stream);
    layer<<<blocks_for(logits.count(), kThreads), kThreads, 0, stream>>>(logits, s, weights.W_o, weights.b_o,
                                                                         false);
    check(cudaGetLastError(), "layer");
}

}  // namespace

void conv2d(TensorView<float, 4> Y, TensorView<const float, 4> X, TensorView<const float, 4> W,
            TensorView<const float, 1> bias, int S, cudaStream_t stream) {
    correlate(Y, X, W, bias, S, false, stream);
}

void feature_grid(TensorView<float, 4> grid, TensorView<const float, 4> X, const GridWeights<float>& weights,
                  int S, cudaStream_t stream) {
    const int B = X.size(0), R = (X.size(1) + S - 1) / S, C = (X.size(2) + S - 1) / S,
              D = weights.b_1.size(0);
    const DeviceBuffer<float> between(stream, B, R, C, D);
    const TensorView<float, 4> Z = between.view(B, R, C, D);
    correlate(Z, X, weights.W_1, weights.b_1, S, true, stream);
    correlate(grid, Z, weights.W_2, weights.b_2, S, true, stream);
}

void first_state(TensorView<float, 2> s_0, TensorView<const float, 4> grid, TensorView<const float, 2> W_0,
                 TensorView<const float, 1> b_0, cudaStream_t stream) {
    const DeviceBuffer<float> mean(stream, grid.size(0), grid.size(3));
    const TensorView<float, 2> m = mean.view(grid.size(0), grid.size(3));
    means<<<blocks_for(m.count(), kThreads), kThreads, 0, stream>>>(m, grid);
    check(cudaGetLastError(), "means");
    layer<<<blocks_for(s_0.count(), kThreads), kThreads, 0, stream>>>(s_0, m, W_0, b_0, true);
    check(cudaGetLastError(), "layer");
}

void caption_step(TensorView<float, 2> s, TensorView<float, 3> a, TensorView<float, 2> logits,
                  TensorView<const int, 1> y_prev, TensorView<const float, 2> s_prev,
                  TensorView<const float, 4> grid, const CaptionWeights<float>& weights,
                  cudaStream_t stream) {
    require_words(y_prev.data(), y_prev.count(), weights.table.size(0), stream);
    step(s, a, logits, y_prev, s_prev, grid, weights, stream);
}

void caption_loss(TensorView<float, 1> loss, TensorView<float, 2> losses, TensorView<const int, 2> y,
                  TensorView<const float, 4> grid, const CaptionWeights<float>& weights, int start, int eos,
                  cudaStream_t stream) {
    const int B = y.size(0), L = y.size(1), D_s = weights.W_o.size(0), V = weights.W_o.size(1);
    require_word(start, V);
    require_words(y.data(), y.count(), V, stream);
    const DeviceBuffer<float> before(stream, B, D_s), after(stream, B, D_s), scores(stream, B, V),
        map(stream, B, grid.size(1), grid.size(2)), all(stream, B, L);
    const DeviceBuffer<int> words(stream, B);
    TensorView<float, 2> s_prev = before.view(B, D_s), s = after.view(B, D_s);
    const TensorView<float, 2> logits = scores.view(B, V);
    if (!losses) losses = all.view(B, L);
    first_state(s_prev, grid, weights.decoder.W_0, weights.decoder.b_0, stream);
    for (int t = 1; t <= L; ++t) {
        words_before<<<blocks_for(B, kThreads), kThreads, 0, stream>>>(words.view(B), y, t, start);
        check(cudaGetLastError(), "words_before");
        step(s, map.view(B, grid.size(1), grid.size(2)), logits, words.view(B), s_prev, grid, weights,
             stream);
        losses_of_step<<<blocks_for(B, kThreads), kThreads, 0, stream>>>(losses, logits, y, t, eos);
        check(cudaGetLastError(), "losses_of_step");
        std::swap(s_prev, s);
    }
    mean_loss<<<1, 1, 0, stream>>>(loss, losses, y, eos);
    check(cudaGetLastError(), "mean_loss");
}

void caption_greedy(TensorView<int, 2> y, TensorView<float, 4> A, TensorView<const float, 4> grid,
                    const CaptionWeights<float>& weights, int start, int eos, cudaStream_t stream) {
    const int B = y.size(0), L = y.size(1), R = grid.size(1), C = grid.size(2), D_s = weights.W_o.size(0),
              V = weights.W_o.size(1);
    require_word(start, V);
    const DeviceBuffer<float> before(stream, B, D_s), after(stream, B, D_s), scores(stream, B, V),
        map(stream, B, R, C);
    const DeviceBuffer<int> words(stream, B);
    TensorView<float, 2> s_prev = before.view(B, D_s), s = after.view(B, D_s);
    const TensorView<float, 2> logits = scores.view(B, V);
    const TensorView<float, 3> a = map.view(B, R, C);
    first_state(s_prev, grid, weights.decoder.W_0, weights.decoder.b_0, stream);
    for (int t = 1; t <= L; ++t) {
        words_before<<<blocks_for(B, kThreads), kThreads, 0, stream>>>(words.view(B), y, t, start);
        check(cudaGetLastError(), "words_before");
        step(s, a, logits, words.view(B), s_prev, grid, weights, stream);
        say<<<blocks_for(B, kThreads), kThreads, 0, stream>>>(y, logits, t, eos);
        check(cudaGetLastError(), "say");
        if (A) {
            put_map<<<blocks_for(a.count(), kThreads), kThreads, 0, stream>>>(A, a, y, t, eos);
            check(cudaGetLastError(), "put_map");
        }
        std::swap(s_prev, s);
    }
}

void show_and_tell(TensorView<float, 3> logits, TensorView<const int, 2> y, TensorView<const float, 4> grid,
                   const ShowAndTellWeights<float>& weights, int start, cudaStream_t stream) {
    const int B = y.size(0), L = y.size(1), D_s = weights.W_o.size(0), V = weights.W_o.size(1),
              D_y = weights.table.size(1);
    require_word(start, V);
    require_words(y.data(), y.count(), V, stream);
    const DeviceBuffer<float> before(stream, B, D_s), after(stream, B, D_s), scores(stream, B, V),
        vectors(stream, B, D_y);
    const DeviceBuffer<int> words(stream, B);
    TensorView<float, 2> s_prev = before.view(B, D_s), s = after.view(B, D_s);
    const TensorView<float, 2> z = scores.view(B, V), x = vectors.view(B, D_y);
    first_state(s_prev, grid, weights.W_0, weights.b_0, stream);
    for (int t = 1; t <= L; ++t) {
        words_before<<<blocks_for(B, kThreads), kThreads, 0, stream>>>(words.view(B), y, t, start);
        check(cudaGetLastError(), "words_before");
        look_up<<<blocks_for(x.count(), kThreads), kThreads, 0, stream>>>(x, words.view(B), weights.table);
        check(cudaGetLastError(), "look_up");
        rnn_cell(s, x, s_prev, weights.W_x, weights.W_s, weights.b, stream);
        layer<<<blocks_for(z.count(), kThreads), kThreads, 0, stream>>>(z, s, weights.W_o, weights.b_o,
                                                                        false);
        check(cudaGetLastError(), "layer");
        put_logits<<<blocks_for(z.count(), kThreads), kThreads, 0, stream>>>(logits, z, t);
        check(cudaGetLastError(), "put_logits");
        std::swap(s_prev, s);
    }
}

}  // namespace attn::cuda
