#include "grader/grading/missing_function.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace attn {
namespace {

constexpr std::size_t kMostTypos = 2;

bool is_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The names of the functions that return nothing, as all functions of the contracts do: "void NAME(".
std::vector<std::string> void_functions(std::string_view text) {
    constexpr std::string_view kVoid = "void";
    std::vector<std::string> names;
    for (std::size_t at = text.find(kVoid); at != std::string_view::npos; at = text.find(kVoid, at)) {
        const bool begins = at == 0 || !is_of_word(text[at - 1]);
        at += kVoid.size();
        std::size_t from = at;
        while (from < text.size() && std::isspace(static_cast<unsigned char>(text[from])) != 0) ++from;
        std::size_t to = from;
        while (to < text.size() && is_of_word(text[to])) ++to;
        if (begins && from > at && to > from && to < text.size() && text[to] == '(')
            names.emplace_back(text.substr(from, to - from));
    }
    return names;
}

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

std::string instead_of(std::string_view function, const std::string& file, std::string_view text) {
    const std::vector<std::string> names = void_functions(text);
    if (std::ranges::find(names, function) != names.end())
        return fmt::format(
            "{} has a function {}. Are its parameters those of the header, and is it inside namespace attn?",
            file, function);
    constexpr std::size_t kLongest = 64;
    for (const std::string& name : names)
        if (name.size() < kLongest && typos_between(function, name) <= kMostTypos)
            return fmt::format("{} has a function {}. Is {} meant?", file, name, function);
    return {};
}

}  // namespace attn
