#include "grader/classes/times/written_time.h"

#include <chrono>
#include <regex>

#include <fmt/format.h>

#include "grader/base/errors.h"
#include "grader/classes/moments.h"
#include "grader/classes/roster/names.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

constexpr std::size_t kLongestTime = 150;  // std::regex needs a stack as deep as its text is long

[[noreturn]] void refuse_time(const std::string& text, const std::string& why) {
    throw UserError(fmt::format(
        "'{}' is no time that can be read: {}; expected one such as 2026-11-20 23:59, or Moodle's "
        "\"Friday, 20 November 2026, 11:59 PM\"",
        report::shortened(tidy_name(text), kLongestTime), why));
}

/// In one line, with plain spaces also in the place of those that do not break a line.
std::string plain_time(const std::string& text) {
    std::string plain = tidy_name(text);
    for (const std::string_view space : {"\u00a0", "\u202f", "\u2009"})
        for (std::size_t at = plain.find(space); at != std::string::npos; at = plain.find(space))
            plain.replace(at, space.size(), " ");
    static const std::regex cjk("(\\d) ?(?:年|月|日)");  // 2026年11月20日
    return std::regex_replace(plain, cjk, "$1/");
}

/// The words and the numbers of a date, in their order.
struct DateParts {
    std::vector<std::string> words, numbers;
    bool dots = false, slashes = false;  ///< between the numbers
};

bool is_noon(CalendarWord::Kind kind) {
    return kind == CalendarWord::Kind::before_noon || kind == CalendarWord::Kind::after_noon;
}

DateParts parts_of_date(const std::string& text) {
    DateParts parts;
    bool in_word = false, in_number = false;
    for (const char c : text) {
        const bool digit = report::is_digit(c);
        const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '\'' ||
                            static_cast<unsigned char>(c) >= 0x80;
        if (digit && !in_number) parts.numbers.emplace_back();
        if (letter && !in_word) parts.words.emplace_back();
        if (digit) parts.numbers.back() += c;
        if (letter) parts.words.back() += c;
        if (!digit && !letter && std::string_view(" ,./-()|").find(c) == std::string_view::npos)
            parts.words.emplace_back(1, c);  // what could not be decoded may have meant something
        parts.dots |= in_number && c == '.';
        parts.slashes |= in_number && (c == '/' || c == '-');
        in_number = digit;
        in_word = letter;
    }
    for (std::string& word : parts.words)
        if (std::string letters = name_letters(word); !letters.empty()) word = std::move(letters);
    // "p. m." is one word.
    for (std::size_t k = 0; k + 1 < parts.words.size(); ++k) {
        const std::string both = parts.words[k] + parts.words[k + 1];
        const auto meaning = calendar_word(both);
        if (!meaning || !is_noon(meaning->kind)) continue;
        parts.words[k] = both;
        parts.words.erase(parts.words.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    }
    return parts;
}

/// Takes the time of the day out of a text.
bool take_time_of_day(std::string& text, ClockTime& clock) {
    static const std::regex with_colon(R"((?:^|[^\d:])(\d{1,2}) ?[:h] ?(\d\d)(?::(\d\d))?(?![\d:]))"),
        with_dot(R"([ ,](\d{1,2})\.(\d\d)$)");
    std::smatch found;
    if (!std::regex_search(text, found, with_colon) && !std::regex_search(text, found, with_dot))
        return false;
    clock.hour = std::stoi(found[1]);
    clock.minute = std::stoi(found[2]);
    clock.second = found.size() > 3 && found[3].matched ? std::stoi(found[3]) : 0;
    text = found.prefix().str() + " | " + found.suffix().str();
    return true;
}

int number_of(const std::string& digits, const std::string& text) {
    constexpr std::size_t kMostDigits = 4;
    if (digits.size() > kMostDigits) refuse_time(text, fmt::format("{} is no day and no year", digits));
    return std::stoi(digits);
}

/// Sets the date from its numbers and, if it has one, the month from a word.
void set_date(const DateParts& parts, std::optional<int> month, DateOrder order, const std::string& text,
              ClockTime& clock) {
    const std::size_t expected = month ? 2 : 3;
    if (parts.numbers.size() != expected)
        refuse_time(text, fmt::format("its date has {} numbers, not {}", parts.numbers.size(), expected));
    const bool year_first = parts.numbers.front().size() == 4;
    if (year_first == (parts.numbers.back().size() == 4))
        refuse_time(text, "its year was not found; expected four digits");
    clock.year = number_of(year_first ? parts.numbers.front() : parts.numbers.back(), text);
    if (month) {
        clock.month = *month;
        clock.day = number_of(year_first ? parts.numbers.back() : parts.numbers.front(), text);
        return;
    }
    const int first = number_of(parts.numbers[year_first ? 1 : 0], text),
              second = number_of(parts.numbers[year_first ? 2 : 1], text);
    if (!year_first && !parts.dots && order == DateOrder::unknown && first != second)
        refuse_time(text, "the day and the month cannot be told apart; write 2026-11-20");
    const bool day_first = !year_first && (parts.dots || order == DateOrder::day_first);
    clock.month = day_first ? second : first;
    clock.day = day_first ? first : second;
}

/// The weekday of a date, 0 for Monday. The date need not exist.
int weekday_of(const ClockTime& clock) {
    const std::chrono::year_month_day date{std::chrono::year(clock.year),
                                           std::chrono::month(static_cast<unsigned>(clock.month)),
                                           std::chrono::day(static_cast<unsigned>(clock.day))};
    return date.ok() ? static_cast<int>(std::chrono::weekday(std::chrono::sys_days(date)).iso_encoding()) - 1
                     : -1;
}

}  // namespace

