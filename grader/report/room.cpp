#include "grader/report/room.h"

namespace attn::report {

std::size_t checks_in(const Report& report) {
    std::size_t count = 0;
    for (const Assignment& assignment : report.assignments)
        for (const Part& part : assignment.parts) count += part.checks.size();
    return count;
}

std::string fitting(std::size_t bytes, std::size_t items,
                    const std::function<std::string(const Room&)>& write) {
    constexpr std::size_t kShortestText = 64;  // below it a text says nothing
    Room room;
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

}  // namespace attn::report
