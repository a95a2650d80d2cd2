#include <algorithm>
#include <map>
#include <set>

#include "grader/classes/similarity/similarity.h"

namespace attn::classes {
namespace {

/// Whether two inputs are nearly the same, and not one a part of the other.
bool is_nearly_same(const Similarity& found, const SimilarPair& pair) {
    constexpr double kShared = 0.9, kSizes = 0.8;
    const auto [less, more] = std::minmax(found.texts[pair.a].tokens, found.texts[pair.b].tokens);
    return pair.share_with_common >= kShared && less >= kSizes * more;
}

}  // namespace

void group_similar(Similarity& found, const std::vector<SimilarityInput>& inputs) {
    std::map<std::size_t, std::set<std::size_t>> same;
    for (const SimilarPair& pair : found.pairs)
        if (is_nearly_same(found, pair)) {
            same[pair.a].insert(pair.b);
            same[pair.b].insert(pair.a);
        }
    // Whoever has the most neighbours comes first, so that a group is as large as it can be.
    std::vector<std::size_t> order;
    for (const auto& [input, others] : same) order.push_back(input);
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t input) { return same[input].size(); });
    std::map<std::size_t, std::size_t> group_of;
    for (const std::size_t first : order) {
        if (group_of.count(first) != 0) continue;
        SimilarGroup group{{first}};
        std::set<int> students = {inputs[first].student};
        for (const std::size_t other : same[first])
            if (group_of.count(other) == 0) {
                group.members.push_back(other);
                students.insert(inputs[other].student);
            }
        constexpr std::size_t kFewest = 3;
        if (students.size() < kFewest) continue;
        for (const std::size_t member : group.members) group_of[member] = found.groups.size();
        found.groups.push_back(std::move(group));
    }
    std::erase_if(found.pairs, [&](SimilarPair& pair) {
        const auto a = group_of.find(pair.a), b = group_of.find(pair.b);
        if (a == group_of.end() || b == group_of.end() || a->second != b->second) return false;
        const std::size_t first = found.groups[a->second].members.front();
        pair.in_group = pair.a == first || pair.b == first;
        return !pair.in_group;
    });
}

}  // namespace attn::classes
