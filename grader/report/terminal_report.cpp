#include "grader/report/terminal_report.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "grader/base/text_lines.h"
#include "grader/base/version.h"
#include "grader/report/check_description.h"
#include "grader/report/clean.h"
#include "grader/report/findings.h"
#include "grader/report/lines.h"
#include "grader/report/report_queries.h"
#include "grader/report/speed_text.h"

namespace attn::report {
namespace {

constexpr int kMessageLines = 16, kTitleWidth = 30, kNameWidth = 30, kPointsWidth = 11;
constexpr std::size_t kStateColumn = 47, kWidestTitle = 45;

void write_piece(Lines& out, const Paragraph& paragraph) {
    constexpr int kLinesOfPrinted = 8;
    switch (paragraph.kind) {
        case ParagraphKind::sentence:
            return out.paragraph(5, paragraph.text);
        case ParagraphKind::cause:
            return out.paragraph(5, paragraph.text, Paint::bold);
        case ParagraphKind::numbers:
            return out.lines(7, paragraph.text);
        case ParagraphKind::printed:
            return out.quoted(7, first_lines(paragraph.text, kLinesOfPrinted));
        case ParagraphKind::command:
            return out.line(5, out.paint("More on this:  " + paragraph.text, Paint::dim));
    }
}

/// Writes one failed check in full: the name, the outcome and, for speed and growth, the points; then the description.
void write_failure(Lines& out, const Report& report, const Part& part, const Check& check) {
    const Paint paint = check.outcome == Outcome::passed ? Paint::good : Paint::bad;
    std::string text = fmt::format("{}, {}: {}", out.paint(part.function, Paint::bold), name_in_words(check),
                                   out.paint(in_words(check.outcome), paint));
    if (!is_correctness_check(check))
        text += fmt::format("   {} / {}", points(check.points), points(check.max_points));
    out.paragraph(3, text);
    for (const Paragraph& paragraph : describe(report, part, check, out.width())) write_piece(out, paragraph);
}

class Writer {
  public:
    Writer(std::ostream& stream, const TerminalStyle& style)
        : out(stream, style.colour, style.width), style_(style) {}

    void report(const Report& report) {
        several_ = report.assignments.size() > 1;
        report_ = &report;
        for (const Assignment& assignment : report.assignments) {
            make_room_for(assignment.title);
            if (in_one_line(assignment)) continue;
            for (const Part& part : assignment.parts) make_room_for(part.function);
        }
        if (!style_.quiet) head(report);
        if (several_ && !style_.quiet && !style_.verbose && nothing_begun(report))
            return where_to_begin(report);
        for (const Assignment& assignment : report.assignments) this->assignment(assignment);
        if (!style_.quiet || several_) out.line(0);
        closing(report);
    }

  private:
    void make_room_for(const std::string& title) {
        wider_ = std::max(wider_, static_cast<int>(std::min(columns_of(title), kWidestTitle)) - kTitleWidth);
    }

    void head(const Report& report) {
        const std::string name = report.grader.empty() ? "Attention Lab" : name_and_number(report.grader);
        out.beside("", 0,
                   fmt::format("{}   submission {}   {}", out.paint(name, Paint::bold), report.submission,
                               seed_in_words(report)));
        if (style_.verbose && !report.grader.empty())
            out.paragraph(0, "graded by: " + report.grader, Paint::dim);
        if (style_.isolation || style_.verbose)
            out.paragraph(0, "isolation: " + report.isolation, Paint::dim);
        for (const std::string& note : report.notes) out.paragraph(3, "note: " + note);
    }

    static bool nothing_begun(const Report& report) {
        return std::ranges::all_of(report.assignments, [](const Assignment& assignment) {
            return not_begun(assignment) && !not_handed_in(assignment);
        });
    }

    /// Of untouched stubs: nothing but where to begin. A table would say the same in each row.
    void where_to_begin(const Report& report) {
        out.line(0);
        out.line(0, out.paint(fmt::format("   {} assignments, 0 / {} points: nothing is begun.",
                                          report.assignments.size(), points(total_of(report).max_points)),
                              Paint::bold));
        next_step(report);
    }

    std::string score(const std::string& lead, double earned, double all) const {
        return fmt::format("{:<{}}{:>{}}", lead, kTitleWidth + 3 + wider_,
                           fmt::format("{} / {}", points(earned), points(all)), kPointsWidth);
    }

