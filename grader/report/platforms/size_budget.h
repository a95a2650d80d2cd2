#pragma once
/// Files that a platform takes only up to a size, whatever the report.

#include <cstddef>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "grader/report/report.h"

namespace attn::report {

/// What a file may hold of each sort.
struct SizeBudget {
    std::size_t images = 6;
    std::size_t text = 32 << 10;  ///< bytes of each text
    std::size_t items = 0;        ///< tests, or what the format calls them
};

/// How much of a summary stays when there is no room for any other text.
inline constexpr std::size_t kLeastSummary = 2000;

/// How many checks and files a report has.
std::size_t items_in(const Report& report);

/// What `write` makes of the largest room for which it has at most `bytes`: images go first, then texts
/// become shorter, then there are fewer items. With no room at all `write` has to stay below `bytes` by
/// itself.
std::string fitting(std::size_t bytes, std::size_t items,
                    const std::function<std::string(const SizeBudget&)>& write);

/// The first objects of an array, with all texts in them cut.
nlohmann::ordered_json cut_to(const SizeBudget& room, const nlohmann::ordered_json& items);

}  // namespace attn::report
