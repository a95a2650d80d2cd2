#include "reference/models/vision.h"

#include <algorithm>

namespace attn::training {

VisionTransformer::VisionTransformer(Layout& layout, int side, int P, int classes, StackSizes sizes)
    : side_(side), P_(P), K_(classes), stack_([&] {
          const int tokens = side / P * (side / P) + 1;
          constexpr float kSmall = 0.02F;
          layout.add_matrix("E", P * P, sizes.D);
          layout.add_vector("b", sizes.D);
          layout.add_vector("cls", sizes.D, {0, kSmall});
          layout.add("E_pos", {tokens, sizes.D}, {0, kSmall}, false);
          return Stack(layout, sizes);
      }()) {
    layout.add_matrix("W_head", sizes.D, classes);
    layout.add_vector("b_head", classes);
}

Read2 VisionTransformer::logits(Modules& modules, const Layout& layout, const float* theta, Read4 images) {
    const int B = images.size(0), D = stack_.sizes().D;
    const View3 Z = Z_.shaped(B, tokens(), D);
    modules.embed_patches(Z, images, layout.view<2>(theta, "E"), layout.view<1>(theta, "b"),
                          layout.view<1>(theta, "cls"), layout.view<2>(theta, "E_pos"), P_);
    const Read3 Y = stack_.forward(modules, layout, theta, Z, {});
    const View2 first = first_.shaped(B, D), logits = logits_.shaped(B, K_);
    for (int b = 0; b < B; ++b) std::copy_n(Y[b][0].data(), D, first[b].data());
    modules.linear(logits, first, layout.view<2>(theta, "W_head"), layout.view<1>(theta, "b_head"));
    return logits;
}

double VisionTransformer::gradients(Modules& modules, const Layout& layout, float* gradient,
                                    const float* theta, Read4 images, TensorView<const int, 1> labels,
                                    float smoothing) {
    const int B = images.size(0), D = stack_.sizes().D;
    const Read2 logits = this->logits(modules, layout, theta, images);
    const View2 dlogits = dlogits_.shaped(B, K_), dfirst = dfirst_.shaped(B, D);
    const Read3 of_batch(logits.data(), 1, B, K_);
    const TensorView<const int, 2> targets(labels.data(), 1, B);
    const double loss = modules.cross_entropy(of_batch, targets, smoothing);
    modules.cross_entropy_backward({dlogits.data(), 1, B, K_}, 1, of_batch, targets, smoothing);
    modules.linear_backward(dfirst, layout.view<2>(gradient, "W_head"), layout.view<1>(gradient, "b_head"),
                            dlogits, first_.view(), layout.view<2>(theta, "W_head"));
    const View3 dY = dY_.shaped(B, tokens(), D);
    std::fill_n(dY.data(), dY.count(), 0.0F);
    for (int b = 0; b < B; ++b) std::copy_n(dfirst[b].data(), D, dY[b][0].data());
    const View3 dZ = stack_.backward(modules, layout, gradient, theta, dY, {});
    modules.embed_patches_backward(layout.view<2>(gradient, "E"), layout.view<1>(gradient, "b"),
                                   layout.view<1>(gradient, "cls"), layout.view<2>(gradient, "E_pos"), dZ,
                                   images, layout.view<2>(theta, "E"), layout.view<1>(theta, "b"),
                                   layout.view<1>(theta, "cls"), layout.view<2>(theta, "E_pos"), P_);
    return loss;
}

}  // namespace attn::training
