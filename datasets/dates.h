#pragma once
/// Dates to translate: "12 march 1987" and "march 12, 1987" are "1987-03-12".

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace attn::data {

/// How people write a date.
enum class DateForm {
    day_first,    ///< 12 march 1987
    month_first,  ///< march 12, 1987
    dotted,       ///< 12.3.1987
};

/// One date, as people write it and as machines do.
struct WrittenDate {
    std::string written;  ///< of the characters of kWrittenCharacters, at most 18
    std::string iso;      ///< of the characters of kIsoCharacters, always 10: year-month-day
};

inline constexpr const char* kWrittenCharacters = " ,.0123456789abcdefghijlmnoprstuvy";
inline constexpr const char* kIsoCharacters = "-0123456789";
/// Those of both, for a model that has one table for both languages.
inline constexpr const char* kDateCharacters = " ,-.0123456789abcdefghijlmnoprstuvy";

/// The date in this form. Throws std::invalid_argument if there is no such day.
WrittenDate written_date(std::chrono::year_month_day day, DateForm form);

/// Dates to train with, and dates to try the trained model on. No day is in both, in any form.
struct Dates {
    std::vector<WrittenDate> training;
    std::vector<WrittenDate> held_out;
};

/// Every day from 1900-01-01 to 2029-12-31 in each of the forms: 1,000 of the 47,482 days are held out, the
/// others are there to train. The order is random. Equal seeds give equal dates on every platform, and the
/// days that are held out do not depend on the seed.
Dates dates_to_translate(std::uint64_t seed,
                         const std::vector<DateForm>& forms = {DateForm::day_first, DateForm::month_first});

}  // namespace attn::data
