// The step of AdamW reads and writes each number once. The gradient keeps what each block's backward needs of its
// forward, so only attention's scores are computed twice.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numbers>
#include <vector>

#include "assignments/14_training/flat_model.h"
#include "contracts/backward_fast.h"
#include "contracts/language_model_fast.h"
#include "contracts/masking_fast.h"
#include "contracts/positional_encoding_fast.h"
#include "contracts/training_fast.h"
#include "contracts/transformer_block_fast.h"
#include "reference/fast/attention.h"
#include "reference/fast/buffer.h"
#include "reference/fast/gradient_kernels.h"
#include "reference/fast/kept_block.h"
#include "reference/fast/layers.h"
#include "reference/fast/matmul.h"
#include "reference/refusals.h"

namespace attn::fast {
namespace {

constexpr float kNormEps = 1e-5F;

/// The model of one theta with memory for its forward and its backward, for B sentences of N tokens.
class FlatModel {
  public:
    FlatModel(TensorView<const float, 1> theta, int B, int N, int V, int D, int F, int H, int L)
        : theta_(theta), B_(B), N_(N), V_(V), D_(D), F_(F), H_(H), L_(L), mask_(numbers(B, N, N)) {
        head_width(D, H);
        for (int b = 0; b < B; ++b) fast::causal_mask({mask_.data() + numbers(b * N, N), N, N});
        Workspace memory(buffer(), 2 * numbers(L + 1, B * N, D) + numbers(2, B * N, D) + numbers(B, N, V));
        for (int l = 0; l <= L; ++l) states_.push_back(memory.take(B, N, D));
        for (int l = 0; l <= L; ++l) slopes_.push_back(memory.take(B, N, D));
        Y_ = memory.take(B, N, D);
        dY_ = memory.take(B, N, D);
        dlogits_ = memory.take(B, N, V);
        if (static_cast<int>(kept().size()) < L) kept().resize(static_cast<std::size_t>(L));
    }

    void forward(TensorView<float, 3> logits, TensorView<const int, 2> tokens) {
        const TensorView<const float, 2> P(table().data() + numbers(V_, D_), N_, D_);
        fast::embed_tokens(states_.front(), tokens, table());
        fast::add_positions(states_.front(), states_.front(), P);
        for (int l = 0; l < L_; ++l)
            transformer_block_keeping(kept()[static_cast<std::size_t>(l)], state(l + 1), state(l), block(l),
                                      mask(), H_, Norm::pre, Activation::gelu_erf, kNormEps);
        fast::layer_norm(all_rows(Y_), all_rows(state(L_)), last_norm(0), last_norm(1), kNormEps);
        multiply_transposed(logits, Matrix<float>(Y_), table(), 1);
    }

    /// After a forward of the same tokens.
    void backward(TensorView<float, 1> gradient, TensorView<const float, 3> logits,
                  TensorView<const int, 2> tokens, TensorView<const int, 2> targets) {
        const float one = 1;
        const TensorView<float, 2> dtable(gradient.data(), V_, D_),
            dP(dtable.data() + dtable.count(), N_, D_);
        const int last = begin_of_block(V_, N_, D_, F_, L_);
        fast::cross_entropy_backward(dlogits_, {&one, 1}, logits, targets, 0);
        // logits = Y table^T
        multiply(dY_, Matrix<float>(dlogits_), table());
        multiply_first_transposed(dtable, Matrix<float>(dlogits_), Matrix<float>(Y_));
        fast::layer_norm_backward(all_rows(slope(L_)), {gradient.data() + last, D_},
                                  {gradient.data() + last + D_, D_}, all_rows(dY_), all_rows(state(L_)),
                                  last_norm(0), last_norm(1), kNormEps);
        for (int l = L_ - 1; l >= 0; --l)
            transformer_block_backward_of_kept(
                slope(l), block_gradients_at<float>(gradient, begin_of_block(V_, N_, D_, F_, l), D_, F_),
                slope(l + 1), state(l), block(l), mask(), H_, Norm::pre, Activation::gelu_erf, kNormEps,
                kept()[static_cast<std::size_t>(l)]);
        // X_0 = table[tokens] + P
        std::fill_n(dP.data(), dP.count(), 0.0F);
        for (int b = 0; b < B_; ++b)
            for (int i = 0; i < N_; ++i) {
                const float* const dx = slope(0)[b][i].data();
                float *const row = dtable[tokens(b, i)].data(), *const place = dP[i].data();
                for (int d = 0; d < D_; ++d) {
                    row[d] += dx[d];
                    place[d] += dx[d];
                }
            }
    }

