#pragma once
/// Masking with a switch for every misconception, so that any two of them can be combined.

#include <string>

#include "grader/ask/check.h"

namespace attn::ask::masking {

enum class Causal { j_up_to_i, j_below_i, j_up_to_i_plus_1, j_from_i };
enum class Aligned { at_the_end, at_the_start, the_other_way, at_the_end_of_long_keys };
enum class Padding { keys, one_key_more, queries, both_axes, in_front };
enum class Batches { each_its_own, first_for_all, only_first };  // which mask a batch gets
enum class Combine { both, either, sum, equal, only_causal, only_padding };
enum class Masked { left_out, as_if_not, zero_after, times_score, minus_100, minus_10000, values_only };
enum class EmptyRow { zero, nan, uniform };
/// What is subtracted before exp. of_all: the maximum of the masked scores, too, and 0 / 0 where exp of every
/// allowed score is 0 then. of_all_or_0: the same, with weights of 0 there.
enum class Subtract { maximum, nothing, of_all, of_all_or_0 };

/// With its default values: the right computation.
struct Variant {
    bool inverted = false;  ///< 1 = may not attend
    Causal causal = Causal::j_up_to_i;
    Aligned aligned = Aligned::at_the_end;
    Padding padding = Padding::keys;
    Batches batches = Batches::each_its_own;
    Combine combine = Combine::both;
    Masked masked = Masked::left_out;
    EmptyRow empty_row = EmptyRow::zero;
    Subtract subtract = Subtract::maximum;
    bool transposed = false;  ///< mask(j, i) for mask(i, j)
    bool first_row_for_all = false;
    bool scaled = true;
    bool operator==(const Variant&) const = default;
};

/// Writes the output M of causal_mask, padding_mask or combine_masks.
void make_mask(const Variant& variant, const std::string& function, Array& M, const Arrays& inputs);

/// Writes Y of masked_softmax, or Y and A of masked_attention. False if the shapes do not allow this variant.
template <class T>
bool attend(const Variant& variant, const std::string& function, Arrays& outputs, const Arrays& inputs);

}  // namespace attn::ask::masking
