#pragma once
/// For tests of assignment 4: masks.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contracts/masking_on_arrays.h"
#include "reference/testing/arrays.h"

namespace attn::testing {

inline Array padding_mask(const std::vector<int>& lengths, int N_q, int N_k) {
    return on_arrays::padding_mask({"lengths", {static_cast<int>(lengths.size())}, lengths}, N_q, N_k);
}

/// The causal mask for each of B batches.
inline Array causal_masks(int B, int N_q, int N_k) {
    return on_arrays::combine_masks(
        on_arrays::causal_mask(N_q, N_k),
        padding_mask(std::vector<int>(static_cast<std::size_t>(B), N_k), N_q, N_k));
}

}  // namespace attn::testing
