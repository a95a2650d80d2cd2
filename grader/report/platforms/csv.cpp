#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/report/clean.h"
#include "grader/report/platforms/formats.h"
#include "grader/report/report_queries.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

/// Whether a spreadsheet would read the text as a formula. Some accept the full-width characters, too.
bool is_formula(std::string_view text) {
    static constexpr std::array<std::string_view, 8> kBeginnings = {"=",      "+",      "-",      "@",
                                                                    "\uff1d", "\uff0b", "\uff0d", "\uff20"};
    return std::any_of(kBeginnings.begin(), kBeginnings.end(),
                       [text](std::string_view beginning) { return text.starts_with(beginning); });
}

std::string number_cell(double value) {
    return fmt::format("{}", finite(value));
}

}  // namespace

std::string csv_cell(std::string_view text) {
    std::string line = one_line(text);
    if (is_formula(line)) line.insert(0, 1, '\'');
    if (line.find_first_of("\",;") == std::string::npos) return line;
    std::string quoted = "\"";
    for (const char c : line) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

std::string to_csv(const Report& dirty) {
    const Report report = cleaned(dirty);
    std::string text = "submission,assignment,part,check,kind,outcome,points,max_points,mistakes\r\n";
    for (const Assignment& assignment : report.assignments)
        for (const Part& part : assignment.parts)
            for (const Check& check : part.checks) {
                const std::string mistakes =
                    check.diagnosis ? fmt::format("{}", fmt::join(check.diagnosis->mistakes, " or ")) : "";
                text += fmt::format("{},{},{},{},{},{},{},{},{}\r\n", csv_cell(report.submission),
                                    assignment.number, csv_cell(part.function), csv_cell(check.name),
                                    name_of(check.kind), name_of(check.outcome), number_cell(check.points),
                                    number_cell(check.max_points), csv_cell(mistakes));
            }
    return text;
}

}  // namespace attn::report
