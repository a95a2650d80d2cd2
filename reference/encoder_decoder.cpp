#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "contracts/encoder_decoder_reference.h"
#include "contracts/multi_head_reference.h"
#include "contracts/positional_encoding_reference.h"
#include "contracts/transformer_block_reference.h"
#include "reference/owned.h"
#include "reference/refusals.h"

namespace attn::cpu {
namespace {

/// Y = X W + b      X [N, D_in], W [D_in, D_out], b [D_out], Y [N, D_out]
template <class T>
void linear(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const T, 2> W,
            TensorView<const T, 1> bias) {
    for (int i = 0; i < Y.size(0); ++i) {
        for (int d = 0; d < Y.size(1); ++d) {
            T sum = 0;
            for (int k = 0; k < X.size(1); ++k) sum += X(i, k) * W(k, d);
            Y(i, d) = sum + bias(d);
        }
    }
}

/// X = X + Y      [N, D]
template <class T>
void add_rows(TensorView<T, 2> X, TensorView<const T, 2> Y) {
    for (int i = 0; i < X.size(0); ++i)
        for (int d = 0; d < X.size(1); ++d) X(i, d) += Y(i, d);
}

template <class T>
void copy_rows(TensorView<T, 2> Y, TensorView<const T, 2> X) {
    std::copy(X.data(), X.data() + X.count(), Y.data());
}

/// All places of all batches as the rows of one matrix.
template <class T>
TensorView<T, 2> all_rows(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

/// One row as a matrix [1, D].
template <class T>
TensorView<T, 2> one_row(TensorView<T, 1> x) {
    return {x.data(), 1, x.size(0)};
}

/// O_h = softmax(Q_h K_h^T / sqrt(D/H)) V_h for every head, with the first N keys
///   Q, O [N_t, D], K, V [at least N, D], A [H, N_t, at least N], which gets 0 from N on
template <class T>
void attend_with_heads(TensorView<T, 2> O, TensorView<T, 3> A, TensorView<const T, 2> Q,
                       TensorView<const T, 2> K, TensorView<const T, 2> V, int N) {
    const int H = A.size(0), D_h = Q.size(1) / H;
    for (int h = 0; h < H; ++h) {
        for (int i = 0; i < Q.size(0); ++i) {
            // E = Q_h K_h^T / sqrt(D/H), and the largest score of the row
            T largest = -std::numeric_limits<T>::infinity();
            for (int j = 0; j < N; ++j) {
                T dot = 0;
                for (int d = 0; d < D_h; ++d) dot += Q(i, h * D_h + d) * K(j, h * D_h + d);
                A(h, i, j) = dot / std::sqrt(static_cast<T>(D_h));
                largest = std::max(largest, A(h, i, j));
            }
            // A = softmax(E) by rows, 0 for padding
            T sum = 0;
            for (int j = 0; j < N; ++j) sum += A(h, i, j) = std::exp(A(h, i, j) - largest);
            for (int j = 0; j < A.size(2); ++j) A(h, i, j) = j < N ? A(h, i, j) / sum : T(0);
            // O_h = A V_h
            for (int d = 0; d < D_h; ++d) {
                T total = 0;
                for (int j = 0; j < N; ++j) total += A(h, i, j) * V(j, h * D_h + d);
                O(i, h * D_h + d) = total;
            }
        }
    }
}

/// The number of words of source sentence b: without lengths, all N_s.
int words_of(TensorView<const int, 1> lengths, int b, int N_s) {
    if (lengths) require_inside(lengths(b), 1, N_s + 1);
    return lengths ? lengths(b) : N_s;
}

/// x = sqrt(D) embedding[word] + P[p]
template <class T>
void enter(TensorView<T, 1> x, int word, int p, TensorView<const T, 2> embedding, TensorView<const T, 2> P) {
    const int D = embedding.size(1);
    require_inside(word, 0, embedding.size(0));
    for (int d = 0; d < D; ++d) x(d) = std::sqrt(static_cast<T>(D)) * embedding(word, d) + P(p, d);
}

/// logits[v] = z . embedding[v]
template <class T>
void leave(TensorView<T, 1> logits, TensorView<const T, 1> z, TensorView<const T, 2> embedding) {
    for (int v = 0; v < embedding.size(0); ++v) {
        T dot = 0;
        for (int d = 0; d < embedding.size(1); ++d) dot += z(d) * embedding(v, d);
        logits(v) = dot;
    }
}

/// S = the encoder's output for the words source, with padding masked
template <class T>
void encode(TensorView<T, 3> S, TensorView<const int, 2> source, TensorView<const T, 2> embedding,
            const EncoderWeights<T>& encoder, TensorView<const int, 1> lengths, int H, Norm norm,
            Activation activation, T eps) {
    const int B = S.size(0), N_s = S.size(1), D = S.size(2);
    Owned<T, 2> positions(N_s, D);
    Owned<T, 3> entered(B, N_s, D);
    std::vector<std::uint8_t> allowed(static_cast<std::size_t>(B) * static_cast<std::size_t>(N_s) *
                                      static_cast<std::size_t>(N_s));
    const TensorView<std::uint8_t, 3> mask(allowed.data(), B, N_s, N_s);
    sinusoidal_positions<T>(positions.view);
    for (int b = 0; b < B; ++b) {
        for (int j = 0; j < N_s; ++j) {
            enter<T>(entered.view[b][j], source(b, j), j, embedding, positions.view);
            for (int i = 0; i < N_s; ++i) mask(b, i, j) = j < words_of(lengths, b, N_s) ? 1 : 0;
        }
    }
    transformer_encoder<T>(S, entered.view, encoder, mask, H, norm, activation, eps);
}

/// What a part of a block reads of the stream x: N = LN(x) if norm = pre, x if norm = post
template <class T>
void before(TensorView<T, 2> N, TensorView<const T, 2> x, TensorView<const T, 1> gamma,
            TensorView<const T, 1> beta, Norm norm, T eps) {
    if (norm == Norm::pre)
        layer_norm<T>(N, x, gamma, beta, eps);
    else
        copy_rows<T>(N, x);
}

/// The stream after a part of a block that gave M: x + M if norm = pre, LN(x + M) if norm = post
template <class T>
void after(TensorView<T, 2> x, TensorView<const T, 2> M, TensorView<const T, 1> gamma,
           TensorView<const T, 1> beta, Norm norm, T eps) {
    add_rows<T>(x, M);
    if (norm == Norm::post) layer_norm<T>(x, x, gamma, beta, eps);
}

/// One step of a block for one sentence: x [1, D] is the vector of place t. K_t and V_t [N_t, D] hold the keys and
/// values of the places before and get those of place t; K_s and V_s [N_s, D] are those of N words of the source.
template <class T>
void step_of_block(TensorView<T, 2> x, TensorView<T, 2> K_t, TensorView<T, 2> V_t, int t,
                   TensorView<const T, 2> K_s, TensorView<const T, 2> V_s, int N,
                   const DecoderBlockWeights<T>& weights, int H, Norm norm, Activation activation, T eps) {
    const int D = x.size(1);
    Owned<T, 2> normalised(1, D), queries(1, D), attended(1, D), added(1, D);
    Owned<T, 3> weights_t(H, 1, K_t.size(0)), weights_s(H, 1, K_s.size(0));
    const TensorView<T, 2> n = normalised.view, q = queries.view, o = attended.view, m = added.view;
    // self-attention: a key and a value more than in the step before
    before<T>(n, x, weights.gamma_1, weights.beta_1, norm, eps);
    linear<T>(q, n, weights.attention.W_Q, weights.attention.b_Q);
    linear<T>(one_row<T>(K_t[t]), n, weights.attention.W_K, weights.attention.b_K);
    linear<T>(one_row<T>(V_t[t]), n, weights.attention.W_V, weights.attention.b_V);
    attend_with_heads<T>(o, weights_t.view, q, K_t, V_t, t + 1);
    linear<T>(m, o, weights.attention.W_O, weights.attention.b_O);
    after<T>(x, m, weights.gamma_1, weights.beta_1, norm, eps);
    // cross-attention
    before<T>(n, x, weights.gamma_2, weights.beta_2, norm, eps);
    linear<T>(q, n, weights.W_Q_c, weights.b_Q_c);
    attend_with_heads<T>(o, weights_s.view, q, K_s, V_s, N);
    linear<T>(m, o, weights.W_O_c, weights.b_O_c);
    after<T>(x, m, weights.gamma_2, weights.beta_2, norm, eps);
    // feed-forward
    before<T>(n, x, weights.gamma_3, weights.beta_3, norm, eps);
    feed_forward<T>(m, n, weights.W_1, weights.b_1, weights.W_2, weights.b_2, activation);
    after<T>(x, m, weights.gamma_3, weights.beta_3, norm, eps);
}

}  // namespace

template <class T>
void cross_attention(TensorView<T, 3> Y, TensorView<T, 4> A, TensorView<const T, 3> X,
                     TensorView<const T, 3> S, const MultiHeadWeights<T>& weights,
                     TensorView<const int, 1> lengths, int H) {
    const int B = X.size(0), N_t = X.size(1), D = X.size(2), N_s = S.size(1);
    require_whole_heads(D, H);
    Owned<T, 2> Q(N_t, D), K(N_s, D), V(N_s, D), O(N_t, D);
    Owned<T, 3> scores(H, N_t, N_s);
    for (int b = 0; b < B; ++b) {
        // Q = X W_Q + b_Q, K = S W_K + b_K, V = S W_V + b_V
        linear<T>(Q.view, X[b], weights.W_Q, weights.b_Q);
        linear<T>(K.view, S[b], weights.W_K, weights.b_K);
        linear<T>(V.view, S[b], weights.W_V, weights.b_V);
        // O_h = A_h V_h, over the words of the source
        const TensorView<T, 3> A_b = A ? A[b] : scores.view;
        attend_with_heads<T>(O.view, A_b, Q.view, K.view, V.view, words_of(lengths, b, N_s));
        // Y = [O_0, .., O_{H-1}] W_O + b_O
        linear<T>(Y[b], O.view, weights.W_O, weights.b_O);
    }
}

template <class T>
void decoder_block(TensorView<T, 3> Y, TensorView<const T, 3> X, TensorView<const T, 3> S,
                   const DecoderBlockWeights<T>& weights, TensorView<const int, 1> lengths, int H, Norm norm,
                   Activation activation, T eps) {
    const int B = X.size(0), N_t = X.size(1), D = X.size(2);
    Owned<T, 3> stream(B, N_t, D), normalised(B, N_t, D), added(B, N_t, D);
    const TensorView<T, 3> N = normalised.view, M = added.view;
    const TensorView<T, 2> z = all_rows<T>(stream.view), n = all_rows<T>(N), m = all_rows<T>(M);
    std::vector<std::uint8_t> allowed(static_cast<std::size_t>(B) * static_cast<std::size_t>(N_t) *
                                      static_cast<std::size_t>(N_t));
    const TensorView<std::uint8_t, 3> mask(allowed.data(), B, N_t, N_t);
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < N_t; ++i)
            for (int j = 0; j < N_t; ++j) mask(b, i, j) = j <= i ? 1 : 0;
    copy_rows<T>(z, all_rows<const T>(X));
    // Z_1 = X + SA(LN_1(X)), or LN_1(X + SA(X))
    before<T>(n, z, weights.gamma_1, weights.beta_1, norm, eps);
    multi_head_attention<T>(M, N, N, weights.attention, mask, H);
    after<T>(z, m, weights.gamma_1, weights.beta_1, norm, eps);
    // Z_2 = Z_1 + CA(LN_2(Z_1), S), or LN_2(Z_1 + CA(Z_1, S))
    before<T>(n, z, weights.gamma_2, weights.beta_2, norm, eps);
    cross_attention<T>(M, {}, N, S, weights.cross(), lengths, H);
    after<T>(z, m, weights.gamma_2, weights.beta_2, norm, eps);
    // Y = Z_2 + FF(LN_3(Z_2)), or LN_3(Z_2 + FF(Z_2))
    before<T>(n, z, weights.gamma_3, weights.beta_3, norm, eps);
    feed_forward<T>(m, n, weights.W_1, weights.b_1, weights.W_2, weights.b_2, activation);
    after<T>(z, m, weights.gamma_3, weights.beta_3, norm, eps);
    copy_rows<T>(all_rows<T>(Y), z);
}

template <class T>
void transformer(TensorView<T, 3> logits, TensorView<const int, 2> source, TensorView<const int, 2> target,
                 TensorView<const T, 2> embedding, const EncoderWeights<T>& encoder,
                 const DecoderStackWeights<T>& decoder, TensorView<const int, 1> lengths, int H, Norm norm,
                 Activation activation, T eps) {
    const int B = target.size(0), N_s = source.size(1), N_t = target.size(1), D = embedding.size(1);
    Owned<T, 3> encoded(B, N_s, D), stream(B, N_t, D), next(B, N_t, D);
    Owned<T, 2> positions(N_t, D);
    const TensorView<T, 3> S = encoded.view, Z = stream.view;
    // S = the encoder's output
    encode<T>(S, source, embedding, encoder, lengths, H, norm, activation, eps);
    // decoder_input = sqrt(D) embedding[w] + P[p] for the words START, target[0], ..
    sinusoidal_positions<T>(positions.view);
    for (int b = 0; b < B; ++b) {
        for (int i = 0; i < N_t; ++i) {
            require_inside(target(b, i), 0, embedding.size(0));
            enter<T>(Z[b][i], i == 0 ? 0 : target(b, i - 1), i, embedding, positions.view);
        }
    }
    // Z = the decoder's output
    for (int l = 0; l < decoder.layers(); ++l) {
        decoder_block<T>(next.view, Z, S, decoder.layer(l), lengths, H, norm, activation, eps);
        copy_rows<T>(all_rows<T>(Z), all_rows<const T>(next.view));
    }
    before<T>(all_rows<T>(next.view), all_rows<const T>(Z), decoder.gamma_d, decoder.beta_d, norm, eps);
    // logits = Z embedding^T
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < N_t; ++i) leave<T>(logits[b][i], next.view[b][i], embedding);
}

