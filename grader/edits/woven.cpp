#include "grader/edits/woven.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace attn::edits::woven {
namespace {

struct Assignment {
    std::string_view name;
    std::span<const WovenFunction> functions;
    std::span<const Conflict> conflicts;
};

std::vector<Assignment>& assignments() {
    static std::vector<Assignment> all;
    return all;
}

const Assignment* assignment_named(std::string_view name) {
    const auto found = std::ranges::find(assignments(), name, &Assignment::name);
    return found == assignments().end() ? nullptr : &*found;
}

}  // namespace

Registration::Registration(const char* assignment, std::span<const WovenFunction> functions,
                           std::span<const Conflict> conflicts) {
    assignments().push_back({assignment, functions, conflicts});
}

const WovenFunction* find(const char* assignment, const char* function) {
    const Assignment* const in = assignment_named(assignment);
    if (in == nullptr) return nullptr;
    const auto found = std::ranges::find_if(in->functions, [function](const WovenFunction& each) {
        return std::string_view(each.name) == function;
    });
    return found == in->functions.end() ? nullptr : &*found;
}

bool compatible(const char* assignment, std::span<const int> made) {
    const Assignment* const in = assignment_named(assignment);
    if (in == nullptr || made.size() > kMostTogether) return false;
    return made.size() < 2 || std::ranges::none_of(in->conflicts, [made](const Conflict& conflict) {
               return conflict.one == std::min(made[0], made[1]) &&
                      conflict.other == std::max(made[0], made[1]);
           });
}

Switched::Switched(std::span<const int> made) {
    if (!made.empty()) state.first = made[0];
    if (made.size() > 1) state.second = made[1];
}

}  // namespace attn::edits::woven
