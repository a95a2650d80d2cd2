#include "grader/report/prose.h"

#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/report/numbers.h"
#include "grader/report/speed_text.h"
#include "grader/report/telling.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

std::string case_name(const Check& check) {
    return check.name.starts_with(kKernelsCase) ? check.name.substr(kKernelsCase.size()) : check.name;
}

class Teller {
  public:
    explicit Teller(std::size_t width) : width_(width) {}

    Story tell(const Report& report, const Part& part, const Check& check) {
        say(check.kind == CheckKind::property ? "\"" + check.about + "\"" : "(" + check.about + ")");
        const bool passed = check.outcome == Outcome::passed;
        if (check.speed) speed(*check.speed);
        for (const Growth& growth : check.growth) say(in_words(growth));
        const bool measured = check.speed || !check.growth.empty();
        if ((!passed && !(measured && check.outcome == Outcome::slow)) ||
            (!is_of_numbers(check) && !measured))
            say(check.message);
        if (check.difference && check.kind != CheckKind::property) difference(*check.difference);
        if (check.smallest) smallest(*check.smallest);
        if (check.diagnosis) diagnosis(*check.diagnosis, part.step);
        if (!check.printed.empty()) {
            say(check.kind != CheckKind::property ? "In case " + case_name(check) + " it printed:"
                                                  : "There it printed:");
            add(Voice::printed, check.printed);
        }
        if (!passed && check.outcome != Outcome::skipped && check.outcome != Outcome::not_compiled &&
            can_be_replayed(report, check))
            add(Voice::command, "make explain ID=" + check.id);
        return std::move(story_);
    }

  private:
    void add(Voice voice, std::string text) {
        if (!text.empty()) story_.push_back({voice, std::move(text)});
    }
    void say(std::string text) { add(Voice::sentence, std::move(text)); }

    void speed(const Speed& measured) {
        std::string bars;
        for (const Bar& bar : chart(measured))
            bars += fmt::format("{} {} {}\n", bar.name, bar.bar, bar.numbers);
        add(Voice::numbers, bars);
        say(in_words(measured));
        if (!measured.hint.empty()) say("Try: " + measured.hint);
    }

    void difference(const Difference& d) {
        // The sign of a NaN says nothing.
        say(fmt::format("Worst at {}({}): yours {:.6g}, expected {:.6g}", d.array, fmt::join(d.index, ", "),
                        std::isnan(d.yours) ? std::abs(d.yours) : d.yours, d.expected));
        if (std::isfinite(d.error_yardsticks)) {
            say(fmt::format("({:.3g} times the rounding error of a plain loop; {:g} are allowed).",
                            d.error_yardsticks, d.allowed_yardsticks));
        }
    }

    void smallest(const SmallestCase& s) {
        say(fmt::format("The smallest case that still fails:   {}", s.sizes));
        std::vector<NumberBlock> inputs;
        for (const Tensor& input : s.inputs) inputs.push_back(block_of(input, input.name));
        std::string text = side_by_side(inputs, width_);
        for (std::size_t k = 0; k < std::min(s.yours.size(), s.expected.size()); ++k)
            text += side_by_side(
                {block_of(s.yours[k], s.yours[k].name + " yours"), block_of(s.expected[k], "expected")},
                width_);
        add(Voice::numbers, text);
    }

    void diagnosis(const Diagnosis& named, int step) {
        std::istringstream causes(named.sentence);
        for (std::string cause; std::getline(causes, cause);) add(Voice::cause, cause);
        for (const std::string& hint : named.hints)
            say("Think: " + hint + fmt::format("  (handout, step {})", step));
    }

    std::size_t width_;
    Story story_;
};

std::string indented(const std::string& lines) {
    std::istringstream stream(lines);
    std::string text;
    for (std::string line; std::getline(stream, line);) text += "  " + line + '\n';
    return text;
}

}  // namespace

std::string name_in_words(const Check& check) {
    return check.kind == CheckKind::numeric    ? "case " + check.name
           : check.kind == CheckKind::property ? "property " + check.name
           : is_of_kernels(check)              ? "kernels, case " + case_name(check)
                                               : std::string(name_of(check.kind));
}

Story story_of(const Report& report, const Part& part, const Check& check, std::size_t width) {
    return Teller(width).tell(report, part, check);
}

std::string plain(const Story& story) {
    constexpr int kPrintedLines = 40;
    std::string text;
    for (const Piece& piece : story) {
        switch (piece.voice) {
            case Voice::sentence:
            case Voice::cause:
                text += without_commands(piece.text) + '\n';
                break;
            case Voice::numbers:
                text += indented(without_commands(piece.text));
                break;
            case Voice::printed:
                text += indented(in_quotes(first_lines(piece.text, kPrintedLines)));
                break;
            case Voice::command:
                text += "More on this:  " + piece.text + '\n';
                break;
        }
    }
    return text;
}

}  // namespace attn::report
