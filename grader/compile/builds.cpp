#include "grader/compile/builds.h"

#include <algorithm>
#include <array>
#include <set>
#include <system_error>

#include "grader/compile/includes.h"
#include "grader/compile/stand_ins.h"

namespace attn::compile {

Builds::Builds(std::filesystem::path submission, std::vector<rubric::Rubric> rubrics,
               Installation installation, BuildOptions options)
    : submission_(std::move(submission)),
      rubrics_(std::move(rubrics)),
      installation_(std::move(installation)),
      options_(std::move(options)) {
    if (!options_.reader) options_.reader = std::make_shared<SourceReader>(installation_, options_.layers);
    for (const rubric::Rubric& rubric : rubrics_) built_[rubric.number];
    if (options_.kernels == Kernels::none) return;
    const auto files = regular_files(submission_);
    for (const rubric::Rubric& rubric : rubrics_) {
        if (!rubric.cuda) continue;
        // A file that calls kernels of another assignment includes the header that declares them, perhaps
        // through a header of the student.
        const SourceScan scan =
            scan_sources({rubric.cuda->source}, files, submission_,
                         [this](const std::filesystem::path& file) { return reader().facts(file); });
        if (!scan.refused.empty()) continue;
        std::set<std::string> named;
        for (const auto& file : scan.files) {
            static constexpr std::array kEndings = {".cu", ".h", ".cuh", ".hpp"};
            if (std::ranges::find(kEndings, file.extension()) == kEndings.end()) continue;
            const auto headers = facts_of(file.string()).kernel_headers;
            named.insert(headers.begin(), headers.end());
        }
        for (const rubric::Rubric& other : rubrics_)
            if (other.cuda && named.contains(other.module->name + "_cuda.h"))
                kernels_called_by_[rubric.number].insert(other.module);
    }
}

const Build& Builds::of(const rubric::Rubric& rubric) {
    Slot& slot = built_.at(rubric.number);
    const std::lock_guard lock(slot.mutex);
    if (!slot.build)
        slot.build = std::make_shared<Build>(build_submission(submission_, rubric, installation_, options_));
    return *slot.build;
}

Builds Builds::timed() const {
    BuildOptions options = options_;
    options.timed = true;
    return {submission_, rubrics_, installation_, options};
}

Builds Builds::watched() const {
    BuildOptions options = options_;
    options.watched = true;
    return {submission_, rubrics_, installation_, options};
}

Builds Builds::sampled() const {
    BuildOptions options = options_;
    options.timed = options.sampled = true;
    return {submission_, rubrics_, installation_, options};
}

Builds Builds::of_kernels(Kernels how) const {
    BuildOptions options = options_;
    options.kernels = how;
    return {submission_, rubrics_, installation_, options};
}

Builds Builds::of_folder(std::filesystem::path submission) const {
    return {std::move(submission), rubrics_, installation_, options_};
}

bool Builds::has(const std::string& file) const {
    // The name may come from a student's text, and no file may be able to have it.
    std::error_code impossible;
    return std::filesystem::is_regular_file(submission_ / file, impossible);
}

SourceFacts Builds::facts_of(const std::string& file) const {
    return has(file) ? reader().facts(submission_ / file).value_or(SourceFacts()) : SourceFacts();
}

bool Builds::is_begun(const std::string& function) const {
    const ask::Module* const module = ask::module_of(function);
    const auto rubric = std::ranges::find(rubrics_, module, &rubric::Rubric::module);
    return rubric != rubrics_.end() && std::ranges::any_of(rubric->sources, [&](const std::string& source) {
               const SourceFacts facts = facts_of(source);
               return facts.has_statement && !facts.stubs.contains(function);
           });
}

void Builds::adopt(int assignment, std::shared_ptr<const Build> build) {
    built_.at(assignment).build = std::move(build);
}

std::vector<const rubric::Rubric*> Builds::needed_by(const rubric::Rubric& rubric) const {
    std::set<const ask::Module*> modules{rubric.module};
    for (std::size_t before = 0; before != modules.size();) {
        before = modules.size();
        for (const rubric::Rubric& each : rubrics_) {
            if (!modules.contains(each.module)) continue;
            if (options_.kernels != Kernels::none) {
                if (const auto called = kernels_called_by_.find(each.number);
                    called != kernels_called_by_.end())
                    modules.insert(called->second.begin(), called->second.end());
                continue;
            }
            for (const rubric::PartRubric& part : each.parts)
                for (const std::string& earlier : part.may_call) modules.insert(ask::module_of(earlier));
        }
    }
    std::vector<const rubric::Rubric*> needed;
    for (const rubric::Rubric& each : rubrics_)
        if (each.module != rubric.module && modules.contains(each.module)) needed.push_back(&each);
    return needed;
}

worker::Worker Builds::worker_for(const rubric::Rubric& rubric) {
    return make_worker(rubric, {}, true);
}

worker::Worker Builds::worker_for(const rubric::Rubric& rubric, const rubric::PartRubric& part,
                                  const std::vector<std::string>& stand_ins) {
    std::vector<std::filesystem::path> preceding;
    for (const std::string& function : stand_ins) preceding.push_back(stand_in_for(function, installation_));
    // If all earlier functions are replaced, the student's earlier libraries are not needed.
    return make_worker(rubric, std::move(preceding), stand_ins.empty() || stand_ins != part.may_call);
}

std::vector<std::string> Builds::called_among(const rubric::Rubric& rubric,
                                              const std::vector<std::string>& functions) {
    std::vector<const rubric::Rubric*> needed = needed_by(rubric);
    needed.push_back(&rubric);
    std::map<const ask::Module*, std::vector<std::string>> names;  // in each library, of functions in attn
    for (const rubric::Rubric* each : needed)
        if (const Build& built = of(*each); !built.library.empty())
            names[each->module] = reader().mangled_names(built.library, "_ZN4attn");
    const auto is_named = [&names](const ask::Module* module, const std::string& function) {
        return std::ranges::any_of(names, [&](const auto& library) {
            return library.first != module &&
                   std::ranges::find(library.second, function) != library.second.end();
        });
    };
    std::vector<std::string> called;
    for (const std::string& function : functions) {
        const ask::Module* module = ask::module_of(function);
        const bool entered = names.contains(module) &&
                             std::ranges::any_of(module->functions, [&](const ask::Function& neighbour) {
                                 return is_named(module, neighbour.name);
                             });
        if (module == rubric.module || entered || is_named(module, function)) called.push_back(function);
    }
    return called;
}

const std::filesystem::path& Builds::exports() const {
    return options_.kernels == Kernels::none ? installation_.exports : installation_.kernel_exports;
}

std::vector<std::filesystem::path> Builds::preceding_libraries(const rubric::Rubric& rubric) {
    std::vector<std::filesystem::path> libraries;
    if (options_.kernels != Kernels::none) libraries.push_back(installation_.emulator_library);
    for (const rubric::Rubric* needed : needed_by(rubric))
        if (const Build& built = of(*needed); !built.library.empty()) libraries.push_back(built.library);
    return libraries;
}

std::vector<std::filesystem::path> Builds::libraries_of(const rubric::Rubric& rubric) {
    std::vector<std::filesystem::path> libraries = preceding_libraries(rubric);
    libraries.insert(libraries.begin(), exports());
    libraries.push_back(of(rubric).library);
    return libraries;
}

worker::Worker Builds::make_worker(const rubric::Rubric& rubric, std::vector<std::filesystem::path> preceding,
                                   bool with_earlier) {
    if (with_earlier) {
        const auto earlier = preceding_libraries(rubric);
        // Stand-ins come first, because the first library that defines a function is used.
        preceding.insert(preceding.end(), earlier.begin(), earlier.end());
    }
    worker::WorkerLimits limits = rubric.limits;
    if (options_.kernels != Kernels::none) {
        limits.time_s = rubric.cuda.value().time_s;
        limits.emulated = true;
    }
    limits.watched = options_.watched;
    limits.sampled = options_.sampled;
    return {{.program = installation_.worker,
             .library = of(rubric).library,
             .exports = exports(),
             .loaded_first = std::move(preceding)},
            limits,
            options_.layers};
}

}  // namespace attn::compile