    void assignment(const Assignment& a) {
        const std::string title =
            out.paint(score(fmt::format("{:<3}{}", a.number, a.title), a.points, a.max_points), Paint::bold);
        const auto only = [&](const std::string& state, Paint paint) {
            out.beside(title, state_column(), state, paint);
        };
        if (style_.quiet) return out.line(0, title);
        if (!in_one_line(a) || !one_line_before_) out.line(0);
        one_line_before_ = in_one_line(a);
        if (several_ && not_begun(a))
            return only((not_handed_in(a) ? "not handed in" : "not begun") + beside_it(a), Paint::dim);
        if (in_one_line(a)) return only("ok", Paint::good);
        out.line(0, title);
        for (const SourceFile& source : a.sources)
            if (!source.compiled) compiler(source);
        for (const Part& part : a.parts) summary(a, part);
        if (is_brief()) return warnings(a);
        for (const Part& part : a.parts) failures(a, part);
        warnings(a);
    }

    /// ", builds on 2": what the course says about an assignment that is not begun.
    std::string beside_it(const Assignment& a) const {
        const auto step = std::ranges::find(report_->path, a.number, &PathStep::number);
        const std::string words = step == report_->path.end() ? "" : builds_on_in_words(*step);
        return words.empty() ? "" : ", " + words;
    }

    /// Whether there is nothing to say about an assignment except its points.
    bool in_one_line(const Assignment& a) const {
        if (!several_ || style_.verbose) return false;
        return not_begun(a) || std::ranges::all_of(a.parts, [](const Part& part) {
                   return all_passed(part) && !nothing_shown(part);
               });
    }

    bool is_brief() const { return several_ && !style_.verbose; }

    void compiler(const SourceFile& source) {
        const std::string what = source.exists ? " does not compile:" : " is missing:";
        out.paragraph(3, source.name + what, Paint::bad);
        out.quoted(5, first_lines(source.messages, kMessageLines));
    }

    /// The compiler's warnings, after the failures: the first line only, unless the style is verbose.
    void warnings(const Assignment& a) {
        for (const SourceFile& source : a.sources) {
            if (!source.compiled || source.messages.empty()) continue;
            const std::string lines = warning_lines(source.messages);
            const auto count = std::ranges::count(lines, '\n');
            out.line(0);
            out.paragraph(3,
                          fmt::format("{}: {} of the compiler{}", source.name,
                                      count == 1 ? "a warning" : fmt::format("{} warnings", count),
                                      style_.verbose || count <= 1 ? "" : "; all: ARGS=--verbose"),
                          Paint::dim);
            out.quoted(5, style_.verbose ? first_lines(source.messages, kMessageLines)
                                         : lines.substr(0, lines.find('\n')));
        }
    }

    /// The lines that begin a warning; the whole text if there are none.
    static std::string warning_lines(const std::string& messages) {
        std::string lines;
        for (const std::string& line : lines_in(messages))
            if (line.find("warning: ") != std::string::npos) lines += line + '\n';
        return lines.empty() ? messages : lines;
    }

    /// The part's points and state, then what failed.
    void summary(const Assignment& a, const Part& part) {
        if (all_are(part, Outcome::not_compiled) && findings_of(a, part).empty()) return;
        const auto [text, paint] = state(part);
        out.beside(score("   " + part.function, part.points, part.max_points), state_column(), text, paint);
        if (all_passed(part) && is_brief()) return;
        if (const std::string others = stand_ins_of(part); !others.empty())
            out.paragraph(6, others, Paint::dim);
        if (not_started(part) || nothing_shown(part)) return;
        if (!is_brief()) return checks(a, part);
        for (const Finding& finding : findings_of(a, part)) short_failure(finding);
    }

    /// A finding in two or three lines, with the command that shows more.
    void short_failure(const Finding& finding) {
        if (finding.kind == FindingKind::missing) return;
        const Check& check = *finding.check;
        if (finding.kind == FindingKind::waiting)
            return out.paragraph(6, fmt::format("{}: {}", name_in_words(check), check.message), Paint::dim);
        out.paragraph(
            6, fmt::format("{}: {}", name_in_words(check),
                           is_correctness_check(check)
                               ? in_words(check.outcome) + ". " + check.message + first_place(check.lines)
                               : measurement_summary(check)));
        if (check.diagnosis) out.paragraph(6, check.diagnosis->sentence, Paint::bold);
        if (can_be_replayed(*report_, check))
            out.line(6, out.paint("More on this:  make explain ID=" + check.id, Paint::dim));
    }

    static std::pair<std::string, Paint> state(const Part& part) {
        if (not_started(part) || nothing_shown(part)) return {state_of(part), Paint::dim};
        if (!all_passed(part)) {
            const bool waits = std::ranges::all_of(part.checks, [](const Check& check) {
                return check.outcome == Outcome::passed || is_left_out(check) || is_waiting(check);
            });
            return {state_of(part), waits ? Paint::plain : Paint::bad};
        }
        if (std::ranges::any_of(part.checks, is_kept_back)) return {"ok  " + state_of(part), Paint::good};
        const auto count = std::ranges::count(part.checks, Outcome::passed, &Check::outcome);
        return {fmt::format("ok  {} check{}", count, count == 1 ? "" : "s"), Paint::good};
    }

