#include "grader/cli/run_function.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include <fmt/format.h>

#include "grader/base/closest_name.h"
#include "grader/base/installation.h"
#include "grader/base/listed_in_words.h"
#include "grader/cli/program.h"
#include "grader/compile/build_cache.h"
#include "grader/compile/builds.h"
#include "grader/grading/handed_in.h"
#include "grader/judge/answer.h"
#include "grader/report/text.h"
#include "grader/rubric/course.h"

namespace attn::cli {
namespace {

/// Whether the function has to refuse these inputs. Prints the reason if so.
bool refuses(const ask::Function& function, const Arrays& inputs) {
    const std::string why = function.refusal(ask::sizes_of(function, inputs), inputs);
    if (!why.empty())
        std::cerr << fmt::format("{}: refuses these inputs, as required: {}.\n", function.name, why);
    return !why.empty();
}

/// The outputs of a function in a worker. Returns nothing if there are none, after printing the reason.
std::optional<Arrays> run_in(worker::Worker& worker, const Target& target, const Arrays& inputs,
                             const std::vector<std::string>& wanted) {
    worker::CallResult result =
        worker.call(judge::make_call(*target.function, inputs, wanted, worker::Placement::ends_at_guard));
    // For a missing function, the message below is clearer than the loader's message.
    if (result.outcome != Outcome::missing) std::cout << report::quote_lines(result.printed);
    if (result.outcome == Outcome::passed) {
        const Outcome seen = judge::inspect(*target.function, result.outputs, result.detail);
        if (seen == Outcome::passed || seen == Outcome::not_finite) return std::move(result.outputs);
        result.outcome = seen;
    }
    if (result.refused && refuses(*target.function, inputs)) return std::nullopt;
    std::cerr << fmt::format("{}: {}. {}\n", target.function->name, in_words(result.outcome),
                             report::one_line(result.detail));
    return std::nullopt;
}

/// The outputs of the yardstick, the fast reference.
std::optional<Arrays> run_fast(const Target& target, const Arrays& inputs,
                               const std::vector<std::string>& wanted) {
    const Installation installation;
    require_built(installation.yardstick, "the yardstick of speed");
    worker::Worker worker(
        {.program = installation.worker, .library = installation.yardstick, .exports = installation.exports},
        target.rubric->limits);
    return run_in(worker, target, inputs, wanted);
}

/// Whether the student's function leaves its outputs untouched: the stub, as it was given.
bool is_stub(const Target& target, compile::Builds& builds) {
    const ask::Function& function = *target.function;
    if (builds.of(*target.rubric).library.empty()) return false;
    worker::Worker worker = builds.worker_for(*target.rubric);
    const worker::CallResult result = worker.call(judge::make_call(
        function, example_inputs(*target.rubric->module, function), {}, worker::Placement::ends_at_guard));
    std::string detail;
    return result.outcome == Outcome::passed &&
           judge::inspect(function, result.outputs, detail) == Outcome::not_implemented;
}

/// Prints a note if the student has not written functions that a usual solution of this one calls, whatever it
/// answers: it may leave its outputs untouched because they do. Only `grade` puts the grader's own in their place.
void note_stubs(const Target& target, const std::vector<rubric::Rubric>& rubrics, compile::Builds& builds) {
    std::vector<std::string> stubs;
    for (const rubric::PartRubric& part : target.rubric->parts)
        if (part.function == target.function)
            for (const std::string& earlier : part.builds_on)
                if (is_stub(find_function(rubrics, earlier), builds)) stubs.push_back(earlier);
    if (stubs.empty()) return;
    std::cerr << fmt::format(
        "note: you have not written {} yet. If your {} calls {}, its numbers are wrong or missing "
        "here. (`make grade` takes the grader's own in {} place.)\n",
        listed_in_words(stubs), target.function->name, stubs.size() == 1 ? "it" : "them",
        stubs.size() == 1 ? "its" : "their");
}

/// The outputs of the student's function. Returns nothing if there are none, after printing the reason.
std::optional<Arrays> run_student(const Target& target, const std::vector<rubric::Rubric>& rubrics,
                                  const std::filesystem::path& folder, const Arrays& inputs,
                                  const std::vector<std::string>& wanted) {
    const HandedIn taken = take_in_sources(folder, rubrics, {target.rubric});
    for (const std::string& note : taken.intake.notes)
        std::cerr << "note: " << report::one_line(note) << '\n';
    compile::BuildOptions options;
    options.cache = compile::default_cache_folder();
    compile::Builds builds(taken.intake.folder, rubrics, Installation(), options);
    const compile::Build& build = builds.of(*target.rubric);
    if (build.library.empty()) {
        for (const auto& source : build.sources)
            std::cerr << source.name << (source.exists ? " does not compile:\n" : " is missing:\n")
                      << report::quote_lines(source.messages);
        return std::nullopt;
    }
    worker::Worker worker = builds.worker_for(*target.rubric);
    std::optional<Arrays> outputs = run_in(worker, target, inputs, wanted);
    note_stubs(target, rubrics, builds);
    return outputs;
}

}  // namespace

Target find_function(const std::vector<rubric::Rubric>& rubrics, const std::string& name) {
    std::vector<std::string> known;
    for (const rubric::Rubric& rubric : rubrics) {
        if (const ask::Function* function = rubric.module->find_function(name)) return {function, &rubric};
        for (const ask::Function& function : rubric.module->functions) known.push_back(function.name);
    }
    throw UsageError(fmt::format("there is no function '{}'.{} `grader list --details` shows all", name,
                                 did_you_mean(name, known)));
}

std::vector<Target> targets_in(const po::variables_map& values, const std::vector<rubric::Rubric>& rubrics) {
    const std::optional<int> assignment = assignment_in(values);
    std::vector<Target> targets;
    if (values.count("function") != 0) {
        for (const std::string& name : values["function"].as<Words>())
            targets.push_back(find_function(rubrics, name));
        return targets;
    }
    const auto course = rubric::read_course(rubrics, Installation().assignments, course_in(values));
    for (const rubric::Rubric* rubric : rubric::rubrics_of(course, rubrics, assignment))
        for (const rubric::PartRubric& part : rubric->parts) targets.push_back({part.function, rubric});
    return targets;
}

void require_offered(const Implementation& implementation, const Target& target) {
    if (!std::set<std::string>{"reference", "plain", "fast", "student"}.contains(implementation.name))
        throw UsageError(
            fmt::format("--impl {}: expected reference, plain, fast or student", implementation.name));
    const std::string& module = target.rubric->module->name;
    if (implementation.name == "fast" && !Installation().has_yardstick(module))
        throw UserError(
            fmt::format("--impl fast is not offered: assignment {} has no yardstick (reference/fast/{}.h)",
                        target.rubric->number, module));
}

std::optional<Arrays> run_function(const Implementation& implementation, const Target& target,
                                   const std::vector<rubric::Rubric>& rubrics, const Arrays& inputs,
                                   const std::vector<std::string>& wanted) {
    if (implementation.name == "fast") return run_fast(target, inputs, wanted);
    if (implementation.name == "student")
        return run_student(target, rubrics, implementation.submission, inputs, wanted);
    const ask::Function& function = *target.function;
    if (refuses(function, inputs)) return std::nullopt;
    Arrays outputs;
    for (const Array& output : evaluate(
             function, inputs, implementation.name == "plain" ? ask::Precision::f32 : ask::Precision::f64))
        if (ask::is_wanted(wanted, output.name))
            outputs.push_back(type_of(output) == ElementType::f64 ? output.cast<float>() : output);
    return outputs;
}

}  // namespace attn::cli
