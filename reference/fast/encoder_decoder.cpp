#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "contracts/encoder_decoder_fast.h"
#include "contracts/positional_encoding_fast.h"
#include "contracts/transformer_block_fast.h"
#include "reference/fast/attention.h"
#include "reference/fast/buffer.h"
#include "reference/fast/kernels.h"
#include "reference/fast/layer_kernels.h"
#include "reference/fast/layers.h"
#include "reference/fast/matmul.h"
#include "reference/refusals.h"

namespace attn::fast {
namespace {

/// What a decoder may see of the source sentences: a row of bytes for each of them, the same for all heads and queries.
class SourceWords {
  public:
    SourceWords(TensorView<const int, 1> lengths, int B, int N_s) : N_s_(N_s) {
        if (!lengths) return;
        bytes_.resize(numbers(B, N_s), 0);
        for (int b = 0; b < B; ++b) {
            require_inside(lengths(b), 1, N_s + 1);
            std::fill_n(bytes_.data() + std::ptrdiff_t{b} * N_s, lengths(b), std::uint8_t{1});
        }
    }
    Options options() const { return {false, bytes_.empty() ? Mask{} : Mask{bytes_.data(), N_s_, 0, 0}}; }
    /// Row b of the bytes, or nullptr if all words count.
    const std::uint8_t* row(int b) const {
        return bytes_.empty() ? nullptr : bytes_.data() + std::ptrdiff_t{b} * N_s_;
    }

