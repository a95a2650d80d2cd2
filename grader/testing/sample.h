#pragma once
/// A sample of proofs. All proofs of the grader take longer than a run of the tests may take, so each run draws
/// some of them. `make test` seeds the draw with the checkout's commit: the same checkout draws the same proofs
/// on every day and machine, and every commit draws others. `make test-all` runs all of them.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace attn::proof {

/// How many of the items of a list are drawn, and by which seed.
struct Sample {
    std::size_t most = std::numeric_limits<std::size_t>::max();  ///< all of them
    std::string seed = {};                                       ///< any text

    bool is_all() const { return most == std::numeric_limits<std::size_t>::max(); }
};

/// The text in the environment's ATTN_SAMPLE, or a fixed one.
inline std::string sample_seed() {
    const char* const given = std::getenv("ATTN_SAMPLE");
    return given != nullptr && *given != '\0' ? given : "fixed";
}

/// A sample of `most` items by sample_seed(); all items where the environment sets ATTN_ALL_TESTS.
inline Sample at_most(std::size_t most) {
    return std::getenv("ATTN_ALL_TESTS") != nullptr ? Sample{} : Sample{most, sample_seed()};
}

/// The items that the sample draws, in their own order. The same items, count and seed draw the
/// same on every machine.
template <class T>
std::vector<T> drawn(std::vector<T> items, const Sample& sample) {
    if (items.size() <= sample.most) return items;
    std::vector<std::size_t> order(items.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::seed_seq seed(sample.seed.begin(), sample.seed.end());
    std::mt19937_64 random(seed);
    for (std::size_t k = 0; k < sample.most; ++k)
        std::swap(order[k], order[k + random() % (order.size() - k)]);
    order.resize(sample.most);
    std::sort(order.begin(), order.end());
    std::vector<T> result;
    for (const std::size_t k : order) result.push_back(std::move(items[k]));
    return result;
}

}  // namespace attn::proof
