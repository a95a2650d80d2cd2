#include "grader/models/submission_workers.h"

#include <stdexcept>
#include <utility>

#include "grader/base/installation.h"
#include "grader/cli/run_function.h"
#include "grader/compile/build_cache.h"
#include "grader/judge/answer.h"
#include "grader/report/text.h"

namespace attn::trained {

namespace {

compile::BuildOptions options_for(SubmissionWorkers::Compiled how) {
    compile::BuildOptions options;
    options.cache = compile::default_cache_folder();
    options.timed = how == SubmissionWorkers::Compiled::for_speed;
    return options;
}

}  // namespace

std::vector<rubric::Rubric> rubrics_for_training(const TrainingLimits& limits) {
    auto rubrics = rubric::read_rubrics(Installation().assignments);
    for (rubric::Rubric& rubric : rubrics) {
        rubric.limits.time_s = limits.call_s;
        rubric.limits.process.cpu_s = limits.process_s;
    }
    return rubrics;
}

SubmissionWorkers::SubmissionWorkers(const std::filesystem::path& submission,
                                     std::vector<rubric::Rubric> rubrics, Compiled how)
    : rubrics_(std::move(rubrics)),
      intake_(intake::take_in(submission)),
      builds_(intake_.folder, rubrics_, Installation(), options_for(how)) {}

SubmissionWorkers::~SubmissionWorkers() = default;

std::optional<SubmissionWorkers::Found> SubmissionWorkers::search(const std::string& function) const {
    for (const rubric::Rubric& rubric : rubrics_)
        for (const rubric::PartRubric& part : rubric.parts)
            if (part.function->name == function) return Found{&rubric, &part};
    return std::nullopt;
}

SubmissionWorkers::Found SubmissionWorkers::find(const std::string& function) const {
    if (const auto found = search(function)) return *found;
    throw std::logic_error("no assignment has a part " + function);
}

int SubmissionWorkers::assignment_of(const std::string& function) const {
    const auto found = search(function);
    return found ? found->rubric->number : 0;
}

bool SubmissionWorkers::is_written(const std::string& name) {
    const auto known = written_.find(name);
    if (known != written_.end()) return known->second;
    const Found found = find(name);
    bool written = false;
    if (!builds_.of(*found.rubric).library.empty()) {
        const ask::Function& function = *found.part->function;
        worker::Worker worker = builds_.worker_for(*found.rubric);
        const Arrays inputs = cli::example_inputs(*found.rubric->module, function);
        worker::CallResult result =
            worker.call(judge::make_call(function, inputs, {}, worker::Placement::ends_at_guard));
        if (result.outcome == Outcome::passed)
            result.outcome = judge::inspect(function, result.outputs, result.detail);
        written = result.outcome != Outcome::not_implemented && result.outcome != Outcome::missing;
    }
    return written_[name] = written;
}

worker::Worker& SubmissionWorkers::worker_for(const std::string& function) {
    std::unique_ptr<worker::Worker>& worker = workers_[function];
    if (!worker) {
        const Found found = find(function);
        std::vector<std::string> stand_ins;
        for (const std::string& earlier : found.part->may_call)
            if (!is_written(earlier)) stand_ins.push_back(earlier);
        // NOLINTNEXTLINE(modernize-make-unique): a worker has neither a copy nor a move
        worker.reset(new worker::Worker(builds_.worker_for(*found.rubric, *found.part, stand_ins)));
    }
    return *worker;
}

worker::CallResult SubmissionWorkers::operator()(const ask::Function& function, const Arrays& inputs,
                                                 const std::vector<std::string>& wanted,
                                                 worker::Placement placement) {
    const compile::Build& build = builds_.of(*find(function.name).rubric);
    if (build.library.empty()) {
        for (const auto& source : build.sources)
            if (!source.exists) return worker::failure(Outcome::missing, source.name + " is missing");
        return worker::failure(Outcome::not_compiled, "type make grade to read the compiler's messages");
    }
    return worker_for(function.name).call(judge::make_call(function, inputs, wanted, placement));
}

}  // namespace attn::trained
