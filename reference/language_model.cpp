#include <algorithm>
#include <cmath>
#include <vector>

#include "contracts/language_model_reference.h"
#include "contracts/self_attention_reference.h"
#include "contracts/transformer_block_reference.h"
#include "reference/owned.h"
#include "reference/refusals.h"

namespace attn::cpu {
namespace {

/// -sum_v q[v] ln p[v] with p = softmax(x) and q[v] = (1 - smoothing) [v = target] + smoothing / V
template <class T>
T surprise(TensorView<const T, 1> x, int target, T smoothing) {
    const int V = x.size(0);
    T max = x(0);
    for (int v = 1; v < V; ++v) max = std::max(max, x(v));
    T sum = 0;
    for (int v = 0; v < V; ++v) sum += std::exp(x(v) - max);
    // ln p[v] = x[v] - max - ln sum; the logarithm of a softmax would be -inf where the softmax is 0.
    T total = 0;
    for (int v = 0; v < V; ++v) {
        const T q = (v == target ? 1 - smoothing : T(0)) + smoothing / static_cast<T>(V);
        if (q > 0) total -= q * (x(v) - max - std::log(sum));
    }
    return total;
}

/// Whether token w comes before token v: it is more probable, or equally probable and has the lower number.
template <class T>
bool comes_before(TensorView<const T, 1> P, int w, int v) {
    return P(w) > P(v) || (P(w) == P(v) && w < v);
}

/// The first token v with Q[0] + .. + Q[v] > u. If rounding leaves none, the last one with a probability.
template <class T>
int drawn(TensorView<const T, 1> Q, T u) {
    T sum = 0;
    int last = 0;
    for (int v = 0; v < Q.size(0); ++v) {
        sum += Q(v);
        if (Q(v) > 0) last = v;
        if (sum > u) return v;
    }
    return last;
}

/// Q = P without the tokens that are not kept, divided by its sum
template <class T>
void renormalise(TensorView<T, 1> Q) {
    T sum = 0;
    for (int v = 0; v < Q.size(0); ++v) sum += Q(v);
    for (int v = 0; v < Q.size(0); ++v) Q(v) /= sum;
}

/// y = x W + b, a row
template <class T>
void project_row(TensorView<T, 1> y, TensorView<const T, 1> x, TensorView<const T, 2> W,
                 TensorView<const T, 1> b) {
    for (int d = 0; d < y.size(0); ++d) {
        T sum = 0;
        for (int k = 0; k < x.size(0); ++k) sum += x(k) * W(k, d);
        y(d) = sum + b(d);
    }
}

template <class T>
T epsilon() {
    return T(0.00001);
}

/// The attention of one query q over the keys and values 0 .. i, head by head: y [D]
template <class T>
void attend_to_cache(TensorView<T, 1> y, TensorView<const T, 1> q, TensorView<const T, 2> K,
                     TensorView<const T, 2> V, int i, int H) {
    const int D_h = q.size(0) / H;
    Owned<T, 2> scores(1, i + 1), weights(1, i + 1);
    const TensorView<T, 2> E = scores.view, A = weights.view;
    for (int h = 0; h < H; ++h) {
        for (int j = 0; j <= i; ++j) {
            T dot = 0;
            for (int d = h * D_h; d < (h + 1) * D_h; ++d) dot += q(d) * K(j, d);
            E(0, j) = dot / std::sqrt(static_cast<T>(D_h));
        }
        softmax<T>(A, E);
        for (int d = h * D_h; d < (h + 1) * D_h; ++d) {
            T sum = 0;
            for (int j = 0; j <= i; ++j) sum += A(0, j) * V(j, d);
            y(d) = sum;
        }
    }
}

/// One block for the token at place i alone: x [1, D]. K and V hold the keys and values of places 0 .. i - 1,
/// and get those of place i.
template <class T>
void block_with_cache(TensorView<T, 2> x, TensorView<T, 2> K, TensorView<T, 2> V, int i,
                      const BlockWeights<T>& weights, int H) {
    const int D = x.size(1);
    Owned<T, 2> rows(4, D), fed(1, D);
    const TensorView<T, 2> R = rows.view, fed_row = fed.view;
    const TensorView<T, 2> normed(R[0].data(), 1, D);
    // Z = x + MHA(LN_1(x), LN_1 of all places so far)
    layer_norm<T>(normed, x, weights.gamma_1, weights.beta_1, epsilon<T>());
    project_row<T>(R[1], normed[0], weights.attention.W_Q, weights.attention.b_Q);
    project_row<T>(K[i], normed[0], weights.attention.W_K, weights.attention.b_K);
    project_row<T>(V[i], normed[0], weights.attention.W_V, weights.attention.b_V);
    attend_to_cache<T>(R[2], R[1], K, V, i, H);
    project_row<T>(R[3], R[2], weights.attention.W_O, weights.attention.b_O);
    for (int d = 0; d < D; ++d) x(0, d) += R(3, d);
    // x = Z + FF(LN_2(Z))
    layer_norm<T>(normed, x, weights.gamma_2, weights.beta_2, epsilon<T>());
    feed_forward<T>(fed_row, normed, weights.W_1, weights.b_1, weights.W_2, weights.b_2,
                    Activation::gelu_erf);
    for (int d = 0; d < D; ++d) x(0, d) += fed_row(0, d);
}

}  // namespace

template <class T>
void embed_tokens(TensorView<T, 3> Y, TensorView<const int, 2> tokens, TensorView<const T, 2> table) {
    for (int b = 0; b < tokens.size(0); ++b) {
        for (int i = 0; i < tokens.size(1); ++i) {
            require_inside(tokens(b, i), 0, table.size(0));
            for (int d = 0; d < table.size(1); ++d) Y(b, i, d) = table(tokens(b, i), d);
        }
    }
}

void shift_right(TensorView<int, 2> tokens, TensorView<const int, 2> targets, int start) {
    for (int b = 0; b < tokens.size(0); ++b) {
        tokens(b, 0) = start;
        for (int i = 1; i < tokens.size(1); ++i)
            tokens(b, i) = targets(b, i - 1) == -1 ? start : targets(b, i - 1);
    }
}

template <class T>
void cross_entropy(TensorView<T, 1> loss, TensorView<T, 2> losses, TensorView<const T, 3> logits,
                   TensorView<const int, 2> targets, T smoothing) {
    T sum = 0;
    int counted = 0;
    for (int b = 0; b < targets.size(0); ++b) {
        for (int i = 0; i < targets.size(1); ++i) {
            require_inside(targets(b, i), -1, logits.size(2));
            T one = 0;
            if (targets(b, i) != -1) {
                one = surprise<T>(logits[b][i], targets(b, i), smoothing);
                ++counted;
            }
            sum += one;
            if (losses) losses(b, i) = one;
        }
    }
    loss(0) = counted > 0 ? sum / static_cast<T>(counted) : T(0);
}

template <class T>
void perplexity(TensorView<T, 1> ppl, TensorView<const T, 3> logits, TensorView<const int, 2> targets) {
    cross_entropy<T>(ppl, {}, logits, targets, T(0));
    ppl(0) = std::exp(ppl(0));
}

template <class T>
void next_token_probabilities(TensorView<T, 2> P, TensorView<const T, 3> logits, T temperature) {
    require_above_0(temperature);
    const int last = logits.size(1) - 1;
    for (int b = 0; b < P.size(0); ++b)
        for (int v = 0; v < P.size(1); ++v) P(b, v) = logits(b, last, v) / temperature;
    softmax<T>(P, P);
}

template <class T>
void sample_top_k(TensorView<int, 1> tokens, TensorView<T, 2> Q, TensorView<const T, 2> P,
                  TensorView<const T, 1> u, int k) {
    const int V = P.size(1);
    require_inside(k, 1, V + 1);
    Owned<T, 2> kept(1, V);
    for (int b = 0; b < P.size(0); ++b) {
        const TensorView<T, 1> Q_b = Q ? Q[b] : kept.view[0];
        for (int v = 0; v < V; ++v) {
            int rank = 0;  // how many tokens come before v
            for (int w = 0; w < V; ++w) rank += comes_before<T>(P[b], w, v) ? 1 : 0;
            Q_b(v) = rank < k ? P(b, v) : T(0);
        }
        renormalise<T>(Q_b);
        tokens(b) = drawn<T>(Q_b, u(b));
    }
}

template <class T>
void sample_top_p(TensorView<int, 1> tokens, TensorView<T, 2> Q, TensorView<const T, 2> P,
                  TensorView<const T, 1> u, T p) {
    const int V = P.size(1);
    require_above_0(p);
    Owned<T, 2> kept(1, V);
    for (int b = 0; b < P.size(0); ++b) {
        const TensorView<T, 1> Q_b = Q ? Q[b] : kept.view[0];
        for (int v = 0; v < V; ++v) {
            T before = 0;  // the probability of the tokens that come before v
            for (int w = 0; w < V; ++w) before += comes_before<T>(P[b], w, v) ? P(b, w) : T(0);
            Q_b(v) = before < p ? P(b, v) : T(0);
        }
        renormalise<T>(Q_b);
        tokens(b) = drawn<T>(Q_b, u(b));
    }
}

template <class T>
void language_model(TensorView<T, 3> logits, TensorView<const int, 2> tokens, TensorView<const T, 2> table,
                    TensorView<const T, 2> P, const EncoderWeights<T>& weights, int H) {
    const int B = tokens.size(0), N = tokens.size(1), V = table.size(0), D = table.size(1);
    Owned<T, 2> inputs(B * N, D), outputs(B * N, D);
    std::vector<std::uint8_t> allowed(static_cast<std::size_t>(B) * static_cast<std::size_t>(N) *
                                      static_cast<std::size_t>(N));
    const TensorView<T, 3> X(inputs.view.data(), B, N, D), Y(outputs.view.data(), B, N, D);
    const TensorView<std::uint8_t, 3> mask(allowed.data(), B, N, N);
    // X = table[tokens] + P, and no token sees a later one
    embed_tokens<T>(X, tokens, table);
    for (int b = 0; b < B; ++b) {
        for (int i = 0; i < N; ++i) {
            for (int d = 0; d < D; ++d) X(b, i, d) += P(i, d);
            for (int j = 0; j < N; ++j) mask(b, i, j) = j <= i ? 1 : 0;
        }
    }
    // Y = the blocks and the last layer norm of X
    transformer_encoder<T>(Y, X, weights, mask, H, Norm::pre, Activation::gelu_erf, epsilon<T>());
    // logits = Y table^T
    for (int b = 0; b < B; ++b) {
        for (int i = 0; i < N; ++i) {
            for (int v = 0; v < V; ++v) {
                T dot = 0;
                for (int d = 0; d < D; ++d) dot += Y(b, i, d) * table(v, d);
                logits(b, i, v) = dot;
            }
        }
    }
}

template <class T>
void generate(TensorView<int, 2> tokens, TensorView<const int, 2> prompt, TensorView<const T, 2> table,
              TensorView<const T, 2> P, const EncoderWeights<T>& weights, TensorView<const T, 2> u, int H,
              int k, T temperature, int eos) {
    const int B = prompt.size(0), N = prompt.size(1), N_new = tokens.size(1), D = table.size(1),
              V = table.size(0), L = weights.layers(), last = N + N_new - 1;
    head_width(D, H);
    require_inside(k, 1, V + 1);
    require_above_0(temperature);
    Owned<T, 2> stream(1, D), normed(1, D), keys(L * last, D), values(L * last, D), scores_and_P(2, V);
    const TensorView<T, 2> x = stream.view, y = normed.view;
    const TensorView<T, 3> K(keys.view.data(), L, last, D), V_cache(values.view.data(), L, last, D);
    const TensorView<T, 3> logits(scores_and_P.view.data(), 1, 1, V);
    const TensorView<T, 2> next_P(scores_and_P.view[1].data(), 1, V);
    for (int b = 0; b < B; ++b) {
        bool ended = false;
        for (int i = 0; i < last; ++i) {
            // The token at place i goes through the model; it meets the others in the cache.
            const int token = i < N ? prompt(b, i) : tokens(b, i - N);
            require_inside(token, 0, V);
            for (int d = 0; d < D; ++d) x(0, d) = table(token, d) + P(i, d);
            for (int l = 0; l < L; ++l) block_with_cache<T>(x, K[l], V_cache[l], i, weights.layer(l), H);
            if (i >= N - 1) {
                layer_norm<T>(y, x, weights.gamma, weights.beta, epsilon<T>());
                for (int v = 0; v < V; ++v) {
                    T dot = 0;
                    for (int d = 0; d < D; ++d) dot += y(0, d) * table(v, d);
                    logits(0, 0, v) = dot;
                }
                next_token_probabilities<T>(next_P, logits, temperature);
                const int at = i - (N - 1);
                sample_top_k<T>(TensorView<int, 1>(tokens[b].data() + at, 1), {}, next_P,
                                TensorView<const T, 1>(u[b].data() + at, 1), k);
                if (ended) tokens(b, at) = eos;
                ended = ended || tokens(b, at) == eos;
            }
        }
    }
}

}  // namespace attn::cpu

#include "contracts/language_model_instances.h"
