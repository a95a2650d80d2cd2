#include "grader/grading/other_causes.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "grader/base/text_lines.h"

namespace attn {
namespace {

bool is_wrong(const report::Check& check) {
    return check.outcome == Outcome::wrong || check.outcome == Outcome::not_finite ||
           check.outcome == Outcome::not_deterministic || check.outcome == Outcome::out_of_bounds ||
           check.outcome == Outcome::crashed;
}

constexpr std::string_view kWarning = ": warning: ";

/// "a.cpp:12:7: warning: 's' may be used uninitialized [-W..]" as a line. Nothing if it is another message.
std::optional<SourceLine> warned_line(std::string_view message) {
    constexpr std::string_view kUnset = "used uninitialized";
    const std::size_t warning = message.find(kWarning);
    if (warning == std::string_view::npos || message.find(kUnset, warning) == std::string_view::npos)
        return std::nullopt;
    std::string_view place = message.substr(0, warning);  // a.cpp:12:7
    place = place.substr(0, place.rfind(':'));
    const std::size_t colon = place.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    SourceLine line;
    line.file = place.substr(0, colon);
    const std::string_view number = place.substr(colon + 1);
    if (std::from_chars(number.data(), number.data() + number.size(), line.line).ec != std::errc())
        return std::nullopt;
    return line;
}

/// The text after "   12 | ".
std::string quoted_line(const std::string& message) {
    const std::size_t bar = message.find(" | ");
    if (bar == std::string::npos) return {};
    const std::size_t begin = message.find_first_not_of(' ', bar + 3);
    return begin == std::string::npos ? "" : message.substr(begin);
}

/// "'s' may be used uninitialized"
std::string warning_in(const std::string& message) {
    const std::string text = message.substr(message.find(kWarning) + kWarning.size());
    return text.substr(0, text.find(" [-W"));
}

std::optional<SourceTrace> warning_for(const std::string& messages, const std::string& function) {
    const auto lines = lines_in(messages);
    bool here = false;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const std::string& message = lines[k];
        // The function that the next messages are about, and those into which g++ has inlined it.
        const bool is_head = message.find(": In ") != std::string::npos;
        if (is_head || message.find("inlined from ") != std::string::npos)
            here = (here && !is_head) || message.find("attn::" + function + "(") != std::string::npos;
        auto line = warned_line(message);
        if (!here || !line) continue;
        line->function = function;
        if (k + 1 < lines.size()) line->text = quoted_line(std::string(lines[k + 1]));
        return SourceTrace{"g++ warns: " + warning_in(message) +
                               ". A variable without a first value begins with any number.",
                           {*line}};
    }
    return std::nullopt;
}

}  // namespace

void add_kept_state(diagnosis::NumericResult& judged, const judge::CallFunction& fresh) {
    // A refusal that is wrong only because nothing else is right is right in any process.
    std::size_t k = 0;
    while (k < judged.checks.size() &&
           (!is_wrong(judged.checks[k]) || !judged.questions[k].refusal().empty()))
        ++k;
    if (k == judged.checks.size() || diagnosis::is_named(judged)) return;
    if (answer(judged.questions[k], fresh).outcome != Outcome::passed) return;
    report::Diagnosis diagnosis;
    diagnosis.sentence =
        "The same call is right in a fresh process, so your code keeps something from one call to the next. "
        "It may be a static or global variable, or memory that it has not set.";
    diagnosis.hints.emplace_back(
        "Which of your variables live longer than a call, and what does the next call find in them?");
    judged.checks[k].diagnosis = std::move(diagnosis);
}

void add_uninitialised(const report::SourceFile& source, const std::string& function,
                       diagnosis::NumericResult& judged) {
    const auto trace = warning_for(source.messages, function);
    if (!trace) return;
    for (report::Check& check : judged.checks)
        if (is_wrong(check) && !check.lines) check.lines = trace;
}

}  // namespace attn
