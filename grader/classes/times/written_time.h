#pragma once
/// Reads times as course platforms and spreadsheets write them for people.

#include <optional>
#include <string>
#include <vector>

#include "grader/classes/records.h"

namespace attn::classes {

/// Whether 3/4/2026 is in April or in March.
enum class DateOrder { unknown, day_first, month_first };

/// The order that all dates with slashes of a column have; unknown if none of them shows it, or two disagree.
DateOrder date_order_of(const std::vector<std::string>& texts);

/// Whether a text may be a time at all: it has a year and a time of the day.
bool resembles_time(const std::string& text);

/// Reads a time in ISO 8601, or as Moodle writes it in the language of its site ("Friday, 20 November 2026, 11:30 PM",
/// "vendredi 20 novembre 2026, 23:30"), or as spreadsheets do ("20.11.2026 23:30", "11/20/2026 11:30 PM"). A time
/// without a zone is in the course's. Throws UserError if there is a word that it does not know, a weekday that is not
/// that of the date, or a date that can be read in two ways: nothing is guessed.
Moment read_written_time(const std::string& text, DateOrder order);

/// What a word of a date means.
struct CalendarWord {
    enum class Kind { month, weekday, before_noon, after_noon, filler } kind = Kind::filler;
    int number = 0;  ///< of a month, from 1; of a weekday, from 0 for Monday
};

/// The meaning of a word as name_letters() makes it. None: it is not known, so the date must not be guessed.
std::optional<CalendarWord> calendar_word(const std::string& letters);

}  // namespace attn::classes
