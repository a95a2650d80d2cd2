#pragma once
/// The decoder of a transformer: pre-norm blocks with self-attention and cross-attention, and the layer norm
/// after them, with gradients.

#include <vector>

#include "assignments/10_encoder_decoder/encoder_decoder.h"
#include "reference/models/stack.h"

namespace attn::training {

/// Who may look at whom.
struct DecoderMasks {
    Masks target;  ///< [B, N_t, N_t]
    Masks source;  ///< [B, N_t, N_s]
};

/// The weights of block l are "decoder.l.W_Q" .., as in DecoderBlockWeights; those of the last layer norm are
/// "gamma_d" and "beta_d".
class DecoderStack {
  public:
    DecoderStack(Layout& layout, StackSizes sizes);

    /// Y, good until the next call      X, Y [B, N_t, D], S [B, N_s, D] of the encoder
    Read3 forward(Modules& modules, const Layout& layout, const float* theta, Read3 X, Read3 S,
                  DecoderMasks masks);

    /// The gradients of X and S, good until the next call. The forward before must have had the same inputs.
    struct InputGradients {
        View3 dX, dS;
    };
    InputGradients backward(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                            Read3 dY, Read3 S, DecoderMasks masks);

    /// What asked in the cross-attention of the last block in the last forward: [B, N_t, D].
    Read3 last_queries() const { return blocks_.back().N_2.view(); }

  private:
    /// What a forward keeps of a block: Z_l are sums of residuals, N_l the layer norms of X, Z_1 and Z_2.
    struct Block {
        Tensor<3> N_1, Z_1, N_2, Z_2, N_3, Y;
    };
    /// What block l reads.
    Read3 input(std::size_t l) const { return l == 0 ? input_.view() : blocks_[l - 1].Y.view(); }

    StackSizes sizes_;
    Tensor<3> input_, output_, upstream_, dX_, dS_, d_N_, d_own_, d_source_;
    std::vector<Block> blocks_;
};

/// The weights of block l.
DecoderBlockWeights<float> decoder_block_weights(const Layout& layout, const float* theta, int l);

}  // namespace attn::training
