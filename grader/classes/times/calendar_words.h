#pragma once
/// The words of dates in the languages in which course platforms write them.

#include <optional>
#include <string>

namespace attn::classes {

/// What a word of a date means.
struct CalendarWord {
    enum class Kind { month, weekday, before_noon, after_noon, filler } kind = Kind::filler;
    int number = 0;  ///< of a month, from 1; of a weekday, from 0 for Monday
};

/// The meaning of a word as name_letters() makes it. None: it is not known, so the date must not be guessed.
std::optional<CalendarWord> calendar_word(const std::string& letters);

}  // namespace attn::classes
