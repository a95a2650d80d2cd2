#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "contracts/masked_language_model_reference.h"
#include "contracts/transformer_block_reference.h"
#include "reference/owned.h"
#include "reference/refusals.h"

namespace attn::cpu {
namespace {

/// x (1 + erf(x / sqrt 2)) / 2
template <class T>
T gelu(T x) {
    return x * (1 + std::erf(x / std::numbers::sqrt2_v<T>)) / 2;
}

/// y = x W + b, a row
template <class T>
void layer_of_row(TensorView<T, 1> y, TensorView<const T, 1> x, TensorView<const T, 2> W,
                  TensorView<const T, 1> b) {
    for (int d = 0; d < y.size(0); ++d) {
        T sum = b(d);
        for (int k = 0; k < x.size(0); ++k) sum += x(k) * W(k, d);
        y(d) = sum;
    }
}

/// All words and lengths of a first or second sentence are as the contract says
void require_sentences(TensorView<const int, 2> words, TensorView<const int, 1> lengths, int V) {
    for (int b = 0; b < words.size(0); ++b) {
        require_inside(lengths(b), 1, words.size(1) + 1);
        for (int i = 0; i < words.size(1); ++i) require_inside(words(b, i), 0, V);
    }
}

/// <s> first <sep> second </s> <pad> .. of one batch
void join(TensorView<int, 1> tokens, TensorView<int, 1> positions, TensorView<int, 1> languages,
          TensorView<const int, 1> first, TensorView<const int, 1> second, int n_1, int n_2, int language_1,
          int language_2, int separator) {
    for (int i = 0; i < tokens.size(0); ++i) {
        tokens(i) = 0;
        positions(i) = 0;
        languages(i) = 0;
    }
    // <s> and the first sentence
    tokens(0) = 1;
    languages(0) = language_1;
    for (int k = 0; k < n_1; ++k) {
        tokens(k + 1) = first(k);
        positions(k + 1) = k + 1;
        languages(k + 1) = language_1;
    }
    // <sep> has the position 0, and the second sentence counts from it
    const int sep = n_1 + 1;
    tokens(sep) = separator;
    languages(sep) = language_2;
    for (int k = 0; k < n_2; ++k) {
        tokens(sep + k + 1) = second(k);
        positions(sep + k + 1) = k + 1;
        languages(sep + k + 1) = language_2;
    }
    const int end = sep + n_2 + 1;
    tokens(end) = 2;
    positions(end) = n_2 + 1;
    languages(end) = language_2;
}

/// X = table[tokens] + P[positions] + E[languages], or 0 where <pad> stands
template <class T>
void add_three_vectors(TensorView<T, 2> X, TensorView<const int, 1> tokens,
                       TensorView<const int, 1> positions, TensorView<const int, 1> languages,
                       TensorView<const T, 2> table, TensorView<const T, 2> P, TensorView<const T, 2> E) {
    for (int i = 0; i < X.size(0); ++i)
        for (int d = 0; d < X.size(1); ++d)
            X(i, d) = tokens(i) == 0 ? T(0) : table(tokens(i), d) + P(positions(i), d) + E(languages(i), d);
}

}  // namespace

template <class T>
void mask_tokens(TensorView<int, 2> hidden, TensorView<int, 2> targets, TensorView<const int, 2> tokens,
                 TensorView<const T, 2> u_place, TensorView<const T, 2> u_kind, TensorView<const T, 2> u_word,
                 int V, T share) {
    for (int b = 0; b < tokens.size(0); ++b)
        for (int i = 0; i < tokens.size(1); ++i) require_inside(tokens(b, i), 0, V);
    for (int b = 0; b < tokens.size(0); ++b) {
        for (int i = 0; i < tokens.size(1); ++i) {
            hidden(b, i) = tokens(b, i);
            targets(b, i) = -1;
            if (tokens(b, i) >= 5 && u_place(b, i) < share) {
                targets(b, i) = tokens(b, i);
                // 80 % <mask>, 10 % another word, 10 % as it is. The numbers are floats, and so are the borders.
                if (u_kind(b, i) < T(0.8F))
                    hidden(b, i) = 4;
                else if (u_kind(b, i) < T(0.9F))
                    hidden(b, i) =
                        5 + static_cast<int>(static_cast<float>(u_word(b, i)) * static_cast<float>(V - 5));
            }
        }
    }
}

template <class T>
void mlm_loss(TensorView<T, 1> loss, TensorView<T, 1> right, TensorView<const T, 3> logits,
              TensorView<const int, 2> targets) {
    const int V = logits.size(2);
    T sum = 0;
    int counted = 0, hits = 0;
    for (int b = 0; b < targets.size(0); ++b) {
        for (int i = 0; i < targets.size(1); ++i) {
            const int target = targets(b, i);
            require_inside(target, -1, V);
            if (target != -1) {
                int best = 0;
                for (int v = 1; v < V; ++v)
                    if (logits(b, i, v) > logits(b, i, best)) best = v;
                // -ln p[target] = max + ln sum_v exp(logit_v - max) - logit_target
                T total = 0;
                for (int v = 0; v < V; ++v) total += std::exp(logits(b, i, v) - logits(b, i, best));
                sum += logits(b, i, best) - logits(b, i, target) + std::log(total);
                ++counted;
                hits += best == target ? 1 : 0;
            }
        }
    }
    loss(0) = counted > 0 ? sum / static_cast<T>(counted) : T(0);
    right(0) = counted > 0 ? static_cast<T>(hits) / static_cast<T>(counted) : T(0);
}

template <class T>
void token_head(TensorView<T, 3> logits, TensorView<const T, 3> X, TensorView<const T, 2> W,
                TensorView<const T, 1> b, TensorView<const T, 1> gamma, TensorView<const T, 1> beta,
                TensorView<const T, 2> table, TensorView<const T, 1> bias, T eps) {
    const int D = X.size(2), V = table.size(0);
    Owned<T, 2> layer(1, D), normed(1, D);
    const TensorView<T, 2> g = layer.view, h = normed.view;
    for (int s = 0; s < X.size(0); ++s) {
        for (int i = 0; i < X.size(1); ++i) {
            // g = gelu_erf(X W + b)
            layer_of_row<T>(g[0], X[s][i], W, b);
            for (int d = 0; d < D; ++d) g(0, d) = gelu<T>(g(0, d));
            // h = LN(g)
            layer_norm<T>(h, g, gamma, beta, eps);
            // logits = h table^T + bias
            for (int v = 0; v < V; ++v) {
                T dot = bias(v);
                for (int d = 0; d < D; ++d) dot += h(0, d) * table(v, d);
                logits(s, i, v) = dot;
            }
        }
    }
}

template <class T>
void sentence_head(TensorView<T, 2> logits, TensorView<const T, 3> X, TensorView<const int, 1> lengths,
                   TensorView<const T, 2> W, TensorView<const T, 1> b, TensorView<const T, 2> W_c,
                   TensorView<const T, 1> b_c, SentenceToken token) {
    const int N = X.size(1), D = X.size(2);
    Owned<T, 2> rows(1, D);
    const TensorView<T, 2> s = rows.view;
    for (int n = 0; n < X.size(0); ++n) {
        const int length = lengths ? lengths(n) : N;
        require_inside(length, 1, N + 1);
        const int place = token == SentenceToken::first ? 0 : length - 1;
        // s = tanh(x W + b)
        layer_of_row<T>(s[0], X[n][place], W, b);
        for (int d = 0; d < D; ++d) s(0, d) = std::tanh(s(0, d));
        // logits = s W_c + b_c
        layer_of_row<T>(logits[n], s[0], W_c, b_c);
    }
}

template <class T>
void tlm_input(TensorView<T, 3> X, TensorView<int, 2> tokens, TensorView<int, 2> positions,
               TensorView<int, 2> languages, TensorView<const int, 2> first, TensorView<const int, 2> second,
               TensorView<const int, 1> lengths_1, TensorView<const int, 1> lengths_2,
               TensorView<const T, 2> table, TensorView<const T, 2> P, TensorView<const T, 2> E,
               int language_1, int language_2, int separator) {
    require_sentences(first, lengths_1, table.size(0));
    require_sentences(second, lengths_2, table.size(0));
    require_inside(language_1, 0, E.size(0));
    require_inside(language_2, 0, E.size(0));
    require_inside(separator, 0, table.size(0));
    for (int b = 0; b < X.size(0); ++b) {
        join(tokens[b], positions[b], languages[b], first[b], second[b], lengths_1(b), lengths_2(b),
             language_1, language_2, separator);
        add_three_vectors<T>(X[b], tokens[b], positions[b], languages[b], table, P, E);
    }
}

template <class T>
void nli_logits(TensorView<T, 2> logits, TensorView<const int, 2> premise,
                TensorView<const int, 2> hypothesis, TensorView<const int, 1> lengths_1,
                TensorView<const int, 1> lengths_2, TensorView<const T, 2> table, TensorView<const T, 2> P,
                TensorView<const T, 2> E, const EncoderWeights<T>& weights, TensorView<const T, 2> W,
                TensorView<const T, 1> b, TensorView<const T, 2> W_c, TensorView<const T, 1> b_c, int H,
                SentenceToken token, int language_1, int language_2, int separator) {
    const int B = premise.size(0), N = P.size(0), D = P.size(1);
    require_whole_heads(D, H);
    std::vector<int> numbers(static_cast<std::size_t>(3 * B * N)), ends(static_cast<std::size_t>(B));
    std::vector<std::uint8_t> allowed(static_cast<std::size_t>(B * N * N));
    Owned<T, 3> inputs(B, N, D), outputs(B, N, D);
    const TensorView<T, 3> X = inputs.view, Y = outputs.view;
    const TensorView<int, 1> lengths(ends.data(), B);
    const TensorView<std::uint8_t, 3> mask(allowed.data(), B, N, N);
    const TensorView<int, 2> tokens(numbers.data(), B, N), positions(numbers.data() + B * N, B, N),
        languages(numbers.data() + 2 * B * N, B, N);
    tlm_input<T>(X, tokens, positions, languages, premise, hypothesis, lengths_1, lengths_2, table, P, E,
                 language_1, language_2, separator);
    // No token attends to <pad>
    for (int n = 0; n < B; ++n) {
        lengths(n) = lengths_1(n) + lengths_2(n) + 3;
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j) mask(n, i, j) = j < lengths(n) ? 1 : 0;
    }
    transformer_encoder<T>(Y, X, weights, mask, H, Norm::post, Activation::gelu_erf, T(0.00001));
    sentence_head<T>(logits, Y, lengths, W, b, W_c, b_c, token);
}

}  // namespace attn::cpu

#include "contracts/masked_language_model_instances.h"
