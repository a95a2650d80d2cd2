#include <algorithm>

#include "grader/report/platforms/size_budget.h"
#include "grader/report/text.h"

namespace attn::report {

std::size_t items_in(const Report& report) {
    std::size_t count = 0;
    for (const Assignment& assignment : report.assignments) {
        count += assignment.sources.size();
        for (const Part& part : assignment.parts) count += part.checks.size();
    }
    return count;
}

std::string fitting(std::size_t bytes, std::size_t items,
                    const std::function<std::string(const SizeBudget&)>& write) {
    constexpr std::size_t kShortestText = 64;  // below it a text says nothing
    SizeBudget room;
    room.items = items;
    for (;;) {
        std::string text = write(room);
        if (text.size() <= bytes || room.items == 0) return text;
        if (room.images > 0)
            room.images /= 2;
        else if (room.text > kShortestText)
            room.text /= 2;
        else
            room.items /= 2;
    }
}

nlohmann::ordered_json cut_to(const SizeBudget& room, const nlohmann::ordered_json& items) {
    nlohmann::ordered_json shorter = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < std::min(items.size(), room.items); ++k) {
        shorter.push_back(nlohmann::ordered_json::object());
        for (const auto& [name, value] : items[k].items())
            shorter.back()[name] =
                value.is_string()
                    ? nlohmann::ordered_json(cut(value.get_ref<const std::string&>(), room.text))
                    : value;
    }
    return shorter;
}

}  // namespace attn::report
