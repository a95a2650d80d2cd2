// A right solution as a student would write it, independent of the reference. edits.toml changes parts of
// this text, so each text that it replaces must occur here exactly once.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "language_model.h"
#include "masking.h"
#include "multi_head.h"
#include "self_attention.h"

namespace attn {

static void refuse_if(bool wrong, const char* why) {
    if (wrong) throw std::invalid_argument(why);
}

void embed_tokens(TensorView<float, 3> Y, TensorView<const int, 2> tokens, TensorView<const float, 2> table) {
    const int V = table.size(0), D = table.size(1);
    for (int b = 0; b < tokens.size(0); b++)
        for (int i = 0; i < tokens.size(1); i++) {
            const int token = tokens(b, i);
            refuse_if(token < 0 || token >= V, "no such token");
            for (int d = 0; d < D; d++) Y(b, i, d) = table(token, d);
        }
}

void shift_right(TensorView<int, 2> tokens, TensorView<const int, 2> targets, int start) {
    for (int b = 0; b < targets.size(0); b++) {
        int previous = -1;
        for (int i = 0; i < targets.size(1); i++) {
            tokens(b, i) = previous < 0 ? start : previous;
            previous = targets(b, i);
        }
    }
}

void cross_entropy(TensorView<float, 1> loss, TensorView<float, 2> losses, TensorView<const float, 3> logits,
                   TensorView<const int, 2> targets, float smoothing) {
    const int N = logits.size(1), V = logits.size(2);
    float total = 0;
    int count = 0;
    for (int b = 0; b < logits.size(0); b++)
        for (int i = 0; i < N; i++) {
            const int target = targets(b, i);
            refuse_if(target < -1 || target >= V, "no such target");
            if (losses) losses(b, i) = 0;
            if (target == -1) continue;
            float m = logits(b, i, 0);
            for (int v = 1; v < V; v++) m = std::max(m, logits(b, i, v));
            float Z = 0, mean = 0;
            for (int v = 0; v < V; v++) {
                Z += std::exp(logits(b, i, v) - m);
                mean += logits(b, i, v) / V;
            }
            const float log_Z = m + std::log(Z);
            const float one = (1 - smoothing) * (log_Z - logits(b, i, target)) + smoothing * (log_Z - mean);
            if (losses) losses(b, i) = one;
            total += one;
            count++;
        }
    loss(0) = count == 0 ? 0 : total / count;
}

void perplexity(TensorView<float, 1> ppl, TensorView<const float, 3> logits,
                TensorView<const int, 2> targets) {
    float loss = 0;
    cross_entropy(TensorView<float, 1>(&loss, 1), {}, logits, targets, 0);
    ppl(0) = std::exp(loss);
}

void next_token_probabilities(TensorView<float, 2> P, TensorView<const float, 3> logits, float temperature) {
    refuse_if(!(temperature > 0), "temperature");
    const int B = logits.size(0), N = logits.size(1), V = logits.size(2);
    std::vector<float> scaled(B * V);
    for (int b = 0; b < B; b++)
        for (int v = 0; v < V; v++) scaled[b * V + v] = logits(b, N - 1, v) / temperature;
    softmax(P, TensorView<const float, 2>(scaled.data(), B, V));
}

// The numbers of the tokens, the most probable one first.
static std::vector<int> by_probability(TensorView<const float, 1> P) {
    std::vector<int> order(P.size(0));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return P(a) > P(b); });
    return order;
}

// Keeps the tokens order[0 .. count - 1], writes Q if it is wanted, and draws.
static int draw(TensorView<float, 2> Q, int b, TensorView<const float, 1> P, const std::vector<int>& order,
                int count, float u) {
    const int V = P.size(0);
    std::vector<float> q(V);
    float all = 0;
    for (int n = 0; n < count; n++) all += P(order[n]);
    for (int n = 0; n < count; n++) q[order[n]] = P(order[n]) / all;
    if (Q)
        for (int v = 0; v < V; v++) Q(b, v) = q[v];
    float sum = 0;
    int last = 0;  // in case rounding leaves the sum below u
    for (int v = 0; v < V; v++) {
        sum += q[v];
        if (q[v] > 0) last = v;
        if (sum > u) return v;
    }
    return last;
}

void sample_top_k(TensorView<int, 1> tokens, TensorView<float, 2> Q, TensorView<const float, 2> P,
                  TensorView<const float, 1> u, int k) {
    refuse_if(k < 1 || k > P.size(1), "k");
    for (int b = 0; b < P.size(0); b++) tokens(b) = draw(Q, b, P[b], by_probability(P[b]), k, u(b));
}

void sample_top_p(TensorView<int, 1> tokens, TensorView<float, 2> Q, TensorView<const float, 2> P,
                  TensorView<const float, 1> u, float p) {
    refuse_if(!(p > 0), "p");
    for (int b = 0; b < P.size(0); b++) {
        const std::vector<int> order = by_probability(P[b]);
        int count = 0;
        float sum = 0;
        while (count < P.size(1) && sum < p) sum += P(b, order[count++]);
        tokens(b) = draw(Q, b, P[b], order, count, u(b));
    }
}

