// The reference for assignment 18, as kernels: an outer loop of co_attention.cpp becomes threads here.

#include <stdexcept>
#include <string>
#include <vector>

#include "co_attention_cuda.h"
#include "device.h"
#include "transformer_block_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;

void require_whole_heads(int D, int H) {
    if (H >= 1 && D % H == 0) return;
    throw std::invalid_argument("H = " + std::to_string(H) + " heads do not divide D = " + std::to_string(D));
}

/// Tokens are in device memory, and only the host can refuse them.
void require_tokens(TensorView<const int, 2> tokens, int V, cudaStream_t stream) {
    std::vector<int> copied(static_cast<std::size_t>(tokens.count()));
    check(cudaMemcpyAsync(copied.data(), tokens.data(), copied.size() * sizeof(int), cudaMemcpyDeviceToHost,
                          stream),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    for (const int token : copied)
        if (token < 0 || token >= V)
            throw std::invalid_argument("there is no token " + std::to_string(token));
}

/// All vectors of all pairs as the rows of one matrix
template <class T>
TensorView<T, 2> vectors_of(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

/// The five numbers of a box. A thread owns a box.
__global__ void shares_of_boxes(TensorView<float, 3> five, TensorView<const float, 3> boxes,
                                TensorView<const float, 1> width, TensorView<const float, 1> height) {
    const std::ptrdiff_t n = thread_number();
    const int N_r = boxes.size(1);
    if (n >= static_cast<std::ptrdiff_t>(boxes.size(0)) * N_r) return;
    const int b = static_cast<int>(n / N_r), i = static_cast<int>(n % N_r);
    const float x_1 = boxes(b, i, 0), y_1 = boxes(b, i, 1), x_2 = boxes(b, i, 2), y_2 = boxes(b, i, 3);
    five(b, i, 0) = x_1 / width(b);
    five(b, i, 1) = y_1 / height(b);
    five(b, i, 2) = x_2 / width(b);
    five(b, i, 3) = y_2 / height(b);
    five(b, i, 4) = (x_2 - x_1) * (y_2 - y_1) / (width(b) * height(b));
}

/// Y = X W + b, added to Y or written there. A thread owns one number of Y.
__global__ void project(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> W,
                        TensorView<const float, 1> bias, bool added) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [b, i, d] = index_in(Y, n);
    float sum = 0;
    for (int k = 0; k < X.size(2); ++k) sum += X(b, i, k) * W(k, d);
    Y(b, i, d) = sum + bias(d) + (added ? Y(b, i, d) : 0.0F);
}

/// A[b, h] = softmax(Q_h K_h^T / sqrt(D/H)) by rows, 0 where the mask is 0      A [B, H, N_q, N_k]. A thread owns one row.
__global__ void rows_of_weights(TensorView<float, 4> A, TensorView<const float, 3> Q,
                                TensorView<const float, 3> K, TensorView<const std::uint8_t, 2> mask) {
    const std::ptrdiff_t n = thread_number();
    const int H = A.size(1), N_q = A.size(2), N_k = A.size(3), D_h = Q.size(2) / H;
    if (n >= static_cast<std::ptrdiff_t>(A.size(0)) * H * N_q) return;
    const int i = static_cast<int>(n % N_q), h = static_cast<int>(n / N_q % H);
    const int b = static_cast<int>(n / N_q / H);
    float largest = -INFINITY, sum = 0;
    for (int j = 0; j < N_k; ++j) {
        float dot = 0;
        for (int d = 0; d < D_h; ++d) dot += Q(b, i, h * D_h + d) * K(b, j, h * D_h + d);
        A(b, h, i, j) = dot / sqrtf(static_cast<float>(D_h));
        if (!mask || mask(b, j) == 1) largest = fmaxf(largest, A(b, h, i, j));
    }
    for (int j = 0; j < N_k; ++j) {
        A(b, h, i, j) = !mask || mask(b, j) == 1 ? expf(A(b, h, i, j) - largest) : 0.0F;
        sum += A(b, h, i, j);
    }
    for (int j = 0; j < N_k; ++j) A(b, h, i, j) = sum > 0 ? A(b, h, i, j) / sum : 0.0F;
}

/// O_h = A_h V_h      O [B, N_q, D]. A thread owns one number of O.
__global__ void sums_of_values(TensorView<float, 3> O, TensorView<const float, 4> A,
                               TensorView<const float, 3> V) {
    const std::ptrdiff_t n = thread_number();
    if (n >= O.count()) return;
    const auto [b, i, d] = index_in(O, n);
    const int h = d / (O.size(2) / A.size(1));
    float sum = 0;
    for (int j = 0; j < A.size(3); ++j) sum += A(b, h, i, j) * V(b, j, d);
    O(b, i, d) = sum;
}

/// Z = X + C. A thread owns one number.
__global__ void add_streams(TensorView<float, 3> Z, TensorView<const float, 3> X,
                            TensorView<const float, 3> C) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Z.count()) return;
    const auto [b, i, d] = index_in(Z, n);
    Z(b, i, d) = X(b, i, d) + C(b, i, d);
}

