#include "grader/grading/time_budget.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/base/processor_time.h"

namespace attn {
void TimeBudget::count() {
    const auto now = worker::Clock::now();
    const double worked_s = processor_time_s();
    if (!running_.empty()) {
        auto& [name, seconds] = used_[running_.back()];
        seconds += name == kOwnWork ? worked_s - worked_before_s_
                                    : std::chrono::duration<double>(now - since_).count();
    }
    since_ = now;
    worked_before_s_ = worked_s;
}

void TimeBudget::begin(std::string name) {
    count();
    const auto known = std::ranges::find(used_, name, &std::pair<std::string, double>::first);
    running_.push_back(static_cast<std::size_t>(known - used_.begin()));
    if (known == used_.end()) used_.emplace_back(std::move(name), 0);
}

void TimeBudget::end() {
    count();
    running_.pop_back();
}

std::optional<worker::CallResult> TimeBudget::refusal() {
    count();
    double own_s = 0, others_s = 0;
    for (const auto& [name, seconds] : used_) (name == kOwnWork ? own_s : others_s) += seconds;
    if (own_s < limit_s_ && others_s < limit_s_) return std::nullopt;
    auto most = used_;
    constexpr std::size_t kNamed = 3;
    std::ranges::stable_sort(most, [](const auto& a, const auto& b) { return a.second > b.second; });
    most.resize(std::min(most.size(), kNamed));
    std::vector<std::string> words;
    for (const auto& [name, seconds] : most) words.push_back(fmt::format("{} took {:.3g} s", name, seconds));
    return worker::failure(Outcome::over_budget,
                           fmt::format("Not run: the {:g} s for this assignment as a whole are used up; {}.",
                                       limit_s_, fmt::join(words, ", ")));
}

judge::CallFunction TimeBudget::limited(judge::CallFunction call, std::string what) {
    return [this, call = std::move(call), what = std::move(what)](
               const ask::Function& function, const Arrays& inputs, const std::vector<std::string>& wanted,
               worker::Placement placement) {
        if (auto refused = refusal()) return std::move(*refused);
        const Use use(*this, what + " of " + function.name);
        return call(function, inputs, wanted, placement);
    };
}

}  // namespace attn
