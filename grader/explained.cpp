#include "grader/explained.h"

#include <fmt/format.h>

#include "grader/checks/check.h"

namespace attn {
namespace {

constexpr std::size_t kMostNumbers = 4096;  ///< of an input that is shown

report::Tensor shown(const Array& array) {
    report::Tensor tensor{array.name, array.shape, {}};
    if (array.count() <= kMostNumbers) tensor.values = array.cast<double>().as<double>();
    return tensor;
}

}  // namespace

report::Report explained(const report::Recorded& recorded, const Replay& replay) {
    report::Check check = recorded.check;
    check.about = replay.about;
    check.outcome = replay.outcome;
    check.message = replay.message;
    check.printed = replay.printed;
    check.pictures = replay.pictures;
    check.photograph = replay.photograph;
    if (!replay.runs.empty())
        for (const Array& input : replay.runs.front()) check.inputs.push_back(shown(input));

    report::Part part;
    part.function = recorded.function;
    part.points = check.points;
    part.max_points = check.max_points;
    part.stand_ins = recorded.stand_ins;
    part.checks = {check};

    report::Assignment assignment;
    assignment.number = recorded.assignment;
    assignment.title = "Replay of " + check.id;
    if (const checks::Module* module = checks::module_of(recorded.function)) assignment.name = module->name;
    assignment.points = check.points;
    assignment.max_points = check.max_points;
    assignment.parts = {part};

    report::Report report;
    report.submission = recorded.submission;
    report.seed = recorded.seed;
    report.notes = {fmt::format("one check, asked again{}",
                                replay.mistake.empty() ? "" : "; what comes out when " + replay.mistake)};
    report.next = "make grade A=" + std::to_string(recorded.assignment);
    report.assignments = {assignment};
    return report;
}

}  // namespace attn
