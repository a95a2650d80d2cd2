#pragma once
/// Random orders that are the same on every platform.

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace attn::data {

/// The numbers 0 .. count - 1 in a random order. The C++ standard fixes the numbers of mt19937_64, but not
/// what std::shuffle makes of them.
inline std::vector<int> shuffled(int count, std::uint64_t seed) {
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    std::mt19937_64 random(seed);
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random() % k]);
    return order;
}

}  // namespace attn::data
