#include "grader/classes/moments.h"

#include <chrono>
#include <ctime>
#include <regex>

#include <fmt/format.h>

#include "grader/base/errors.h"

namespace attn::classes {

Moment read_moment(const std::string& text) {
    static const std::regex form(
        R"((\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)? ?(Z|UTC|[+-]\d\d:?\d\d))");
    std::smatch found;
    if (!std::regex_match(text, found, form))
        throw UserError(
            fmt::format("'{}' is not a moment; expected a date, a time and a zone, such as "
                        "2026-11-20T23:59:00+01:00",
                        text));
    const auto number = [&](std::size_t group) { return found[group].matched ? std::stoi(found[group]) : 0; };
    std::tm parts{};
    parts.tm_year = number(1) - 1900;
    parts.tm_mon = number(2) - 1;
    parts.tm_mday = number(3);
    parts.tm_hour = number(4);
    parts.tm_min = number(5);
    parts.tm_sec = number(6);
    const std::tm asked = parts;
    Moment moment = timegm(&parts);
    if (parts.tm_mon != asked.tm_mon || parts.tm_mday != asked.tm_mday || parts.tm_hour != asked.tm_hour ||
        parts.tm_min != asked.tm_min)
        throw UserError(fmt::format("'{}' is not a moment: there is no such date or time", text));
    const std::string zone = found[7];
    if (zone[0] == '+' || zone[0] == '-') {
        const int minutes = std::stoi(zone.substr(1, 2)) * 60 + std::stoi(zone.substr(zone.size() - 2));
        moment -= (zone[0] == '+' ? 60 : -60) * minutes;
    }
    return moment;
}

std::string moment_text(Moment moment) {
    const std::time_t time = moment;
    std::tm parts{};
    gmtime_r(&time, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                       parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

Moment now() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace attn::classes
