#pragma once
/// For tests of assignment 4: masks.

#include <vector>

#include "contracts/masking_on_arrays.h"
#include "reference/testing/arrays.h"

namespace attn::testing {

inline Array padding_mask(const std::vector<int>& lengths, int N_q, int N_k) {
    return on_arrays::padding_mask({"lengths", {static_cast<int>(lengths.size())}, lengths}, N_q, N_k);
}

}  // namespace attn::testing
