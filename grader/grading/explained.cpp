#include <fmt/format.h>

#include "grader/ask/check.h"
#include "grader/grading/replay.h"
#include "grader/sandbox/layers.h"

namespace attn {
namespace {

constexpr std::size_t kMostNumbers = 4096;  ///< a larger input is shown without its numbers

report::Tensor shown(const Array& array) {
    report::Tensor tensor{array.name, array.shape, {}};
    if (array.count() <= kMostNumbers) tensor.values = array.cast<double>().as<double>();
    return tensor;
}

/// Replaces the recorded results of a check with those of the replay.
void add(const Replay& replay, report::Check& check) {
    check.about = replay.about;
    check.outcome = replay.outcome;
    check.message = replay.message;
    check.printed = replay.printed;
    check.pictures = replay.pictures;
    check.photograph = replay.photograph;
    check.inputs.clear();
    if (replay.runs.empty()) return;
    for (const Array& input : replay.runs.front()) check.inputs.push_back(shown(input));
}

}  // namespace

report::Report explained(const report::RecordedCheck& recorded, const Replay* replay) {
    report::Check check = recorded.check;
    if (replay != nullptr) add(*replay, check);

    report::Part part;
    part.function = recorded.function;
    part.points = check.points;
    part.max_points = check.max_points;
    part.stand_ins = recorded.stand_ins;
    part.checks = {check};

    report::Assignment assignment;
    assignment.number = recorded.assignment;
    assignment.title = "Replay of one check";
    if (const ask::Module* module = ask::module_of(recorded.function)) assignment.name = module->name;
    assignment.points = check.points;
    assignment.max_points = check.max_points;
    assignment.parts = {part};

    report::Report report;
    report.submission = recorded.submission;
    report.seed = recorded.seed;
    report.notes = {replay != nullptr ? "one check, run again" : "one check, as it was measured"};
    report.isolation = worker::describe_isolation({});
    report.next = fmt::format("fix {}. Then: make grade A={}", recorded.function, recorded.assignment);
    report.assignments = {assignment};
    return report;
}

}  // namespace attn
