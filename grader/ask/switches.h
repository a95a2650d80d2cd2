#pragma once
/// Mistakes as switches of one computation. A module defines a struct of switches, its Variant, and computes
/// as these switches say. Every mistake sets some of them, so two mistakes can be combined. A Variant has an
/// operator ==.

#include <optional>
#include <span>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask {

/// The member `mistake` of each entry.
template <class Entry>
std::vector<Mistake> mistakes_of(const std::vector<Entry>& entries) {
    std::vector<Mistake> all;
    for (const Entry& entry : entries) all.push_back(entry.mistake);
    return all;
}

/// The Variant with all of these mistakes. `made`: indices of entries; the member `make` of an entry sets its
/// switches. Empty if two of the mistakes set the same switch, because then the result depends on their
/// order.
template <class Variant, class Entry>
std::optional<Variant> variant_of(const std::vector<Entry>& entries, std::span<const int> made) {
    Variant forwards, backwards;
    for (const int number : made) entries[static_cast<std::size_t>(number)].make(forwards);
    for (std::size_t k = made.size(); k-- > 0;) entries[static_cast<std::size_t>(made[k])].make(backwards);
    if (!(forwards == backwards)) return std::nullopt;
    return forwards;
}

}  // namespace attn::ask
