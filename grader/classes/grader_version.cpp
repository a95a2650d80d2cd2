#include "grader/classes/grader_version.h"

#include <fmt/format.h>

#include "grader/classes/moments.h"
#include "grader/report/text.h"
#include "grader/worker/process.h"

namespace attn::classes {

std::string version_of_program(const std::filesystem::path& program) {
    worker::Command command;
    command.argv = {program.string(), "--version"};
    command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin"};
    command.confinement.limits = {0, 0, 0, 0, 0, 0};
    constexpr double kTime_s = 60;
    constexpr std::size_t kLongest = 200;
    const worker::CommandResult result = worker::run_command(command, kTime_s, kLongest);
    const std::string line = result.printed.substr(0, result.printed.find('\n'));
    if (result.timed_out || result.ending.signal != 0 || result.ending.exit_code != 0 || line.empty())
        return "an unknown version";
    return report::one_line(line);
}

std::string GraderChange::text(int exercise) const {
    const std::string hand_ins = again == 1 ? "1 hand-in" : fmt::format("{} hand-ins", again);
    const std::string other =
        before == now ? "this grader says the same, but its files or the compiler for submissions are others"
                      : fmt::format("this grader is {}", now);
    return fmt::format(
        "assignment {} was graded with {}; {}. It would grade {} again, which can change marks", exercise,
        before, other, hand_ins);
}

GraderChange grader_change(Gradebook& gradebook, Exercise& exercise, const std::string& now) {
    GraderChange change;
    change.now = now;
    const auto last = gradebook.last_grader(exercise.number());
    if (last) change.before = last->version;
    if (last && last->digest == exercise.grader_digest()) return change;
    for (const Attempt& attempt : gradebook.attempts(exercise.number())) {
        if (!attempt.problem.empty()) continue;
        const Result wanted = exercise.wanted_numbers(attempt);
        if (!gradebook.has_result(wanted.key) && gradebook.has_result_of_content(wanted)) ++change.again;
    }
    if (!last && change.again > 0) change.before = "a version before 1.0.0";
    return change;
}

void record_grader(Gradebook& gradebook, const Exercise& exercise, const std::string& version) {
    const GraderUse use{version, exercise.grader_digest()};
    if (const auto last = gradebook.last_grader(exercise.number()); last && *last == use) return;
    gradebook.add_grader(exercise.number(), use, now());
}

}  // namespace attn::classes
