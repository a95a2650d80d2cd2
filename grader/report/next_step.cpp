#include "grader/report/next_step.h"

#include <algorithm>

#include <fmt/format.h>

namespace attn::report {
namespace {

/// The word, quoted for a shell if necessary.
std::string in_shell(const std::string& word) {
    const bool plain =
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-") ==
        std::string::npos;
    if (plain) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

bool fail_in_kernels(const Check& check) {
    return is_kernel_check(check) && check.outcome != Outcome::passed && !is_left_out(check);
}

/// The first step of an assignment that is not done; correct numbers come before speed. Nothing if all is
/// done.
std::optional<std::string> next_step(const Assignment& assignment) {
    for (const SourceFile& source : assignment.sources)
        if (!source.compiled)
            return source.exists ? "make " + source.name + " compile" : "hand in " + source.name;
    for (const bool right : {false, true}) {
        for (const Part& part : assignment.parts) {
            if (all_passed(part) || all_correct(part) != right) continue;
            const bool kernels =
                right && std::any_of(part.checks.begin(), part.checks.end(), fail_in_kernels);
            const char* verb = kernels             ? "fix the kernels of"
                               : right             ? "speed up"
                               : not_started(part) ? "write"
                                                   : "fix";
            return fmt::format("{} {} ({}, step {})", verb, part.function, assignment.handout, part.step);
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> next_step(const Report& report) {
    for (const bool begun : {true, false}) {
        for (const Assignment& assignment : report.assignments) {
            if (not_begun(assignment) == begun) continue;
            const auto step = next_step(assignment);
            if (!step) continue;
            return fmt::format(
                "{}. Then: make grade A={}{}", *step, assignment.number,
                report.submission == "student" ? "" : " SUBMISSION=" + in_shell(report.submission));
        }
    }
    return std::nullopt;
}

}  // namespace attn::report
