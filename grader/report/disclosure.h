#pragma once
/// What a student is told of a check, and when.

#include <array>
#include <cstddef>
#include <string_view>

namespace attn::report {

enum class Disclosure {
    full,
    category,           ///< the outcome, a named mistake and its hint; no inputs, no numbers, nothing printed
    after_deadline,     ///< all of it, from then on
    after_publication,  ///< all of it, once marks are published
    never,              ///< only what it adds to the points
};

inline constexpr std::array<std::string_view, 5> kDisclosureNames{"full", "category", "after_deadline",
                                                                  "after_publication", "never"};

static_assert(kDisclosureNames.size() == static_cast<std::size_t>(Disclosure::never) + 1);

/// "after_deadline": the name in files.
constexpr std::string_view name_of(Disclosure disclosure) {
    return kDisclosureNames[static_cast<std::size_t>(disclosure)];
}

}  // namespace attn::report
