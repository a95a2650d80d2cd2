#include "grader/grading/carry_forward.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {
namespace {

std::ptrdiff_t passed_in(const std::vector<report::Check>& checks) {
    return std::ranges::count(checks, Outcome::passed, &report::Check::outcome);
}

/// Whether two outputs agree in about three digits, and are not finite at the same places.
bool nearly_equal(const Array& a, const Array& b) {
    constexpr double kShare = 1e-3;
    if (a.count() != b.count()) return false;
    double largest = 0;
    for (std::size_t k = 0; k < a.count(); ++k)
        if (std::isfinite(number_at(a, k))) largest = std::max(largest, std::abs(number_at(a, k)));
    for (std::size_t k = 0; k < a.count(); ++k) {
        const double x = number_at(a, k), y = number_at(b, k);
        if (std::isfinite(x) != std::isfinite(y)) return false;
        if (std::isfinite(x) && !(std::abs(x - y) <= kShare * largest)) return false;
    }
    return true;
}

/// The checks whose results differ.
std::vector<std::size_t> different(const Judged& a, const Judged& b) {
    const auto checks_a = a.checks(), checks_b = b.checks();
    const auto &verdicts_a = a.numeric.verdicts, &verdicts_b = b.numeric.verdicts;
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < checks_a.size(); ++k) {
        const bool numeric = k < verdicts_a.size();
        if (checks_a[k].outcome != checks_b[k].outcome || (numeric && !alike(verdicts_a[k], verdicts_b[k])))
            found.push_back(k);
    }
    return found;
}

/// Leaves out those of `kept` from `first` to `last` without which the part still `is_same`. Tries many at once,
/// because most earlier functions are right, and later ones first, so that the earliest cause remains.
template <class IsSame>
void leave_out(Names& kept, std::size_t first, std::size_t last, const IsSame& is_same) {
    if (first == last) return;
    Names fewer = kept;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(first),
                fewer.begin() + static_cast<std::ptrdiff_t>(last));
    if (!fewer.empty() && is_same(fewer)) {
        kept = std::move(fewer);
    } else if (last - first > 1) {
        const std::size_t middle = first + (last - first) / 2;
        leave_out(kept, middle, last, is_same);
        leave_out(kept, first, middle, is_same);
    }
}

/// A few of these cases, those that take the least time: with the smallest product of lengths.
std::vector<std::size_t> quick_ones_of(std::vector<std::size_t> cases,
                                       const std::vector<judge::Question>& questions) {
    constexpr std::size_t kFew = 3;
    std::ranges::stable_sort(cases, {}, [&](std::size_t k) {
        double product = 1;
        for (const auto& [letter, length] : questions[k].sizes) product *= length;
        return product;
    });
    if (cases.size() <= kFew) return {};  // then there is nothing to save
    cases.resize(kFew);
    return cases;
}

}  // namespace

bool alike(const judge::Verdict& a, const judge::Verdict& b) {
    if (a.outcome != b.outcome) return false;
    const bool has_wrong_numbers = a.outcome == Outcome::wrong || a.outcome == Outcome::not_finite;
    return !has_wrong_numbers || std::ranges::equal(a.got, b.got, nearly_equal);
}

std::optional<CarriedForward> carry_forward(const Judged& own, const Names& may_call,
                                            PartWithStandIns& part) {
    const auto own_checks = own.checks();
    const auto own_passed = passed_in(own_checks);
    if (may_call.empty() || own_passed == std::ssize(own_checks)) return std::nullopt;
    CarriedForward all{may_call, part.ask(may_call)};
    const auto passed = passed_in(all.judged.checks());
    const std::vector<std::size_t> changed = different(own, all.judged);
    if (passed < own_passed || changed.empty()) return std::nullopt;
    // A property takes many calls, so cases decide where they can.
    auto cases = changed;
    std::erase_if(cases, [&](std::size_t k) { return k >= all.judged.numeric.checks.size(); });
    const std::vector<std::size_t> quick = quick_ones_of(cases, all.judged.numeric.questions);
    // Answers that change by themselves say nothing about stand-ins. Each is made twice, so a few tell it of new processes.
    if (!part.repeats(all.judged, quick.empty() ? changed : quick, may_call)) return std::nullopt;
    for (const std::vector<std::size_t>* some : {&quick, &std::as_const(cases), &changed}) {
        if (some->empty()) continue;
        CarriedForward few{may_call, {}};
        leave_out(few.stand_ins, 0, may_call.size(),
                  [&](const Names& fewer) { return part.repeats(all.judged, *some, fewer); });
        if (few.stand_ins.size() == may_call.size()) break;
        // Perhaps a check that was not asked needs a stand-in that was left out.
        few.judged = part.ask(few.stand_ins);
        if (different(few.judged, all.judged).empty()) return few;
    }
    return all;
}

Carried carry_from_wrong_ones(const Judged& own, const Names& may_call, PartWithStandIns& part,
                              const std::function<bool(const std::string&)>& passes) {
    auto carried = carry_forward(own, may_call, part);
    if (!carried || passed_in(carried->judged.checks()) > passed_in(own.checks()))
        return {std::move(carried), false};
    if (std::ranges::none_of(carried->stand_ins, passes)) return {std::move(carried), false};
    Names wrong = may_call;
    std::erase_if(wrong, passes);
    return {carry_forward(own, wrong, part), true};
}

}  // namespace attn
