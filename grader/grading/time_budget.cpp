#include "grader/grading/time_budget.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attn {
namespace {

double seconds_since(worker::Clock::time_point start) {
    return std::chrono::duration<double>(worker::Clock::now() - start).count();
}

}  // namespace

void TimeBudget::begin(std::string name) {
    const auto known = std::ranges::find(used_, name, &std::pair<std::string, double>::first);
    current_ = static_cast<std::size_t>(known - used_.begin());
    if (known == used_.end()) used_.emplace_back(std::move(name), 0);
    started_ = worker::Clock::now();
}

void TimeBudget::end() {
    used_[current_].second += seconds_since(*started_);
    started_.reset();
}

double TimeBudget::used_s() const {
    double sum = started_ ? seconds_since(*started_) : 0;
    for (const auto& [name, seconds] : used_) sum += seconds;
    return sum;
}

std::optional<worker::CallResult> TimeBudget::refusal() const {
    if (used_s() < limit_s_) return std::nullopt;
    auto most = used_;
    if (started_) most[current_].second += seconds_since(*started_);
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
