#include <algorithm>
#include <optional>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "grader/report/check_description.h"
#include "grader/report/clean.h"
#include "grader/report/platforms/formats.h"
#include "grader/report/report_queries.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

struct Annotation {
    double lost = 0;  ///< points
    std::string kind, file, title, message;
    int line = 0;  ///< 0: not known
};

/// Escapes text for a workflow command: %, line ends and, in a property, ":" and "," become %XX.
std::string escape(const std::string& text, bool property) {
    std::string result;
    for (const char c : without_commands(text)) {
        const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
        result += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
    }
    return result;
}

std::string command_of(const Annotation& annotation) {
    constexpr std::size_t kLongestTitle = 200, kLongestMessage = 4000;
    std::string text = fmt::format("::{} ", annotation.kind);
    if (!annotation.file.empty()) text += fmt::format("file={},", escape(annotation.file, true));
    if (annotation.line > 0) text += fmt::format("line={},", annotation.line);
    return text + fmt::format("title={}::{}\n", escape(cut(annotation.title, kLongestTitle), true),
                              escape(cut(annotation.message, kLongestMessage), false));
}

/// The line number of the first "NAME:LINE:" in a compiler's messages, 0 if there is none.
int line_in(const std::string& messages, const std::string& name) {
    constexpr int kMost = 10'000'000;
    for (std::size_t at = messages.find(name + ":"); at != std::string::npos;
         at = messages.find(name + ":", at + 1)) {
        int line = 0;
        std::size_t k = at + name.size() + 1;
        for (; k < messages.size() && messages[k] >= '0' && messages[k] <= '9' && line < kMost; ++k)
            line = line * 10 + (messages[k] - '0');
        if (line > 0 && k < messages.size() && messages[k] == ':') return line;
    }
    return 0;
}

std::string summary_of(const Report& report, const Check& check) {
    std::string text = is_correctness_check(check) ? check.message : plain_text(describe(report, {}, check));
    if (check.lines && is_correctness_check(check))
        text += '\n' + (check.lines->what.empty() ? "" : check.lines->what + '\n') + in_words(*check.lines);
    if (check.smallest) text += "\nA small case that still fails: " + check.smallest->sizes;
    if (check.diagnosis) text += '\n' + check.diagnosis->sentence;
    return text;
}

class Annotations {
  public:
    explicit Annotations(const Report& report) {
        for (const Assignment& assignment : report.assignments) {
            const std::string file = file_of(report, assignment);
            for (const SourceFile& source : assignment.sources) compiler(file, source, assignment);
            for (const Part& part : assignment.parts) failures(report, file, assignment, part);
        }
        const auto is_notice = [](const Annotation& a) { return a.kind == "notice"; };
        std::stable_sort(all_.begin(), all_.end(), [&](const Annotation& a, const Annotation& b) {
            return is_notice(a) == is_notice(b) ? a.lost > b.lost : is_notice(b);
        });
        all_.resize(std::min(all_.size(), kMostAnnotations));
    }

    std::string commands() const {
        std::string text;
        for (const Annotation& annotation : all_) text += command_of(annotation);
        return text;
    }

  private:
    /// "student/" for "student/softmax.cpp".
    static std::string folder_of(const std::string& file) {
        return file.substr(0, file.rfind('/') == std::string::npos ? 0 : file.rfind('/') + 1);
    }
    /// The line of the failure, below the folder of `file`, or else that of the function. Line 0 if neither is known.
    /// The message about a kernel begins with its line.
    static SourceLine first_line(const Check& check, const Assignment& assignment, const Part& part) {
        if (check.lines && !check.lines->lines.empty()) return check.lines->lines.front();
        if (!is_kernel_check(check)) return part.defined_at;
        for (const SourceFile& source : assignment.sources)
            if (const int line = line_in(check.message, source.name); line > 0)
                return {source.name, line, "", ""};
        return part.kernels_defined_at;
    }
    /// A function that is not begun, and what was not measured, are no errors.
    static const char* kind_of(const Check& check) {
        const bool not_measured = check.outcome == Outcome::skipped && !is_correctness_check(check);
        return check.outcome == Outcome::not_implemented || not_measured ? "notice" : "error";
    }
    static double lost(const Check& check) { return finite(check.max_points) - finite(check.points); }

