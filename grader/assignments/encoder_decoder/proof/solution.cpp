// A right solution as a student would write it, independent of the reference. edits.toml changes parts of
// this text, so each text that it replaces must occur here exactly once.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "encoder_decoder.h"
#include "masking.h"
#include "multi_head.h"
#include "positional_encoding.h"
#include "transformer_block.h"

namespace attn {

using Numbers = std::vector<float>;
using Matrix = TensorView<float, 2>;

/// y = x W + b for one row
static void times(const float* x, TensorView<const float, 2> W, TensorView<const float, 1> b, float* y) {
    for (int d = 0; d < W.size(1); d++) y[d] = b(d);
    for (int k = 0; k < W.size(0); k++)
        for (int d = 0; d < W.size(1); d++) y[d] += x[k] * W(k, d);
}

static void check_lengths(TensorView<const int, 1> lengths, int N_s) {
    if (lengths)
        for (int b = 0; b < lengths.size(0); b++)
            if (lengths(b) < 1 || lengths(b) > N_s) throw std::invalid_argument("length");
}

static void check_words(TensorView<const int, 2> words, int V) {
    for (int b = 0; b < words.size(0); b++)
        for (int i = 0; i < words.size(1); i++)
            if (words(b, i) < 0 || words(b, i) >= V) throw std::invalid_argument("unknown word");
}

static TensorView<const std::uint8_t, 3> source_mask(std::vector<std::uint8_t>& memory, int B, int N, int N_s,
                                                     TensorView<const int, 1> lengths) {
    memory.assign(B * N * N_s, 1);
    TensorView<std::uint8_t, 3> mask(memory.data(), B, N, N_s);
    if (lengths) padding_mask(mask, lengths);
    return mask;
}

void cross_attention(TensorView<float, 3> Y, TensorView<float, 4> A, TensorView<const float, 3> X,
                     TensorView<const float, 3> S, const MultiHeadWeights<float>& weights,
                     TensorView<const int, 1> lengths, int H) {
    const int B = X.size(0), N_t = X.size(1), D = X.size(2), N_s = S.size(1);
    if (D % H != 0) throw std::invalid_argument("H does not divide D");
    check_lengths(lengths, N_s);
    Numbers q(B * N_t * D), k(B * N_s * D), v(B * N_s * D), o(B * N_t * D), a(B * H * N_t * N_s);
    TensorView<float, 4> Q(q.data(), B, H, N_t, D / H), K(k.data(), B, H, N_s, D / H),
        V(v.data(), B, H, N_s, D / H), O(o.data(), B, H, N_t, D / H);
    if (!A) A = TensorView<float, 4>(a.data(), B, H, N_t, N_s);
    std::vector<std::uint8_t> allowed;
    const auto mask = source_mask(allowed, B, N_t, N_s, lengths);
    const auto project = [&](TensorView<float, 4> to, TensorView<const float, 3> from,
                             TensorView<const float, 2> W, TensorView<const float, 1> b) {
        Numbers rows(from.count());
        for (int r = 0; r < from.size(0) * from.size(1); r++)
            times(from.data() + r * D, W, b, rows.data() + r * D);
        split_heads(to, TensorView<const float, 3>(rows.data(), from.size(0), from.size(1), D));
    };
    project(Q, X, weights.W_Q, weights.b_Q);
    project(K, S, weights.W_K, weights.b_K);
    project(V, S, weights.W_V, weights.b_V);
    for (int b = 0; b < B; b++)
        for (int h = 0; h < H; h++) {
            const auto one = [&](auto view) {
                const auto head = view[b][h];
                return TensorView<typename decltype(head)::Element, 3>(head.data(), 1, head.size(0),
                                                                       head.size(1));
            };
            TensorView<const std::uint8_t, 3> mask_b(mask[b].data(), 1, N_t, N_s);
            masked_attention(one(O), one(A), one(Q), one(K), one(V), mask_b);
        }
    Numbers merged(B * N_t * D);
    merge_heads(TensorView<float, 3>(merged.data(), B, N_t, D), O);
    for (int r = 0; r < B * N_t; r++)
        times(merged.data() + r * D, weights.W_O, weights.b_O, Y.data() + r * D);
}

void decoder_block(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 3> S,
                   const DecoderBlockWeights<float>& weights, TensorView<const int, 1> lengths, int H,
                   Norm norm, Activation activation, float eps) {
    const int B = X.size(0), N_t = X.size(1), D = X.size(2), n = B * N_t * D;
    std::vector<std::uint8_t> allowed(B * N_t * N_t);
    TensorView<std::uint8_t, 3> mask(allowed.data(), B, N_t, N_t);
    for (int b = 0; b < B; b++) causal_mask(mask[b]);
    Numbers stream(X.data(), X.data() + n), before(n), after(n);
    TensorView<float, 3> Z(stream.data(), B, N_t, D), in(before.data(), B, N_t, D),
        out(after.data(), B, N_t, D);
    const auto as_rows = [&](TensorView<float, 3> x) { return Matrix(x.data(), B * N_t, D); };
    const auto layer = [&](auto gamma, auto beta, auto compute) {
        in = Z;
        if (norm == Norm::pre) {
            in = TensorView<float, 3>(before.data(), B, N_t, D);
            layer_norm(as_rows(in), as_rows(Z), gamma, beta, eps);
        }
        compute();
        for (int i = 0; i < n; i++) stream[i] += after[i];
        if (norm == Norm::post) {
            layer_norm(as_rows(out), as_rows(Z), gamma, beta, eps);
            stream = after;
            Z = TensorView<float, 3>(stream.data(), B, N_t, D);
        }
    };
    layer(weights.gamma_1, weights.beta_1,
          [&] { multi_head_attention(out, in, in, weights.attention, mask, H); });
    layer(weights.gamma_2, weights.beta_2,
          [&] { cross_attention(out, {}, in, S, weights.cross(), lengths, H); });
    layer(weights.gamma_3, weights.beta_3, [&] {
        feed_forward(as_rows(out), as_rows(in), weights.W_1, weights.b_1, weights.W_2, weights.b_2,
                     activation);
    });
    std::copy(stream.begin(), stream.end(), Y.data());
}

/// The vector of a word at a place.
static void embed(float* x, int word, int place, TensorView<const float, 2> embedding,
                  TensorView<const float, 2> P) {
    const int D = embedding.size(1);
    for (int d = 0; d < D; d++) x[d] = embedding(word, d) * std::sqrt(float(D)) + P(place, d);
}

static void run_encoder(TensorView<float, 3> S, TensorView<const int, 2> source,
                        TensorView<const float, 2> embedding, const EncoderWeights<float>& encoder,
                        TensorView<const int, 1> lengths, int H, Norm norm, Activation activation,
                        float eps) {
    const int B = S.size(0), N_s = S.size(1), D = S.size(2);
    check_words(source, embedding.size(0));
    check_lengths(lengths, N_s);
    Numbers in(B * N_s * D), p(N_s * D);
    Matrix P(p.data(), N_s, D);
    sinusoidal_positions(P);
    for (int b = 0; b < B; b++)
        for (int j = 0; j < N_s; j++) embed(&in[(b * N_s + j) * D], source(b, j), j, embedding, P);
    std::vector<std::uint8_t> allowed;
    transformer_encoder(S, TensorView<const float, 3>(in.data(), B, N_s, D), encoder,
                        source_mask(allowed, B, N_s, N_s, lengths), H, norm, activation, eps);
}

void transformer(TensorView<float, 3> logits, TensorView<const int, 2> source,
                 TensorView<const int, 2> target, TensorView<const float, 2> embedding,
                 const EncoderWeights<float>& encoder, const DecoderStackWeights<float>& decoder,
                 TensorView<const int, 1> lengths, int H, Norm norm, Activation activation, float eps) {
    const int B = target.size(0), N_s = source.size(1), N_t = target.size(1), V = embedding.size(0),
              D = embedding.size(1);
    check_words(target, V);
    Numbers s(B * N_s * D), z(B * N_t * D), y(B * N_t * D), p(N_t * D);
    TensorView<float, 3> S(s.data(), B, N_s, D);
    run_encoder(S, source, embedding, encoder, lengths, H, norm, activation, eps);
    Matrix P(p.data(), N_t, D);
    sinusoidal_positions(P);
    for (int b = 0; b < B; b++)
        for (int i = 0; i < N_t; i++)
            embed(&z[(b * N_t + i) * D], i > 0 ? target(b, i - 1) : 0, i, embedding, P);
    for (int l = 0; l < decoder.layers(); l++) {
        decoder_block(TensorView<float, 3>(y.data(), B, N_t, D),
                      TensorView<const float, 3>(z.data(), B, N_t, D), S, decoder.layer(l), lengths, H, norm,
                      activation, eps);
        std::swap(y, z);
    }
    if (norm == Norm::pre) {
        layer_norm(Matrix(y.data(), B * N_t, D), Matrix(z.data(), B * N_t, D), decoder.gamma_d,
                   decoder.beta_d, eps);
        std::swap(y, z);
    }
    for (int b = 0; b < B; b++)
        for (int i = 0; i < N_t; i++)
            for (int v = 0; v < V; v++) {
                float sum = 0;
                for (int d = 0; d < D; d++) sum += z[(b * N_t + i) * D + d] * embedding(v, d);
                logits(b, i, v) = sum;
            }
}

/// Attention of one query with the first `count` keys and values.
static void attend(const float* q, const Numbers& keys, const Numbers& values, int count, int D, int H,
                   float* o) {
    const int D_h = D / H;
    std::fill(o, o + D, 0.0f);
    for (int h = 0; h < H; h++) {
        Numbers a(count);
        float most = -INFINITY, sum = 0;
        for (int j = 0; j < count; j++) {
            for (int d = h * D_h; d < (h + 1) * D_h; d++) a[j] += q[d] * keys[j * D + d];
            a[j] /= std::sqrt(float(D_h));
            most = std::max(most, a[j]);
        }
        for (float& x : a) sum += x = std::exp(x - most);
        for (int j = 0; j < count; j++)
            for (int d = h * D_h; d < (h + 1) * D_h; d++) o[d] += a[j] / sum * values[j * D + d];
    }
}

void translate_greedy(TensorView<int, 2> words, TensorView<float, 3> logits, TensorView<const int, 2> source,
                      TensorView<const float, 2> embedding, const EncoderWeights<float>& encoder,
                      const DecoderStackWeights<float>& decoder, TensorView<const int, 1> lengths, int H,
                      Norm norm, Activation activation, float eps, int end) {
    const int B = source.size(0), N_s = source.size(1), N_t = words.size(1), V = embedding.size(0),
              D = embedding.size(1);
    const int L = decoder.layers();
    if (D % H != 0) throw std::invalid_argument("H does not divide D");
    Numbers s(B * N_s * D), p(N_t * D), x(D), in(D), q(D), o(D), out(D), y(V);
    run_encoder(TensorView<float, 3>(s.data(), B, N_s, D), source, embedding, encoder, lengths, H, norm,
                activation, eps);
    Matrix P(p.data(), N_t, D);
    sinusoidal_positions(P);
    const auto row = [D](Numbers& numbers) { return Matrix(numbers.data(), 1, D); };
    for (int b = 0; b < B; b++) {
        const int length = lengths ? lengths(b) : N_s;
        std::vector<Numbers> keys(L), values(L), source_keys(L, Numbers(N_s * D)),
            source_values(L, Numbers(N_s * D));
        for (int l = 0; l < L; l++)
            for (int j = 0; j < length; j++) {
                const float* from = &s[(b * N_s + j) * D];
                times(from, decoder.W_K_c[l], decoder.b_K_c[l], &source_keys[l][j * D]);
                times(from, decoder.W_V_c[l], decoder.b_V_c[l], &source_values[l][j * D]);
            }
        int word = 0;
        for (int t = 0; t < N_t; t++) {
            if (t > 0 && word == end) {
                words(b, t) = end;
                if (logits)
                    for (int v = 0; v < V; v++) logits(b, t, v) = 0;
                continue;
            }
            embed(x.data(), word, t, embedding, P);
            for (int l = 0; l < L; l++) {
                const DecoderBlockWeights<float> w = decoder.layer(l);
                const auto part = [&](auto gamma, auto beta, auto compute) {
                    in = x;
                    if (norm == Norm::pre) layer_norm(row(in), row(x), gamma, beta, eps);
                    compute();
                    for (int d = 0; d < D; d++) out[d] += x[d];
                    x = out;
                    if (norm == Norm::post) layer_norm(row(x), row(out), gamma, beta, eps);
                };
                part(w.gamma_1, w.beta_1, [&] {
                    times(in.data(), w.attention.W_Q, w.attention.b_Q, q.data());
                    keys[l].resize((t + 1) * D);
                    values[l].resize((t + 1) * D);
                    times(in.data(), w.attention.W_K, w.attention.b_K, &keys[l][t * D]);
                    times(in.data(), w.attention.W_V, w.attention.b_V, &values[l][t * D]);
                    attend(q.data(), keys[l], values[l], t + 1, D, H, o.data());
                    times(o.data(), w.attention.W_O, w.attention.b_O, out.data());
                });
                part(w.gamma_2, w.beta_2, [&] {
                    times(in.data(), w.W_Q_c, w.b_Q_c, q.data());
                    attend(q.data(), source_keys[l], source_values[l], length, D, H, o.data());
                    times(o.data(), w.W_O_c, w.b_O_c, out.data());
                });
                part(w.gamma_3, w.beta_3,
                     [&] { feed_forward(row(out), row(in), w.W_1, w.b_1, w.W_2, w.b_2, activation); });
            }
            if (norm == Norm::pre) {
                layer_norm(row(out), row(x), decoder.gamma_d, decoder.beta_d, eps);
                x = out;
            }
            std::fill(y.begin(), y.end(), 0.0f);
            for (int v = 0; v < V; v++)
                for (int d = 0; d < D; d++) y[v] += x[d] * embedding(v, d);
            word = int(std::max_element(y.begin(), y.end()) - y.begin());
            words(b, t) = word;
            if (logits) std::copy(y.begin(), y.end(), &logits(b, t, 0));
        }
    }
}

}  // namespace attn
