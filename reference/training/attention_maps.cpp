#include "reference/training/attention_maps.h"

#include <cmath>

#include "contracts/masking_reference.h"
#include "contracts/transformer_block_reference.h"

namespace attn::training {

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

}  // namespace attn::training
