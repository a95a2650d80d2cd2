#pragma once
/// The decoder-only model of assignment 11, with gradients. Its weights: "table" [V, D], the positions "P"
/// [N, D], those of the blocks, "gamma" and "beta".

#include "reference/models/stack.h"

namespace attn::training {

class LanguageModel {
  public:
    LanguageModel(Layout& layout, int V, int N, StackSizes sizes);

    /// logits [B, N', V] for tokens [B, N'], N' <= N; good until the next call. The mask is causal, unless another
    /// one is given.
    Read3 logits(Modules& modules, const Layout& layout, const float* theta, TensorView<const int, 2> tokens,
                 Masks other_mask = {});
    /// The mean loss, and the gradients, which hold zeros before.
    double gradients(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                     TensorView<const int, 2> tokens, TensorView<const int, 2> targets);

    int vocabulary() const { return V_; }
    /// Tokens of a sequence at most.
    int reach() const { return N_; }
    const Stack& stack() const { return stack_; }

  private:
    int V_, N_;
    Stack stack_;
    Tensor<3> X_, logits_, dlogits_, dY_;
    Read3 Y_;
    std::vector<std::uint8_t> mask_;
};

/// The share of places whose largest logit is the target's. Places with the target -1 do not count.
double share_right(Read3 logits, TensorView<const int, 2> targets);

/// Draws from the softmax of the last place's logits divided by the temperature; temperature 0: the largest.
int draw(TensorView<const float, 1> logits, float temperature, Random& random);

}  // namespace attn::training
