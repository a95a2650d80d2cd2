#include "reference/training/stack.h"

#include <algorithm>

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

}  // namespace attn::training