  private:
    int N_s_;
    std::vector<std::uint8_t> bytes_;
};

/// The columns of a head, for all places of one sentence or of all.
template <class T>
Matrix<T> head_of(TensorView<T, 2> X, int h, int H) {
    const int D_h = X.size(1) / H;
    return {X.data() + std::ptrdiff_t{h} * D_h, X.size(0), D_h, X.size(1)};
}

/// A part of a block whose stream is Y: Y = from + part of LN(from) if norm = pre, LN(from + part of from) if norm = post.
/// part(R, X) makes Y = R + part of X. `normed` is memory for as many numbers as Y has. Y may be `from`.
template <class Part>
void run_part(TensorView<float, 3> Y, TensorView<const float, 3> from, TensorView<float, 3> normed,
              TensorView<const float, 1> gamma, TensorView<const float, 1> beta, Norm norm, float eps,
              Part part) {
    if (norm == Norm::pre) {
        fast::layer_norm(all_rows(normed), all_rows(from), gamma, beta, eps);
        part(from, TensorView<const float, 3>(normed));
    } else {
        part(from, from);
        fast::layer_norm(all_rows(Y), all_rows(Y), gamma, beta, eps);
    }
}

/// Row i of sentence b = sqrt(D) embedding[words(b, i)] + P[first + i]
void enter_words(TensorView<float, 3> X, TensorView<const int, 2> words, TensorView<const float, 2> embedding,
                 TensorView<const float, 2> P, int first) {
    const int D = X.size(2);
    const float root = std::sqrt(static_cast<float>(D));
    for (int b = 0; b < X.size(0); ++b)
        for (int i = 0; i < X.size(1); ++i) {
            require_inside(words(b, i), 0, embedding.size(0));
            float* const x = X[b][i].data();
            const float *const e = embedding[words(b, i)].data(), *const p = P[first + i].data();
            for (int d = 0; d < D; ++d) x[d] = root * e[d] + p[d];
        }
}

/// S = the encoder's output      [B, N_s, D]
void read_source(TensorView<float, 3> S, TensorView<const int, 2> source,
                 TensorView<const float, 2> embedding, const EncoderWeights<float>& encoder,
                 const SourceWords& words, int H, Norm norm, Activation activation, float eps) {
    const int B = S.size(0), N_s = S.size(1), D = S.size(2);
    thread_local Buffer buffer;
    const TensorView<float, 2> P(buffer.get(numbers(N_s, D)), N_s, D);
    fast::sinusoidal_positions(P);
    enter_words(S, source, embedding, P, 0);
    std::vector<std::uint8_t> bytes;
    for (int b = 0; b < B && words.row(b) != nullptr; ++b)
        for (int i = 0; i < N_s; ++i) bytes.insert(bytes.end(), words.row(b), words.row(b) + N_s);
    const TensorView<const std::uint8_t, 3> mask(bytes.empty() ? nullptr : bytes.data(), B, N_s, N_s);
    fast::transformer_encoder(S, S, encoder, mask, H, norm, activation, eps);
}

void run_block(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 3> S,
               const DecoderBlockWeights<float>& weights, const SourceWords& words, int H, Norm norm,
               Activation activation, float eps) {
    thread_local Buffer buffer;
    const TensorView<float, 3> normed(buffer.get(static_cast<std::size_t>(X.count())), X.size(0), X.size(1),
                                      X.size(2));
    Options causal;
    causal.causal = true;
    using Stream = TensorView<const float, 3>;
    run_part(Y, X, normed, weights.gamma_1, weights.beta_1, norm, eps, [&](Stream R, Stream from) {
        multi_head_attention_and_residual(Y, R, from, from, weights.attention, causal, H);
    });
    run_part(Y, Y, normed, weights.gamma_2, weights.beta_2, norm, eps, [&](Stream R, Stream from) {
        multi_head_attention_and_residual(Y, R, from, S, weights.cross(), words.options(), H);
    });
    run_part(Y, Y, normed, weights.gamma_3, weights.beta_3, norm, eps, [&](Stream, Stream from) {
        add_feed_forward(all_rows(Y), all_rows(from), weights.W_1, weights.b_1, weights.W_2, weights.b_2,
                         activation);
    });
}

/// The decoder's blocks for one place after the other, with the keys and values of the places before and of the source.
class CachedDecoder {
  public:
    /// `buffer` has to live as long as this object.
    CachedDecoder(Buffer& buffer, const DecoderStackWeights<float>& weights, TensorView<const float, 3> S,
                  const SourceWords& words, int N_t, int H)
        : weights_(weights), words_(words), B_(S.size(0)), N_t_(N_t), N_s_(S.size(1)), D_(S.size(2)), H_(H) {
        const int L = weights.layers();
        Workspace memory(buffer, 2 * numbers(L, B_ * (N_t + N_s_), D_) + 3 * numbers(B_, D_));
        for (auto* keys_or_values : {&K_t_, &V_t_}) *keys_or_values = memory.take(L, B_ * N_t, D_);
        for (auto* keys_or_values : {&K_s_, &V_s_}) *keys_or_values = memory.take(L, B_ * N_s_, D_);
        for (auto* vectors : {&normed_, &Q_, &O_}) *vectors = memory.take(B_, 1, D_);
        for (int l = 0; l < L; ++l) {
            linear(K_s_[l], all_rows(S), weights.W_K_c[l], weights.b_K_c[l].data());
            linear(V_s_[l], all_rows(S), weights.W_V_c[l], weights.b_V_c[l].data());
        }
    }

    /// The next place of each sentence enters as x [B, 1, D] and leaves as the output of the last block.
    void read(TensorView<float, 3> x, Norm norm, Activation activation, float eps) {
        using Stream = TensorView<const float, 3>;
        for (int l = 0; l < weights_.layers(); ++l) {
            const DecoderBlockWeights<float> w = weights_.layer(l);
            run_part(x, x, normed_, w.gamma_1, w.beta_1, norm, eps, [&](Stream, Stream from) {
                for (const auto& [cache, W, b] : {Kept{K_t_[l], w.attention.W_K, w.attention.b_K},
                                                  Kept{V_t_[l], w.attention.W_V, w.attention.b_V}})
                    linear({cache.data() + std::ptrdiff_t{read_} * D_, B_, D_, std::ptrdiff_t{N_t_} * D_},
                           from, W, b.data());
                attend(x, from, w.attention, K_t_[l], V_t_[l], N_t_, read_ + 1, {});
            });
            run_part(x, x, normed_, w.gamma_2, w.beta_2, norm, eps, [&](Stream, Stream from) {
                attend(x, from, w.cross(), K_s_[l], V_s_[l], N_s_, N_s_, words_.options());
            });
            run_part(x, x, normed_, w.gamma_3, w.beta_3, norm, eps, [&](Stream, Stream from) {
                add_feed_forward(all_rows(x), all_rows(from), w.W_1, w.b_1, w.W_2, w.b_2, activation);
            });
        }
        ++read_;
    }

