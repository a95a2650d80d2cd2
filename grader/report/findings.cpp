#include "grader/report/findings.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/base/listed_in_words.h"
#include "grader/report/report_queries.h"
#include "grader/report/speed_text.h"
#include "grader/report/text.h"

namespace attn::report {

namespace {

/// Where the first sentence ends, at its period. A period after a space belongs to a formula, as in "q . k"
/// and "0 .. 4".
std::size_t end_of_sentence(const std::string& text) {
    std::size_t end = text.find(". ");
    while (end != std::string::npos && end > 0 && (text[end - 1] == ' ' || text[end - 1] == '.'))
        end = text.find(". ", end + 1);
    return end;
}

/// The first sentence, at most one line.
std::string first_sentence(const std::string& text) {
    const std::string line = text.substr(0, text.find('\n'));
    const std::size_t end = end_of_sentence(line);
    std::string sentence = line.substr(0, end);
    if (sentence.ends_with('.')) sentence.pop_back();
    return sentence;
}

FindingKind kind_of(const Check& check, bool untouched) {
    switch (check.outcome) {
        case Outcome::not_compiled:
            return FindingKind::not_compiled;
        case Outcome::missing:
            return FindingKind::missing;
        case Outcome::not_implemented:
            return untouched ? FindingKind::missing : FindingKind::wrong;
        case Outcome::wrong:
        case Outcome::not_finite:
        case Outcome::partly_written:
        case Outcome::changed_input:
        case Outcome::not_deterministic:
        case Outcome::kernel_error:
            return FindingKind::wrong;
        case Outcome::timed_out:
            return is_correctness_check(check) ? FindingKind::timed_out : FindingKind::slow;
        case Outcome::skipped:  // after calls that did not return
            return is_correctness_check(check) ? FindingKind::timed_out : FindingKind::waiting;
        default:
            return is_correctness_check(check) ? FindingKind::crashed : FindingKind::slow;
    }
}

/// Whether the checks of the function, or those of its kernels, all left the output untouched.
bool is_untouched(const Part& part, bool kernels) {
    for (const Check& check : part.checks)
        if (is_correctness_check(check) && is_kernel_check(check) == kernels && !is_left_out(check) &&
            check.outcome != Outcome::not_implemented)
            return false;
    return true;
}

double lost(const Check& check) {
    return finite(check.max_points) - finite(check.points);
}

/// How much a check tells about its failure.
int information(const Check& c) {
    return (c.outcome == Outcome::skipped || c.outcome == Outcome::over_budget ? 0 : 16) +
           (c.smallest && !c.smallest->inputs.empty() ? 8 : 0) + (c.diagnosis ? 4 : 0) +
           (c.smallest ? 2 : 0) + (c.difference ? 1 : 0);
}

/// Whether the call had to be refused, and was not, for no mistake that is named.
bool had_to_refuse(const Check& check) {
    return check.message.find(kMustThrow) != std::string::npos && !check.diagnosis;
}

/// What the message about a missing function says after its first sentence; without more, this sentence.
std::string what_is_there_instead(const std::string& message) {
    const std::size_t end = end_of_sentence(message);
    return end == std::string::npos ? first_sentence(message) : message.substr(end + 2);
}

std::string what_of(const Finding& finding) {
    const Check& check = *finding.check;
    if (finding.kind == FindingKind::missing)
        return check.outcome == Outcome::missing ? what_is_there_instead(check.message)
                                                 : "not implemented yet";
    if (!is_correctness_check(check))
        return finding.kind == FindingKind::waiting ? first_sentence(check.message)
                                                    : measurement_summary(check);
    if (check.diagnosis) return cause_in(*check.diagnosis);
    const std::string sentence = first_sentence(check.message);
    if (sentence.empty()) return in_words(check.outcome);
    // Other cases can be wrong in other places.
    return sentence +
           (check.difference && check.kind == CheckKind::numeric ? " (case " + check.name + ")" : "");
}

std::string place_of(const Check& check) {
    if (!check.lines || check.lines->lines.empty()) return place_in(check.message);
    return in_words(check.lines->lines.front());
}

std::string to_do_of(const Finding& finding, const Assignment& assignment, const Part& part) {
    const char* verb = finding.kind == FindingKind::missing ? "write"
                       : finding.kind == FindingKind::slow  ? "speed up"
                                                            : "fix";
    const bool new_one = finding.kind == FindingKind::missing && !finding.kernels && !part.builds_on.empty();
    const std::string place =
        finding.kind == FindingKind::missing || finding.place.empty() ? "" : " at " + finding.place;
    return fmt::format(
        "{} {}{}{}{} ({}, step {})", verb, finding.kernels ? "the kernels of " : "", part.function, place,
        new_one ? ", which builds on " + listed_in_words(part.builds_on) : "", assignment.handout, part.step);
}

std::string error_in(const std::string& messages) {
    constexpr std::string_view kError = "error: ";
    const std::size_t at = messages.find(kError);
    if (at == std::string::npos) return "does not compile";
    return "does not compile: " +
           messages.substr(at + kError.size(), messages.find('\n', at) - at - kError.size());
}

/// Of an assignment without anything to grade, one finding.
Finding whole(const Assignment& assignment) {
    Finding finding;
    finding.kind = FindingKind::missing;
    finding.whole_assignment = true;
    finding.assignment = assignment.number;
    finding.cost = finite(assignment.max_points) - finite(assignment.points);
    finding.subject = assignment.title;
    finding.what = not_handed_in(assignment) ? "not handed in" : "not begun";
    if (not_handed_in(assignment))
        finding.to_do = "hand in " + (assignment.sources.empty() ? "" : assignment.sources.front().name);
    else
        finding.to_do = fmt::format("write {} ({}, step {})", assignment.parts.front().function,
                                    assignment.handout, assignment.parts.front().step);
    return finding;
}

std::vector<Finding> findings_of_assignment(const Assignment& assignment) {
    if (not_begun(assignment)) return {whole(assignment)};
    std::vector<Finding> findings;
    for (const SourceFile& source : assignment.sources) {
        if (source.compiled) continue;
        Finding finding;
        finding.kind = source.exists ? FindingKind::not_compiled : FindingKind::missing;
        finding.assignment = assignment.number;
        finding.kernels = source.name.ends_with(".cu");
        for (const Part& part : assignment.parts)
            for (const Check& check : part.checks)
                if (check.outcome == Outcome::not_compiled && is_kernel_check(check) == finding.kernels)
                    finding.cost += lost(check);
        finding.subject = source.name;
        finding.what = source.exists ? error_in(source.messages) : "missing";
        finding.place = place_in(source.messages);
        finding.to_do = source.exists ? "make " + source.name + " compile" : "hand in " + source.name;
        findings.push_back(std::move(finding));
    }
    for (const Part& part : assignment.parts)
        std::ranges::move(findings_of(assignment, part), std::back_inserter(findings));
    return findings;
}

/// What is worked on first. Within a rank the order is that of the course and of the handouts' steps, in which
/// a function comes before those that call it, so a cause stands before the crash that it leads to.
int rank_of(const Finding& finding) {
    switch (finding.kind) {
        case FindingKind::not_compiled:
            return 0;
        case FindingKind::crashed:
        case FindingKind::timed_out:
        case FindingKind::wrong:
            return finding.kernels ? 2 : 1;
        case FindingKind::missing:
            return 3;
        case FindingKind::slow:
            return 4;
        case FindingKind::waiting:
            return 5;
    }
    return 0;
}

const Assignment* assignment_of(const Report& report, int number) {
    const auto found = std::ranges::find(report.assignments, number, &Assignment::number);
    return found == report.assignments.end() ? nullptr : &*found;
}

/// Whether a part stands at this place of the course.
bool stands_at(const PathStep& place, const Part& part) {
    return place.steps.empty() || std::ranges::count(place.steps, part.step) != 0;
}

/// Whether the student has written anything of what stands at this place of the course.
bool is_begun(const PathStep& place, const Assignment& assignment) {
    return !not_handed_in(assignment) && std::ranges::any_of(assignment.parts, [&](const Part& part) {
        return stands_at(place, part) && !not_started(part);
    });
}

/// When it is the turn of something that is missing: 0 where something is begun, otherwise the number of its
/// place in the course.
std::size_t turn_of(const Finding& finding, const Report& report) {
    const Assignment* assignment = assignment_of(report, finding.assignment);
    if (finding.kind != FindingKind::missing || assignment == nullptr) return 0;
    for (std::size_t k = 0; k < report.path.size(); ++k) {
        const PathStep& place = report.path[k];
        const bool here =
            place.number == finding.assignment && !place.later &&
            (finding.whole_assignment || std::ranges::any_of(assignment->parts, [&](const Part& part) {
                 return part.function == finding.function && stands_at(place, part);
             }));
        if (here) return is_begun(place, *assignment) ? 0 : k + 1;
    }
    return finding.whole_assignment ? report.path.size() + 1 : 0;
}

}  // namespace

std::vector<Finding> findings_of(const Assignment& assignment, const Part& part) {
    std::vector<Finding> findings;
    const auto add = [&](const Check& check) {
        const bool kernels = is_kernel_check(check);
        const FindingKind kind = kind_of(check, is_untouched(part, kernels));
        // The kernels of a function have one finding, because one mistake in them has many faces. A check that is missing
        // is another mistake than wrong numbers.
        auto same = std::ranges::find_if(findings, [&](const Finding& finding) {
            return finding.kernels == kernels &&
                   (kernels ||
                    (finding.kind == kind && had_to_refuse(*finding.check) == had_to_refuse(check)));
        });
        if (same == findings.end()) {
            findings.emplace_back().kind = kind;
            same = std::prev(findings.end());
            same->assignment = assignment.number;
            same->function = part.function;
            same->subject = (kernels ? "the kernels of " : "") + part.function;
            same->kernels = kernels;
        }
        same->kind = std::min(same->kind, kind);
        same->cost += lost(check);
        if (same->check == nullptr || information(check) > information(*same->check)) same->check = &check;
    };
    std::vector<const Check*> refusals;
    for (const Check& check : part.checks) {
        if (check.outcome == Outcome::passed || check.outcome == Outcome::not_compiled || is_left_out(check))
            continue;
        if (check.message == kRefusesEverything)
            refusals.push_back(&check);
        else
            add(check);
    }
    // Refusals that do not count yet are part of what the other mistake costs.
    for (const Check* check : refusals)
        if (findings.empty())
            add(*check);
        else
            findings.front().cost += lost(*check);
    // A named cause comes before the crash that it may have led to.
    std::ranges::stable_sort(findings, {}, [](const Finding& finding) {
        return std::pair(rank_of(finding), finding.check->diagnosis ? 0 : 1);
    });
    // Speed that waits for the function itself is part of what its mistake costs.
    if (findings.size() > 1 && findings.back().kind == FindingKind::waiting && !findings.front().kernels &&
        findings.front().kind < FindingKind::slow) {
        findings.front().cost += findings.back().cost;
        findings.pop_back();
    }
    for (Finding& finding : findings) {
        finding.what = what_of(finding);
        finding.place = place_of(*finding.check);
        finding.to_do = to_do_of(finding, assignment, part);
        // One mistake can give wrong numbers in one case and crash in another.
        const Finding& first = findings.front();
        if (&finding != &first && !finding.kernels && finding.kind < FindingKind::missing &&
            first.check->diagnosis && !finding.check->diagnosis && !had_to_refuse(*finding.check))
            finding.what += ", perhaps because of the same mistake";
    }
    return findings;
}

std::vector<Finding> findings_of(const Report& report) {
    std::vector<Finding> findings;
    for (const Assignment& assignment : report.assignments)
        std::ranges::move(findings_of_assignment(assignment), std::back_inserter(findings));
    std::ranges::stable_sort(findings, {}, [&report](const Finding& finding) {
        return std::pair(rank_of(finding), turn_of(finding, report));
    });
    return findings;
}

std::string counts_of(const std::vector<Finding>& findings) {
    std::map<FindingKind, int> counts;
    for (const Finding& finding : findings) ++counts[finding.kind];
    counts.erase(FindingKind::waiting);
    std::vector<std::string> words;
    for (const auto& [kind, count] : counts)
        words.push_back((kind == FindingKind::not_compiled && count == 1 ? "" : std::to_string(count) + " ") +
                        kFindingKindWords.at(static_cast<std::size_t>(kind)));
    return fmt::format("{}", fmt::join(words, ", "));
}

std::string cause_in(const Diagnosis& diagnosis) {
    // The judge's sentences: "Your output is exactly what comes out when ..", "This is what comes out when
    // ..".
    constexpr std::string_view kBefore = "what comes out when ", kItem = "\n- ";
    const std::string& sentence = diagnosis.sentence;
    if (const std::size_t item = sentence.find(kItem); item != std::string::npos) {
        const std::size_t begin = item + kItem.size(), next = sentence.find(kItem, begin);
        return sentence.substr(begin, next - begin) + (next == std::string::npos ? "" : ", or another cause");
    }
    const std::size_t at = sentence.find(kBefore);
    std::string cause =
        at == std::string::npos ? first_sentence(sentence) : sentence.substr(at + kBefore.size());
    if (cause.ends_with(kNotInOthers)) cause.resize(cause.size() - kNotInOthers.size());
    if (cause.ends_with('.')) cause.pop_back();
    // "With norm = post, your output is .."
    if (const std::size_t branch = sentence.find(", your output is "); branch < at && at != std::string::npos)
        cause = sentence.substr(0, branch) + ": " + cause;
    // Of an unlisted mistake the change and its equation, whose letters can be those of another function.
    const std::string after = std::string(kExactly) + "after ";
    return cause.starts_with(after) ? cause.substr(after.size()) : cause;
}

std::string place_in(std::string_view text) {
    const auto of_name = [](char c) {
        return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
    };
    for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1)) {
        for (const std::string_view ending : {".cpp:", ".cu:"}) {
            if (text.substr(dot, ending.size()) != ending) continue;
            std::size_t begin = dot, end = dot + ending.size();
            while (begin > 0 && of_name(text[begin - 1])) --begin;
            const std::size_t line = end;
            while (end < text.size() && is_digit(text[end])) ++end;
            if (begin < dot && end > line) return std::string(text.substr(begin, end - begin));
        }
    }
    return {};
}

