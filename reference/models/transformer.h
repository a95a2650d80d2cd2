#pragma once
/// The transformer of assignment 10, with gradients: encoder, decoder, one table of words for both languages
/// and for both ends.
///
/// Weights: "embedding" [V, D], those of the encoder "blocks.0.W_Q" .., "gamma", "beta", those of the decoder
/// "decoder.0.W_Q" .., "gamma_d", "beta_d". Norm::pre, Activation::gelu_erf.

#include <vector>

#include "reference/models/decoder_stack.h"
#include "reference/models/translator.h"

namespace attn::training {

/// Words of assignment 10.
inline constexpr int kStartWord = 0, kEndWord = 1;

class Transformer {
  public:
    Transformer(Layout& layout, int V, StackSizes sizes);

    double gradients(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                     const Pairs& batch);

    /// The most probable words, `length` of them, each read by the next step.
    std::vector<std::vector<int>> translate(Modules& modules, const Layout& layout, const float* theta,
                                            const std::vector<std::vector<int>>& source, int length);

    /// How much each word that was said looked at each of the source in the last translate(): the mean over
    /// the heads of the last block, [length, T] of sentence b.
    Array alignment(const std::string& name, const Layout& layout, const float* theta, int b) const;

  private:
    void encode(Modules& modules, const Layout& layout, const float* theta,
                const std::vector<std::vector<int>>& source);
    /// The logits where the decoder reads these words, [B, N_t].
    Read3 decode(Modules& modules, const Layout& layout, const float* theta, const std::vector<int>& words,
                 int N_t);
    DecoderMasks masks() const;

    int V_;
    StackSizes sizes_;
    Stack encoder_;
    DecoderStack decoder_;
    std::vector<int> lengths_, source_;
    std::vector<std::uint8_t> source_mask_, cross_mask_, target_mask_;
    Tensor<3> X_, S_, entered_, logits_, dlogits_, dZ_;
    Read3 Z_;
};

}  // namespace attn::training
