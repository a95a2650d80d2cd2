#pragma once
/// The vision transformer of assignment 6, with gradients. Its weights: "E", "b", "cls", "E_pos" of the
/// patches, those of the blocks, "gamma" and "beta", "W_head" and "b_head".

#include "reference/models/stack.h"

namespace attn::training {

class VisionTransformer {
  public:
    /// Images have `side` x `side` pixels and one channel; P divides side.
    VisionTransformer(Layout& layout, int side, int P, int classes, StackSizes sizes);

    /// logits [B, K] of images [B, 1, side, side]; good until the next call.
    Read2 logits(Modules& modules, const Layout& layout, const float* theta, Read4 images);
    double gradients(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                     Read4 images, TensorView<const int, 1> labels, float smoothing);

    int tokens() const { return side_ / P_ * (side_ / P_) + 1; }
    const Stack& stack() const { return stack_; }

  private:
    int side_, P_, K_;
    Stack stack_;
    Tensor<3> Z_, dY_;
    Tensor<2> first_, dfirst_, logits_, dlogits_;
};

}  // namespace attn::training