void language_model(TensorView<float, 3> logits, TensorView<const int, 2> tokens,
                    TensorView<const float, 2> table, TensorView<const float, 2> P,
                    const EncoderWeights<float>& weights, int H) {
    const int B = tokens.size(0), N = tokens.size(1), V = table.size(0), D = table.size(1);
    std::vector<float> x(B * N * D), y(B * N * D);
    std::vector<std::uint8_t> m(B * N * N);
    const TensorView<float, 3> X(x.data(), B, N, D), Y(y.data(), B, N, D);
    const TensorView<std::uint8_t, 3> mask(m.data(), B, N, N);
    embed_tokens(X, tokens, table);
    for (int b = 0; b < B; b++) {
        causal_mask(mask[b]);
        for (int i = 0; i < N; i++)
            for (int d = 0; d < D; d++) X(b, i, d) += P(i, d);
    }
    transformer_encoder(Y, X, weights, mask, H, Norm::pre, Activation::gelu_erf, 1e-5f);
    for (int b = 0; b < B; b++)
        for (int i = 0; i < N; i++)
            for (int v = 0; v < V; v++) {
                float dot = 0;
                for (int d = 0; d < D; d++) dot += Y(b, i, d) * table(v, d);
                logits(b, i, v) = dot;
            }
}

// y = x W + b
static std::vector<float> linear(const std::vector<float>& x, TensorView<const float, 2> W,
                                 TensorView<const float, 1> b) {
    std::vector<float> y(W.size(1));
    for (int j = 0; j < W.size(1); j++) {
        y[j] = b(j);
        for (int i = 0; i < W.size(0); i++) y[j] += x[i] * W(i, j);
    }
    return y;
}

static std::vector<float> norm(const std::vector<float>& x, TensorView<const float, 1> gamma,
                               TensorView<const float, 1> beta) {
    const int D = static_cast<int>(x.size());
    std::vector<float> y(D);
    layer_norm(TensorView<float, 2>(y.data(), 1, D), TensorView<const float, 2>(x.data(), 1, D), gamma, beta,
               1e-5f);
    return y;
}

void generate(TensorView<int, 2> tokens, TensorView<const int, 2> prompt, TensorView<const float, 2> table,
              TensorView<const float, 2> P, const EncoderWeights<float>& weights,
              TensorView<const float, 2> u, int H, int k, float temperature, int eos) {
    const int N = prompt.size(1), N_new = tokens.size(1), V = table.size(0), D = table.size(1),
              L = weights.layers();
    refuse_if(k < 1 || k > V || !(temperature > 0) || D % H != 0, "k, temperature or H");
    const int W = D / H;
    for (int b = 0; b < prompt.size(0); b++) {
        std::vector<std::vector<std::vector<float>>> keys(L), values(L);  // [block][place][feature]
        int written = 0;
        for (int i = 0; written < N_new; i++) {
            const int token = i < N ? prompt(b, i) : tokens(b, i - N);
            refuse_if(token < 0 || token >= V, "no such token");
            std::vector<float> x(D);
            for (int d = 0; d < D; d++) x[d] = table(token, d) + P(i, d);
            for (int l = 0; l < L; l++) {
                const BlockWeights<float> w = weights.layer(l);
                const std::vector<float> n = norm(x, w.gamma_1, w.beta_1);
                const std::vector<float> q = linear(n, w.attention.W_Q, w.attention.b_Q);
                keys[l].push_back(linear(n, w.attention.W_K, w.attention.b_K));
                values[l].push_back(linear(n, w.attention.W_V, w.attention.b_V));
                std::vector<float> heads(D);
                for (int h = 0; h < H; h++) {
                    std::vector<float> e(i + 1);
                    float largest = 0, sum = 0;
                    for (int j = 0; j <= i; j++) {
                        for (int d = h * W; d < h * W + W; d++) e[j] += q[d] * keys[l][j][d];
                        e[j] /= std::sqrt(float(W));
                        largest = j == 0 ? e[0] : std::max(largest, e[j]);
                    }
                    for (float& each : e) sum += each = std::exp(each - largest);
                    for (int j = 0; j <= i; j++)
                        for (int d = h * W; d < h * W + W; d++) heads[d] += e[j] / sum * values[l][j][d];
                }
                const std::vector<float> o = linear(heads, w.attention.W_O, w.attention.b_O);
                for (int d = 0; d < D; d++) x[d] += o[d];
                std::vector<float> f = linear(norm(x, w.gamma_2, w.beta_2), w.W_1, w.b_1);
                for (float& each : f) each = each * (1 + std::erf(each / std::sqrt(2.0f))) / 2;
                f = linear(f, w.W_2, w.b_2);
                for (int d = 0; d < D; d++) x[d] += f[d];
            }
            if (i < N - 1) continue;
            const std::vector<float> y = norm(x, weights.gamma, weights.beta);
            std::vector<float> logits(V), p(V);
            for (int v = 0; v < V; v++)
                for (int d = 0; d < D; d++) logits[v] += y[d] * table(v, d);
            next_token_probabilities(TensorView<float, 2>(p.data(), 1, V),
                                     TensorView<const float, 3>(logits.data(), 1, 1, V), temperature);
            sample_top_k(TensorView<int, 1>(&tokens(b, written), 1), {},
                         TensorView<const float, 2>(p.data(), 1, V),
                         TensorView<const float, 1>(&u(b, written), 1), k);
            if (tokens(b, written++) == eos)
                while (written < N_new) tokens(b, written++) = eos;
        }
    }
}

}  // namespace attn