/// X = table[tokens] + P. A thread owns one number.
__global__ void words_with_positions(TensorView<float, 3> X, TensorView<const int, 2> tokens,
                                     TensorView<const float, 2> table, TensorView<const float, 2> P) {
    const std::ptrdiff_t n = thread_number();
    if (n >= X.count()) return;
    const auto [b, i, d] = index_in(X, n);
    X(b, i, d) = table(tokens(b, i), d) + P(i, d);
}

/// p = relu(x W + b) of the first vector x of each pair. A thread owns one number of p.
__global__ void pool(TensorView<float, 2> p, TensorView<const float, 3> X, TensorView<const float, 2> W,
                     TensorView<const float, 1> bias) {
    const std::ptrdiff_t n = thread_number();
    if (n >= p.count()) return;
    const auto [b, d] = index_in(p, n);
    float sum = bias(d);
    for (int k = 0; k < X.size(2); ++k) sum += X(b, 0, k) * W(k, d);
    p(b, d) = sum < 0 ? 0.0F : sum;
}

/// score = sum_d p_r p_w v + c. A thread owns one pair.
__global__ void scores_of_pairs(TensorView<float, 1> score, TensorView<const float, 2> p_r,
                                TensorView<const float, 2> p_w, TensorView<const float, 1> v,
                                TensorView<const float, 1> c) {
    const std::ptrdiff_t n = thread_number();
    if (n >= score.count()) return;
    const int b = static_cast<int>(n);
    float sum = c(0);
    for (int d = 0; d < v.size(0); ++d) sum += p_r(b, d) * p_w(b, d) * v(d);
    score(b) = sum;
}

void start_project(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> W,
                   TensorView<const float, 1> bias, cudaStream_t stream, bool added = false) {
    project<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, X, W, bias, added);
    check(cudaGetLastError(), "project");
}

/// The weights of one stream after its attention C: Y = LN_2(Z + FF(Z)) with Z = LN_1(X + C)
struct RestOfBlock {
    TensorView<const float, 1> gamma_1, beta_1;
    TensorView<const float, 2> W_1;
    TensorView<const float, 1> b_1;
    TensorView<const float, 2> W_2;
    TensorView<const float, 1> b_2, gamma_2, beta_2;
};

void add_and_norm(TensorView<float, 3> Z, TensorView<const float, 3> X, TensorView<const float, 3> C,
                  TensorView<const float, 1> gamma, TensorView<const float, 1> beta, float eps,
                  cudaStream_t stream) {
    const DeviceBuffer<float> sums(stream, X.count());
    const TensorView<float, 3> sum = sums.view(X.size(0), X.size(1), X.size(2));
    add_streams<<<blocks_for(sum.count(), kThreads), kThreads, 0, stream>>>(sum, X, C);
    check(cudaGetLastError(), "add_streams");
    layer_norm(vectors_of<float>(Z), vectors_of<float>(sum), gamma, beta, eps, stream);
}

void finish_stream(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 3> C,
                   const RestOfBlock& weights, float eps, cudaStream_t stream) {
    const DeviceBuffer<float> normed(stream, X.count()), fed(stream, X.count());
    const TensorView<float, 3> Z = normed.view(X.size(0), X.size(1), X.size(2)),
                               F = fed.view(X.size(0), X.size(1), X.size(2));
    add_and_norm(Z, X, C, weights.gamma_1, weights.beta_1, eps, stream);
    feed_forward(vectors_of<float>(F), vectors_of<float>(Z), weights.W_1, weights.b_1, weights.W_2,
                 weights.b_2, Activation::gelu_erf, stream);
    add_and_norm(Y, Z, F, weights.gamma_2, weights.beta_2, eps, stream);
}

}  // namespace

