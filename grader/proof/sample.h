#pragma once
/// A sample of proofs for every day. All proofs of the grader take longer than a run of the tests may take,
/// so each run draws some of them. The day seeds the draw: runs of one day agree, and over the weeks every
/// proof has its turn. `make test-all` runs all of them.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace attn::proof {

/// How many of the items of a list are drawn, and by which day.
struct Sample {
    std::size_t most = std::numeric_limits<std::size_t>::max();  ///< all of them
    std::uint64_t day = 0;

    bool is_all() const { return most == std::numeric_limits<std::size_t>::max(); }
};

/// Days since 1970, or the number in the environment's ATTN_DAY, with which an earlier sample is drawn again.
inline std::uint64_t today() {
    if (const char* day = std::getenv("ATTN_DAY"); day != nullptr) return std::strtoull(day, nullptr, 10);
    using Days = std::chrono::duration<std::uint64_t, std::ratio<86400>>;
    return std::chrono::duration_cast<Days>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// `most` items a day; all of them where the environment sets ATTN_ALL_TESTS.
inline Sample of_today(std::size_t most) {
    return std::getenv("ATTN_ALL_TESTS") != nullptr ? Sample{} : Sample{most, today()};
}

/// The items that the sample draws, in their own order. The same items, count and day draw the same.
template <class T>
std::vector<T> drawn(std::vector<T> items, const Sample& sample) {
    if (items.size() <= sample.most) return items;
    std::vector<std::size_t> order(items.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937_64 random(sample.day);
    for (std::size_t k = 0; k < sample.most; ++k)
        std::swap(order[k], order[k + random() % (order.size() - k)]);
    order.resize(sample.most);
    std::sort(order.begin(), order.end());
    std::vector<T> result;
    for (const std::size_t k : order) result.push_back(std::move(items[k]));
    return result;
}

}  // namespace attn::proof
