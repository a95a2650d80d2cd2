#pragma once
/// A transformer block that keeps what its backward needs, so that training computes nothing twice but
/// scores.

#include "assignments/13_backward/backward.h"
#include "reference/fast/buffer.h"

namespace attn::fast {

/// What a forward keeps: the input L of each linear layer and the sums S that each layer norm reads (with
/// norm = pre the first is X and the second Z; with post they are X + MHA(X) and Z + FF(Z)), Q, K, V and O of
/// the attention, U of the feed-forward.
class BlockMemory {
  public:
    /// The first call and one with other sizes allocate.
    void resize(int B, int N, int D, int F);

    TensorView<float, 3> L_1, L_2, S_1, S_2, Q, K, V, O, U;

  private:
    Buffer buffer_;
};

/// As transformer_block.
void transformer_block_keeping(BlockMemory& memory, TensorView<float, 3> Y, TensorView<const float, 3> X,
                               const BlockWeights<float>& weights, TensorView<const std::uint8_t, 3> mask,
                               int H, Norm norm, Activation activation, float eps);

/// As transformer_block_backward, with the memory of a forward with the same inputs.
void transformer_block_backward_of_kept(TensorView<float, 3> dX, const BlockGradients<float>& gradients,
                                        TensorView<const float, 3> dY, TensorView<const float, 3> X,
                                        const BlockWeights<float>& weights,
                                        TensorView<const std::uint8_t, 3> mask, int H, Norm norm,
                                        Activation activation, float eps, const BlockMemory& memory);

}  // namespace attn::fast
