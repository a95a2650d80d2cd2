#include "reference/models/stack.h"

#include <algorithm>
#include <cmath>

#include "contracts/masking_reference.h"
#include "contracts/transformer_block_reference.h"

namespace attn::training {

std::string block_prefix(int l) {
    return "blocks." + std::to_string(l) + ".";
}

Stack::Stack(Layout& layout, StackSizes sizes)
    : sizes_(sizes),
      inputs_(static_cast<std::size_t>(sizes.L) + 1),
      kept_(static_cast<std::size_t>(sizes.L)) {
    for (int l = 0; l < sizes.L; ++l) add_block(layout, block_prefix(l), sizes.D, sizes.F, sizes.L);
    layout.add_vector("gamma", sizes.D, kOnes);
    layout.add_vector("beta", sizes.D);
}

Read3 Stack::forward(Modules& modules, const Layout& layout, const float* theta, Read3 X, Masks mask) {
    const int B = X.size(0), N = X.size(1), D = X.size(2);
    std::copy_n(X.data(), X.count(), inputs_[0].shaped(B, N, D).data());
    for (std::size_t l = 0; l < kept_.size(); ++l)
        modules.transformer_block(inputs_[l + 1].shaped(B, N, D), inputs_[l].view(),
                                  block_weights(layout, theta, block_prefix(static_cast<int>(l))), mask,
                                  sizes_.H, Norm::pre, Activation::gelu_erf, kEps, kept_[l]);
    const View3 Y = output_.shaped(B, N, D);
    modules.layer_norm(rows_of(Y), rows_of(inputs_.back().view()), layout.view<1>(theta, "gamma"),
                       layout.view<1>(theta, "beta"), kEps);
    return Y;
}

View3 Stack::backward(Modules& modules, const Layout& layout, float* gradient, const float* theta, Read3 dY,
                      Masks mask) {
    const int B = dY.size(0), N = dY.size(1), D = dY.size(2);
    View3 dX = dX_.shaped(B, N, D), upstream = dY_.shaped(B, N, D);
    modules.layer_norm_backward(rows_of(dX), layout.view<1>(gradient, "gamma"),
                                layout.view<1>(gradient, "beta"), rows_of(dY), rows_of(inputs_.back().view()),
                                layout.view<1>(theta, "gamma"), layout.view<1>(theta, "beta"), kEps);
    for (std::size_t l = kept_.size(); l-- > 0;) {
        std::swap(dX, upstream);
        const std::string prefix = block_prefix(static_cast<int>(l));
        modules.transformer_block_backward(dX, block_gradients(layout, gradient, prefix), upstream,
                                           inputs_[l].view(), block_weights(layout, theta, prefix), mask,
                                           sizes_.H, Norm::pre, Activation::gelu_erf, kEps, kept_[l]);
    }
    return dX;
}

Array attention_map(const std::string& name, const Stack& stack, const Layout& layout, const float* theta,
                    int l, int b, bool causal) {
    const BlockWeights<float> weights = block_weights(layout, theta, block_prefix(l));
    const Read2 X = stack.input(l)[b];
    const int N = X.size(0), D = X.size(1), H = stack.sizes().H, D_h = D / H;
    Tensor<2> normalised;
    Tensor<3> projected, scores;
    const View2 Y = normalised.shaped(N, D);
    const View3 QK = projected.shaped(2, N, D), E = scores.shaped(H, N, N);
    cpu::layer_norm<float>(Y, X, weights.gamma_1, weights.beta_1, kEps);
    for (int i = 0; i < N; ++i)
        for (int d = 0; d < D; ++d) {
            QK(0, i, d) = weights.attention.b_Q(d);
            QK(1, i, d) = weights.attention.b_K(d);
            for (int k = 0; k < D; ++k) {
                QK(0, i, d) += Y(i, k) * weights.attention.W_Q(k, d);
                QK(1, i, d) += Y(i, k) * weights.attention.W_K(k, d);
            }
        }
    std::vector<std::uint8_t> allowed(static_cast<std::size_t>(N) * static_cast<std::size_t>(N), 1);
    const TensorView<std::uint8_t, 2> mask(allowed.data(), N, N);
    if (causal) cpu::causal_mask(mask);
    Array A = Array::zeros<float>(name, {H, N, N});
    for (int h = 0; h < H; ++h) {
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j)
                for (int d = h * D_h; d < (h + 1) * D_h; ++d)
                    E(h, i, j) += QK(0, i, d) * QK(1, j, d) / std::sqrt(static_cast<float>(D_h));
        cpu::masked_softmax<float>(A.view<float, 3>()[h], E[h], mask);
    }
    return A;
}

int largest(Read1 numbers) {
    int best = 0;
    for (int k = 1; k < numbers.size(0); ++k)
        if (numbers(k) > numbers(best) || std::isnan(numbers(best))) best = k;
    return best;
}

}  // namespace attn::training
