#pragma once
/// The model of assignment 18 with gradients: regions and words through blocks of co-attention, and the score of a pair.
///
/// Both streams have one width, so that the layers are those of assignments 3 and 5, whose gradients assignment 13 has.
/// Weights: "regions.W_f", "regions.b_f", "regions.W_p", "regions.b_p", "table", "P", "blocks.0.W_Q_r" .. as in CoBlockWeights, and of
/// the score "score.W_r" .. as in alignment_score.

#include <cstdint>
#include <string>
#include <vector>

#include "reference/models/stack.h"

namespace attn::training {

struct AlignerSizes {
    int D_f;      ///< features of a region
    int words;    ///< in the vocabulary
    int N_w;      ///< words of a sentence, at most
    int L, D, H;  ///< blocks, width of both streams, heads
    int F, D_p;   ///< the hidden layers of the feed-forwards; the vectors of the score
};

/// Pairs of an image and a sentence.
struct ScoredPairs {
    Read3 features;                     ///< [B, N_r, D_f]
    Read3 five;                         ///< [B, N_r, 5]  where the regions are
    TensorView<const int, 2> tokens;    ///< [B, N_w]
    std::vector<std::uint8_t> is_word;  ///< [B, N_w]  0 where a sentence has ended

    int count() const { return features.size(0); }
};

class Aligner {
  public:
    Aligner(Layout& layout, AlignerSizes sizes);

    /// The mean of -ln of the right answer's probability: sigmoid(score) where together[b] is 1, else 1 - sigmoid(score).
    double gradients(Modules& modules, const Layout& layout, float* gradient, const float* theta,
                     const ScoredPairs& pairs, const std::vector<int>& together);
    double loss(Modules& modules, const Layout& layout, const float* theta, const ScoredPairs& pairs,
                const std::vector<int>& together);
    /// The scores of all pairs, good until the next call      [B]
    Read1 scores(Modules& modules, const Layout& layout, const float* theta, const ScoredPairs& pairs);

  private:
    /// What one stream keeps of one block.
    struct BlockState {
        Tensor<3> X, attended, Z, fed, Y;  ///< attended = X + C, fed = Z + FF(Z), Y = LN_2(fed)
    };
    struct Stream {
        char letter;
        std::vector<BlockState> blocks;
        Tensor<3> C, dX, dY, dfed, dZ, dattended, dasked, dasks;
        Tensor<2> first, pooled, dpooled, dfirst;
    };
    void forward_block(Modules& modules, const Layout& layout, const float* theta, int l);
    void backward_block(Modules& modules, const Layout& layout, float* gradient, const float* theta, int l);
    Masks mask_for(const Stream& asking) const;
    void make_masks(const ScoredPairs& pairs);

    AlignerSizes sizes_;
    Stream regions_, words_;
    std::vector<std::uint8_t> words_seen_;  ///< [B, N_r, N_w]
    Masks of_words_;
    Tensor<3> placed_;
    Tensor<2> product_, score_, dscore_, dproduct_;
    Tensor<3> logits_, dlogits_;
};

}  // namespace attn::training
