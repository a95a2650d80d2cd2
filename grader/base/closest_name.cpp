#include "grader/base/closest_name.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <vector>

namespace attn {
namespace {

bool same_letter(char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// The Levenshtein distance of two words.
std::size_t edits_between(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (same_letter(a[i], b[j]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string closest(const std::string& typed, std::span<const std::string> names) {
    std::string best;
    std::size_t fewest = typed.size() / 3 + 1;
    for (const std::string& name : names)
        if (const std::size_t edits = edits_between(typed, name); edits < fewest) {
            fewest = edits;
            best = name;
        }
    return best;
}

std::string did_you_mean(const std::string& typed, std::span<const std::string> names) {
    const std::string name = closest(typed, names);
    return name.empty() ? "" : " Did you mean " + name + "?";
}

}  // namespace attn
