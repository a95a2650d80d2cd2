#pragma once
/// A recurrent translator, character by character: Elman's encoder of assignment 7 and the decoder with
/// attention of assignment 1, with gradients.
///
/// Weights: "source_table" and "target_table", "encoder.W_x", "encoder.W_h", "encoder.b", "decoder.W_q" .. as
/// in DecoderWeights, "W_out" and "b_out" from decoder states to logits.

#include <string>
#include <vector>

#include "reference/models/stack.h"

namespace attn::training {

struct TranslatorSizes {
    int source, target;  ///< different characters; the target has one more, START, which nothing says
    int D, D_y, D_s,
        D_a;  ///< of source characters and encoder states, target characters, decoder states, scores
};

/// Sentences as numbers, one after the other.
struct Pairs {
    std::vector<std::vector<int>> source;
    std::vector<std::vector<int>> target;  ///< all of the same length
};

/// The number of sentences in which every character is right.
int whole_sentences(const std::vector<std::vector<int>>& said, const std::vector<std::vector<int>>& target);

class Translator {
  public:
    /// Without attention the decoder is offered the encoder's last state only: its weight is then 1, and the
    /// context of every step is this state.
    Translator(Layout& layout, TranslatorSizes sizes, bool attention);

    double gradients(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                     const Pairs& batch);

    /// The most probable characters, `length` of them, each read by the next step.
    std::vector<std::vector<int>> translate(Modules& modules, const Layout& layout, const float* theta,
                                            const std::vector<std::vector<int>>& source, int length);
    /// Who looked where in the last translate(): A [B, length, T].
    Read3 alignment() const { return A_.view(); }

  private:
    void encode(Modules& modules, const Layout& layout, const float* theta,
                const std::vector<std::vector<int>>& source);
    void decode(Modules& modules, const Layout& layout, const float* theta, int L);
    View3 offered() const { return attention_ ? H_.view() : last_.view(); }
    MaskView mask() const { return {mask_.data(), offered().size(0), offered().size(1)}; }
    int start() const { return sizes_.target; }

    TranslatorSizes sizes_;
    bool attention_;
    std::vector<int> lengths_;
    std::vector<std::uint8_t> mask_;
    Tensor<3> X_, H_, last_, y_, S_, A_, logits_, dlogits_, dS_, doffered_, dH_, dX_, dy_;
    Kept kept_;
};

}  // namespace attn::training
