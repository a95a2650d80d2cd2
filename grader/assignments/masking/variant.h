#pragma once
/// How somebody masks: a switch for every misconception, so that any two of them can be made at once.

#include <string>

#include "grader/ask/check.h"

namespace attn::ask::masking {

enum class Causal { j_up_to_i, j_below_i, j_up_to_i_plus_1, j_from_i };
enum class Aligned { at_the_end, at_the_start, the_other_way, at_the_end_of_long_keys };
enum class Padding { keys, one_key_more, queries, both_axes, in_front };
enum class Batches { each_its_own, first_for_all, only_first };  // whose mask a batch gets
enum class Combine { both, either, sum, equal, only_causal, only_padding };
enum class Masked { left_out, as_if_not, zero_after, times_score, minus_100, minus_10000, values_only };
enum class EmptyRow { zero, nan, uniform };
enum class Subtract { maximum, nothing };  // before exp

/// As it stands: rightly.
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

/// Writes the mask of a function that makes one.
void make_mask(const Variant& way, const std::string& function, Array& M, const Arrays& inputs);

/// Writes masked_softmax's Y or masked_attention's Y and A. False where the shapes do not allow it.
template <class T>
bool attend(const Variant& way, const std::string& function, Arrays& outputs, const Arrays& inputs);

}  // namespace attn::ask::masking
