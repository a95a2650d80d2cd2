#include "grader/report/platforms/size_budget.h"

#include <algorithm>

#include "grader/report/text.h"

namespace attn::report {

std::size_t count_items(const Report& report) {
    std::size_t count = 0;
    for (const Assignment& assignment : report.assignments) {
        count += assignment.sources.size();
        for (const Part& part : assignment.parts) count += part.checks.size();
    }
    return count;
}

std::string write_within(std::size_t bytes, std::size_t items,
                         const std::function<std::string(const SizeBudget&)>& write) {
    constexpr std::size_t kShortestText = 64;  // a shorter text would be useless
    SizeBudget budget;
    budget.items = items;
    for (;;) {
        std::string text = write(budget);
        if (text.size() <= bytes || budget.items == 0) return text;
        if (budget.images > 0)
            budget.images /= 2;
        else if (budget.text > kShortestText)
            budget.text /= 2;
        else
            budget.items /= 2;
    }
}

nlohmann::ordered_json cut_to_budget(const SizeBudget& budget, const nlohmann::ordered_json& items) {
    nlohmann::ordered_json shorter = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < std::min(items.size(), budget.items); ++k) {
        shorter.push_back(nlohmann::ordered_json::object());
        for (const auto& [name, value] : items[k].items())
            shorter.back()[name] =
                value.is_string()
                    ? nlohmann::ordered_json(cut(value.get_ref<const std::string&>(), budget.text))
                    : value;
    }
    return shorter;
}

}  // namespace attn::report
