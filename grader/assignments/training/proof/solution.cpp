// A right solution as a student would write it, independent of the reference. edits.toml changes parts of
// this text, so each text that it replaces must occur here exactly once.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "training.h"

namespace attn {

static void refuse_if(bool wrong, const char* why) {
    if (wrong) throw std::invalid_argument(why);
}

void adamw_step(TensorView<float, 1> theta_new, TensorView<float, 1> m_new, TensorView<float, 1> v_new,
                TensorView<const float, 1> theta, TensorView<const float, 1> gradient,
                TensorView<const float, 1> m, TensorView<const float, 1> v,
                TensorView<const std::uint8_t, 1> decays, int t, float eta, float beta_1, float beta_2,
                float eps, float decay) {
    refuse_if(t < 1, "steps are counted from 1");
    const float correct_m = 1 - std::pow(beta_1, float(t)), correct_v = 1 - std::pow(beta_2, float(t));
    for (int w = 0; w < theta.size(0); w++) {
        const float g = gradient(w);
        const float mean = beta_1 * m(w) + (1 - beta_1) * g, square = beta_2 * v(w) + (1 - beta_2) * g * g;
        // As PyTorch does: first shrink, then step.
        float x = theta(w);
        if (decays(w)) x *= 1 - eta * decay;
        x -= eta * (mean / correct_m) / (std::sqrt(square / correct_v) + eps);
        theta_new(w) = x;
        m_new(w) = mean;
        v_new(w) = square;
    }
}

void learning_rate(TensorView<float, 1> eta, Schedule schedule, float peak, float least, int warmup,
                   int steps) {
    refuse_if(warmup < 1, "warmup");
    for (int n = 0; n < eta.size(0); n++) {
        const int t = n + 1;
        if (schedule == Schedule::inverse_root)
            eta(n) = peak * (t < warmup ? float(t) / warmup : std::sqrt(float(warmup) / t));
        else if (t <= warmup)
            eta(n) = peak * t / warmup;
        else if (t >= steps)
            eta(n) = least;
        else {
            const float angle = 3.14159265f * (t - warmup) / (steps - warmup);
            eta(n) = least + (peak - least) * 0.5f * (1 + std::cos(angle));
        }
    }
}

void clip_gradients(TensorView<float, 1> clipped, TensorView<float, 1> norm,
                    TensorView<const float, 1> gradient, float most) {
    refuse_if(!(most > 0), "most");
    double squares = 0;
    for (int w = 0; w < gradient.size(0); w++) squares += double(gradient(w)) * gradient(w);
    const float length = float(std::sqrt(squares));
    if (norm) norm(0) = length;
    for (int w = 0; w < gradient.size(0); w++)
        clipped(w) = length <= most ? gradient(w) : gradient(w) * most / length;
}

void initialise(TensorView<float, 1> theta, TensorView<std::uint8_t, 1> decays,
                TensorView<const float, 1> normals, int V, int N, int D, int F, int L) {
    int w = 0;
    const auto random = [&](int count, float rows, bool residual = false) {
        for (int end = w + count; w < end; w++) {
            theta(w) = normals(w) / std::sqrt(residual ? rows * 2 * L : rows);
            decays(w) = 1;
        }
    };
    const auto constant = [&](int count, float number) {
        for (int end = w + count; w < end; w++) {
            theta(w) = number;
            decays(w) = 0;
        }
    };
    random(V * D, D);
    random(N * D, D);
    for (int l = 0; l < L; l++) {
        constant(D, 1);
        constant(D, 0);
        for (int k = 0; k < 3; k++) {
            random(D * D, D);
            constant(D, 0);
        }
        random(D * D, D, true);
        constant(D, 0);
        constant(D, 1);
        constant(D, 0);
        random(D * F, D);
        constant(F, 0);
        random(F * D, F, true);
        constant(D, 0);
    }
    constant(D, 1);
    constant(D, 0);
}

}  // namespace attn
