#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "grader/compile/builds.h"
#include "grader/grading/questions.h"
#include "grader/grading/replay.h"

namespace attn {
namespace {

using rubric::PartRubric;
using rubric::Rubric;

[[noreturn]] void refuse_call(const report::RecordedCheck& recorded, const std::string& why) {
    throw UserError(fmt::format("{}: {}", recorded.check.id, why));
}

template <class Items, class F>
const auto& recorded_one(const Items& items, const report::RecordedCheck& recorded, F is_it) {
    const auto found = std::find_if(items.begin(), items.end(), is_it);
    if (found == items.end())
        refuse_call(recorded, "the rubric no longer has this check; it has changed since, so grade again");
    return *found;
}

}  // namespace

RecordedCall recorded_call(const report::RecordedCheck& recorded, const Installation& installation) {
    if (report::is_kernel_check(recorded.check))
        refuse_call(
            recorded,
            "kernels cannot be debugged here, because they run on an emulator; `make explain` shows the "
            "numbers, and printf works in kernels");
    if (!report::is_correctness_check(recorded.check))
        refuse_call(recorded, "this check measures speed, so there is no wrong call to debug");
    const compile::Builds builds({}, rubric::read_rubrics(installation.assignments), installation);
    const Rubric& rubric = recorded_one(
        builds.rubrics(), recorded, [&](const Rubric& each) { return each.number == recorded.assignment; });
    const PartRubric& part = recorded_one(rubric.parts, recorded, [&](const PartRubric& each) {
        return each.function->name == recorded.function;
    });
    RecordedCall call;
    judge::Question question;
    if (recorded.check.kind == report::CheckKind::numeric) {
        question =
            numeric_question(rubric,
                             recorded_one(part.cases, recorded,
                                          [&](const auto& each) { return each.name == recorded.check.name; }),
                             recorded.seed);
        call.inputs = question.make_inputs();
        call.about = question.about();
    } else {
        const ask::Property& property = *recorded_one(
            part.properties, recorded, [&](const auto* each) { return each->name == recorded.check.name; });
        question = property_question(rubric, part, recorded.seed);
        ask::Random random(question.seed, question.function->name + "." + property.name);
        call.inputs = property.design(question.make_inputs(), random).runs.at(0);
        call.about = property.statement;
    }
    call.function = question.function;
    call.wanted = question.wanted;
    if (question.refusal().empty())
        call.expected = evaluate(*question.function, call.inputs, ask::Precision::f32);
    call.contract = rubric.folder / (rubric.module->name + ".h");
    call.sources = rubric.sources;
    for (const Rubric* needed : builds.needed_by(rubric))
        call.other_sources.insert(call.other_sources.end(), needed->sources.begin(), needed->sources.end());
    return call;
}

}  // namespace attn
