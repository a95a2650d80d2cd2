#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "assignments/14_training/flat_model.h"
#include "contracts/backward_reference.h"
#include "contracts/language_model_reference.h"
#include "contracts/self_attention_reference.h"
#include "contracts/training_reference.h"
#include "contracts/transformer_block_reference.h"
#include "reference/refusals.h"

namespace attn::cpu {
namespace {

/// Vaswani et al.: up in a straight line, then down with the root of t
template <class T>
T inverse_root(int t, T peak, int warmup) {
    const T rising = static_cast<T>(t) / static_cast<T>(warmup);
    const T falling = std::sqrt(static_cast<T>(warmup) / static_cast<T>(t));
    return peak * std::min(rising, falling);
}

/// Up in a straight line, then down with half a cosine
template <class T>
T cosine(int t, T peak, T least, int warmup, int steps) {
    // cosine eta[t - 1] = peak t / warmup where t <= warmup
    if (t <= warmup) return peak * static_cast<T>(t) / static_cast<T>(warmup);
    if (t >= steps) return least;
    // cosine eta[t - 1] = least + (peak - least) (1 + cos(pi s)) / 2, s = (t - warmup) / (steps - warmup)
    const T s = static_cast<T>(t - warmup) / static_cast<T>(steps - warmup);
    return least + (peak - least) * (1 + std::cos(std::numbers::pi_v<T> * s)) / 2;
}

/// theta = factor normals for `count` numbers from `first` on. They decay.
template <class T>
void random_part(TensorView<T, 1> theta, TensorView<std::uint8_t, 1> decays, TensorView<const T, 1> normals,
                 int first, int count, T factor) {
    for (int w = first; w < first + count; ++w) {
        theta(w) = factor * normals(w);
        decays(w) = 1;
    }
}

/// The same number for `count` numbers from `first` on. They do not decay.
template <class T>
void constant_part(TensorView<T, 1> theta, TensorView<std::uint8_t, 1> decays, int first, int count,
                   T number) {
    for (int w = first; w < first + count; ++w) {
        theta(w) = number;
        decays(w) = 0;
    }
}

/// The eps of all layer norms
template <class T>
T norm_eps() {
    return T(0.00001);
}

/// The rows of all sentences, one after the other: [B, N, D] as [B N, D]
template <class T>
TensorView<T, 2> rows_of(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

/// What the model reads while it predicts the targets: START, which is 0, and then they, one place later
void read_tokens(TensorView<int, 2> tokens, TensorView<const int, 2> targets) {
    for (int b = 0; b < targets.size(0); ++b)
        for (int i = 0; i < targets.size(1); ++i)
            tokens(b, i) = i == 0 || targets(b, i - 1) == -1 ? 0 : targets(b, i - 1);
}

/// From tokens to logits. X [L + 1, B, N, D] gets the inputs of the blocks and the last one's output, Y [B, N, D] what
/// the last layer norm makes of it, and mask [B, N, N] which token may see which.
template <class T>
void model(TensorView<T, 4> X, TensorView<T, 3> Y, TensorView<T, 3> logits, TensorView<std::uint8_t, 3> mask,
           TensorView<const T, 1> theta, TensorView<const int, 2> tokens, int F, int H) {
    const int L = X.size(0) - 1, B = X.size(1), N = X.size(2), D = X.size(3), V = logits.size(2);
    const int last = begin_of_block(V, N, D, F, L);
    const TensorView<const T, 2> table(theta.data(), V, D), P(theta.data() + V * D, N, D);
    // X_0 = table[tokens] + P, and no token sees a later one
    embed_tokens<T>(X[0], tokens, table);
    for (int b = 0; b < B; ++b) {
        for (int i = 0; i < N; ++i) {
            for (int d = 0; d < D; ++d) X(0, b, i, d) += P(i, d);
            for (int j = 0; j < N; ++j) mask(b, i, j) = j <= i ? 1 : 0;
        }
    }
    for (int l = 0; l < L; ++l)
        transformer_block<T>(X[l + 1], X[l], block_at<T>(theta, begin_of_block(V, N, D, F, l), D, F), mask, H,
                             Norm::pre, Activation::gelu_erf, norm_eps<T>());
    layer_norm<T>(rows_of<T>(Y), rows_of<const T>(X[L]), TensorView<const T, 1>(theta.data() + last, D),
                  TensorView<const T, 1>(theta.data() + last + D, D), norm_eps<T>());
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

}  // namespace

template <class T>
void adamw_step(TensorView<T, 1> theta_new, TensorView<T, 1> m_new, TensorView<T, 1> v_new,
                TensorView<const T, 1> theta, TensorView<const T, 1> gradient, TensorView<const T, 1> m,
                TensorView<const T, 1> v, TensorView<const std::uint8_t, 1> decays, int t, T eta, T beta_1,
                T beta_2, T eps, T decay) {
    require_above_0(t);
    for (int w = 0; w < theta.size(0); ++w) {
        // m_new = beta_1 m + (1 - beta_1) gradient
        m_new(w) = beta_1 * m(w) + (1 - beta_1) * gradient(w);
        // v_new = beta_2 v + (1 - beta_2) gradient^2
        v_new(w) = beta_2 * v(w) + (1 - beta_2) * gradient(w) * gradient(w);
        // m and v began at 0 and are too small at first.
        // m_hat = m_new / (1 - beta_1^t)
        const T m_hat = m_new(w) / (1 - std::pow(beta_1, static_cast<T>(t)));
        // v_hat = v_new / (1 - beta_2^t)
        const T v_hat = v_new(w) / (1 - std::pow(beta_2, static_cast<T>(t)));
        // theta_new = theta - eta (m_hat / (sqrt(v_hat) + eps) + decay decays theta)
        const T shrunk = decays(w) != 0 ? decay * theta(w) : T(0);
        theta_new(w) = theta(w) - eta * (m_hat / (std::sqrt(v_hat) + eps) + shrunk);
    }
}

template <class T>
void learning_rate(TensorView<T, 1> eta, Schedule schedule, T peak, T least, int warmup, int steps) {
    require_above_0(warmup);
    for (int t = 1; t <= eta.size(0); ++t)
        eta(t - 1) = schedule == Schedule::cosine ? cosine<T>(t, peak, least, warmup, steps)
                                                  : inverse_root<T>(t, peak, warmup);
}

template <class T>
void clip_gradients(TensorView<T, 1> clipped, TensorView<T, 1> norm, TensorView<const T, 1> gradient,
                    T most) {
    require_above_0(static_cast<double>(most));
    T sum = 0;
    for (int w = 0; w < gradient.size(0); ++w) sum += gradient(w) * gradient(w);
    const T length = std::sqrt(sum);
    if (norm) norm(0) = length;
    const T factor = length > most ? most / length : T(1);
    for (int w = 0; w < gradient.size(0); ++w) clipped(w) = factor * gradient(w);
}

template <class T>
void initialise(TensorView<T, 1> theta, TensorView<std::uint8_t, 1> decays, TensorView<const T, 1> normals,
                int V, int N, int D, int F, int L) {
    const T in_D = 1 / std::sqrt(static_cast<T>(D)), in_F = 1 / std::sqrt(static_cast<T>(F));
    const T residual = 1 / std::sqrt(static_cast<T>(2 * L));
    const auto random = [&](int first, int count, T factor) {
        random_part<T>(theta, decays, normals, first, count, factor);
    };
    const auto constant = [&](int first, int count, int number) {
        constant_part<T>(theta, decays, first, count, static_cast<T>(number));
    };
    random(0, V * D, in_D);      // the table
    random(V * D, N * D, in_D);  // the positions
    for (int l = 0; l < L; ++l) {
        const int begin = begin_of_block(V, N, D, F, l), projection = D * D + D;
        constant(begin, D, 1);      // gamma_1
        constant(begin + D, D, 0);  // beta_1
        const int W_Q = begin + 2 * D, W_O = W_Q + 3 * projection;
        for (int k = 0; k < 4; ++k) {  // W_Q and b_Q, then those of K, V and O
            random(W_Q + k * projection, D * D, W_Q + k * projection == W_O ? in_D * residual : in_D);
            constant(W_Q + k * projection + D * D, D, 0);
        }
        const int gamma_2 = W_O + projection, W_1 = gamma_2 + 2 * D, W_2 = W_1 + D * F + F;
        constant(gamma_2, D, 1);
        constant(gamma_2 + D, D, 0);  // beta_2
        random(W_1, D * F, in_D);
        constant(W_1 + D * F, F, 0);  // b_1
        random(W_2, F * D, in_F * residual);
        constant(W_2 + F * D, D, 0);  // b_2
    }
    const int gamma = begin_of_block(V, N, D, F, L);
    constant(gamma, D, 1);
    constant(gamma + D, D, 0);  // beta
}

template <class T>
void language_model_backward(TensorView<T, 1> loss, TensorView<T, 1> gradient, TensorView<const T, 1> theta,
                             TensorView<const int, 2> tokens, TensorView<const int, 2> targets, int V, int D,
                             int F, int H, int L) {
    const int B = tokens.size(0), N = tokens.size(1), last = begin_of_block(V, N, D, F, L);
    const std::size_t rows = static_cast<std::size_t>(B) * static_cast<std::size_t>(N);
    const std::size_t numbers = rows * static_cast<std::size_t>(D);
    std::vector<T> states(numbers * static_cast<std::size_t>(L + 1)), dstates(states.size()), normed(numbers),
        dnormed(numbers), scores(rows * static_cast<std::size_t>(V)), dscores(scores.size()), one(1, 1);
    std::vector<std::uint8_t> allowed(rows * static_cast<std::size_t>(N));
    const TensorView<T, 4> X(states.data(), L + 1, B, N, D), dX(dstates.data(), L + 1, B, N, D);
    const TensorView<T, 3> Y(normed.data(), B, N, D), dY(dnormed.data(), B, N, D);
    const TensorView<T, 3> logits(scores.data(), B, N, V), dlogits(dscores.data(), B, N, V);
    const TensorView<std::uint8_t, 3> mask(allowed.data(), B, N, N);
    const TensorView<const T, 2> table(theta.data(), V, D);
    const TensorView<T, 2> dtable(gradient.data(), V, D), dP(gradient.data() + V * D, N, D);
    head_width(D, H);
    model<T>(X, Y, logits, mask, theta, tokens, F, H);
    cross_entropy<T>(loss, {}, logits, targets, T(0));
    cross_entropy_backward<T>(dlogits, TensorView<const T, 1>(one.data(), 1), logits, targets, T(0));
    // logits = Y table^T: dY = dlogits table, dtable = dlogits^T Y
    for (int w = 0; w < last; ++w) gradient(w) = 0;
    for (int b = 0; b < B; ++b) {
        for (int i = 0; i < N; ++i) {
            for (int d = 0; d < D; ++d) {
                dY(b, i, d) = 0;
                for (int v = 0; v < V; ++v) {
                    dY(b, i, d) += dlogits(b, i, v) * table(v, d);
                    dtable(v, d) += dlogits(b, i, v) * Y(b, i, d);
                }
            }
        }
    }
    layer_norm_backward<T>(rows_of<T>(dX[L]), TensorView<T, 1>(gradient.data() + last, D),
                           TensorView<T, 1>(gradient.data() + last + D, D), rows_of<const T>(dY),
                           rows_of<const T>(X[L]), TensorView<const T, 1>(theta.data() + last, D),
                           TensorView<const T, 1>(theta.data() + last + D, D), norm_eps<T>());
    for (int l = L - 1; l >= 0; --l) {
        const int begin = begin_of_block(V, N, D, F, l);
        transformer_block_backward<T>(dX[l], block_gradients_at<T>(gradient, begin, D, F), dX[l + 1], X[l],
                                      block_at<T>(theta, begin, D, F), mask, H, Norm::pre,
                                      Activation::gelu_erf, norm_eps<T>());
    }
    // X_0 = table[tokens] + P: a row of the table gets something from each place where its token stands.
    for (int b = 0; b < B; ++b) {
        for (int i = 0; i < N; ++i) {
            for (int d = 0; d < D; ++d) {
                dtable(tokens(b, i), d) += dX(0, b, i, d);
                dP(i, d) += dX(0, b, i, d);
            }
        }
    }
}

template <class T>
void train_step(TensorView<T, 1> theta_new, TensorView<T, 1> m_new, TensorView<T, 1> v_new,
                TensorView<T, 1> loss, TensorView<const T, 1> theta, TensorView<const T, 1> m,
                TensorView<const T, 1> v, TensorView<const std::uint8_t, 1> decays,
                TensorView<const int, 2> targets, int V, int D, int F, int H, int L, int t, T eta, T most,
                T decay) {
    std::vector<int> shifted(static_cast<std::size_t>(targets.count()));
    std::vector<T> slopes(static_cast<std::size_t>(theta.size(0)));
    const TensorView<int, 2> tokens(shifted.data(), targets.size(0), targets.size(1));
    const TensorView<T, 1> gradient(slopes.data(), theta.size(0));
    read_tokens(tokens, targets);
    // loss, gradient = language_model_backward(theta, tokens, targets)
    language_model_backward<T>(loss, gradient, theta, tokens, targets, V, D, F, H, L);
    // clipped = clip_gradients(gradient, most)
    clip_gradients<T>(gradient, {}, gradient, most);
    // theta_new, m_new, v_new = adamw_step(theta, clipped, m, v)
    adamw_step<T>(theta_new, m_new, v_new, theta, gradient, m, v, decays, t, eta, T(0.9), T(0.99), T(0.00001),
                  decay);
}

template <class T>
void train(TensorView<T, 1> losses, TensorView<T, 1> theta_new, TensorView<T, 3> P,
           TensorView<const T, 1> theta, TensorView<const std::uint8_t, 1> decays,
           TensorView<const int, 2> targets, TensorView<const T, 1> eta, int V, int D, int F, int H, int L,
           T most, T decay) {
    const int B = targets.size(0), N = targets.size(1), W = theta.size(0);
    std::vector<T> means(static_cast<std::size_t>(W)), squares(means.size());
    const TensorView<T, 1> m(means.data(), W), v(squares.data(), W);
    for (int w = 0; w < W; ++w) theta_new(w) = theta(w);
    for (int t = 1; t <= eta.size(0); ++t)
        train_step<T>(theta_new, m, v, TensorView<T, 1>(losses.data() + (t - 1), 1), theta_new, m, v, decays,
                      targets, V, D, F, H, L, t, eta(t - 1), most, decay);
    // P = softmax(logits) of the trained model
    std::vector<int> shifted(static_cast<std::size_t>(targets.count()));
    const std::size_t rows = static_cast<std::size_t>(B) * static_cast<std::size_t>(N);
    const std::size_t numbers = rows * static_cast<std::size_t>(D);
    std::vector<T> states(numbers * static_cast<std::size_t>(L + 1)), normed(numbers);
    std::vector<std::uint8_t> allowed(rows * static_cast<std::size_t>(N));
    const TensorView<int, 2> tokens(shifted.data(), B, N);
    read_tokens(tokens, targets);
    model<T>(TensorView<T, 4>(states.data(), L + 1, B, N, D), TensorView<T, 3>(normed.data(), B, N, D), P,
             TensorView<std::uint8_t, 3>(allowed.data(), B, N, N), theta_new, tokens, F, H);
    softmax<T>(rows_of<T>(P), rows_of<const T>(P));
}

}  // namespace attn::cpu

#include "contracts/training_instances.h"
