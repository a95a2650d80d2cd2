#include "grader/report/recorded.h"

#include <fmt/format.h>

#include "grader/report/telling.h"

namespace attn::report {
namespace {

/// "no_scale+V_is_K": two at once.
std::vector<std::string> at_once(const std::string& names) {
    std::vector<std::string> result;
    std::size_t from = 0, plus = 0;
    for (; (plus = names.find('+', from)) != std::string::npos; from = plus + 1)
        result.push_back(names.substr(from, plus - from));
    result.push_back(names.substr(from));
    return result;
}

Recorded recorded(const Report& report, const Assignment& assignment, const Part& part, const Check& check) {
    if (!can_be_replayed(report, check))
        throw NotRecorded(
            fmt::format("'{}' was asked with inputs that are not shown, so there is nothing to replay; "
                        "`make grade` asks the same with inputs that are",
                        check.id));
    Recorded result;
    result.submission = report.submission;
    result.seed = *report.seed;
    result.assignment = assignment.number;
    result.function = part.function;
    result.stand_ins = part.stand_ins;
    result.check = check;
    if (check.diagnosis)
        for (const std::string& names : check.diagnosis->mistakes) result.mistakes.push_back(at_once(names));
    return result;
}

/// What was run and could be replayed.
bool failed(const Check& check) {
    return !is_left_out(check) && check.outcome != Outcome::passed &&
           check.outcome != Outcome::not_compiled && check.outcome != Outcome::not_implemented;
}

}  // namespace

Recorded find_recorded(const Report& report, const std::string& id) {
    std::string others;
    for (const Assignment& assignment : report.assignments) {
        for (const Part& part : assignment.parts) {
            for (const Check& check : part.checks) {
                if (check.id == id) return recorded(report, assignment, part, check);
                if (failed(check)) others += "\n  " + check.id;
            }
        }
    }
    throw NotRecorded(fmt::format(
        "there is no check '{}' in this report; {}", id,
        others.empty() ? "nothing in it failed that could be shown" : "those that failed are" + others));
}

}  // namespace attn::report
