// Only `generate` and `language_model` have work for a machine. The other functions are here because a
// yardstick has all functions of its contract.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "contracts/language_model_fast.h"
#include "contracts/positional_encoding_fast.h"
#include "contracts/transformer_block_fast.h"
#include "reference/fast/attention.h"
#include "reference/fast/buffer.h"
#include "reference/fast/layers.h"
#include "reference/fast/matmul.h"
#include "reference/refusals.h"

namespace attn::fast {
namespace {

constexpr float kEpsilon = 1e-5F;

/// A stack of blocks that keeps the keys and values of all places it has read, for B texts of `most`
/// places.
class CachedStack {
  public:
    CachedStack(const EncoderWeights<float>& weights, int B, int most, int H)
        : weights_(weights),
          B_(B),
          most_(most),
          H_(H),
          D_(weights.W_Q.size(2)),
          F_(weights.W_1.size(2)),
          keys_(static_cast<std::size_t>(weights.layers()) * room(most * D_)),
          values_(keys_.size()) {
        head_width(D_, H);
    }

    /// The next n places of each text enter as X [B, n, D] and leave as the output of the last block,
    /// without the last layer norm.
    void read(TensorView<float, 3> X) {
        for (int l = 0; l < weights_.layers(); ++l) {
            const BlockWeights<float> block = weights_.layer(l);
            attend(X, block, l);
            feed(X, block);
        }
        read_ += X.size(1);
    }

  private:
    std::size_t room(int numbers) const {
        return static_cast<std::size_t>(B_) * static_cast<std::size_t>(numbers);
    }

    /// X = X + MHA(LN_1(X), LN_1 of all places so far)
    void attend(TensorView<float, 3> X, const BlockWeights<float>& block, int l) {
        const int n = X.size(1), D = D_;
        float* const L = buffer_.get(3 * room(n * D));
        const TensorView<float, 2> rows(X.data(), B_ * n, D), normed(L, B_ * n, D),
            Q(L + rows.count(), B_ * n, D), O(Q.data() + rows.count(), B_ * n, D);
        fast::layer_norm(normed, rows, block.gamma_1, block.beta_1, kEpsilon);
        linear(Q, normed, block.attention.W_Q, block.attention.b_Q.data());
        float *const K = keys_.data() + static_cast<std::size_t>(l) * room(most_ * D),
                     *const V = values_.data() + static_cast<std::size_t>(l) * room(most_ * D);
        remember(K, normed, block.attention.W_K, block.attention.b_K);
        remember(V, normed, block.attention.W_V, block.attention.b_V);
        const std::ptrdiff_t D_h = D / H_, text = std::ptrdiff_t{most_} * D, own = std::ptrdiff_t{n} * D;
        Options causal;
        causal.causal = true;
        attention({O.data(), own, D_h, D}, {Q.data(), own, D_h, D}, {K, text, D_h, D}, {V, text, D_h, D},
                  {B_, H_, n, read_ + n, D / H_, D / H_}, causal);
        linear_and_residual(rows, rows, O, block.attention.W_O, block.attention.b_O.data());
    }

    /// X = X + FF(LN_2(X))
    void feed(TensorView<float, 3> X, const BlockWeights<float>& block) {
        const int count = B_ * X.size(1);
        float* const L = buffer_.get(static_cast<std::size_t>(count) * static_cast<std::size_t>(D_ + F_));
        const TensorView<float, 2> rows(X.data(), count, D_), normed(L, count, D_),
            U(L + rows.count(), count, F_);
        fast::layer_norm(normed, rows, block.gamma_2, block.beta_2, kEpsilon);
        linear(U, normed, block.W_1, block.b_1.data());
        activate(U, U, Activation::gelu_erf);
        linear_and_residual(rows, rows, U, block.W_2, block.b_2.data());
    }

    /// The same for the next places of a cache [B, most, D].
    void remember(float* cache, TensorView<const float, 2> X, TensorView<const float, 2> W,
                  TensorView<const float, 1> b) const {
        const int n = X.size(0) / B_;
        float* const first = cache + std::ptrdiff_t{read_} * D_;
        const std::ptrdiff_t text = std::ptrdiff_t{most_} * D_;
        if (n == 1) {  // one product for all texts
            linear({first, B_, D_, text}, X, W, b.data());
            return;
        }
        for (int k = 0; k < B_; ++k)
            linear({first + k * text, n, D_}, {X.data() + std::ptrdiff_t{k} * n * D_, n, D_}, W, b.data());
    }