void embed_regions(TensorView<float, 3> X, TensorView<float, 3> five, TensorView<const float, 3> features,
                   TensorView<const float, 3> boxes, TensorView<const float, 1> width,
                   TensorView<const float, 1> height, const RegionWeights<float>& weights,
                   cudaStream_t stream) {
    const int B = boxes.size(0), N_r = boxes.size(1);
    const DeviceBuffer<float> numbers(stream, B, N_r, 5);
    const TensorView<float, 3> shares = five ? five : numbers.view(B, N_r, 5);
    shares_of_boxes<<<blocks_for(std::ptrdiff_t{B} * N_r, kThreads), kThreads, 0, stream>>>(shares, boxes,
                                                                                            width, height);
    check(cudaGetLastError(), "shares_of_boxes");
    // X = features W_f + b_f + five W_p + b_p
    start_project(X, features, weights.W_f, weights.b_f, stream);
    start_project(X, shares, weights.W_p, weights.b_p, stream, true);
}

void co_attention(TensorView<float, 3> Y, TensorView<float, 4> A, TensorView<const float, 3> X_q,
                  TensorView<const float, 3> X_kv, const CoAttentionWeights<float>& weights,
                  TensorView<const std::uint8_t, 2> mask, int H, cudaStream_t stream) {
    const int B = X_q.size(0), N_q = X_q.size(1), N_k = X_kv.size(1), D = weights.W_Q.size(1);
    require_whole_heads(D, H);
    const DeviceBuffer<float> q(stream, B, N_q, D), k(stream, B, N_k, D), v(stream, B, N_k, D),
        o(stream, B, N_q, D), a(stream, B, H, N_q, N_k);
    const TensorView<float, 3> Q = q.view(B, N_q, D), K = k.view(B, N_k, D), V = v.view(B, N_k, D),
                               O = o.view(B, N_q, D);
    const TensorView<float, 4> shown = A ? A : a.view(B, H, N_q, N_k);
    // Q = X_q W_Q + b_Q, K = X_kv W_K + b_K, V = X_kv W_V + b_V
    start_project(Q, X_q, weights.W_Q, weights.b_Q, stream);
    start_project(K, X_kv, weights.W_K, weights.b_K, stream);
    start_project(V, X_kv, weights.W_V, weights.b_V, stream);
    const std::ptrdiff_t rows = std::ptrdiff_t{B} * H * N_q;
    rows_of_weights<<<blocks_for(rows, kThreads), kThreads, 0, stream>>>(shown, Q, K, mask);
    check(cudaGetLastError(), "rows_of_weights");
    sums_of_values<<<blocks_for(O.count(), kThreads), kThreads, 0, stream>>>(O, shown, V);
    check(cudaGetLastError(), "sums_of_values");
    // Y = [O_0, .., O_{H-1}] W_O + b_O
    start_project(Y, O, weights.W_O, weights.b_O, stream);
}

void co_attention_block(TensorView<float, 3> Y_r, TensorView<float, 3> Y_w, TensorView<const float, 3> X_r,
                        TensorView<const float, 3> X_w, const CoBlockWeights<float>& weights,
                        TensorView<const std::uint8_t, 2> mask_r, TensorView<const std::uint8_t, 2> mask_w,
                        int H, float eps, cudaStream_t stream) {
    require_whole_heads(weights.W_Q_r.size(1), H);
    const DeviceBuffer<float> heard(stream, X_r.count()), seen(stream, X_w.count());
    const TensorView<float, 3> C_r = heard.view(X_r.size(0), X_r.size(1), X_r.size(2)),
                               C_w = seen.view(X_w.size(0), X_w.size(1), X_w.size(2));
    // Both attentions read the old vectors
    co_attention(C_r, {}, X_r, X_w,
                 {weights.W_Q_r, weights.b_Q_r, weights.W_K_w, weights.b_K_w, weights.W_V_w, weights.b_V_w,
                  weights.W_O_r, weights.b_O_r},
                 mask_w, H, stream);
    co_attention(C_w, {}, X_w, X_r,
                 {weights.W_Q_w, weights.b_Q_w, weights.W_K_r, weights.b_K_r, weights.W_V_r, weights.b_V_r,
                  weights.W_O_w, weights.b_O_w},
                 mask_r, H, stream);
    finish_stream(Y_r, X_r, C_r,
                  {weights.gamma_1_r, weights.beta_1_r, weights.W_1_r, weights.b_1_r, weights.W_2_r,
                   weights.b_2_r, weights.gamma_2_r, weights.beta_2_r},
                  eps, stream);
    finish_stream(Y_w, X_w, C_w,
                  {weights.gamma_1_w, weights.beta_1_w, weights.W_1_w, weights.b_1_w, weights.W_2_w,
                   weights.b_2_w, weights.gamma_2_w, weights.beta_2_w},
                  eps, stream);
}

