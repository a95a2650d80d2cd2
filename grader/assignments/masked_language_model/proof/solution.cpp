#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "masked_language_model.h"

namespace attn {
namespace {

const int PAD = 0, START = 1, END = 2, MASK = 4, WORDS = 5;

void need(bool ok, const char* what) {
    if (!ok) throw std::invalid_argument(what);
}

float gelu(float x) {
    return 0.5f * x * (1 + std::erf(x / std::sqrt(2.0f)));
}

// The row x [D_in] times W, and b.
std::vector<float> linear(const float* x, TensorView<const float, 2> W, TensorView<const float, 1> b) {
    std::vector<float> y(W.size(1));
    for (int o = 0; o < W.size(1); o++) {
        y[o] = b(o);
        for (int d = 0; d < W.size(0); d++) y[o] += x[d] * W(d, o);
    }
    return y;
}

void check_sentences(TensorView<const int, 2> words, TensorView<const int, 1> lengths, int V) {
    for (int b = 0; b < words.size(0); b++) {
        need(lengths(b) >= 1 && lengths(b) <= words.size(1), "length");
        for (int i = 0; i < words.size(1); i++) need(words(b, i) >= 0 && words(b, i) < V, "word");
    }
}

}  // namespace

void mask_tokens(TensorView<int, 2> hidden, TensorView<int, 2> targets, TensorView<const int, 2> tokens,
                 TensorView<const float, 2> u_place, TensorView<const float, 2> u_kind,
                 TensorView<const float, 2> u_word, int V, float share) {
    for (int b = 0; b < tokens.size(0); b++)
        for (int i = 0; i < tokens.size(1); i++) {
            const int t = tokens(b, i);
            need(t >= 0 && t < V, "no such token");
            hidden(b, i) = t;
            targets(b, i) = -1;
            if (t < WORDS || u_place(b, i) >= share) continue;
            targets(b, i) = t;
            const float kind = u_kind(b, i);
            if (kind < 0.8f)
                hidden(b, i) = MASK;
            else if (kind < 0.9f)
                hidden(b, i) = WORDS + int(u_word(b, i) * (V - WORDS));
        }
}

void mlm_loss(TensorView<float, 1> loss, TensorView<float, 1> right, TensorView<const float, 3> logits,
              TensorView<const int, 2> targets) {
    const int V = logits.size(2);
    float total = 0;
    int places = 0, good = 0;
    for (int b = 0; b < logits.size(0); b++)
        for (int i = 0; i < logits.size(1); i++) {
            const int t = targets(b, i);
            need(t >= -1 && t < V, "no such target");
            if (t < 0) continue;
            int top = 0;
            for (int v = 1; v < V; v++)
                if (logits(b, i, v) > logits(b, i, top)) top = v;
            float sum = 0;
            for (int v = 0; v < V; v++) sum += std::exp(logits(b, i, v) - logits(b, i, top));
            total += std::log(sum) - (logits(b, i, t) - logits(b, i, top));
            places++;
            if (top == t) good++;
        }
    loss(0) = right(0) = 0;
    if (places == 0) return;
    loss(0) = total / places;
    right(0) = float(good) / places;
}

void token_head(TensorView<float, 3> logits, TensorView<const float, 3> X, TensorView<const float, 2> W,
                TensorView<const float, 1> b, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, TensorView<const float, 2> table,
                TensorView<const float, 1> bias, float eps) {
    const int rows = X.size(0) * X.size(1), D = X.size(2), V = table.size(0);
    std::vector<float> g(rows * D), h(rows * D);
    for (int r = 0; r < rows; r++) {
        const std::vector<float> y = linear(X.data() + r * D, W, b);
        for (int d = 0; d < D; d++) g[r * D + d] = gelu(y[d]);
    }
    const TensorView<float, 2> G(g.data(), rows, D), N(h.data(), rows, D);
    layer_norm(N, G, gamma, beta, eps);
    for (int r = 0; r < rows; r++)
        for (int v = 0; v < V; v++) {
            float dot = bias(v);
            for (int d = 0; d < D; d++) dot += h[r * D + d] * table(v, d);
            logits.data()[r * V + v] = dot;
        }
}

void sentence_head(TensorView<float, 2> logits, TensorView<const float, 3> X,
                   TensorView<const int, 1> lengths, TensorView<const float, 2> W,
                   TensorView<const float, 1> b, TensorView<const float, 2> W_c,
                   TensorView<const float, 1> b_c, SentenceToken token) {
    for (int n = 0; n < X.size(0); n++) {
        int length = X.size(1);
        if (lengths) length = lengths(n);
        need(length >= 1 && length <= X.size(1), "length");
        int at = 0;
        if (token == SentenceToken::last) at = length - 1;
        const float* x = &X(n, at, 0);
        std::vector<float> s = linear(x, W, b);
        for (float& value : s) value = std::tanh(value);
        const std::vector<float> y = linear(s.data(), W_c, b_c);
        for (int c = 0; c < logits.size(1); c++) logits(n, c) = y[c];
    }
}

void tlm_input(TensorView<float, 3> X, TensorView<int, 2> tokens, TensorView<int, 2> positions,
               TensorView<int, 2> languages, TensorView<const int, 2> first, TensorView<const int, 2> second,
               TensorView<const int, 1> lengths_1, TensorView<const int, 1> lengths_2,
               TensorView<const float, 2> table, TensorView<const float, 2> P, TensorView<const float, 2> E,
               int language_1, int language_2, int separator) {
    check_sentences(first, lengths_1, table.size(0));
    check_sentences(second, lengths_2, table.size(0));
    need(language_1 >= 0 && language_1 < E.size(0) && language_2 >= 0 && language_2 < E.size(0), "language");
    need(separator >= 0 && separator < table.size(0), "separator");
    for (int b = 0; b < X.size(0); b++) {
        const int n1 = lengths_1(b), n2 = lengths_2(b);
        for (int i = 0; i < X.size(1); i++) {
            int token = PAD, position = 0, language = 0;
            const int k = i - n1 - 1;  // the place after <sep>, which is place 0 there
            if (i == 0) {
                token = START;
                language = language_1;
            } else if (k < 0) {
                token = first(b, i - 1);
                position = i;
                language = language_1;
            } else if (k == 0) {
                token = separator;
                language = language_2;
            } else if (k <= n2) {
                token = second(b, k - 1);
                position = k;
                language = language_2;
            } else if (k == n2 + 1) {
                token = END;
                position = k;
                language = language_2;
            }
            tokens(b, i) = token;
            positions(b, i) = position;
            languages(b, i) = language;
            for (int d = 0; d < X.size(2); d++) {
                X(b, i, d) = 0;
                if (token != PAD) X(b, i, d) = table(token, d) + P(position, d) + E(language, d);
            }
        }
    }
}

void nli_logits(TensorView<float, 2> logits, TensorView<const int, 2> premise,
                TensorView<const int, 2> hypothesis, TensorView<const int, 1> lengths_1,
                TensorView<const int, 1> lengths_2, TensorView<const float, 2> table,
                TensorView<const float, 2> P, TensorView<const float, 2> E,
                const EncoderWeights<float>& weights, TensorView<const float, 2> W,
                TensorView<const float, 1> b, TensorView<const float, 2> W_c, TensorView<const float, 1> b_c,
                int H, SentenceToken token, int language_1, int language_2, int separator) {
    const int B = premise.size(0), N = P.size(0), D = P.size(1);
    std::vector<float> x(B * N * D), y(B * N * D);
    std::vector<int> t(B * N), p(B * N), l(B * N), ends(B);
    std::vector<std::uint8_t> may(B * N * N);
    const TensorView<float, 3> X(x.data(), B, N, D), Y(y.data(), B, N, D);
    const TensorView<std::uint8_t, 3> mask(may.data(), B, N, N);
    tlm_input(X, TensorView<int, 2>(t.data(), B, N), TensorView<int, 2>(p.data(), B, N),
              TensorView<int, 2>(l.data(), B, N), premise, hypothesis, lengths_1, lengths_2, table, P, E,
              language_1, language_2, separator);
    for (int n = 0; n < B; n++) {
        ends[n] = lengths_1(n) + lengths_2(n) + 3;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) mask(n, i, j) = j < ends[n];
    }
    transformer_encoder(Y, X, weights, mask, H, Norm::post, Activation::gelu_erf, 1e-5f);
    sentence_head(logits, Y, TensorView<const int, 1>(ends.data(), B), W, b, W_c, b_c, token);
}

}  // namespace attn
