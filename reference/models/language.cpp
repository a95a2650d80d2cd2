#include "reference/models/language.h"

#include <algorithm>
#include <cmath>

#include "reference/refusals.h"

namespace attn::training {

LanguageModel::LanguageModel(Layout& layout, int V, int N, StackSizes sizes)
    : V_(V), N_(N), stack_([&] {
          const float deviation = 0.5F / std::sqrt(static_cast<float>(sizes.D));
          layout.add("table", {V, sizes.D}, {0, deviation}, true);
          layout.add("P", {N, sizes.D}, {0, deviation}, false);
          return Stack(layout, sizes);
      }()) {}

Read3 LanguageModel::logits(Modules& modules, const Layout& layout, const float* theta,
                            TensorView<const int, 2> tokens, Masks other_mask) {
    const int B = tokens.size(0), N = tokens.size(1), D = stack_.sizes().D;
    const Read2 table = layout.view<2>(theta, "table"), P = layout.view<2>(theta, "P");
    const View3 X = X_.shaped(B, N, D);
    mask_.resize(static_cast<std::size_t>(B) * static_cast<std::size_t>(N) * static_cast<std::size_t>(N));
    const TensorView<std::uint8_t, 3> mask(mask_.data(), B, N, N);
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < N; ++i) {
            require_inside(tokens(b, i), 0, V_);
            for (int d = 0; d < D; ++d) X(b, i, d) = table(tokens(b, i), d) + P(i, d);
            for (int j = 0; j < N; ++j) mask(b, i, j) = j <= i ? 1 : 0;
        }
    Y_ = stack_.forward(modules, layout, theta, X, other_mask ? other_mask : Masks(mask));
    const View3 logits = logits_.shaped(B, N, V_);
    modules.score_words(rows_of(logits), rows_of(Y_), table);
    return logits;
}

double LanguageModel::gradients(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                                TensorView<const int, 2> tokens, TensorView<const int, 2> targets) {
    const int B = tokens.size(0), N = tokens.size(1), D = stack_.sizes().D;
    const Read3 logits = this->logits(modules, layout, theta, tokens);
    const double loss = modules.cross_entropy(logits, targets, 0);
    const View3 dlogits = dlogits_.shaped(B, N, V_), dY = dY_.shaped(B, N, D);
    const View2 dtable = layout.view<2>(gradient, "table"), dP = layout.view<2>(gradient, "P");
    modules.cross_entropy_backward(dlogits, 1, logits, targets, 0);
    modules.score_words_backward(rows_of(dY), dtable, rows_of<const float>(dlogits), rows_of(Y_),
                                 layout.view<2>(theta, "table"));
    const View3 dX = stack_.backward(modules, layout, gradient, theta, dY, {mask_.data(), B, N, N});
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < N; ++i)
            for (int d = 0; d < D; ++d) {
                dtable(tokens(b, i), d) += dX(b, i, d);
                dP(i, d) += dX(b, i, d);
            }
    return loss;
}

double share_right(Read3 logits, TensorView<const int, 2> targets) {
    int right = 0, count = 0;
    for (int b = 0; b < targets.size(0); ++b)
        for (int i = 0; i < targets.size(1); ++i) {
            if (targets(b, i) < 0) continue;
            ++count;
            right += largest(logits[b][i]) == targets(b, i) ? 1 : 0;
        }
    return static_cast<double>(right) / std::max(count, 1);
}

int draw(TensorView<const float, 1> logits, float temperature, Random& random) {
    const int V = logits.size(0);
    const int most = largest(logits);
    if (temperature <= 0) return most;
    double sum = 0;
    const auto weight = [&](int v) {
        return std::exp(double{logits(v) - logits(most)} / double{temperature});
    };
    for (int v = 0; v < V; ++v) sum += weight(v);
    double left = double{random.uniform()} * sum;
    for (int v = 0; v < V; ++v) {
        left -= weight(v);
        if (left < 0) return v;
    }
    return most;
}

}  // namespace attn::training
