#include "grader/report/speed_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "grader/report/text.h"

namespace attn::report {
namespace {

constexpr double kPercent = 100;

/// Two significant digits below 10, one decimal below 100, none above; "?" for NaN and infinity.
std::string short_number(double value) {
    if (!std::isfinite(value)) return "?";
    const double size = std::abs(value);
    return size < 10 ? fmt::format("{:.2g}", value) : fmt::format("{:.{}f}", value, size < 100 ? 1 : 0);
}

/// Three significant digits, because intervals are often narrow.
std::string ratio(double value) {
    if (!std::isfinite(value)) return "?";
    return std::abs(value) < 100 ? fmt::format("{:#.3g}", value) : fmt::format("{:.0f}", value);
}

/// Two decimals, enough to compare with a limit such as 0.5.
std::string exponent(double value) {
    return std::isfinite(value) ? fmt::format("{:.2f}", value) : "?";
}

std::string percent(double share) {
    return fmt::format("{:.0f} %", std::isfinite(share) ? kPercent * share : 0.0);
}

std::string letter_of(const Growth& growth) {
    return growth.length.find('=') == std::string::npos && !growth.length.empty() ? growth.length : "N";
}

std::string length_range(const Growth& growth) {
    const std::string letter = letter_of(growth);
    std::string text = letter == growth.length ? letter : letter + " = " + growth.length;
    if (!growth.lengths.empty())
        text += fmt::format(" = {} .. {}", growth.lengths.front(), growth.lengths.back());
    return text;
}

double gflops(const Speed& speed, double time_ms) {
    constexpr double kMsPerSecond = 1000;
    return speed.gflop * kMsPerSecond / time_ms;
}

/// Two cells: the cost of a length, and its factor to the length before.
std::string cells(const std::vector<double>& costs, std::size_t length) {
    if (length >= costs.size()) return {};
    return fmt::format("  {:>14.4g}  {:>8}", costs[length],
                       length > 0 ? short_number(costs[length] / costs[length - 1]) : "");
}

/// The table of lengths, costs, and the factor from one cost to the next; with those of the plain loops, if
/// the report knows them.
std::string table(const Growth& growth) {
    std::string text = fmt::format("  {:>10}  {:>14}  {:>8}", growth.length,
                                   growth.what == "memory" ? "memory, MiB" : "time, ms", "factor");
    const std::vector<double>* const plain = growth.plain          ? &growth.plain->values
                                             : growth.plain_memory ? &growth.plain_memory->values
                                                                   : nullptr;
    if (plain != nullptr) text += fmt::format("  {:>14}  {:>8}", "plain loops", "factor");
    text += '\n';
    const std::size_t rows = std::min(growth.lengths.size(), growth.values.size());
    for (std::size_t k = 0; k < rows; ++k) {
        std::string row = fmt::format("  {:>10}", growth.lengths[k]) + cells(growth.values, k);
        if (plain != nullptr) row += cells(*plain, k);
        row.erase(row.find_last_not_of(' ') + 1);
        text += row + '\n';
    }
    return text;
}

/// A number of a rubric or of the grader, as it stands there.
std::string limit(double value) {
    return std::isfinite(value) ? fmt::format("{:g}", value) : "?";
}

std::string interval(const Interval& exponents) {
    return fmt::format("(95 % interval {} to {})", exponent(exponents.low), exponent(exponents.high));
}

/// "At N = 512"
std::string at_the_last_length(const Growth& growth) {
    return "At " + growth.length +
           (growth.lengths.empty() ? "" : fmt::format(" = {}", growth.lengths.back()));
}

/// "At N = 512 a call takes 13 times as long as the plain loops; 12 times is allowed."
std::string time_at_the_last_length(const Growth& growth, const PlainGrowth& plain) {
    return fmt::format("{} a call takes {} times as long as the plain loops; {} times is allowed.",
                       at_the_last_length(growth), short_number(plain.times_plain.value),
                       limit(plain.most_times));
}

/// "At N = 512 your process takes 64 MiB more than the plain loops; 2 MiB more is allowed. Memory counts
/// whenever it was used: when the library is loaded, too."
std::string memory_at_the_last_length(const Growth& growth, const PlainMemory& plain) {
    return fmt::format(
        "{} your process takes {} MiB more than the plain loops; {} MiB more is allowed. Memory counts "
        "whenever "
        "it was used: when the library is loaded, too.",
        at_the_last_length(growth), short_number(plain.more.value), limit(plain.most_more));
}

/// The points scale as a table.
std::string table(const Speed& speed) {
    std::string text = fmt::format("  {:<34}{:>8}\n", "speed", "share");
    for (const ScaleStep& step : speed.scale)
        text += fmt::format("  {:<34}{:>8}\n", short_number(step.times_plain) + " times the plain loops",
                            percent(step.share));
    return text + fmt::format("  {:<34}{:>8}\n", ratio(speed.times_plain.value) + " times: yours",
                              percent(speed.share));
}

/// "time N^2.96, plain loops N^2.08, 0.5 more allowed"; a time that is too long in place of this.
std::string summary(const Growth& growth) {
    const std::string letter = letter_of(growth);
    if (takes_too_much_memory(growth) && !grows_too_fast(growth))
        return fmt::format("{} MiB more than the plain loops at the last length, {} allowed",
                           short_number(growth.plain_memory->more.value),
                           limit(growth.plain_memory->most_more));
    std::string text = fmt::format("{} {}^{}, ", growth.what, letter, exponent(growth.exponent.value));
    if (!growth.plain) return text + fmt::format("{} allowed", short_number(growth.allowed));
    if (takes_too_long(growth) && !grows_too_fast(growth))
        return fmt::format("{} times the plain loops' time at the last length, {} allowed",
                           short_number(growth.plain->times_plain.value), limit(growth.plain->most_times));
    return text + fmt::format("plain loops {}^{}, {} more allowed", letter,
                              exponent(growth.plain->exponent.value), short_number(growth.allowed));
}

}  // namespace

std::string in_words(const Speed& speed) {
    const auto with_interval = [](const Interval& i, const char* name) {
        return fmt::format("({}{} to {})", name, ratio(i.low), ratio(i.high));
    };
    std::string text = fmt::format(
        "{} times the plain loops {}, {} times the yardstick {}: {} of the points.",
        ratio(speed.times_plain.value), with_interval(speed.times_plain, "95 % interval "),
        ratio(speed.times_yardstick.value), with_interval(speed.times_yardstick, ""), percent(speed.share));
    if (!speed.settled)
        text +=
            " This machine was too noisy for a more precise result; the uncertainty counts in your favour.";
    return text;
}

std::string in_words(const TimedBuild& build) {
    if (build.command.empty()) return {};
    return fmt::format(
        "Your code, the plain loops and the yardstick all use the vector unit {}. Yours was compiled with "
        "`{}`. "
        "It may use: {}",
        build.vector_unit, build.command, build.allowed);
}

std::string in_words(const Growth& growth) {
    std::string what = growth.what;
    if (!what.empty() && what.front() >= 'a' && what.front() <= 'z')
        what.front() = static_cast<char>(what.front() - 'a' + 'A');
    const std::string letter = letter_of(growth);
    const std::string power = fmt::format("{} grows as {}^{}", what, letter, exponent(growth.exponent.value));
    if (!growth.plain) {
        const std::string text =
            fmt::format("{} {} for {}; {}^{} is allowed.", power, interval(growth.exponent),
                        length_range(growth), letter, short_number(growth.allowed));
        return takes_too_much_memory(growth)
                   ? memory_at_the_last_length(growth, *growth.plain_memory) + " " + text
                   : text;
    }
    const PlainGrowth& plain = *growth.plain;
    std::string both =
        fmt::format("{} for {}, the plain loops' as {}^{}. The difference is {} {}; {} is allowed.", power,
                    length_range(growth), letter, exponent(plain.exponent.value), exponent(plain.above.value),
                    interval(plain.above), short_number(growth.allowed));
    if (!takes_too_long(growth)) return both;
    const std::string last = time_at_the_last_length(growth, plain);
    return grows_too_fast(growth) ? both + " " + last : last + " " + both;
}

std::string measurement_summary(const Check& check) {
    const bool measured = check.outcome == Outcome::passed || check.outcome == Outcome::slow;
    if (measured && check.speed)
        return fmt::format("{} times the plain loops, {} times the yardstick: {} of the points",
                           ratio(check.speed->times_plain.value), ratio(check.speed->times_yardstick.value),
                           percent(check.speed->share));
    std::string text;
    if (measured)
        for (const Growth& growth : check.growth) text += (text.empty() ? "" : "; ") + summary(growth);
    if (!text.empty()) return text;
    return check.outcome == Outcome::passed ? check.about : check.message.substr(0, check.message.find('\n'));
}

std::vector<Bar> chart(const Speed& speed) {
    constexpr double kLongest = 32, kOrigin = 0.5;  // the bars begin at half the speed of the slowest
    const std::vector<std::pair<const char*, double>> times = {
        {"yours", speed.yours_ms}, {"plain loops", speed.plain_ms}, {"yardstick", speed.yardstick_ms}};
    const auto is_time = [](double ms) { return std::isfinite(ms) && ms > 0; };
    double slowest = 0, fastest = HUGE_VAL;
    for (const auto& [name, ms] : times) {
        if (!is_time(ms)) continue;
        slowest = std::max(slowest, ms);
        fastest = std::min(fastest, ms);
    }
    std::vector<Bar> bars;
    for (const auto& [name, ms] : times) {
        Bar bar{fmt::format("{:<11}", name), std::string(static_cast<std::size_t>(kLongest), ' '),
                "not measured"};
        if (is_time(ms)) {
            const double length =
                kLongest * std::log(slowest / kOrigin / ms) / std::log(slowest / kOrigin / fastest);
            const auto full = static_cast<std::size_t>(std::clamp(std::round(length), 1.0, kLongest));
            std::fill_n(bar.bar.begin(), full, '=');
            bar.numbers = fmt::format("{:>8} ms", short_number(ms));
            if (speed.gflop > 0)
                bar.numbers += fmt::format(" {:>7} GFLOP/s", short_number(gflops(speed, ms)));
        }
        bars.push_back(std::move(bar));
    }
    return bars;
}

std::string measurement_text(const Check& check) {
    std::string text =
        fmt::format("{}, {}: {}\n{}\n", check.id, name_of(check.kind), in_words(check.outcome), check.about);
    if (!check.message.empty()) text += check.message + '\n';
    if (const auto& speed = check.speed) {
        text += fmt::format(
            "\nWhat was measured: the processor time of one call, {}, in {} fresh processes, alternating "
            "with the plain loops and the yardstick, with new inputs for every call. The bar's length grows "
            "with "
            "the logarithm of the speed.\n",
            speed->sizes, speed->workers);
        for (const Bar& bar : chart(*speed))
            text += fmt::format("  {} {} {}\n", bar.name, bar.bar, bar.numbers);
        text += in_words(*speed) + "\n\nWhat it earns:\n" + table(*speed);
        if (!speed->build.command.empty()) text += "\nHow it was compiled:\n" + in_words(speed->build) + '\n';
        if (!speed->hint.empty()) text += "\nTry: " + speed->hint + '\n';
    }
    for (const Growth& growth : check.growth) {
        text += "\nWhat was measured: " +
                std::string(growth.what == "memory"
                                ? "the peak of a new process' memory in addition to the arrays of the "
                                  "call, beside the plain loops"
                                : "processor time of one call, in turn with the "
                                  "plain loops") +
                ", for each length.\n" + table(growth) + in_words(growth) + '\n';
    }
    return text +
           "\nThese are the measurements in the report; grading again repeats them. `explain` shows arrays "
           "only "
           "of checks for wrong outputs.\n";
}

}  // namespace attn::report
