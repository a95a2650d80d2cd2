#include "grader/grading/missing_function.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace attn {
namespace {

constexpr std::size_t kMostTypos = 2;

/// How many letters have to be changed, added or left out.
std::size_t typos_between(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string instead_of(std::string_view function, const std::string& file,
                       const std::vector<std::string>& names) {
    if (std::ranges::find(names, function) != names.end())
        return fmt::format(
            "{} has a function {}. Are its parameters those of the header, and is it inside namespace attn?",
            file, function);
    for (const std::string& name : names)
        if (typos_between(function, name) <= kMostTypos)
            return fmt::format("{} has a function {}. Is {} meant?", file, name, function);
    return {};
}

}  // namespace attn