    const EncoderWeights<float>& weights_;
    int B_, most_, H_, D_, F_, read_ = 0;
    std::vector<float> keys_, values_;
    Buffer buffer_;
};

/// X[b, i] = table[tokens[b, i]] + P[first + i]
void enter(TensorView<float, 3> X, TensorView<const int, 2> tokens, TensorView<const float, 2> table,
           TensorView<const float, 2> P, int first) {
    fast::embed_tokens(X, tokens, table);
    fast::add_positions(X, X, {P[first].data(), X.size(1), X.size(2)});
}

/// -sum_v q[v] ln p[v]
float surprise(TensorView<const float, 1> x, int target, float smoothing) {
    const int V = x.size(0);
    float most = x(0), sum = 0, total = 0;
    for (int v = 1; v < V; ++v) most = std::max(most, x(v));
    for (int v = 0; v < V; ++v) sum += std::exp(x(v) - most);
    const float log_sum = std::log(sum);
    for (int v = 0; v < V; ++v) {
        const float q = (v == target ? 1 - smoothing : 0) + smoothing / static_cast<float>(V);
        if (q > 0) total -= q * (x(v) - most - log_sum);
    }
    return total;
}

/// The tokens from the most probable one on, of equal ones the lower number first.
std::vector<int> by_probability(TensorView<const float, 1> P) {
    std::vector<int> order(static_cast<std::size_t>(P.size(0)));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int v, int w) { return P(v) > P(w); });
    return order;
}

/// Keeps the first tokens of the order while keep(number kept, their probability) says so. Returns the
/// token that u draws.
template <class Keep>
int draw_kept(TensorView<float, 1> Q, TensorView<const float, 1> P, float u, Keep keep) {
    std::fill_n(Q.data(), Q.count(), 0.0F);
    float before = 0, all = 0, sum = 0;
    int kept = 0, last = 0;
    for (const int v : by_probability(P)) {
        if (!keep(kept, before)) break;
        Q(v) = P(v);
        before += P(v);
        ++kept;
    }
    for (int v = 0; v < Q.size(0); ++v) all += Q(v);
    for (int v = 0; v < Q.size(0); ++v) Q(v) /= all;
    for (int v = 0; v < Q.size(0); ++v) {
        sum += Q(v);
        if (Q(v) > 0) last = v;
        if (sum > u) return v;
    }
    return last;
}

template <class Keep>
void draw_for_all(TensorView<int, 1> tokens, TensorView<float, 2> Q, TensorView<const float, 2> P,
                  TensorView<const float, 1> u, Keep keep) {
    std::vector<float> row(static_cast<std::size_t>(P.size(1)));
    for (int b = 0; b < P.size(0); ++b)
        tokens(b) = draw_kept(Q ? Q[b] : TensorView<float, 1>(row.data(), P.size(1)), P[b], u(b), keep);
}

}  // namespace

void embed_tokens(TensorView<float, 3> Y, TensorView<const int, 2> tokens, TensorView<const float, 2> table) {
    for (int b = 0; b < tokens.size(0); ++b)
        for (int i = 0; i < tokens.size(1); ++i) {
            require_inside(tokens(b, i), 0, table.size(0));
            std::copy_n(table[tokens(b, i)].data(), table.size(1), Y[b][i].data());
        }
}

void shift_right(TensorView<int, 2> tokens, TensorView<const int, 2> targets, int start) {
    for (int b = 0; b < tokens.size(0); ++b)
        for (int i = 0; i < tokens.size(1); ++i)
            tokens(b, i) = i == 0 || targets(b, i - 1) == -1 ? start : targets(b, i - 1);
}

void cross_entropy(TensorView<float, 1> loss, TensorView<float, 2> losses, TensorView<const float, 3> logits,
                   TensorView<const int, 2> targets, float smoothing) {
    float sum = 0;
    int counted = 0;
    for (int b = 0; b < targets.size(0); ++b)
        for (int i = 0; i < targets.size(1); ++i) {
            require_inside(targets(b, i), -1, logits.size(2));
            const bool counts = targets(b, i) != -1;
            const float one = counts ? surprise(logits[b][i], targets(b, i), smoothing) : 0;
            counted += counts ? 1 : 0;
            sum += one;
            if (losses) losses(b, i) = one;
        }
    loss(0) = counted > 0 ? sum / static_cast<float>(counted) : 0;
}

