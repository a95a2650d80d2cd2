#pragma once
/// Mistakes as switches of one computation: a module computes in a Variant, a struct of switches that
/// compares with ==, and every mistake turns some of them. So any two mistakes can be made at once.

#include <optional>
#include <span>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask {

/// Mistakes of a list whose entries hold one as `mistake`.
template <class Entry>
std::vector<Mistake> mistakes_of(const std::vector<Entry>& entries) {
    std::vector<Mistake> all;
    for (const Entry& entry : entries) all.push_back(entry.mistake);
    return all;
}

/// The way of one who makes all of these mistakes (numbers of entries, which turn switches with `make`);
/// nothing where two of them turn the same one, so that the order would count.
template <class Variant, class Entry>
std::optional<Variant> way_of(const std::vector<Entry>& entries, std::span<const int> made) {
    Variant forwards, backwards;
    for (const int number : made) entries[static_cast<std::size_t>(number)].make(forwards);
    for (std::size_t k = made.size(); k-- > 0;) entries[static_cast<std::size_t>(made[k])].make(backwards);
    if (!(forwards == backwards)) return std::nullopt;
    return forwards;
}

}  // namespace attn::ask
