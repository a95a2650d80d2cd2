#pragma once
/// What the transformers have in common: pre-norm blocks and the layer norm behind them, with gradients.

#include <string>
#include <vector>

#include "reference/models/layout.h"
#include "reference/models/modules.h"

namespace attn::training {

inline constexpr float kEps = 1e-5F;

/// Numbers with a shape, which keep their memory from step to step.
template <int Rank>
class Tensor {
  public:
    template <class... Lengths>
    TensorView<float, Rank> shaped(Lengths... lengths) {
        view_ = TensorView<float, Rank>(nullptr, lengths...);
        numbers_.resize(static_cast<std::size_t>(view_.count()));
        return view_ = TensorView<float, Rank>(numbers_.data(), lengths...);
    }
    TensorView<float, Rank> view() const { return view_; }

  private:
    Numbers numbers_;
    TensorView<float, Rank> view_;
};

/// All vectors of all batches as the rows of one matrix.
template <class T>
TensorView<T, 2> rows_of(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

/// "blocks.0." ..
std::string block_prefix(int l);

struct StackSizes {
    int L, D, H, F;
};

/// The weights are "blocks.0.W_Q" .. and, of the layer norm, "gamma" and "beta".
class Stack {
  public:
    Stack(Layout& layout, StackSizes sizes);

    /// Y, good until the next call      X, Y [B, N, D]
    Read3 forward(Modules& modules, const Layout& layout, const float* theta, Read3 X, Masks mask);
    /// The gradient of X, good until the next call. The forward before must have had the same inputs.
    View3 backward(Modules& modules, const Layout& layout, float* gradient, const float* theta, Read3 dY,
                   Masks mask);

    /// What block l read in the last forward; l = L: what the last layer norm read.
    Read3 input(int l) const { return inputs_[static_cast<std::size_t>(l)].view(); }
    const StackSizes& sizes() const { return sizes_; }

  private:
    StackSizes sizes_;
    std::vector<Tensor<3>> inputs_;
    std::vector<Kept> kept_;
    Tensor<3> output_, dX_, dY_;
};

/// Who looks at whom, for pictures: the attention weights of sequence b in block l, after a forward of the stack.
/// float [H, N, N] with the name `name`. The mask is causal or there is none.
Array attention_map(const std::string& name, const Stack& stack, const Layout& layout, const float* theta,
                    int l, int b, bool causal);

/// The place of the largest number; NaN is never the largest.
int largest(Read1 numbers);

}  // namespace attn::training