    /// A line for each failure, with the checks that fail in the same way, and one for all that passed.
    void checks(const Assignment& a, const Part& part) {
        std::vector<const Check*> full;
        for (const Finding& finding : findings_of(a, part)) full.push_back(finding.check);
        std::vector<Row> rows;
        std::string passed;
        for (const Check& check : part.checks) {
            if (style_.verbose) {
                rows.push_back({&check});
            } else if (check.outcome == Outcome::passed && is_correctness_check(check)) {
                passed += (passed.empty() ? "passed: " : ", ") + check.name;
            } else if (!is_left_out(check) && !(is_function_check(check) && told_by_state(part))) {
                const auto same = std::ranges::find_if(
                    rows, [&check](const Row& row) { return fail_alike(*row.check, check); });
                if (same == rows.end())
                    rows.push_back({&check});
                else
                    same->others.push_back(&check);
            }
        }
        // Of checks that fail alike the one that is told below has the line.
        const auto is_told = [&](const Check* check) { return std::ranges::find(full, check) != full.end(); };
        std::size_t name = 0, outcome = 0;
        for (Row& row : rows) {
            const auto told = std::ranges::find_if(row.others, is_told);
            if (!is_told(row.check) && told != row.others.end()) {
                std::rotate(row.others.begin(), told, told + 1);
                std::swap(row.check, row.others.front());
            }
            name = std::max(name, row.check->name.size() + 2);
            outcome = std::max(outcome, word_of(*row.check).size() + 2);
        }
        for (const Row& row : rows) {
            one_line(*row.check, is_told(row.check), name, outcome);
            std::vector<std::string> others;
            for (const Check* const other : row.others) others.push_back(other->name);
            if (!others.empty())
                out.paragraph(8,
                              fmt::format("{} more like this: {}", others.size(), fmt::join(others, ", ")));
        }
        if (!all_passed(part)) out.paragraph(6, passed, Paint::dim);
    }

    static std::string word_of(const Check& check) {
        if (is_uncounted(check)) return "not counted";
        return check.outcome == Outcome::passed ? "ok" : outcome_in_words(check);
    }

    struct Row {
        const Check* check;
        std::vector<const Check*> others = {};  ///< those that fail in the same way
    };

    /// Whether the part's state already says what is the matter with every check of its function.
    static bool told_by_state(const Part& part) {
        return all_are(part, Outcome::not_implemented) || all_are(part, Outcome::not_compiled);
    }

    static bool fail_alike(const Check& a, const Check& b) {
        return is_correctness_check(a) && is_correctness_check(b) &&
               is_kernel_check(a) == is_kernel_check(b) &&
               (same_mistake(a, b) || (a.outcome == b.outcome && !a.diagnosis && !b.diagnosis &&
                                       without_numbers(a.message) == without_numbers(b.message)));
    }

    /// "In X: element (#, #) of [#, #]": failures differ in numbers, but are the same mistake.
    static std::string without_numbers(const std::string& message) {
        std::string text;
        for (const char c : message)
            if (!is_digit(c))
                text += c;
            else if (!text.ends_with('#'))
                text += '#';
        return text;
    }

    void one_line(const Check& check, bool in_full, std::size_t name, std::size_t outcome) {
        constexpr std::size_t kIndent = 6;
        const bool passed = check.outcome == Outcome::passed, waits = is_waiting(check);
        const std::string text = !is_correctness_check(check) ? measurement_summary(check)
                                 : passed                     ? check.about
                                 : in_full                    ? "see below"
                                 : is_uncounted(check)        ? reason_not_counted(check)
                                                       : check.message.substr(0, check.message.find('\n'));
        const std::size_t column = kIndent + name + outcome;
        const std::size_t room = std::max(out.width(), column + kIndent) - column;
        // The two numbers that a property compares stand at the end of its sentence, and nowhere else.
        const bool whole = (check.kind == CheckKind::property && !passed) || is_uncounted(check);
        const std::string word = fmt::format("{:<{}}", word_of(check), outcome);
        out.beside(std::string(kIndent, ' ') + fmt::format("{:<{}}", check.name, name) +
                       out.paint(word, passed  ? Paint::good
                                       : waits ? Paint::dim
                                               : Paint::bad),
                   column, whole ? text : shortened(text, room), passed || waits ? Paint::dim : Paint::plain);
    }

