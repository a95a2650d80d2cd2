// Masks as a Variant says.

#include <algorithm>
#include <cstdint>

#include "grader/ask/inputs.h"
#include "grader/assignments/masking/variant.h"

namespace attn::ask::masking {
namespace {

/// Query i may see the keys up to i + this number.
int ahead_of(Aligned aligned, int N_q, int N_k) {
    switch (aligned) {
        case Aligned::at_the_start:
            return 0;
        case Aligned::the_other_way:
            return N_q - N_k;
        case Aligned::at_the_end_of_long_keys:
            return std::max(0, N_k - N_q);
        case Aligned::at_the_end:
            break;
    }
    return N_k - N_q;
}

/// `last`: the last key that the query may see under the right mask.
bool causal_allows(Causal causal, int j, int last) {
    switch (causal) {
        case Causal::j_below_i:
            return j < last;
        case Causal::j_up_to_i_plus_1:
            return j <= last + 1;
        case Causal::j_from_i:
            return j >= last;
        case Causal::j_up_to_i:
            break;
    }
    return j <= last;
}

bool padding_allows(Padding padding, int i, int j, int length, int N_k) {
    switch (padding) {
        case Padding::one_key_more:
            return j <= length;
        case Padding::queries:
            return i < length;
        case Padding::both_axes:
            return i < length && j < length;
        case Padding::in_front:
            return j >= N_k - length;
        case Padding::keys:
            break;
    }
    return j < length;
}

int combined(Combine combine, bool causal, bool padding) {
    switch (combine) {
        case Combine::either:
            return causal || padding;
        case Combine::sum:
            return int{causal} + int{padding};
        case Combine::equal:
            return causal == padding;
        case Combine::only_causal:
            return causal;
        case Combine::only_padding:
            return padding;
        case Combine::both:
            break;
    }
    return causal && padding;
}

}  // namespace

void make_mask(const Variant& variant, const std::string& function, Array& M, const Arrays& inputs) {
    if (function == "causal_mask") {
        const auto m = M.view<std::uint8_t, 2>();
        const int N_q = m.size(0), N_k = m.size(1), ahead = ahead_of(variant.aligned, N_q, N_k);
        for (int i = 0; i < N_q; ++i)
            for (int j = 0; j < N_k; ++j)
                m(i, j) = causal_allows(variant.causal, j, i + ahead) != variant.inverted;
        return;
    }
    const auto m = M.view<std::uint8_t, 3>();
    for (int b = 0; b < m.size(0); ++b) {
        const int source = variant.batches == Batches::first_for_all ? 0 : b;
        const bool all_ones = variant.batches == Batches::only_first && b > 0;
        for (int i = 0; i < m.size(1); ++i) {
            for (int j = 0; j < m.size(2); ++j) {
                int entry = 0;
                if (function == "padding_mask") {
                    const int length = by_name(inputs, "lengths").view<int, 1>()(source);
                    entry = padding_allows(variant.padding, i, j, length, m.size(2)) != variant.inverted;
                } else {
                    const bool causal = by_name(inputs, "causal").view<std::uint8_t, 2>()(i, j) != 0;
                    const bool padding =
                        by_name(inputs, "padding").view<std::uint8_t, 3>()(source, i, j) != 0;
                    entry = combined(variant.combine, causal, padding);
                }
                m(b, i, j) = static_cast<std::uint8_t>(all_ones ? 1 : entry);
            }
        }
    }
}

}  // namespace attn::ask::masking