template <class T>
void translate_greedy(TensorView<int, 2> words, TensorView<T, 3> logits, TensorView<const int, 2> source,
                      TensorView<const T, 2> embedding, const EncoderWeights<T>& encoder,
                      const DecoderStackWeights<T>& decoder, TensorView<const int, 1> lengths, int H,
                      Norm norm, Activation activation, T eps, int end) {
    const int B = source.size(0), N_s = source.size(1), N_t = words.size(1), D = embedding.size(1);
    const int L = decoder.layers(), V = embedding.size(0);
    require_whole_heads(D, H);
    Owned<T, 3> encoded(B, N_s, D), K_s(L, N_s, D), V_s(L, N_s, D), K_t(L, N_t, D), V_t(L, N_t, D);
    Owned<T, 2> positions(N_t, D), row(1, D), normalised(1, D);
    Owned<T, 1> numbers(V);
    const TensorView<T, 2> x = row.view, n = normalised.view;
    encode<T>(encoded.view, source, embedding, encoder, lengths, H, norm, activation, eps);
    sinusoidal_positions<T>(positions.view);
    for (int b = 0; b < B; ++b) {
        // the source's keys and values, once for all steps
        for (int l = 0; l < L; ++l) {
            linear<T>(K_s.view[l], encoded.view[b], decoder.W_K_c[l], decoder.b_K_c[l]);
            linear<T>(V_s.view[l], encoded.view[b], decoder.W_V_c[l], decoder.b_V_c[l]);
        }
        const int N = words_of(lengths, b, N_s);
        int word = 0;  // START
        bool ended = false;
        for (int t = 0; t < N_t; ++t) {
            const TensorView<T, 1> y = logits ? logits[b][t] : numbers.view;
            if (ended) {
                words(b, t) = end;
                for (int v = 0; v < V; ++v) y(v) = 0;
            } else {
                enter<T>(x[0], word, t, embedding, positions.view);
                for (int l = 0; l < L; ++l)
                    step_of_block<T>(x, K_t.view[l], V_t.view[l], t, K_s.view[l], V_s.view[l], N,
                                     decoder.layer(l), H, norm, activation, eps);
                before<T>(n, x, decoder.gamma_d, decoder.beta_d, norm, eps);
                leave<T>(y, n[0], embedding);
                // the word with the largest logit, of equal ones the first
                word = 0;
                for (int v = 1; v < V; ++v)
                    if (y(word) < y(v)) word = v;
                words(b, t) = word;
                ended = word == end;
            }
        }
    }
}

}  // namespace attn::cpu

#include "contracts/encoder_decoder_instances.h"
