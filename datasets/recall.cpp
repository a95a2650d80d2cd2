#include "datasets/recall.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace attn::data {

Recall recall(int pairs) {
    if (pairs < 1 || pairs > 4) throw std::invalid_argument("recall: expected 1 to 4 pairs");
    Recall world{{"START"}, {}};
    for (int k = 0; k < pairs; ++k) world.words.emplace_back(1, static_cast<char>('a' + k));
    for (int k = 0; k < pairs; ++k) world.words.push_back(std::to_string(k + 1));
    std::vector<int> keys(static_cast<std::size_t>(pairs)), values(keys.size());
    std::iota(keys.begin(), keys.end(), 1);
    std::iota(values.begin(), values.end(), 1 + pairs);
    do {
        do {
            std::vector<int> given;
            for (std::size_t k = 0; k < keys.size(); ++k) given.insert(given.end(), {keys[k], values[k]});
            for (std::size_t asked = 0; asked < keys.size(); ++asked) {
                world.sentences.push_back(given);
                world.sentences.back().insert(world.sentences.back().end(), {keys[asked], values[asked]});
            }
        } while (std::next_permutation(values.begin(), values.end()));
    } while (std::next_permutation(keys.begin(), keys.end()));
    return world;
}

}  // namespace attn::data