    void compiler(const std::string& file, const SourceFile& source, const Assignment& assignment) {
        if (source.compiled || !source.exists) return;
        double points = 0;
        for (const Part& part : assignment.parts)
            for (const Check& check : part.checks)
                if (check.outcome == Outcome::not_compiled) points += lost(check);
        all_.push_back({points, "error", folder_of(file) + source.name, source.name + " does not compile",
                        source.messages, line_in(source.messages, source.name)});
    }

    /// One annotation for each named mistake of a part, and one for each outcome without a named mistake.
    void failures(const Report& report, const std::string& file, const Assignment& assignment,
                  const Part& part) {
        std::vector<const Check*> described;
        const std::size_t first = all_.size();
        for (const Check& check : part.checks) {
            if (check.outcome == Outcome::passed || check.outcome == Outcome::not_compiled ||
                is_left_out(check))
                continue;
            const auto before =
                std::find_if(described.begin(), described.end(), [&check](const Check* other) {
                    return other->kind == check.kind && other->outcome == check.outcome &&
                           (same_mistake(*other, check) || (!other->diagnosis && !check.diagnosis));
                });
            if (before != described.end()) {
                all_[first + static_cast<std::size_t>(before - described.begin())].lost += lost(check);
                continue;
            }
            described.push_back(&check);
            const SourceLine where = first_line(check, assignment, part);
            all_.push_back(
                {lost(check), kind_of(check), where.line == 0 ? file : folder_of(file) + where.file,
                 fmt::format("{}, {}: {}", part.function, name_in_words(check), in_words(check.outcome)),
                 summary_of(report, check), where.line});
        }
    }

    std::vector<Annotation> all_;
};

/// The failures of a part. A mistake that is described once is only mentioned by the other checks.
std::string log_of(const Report& report, const Part& part) {
    if (not_started(part)) return fmt::format("\n{}: {}\n", part.function, state_of(part));
    const Check* described = most_informative_failure(part);
    std::string text;
    for (const Check& check : part.checks) {
        if (check.outcome == Outcome::passed || check.outcome == Outcome::not_compiled || is_left_out(check))
            continue;
        const bool again = &check != described && described != nullptr && same_mistake(check, *described);
        text += fmt::format("\n{}, {}: {}\n{}", part.function, name_in_words(check), in_words(check.outcome),
                            again ? "the same mistake\n" : plain_text(describe(report, part, check)));
    }
    return text;
}

/// Notes, the compiler's messages and all failures.
std::string log_of(const Report& report) {
    std::string text;
    for (const std::string& note : report.notes) text += "note: " + note + '\n';
    for (const Assignment& assignment : report.assignments) {
        for (const SourceFile& source : assignment.sources)
            if (!source.messages.empty())
                text +=
                    fmt::format("\n{}, from the compiler:\n{}", source.name, quote_lines(source.messages));
        for (const Part& part : assignment.parts) text += log_of(report, part);
    }
    return without_commands(text);
}

std::string random_token() {
    std::random_device device;
    std::string token = "attention-lab-";
    for (int k = 0; k < 4; ++k) token += fmt::format("{:08x}", device());
    return token;
}

}  // namespace

std::string to_github(const Report& dirty, const std::string& token) {
    const Report report = cleaned(dirty);
    const Score total = total_of(report);
    const std::string log = log_of(report);
    return Annotations(report).commands() +
           fmt::format("::stop-commands::{}\n{}{}Attention Lab: {} / {} points\n::{}::\n", token, log,
                       log.empty() || log.ends_with('\n') ? "" : "\n", points(total.points),
                       points(total.max_points), token);
}

std::string to_github(const Report& dirty) {
    return to_github(dirty, random_token());
}

}  // namespace attn::report
