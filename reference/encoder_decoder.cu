// The reference for assignment 10, as kernels: an outer loop of encoder_decoder.cpp becomes threads here. In
// translate_greedy all sentences of the batch take a step together.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "device.h"
#include "encoder_decoder_cuda.h"
#include "multi_head_cuda.h"
#include "positional_encoding_cuda.h"
#include "transformer_block_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;

void require_whole_heads(int D, int H) {
    if (H >= 1 && D % H == 0) return;
    throw std::invalid_argument("H = " + std::to_string(H) + " heads do not divide D = " + std::to_string(D));
}

/// Words and lengths are in device memory, and only the host can refuse them.
void require_inside(const int* numbers, std::ptrdiff_t count, int least, int end, cudaStream_t stream) {
    if (numbers == nullptr) return;
    std::vector<int> on_host(static_cast<std::size_t>(count));
    check(cudaMemcpyAsync(on_host.data(), numbers, on_host.size() * sizeof(int), cudaMemcpyDeviceToHost,
                          stream),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    for (const int number : on_host)
        if (number < least || number >= end)
            throw std::invalid_argument(std::to_string(number) + " is outside " + std::to_string(least) +
                                        " .. " + std::to_string(end - 1));
}

template <class T>
TensorView<T, 2> rows(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

/// The number of words of source sentence b: without lengths, all N_s.
__device__ int words_of(TensorView<const int, 1> lengths, int b, int N_s) {
    return lengths ? lengths(b) : N_s;
}

/// Y[b, first + i] = X[b, i] W + b      X [B, N, D], Y [B, at least first + N, D]. A thread owns one number.
__global__ void linear(TensorView<float, 3> Y, int first, TensorView<const float, 3> X,
                       TensorView<const float, 2> W, TensorView<const float, 1> bias) {
    const std::ptrdiff_t n = thread_number();
    if (n >= X.count()) return;
    const auto [b, i, d] = index_in(X, n);
    float sum = 0;
    for (int k = 0; k < X.size(2); ++k) sum += X(b, i, k) * W(k, d);
    Y(b, first + i, d) = sum + bias(d);
}

/// A[b, h] = softmax(Q_h K_h^T / sqrt(D/H)) by rows, over the words of the source or, if `seen` is not 0, over
/// the first `seen` keys; 0 for the others      A [B, H, N_t, N_k]. A thread owns one row.
__global__ void rows_of_weights(TensorView<float, 4> A, TensorView<const float, 3> Q,
                                TensorView<const float, 3> K, TensorView<const int, 1> lengths, int seen) {
    const std::ptrdiff_t n = thread_number();
    const int H = A.size(1), N_t = A.size(2), D_h = Q.size(2) / H;
    if (n >= static_cast<std::ptrdiff_t>(A.size(0)) * H * N_t) return;
    const int i = static_cast<int>(n % N_t), h = static_cast<int>(n / N_t % H);
    const int b = static_cast<int>(n / N_t / H), N = seen != 0 ? seen : words_of(lengths, b, A.size(3));
    float largest = -INFINITY, sum = 0;
    for (int j = 0; j < N; ++j) {
        float dot = 0;
        for (int d = 0; d < D_h; ++d) dot += Q(b, i, h * D_h + d) * K(b, j, h * D_h + d);
        A(b, h, i, j) = dot / sqrtf(static_cast<float>(D_h));
        largest = fmaxf(largest, A(b, h, i, j));
    }
    for (int j = 0; j < N; ++j) sum += A(b, h, i, j) = expf(A(b, h, i, j) - largest);
    for (int j = 0; j < A.size(3); ++j) A(b, h, i, j) = j < N ? A(b, h, i, j) / sum : 0.0f;
}

/// O_h = A_h V_h      O [B, N_t, D]. A thread owns one number of O. Only the keys with a weight are read.
__global__ void sums_of_values(TensorView<float, 3> O, TensorView<const float, 4> A,
                               TensorView<const float, 3> V, TensorView<const int, 1> lengths, int seen) {
    const std::ptrdiff_t n = thread_number();
    if (n >= O.count()) return;
    const auto [b, i, d] = index_in(O, n);
    const int h = d / (O.size(2) / A.size(1)), N = seen != 0 ? seen : words_of(lengths, b, A.size(3));
    float sum = 0;
    for (int j = 0; j < N; ++j) sum += A(b, h, i, j) * V(b, j, d);
    O(b, i, d) = sum;
}

/// X = X + Y. A thread owns one number.
__global__ void add(TensorView<float, 3> X, TensorView<const float, 3> Y) {
    const std::ptrdiff_t n = thread_number();
    if (n >= X.count()) return;
    const auto [b, i, d] = index_in(X, n);
    X(b, i, d) += Y(b, i, d);
}

/// mask[b, i, j]: j <= i if causal, j < lengths[b] if not. A thread owns one element.
__global__ void allow(TensorView<std::uint8_t, 3> mask, bool causal, TensorView<const int, 1> lengths) {
    const std::ptrdiff_t n = thread_number();
    if (n >= mask.count()) return;
    const auto [b, i, j] = index_in(mask, n);
    mask(b, i, j) = (causal ? j <= i : j < words_of(lengths, b, mask.size(2))) ? 1 : 0;
}

/// X[b, i] = sqrt(D) embedding[word] + P[first + i]; the word is words[b, i - shift], START in front of it. A
/// thread owns one number.
__global__ void enter(TensorView<float, 3> X, TensorView<const int, 2> words, int shift, int first,
                      TensorView<const float, 2> embedding, TensorView<const float, 2> P) {
    const std::ptrdiff_t n = thread_number();
    if (n >= X.count()) return;
    const auto [b, i, d] = index_in(X, n);
    const int word = first + i < shift ? 0 : words(b, first + i - shift);
    X(b, i, d) = sqrtf(static_cast<float>(X.size(2))) * embedding(word, d) + P(first + i, d);
}

/// logits[b, first + i, v] = Z[b, i] . embedding[v]. A thread owns one logit.
__global__ void leave(TensorView<float, 3> logits, int first, TensorView<const float, 3> Z,
                      TensorView<const float, 2> embedding) {
    const std::ptrdiff_t n = thread_number();
    const int V = embedding.size(0), N = Z.size(1);
    if (n >= static_cast<std::ptrdiff_t>(Z.size(0)) * N * V) return;
    const int v = static_cast<int>(n % V), i = static_cast<int>(n / V % N), b = static_cast<int>(n / V / N);
    float dot = 0;
    for (int d = 0; d < Z.size(2); ++d) dot += Z(b, i, d) * embedding(v, d);
    logits(b, first + i, v) = dot;
}

/// words[b, t]: the first of the largest logits, and `end` with logits 0 after the word end. A thread owns one
/// sentence.
__global__ void choose(TensorView<int, 2> words, TensorView<float, 3> logits, int t, int end) {
    const int b = static_cast<int>(thread_number());
    if (b >= words.size(0)) return;
    const bool ended = t > 0 && words(b, t - 1) == end;
    int word = 0;
    for (int v = 0; v < logits.size(2); ++v) {
        if (ended) logits(b, t, v) = 0;
        if (logits(b, t, word) < logits(b, t, v)) word = v;
    }
    words(b, t) = ended ? end : word;
}

void copy(TensorView<float, 3> Y, TensorView<const float, 3> X, cudaStream_t stream) {
    const auto bytes = static_cast<std::size_t>(X.count()) * sizeof(float);
    check(cudaMemcpyAsync(Y.data(), X.data(), bytes, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync");
}

void start_linear(TensorView<float, 3> Y, int first, TensorView<const float, 3> X,
                  TensorView<const float, 2> W, TensorView<const float, 1> bias, cudaStream_t stream) {
    linear<<<blocks_for(X.count(), kThreads), kThreads, 0, stream>>>(Y, first, X, W, bias);
    check(cudaGetLastError(), "linear");
}

/// Y = [O_0, .., O_{H-1}] W_O + b_O with O_h = A_h V_h, for rows_of_weights()
void attend(TensorView<float, 3> Y, TensorView<float, 4> A, TensorView<const float, 3> Q,
            TensorView<const float, 3> K, TensorView<const float, 3> V, TensorView<const int, 1> lengths,
            int seen, TensorView<const float, 2> W_O, TensorView<const float, 1> b_O, cudaStream_t stream) {
    const DeviceBuffer<float> heads(stream, Y.size(0), Y.size(1), Y.size(2));
    const TensorView<float, 3> O = heads.view(Y.size(0), Y.size(1), Y.size(2));
    const std::ptrdiff_t rows_of_A = static_cast<std::ptrdiff_t>(A.size(0)) * A.size(1) * A.size(2);
    rows_of_weights<<<blocks_for(rows_of_A, kThreads), kThreads, 0, stream>>>(A, Q, K, lengths, seen);
    check(cudaGetLastError(), "rows_of_weights");
    sums_of_values<<<blocks_for(O.count(), kThreads), kThreads, 0, stream>>>(O, A, V, lengths, seen);
    check(cudaGetLastError(), "sums_of_values");
    start_linear(Y, 0, O, W_O, b_O, stream);
}

/// One part of a block: x = x + part(LN(x)) if norm = pre, x = LN(x + part(x)) if norm = post
template <class Part>
void with_norm(TensorView<float, 3> x, TensorView<const float, 1> gamma, TensorView<const float, 1> beta,
               Norm norm, float eps, cudaStream_t stream, Part part) {
    const DeviceBuffer<float> read(stream, x.size(0), x.size(1), x.size(2)),
        added(stream, x.size(0), x.size(1), x.size(2));
    const TensorView<float, 3> n = read.view(x.size(0), x.size(1), x.size(2)),
                               m = added.view(x.size(0), x.size(1), x.size(2));
    if (norm == Norm::pre)
        layer_norm(rows(n), rows<const float>(x), gamma, beta, eps, stream);
    else
        copy(n, x, stream);
    part(m, n);
    add<<<blocks_for(x.count(), kThreads), kThreads, 0, stream>>>(x, m);
    check(cudaGetLastError(), "add");
    if (norm == Norm::pre) return;
    copy(n, x, stream);
    layer_norm(rows(x), rows<const float>(n), gamma, beta, eps, stream);
}

/// S = the encoder's output for the words source, with padding masked
void encode(TensorView<float, 3> S, TensorView<const int, 2> source, TensorView<const float, 2> embedding,
            const EncoderWeights<float>& encoder, TensorView<const int, 1> lengths, int H, Norm norm,
            Activation activation, float eps, cudaStream_t stream) {
    const int B = S.size(0), N_s = S.size(1), D = S.size(2);
    require_inside(source.data(), source.count(), 0, embedding.size(0), stream);
    require_inside(lengths.data(), B, 1, N_s + 1, stream);
    const DeviceBuffer<float> positions(stream, N_s, D), entered(stream, B, N_s, D);
    const DeviceBuffer<std::uint8_t> allowed(stream, B, N_s, N_s);
    const TensorView<float, 3> X = entered.view(B, N_s, D);
    const TensorView<std::uint8_t, 3> mask = allowed.view(B, N_s, N_s);
    sinusoidal_positions(positions.view(N_s, D), stream);
    enter<<<blocks_for(X.count(), kThreads), kThreads, 0, stream>>>(X, source, 0, 0, embedding,
                                                                    positions.view(N_s, D));
    check(cudaGetLastError(), "enter");
    allow<<<blocks_for(mask.count(), kThreads), kThreads, 0, stream>>>(mask, false, lengths);
    check(cudaGetLastError(), "allow");
    transformer_encoder(S, X, encoder, mask, H, norm, activation, eps, stream);
}

}  // namespace

void cross_attention(TensorView<float, 3> Y, TensorView<float, 4> A, TensorView<const float, 3> X,
                     TensorView<const float, 3> S, const MultiHeadWeights<float>& weights,
                     TensorView<const int, 1> lengths, int H, cudaStream_t stream) {
    const int B = X.size(0), N_t = X.size(1), D = X.size(2), N_s = S.size(1);
    require_whole_heads(D, H);
    require_inside(lengths.data(), B, 1, N_s + 1, stream);
    const DeviceBuffer<float> q(stream, B, N_t, D), k(stream, B, N_s, D), v(stream, B, N_s, D),
        a(stream, B, H, N_t, N_s);
    if (!A) A = a.view(B, H, N_t, N_s);
    // Q = X W_Q + b_Q, K = S W_K + b_K, V = S W_V + b_V
    start_linear(q.view(B, N_t, D), 0, X, weights.W_Q, weights.b_Q, stream);
    start_linear(k.view(B, N_s, D), 0, S, weights.W_K, weights.b_K, stream);
    start_linear(v.view(B, N_s, D), 0, S, weights.W_V, weights.b_V, stream);
    attend(Y, A, q.view(B, N_t, D), k.view(B, N_s, D), v.view(B, N_s, D), lengths, 0, weights.W_O,
           weights.b_O, stream);
}

void decoder_block(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 3> S,
                   const DecoderBlockWeights<float>& weights, TensorView<const int, 1> lengths, int H,
                   Norm norm, Activation activation, float eps, cudaStream_t stream) {
    const int B = X.size(0), N_t = X.size(1);
    using View = TensorView<float, 3>;
    const DeviceBuffer<std::uint8_t> allowed(stream, B, N_t, N_t);
    const TensorView<std::uint8_t, 3> mask = allowed.view(B, N_t, N_t);
    allow<<<blocks_for(mask.count(), kThreads), kThreads, 0, stream>>>(mask, true, {});
    check(cudaGetLastError(), "allow");
    copy(Y, X, stream);
    with_norm(Y, weights.gamma_1, weights.beta_1, norm, eps, stream,
              [&](View m, View n) { multi_head_attention(m, n, n, weights.attention, mask, H, stream); });
    with_norm(Y, weights.gamma_2, weights.beta_2, norm, eps, stream,
              [&](View m, View n) { cross_attention(m, {}, n, S, weights.cross(), lengths, H, stream); });
    with_norm(Y, weights.gamma_3, weights.beta_3, norm, eps, stream, [&](View m, View n) {
        feed_forward(rows(m), rows<const float>(n), weights.W_1, weights.b_1, weights.W_2, weights.b_2,
                     activation, stream);
    });
}

void transformer(TensorView<float, 3> logits, TensorView<const int, 2> source,
                 TensorView<const int, 2> target, TensorView<const float, 2> embedding,
                 const EncoderWeights<float>& encoder, const DecoderStackWeights<float>& decoder,
                 TensorView<const int, 1> lengths, int H, Norm norm, Activation activation, float eps,
                 cudaStream_t stream) {
    const int B = target.size(0), N_s = source.size(1), N_t = target.size(1), D = embedding.size(1);
    require_inside(target.data(), target.count(), 0, embedding.size(0), stream);
    const DeviceBuffer<float> encoded(stream, B, N_s, D), stream_of_vectors(stream, B, N_t, D),
        next(stream, B, N_t, D), positions(stream, N_t, D);
    const TensorView<float, 3> S = encoded.view(B, N_s, D), Z = stream_of_vectors.view(B, N_t, D),
                               Y = next.view(B, N_t, D);
    encode(S, source, embedding, encoder, lengths, H, norm, activation, eps, stream);
    sinusoidal_positions(positions.view(N_t, D), stream);
    enter<<<blocks_for(Z.count(), kThreads), kThreads, 0, stream>>>(Z, target, 1, 0, embedding,
                                                                    positions.view(N_t, D));
    check(cudaGetLastError(), "enter");
    for (int l = 0; l < decoder.layers(); ++l) {
        decoder_block(Y, Z, S, decoder.layer(l), lengths, H, norm, activation, eps, stream);
        copy(Z, Y, stream);
    }
    if (norm == Norm::pre)
        layer_norm(rows(Z), rows<const float>(Y), decoder.gamma_d, decoder.beta_d, eps, stream);
    leave<<<blocks_for(logits.count(), kThreads), kThreads, 0, stream>>>(logits, 0, Z, embedding);
    check(cudaGetLastError(), "leave");
}

void translate_greedy(TensorView<int, 2> words, TensorView<float, 3> logits, TensorView<const int, 2> source,
                      TensorView<const float, 2> embedding, const EncoderWeights<float>& encoder,
                      const DecoderStackWeights<float>& decoder, TensorView<const int, 1> lengths, int H,
                      Norm norm, Activation activation, float eps, int end, cudaStream_t stream) {
    const int B = source.size(0), N_s = source.size(1), N_t = words.size(1), D = embedding.size(1);
    const int L = decoder.layers(), V = embedding.size(0);
    using View = TensorView<float, 3>;
    require_whole_heads(D, H);
    const DeviceBuffer<float> encoded(stream, B, N_s, D), positions(stream, N_t, D), row(stream, B, 1, D),
        queries(stream, B, 1, D), last(stream, B, 1, D), numbers(stream, B, N_t, V);
    // the keys and values of every block: of the source, and of the places before
    const DeviceBuffer<float> K_s(stream, L, B, N_s, D), V_s(stream, L, B, N_s, D), K_t(stream, L, B, N_t, D),
        V_t(stream, L, B, N_t, D), A_s(stream, B, H, 1, N_s), A_t(stream, B, H, 1, N_t);
    const View S = encoded.view(B, N_s, D), x = row.view(B, 1, D), q = queries.view(B, 1, D);
    if (!logits) logits = numbers.view(B, N_t, V);
    encode(S, source, embedding, encoder, lengths, H, norm, activation, eps, stream);
    sinusoidal_positions(positions.view(N_t, D), stream);
    for (int l = 0; l < L; ++l) {
        start_linear(K_s.view(L, B, N_s, D)[l], 0, S, decoder.W_K_c[l], decoder.b_K_c[l], stream);
        start_linear(V_s.view(L, B, N_s, D)[l], 0, S, decoder.W_V_c[l], decoder.b_V_c[l], stream);
    }
    for (int t = 0; t < N_t; ++t) {
        // After its end a sentence enters as words `end`, which may be no word: then it never ends.
        enter<<<blocks_for(x.count(), kThreads), kThreads, 0, stream>>>(x, words, 1, t, embedding,
                                                                        positions.view(N_t, D));
        check(cudaGetLastError(), "enter");
        for (int l = 0; l < L; ++l) {
            const DecoderBlockWeights<float> block = decoder.layer(l);
            const View K = K_t.view(L, B, N_t, D)[l], values = V_t.view(L, B, N_t, D)[l];
            with_norm(x, block.gamma_1, block.beta_1, norm, eps, stream, [&](View m, View n) {
                start_linear(q, 0, n, block.attention.W_Q, block.attention.b_Q, stream);
                start_linear(K, t, n, block.attention.W_K, block.attention.b_K, stream);
                start_linear(values, t, n, block.attention.W_V, block.attention.b_V, stream);
                attend(m, A_t.view(B, H, 1, N_t), q, K, values, {}, t + 1, block.attention.W_O,
                       block.attention.b_O, stream);
            });
            with_norm(x, block.gamma_2, block.beta_2, norm, eps, stream, [&](View m, View n) {
                start_linear(q, 0, n, block.W_Q_c, block.b_Q_c, stream);
                attend(m, A_s.view(B, H, 1, N_s), q, K_s.view(L, B, N_s, D)[l], V_s.view(L, B, N_s, D)[l],
                       lengths, 0, block.W_O_c, block.b_O_c, stream);
            });
            with_norm(x, block.gamma_3, block.beta_3, norm, eps, stream, [&](View m, View n) {
                feed_forward(rows(m), rows<const float>(n), block.W_1, block.b_1, block.W_2, block.b_2,
                             activation, stream);
            });
        }
        const View z = last.view(B, 1, D);
        copy(z, x, stream);
        if (norm == Norm::pre)
            layer_norm(rows(z), rows<const float>(x), decoder.gamma_d, decoder.beta_d, eps, stream);
        leave<<<blocks_for(static_cast<std::ptrdiff_t>(B) * V, kThreads), kThreads, 0, stream>>>(logits, t, z,
                                                                                                 embedding);
        check(cudaGetLastError(), "leave");
        choose<<<blocks_for(B, kThreads), kThreads, 0, stream>>>(words, logits, t, end);
        check(cudaGetLastError(), "choose");
    }
}

}  // namespace attn::cuda
