#include "grader/report/terminal.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "grader/report/clean.h"
#include "grader/report/prose.h"
#include "grader/report/speed_text.h"
#include "grader/report/telling.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

enum class Paint { good, bad, dim, bold };

class Writer {
  public:
    Writer(std::ostream& out, const TerminalStyle& style) : out_(out), style_(style) {}

    void report(const Report& report) {
        line(0, fmt::format("{}   submission {}   {}", paint("Attention Lab", Paint::bold), report.submission,
                            report.seed ? fmt::format("seed {}", *report.seed) : "secret seed"));
        line(0, paint("isolation: " + report.isolation, Paint::dim));
        for (const std::string& note : report.notes) prose(3, "note: " + note);
        whole_course_ = report.assignments.size() > 1;
        for (const Assignment& assignment : report.assignments) this->assignment(assignment);
        line(0, "");
        line(0, paint("Next: ", Paint::bold) + report.next);
    }

  private:
    static constexpr int kNameWidth = 34, kMessageLines = 16, kPrintedLines = 8;
    static constexpr std::size_t kCheckWidth = 26, kProseWidth = 105;

    std::string paint(const std::string& text, Paint how) const {
        static constexpr const char* kCodes[] = {"32", "31", "2", "1"};
        return style_.colour ? fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<int>(how)], text) : text;
    }

    void line(int indent, const std::string& text) {
        out_ << std::string(static_cast<std::size_t>(text.empty() ? 0 : indent), ' ')
             << without_commands(text) << '\n';
    }

    /// Sentences, broken between words where they are long.
    void prose(int indent, const std::string& text) {
        std::istringstream stream(text);
        for (std::string each; std::getline(stream, each);) lines(indent, wrapped(each, kProseWidth));
    }

    void lines(int indent, const std::string& text) {
        std::istringstream stream(text);
        for (std::string each; std::getline(stream, each);) line(indent, each);
    }

    void assignment(const Assignment& a) {
        line(0, "");
        const std::string score = fmt::format("{} / {}", points(a.points), points(a.max_points));
        line(0, paint(fmt::format("{:<3}{:<46}{:>16}", a.number, a.title, score), Paint::bold));
        if (whole_course_ && not_begun(a))
            return line(
                3, paint((not_handed_in(a) ? "not handed in: " : "not begun: ") + a.handout, Paint::dim));
        for (const Part& part : a.parts) summary(part);
        for (const SourceFile& source : a.sources) compiler(source);
        for (const Part& part : a.parts) {
            if (!all_passed(part) && !not_started(part)) failures(part);
            if (!all_passed(part) || style_.verbose) speed(part);
        }
    }

    void compiler(const SourceFile& source) {
        if (source.compiled && source.messages.empty()) return;
        line(0, "");
        line(3, source.compiled
                    ? "the compiler's warnings for " + source.name + ":"
                    : paint(source.name + (source.exists ? " does not compile:" : " is not there:"),
                            Paint::bad));
        lines(5, quoted(first_lines(source.messages, kMessageLines)));
    }

    /// A part's points, and a line for each of its checks once the student has begun it; of a whole course
    /// only for what failed.
    void summary(const Part& part) {
        const std::string score = fmt::format("{} / {}", points(part.points), points(part.max_points));
        line(3, fmt::format("{:<{}}{:>12}   {}", part.function, kNameWidth, score, state(part)));
        if (not_started(part) || all_are(part, Outcome::not_compiled) || all_are(part, Outcome::missing))
            return;
        if (!part.stand_ins.empty()) line(6, stand_ins_of(part));
        const Check* told = most_telling(part);
        std::size_t width = kCheckWidth;
        for (const Check& check : part.checks) width = std::max(width, check.name.size() + 2);
        for (const Check& check : part.checks)
            if ((check.outcome != Outcome::passed && !is_left_out(check)) || !whole_course_ || style_.verbose)
                one_line(check, told, width);
    }

    std::string state(const Part& part) const {
        const std::string text = state_of(part);
        if (not_started(part)) return paint(text, Paint::dim);
        return all_passed(part) ? paint("ok", Paint::good) + "  " + text : paint(text, Paint::bad);
    }

    /// One failure of a part in full; all of them where asked.
    void failures(const Part& part) {
        const Check* told = most_telling(part);
        for (const Check& check : part.checks) {
            if (!can_be_told(check)) continue;
            if (&check != told && !style_.verbose) continue;
            line(0, "");
            full(part, check);
        }
    }

    /// What was measured of a part, or why nothing could be.
    void speed(const Part& part) {
        for (const Check& check : part.checks) {
            if (is_of_numbers(check) || check.outcome == Outcome::skipped ||
                check.outcome == Outcome::not_compiled)
                continue;
            const bool passed = check.outcome == Outcome::passed, slow = check.outcome == Outcome::slow;
            if (passed && !style_.verbose) continue;
            line(0, "");
            line(3, fmt::format("{}, {}: {}   {} / {}", paint(part.function, Paint::bold), check.kind,
                                paint(in_words(check.outcome), passed ? Paint::good : Paint::bad),
                                points(check.points), points(check.max_points)));
            prose(5, "(" + check.about + ")");
            if (!passed && !slow) prose(5, check.message);
            if (check.speed) speed(*check.speed);
            for (const Growth& growth : check.growth) prose(5, in_words(growth));
            if (!check.printed.empty()) {
                line(5, "There it printed:");
                lines(7, quoted(first_lines(check.printed, kPrintedLines)));
            }
            if (!passed) line(5, paint("More on this:  make explain ID=" + check.id, Paint::dim));
        }
    }

    void speed(const Speed& measured) {
        bool yours = true;
        for (const Bar& bar : chart(measured)) {
            line(5, fmt::format("{} {} {}", bar.name, paint(bar.bar, yours ? Paint::bold : Paint::dim),
                                bar.numbers));
            yours = false;
        }
        prose(5, in_words(measured));
        if (!measured.hint.empty()) prose(5, "Try: " + measured.hint);
    }

    void full(const Part& part, const Check& check) {
        line(3, fmt::format("{}, {}: {}", paint(part.function, Paint::bold), name_in_words(check),
                            paint(in_words(check.outcome), Paint::bad)));
        for (const Piece& piece : story_of(part, check)) {
            switch (piece.voice) {
                case Voice::sentence:
                    prose(5, piece.text);
                    break;
                case Voice::cause:
                    lines(5, paint_lines(wrapped(piece.text, kProseWidth), Paint::bold));
                    break;
                case Voice::numbers:
                    lines(7, piece.text);
                    break;
                case Voice::printed:
                    lines(7, quoted(first_lines(piece.text, kPrintedLines)));
                    break;
                case Voice::command:
                    line(5, paint("Replay, bigger:  " + piece.text, Paint::dim));
                    break;
            }
        }
    }

    /// Painted line by line, so that no colour runs into an indentation.
    std::string paint_lines(const std::string& text, Paint how) const {
        std::istringstream stream(text);
        std::string result;
        for (std::string each; std::getline(stream, each);) result += paint(each, how) + "\n";
        return result;
    }

    void one_line(const Check& check, const Check* told, std::size_t width) {
        const bool passed = check.outcome == Outcome::passed;
        std::string text = !is_of_numbers(check) ? in_short(check)
                           : passed              ? check.about
                                                 : check.message.substr(0, check.message.find('\n'));
        if (&check == told)
            text = "told below";
        else if (told != nullptr && same_mistake(check, *told))
            text = "the same mistake";
        const std::string outcome = fmt::format("{:<18}", passed ? "ok" : in_words(check.outcome));
        line(6,
             fmt::format("{:<{}}{}{}", check.name, width, paint(outcome, passed ? Paint::good : Paint::bad),
                         passed ? paint(text, Paint::dim) : text));
    }

    std::ostream& out_;
    const TerminalStyle& style_;
    bool whole_course_ = false;  ///< more than one assignment: told in fewer lines
};

}  // namespace

void write_terminal(std::ostream& out, const Report& report, const TerminalStyle& style) {
    Writer(out, style).report(cleaned(report));
}

}  // namespace attn::report
