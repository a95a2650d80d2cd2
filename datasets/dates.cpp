#include "datasets/dates.h"

#include <array>
#include <cstddef>
#include <stdexcept>

#include <fmt/format.h>

#include "datasets/shuffled.h"

namespace attn::data {
namespace {

constexpr int kHeldOutDays = 1000;
constexpr std::array<const char*, 12> kMonths = {"january",   "february", "march",    "april",
                                                 "may",       "june",     "july",     "august",
                                                 "september", "october",  "november", "december"};

std::vector<WrittenDate> written_dates(const std::vector<std::chrono::year_month_day>& days,
                                       const std::vector<DateForm>& forms, std::uint64_t seed) {
    const int count = static_cast<int>(forms.size());
    std::vector<WrittenDate> dates;
    for (const int k : shuffled(static_cast<int>(days.size()) * count, seed))
        dates.push_back(written_date(days[static_cast<std::size_t>(k / count)],
                                     forms[static_cast<std::size_t>(k % count)]));
    return dates;
}

}  // namespace

WrittenDate written_date(std::chrono::year_month_day day, DateForm form) {
    if (!day.ok()) throw std::invalid_argument("there is no such day");
    const int year = static_cast<int>(day.year());
    const unsigned month = static_cast<unsigned>(day.month()), of_month = static_cast<unsigned>(day.day());
    const std::string iso = fmt::format("{:04}-{:02}-{:02}", year, month, of_month);
    const char* const name = kMonths[month - 1];
    switch (form) {
        case DateForm::day_first:
            return {fmt::format("{} {} {}", of_month, name, year), iso};
        case DateForm::month_first:
            return {fmt::format("{} {}, {}", name, of_month, year), iso};
        case DateForm::dotted:
            return {fmt::format("{}.{}.{}", of_month, month, year), iso};
    }
    throw std::invalid_argument("there is no such form of a date");
}

Dates dates_to_translate(std::uint64_t seed, const std::vector<DateForm>& forms) {
    using std::chrono::sys_days, std::chrono::days;
    constexpr std::uint64_t kSeedOfTheSplit = 1000;
    constexpr auto kFirst = sys_days(std::chrono::year{1900} / 1 / 1),
                   kEnd = sys_days(std::chrono::year{2030} / 1 / 1);
    std::vector<std::chrono::year_month_day> held_out, training;
    for (const int k : shuffled(static_cast<int>((kEnd - kFirst).count()), kSeedOfTheSplit))
        (held_out.size() < kHeldOutDays ? held_out : training).emplace_back(kFirst + days(k));
    return {written_dates(training, forms, seed), written_dates(held_out, forms, seed)};
}

}  // namespace attn::data
