#pragma once
/// How much of a check a student sees, and when.

#include <array>
#include <cstddef>
#include <string_view>

namespace attn::report {

enum class Disclosure {
    full,
    category,           ///< outcome, named mistake and hint; no inputs, no numbers, no printed text
    after_deadline,     ///< everything, once the deadline has passed
    after_publication,  ///< everything, once marks are published
    never,              ///< nothing; its points still count in the total
};

inline constexpr std::array<std::string_view, 5> kDisclosureNames{"full", "category", "after_deadline",
                                                                  "after_publication", "never"};

static_assert(kDisclosureNames.size() == static_cast<std::size_t>(Disclosure::never) + 1);

/// The name in rubrics and reports: "after_deadline".
constexpr std::string_view name_of(Disclosure disclosure) {
    return kDisclosureNames[static_cast<std::size_t>(disclosure)];
}

}  // namespace attn::report
