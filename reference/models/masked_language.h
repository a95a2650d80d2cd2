#pragma once
/// The masked language model of assignment 12 with gradients: vectors of tokens and places, pre-norm blocks without a causal
/// mask, a head for hidden words and a head for the whole sequence, which reads its first token.
///
/// Weights: "table" [V, D], "P" [N, D], those of the blocks, "gamma" and "beta"; "token.W", "token.b", "token.gamma",
/// "token.beta", "token.bias"; "sentence.W", "sentence.b", "sentence.W_c", "sentence.b_c".

#include <vector>

#include "reference/models/stack.h"

namespace attn::training {

/// The special tokens of assignment 12.
inline constexpr int kPad = 0, kStart = 1, kEnd = 2, kMask = 4, kSpecialTokens = 5;

class MaskedLanguageModel {
  public:
    MaskedLanguageModel(Layout& layout, int V, int N, int classes, StackSizes sizes);

    /// The logits [1, M, V] of the M places of `tokens` [B, N'], N' <= N, that have a target; good until the next call.
    /// `words` are the targets of these places [1, M].
    struct Guesses {
        Read3 logits;
        TensorView<const int, 2> words;
    };
    Guesses guesses(Modules& modules, const Layout& layout, const float* theta,
                    TensorView<const int, 2> tokens, TensorView<const int, 2> targets);
    /// mlm_loss, and the gradients, which hold zeros before. A batch without a target has the loss 0.
    double word_gradients(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                          TensorView<const int, 2> tokens, TensorView<const int, 2> targets);

    /// The logits [B, K] of sequences, which end with <pad>; good until the next call.
    Read2 classes(Modules& modules, const Layout& layout, const float* theta,
                  TensorView<const int, 2> tokens);
    double class_gradients(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                           TensorView<const int, 2> tokens, TensorView<const int, 1> labels);

    int vocabulary() const { return V_; }

  private:
    Read3 encode(Modules& modules, const Layout& layout, const float* theta, TensorView<const int, 2> tokens);
    /// From dY_ to the table and the places.
    void encode_backward(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                         TensorView<const int, 2> tokens);
    Masks mask() const;

    int V_, N_, K_;
    Stack stack_;
    Tensor<3> X_, chosen_, dchosen_, logits_, dlogits_, dY_;
    Tensor<2> classes_, dclasses_;
    Read3 Y_;
    std::vector<std::uint8_t> mask_;  ///< empty if no token is <pad>
    std::vector<int> places_, words_;
};

/// The special tokens and their names, then words.
const std::vector<std::string>& special_tokens();

}  // namespace attn::training
