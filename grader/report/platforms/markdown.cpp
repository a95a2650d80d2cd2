#include "grader/report/platforms/markdown.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "grader/report/clean.h"
#include "grader/report/report_queries.h"
#include "grader/report/speed_text.h"
#include "grader/report/text.h"

namespace attn::report {

namespace {

constexpr int kPrintedLines = 40;

std::string score(double points, double max_points) {
    return fmt::format("{} / {}", report::points(finite(points)), report::points(finite(max_points)));
}

std::string heading_of(const Assignment& assignment) {
    return fmt::format("\n## {} {}: {}\n", assignment.number, escape_markdown(assignment.title),
                       score(assignment.points, assignment.max_points));
}

std::string table_of(const std::vector<Assignment>& assignments) {
    std::string text = "\n| assignment | points |\n|---|---:|\n";
    for (const Assignment& a : assignments)
        text += fmt::format("| {} {} | {} |\n", a.number, escape_markdown(a.title),
                            score(a.points, a.max_points));
    return text;
}

std::string table_of(const std::vector<Part>& parts) {
    std::string text = "\n| function | points | |\n|---|---:|---|\n";
    for (const Part& part : parts) {
        std::string state = all_passed(part) && !not_started(part) && !nothing_shown(part)
                                ? "ok: " + state_of(part)
                                : state_of(part);
        if (const std::string others = stand_ins_of(part); !others.empty()) state += "; " + others;
        text += fmt::format("| {} | {} | {} |\n", code_span(part.function),
                            score(part.points, part.max_points), escape_markdown(state));
    }
    return text;
}

std::string compiler_of(const SourceFile& source) {
    if (source.compiled && source.messages.empty()) return "";
    const char* what = source.compiled ? "the compiler's warnings"
                       : source.exists ? "does not compile"
                                       : "is missing";
    std::string text = fmt::format("\n{}: {}\n", code_span(source.name), what);
    if (!source.messages.empty())
        text += '\n' + fenced(quote_lines(first_lines(source.messages, kPrintedLines)));
    return text;
}

std::string summary_of(const Assignment& assignment) {
    if (not_begun(assignment)) {
        return heading_of(assignment) + fmt::format("\n{}: {}\n",
                                                    not_handed_in(assignment) ? "not handed in" : "not begun",
                                                    code_span(assignment.handout));
    }
    std::string text = heading_of(assignment) + table_of(assignment.parts);
    for (const SourceFile& source : assignment.sources) text += compiler_of(source);
    return text;
}

std::string head_of(const Report& report) {
    const Score total = total_of(report);
    std::string text =
        fmt::format("# Attention Lab: {}\n\nSubmission {}, {}.{}\n", score(total.points, total.max_points),
                    code_span(report.submission), seed_in_words(report),
                    report.grader.empty() ? "" : " Graded by " + escape_markdown(report.grader) + ".");
    if (!report.next.empty()) text += fmt::format("\n**Next:** {}\n", escape_markdown(report.next));
    if (!report.notes.empty()) text += '\n';
    for (const std::string& note : report.notes) text += fmt::format("- note: {}\n", escape_markdown(note));
    return report.assignments.size() > 1 ? text + table_of(report.assignments) : text;
}

std::string line_of(const Check& check, const Check* shown) {
    constexpr std::size_t kLongest = 300;
    const std::string what = shown != nullptr && same_mistake(check, *shown) ? "the same mistake"
                             : is_correctness_check(check)                   ? check.message
                                                                             : measurement_summary(check);
    return fmt::format("- {}: {}{}\n", escape_markdown(name_in_words(check)), in_words(check.outcome),
                       what.empty() ? "" : ". " + escape_markdown(cut(what, kLongest)));
}

}  // namespace

std::string markdown_failures(const Report& report, const Part& part) {
    if (all_passed(part) || not_started(part) || all_are(part, Outcome::not_compiled)) return "";
    constexpr int kMostLines = 40;
    const Check* shown = most_informative_failure(part);
    std::string full, others;
    int lines = 0;
    for (const Check& check : part.checks) {
        if (check.outcome == Outcome::passed || is_left_out(check)) continue;
        const bool measured = check.speed || !check.growth.empty();
        if (&check == shown || measured) {
            full +=
                fmt::format("\n### {}, {}: {}, {}\n\n{}", code_span(part.function),
                            escape_markdown(name_in_words(check)), in_words(check.outcome),
                            score(check.points, check.max_points), markdown(describe(report, part, check)));
        } else if (++lines <= kMostLines) {
            others += line_of(check, shown);
        }
    }
    if (lines > kMostLines) others += fmt::format("- and {} more\n", lines - kMostLines);
    return full +
           (others.empty() ? "" : fmt::format("\nAlso in {}:\n\n{}", code_span(part.function), others));
}

std::string markdown(const Description& description) {
    std::string text;
    for (const Paragraph& paragraph : description) {
        if (!text.empty()) text += '\n';
        switch (paragraph.kind) {
            case ParagraphKind::sentence:
                text += escape_markdown(paragraph.text) + '\n';
                break;
            case ParagraphKind::cause:
                text += "**" + escape_markdown(paragraph.text) + "**\n";
                break;
            case ParagraphKind::numbers:
                text += fenced(without_commands(paragraph.text));
                break;
            case ParagraphKind::printed:
                text += fenced(quote_lines(first_lines(paragraph.text, kPrintedLines)));
                break;
            case ParagraphKind::command:
                text += "More on this: " + code_span(paragraph.text) + '\n';
                break;
        }
    }
    return text;
}

std::string markdown_summary(const Report& report) {
    std::string text = head_of(report);
    for (const Assignment& assignment : report.assignments) text += summary_of(assignment);
    return text;
}

std::string to_markdown(const Report& dirty, std::size_t limit) {
    static const std::string kLeftOut = "\nThe rest is left out: it is too long for this page.\n";
    const Report report = cleaned(dirty);
    std::string text = head_of(report);
    const auto add = [&](const std::string& section) {
        if (text.size() + section.size() + kLeftOut.size() > limit) return false;
        text += section;
        return true;
    };
    for (const Assignment& assignment : report.assignments) {
        if (!add(summary_of(assignment))) return text + kLeftOut;
        for (const Part& part : assignment.parts)
            if (!add(markdown_failures(report, part))) return text + kLeftOut;
    }
    return text;
}

namespace {

constexpr std::string_view kInvisible = "\u200b";  // zero-width space

/// The position of the character that would make the line a list item, a rule or a heading; npos if none.
std::size_t mark_at_the_beginning(std::string_view line) {
    if (!line.empty() && std::string_view("+-=:").find(line.front()) != std::string_view::npos) return 0;
    const auto end =
        static_cast<std::size_t>(std::find_if_not(line.begin(), line.end(), is_digit) - line.begin());
    const bool is_number = end > 0 && end < line.size() && (line[end] == '.' || line[end] == ')');
    return is_number ? end : std::string_view::npos;
}

/// Whether `text` ends with "www" in upper or lower case.
bool ends_with_www(std::string_view text) {
    const auto is_w = [](char c) { return c == 'w' || c == 'W'; };
    return text.size() >= 3 && std::all_of(text.end() - 3, text.end(), is_w);
}

std::size_t longest_run(std::string_view text, char wanted) {
    std::size_t longest = 0, run = 0;
    for (const char c : text) longest = std::max(longest, run = c == wanted ? run + 1 : 0);
    return longest;
}

}  // namespace

std::string escape_markdown(std::string_view text) {
    const std::string line = one_line(text);
    const std::size_t mark = mark_at_the_beginning(line);
    std::string result;
    for (std::size_t k = 0; k < line.size(); ++k) {
        const char c = line[k];
        if (c == '<' || c == '>' || c == '&') {
            result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;";
            continue;
        }
        if (c == '.' && ends_with_www(std::string_view(line).substr(0, k))) result += kInvisible;
        if (k == mark || std::string_view("\\`*_[]#|~$^!{}").find(c) != std::string_view::npos)
            result += '\\';
        result += c;
        if (c == '@' || c == '#' || (c == ':' && line.compare(k + 1, 2, "//") == 0)) result += kInvisible;
    }
    return result;
}

std::string code_span(std::string_view text) {
    const std::string line = one_line(text);
    if (line.empty() || line.find_first_of("`|") != std::string::npos || line.find("##") != std::string::npos)
        return escape_markdown(line);
    return "`" + line + "`";
}

std::string fenced(std::string_view lines) {
    constexpr std::size_t kShortest = 3;
    const std::string fence(std::max(kShortest, longest_run(lines, '`') + 1), '`');
    return fence + "text\n" + std::string(lines) + (lines.ends_with('\n') ? "" : "\n") + fence + '\n';
}

}  // namespace attn::report
