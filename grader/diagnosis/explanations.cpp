#include "grader/diagnosis/explanations.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/ask/edited.h"
#include "grader/diagnosis/failure_claims.h"

namespace attn::diagnosis {

Explanations::Explanations(std::span<const Evidence> answers)
    : answers_(answers), explainers_(answers.begin(), answers.end()), order_(answers.size()) {
    if (answers.empty()) return;
    const judge::Question& question = *answers.front().question;
    mistakes_ = question.module->mistakes.size();
    possible_ = ask::mistakes_within(*question.module, *question.function);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    // Nearly every mistake is contradicted by a wrong answer, but only few by a right one.
    std::ranges::stable_sort(order_, {}, [answers](std::size_t k) {
        return std::pair(answers[k].verdict->outcome == Outcome::passed, work_of(answers[k]));
    });
    said_.resize(mistakes_ * mistakes_ * answers.size());
    own_ = ask::mistakes_in_own_code(*question.module, *question.function);
    const auto others = [this](const Made& made) {
        return std::ranges::count_if(made, [this](int one) { return !is_own(one); });
    };
    for (const int first : possible_)
        for (const int second : possible_)
            if (first < second) pairs_.push_back({first, second});
    std::ranges::stable_sort(pairs_, {}, others);
}

bool Explanations::is_own(int mistake) const {
    return std::ranges::find(own_, mistake) != own_.end();
}

Explains Explanations::result_of(std::span<const int> made, std::size_t answer) {
    // One mistake alone has the place of the pair of this mistake with itself.
    const auto first = static_cast<std::size_t>(made.front()), last = static_cast<std::size_t>(made.back());
    auto& known = said_[(first * mistakes_ + last) * answers_.size() + answer];
    if (!known) {
        const std::int64_t before = edits::work_done();
        known = explainers_[answer](made);
        if (first != last) work_of_pairs_ += edits::work_done() - before;
    }
    return *known;
}

/// Whether each of these mistakes changes something: for each one, some wrong answer has the numbers of all
/// of them, and has other numbers without this one. One mistake alone changes something, as it explains a
/// wrong answer.
bool Explanations::each_is_needed(const Made& made, std::span<const std::size_t> answers) {
    if (made.size() == 1) return true;
    return std::ranges::all_of(made, [&](const int one) {
        const int other = made.front() == one ? made.back() : made.front();
        return std::ranges::any_of(answers, [&](std::size_t k) {
            return result_of(made, k) == Explains::yes && result_of({&other, 1}, k) == Explains::no;
        });
    });
}

bool Explanations::explains_all(const Made& made) {
    Counts counts;
    for (const std::size_t k : order_) {
        const Explains this_one = result_of(made, k);
        if (this_one == Explains::no) return false;
        counts.add(this_one, answers_[k].verdict->outcome);
    }
    return counts.yes > 0 && counts.enough(made) && each_is_needed(made, order_);
}

bool Explanations::is_confirmed(const Made& made, std::size_t answer) {
    const auto passed = [this](std::size_t k) { return answers_[k].verdict->outcome == Outcome::passed; };
    Counts counts;
    // Only a wrong answer can speak for a mistake.
    auto open = static_cast<int>(std::ranges::count_if(order_, std::not_fn(passed)));
    for (const std::size_t k : order_) {
        const Explains this_one = result_of(made, k);
        const Outcome outcome = answers_[k].verdict->outcome;
        if (k == answer && this_one != Explains::yes) return false;
        if (this_one == Explains::no && passed(k)) return false;
        counts.add(this_one, outcome);
        if (!passed(k)) --open;
        if (!counts.can_be_enough(open)) return false;
    }
    return counts.enough(made) && each_is_needed(made, {&answer, 1});
}

template <class Holds>
std::vector<Made> Explanations::singles(Holds holds) const {
    std::vector<Made> found;
    for (const int one : possible_)
        if (Made made{one}; holds(made)) found.push_back(std::move(made));
    const auto own = [this](const Made& made) { return is_own(made.front()); };
    if (std::ranges::any_of(found, own)) std::erase_if(found, std::not_fn(own));
    return found;
}

template <class Holds>
std::vector<Made> Explanations::pairs(Holds holds) {
    constexpr std::int64_t kMostWork = 16'000'000;
    std::vector<Made> found;
    for (const Made& made : pairs_)
        if (work_of_pairs_ < kMostWork && holds(made)) found.push_back(made);
    return found;
}

std::vector<Made> Explanations::single_of_all() {
    return singles([this](const Made& made) { return explains_all(made); });
}

std::vector<Made> Explanations::of_all() {
    auto found = single_of_all();
    return found.empty() ? pairs([this](const Made& made) { return explains_all(made); }) : found;
}

std::vector<Made> Explanations::of(std::size_t answer) {
    const auto holds = [this, answer](const Made& made) { return is_confirmed(made, answer); };
    auto found = singles(holds);
    if (!found.empty()) return found;
    found = pairs(holds);
    const auto explains_it = [this, answer](const Made& made) {
        return result_of(made, answer) == Explains::yes;
    };
    if (!found.empty() && !singles(explains_it).empty()) return {};
    return found;
}

FailingBranches in_failing_branches(std::span<const Evidence> answers,
                                    const std::vector<std::string>& needed) {
    FailingBranches failing;
    failing.answers.assign(answers.begin(), answers.end());
    if (answers.empty()) return failing;
    for (const ask::OptionSpec& option : answers.front().question->function->options) {
        if (option.choices.empty()) continue;
        if (!needed.empty() && std::ranges::find(needed, option.name) == needed.end()) continue;
        std::set<double> choices;
        for (const Evidence& answer : failing.answers)
            if (answer.verdict->outcome != Outcome::passed)
                choices.insert(option_of(*answer.question, option));
        const auto left_out = std::erase_if(failing.answers, [&](const Evidence& answer) {
            return !choices.contains(option_of(*answer.question, option));
        });
        if (left_out == 0) continue;
        failing.options.push_back(option.name);
        std::vector<std::string> names;
        for (const double choice : choices)
            names.push_back(option.choices.at(static_cast<std::size_t>(choice)));
        failing.in_words += fmt::format("{}{} = {}", failing.in_words.empty() ? "" : " and ", option.name,
                                        fmt::join(names, " or "));
    }
    return failing;
}

}  // namespace attn::diagnosis
