#include "grader/classes/assembled.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <zlib.h>

#include "grader/grading/give_points.h"
#include "grader/report/findings.h"
#include "grader/report/json.h"
#include "grader/speed/speed_checks.h"

namespace attn::classes {
namespace {

using rubric::PartRubric;
using rubric::Rubric;

report::Assignment& only_assignment(report::Report& report) {
    if (report.assignments.size() != 1) throw std::logic_error("a stored result is of one assignment");
    return report.assignments.front();
}

const report::Part* part_of(const report::Assignment& assignment, const std::string& function) {
    const auto found = std::ranges::find(assignment.parts, function, &report::Part::function);
    return found == assignment.parts.end() ? nullptr : &*found;
}

/// The checks of speed of a part whose numbers were graded without speed.
std::vector<report::Check> speed_of(const PartRubric& rules, const report::Part& part,
                                    const report::Part* measured) {
    if (!part.checks.empty() && part.checks.front().outcome == Outcome::not_compiled)
        return speed::unmeasured(rules, Outcome::not_compiled, part.checks.front().message);
    if (const std::string why = speed::not_measured(rules, part, ""); !why.empty())
        return speed::unmeasured(rules, Outcome::skipped, why);
    std::vector<report::Check> checks;
    if (measured != nullptr)
        for (const report::Check& check : measured->checks)
            if (!report::is_correctness_check(check)) checks.push_back(check);
    return checks.empty() ? speed::unmeasured(rules, Outcome::skipped, "Not measured yet.") : checks;
}

}  // namespace

report::Report with_parts(report::Report older, const report::Report& newer, const Rubric& rubric) {
    report::Report fresh = newer;
    report::Assignment &to = only_assignment(older), &from = only_assignment(fresh);
    std::vector<report::Part> parts;
    for (const PartRubric& rules : rubric.parts) {
        const report::Part* part = part_of(from, rules.function->name);
        if (part == nullptr) part = part_of(to, rules.function->name);
        if (part == nullptr) throw std::logic_error("neither result has the part " + rules.function->name);
        parts.push_back(*part);
    }
    to.parts = std::move(parts);
    to.sources = from.sources;
    older.isolation = std::move(fresh.isolation);
    older.grader = std::move(fresh.grader);
    return older;
}

std::vector<std::string> parts_to_measure(const report::Report& numbers, const Rubric& rubric) {
    std::vector<std::string> functions;
    for (const PartRubric& rules : rubric.parts) {
        const report::Part* part = part_of(numbers.assignments.at(0), rules.function->name);
        if (part == nullptr || (!rules.speed && !rules.growth)) continue;
        const bool compiled = part->checks.empty() || part->checks.front().outcome != Outcome::not_compiled;
        if (compiled && speed::not_measured(rules, *part, "").empty()) functions.push_back(part->function);
    }
    return functions;
}

report::Report assembled(report::Report numbers, const std::optional<report::Report>& speed,
                         const Scoring& scoring) {
    report::Assignment& assignment = only_assignment(numbers);
    std::vector<report::Part> parts;
    for (const PartRubric& rules : scoring.rubric->parts) {
        const report::Part* found = part_of(assignment, rules.function->name);
        if (found == nullptr) throw std::logic_error("the result lacks the part " + rules.function->name);
        report::Part part = *found;
        part.step = rules.step;
        if (scoring.speed && (rules.speed || rules.growth)) {
            std::erase_if(part.checks,
                          [](const auto& check) { return !report::is_correctness_check(check); });
            const report::Part* measured =
                speed ? part_of(speed->assignments.at(0), rules.function->name) : nullptr;
            const auto checks = speed_of(rules, part, measured);
            part.checks.insert(part.checks.end(), checks.begin(), checks.end());
        }
        parts.push_back(std::move(part));
    }
    assignment.parts = std::move(parts);
    assignment.title = scoring.rubric->title;
    set_points(*scoring.rubric, *scoring.all, {scoring.speed, scoring.secret}, assignment);
    if (scoring.speed)
        std::erase_if(numbers.notes,
                      [](const std::string& note) { return note.starts_with("speed is not measured"); });
    numbers.path = scoring.path;
    numbers.next = report::what_next(numbers);
    return numbers;
}

std::string packed_report(report::Report report) {
    report.duration_s = 0;
    report.submission = "student";  // where students have it: commands in the report name it
    report.next.clear();            // it names the place, too, and assembled() makes it again
    report.path.clear();            // a course may change; no mark depends on it
    const std::string text = report::to_json(report);
    uLongf size = compressBound(text.size());
    std::string bytes(size, '\0');
    constexpr int kLevel = 6;
    if (compress2(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
                  text.size(), kLevel) != Z_OK)
        throw std::runtime_error("zlib cannot compress a report");
    bytes.resize(size);
    return fmt::format("{}\n", text.size()) + bytes;
}

report::Report unpacked_report(const std::string& bytes) {
    const std::size_t end = bytes.find('\n');
    constexpr std::size_t kMostDigits = 12;
    if (end == std::string::npos || end == 0 || end > kMostDigits ||
        bytes.find_first_not_of("0123456789") != end)
        throw std::runtime_error("a stored report is damaged: it does not begin with its size");
    uLongf size = std::stoul(bytes.substr(0, end));
    std::string text(size, '\0');
    const int code =
        uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                   reinterpret_cast<const Bytef*>(bytes.data()) + end + 1, bytes.size() - end - 1);
    if (code != Z_OK || size != text.size())
        throw std::runtime_error("a stored report is damaged: zlib refuses it");
    return report::from_json(text);
}

}  // namespace attn::classes