  private:
    static Buffer& buffer() {
        thread_local Buffer memory;
        return memory;
    }
    static std::deque<BlockMemory>& kept() {
        thread_local std::deque<BlockMemory> memory;
        return memory;
    }
    TensorView<const float, 2> table() const { return {theta_.data(), V_, D_}; }
    TensorView<float, 3> state(int l) const { return states_[static_cast<std::size_t>(l)]; }
    TensorView<float, 3> slope(int l) const { return slopes_[static_cast<std::size_t>(l)]; }
    BlockWeights<float> block(int l) const {
        return block_at<float>(theta_, begin_of_block(V_, N_, D_, F_, l), D_, F_);
    }
    /// gamma (k = 0) or beta (k = 1) of the last layer norm
    TensorView<const float, 1> last_norm(int k) const {
        return {theta_.data() + begin_of_block(V_, N_, D_, F_, L_) + k * D_, D_};
    }
    TensorView<const std::uint8_t, 3> mask() const { return {mask_.data(), B_, N_, N_}; }

    TensorView<const float, 1> theta_;
    int B_, N_, V_, D_, F_, H_, L_;
    std::vector<std::uint8_t> mask_;
    std::vector<TensorView<float, 3>> states_,
        slopes_;  // of the input of each block, and of the last one's output
    TensorView<float, 3> Y_, dY_, dlogits_;
};

}  // namespace

void adamw_step(TensorView<float, 1> theta_new, TensorView<float, 1> m_new, TensorView<float, 1> v_new,
                TensorView<const float, 1> theta, TensorView<const float, 1> gradient,
                TensorView<const float, 1> m, TensorView<const float, 1> v,
                TensorView<const std::uint8_t, 1> decays, int t, float eta, float beta_1, float beta_2,
                float eps, float decay) {
    require_above_0(t);
    const auto corrected = [t](float beta) {
        return static_cast<float>(1 / (1 - std::pow(static_cast<double>(beta), t)));
    };
    const AdamStep step{eta, beta_1, beta_2, eps, decay, corrected(beta_1), corrected(beta_2)};
    const auto adam = gradient_kernels().adam;
    for_row_blocks(theta.size(0), 1, [&](int first, int end) {
        adam(theta_new.data() + first, m_new.data() + first, v_new.data() + first, theta.data() + first,
             gradient.data() + first, m.data() + first, v.data() + first, decays.data() + first, step,
             end - first);
    });
}

void learning_rate(TensorView<float, 1> eta, Schedule schedule, float peak, float least, int warmup,
                   int steps) {
    require_above_0(warmup);
    for (int t = 1; t <= eta.size(0); ++t) {
        const float rising = static_cast<float>(t) / static_cast<float>(warmup);
        if (schedule == Schedule::inverse_root) {
            eta(t - 1) = peak * std::min(rising, std::sqrt(1 / rising));
        } else {
            const float s = static_cast<float>(t - warmup) / static_cast<float>(std::max(1, steps - warmup));
            const float fallen = (1 + std::cos(std::numbers::pi_v<float> * s)) / 2;
            eta(t - 1) = t <= warmup ? peak * rising : t >= steps ? least : least + (peak - least) * fallen;
        }
    }
}

void clip_gradients(TensorView<float, 1> clipped, TensorView<float, 1> norm,
                    TensorView<const float, 1> gradient, float most) {
    require_above_0(double{most});
    constexpr int kSums = 8;
    double sums[kSums] = {};
    const int W = gradient.size(0);
    const float* const g = gradient.data();
    for (int w = 0; w < W; ++w) sums[w % kSums] += static_cast<double>(g[w]) * static_cast<double>(g[w]);
    double sum = 0;
    for (const double one : sums) sum += one;
    const auto length = static_cast<float>(std::sqrt(sum));
    if (norm) norm(0) = length;
    const float factor = length > most ? most / length : 1;
    for (int w = 0; w < W; ++w) clipped.data()[w] = factor * g[w];
}

void initialise(TensorView<float, 1> theta, TensorView<std::uint8_t, 1> decays,
                TensorView<const float, 1> normals, int V, int N, int D, int F, int L) {
    int next = 0;
    const auto random = [&](int count, float factor) {
        for (const int end = next + count; next < end; ++next) {
            theta(next) = factor * normals(next);
            decays(next) = 1;
        }
    };
    const auto constant = [&](int count, float number) {
        for (const int end = next + count; next < end; ++next) {
            theta(next) = number;
            decays(next) = 0;
        }
    };
    const float in_D = 1 / std::sqrt(static_cast<float>(D)), in_F = 1 / std::sqrt(static_cast<float>(F)),
                residual = 1 / std::sqrt(static_cast<float>(2 * L));
    random((V + N) * D, in_D);
    for (int l = 0; l < L; ++l) {
        constant(D, 1);  // gamma_1, beta_1
        constant(D, 0);
        for (const float factor : {in_D, in_D, in_D, in_D * residual}) {  // of Q, K, V and O
            random(D * D, factor);
            constant(D, 0);
        }
        constant(D, 1);  // gamma_2, beta_2
        constant(D, 0);
        random(D * F, in_D);
        constant(F, 0);
        random(F * D, in_F * residual);
        constant(D, 0);
    }
    constant(D, 1);
    constant(D, 0);
}

void language_model_backward(TensorView<float, 1> loss, TensorView<float, 1> gradient,
                             TensorView<const float, 1> theta, TensorView<const int, 2> tokens,
                             TensorView<const int, 2> targets, int V, int D, int F, int H, int L) {
    const int B = tokens.size(0), N = tokens.size(1);
    thread_local Buffer scores;
    const TensorView<float, 3> logits(scores.get(numbers(B, N, V)), B, N, V);
    FlatModel model(theta, B, N, V, D, F, H, L);
    model.forward(logits, tokens);
    fast::cross_entropy(loss, {}, logits, targets, 0);
    model.backward(gradient, logits, tokens, targets);
}

void train_step(TensorView<float, 1> theta_new, TensorView<float, 1> m_new, TensorView<float, 1> v_new,
                TensorView<float, 1> loss, TensorView<const float, 1> theta, TensorView<const float, 1> m,
                TensorView<const float, 1> v, TensorView<const std::uint8_t, 1> decays,
                TensorView<const int, 2> targets, int V, int D, int F, int H, int L, int t, float eta,
                float most, float decay) {
    std::vector<int> shifted(static_cast<std::size_t>(targets.count()));
    const TensorView<int, 2> tokens(shifted.data(), targets.size(0), targets.size(1));
    thread_local Buffer slopes;
    const TensorView<float, 1> gradient(slopes.get(static_cast<std::size_t>(theta.count())), theta.size(0));
    fast::shift_right(tokens, targets, 0);
    fast::language_model_backward(loss, gradient, theta, tokens, targets, V, D, F, H, L);
    fast::clip_gradients(gradient, {}, gradient, most);
    fast::adamw_step(theta_new, m_new, v_new, theta, gradient, m, v, decays, t, eta, 0.9F, 0.99F, 1e-5F,
                     decay);
}

void train(TensorView<float, 1> losses, TensorView<float, 1> theta_new, TensorView<float, 3> P,
           TensorView<const float, 1> theta, TensorView<const std::uint8_t, 1> decays,
           TensorView<const int, 2> targets, TensorView<const float, 1> eta, int V, int D, int F, int H,
           int L, float most, float decay) {
    const int B = targets.size(0), N = targets.size(1), W = theta.size(0);
    std::vector<float> moments(numbers(2, W));
    const TensorView<float, 1> m(moments.data(), W), v(moments.data() + W, W);
    std::copy_n(theta.data(), W, theta_new.data());
    for (int t = 1; t <= eta.size(0); ++t)
        fast::train_step(theta_new, m, v, {losses.data() + (t - 1), 1}, theta_new, m, v, decays, targets, V,
                         D, F, H, L, t, eta(t - 1), most, decay);
    std::vector<int> shifted(static_cast<std::size_t>(targets.count()));
    const TensorView<int, 2> tokens(shifted.data(), B, N);
    fast::shift_right(tokens, targets, 0);
    FlatModel(theta_new, B, N, V, D, F, H, L).forward(P, tokens);
    fast::softmax(all_rows(P), all_rows(P));
}

}  // namespace attn::fast