void vision_language_encode(TensorView<float, 3> Y_r, TensorView<float, 3> Y_w,
                            TensorView<const float, 3> features, TensorView<const float, 3> boxes,
                            TensorView<const float, 1> width, TensorView<const float, 1> height,
                            TensorView<const int, 2> tokens, const RegionWeights<float>& regions,
                            TensorView<const float, 2> table, TensorView<const float, 2> P,
                            const CoStackWeights<float>& weights, TensorView<const std::uint8_t, 2> mask_r,
                            TensorView<const std::uint8_t, 2> mask_w, int H, float eps, cudaStream_t stream) {
    require_whole_heads(weights.W_Q_r.size(2), H);
    require_tokens(tokens, table.size(0), stream);
    const DeviceBuffer<float> stream_r(stream, Y_r.count()), stream_w(stream, Y_w.count());
    const TensorView<float, 3> X_r = stream_r.view(Y_r.size(0), Y_r.size(1), Y_r.size(2)),
                               X_w = stream_w.view(Y_w.size(0), Y_w.size(1), Y_w.size(2));
    embed_regions(X_r, {}, features, boxes, width, height, regions, stream);
    words_with_positions<<<blocks_for(X_w.count(), kThreads), kThreads, 0, stream>>>(X_w, tokens, table, P);
    check(cudaGetLastError(), "words_with_positions");
    const auto copy = [stream](TensorView<float, 3> to, TensorView<const float, 3> from) {
        check(cudaMemcpyAsync(to.data(), from.data(), static_cast<std::size_t>(from.count()) * sizeof(float),
                              cudaMemcpyDeviceToDevice, stream),
              "cudaMemcpyAsync");
    };
    for (int l = 0; l < weights.layers(); ++l) {
        co_attention_block(Y_r, Y_w, X_r, X_w, weights.layer(l), mask_r, mask_w, H, eps, stream);
        copy(X_r, Y_r);
        copy(X_w, Y_w);
    }
}

void alignment_score(TensorView<float, 1> score, TensorView<const float, 3> X_r,
                     TensorView<const float, 3> X_w, TensorView<const float, 2> W_r,
                     TensorView<const float, 1> b_r, TensorView<const float, 2> W_w,
                     TensorView<const float, 1> b_w, TensorView<const float, 1> v,
                     TensorView<const float, 1> c, cudaStream_t stream) {
    const int B = score.size(0), D = v.size(0);
    const DeviceBuffer<float> pooled_r(stream, B, D), pooled_w(stream, B, D);
    const TensorView<float, 2> p_r = pooled_r.view(B, D), p_w = pooled_w.view(B, D);
    // p = relu(x_0 W + b)
    pool<<<blocks_for(p_r.count(), kThreads), kThreads, 0, stream>>>(p_r, X_r, W_r, b_r);
    check(cudaGetLastError(), "pool");
    pool<<<blocks_for(p_w.count(), kThreads), kThreads, 0, stream>>>(p_w, X_w, W_w, b_w);
    check(cudaGetLastError(), "pool");
    // score = sum_d p_r p_w v + c
    scores_of_pairs<<<blocks_for(B, kThreads), kThreads, 0, stream>>>(score, p_r, p_w, v, c);
    check(cudaGetLastError(), "scores_of_pairs");
}

}  // namespace attn::cuda
