#include "grader/speed/growth_of_costs.h"

#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/report/speed_text.h"
#include "grader/speed/statistics.h"

namespace attn::speed {
namespace {

/// The exponent of each restart.
std::vector<double> exponents_of(const ask::GrowthTerms& terms, const Costs& costs) {
    const std::vector<double> lengths(terms.lengths.begin(), terms.lengths.end());
    std::vector<double> exponents;
    for (std::size_t restart = 0; restart < costs.front().size(); ++restart) {
        std::vector<double> one;
        for (const std::vector<double>& of_length : costs) one.push_back(of_length.at(restart));
        exponents.push_back(growth_exponent(lengths, one));
    }
    return exponents;
}

/// For each length the median, in this unit.
std::vector<double> medians_of(const Costs& costs, double unit) {
    std::vector<double> medians;
    for (const std::vector<double>& of_length : costs) medians.push_back(median(of_length) / unit);
    return medians;
}

/// Quotients of the costs of the same restart.
Costs ratios_of(const Costs& costs, const Costs& to) {
    Costs ratios = costs;
    for (std::size_t length = 0; length < costs.size(); ++length)
        for (std::size_t restart = 0; restart < costs[length].size(); ++restart)
            ratios[length][restart] /= to.at(length).at(restart);
    return ratios;
}

report::Growth fitted(const char* what, const ask::GrowthTerms& terms, const Costs& costs, double unit) {
    report::Growth growth;
    growth.what = what;
    growth.length = fmt::format("{}", fmt::join(terms.letters, " = "));
    growth.lengths = terms.lengths;
    growth.values = medians_of(costs, unit);
    growth.exponent = median_interval(exponents_of(terms, costs));
    return growth;
}

/// False for NaN.
bool is_outside(double limit, const report::Interval& interval) {
    return limit < interval.low || interval.high < limit;
}

}  // namespace

report::Growth growth_of_time(const ask::GrowthTerms& terms, const Costs& yours_s, const Costs& plain_s) {
    report::Growth growth = fitted("time", terms, yours_s, kMilli);
    growth.allowed = terms.time_above_plain;
    report::PlainGrowth& plain = growth.plain.emplace();
    plain.values = medians_of(plain_s, kMilli);
    plain.exponent = median_interval(exponents_of(terms, plain_s));
    // Of each restart, so that a disturbance of both at once has little effect.
    const Costs ratios = ratios_of(yours_s, plain_s);
    plain.above = median_interval(exponents_of(terms, ratios));
    plain.times_plain = ratio_interval(ratios.back());
    plain.most_times = kMostTimesPlain;
    return growth;
}

report::Growth growth_of_memory(const ask::GrowthTerms& terms, const Costs& yours_mib,
                                const Costs& plain_mib) {
    report::Growth growth = fitted("memory", terms, yours_mib, 1);
    growth.allowed = terms.memory;
    report::PlainMemory& plain = growth.plain_memory.emplace();
    plain.values = medians_of(plain_mib, 1);
    std::vector<double> more = yours_mib.back();
    for (std::size_t restart = 0; restart < more.size(); ++restart)
        more[restart] -= plain_mib.back().at(restart);
    plain.more = median_interval(more);
    plain.most_more = kMostMemoryAbovePlain_mib;
    return growth;
}

bool is_settled(const report::Growth& growth) {
    if (growth.plain_memory && !is_outside(growth.plain_memory->most_more, growth.plain_memory->more))
        return false;
    if (!growth.plain) return is_outside(growth.allowed, growth.exponent);
    return is_outside(growth.allowed, growth.plain->above) &&
           is_outside(growth.plain->most_times, growth.plain->times_plain);
}

report::Check check_of(std::vector<report::Growth> measured) {
    report::Check check;
    check.outcome = Outcome::passed;
    check.growth = std::move(measured);
    for (const report::Growth& growth : check.growth) {
        if (!grows_too_fast(growth) && !takes_too_long(growth) && !takes_too_much_memory(growth)) continue;
        check.outcome = Outcome::slow;
        check.message += (check.message.empty() ? "" : " ") + report::in_words(growth);
    }
    return check;
}

}  // namespace attn::speed
