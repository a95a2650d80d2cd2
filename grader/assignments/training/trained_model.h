#pragma once
/// The model that a training of assignment 14 ends with, in double, while it reads one sentence.

#include "grader/ask/module.h"

namespace attn::ask::training {

class TrainedModel {
  public:
    /// Reads sentence `sentence` of the targets among the inputs of `train`. `theta`: the weights.
    TrainedModel(const Arrays& inputs, const Array& theta, int sentence);

    int blocks() const { return L_; }
    /// The weights of attention of block l: [H, words, words].
    Array attention(int l, int words) const;
    /// The probability that the model writes the word `next` after `place`. If `alone`, the word at this place
    /// sees only itself.
    double probability(int place, int next, bool alone) const;
    /// The same model with queries of zeros: each word looks at itself and all before it alike.
    TrainedModel with_equal_attention() const;

  private:
    TensorView<const double, 1> theta() const { return theta_.view<double, 1>(); }
    double weight(int w) const { return theta()(w); }
    int begin(int l) const;
    /// What block l reads, for l = L: what the last one writes. [1, N, D]
    Array input(int l, TensorView<const std::uint8_t, 3> mask) const;
    /// X W + b, split into heads: [H, N, D/H].
    Array heads_of(const Array& X, TensorView<const double, 2> W, TensorView<const double, 1> b) const;

    Array theta_;
    int N_, D_, V_, F_, H_, L_;
    Array X_;
};

/// Weights of attention for a picture, which needs no more digits.
Array with_three_digits(const Array& weights);

}  // namespace attn::ask::training
