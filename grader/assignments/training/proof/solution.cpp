// A right solution as a student would write it, independent of the reference. edits.toml changes parts of
// this text, so each text that it replaces must occur here exactly once.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "language_model.h"
#include "self_attention.h"
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

// Where things stand in theta, and what the forward pass leaves for the backward pass.
struct Model {
    int B, N, V, D, F, H, L;
    std::vector<std::vector<float>> x;  // the input of each block, and the last output
    std::vector<float> y, logits;
    std::vector<std::uint8_t> allowed;

    Model(TensorView<const int, 2> tokens, int v, int d, int f, int h, int l)
        : B(tokens.size(0)),
          N(tokens.size(1)),
          V(v),
          D(d),
          F(f),
          H(h),
          L(l),
          y(B * N * D),
          logits(B * N * V),
          allowed(B * N * N) {
        x.assign(L + 1, std::vector<float>(B * N * D));
        for (int i = 0; i < B * N; i++)
            for (int j = 0; j <= i % N; j++) allowed[i * N + j] = 1;
    }
    TensorView<const std::uint8_t, 3> mask() const { return {allowed.data(), B, N, N}; }
    TensorView<float, 3> states(std::vector<float>& of) const { return {of.data(), B, N, D}; }
    TensorView<float, 2> rows(std::vector<float>& of) const { return {of.data(), B * N, D}; }
    TensorView<float, 3> scores(std::vector<float>& of) const { return {of.data(), B, N, V}; }
    int block(int l) const { return begin_of_block(V, N, D, F, l); }
    TensorView<const float, 1> vector_at(TensorView<const float, 1> theta, int at) const {
        return {theta.data() + at, D};
    }

    void run(TensorView<const float, 1> theta, TensorView<const int, 2> tokens) {
        refuse_if(H < 1 || D % H != 0, "H");
        for (int n = 0; n < B * N; n++) {
            const int token = tokens.data()[n];
            refuse_if(token < 0 || token >= V, "token");
            for (int d = 0; d < D; d++) x[0][n * D + d] = theta(token * D + d) + theta(V * D + n % N * D + d);
        }
        for (int l = 0; l < L; l++)
            transformer_block(states(x[l + 1]), states(x[l]), block_at<float>(theta, block(l), D, F), mask(),
                              H, Norm::pre, Activation::gelu_erf, 1e-5f);
        layer_norm(rows(y), rows(x[L]), vector_at(theta, block(L)), vector_at(theta, block(L) + D), 1e-5f);
        for (int n = 0; n < B * N; n++)
            for (int v = 0; v < V; v++) {
                float dot = 0;
                for (int d = 0; d < D; d++) dot += y[n * D + d] * theta(v * D + d);
                logits[n * V + v] = dot;
            }
    }
};

void language_model_backward(TensorView<float, 1> loss, TensorView<float, 1> gradient,
                             TensorView<const float, 1> theta, TensorView<const int, 2> tokens,
                             TensorView<const int, 2> targets, int V, int D, int F, int H, int L) {
    Model model(tokens, V, D, F, H, L);
    const int B = model.B, N = model.N;
    model.run(theta, tokens);
    const float one = 1;
    std::vector<float> dlogits(B * N * V), dy(B * N * D), dx(B * N * D), dx_in(B * N * D);
    cross_entropy(loss, {}, model.scores(model.logits), targets, 0);
    cross_entropy_backward(model.scores(dlogits), TensorView<const float, 1>(&one, 1),
                           model.scores(model.logits), targets, 0);
    for (int w = 0; w < gradient.size(0); w++) gradient(w) = 0;
    for (int n = 0; n < B * N; n++)
        for (int v = 0; v < V; v++)
            for (int d = 0; d < D; d++) {
                dy[n * D + d] += dlogits[n * V + v] * theta(v * D + d);
                gradient(v * D + d) += dlogits[n * V + v] * model.y[n * D + d];
            }
    const int last = model.block(L);
    layer_norm_backward(model.rows(dx), TensorView<float, 1>(gradient.data() + last, D),
                        TensorView<float, 1>(gradient.data() + last + D, D), model.rows(dy),
                        model.rows(model.x[L]), model.vector_at(theta, last),
                        model.vector_at(theta, last + D), 1e-5f);
    for (int l = L; l-- > 0; std::swap(dx, dx_in))
        transformer_block_backward(
            model.states(dx_in), block_gradients_at<float>(gradient, model.block(l), D, F), model.states(dx),
            model.states(model.x[l]), block_at<float>(theta, model.block(l), D, F), model.mask(), H,
            Norm::pre, Activation::gelu_erf, 1e-5f);
    for (int n = 0; n < B * N; n++)
        for (int d = 0; d < D; d++) {
            gradient(tokens.data()[n] * D + d) += dx[n * D + d];
            gradient(V * D + n % N * D + d) += dx[n * D + d];
        }
}

void train_step(TensorView<float, 1> theta_new, TensorView<float, 1> m_new, TensorView<float, 1> v_new,
                TensorView<float, 1> loss, TensorView<const float, 1> theta, TensorView<const float, 1> m,
                TensorView<const float, 1> v, TensorView<const std::uint8_t, 1> decays,
                TensorView<const int, 2> targets, int V, int D, int F, int H, int L, int t, float eta,
                float most, float decay) {
    std::vector<int> read(targets.count());
    const TensorView<int, 2> tokens(read.data(), targets.size(0), targets.size(1));
    std::vector<float> g(theta.size(0)), clipped(theta.size(0));
    const TensorView<float, 1> gradient(g.data(), theta.size(0)), short_one(clipped.data(), theta.size(0));
    shift_right(tokens, targets, 0);
    language_model_backward(loss, gradient, theta, tokens, targets, V, D, F, H, L);
    clip_gradients(short_one, {}, gradient, most);
    adamw_step(theta_new, m_new, v_new, theta, short_one, m, v, decays, t, eta, 0.9f, 0.99f, 1e-5f, decay);
}

void train(TensorView<float, 1> losses, TensorView<float, 1> theta_new, TensorView<float, 3> P,
           TensorView<const float, 1> theta, TensorView<const std::uint8_t, 1> decays,
           TensorView<const int, 2> targets, TensorView<const float, 1> eta, int V, int D, int F, int H,
           int L, float most, float decay) {
    const int W = theta.size(0), S = eta.size(0);
    std::vector<float> now(theta.data(), theta.data() + W), next(W), m(W), m_next(W), v(W), v_next(W);
    const auto view = [W](std::vector<float>& of) { return TensorView<float, 1>(of.data(), W); };
    for (int s = 0; s < S; s++) {
        train_step(view(next), view(m_next), view(v_next), TensorView<float, 1>(&losses(s), 1), view(now),
                   view(m), view(v), decays, targets, V, D, F, H, L, s + 1, eta(s), most, decay);
        now.swap(next), m.swap(m_next), v.swap(v_next);
    }
    std::copy(now.begin(), now.end(), theta_new.data());
    std::vector<int> read(targets.count());
    const TensorView<int, 2> tokens(read.data(), targets.size(0), targets.size(1));
    shift_right(tokens, targets, 0);
    Model model(tokens, V, D, F, H, L);
    model.run(view(now), tokens);
    softmax(TensorView<float, 2>(P.data(), model.B * model.N, V),
            TensorView<const float, 2>(model.logits.data(), model.B * model.N, V));
}

}  // namespace attn
