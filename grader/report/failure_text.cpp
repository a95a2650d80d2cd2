#include "grader/report/failure_text.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/report/numbers.h"
#include "grader/report/speed_text.h"
#include "grader/report/telling.h"

namespace attn::report {
namespace {

constexpr int kPrintedLines = 8;

void write_difference(Lines& out, const Difference& d) {
    // The sign of a NaN says nothing.
    out.line(5,
             fmt::format("Worst at {}({}): yours {:.6g}, expected {:.6g}", d.array, fmt::join(d.index, ", "),
                         std::isnan(d.yours) ? std::abs(d.yours) : d.yours, d.expected));
    if (std::isfinite(d.error_yardsticks))
        out.line(5, fmt::format("({:.3g} times the rounding error of a plain loop; {:g} are allowed).",
                                d.error_yardsticks, d.allowed_yardsticks));
}

void write_smallest(Lines& out, const SmallestCase& s) {
    out.line(5, fmt::format("The smallest case that still fails:   {}", s.sizes));
    std::vector<NumberBlock> inputs;
    for (const Tensor& input : s.inputs) inputs.push_back(block_of(input, input.name));
    out.lines(7, side_by_side(inputs, out.width()));
    for (std::size_t k = 0; k < s.yours.size(); ++k)
        out.lines(7, side_by_side({block_of(s.yours[k], s.yours[k].name + " yours"),
                                   block_of(s.expected[k], "expected")},
                                  out.width()));
}

void write_printed(Lines& out, const std::string& where, const std::string& printed) {
    if (printed.empty()) return;
    out.line(5, where);
    out.lines(7, quoted(first_lines(printed, kPrintedLines)));
}

void write_chart(Lines& out, const Speed& measured) {
    bool yours = true;
    for (const Bar& bar : chart(measured)) {
        out.line(5, fmt::format("{} {} {}", bar.name, out.paint(bar.bar, yours ? Paint::bold : Paint::dim),
                                bar.numbers));
        yours = false;
    }
    out.prose(5, in_words(measured));
    if (!measured.hint.empty()) out.prose(5, "Try: " + measured.hint);
}

}  // namespace

std::string heading(const Check& check) {
    if (!is_of_numbers(check)) return check.kind;
    return (check.kind == "numeric" ? "case " : "property ") + check.name;
}

void write_failure(Lines& out, const Report& report, const Part& part, const Check& check) {
    out.line(3, fmt::format("{}, {}: {}", out.paint(part.function, Paint::bold), heading(check),
                            out.paint(in_words(check.outcome), Paint::bad)));
    out.prose(5, check.kind == "numeric" ? "(" + check.about + ")" : "\"" + check.about + "\"");
    out.prose(5, check.message);
    if (check.difference && check.kind == "numeric") write_difference(out, *check.difference);
    if (check.smallest) write_smallest(out, *check.smallest);
    if (check.diagnosis) {
        out.prose(5, check.diagnosis->sentence, Paint::bold);
        for (const std::string& hint : check.diagnosis->hints)
            out.prose(5, "Think: " + hint + fmt::format("  (handout, step {})", part.step));
    }
    write_printed(out,
                  check.kind == "numeric" ? "In case " + check.name + " it printed:" : "There it printed:",
                  check.printed);
    if (can_be_replayed(report, check))
        out.line(5, out.paint("Replay, bigger:  make explain ID=" + check.id, Paint::dim));
}

void write_measured(Lines& out, const Report& report, const Part& part, const Check& check) {
    const bool passed = check.outcome == Outcome::passed, slow = check.outcome == Outcome::slow;
    out.line(3, fmt::format("{}, {}: {}   {} / {}", out.paint(part.function, Paint::bold), check.kind,
                            out.paint(in_words(check.outcome), passed ? Paint::good : Paint::bad),
                            points(check.points), points(check.max_points)));
    out.prose(5, "(" + check.about + ")");
    const bool measured = check.speed || !check.growth.empty();
    if ((!passed && !slow) || !measured) out.prose(5, check.message);
    if (check.speed) write_chart(out, *check.speed);
    for (const Growth& growth : check.growth) out.prose(5, in_words(growth));
    write_printed(out, "There it printed:", check.printed);
    if (!passed && can_be_replayed(report, check))
        out.line(5, out.paint("More on this:  make explain ID=" + check.id, Paint::dim));
}

}  // namespace attn::report
