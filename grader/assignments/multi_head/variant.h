#pragma once
/// Multi-head attention with a switch for every misconception, so that any two of them can be combined.
/// mistakes.cpp names them, wrong_attention.cpp computes.

#include <string>

#include "grader/ask/check.h"

namespace attn::ask::multi_head {

enum class Split { columns, view, interleaved, head_0, from_h_H };
enum class Merge { columns, view, interleaved, added, averaged };
enum class Scale { sqrt_D_h, none, D_h, sqrt_D, sqrt_H };
enum class Scores { own, summed };                       // over the heads
enum class Over { keys, heads };                         // what the softmax sums over
enum class Values { own, whole_added, whole_averaged };  // which vectors a head averages
enum class Output { projected, not_projected, transposed };
enum class Sides { queries_ask, keys_from_X_q, values_from_X_q, swapped };
/// What is subtracted before exp. of_all: the maximum of the masked scores, too, and 0 / 0 where exp of every
/// allowed score is 0 then. of_all_or_0: the same, with weights of 0 there.
enum class Subtract { maximum, nothing, of_all, of_all_or_0 };
enum class Masking {
    right,
    ignored,
    inverted,
    tiled,
    of_batch_0,
    times_scores,
    after_softmax,
    empty_uniform,
    empty_nan
};

/// With its default values: the right computation.
struct Variant {
    Split split = Split::columns;
    Merge merge = Merge::columns;
    Scale scale = Scale::sqrt_D_h;
    Scores scores = Scores::own;
    Over over = Over::keys;
    Values values = Values::own;
    Output output = Output::projected;
    Sides sides = Sides::queries_ask;
    Masking masking = Masking::right;
    Subtract subtract = Subtract::maximum;
    bool X_split_first = false;
    bool projections_transposed = false;
    bool H_and_D_h_swapped = false;
    bool W_Q_W_K_swapped = false;
    bool b_Q = true, b_V = true, b_O = true;
    bool operator==(const Variant&) const = default;
};

/// The outputs of `function`. Empty if the shapes do not allow this variant.
std::optional<Arrays> computed(const Variant& variant, const Function& function, const Arrays& inputs,
                               Precision precision);

}  // namespace attn::ask::multi_head