namespace {

constexpr std::string_view kThen = " Then: ";

/// The command that grades one assignment again.
std::string grade_again(const Report& report, int assignment) {
    return fmt::format(
        "make grade A={}{}", assignment,
        report.submission == "student" ? "" : " SUBMISSION=" + quoted_for_shell(report.submission));
}

/// The first place of the course after those that the report grades. Null if there is none. Steps of a divided
/// assignment count once one of them is begun.
const PathStep* step_after(const Report& report) {
    const PathStep* after = nullptr;
    for (const PathStep& step : report.path) {
        const Assignment* assignment = assignment_of(report, step.number);
        if (assignment != nullptr && (step.steps.empty() || is_begun(step, *assignment)))
            after = nullptr;
        else if (after == nullptr && !step.later)
            after = &step;
    }
    return after;
}

}  // namespace

std::string what_next(const Report& report) {
    const std::optional<std::string> here = next_step(report);
    const PathStep* after = step_after(report);
    // Later steps of a divided assignment wait for the assignment that the course has between.
    const bool goes_on = after != nullptr && assignment_of(report, after->number) == nullptr &&
                         (!here || turn_of(findings_of(report).front(), report) >
                                       static_cast<std::size_t>(after - report.path.data()) + 1);
    if (here && !goes_on) return *here;
    std::string text = here ? "these steps are done." : "nothing left to do here. Well done.";
    if (after != nullptr) {
        const std::string builds_on = builds_on_in_words(*after);
        text += fmt::format(" Go on with assignment {} ({}){}: {}.{}{}", after->number, after->title,
                            builds_on.empty() ? "" : ", which " + builds_on, after->handout, kThen,
                            grade_again(report, after->number));
    }
    return text;
}

std::optional<std::string> next_step(const Report& report) {
    const auto findings = findings_of(report);
    if (findings.empty() || findings.front().kind == FindingKind::waiting) return std::nullopt;
    return fmt::format("{}.{}{}", findings.front().to_do, kThen,
                       grade_again(report, findings.front().assignment));
}

NextStep split_next_step(const std::string& text) {
    const std::size_t at = text.find("." + std::string(kThen) + "make ");
    if (at == std::string::npos) return {text, ""};
    return {text.substr(0, at + 1), text.substr(at + 1 + kThen.size())};
}

}  // namespace attn::report