void perplexity(TensorView<float, 1> ppl, TensorView<const float, 3> logits,
                TensorView<const int, 2> targets) {
    fast::cross_entropy(ppl, {}, logits, targets, 0);
    ppl(0) = std::exp(ppl(0));
}

void next_token_probabilities(TensorView<float, 2> P, TensorView<const float, 3> logits, float temperature) {
    require_above_0(double{temperature});
    for (int b = 0; b < P.size(0); ++b)
        for (int v = 0; v < P.size(1); ++v) P(b, v) = logits(b, logits.size(1) - 1, v) / temperature;
    fast::softmax(P, P);
}

void sample_top_k(TensorView<int, 1> tokens, TensorView<float, 2> Q, TensorView<const float, 2> P,
                  TensorView<const float, 1> u, int k) {
    require_inside(k, 1, P.size(1) + 1);
    draw_for_all(tokens, Q, P, u, [k](int kept, float) { return kept < k; });
}

void sample_top_p(TensorView<int, 1> tokens, TensorView<float, 2> Q, TensorView<const float, 2> P,
                  TensorView<const float, 1> u, float p) {
    require_above_0(double{p});
    draw_for_all(tokens, Q, P, u, [p](int, float before) { return before < p; });
}

void language_model(TensorView<float, 3> logits, TensorView<const int, 2> tokens,
                    TensorView<const float, 2> table, TensorView<const float, 2> P,
                    const EncoderWeights<float>& weights, int H) {
    const int B = tokens.size(0), N = tokens.size(1), D = table.size(1);
    CachedStack stack(weights, B, N, H);
    std::vector<float> numbers(static_cast<std::size_t>(B * N) * static_cast<std::size_t>(D));
    const TensorView<float, 3> X(numbers.data(), B, N, D);
    const TensorView<float, 2> rows(numbers.data(), B * N, D);
    enter(X, tokens, table, P, 0);
    stack.read(X);
    fast::layer_norm(rows, rows, weights.gamma, weights.beta, kEpsilon);
    multiply_transposed(logits, Matrix<const float>(rows.data(), B * N, D), table, 1);
}

void generate(TensorView<int, 2> tokens, TensorView<const int, 2> prompt, TensorView<const float, 2> table,
              TensorView<const float, 2> P, const EncoderWeights<float>& weights,
              TensorView<const float, 2> u, int H, int k, float temperature, int eos) {
    const int B = prompt.size(0), N = prompt.size(1), N_new = tokens.size(1), D = table.size(1),
              V = table.size(0);
    CachedStack stack(weights, B, N + N_new - 1, H);
    require_inside(k, 1, V + 1);
    const auto texts = static_cast<std::size_t>(B);
    std::vector<float> entered(texts * static_cast<std::size_t>(N * D)),
        last(texts * static_cast<std::size_t>(D)), scores(texts * static_cast<std::size_t>(V)),
        chances(texts), next_P(scores.size());
    std::vector<int> drawn(texts);
    std::vector<bool> ended(texts, false);
    const TensorView<float, 2> rows(last.data(), B, D), next(next_P.data(), B, V);
    for (int t = 0; t < N_new; ++t) {
        // The whole prompt in one pass, then the newest token of each text alone.
        const int n = t == 0 ? N : 1;
        const TensorView<float, 3> X(entered.data(), B, n, D);
        enter(X, t == 0 ? prompt : TensorView<const int, 2>(drawn.data(), B, 1), table, P,
              t == 0 ? 0 : N + t - 1);
        stack.read(X);
        for (int b = 0; b < B; ++b) std::copy_n(X[b][n - 1].data(), D, rows[b].data());
        fast::layer_norm(rows, rows, weights.gamma, weights.beta, kEpsilon);
        const TensorView<float, 3> logits(scores.data(), B, 1, V);
        multiply_transposed(logits, rows, table, 1);
        fast::next_token_probabilities(next, logits, temperature);
        for (int b = 0; b < B; ++b) chances[static_cast<std::size_t>(b)] = u(b, t);
        fast::sample_top_k({drawn.data(), B}, {}, next, {chances.data(), B}, k);
        for (int b = 0; b < B; ++b) {
            const auto text = static_cast<std::size_t>(b);
            // What follows an end is read like any other token, but it is not drawn. eos may be no token.
            tokens(b, t) = ended[text] ? eos : drawn[text];
            ended[text] = ended[text] || tokens(b, t) == eos;
        }
    }
}

}  // namespace attn::fast
