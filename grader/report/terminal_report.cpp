#include "grader/report/terminal_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "grader/report/check_description.h"
#include "grader/report/clean.h"
#include "grader/report/failure_text.h"
#include "grader/report/lines.h"
#include "grader/report/report_queries.h"
#include "grader/report/speed_text.h"

namespace attn::report {
namespace {

constexpr int kNameWidth = 34, kTitleWidth = 46, kPointsWidth = 12, kMessageLines = 16;
constexpr std::size_t kCheckWidth = 26, kOutcomeWidth = 18, kLongMessage = 80, kLongestMessage = 160;

class Writer {
  public:
    Writer(std::ostream& stream, const TerminalStyle& style)
        : out(stream, style.colour, style.width), style_(style) {}

    void report(const Report& report) {
        several_ = report.assignments.size() > 1;
        report_ = &report;
        if (!style_.quiet) head(report);
        for (const Assignment& assignment : report.assignments) this->assignment(assignment);
        if (!style_.quiet || several_) out.line(0);
        if (style_.quiet && several_) total(report);
        out.paragraph(0, out.paint("Next: ", Paint::bold) + report.next);
    }

  private:
    void head(const Report& report) {
        out.line(0, fmt::format("{}   submission {}   {}", out.paint("Attention Lab", Paint::bold),
                                report.submission, seed_in_words(report)));
        out.line(0, out.paint("isolation: " + report.isolation, Paint::dim));
        for (const std::string& note : report.notes) out.paragraph(3, "note: " + note);
        if (is_brief()) out.line(3, out.paint("each check: + passed, x failed, - not run", Paint::dim));
    }

    void total(const Report& report) {
        double earned = 0, all = 0;
        for (const Assignment& assignment : report.assignments) {
            earned += assignment.points;
            all += assignment.max_points;
        }
        score_line("", "total", earned, all);
    }

    void score_line(const std::string& number, const std::string& title, double earned, double all) {
        out.line(0, out.paint(fmt::format("{:<3}{:<{}}{:>16}", number, title, kTitleWidth,
                                          fmt::format("{} / {}", points(earned), points(all))),
                              Paint::bold));
    }

    void assignment(const Assignment& a) {
        if (!style_.quiet) out.line(0);
        score_line(std::to_string(a.number), a.title, a.points, a.max_points);
        if (style_.quiet) return;
        if (several_ && not_begun(a))
            return out.line(
                3, out.paint((not_handed_in(a) ? "not handed in: " : "not begun: ") + a.handout, Paint::dim));
        for (const Part& part : a.parts) summary(part);
        for (const SourceFile& source : a.sources) compiler(source);
        if (is_brief()) return;
        for (const Part& part : a.parts) {
            if (!all_passed(part) && !not_started(part)) failures(part);
            if (!all_passed(part) || style_.verbose) speed(part);
        }
    }

    bool is_brief() const { return several_ && !style_.verbose; }

    void compiler(const SourceFile& source) {
        if (source.compiled && source.messages.empty()) return;
        out.line(0);
        out.line(3, source.compiled
                        ? "the compiler's warnings for " + source.name + ":"
                        : out.paint(source.name + (source.exists ? " does not compile:" : " is missing:"),
                                    Paint::bad));
        out.lines(5, quote_lines(first_lines(source.messages, kMessageLines)));
    }

    /// The part's points and state, then its checks if the student has begun it.
    void summary(const Part& part) {
        const std::string score = fmt::format("{} / {}", points(part.points), points(part.max_points));
        const bool begun = !not_started(part) && !all_are(part, Outcome::not_compiled) &&
                           !all_are(part, Outcome::missing) && !nothing_shown(part);
        const std::string marked = begun && is_brief() ? marks(part) + "  " : "";
        out.line(3, fmt::format("{:<{}}{:>{}}   {}{}", part.function, kNameWidth, score, kPointsWidth, marked,
                                state(part)));
        if (!begun) return;
        if (!part.stand_ins.empty()) out.paragraph(6, stand_ins_of(part));
        if (is_brief()) return short_failure(part);
        const Check* shown = most_informative_failure(part);
        std::size_t width = kCheckWidth;
        for (const Check& check : part.checks) width = std::max(width, check.name.size() + 2);
        for (const Check& check : part.checks) one_line(check, shown, width);
    }