    /// Whether the call did what it must, which earns nothing while the function does nothing else right.
    static bool is_uncounted(const Check& check) { return check.message.starts_with("Not counted"); }
    /// "It holds, but .." of "Not counted: it holds, but ..".
    static std::string reason_not_counted(const Check& check) {
        std::string reason = check.message.substr(check.message.find(": ") + 2);
        reason.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(reason.front())));
        return reason;
    }

    static bool is_waiting(const Check& check) {
        return !is_correctness_check(check) && check.outcome == Outcome::skipped;
    }

    /// The check of each finding in full; all failures if the style is verbose. A part has one finding for
    /// its function and one for its kernels, so neither hides the other.
    void failures(const Assignment& a, const Part& part) {
        if (not_started(part)) return;
        std::vector<const Check*> shown;
        for (const Finding& finding : findings_of(a, part))
            if (finding.kind != FindingKind::missing && finding.kind != FindingKind::waiting)
                shown.push_back(finding.check);
        for (const Check& check : part.checks) {
            const bool measured = !is_correctness_check(check) && check.outcome != Outcome::skipped &&
                                  check.outcome != Outcome::not_compiled;
            const bool wanted = std::ranges::find(shown, &check) != shown.end() ||
                                (measured && check.outcome != Outcome::passed) ||
                                (style_.verbose && (measured || is_reportable_failure(check)));
            if (!wanted) continue;
            out.line(0);
            write_failure(out, *report_, part, check);
        }
    }

    /// What a test runner says at the end: the total, what is wrong and its cost, and the next command.
    void closing(const Report& report) {
        const auto findings = findings_of(report);
        const Score total = total_of(report);
        if (!style_.quiet || several_)
            out.beside(out.paint(score(several_ ? "   Total" : "   Points", total.points, total.max_points),
                                 Paint::bold),
                       state_column(), counts_of(findings), Paint::bold);
        if (!style_.quiet) list(findings);
        next_step(report);
    }

    /// What is wrong in few lines. What stands in brackets at its end stands above, too, so it goes first.
    static std::string shortened_finding(const std::string& what) {
        constexpr std::size_t kMost = 220;
        std::size_t end = what.size();
        if (end > kMost && what.ends_with(')'))
            for (int depth = 0; end > 0;) {
                --end;
                depth += what[end] == ')' ? 1 : what[end] == '(' ? -1 : 0;
                if (depth == 0) break;
            }
        std::string text = what.substr(0, end);
        while (text.ends_with(' ')) text.pop_back();
        return shortened(text, kMost);
    }

    void next_step(const Report& report) {
        const NextStep next = split_next_step(report.next);
        out.paragraph(0, out.paint("Next: ", Paint::bold) + next.what);
        if (!next.command.empty()) out.line(3, next.command);
    }

    void list(std::vector<Finding> findings) {
        constexpr std::size_t kMost = 12, kTextColumn = 13;
        // The table has a line for each assignment that is not begun.
        if (several_)
            std::erase_if(findings, [](const Finding& finding) { return finding.whole_assignment; });
        for (std::size_t k = 0; k < std::min(findings.size(), kMost); ++k) {
            const Finding& finding = findings[k];
            const std::string cost =
                finding.cost > 0 ? fmt::format("{:>10}", "-" + points(finding.cost)) : std::string(10, ' ');
            const std::string place =
                finding.place.empty() || finding.what.find(finding.place) != std::string::npos
                    ? ""
                    : " (" + finding.place + ")";
            const Paint paint = finding.kind == FindingKind::missing || finding.kind == FindingKind::waiting
                                    ? Paint::dim
                                    : Paint::plain;
            out.beside(cost, kTextColumn,
                       fmt::format("{}: {}{}{}", finding.subject,
                                   finding.kind == FindingKind::waiting ? "not counted yet, " : "",
                                   shortened_finding(finding.what), place),
                       paint);
        }
        if (findings.size() > kMost) out.line(13, fmt::format("and {} more", findings.size() - kMost));
    }

    /// Where the state of an assignment or a part stands, beside its points.
    std::size_t state_column() const { return kStateColumn + static_cast<std::size_t>(wider_); }

    Lines out;
    const TerminalStyle& style_;
    int wider_ = 0;  ///< by how many columns titles or functions are wider than usual
    const Report* report_ = nullptr;
    bool several_ = false;          ///< several assignments: each is shown in fewer lines
    bool one_line_before_ = false;  ///< whether the assignment before took one line
};

}  // namespace

void write_terminal(std::ostream& out, const Report& report, const TerminalStyle& style) {
    Writer(out, style).report(cleaned(report));
}

}  // namespace attn::report
