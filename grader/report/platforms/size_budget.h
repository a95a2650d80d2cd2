#pragma once
/// Shortens files for platforms that limit their size.

#include <cstddef>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "grader/report/report.h"

namespace attn::report {

/// The most that a file may contain of each kind.
struct SizeBudget {
    std::size_t images = 6;
    std::size_t text = 32 << 10;  ///< bytes of each text
    std::size_t items = 0;        ///< tests, or the format's counterpart
};

/// The least length of a summary in bytes, whatever the budget.
inline constexpr std::size_t kLeastSummary = 2000;

/// The number of checks and source files in a report.
std::size_t count_items(const Report& report);

/// Calls `write` with smaller and smaller budgets until the text has at most `bytes` bytes: first fewer
/// images, then shorter texts, then fewer items. With 0 items, `write` must stay within `bytes` by itself.
std::string write_within(std::size_t bytes, std::size_t items,
                         const std::function<std::string(const SizeBudget&)>& write);

/// The first `budget.items` objects of an array, with their texts cut to `budget.text` bytes.
nlohmann::ordered_json cut_to_budget(const SizeBudget& budget, const nlohmann::ordered_json& items);

}  // namespace attn::report
