#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "assignments/14_training/flat_model.h"
#include "contracts/training_reference.h"
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
    if (t <= warmup) return peak * static_cast<T>(t) / static_cast<T>(warmup);
    if (t >= steps) return least;
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

}  // namespace

template <class T>
void adamw_step(TensorView<T, 1> theta_new, TensorView<T, 1> m_new, TensorView<T, 1> v_new,
                TensorView<const T, 1> theta, TensorView<const T, 1> gradient, TensorView<const T, 1> m,
                TensorView<const T, 1> v, TensorView<const std::uint8_t, 1> decays, int t, T eta, T beta_1,
                T beta_2, T eps, T decay) {
    require_above_0(t);
    for (int w = 0; w < theta.size(0); ++w) {
        m_new(w) = beta_1 * m(w) + (1 - beta_1) * gradient(w);
        v_new(w) = beta_2 * v(w) + (1 - beta_2) * gradient(w) * gradient(w);
        // m and v began at 0 and are too small at first.
        const T m_hat = m_new(w) / (1 - std::pow(beta_1, static_cast<T>(t)));
        const T v_hat = v_new(w) / (1 - std::pow(beta_2, static_cast<T>(t)));
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

}  // namespace attn::cpu

#include "contracts/training_instances.h"
