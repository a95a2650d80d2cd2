#include "grader/report/next_step.h"

#include <string_view>

#include <fmt/format.h>

#include "grader/report/findings.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

constexpr std::string_view kThen = " Then: ";

}  // namespace

std::optional<std::string> next_step(const Report& report) {
    const auto findings = findings_of(report);
    if (findings.empty() || findings.front().kind == FindingKind::waiting) return std::nullopt;
    return fmt::format(
        "{}.{}make grade A={}{}", findings.front().to_do, kThen, findings.front().assignment,
        report.submission == "student" ? "" : " SUBMISSION=" + quoted_for_shell(report.submission));
}

NextStep split_next_step(const std::string& text) {
    const std::size_t at = text.find("." + std::string(kThen) + "make ");
    if (at == std::string::npos) return {text, ""};
    return {text.substr(0, at + 1), text.substr(at + 1 + kThen.size())};
}

}  // namespace attn::report