DateOrder date_order_of(const std::vector<std::string>& texts) {
    static const std::regex form(R"(^\D*(\d{1,2})[/-](\d{1,2})[/-]\d{4}(?!\d).*)");
    constexpr int kMostMonths = 12;
    bool day_first = false, month_first = false;
    for (const std::string& text : texts) {
        std::smatch found;
        if (text.size() > kLongestTime || !std::regex_match(text, found, form)) continue;
        day_first |= std::stoi(found[1]) > kMostMonths;
        month_first |= std::stoi(found[2]) > kMostMonths;
    }
    if (day_first == month_first) return DateOrder::unknown;
    return day_first ? DateOrder::day_first : DateOrder::month_first;
}

bool resembles_time(const std::string& text) {
    static const std::regex year(R"((^|\D)(19|20)\d\d(\D|$))"), time(R"((^|\D)\d{1,2} ?[:.h] ?\d\d(\D|$))");
    return text.size() <= kLongestTime && std::regex_search(text, year) && std::regex_search(text, time);
}

Moment read_written_time(const std::string& text, DateOrder order) {
    static const std::regex iso(R"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*)");
    if (text.size() > kLongestTime) refuse_time(text.substr(0, kLongestTime), "it is too long");
    std::string rest = plain_time(text);
    if (std::regex_match(rest, iso)) return read_moment(rest);
    ClockTime clock;
    if (!take_time_of_day(rest, clock)) refuse_time(text, "it has no time of the day");
    const DateParts parts = parts_of_date(rest);
    std::optional<int> month, weekday;
    std::optional<bool> after_noon;
    for (const std::string& word : parts.words) {
        const auto meaning = calendar_word(word);
        if (!meaning) refuse_time(text, fmt::format("the word '{}' is not known", word));
        const bool noon = is_noon(meaning->kind);
        if ((meaning->kind == CalendarWord::Kind::month && month) ||
            (meaning->kind == CalendarWord::Kind::weekday && weekday) || (noon && after_noon))
            refuse_time(text, fmt::format("the word '{}' is one too many", word));
        if (meaning->kind == CalendarWord::Kind::month) month = meaning->number;
        if (meaning->kind == CalendarWord::Kind::weekday) weekday = meaning->number;
        if (noon) after_noon = meaning->kind == CalendarWord::Kind::after_noon;
    }
    set_date(parts, month, order, text, clock);
    if (weekday && *weekday != weekday_of(clock)) refuse_time(text, "the weekday is not that of the date");
    if (after_noon) {
        constexpr int kNoon = 12;
        if (clock.hour < 1 || clock.hour > kNoon) refuse_time(text, "there is no such hour");
        clock.hour = clock.hour % kNoon + (*after_noon ? kNoon : 0);
    }
    return moment_of_clock(clock, text);
}

}  // namespace attn::classes