    /// "++x+ ++ -": one mark for each check, with a space between kinds.
    std::string marks(const Part& part) const {
        std::string text;
        CheckKind kind = part.checks.empty() ? CheckKind::numeric : part.checks.front().kind;
        for (const Check& check : part.checks) {
            if (is_left_out(check)) continue;
            if (check.kind != kind && !text.empty()) text += ' ';
            kind = check.kind;
            text += check.outcome == Outcome::passed    ? out.paint("+", Paint::good)
                    : check.outcome == Outcome::skipped ? out.paint("-", Paint::dim)
                                                        : out.paint("x", Paint::bad);
        }
        return text;
    }

    /// The main failure of a part in two or three lines, with the command that shows more.
    void short_failure(const Part& part) {
        if (all_passed(part)) return;
        const Check* shown = most_informative_failure(part);
        for (const Check& check : part.checks)
            if (shown == nullptr && check.outcome != Outcome::passed && !is_left_out(check)) shown = &check;
        if (shown == nullptr) return;
        out.paragraph(
            6, fmt::format("{}: {}", name_in_words(*shown),
                           is_correctness_check(*shown)
                               ? in_words(shown->outcome) + ". " + shown->message + first_place(shown->lines)
                               : attn::report::measurement_summary(*shown)));
        if (shown->diagnosis) out.paragraph(6, shown->diagnosis->sentence, Paint::bold);
        if (can_be_replayed(*report_, *shown))
            out.line(6, out.paint("More on this:  make explain ID=" + shown->id, Paint::dim));
    }

    std::string state(const Part& part) const {
        const std::string text = state_of(part);
        if (not_started(part) || nothing_shown(part)) return out.paint(text, Paint::dim);
        return all_passed(part) ? out.paint("ok", Paint::good) + "  " + text : out.paint(text, Paint::bad);
    }

    void one_line(const Check& check, const Check* shown, std::size_t width) {
        const bool passed = check.outcome == Outcome::passed;
        std::string text = !is_correctness_check(check) ? attn::report::measurement_summary(check)
                           : passed                     ? check.about
                                                        : check.message.substr(0, check.message.find('\n'));
        if (&check == shown)
            text = "see below";
        else if (shown != nullptr && same_mistake(check, *shown))
            text = "the same mistake";
        else if (shown != nullptr && text.size() > kLongMessage && check.message == shown->message)
            text = "the same";
        text = cut(std::move(text), kLongestMessage);
        const std::string outcome =
            fmt::format("{:<{}}", passed ? "ok" : in_words(check.outcome), kOutcomeWidth);
        out.line(6, fmt::format("{:<{}}{}{}", check.name, width,
                                out.paint(outcome, passed ? Paint::good : Paint::bad),
                                passed ? out.paint(text, Paint::dim) : text));
    }

    /// The most informative failure of a part in full; all failures if the style is verbose.
    void failures(const Part& part) {
        const Check* shown = most_informative_failure(part);
        for (const Check& check : part.checks) {
            if (!is_reportable_failure(check) || (&check != shown && !style_.verbose)) continue;
            out.line(0);
            write_failure(out, *report_, part, check);
        }
    }

    void speed(const Part& part) {
        for (const Check& check : part.checks) {
            if (is_correctness_check(check) || check.outcome == Outcome::skipped ||
                check.outcome == Outcome::not_compiled ||
                (check.outcome == Outcome::passed && !style_.verbose))
                continue;
            out.line(0);
            write_failure(out, *report_, part, check);
        }
    }

    Lines out;
    const TerminalStyle& style_;
    const Report* report_ = nullptr;
    bool several_ = false;  ///< several assignments: each is shown in fewer lines
};

}  // namespace

void write_terminal(std::ostream& out, const Report& report, const TerminalStyle& style) {
    Writer(out, style).report(cleaned(report));
}

}  // namespace attn::report