  private:
    struct Kept {
        TensorView<float, 2> cache;
        TensorView<const float, 2> W;
        TensorView<const float, 1> b;
    };

    /// x = x + attention of `from` to the first N keys of each sentence, of which there is room for `most`
    void attend(TensorView<float, 3> x, TensorView<const float, 3> from,
                const MultiHeadWeights<float>& weights, TensorView<const float, 2> K,
                TensorView<const float, 2> V, int most, int N, const Options& options) {
        const std::ptrdiff_t D = D_, D_h = D / H_, sentence = most * D;
        linear(Q_, from, weights.W_Q, weights.b_Q.data());
        attention({O_.data(), D, D_h, D}, {Q_.data(), D, D_h, D}, {K.data(), sentence, D_h, D},
                  {V.data(), sentence, D_h, D}, {B_, H_, 1, N, D_ / H_, D_ / H_}, options);
        linear_and_residual(x, Matrix<float>(x), Matrix<float>(O_), weights.W_O, weights.b_O.data());
    }

    const DecoderStackWeights<float>& weights_;
    const SourceWords& words_;
    int B_, N_t_, N_s_, D_, H_, read_ = 0;
    TensorView<float, 3> K_t_, V_t_, K_s_, V_s_;  // [L, B N, D]
    TensorView<float, 3> normed_, Q_, O_;         // [B, 1, D]
};

}  // namespace

void cross_attention(TensorView<float, 3> Y, TensorView<float, 4> A, TensorView<const float, 3> X,
                     TensorView<const float, 3> S, const MultiHeadWeights<float>& weights,
                     TensorView<const int, 1> lengths, int H) {
    const int B = X.size(0), N_t = X.size(1), D = X.size(2), N_s = S.size(1), D_h = head_width(D, H);
    const SourceWords words(lengths, B, N_s);
    thread_local Buffer buffer;
    Workspace memory(buffer, 2 * numbers(B, N_t + N_s, D));
    const auto Q = memory.take(B, N_t, D), O = memory.take(B, N_t, D), K = memory.take(B, N_s, D),
               V = memory.take(B, N_s, D);
    linear(Q, X, weights.W_Q, weights.b_Q.data());
    linear(K, S, weights.W_K, weights.b_K.data());
    linear(V, S, weights.W_V, weights.b_V.data());
    if (!A) {
        const std::ptrdiff_t row = D;
        attention({O.data(), N_t * row, D_h, row}, {Q.data(), N_t * row, D_h, row},
                  {K.data(), N_s * row, D_h, row}, {V.data(), N_s * row, D_h, row},
                  {B, H, N_t, N_s, D_h, D_h}, words.options());
    }
    for (int b = 0; b < B && A; ++b)
        for (int h = 0; h < H; ++h) {
            const TensorView<float, 2> weights_of_head = A[b][h];
            multiply_transposed(weights_of_head, head_of(Q[b], h, H), head_of(K[b], h, H),
                                1 / std::sqrt(static_cast<float>(D_h)));
            for (int i = 0; i < N_t; ++i) {
                float* const a = weights_of_head[i].data();
                if (words.row(b) == nullptr)
                    kernels().softmax_row(a, a, N_s);
                else
                    layer_kernels().masked_softmax(a, a, words.row(b), N_s);
            }
            multiply(head_of(O[b], h, H), Matrix<float>(weights_of_head), head_of(V[b], h, H));
        }
    linear(Y, Matrix<float>(O), weights.W_O, weights.b_O.data());
}

void decoder_block(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 3> S,
                   const DecoderBlockWeights<float>& weights, TensorView<const int, 1> lengths, int H,
                   Norm norm, Activation activation, float eps) {
    run_block(Y, X, S, weights, {lengths, X.size(0), S.size(1)}, H, norm, activation, eps);
}

void transformer(TensorView<float, 3> logits, TensorView<const int, 2> source,
                 TensorView<const int, 2> target, TensorView<const float, 2> embedding,
                 const EncoderWeights<float>& encoder, const DecoderStackWeights<float>& decoder,
                 TensorView<const int, 1> lengths, int H, Norm norm, Activation activation, float eps) {
    const int B = target.size(0), N_s = source.size(1), N_t = target.size(1), D = embedding.size(1);
    const SourceWords words(lengths, B, N_s);
    thread_local Buffer buffer;
    Workspace memory(buffer, numbers(B, N_s + N_t, D) + numbers(N_t, D));
    const auto S = memory.take(B, N_s, D), Z = memory.take(B, N_t, D);
    const auto P = memory.take(N_t, D);
    read_source(S, source, embedding, encoder, words, H, norm, activation, eps);
    std::vector<int> shifted;  // START, target[0], ..
    for (int b = 0; b < B; ++b) {
        shifted.push_back(0);
        shifted.insert(shifted.end(), target[b].data(), target[b].data() + N_t - 1);
        require_inside(target(b, N_t - 1), 0, embedding.size(0));
    }
    fast::sinusoidal_positions(P);
    enter_words(Z, {shifted.data(), B, N_t}, embedding, P, 0);
    for (int l = 0; l < decoder.layers(); ++l)
        run_block(Z, Z, S, decoder.layer(l), words, H, norm, activation, eps);
    if (norm == Norm::pre) fast::layer_norm(all_rows(Z), all_rows(Z), decoder.gamma_d, decoder.beta_d, eps);
    multiply_transposed(logits, Matrix<float>(Z), embedding, 1);
}

void translate_greedy(TensorView<int, 2> words, TensorView<float, 3> logits, TensorView<const int, 2> source,
                      TensorView<const float, 2> embedding, const EncoderWeights<float>& encoder,
                      const DecoderStackWeights<float>& decoder, TensorView<const int, 1> lengths, int H,
                      Norm norm, Activation activation, float eps, int end) {
    const int B = source.size(0), N_s = source.size(1), N_t = words.size(1), D = embedding.size(1),
              V = embedding.size(0);
    head_width(D, H);
    const SourceWords source_words(lengths, B, N_s);
    thread_local Buffer buffer, cache;
    Workspace memory(buffer, numbers(B, N_s + 1, D) + numbers(N_t, D) + numbers(B, V));
    const auto S = memory.take(B, N_s, D), x = memory.take(B, 1, D);
    const auto P = memory.take(N_t, D), scores = memory.take(B, V);
    read_source(S, source, embedding, encoder, source_words, H, norm, activation, eps);
    CachedDecoder stack(cache, decoder, S, source_words, N_t, H);
    fast::sinusoidal_positions(P);
    std::vector<int> chosen(static_cast<std::size_t>(B), 0);  // START
    std::vector<bool> ended(chosen.size(), false);
    for (int t = 0; t < N_t; ++t) {
        enter_words(x, {chosen.data(), B, 1}, embedding, P, t);
        stack.read(x, norm, activation, eps);
        if (norm == Norm::pre)
            fast::layer_norm(all_rows(x), all_rows(x), decoder.gamma_d, decoder.beta_d, eps);
        multiply_transposed(scores, Matrix<float>(x), embedding, 1);
        for (int b = 0; b < B; ++b) {
            const auto sentence = static_cast<std::size_t>(b);
            float* const row = scores[b].data();
            // What follows an end is read like any other word, but neither its word nor its logits count.
            chosen[sentence] = static_cast<int>(std::max_element(row, row + V) - row);
            words(b, t) = ended[sentence] ? end : chosen[sentence];
            if (logits && ended[sentence]) std::fill_n(row, V, 0.0F);
            if (logits) std::copy_n(row, V, logits[b][t].data());
            ended[sentence] = ended[sentence] || words(b, t) == end;
        }
    }
}

}  // namespace attn::fast
