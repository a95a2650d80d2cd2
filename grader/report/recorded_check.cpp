#include "grader/report/recorded_check.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "grader/base/closest_name.h"
#include "grader/report/json.h"
#include "grader/report/report_queries.h"

namespace attn::report {
namespace {

/// The mistakes in "no_scale+V_is_K": two made at the same time.
std::vector<std::string> split_combined(const std::string& names) {
    std::vector<std::string> result;
    std::size_t from = 0, plus = 0;
    for (; (plus = names.find('+', from)) != std::string::npos; from = plus + 1)
        result.push_back(names.substr(from, plus - from));
    result.push_back(names.substr(from));
    return result;
}

RecordedCheck recorded_check(const Report& report, const Assignment& assignment, const Part& part,
                             const Check& check) {
    if (!can_be_replayed(report, check))
        throw CannotReplay(
            fmt::format("'{}' has inputs that are not shown, so it cannot be replayed; "
                        "`make grade` runs the same check with inputs that are shown",
                        check.id));
    RecordedCheck result;
    result.submission = report.submission;
    result.seed = *report.seed;
    result.assignment = assignment.number;
    result.function = part.function;
    result.stand_ins = part.stand_ins;
    result.added_barriers = part.added_barriers;
    result.check = check;
    if (check.diagnosis)
        for (const std::string& names : check.diagnosis->mistakes)
            result.mistakes.push_back(split_combined(names));
    return result;
}

/// Whether the error message for an unknown id should suggest this check: it ran, failed, and can be
/// replayed.
bool can_be_suggested(const Check& check) {
    return check.outcome != Outcome::skipped && check.outcome != Outcome::passed &&
           check.outcome != Outcome::not_compiled && check.outcome != Outcome::not_implemented;
}

/// The assignment of the id "2.softmax.ragged", 2; nothing for other text.
std::optional<int> assignment_of(const std::string& id) {
    int number = 0;
    const auto read = std::from_chars(id.data(), id.data() + id.size(), number);
    if (read.ec != std::errc{} || !std::string(read.ptr).starts_with('.')) return std::nullopt;
    return number;
}

}  // namespace

RecordedCheck find_recorded_check(const Report& report, const std::string& id) {
    std::string others;
    std::vector<std::string> ids;
    for (const Assignment& assignment : report.assignments) {
        for (const Part& part : assignment.parts) {
            for (const Check& check : part.checks) {
                if (check.id == id) return recorded_check(report, assignment, part, check);
                ids.push_back(check.id);
                if (can_be_suggested(check)) others += "\n  " + check.id;
            }
        }
    }
    if (const auto number = assignment_of(id);
        number &&
        std::ranges::find(report.assignments, *number, &Assignment::number) == report.assignments.end())
        throw CannotReplay(
            fmt::format("there is no check '{}' in this report, because it has no assignment {}. Grade "
                        "that first: make grade A={}",
                        id, *number, *number));
    throw CannotReplay(fmt::format(
        "there is no check '{}' in this report.{} {}", id, did_you_mean(id, ids),
        others.empty() ? "No check in it failed that could be shown" : "The failed checks are" + others));
}

RecordedCheck recorded_check_in(const std::string& file, const std::string& id) {
    if (!std::filesystem::exists(file)) {
        const auto number = assignment_of(id);
        throw CannotReplay(fmt::format("there is no report yet ({}). Grade first: make grade{}", file,
                                       number ? fmt::format(" A={}", *number) : ""));
    }
    return find_recorded_check(from_json(data::read_file(file)), id);
}

}  // namespace attn::report
