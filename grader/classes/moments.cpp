#include "grader/classes/moments.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <regex>
#include <stdexcept>

#include <fmt/format.h>

#include "grader/base/errors.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

/// By TimeSource.
constexpr std::array kTimeSources = {"unknown", "files", "commit", "table", "platform", "person"};

std::string& zone_in_use() {
    static std::string zone;
    return zone;
}

/// Where the C library finds zones.
std::filesystem::path zone_folder() {
    const char* folder = std::getenv("TZDIR");
    return folder != nullptr ? folder : "/usr/share/zoneinfo";
}

/// The parts of a moment as a clock of the course shows them.
std::tm parts_in_zone(Moment moment) {
    const std::time_t time = moment;
    std::tm parts{};
    if (zone_in_use().empty())
        gmtime_r(&time, &parts);
    else
        localtime_r(&time, &parts);
    return parts;
}

[[noreturn]] void refuse_moment(const std::string& text, const std::string& why) {
    throw UserError(fmt::format("'{}' is not a moment: {}", text, why));
}

/// The moment at which a clock in UTC shows this.
Moment moment_in_utc(const ClockTime& clock, const std::string& text) {
    std::tm parts{};
    parts.tm_year = clock.year - 1900;
    parts.tm_mon = clock.month - 1;
    parts.tm_mday = clock.day;
    parts.tm_hour = clock.hour;
    parts.tm_min = clock.minute;
    parts.tm_sec = clock.second;
    const std::tm asked = parts;
    const Moment moment = timegm(&parts);
    if (parts.tm_mon != asked.tm_mon || parts.tm_mday != asked.tm_mday || parts.tm_hour != asked.tm_hour ||
        parts.tm_min != asked.tm_min)
        refuse_moment(text, "there is no such date or time");
    return moment;
}

}  // namespace

void use_course_zone(const std::string& zone) {
    static const std::regex name("[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*");
    constexpr std::size_t kLongest = 100;
    std::error_code ignored;
    if (!zone.empty() &&
        (zone.size() > kLongest || !std::regex_match(zone, name) ||
         (zone != "UTC" && !std::filesystem::is_regular_file(zone_folder() / zone, ignored))))
        throw UserError(
            fmt::format("'{}' is no zone that this machine knows; expected a name such as Europe/Berlin (the "
                        "zones are in {}, which the package tzdata brings)",
                        zone, zone_folder().string()));
    // The whole process, because libarchive reads the times in a zip with mktime(): they have no zone either.
    setenv("TZ", zone.empty() ? "UTC" : zone.c_str(), 1);
    tzset();
    zone_in_use() = zone;
}

const std::string& course_zone() {
    return zone_in_use();
}

Moment moment_of_clock(const ClockTime& clock, const std::string& text) {
    const Moment in_utc = moment_in_utc(clock, text);
    if (course_zone().empty())
        refuse_moment(
            text,
            "it has no zone; expected one, such as 2026-11-20T23:59:00+01:00, or the course's zone in "
            "class.toml: zone = \"Europe/Berlin\"");
    // The offsets of the day before and of the day after are all that can apply.
    constexpr Moment kDay_s = 86400;
    std::array<Moment, 2> candidates{};
    for (std::size_t k = 0; k < 2; ++k)
        candidates[k] = in_utc - parts_in_zone(in_utc + (k == 0 ? -kDay_s : kDay_s)).tm_gmtoff;
    std::ranges::sort(candidates);
    for (const Moment moment : candidates)
        if (moment + parts_in_zone(moment).tm_gmtoff == in_utc) return moment;
    refuse_moment(text, fmt::format("the clocks of {} are put forward over this time", course_zone()));
}

Moment read_moment(const std::string& text) {
    static const std::regex form(
        R"((\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)? ?(Z|UTC|[+-]\d\d:?\d\d)?)");
    constexpr std::size_t kLongest = 100;
    std::smatch found;
    if (text.size() > kLongest || !std::regex_match(text, found, form))
        throw UserError(
            fmt::format("'{}' is not a moment; expected a date, a time and a zone, such as "
                        "2026-11-20T23:59:00+01:00",
                        text.substr(0, kLongest)));
    const auto number = [&](std::size_t group) { return found[group].matched ? std::stoi(found[group]) : 0; };
    const ClockTime clock{number(1), number(2), number(3), number(4), number(5), number(6)};
    const std::string zone = found[7];
    if (zone.empty()) return moment_of_clock(clock, text);
    Moment moment = moment_in_utc(clock, text);
    if (zone[0] == '+' || zone[0] == '-') {
        const int minutes = std::stoi(zone.substr(1, 2)) * 60 + std::stoi(zone.substr(zone.size() - 2));
        moment -= (zone[0] == '+' ? 60 : -60) * minutes;
    }
    return moment;
}

std::string moment_text(Moment moment) {
    const std::tm parts = parts_in_zone(moment);
    std::string zone = "Z";
    if (const long minutes = parts.tm_gmtoff / 60; minutes != 0)
        zone = fmt::format("{}{:02}:{:02}", minutes < 0 ? '-' : '+', std::abs(minutes) / 60,
                           std::abs(minutes) % 60);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}", parts.tm_year + 1900, parts.tm_mon + 1,
                       parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, zone);
}

const char* name_of(TimeSource by) {
    return kTimeSources.at(static_cast<std::size_t>(by));
}

TimeSource time_source_named(const std::string& name) {
    const auto found = std::ranges::find(kTimeSources, name);
    if (found == kTimeSources.end()) throw std::runtime_error("there is no source '" + name + "' of a time");
    return static_cast<TimeSource>(found - kTimeSources.begin());
}

std::string when_text(const AttemptView& attempt) {
    return attempt.when_by != TimeSource::unknown ? moment_text(attempt.when) : "";
}

std::string when_text(const HandInTime& time) {
    return time.by == TimeSource::unknown ? "an unknown time" : moment_text(time.when);
}

std::string source_in_words(const HandInTime& time) {
    switch (time.by) {
        case TimeSource::unknown:
            return "nothing";
        case TimeSource::files:
            return "the time of its files";
        case TimeSource::commit:
            return "the time of its last commit";
        case TimeSource::table:
            return "the teacher's table";
        case TimeSource::platform:
            return "the platform";
        case TimeSource::person:
            break;
    }
    return "a correction: " + report::one_line(time.reason);
}

std::string time_in_words(const HandInTime& time) {
    return time.by == TimeSource::unknown ? when_text(time)
                                          : fmt::format("{} ({})", when_text(time), source_in_words(time));
}

Moment now() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace attn::classes
