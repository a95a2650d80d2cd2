#include "grader/build/builds.h"

#include <algorithm>
#include <set>

#include "datasets/file_error.h"
#include "grader/build/stand_ins.h"

namespace attn::submission {

Builds::Builds(std::filesystem::path submission, std::vector<Rubric> rubrics, Installation installation,
               Extra extra)
    : submission_(std::move(submission)),
      rubrics_(std::move(rubrics)),
      installation_(std::move(installation)),
      extra_(std::move(extra)) {
    for (const Rubric& rubric : rubrics_) built_[rubric.number];
}

const Build& Builds::of(const Rubric& rubric) {
    Slot& slot = built_.at(rubric.number);
    const std::lock_guard turn(slot.turn);
    if (!slot.build) slot.build = std::make_shared<Build>(build(submission_, rubric, installation_, extra_));
    return *slot.build;
}

Builds Builds::timed() const {
    Extra extra = extra_;
    extra.timed = true;
    return {submission_, rubrics_, installation_, extra};
}

Builds Builds::of_kernels(Kernels how) const {
    Extra extra = extra_;
    extra.kernels = how;
    return {submission_, rubrics_, installation_, extra};
}

bool Builds::has(const std::string& file) const {
    return std::filesystem::is_regular_file(submission_ / file);
}

void Builds::adopt(int assignment, std::shared_ptr<const Build> build) {
    built_.at(assignment).build = std::move(build);
}

bool Builds::kernels_call(const Rubric& caller, const Rubric& called) const {
    if (!caller.cuda || !called.cuda || !has(caller.cuda->source)) return false;
    // Whoever calls another assignment's kernels includes the header that declares them, perhaps by way of a
    // header of the student's own.
    const std::string wanted = called.module->name + "_cuda.h";
    const auto names_it = [&wanted](const std::filesystem::path& file) {
        try {
            return data::read_file(file).find(wanted) != std::string::npos;
        } catch (const data::FileError&) {
            return true;  // unreadable: for the compiler to say so
        }
    };
    if (names_it(submission_ / caller.cuda->source)) return true;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(submission_))
        if (const auto extension = entry.path().extension();
            entry.is_regular_file() && (extension == ".h" || extension == ".cuh" || extension == ".hpp") &&
            names_it(entry.path()))
            return true;
    return false;
}

std::vector<const Rubric*> Builds::needed_by(const Rubric& rubric) const {
    std::set<const ask::Module*> modules{rubric.module};
    for (std::size_t before = 0; before != modules.size();) {
        before = modules.size();
        for (const Rubric& each : rubrics_) {
            if (!modules.contains(each.module)) continue;
            if (extra_.kernels != Kernels::none) {
                for (const Rubric& other : rubrics_)
                    if (kernels_call(each, other)) modules.insert(other.module);
                continue;
            }
            for (const PartRubric& part : each.parts)
                for (const std::string& earlier : part.builds_on) modules.insert(ask::module_of(earlier));
        }
    }
    std::vector<const Rubric*> needed;
    for (const Rubric& each : rubrics_)
        if (each.module != rubric.module && modules.contains(each.module)) needed.push_back(&each);
    return needed;
}

worker::Worker Builds::worker_for(const Rubric& rubric) {
    return make_worker(rubric, {}, true);
}

worker::Worker Builds::worker_for(const Rubric& rubric, const PartRubric& part,
                                  const std::vector<std::string>& stand_ins) {
    std::vector<std::filesystem::path> before;
    for (const std::string& function : stand_ins) before.push_back(stand_in_for(function, installation_));
    // With all of them in place nothing of the student's earlier files is needed, or in the way.
    return make_worker(rubric, std::move(before), stand_ins.empty() || stand_ins != part.builds_on);
}

std::filesystem::path Builds::exports_of(const Rubric& rubric) const {
    const std::string& module = rubric.module->name;
    return extra_.kernels == Kernels::none ? installation_.exports_of(module)
                                           : installation_.kernel_exports_of(module);
}

std::vector<std::filesystem::path> Builds::libraries_ahead(const Rubric& rubric) {
    std::vector<std::filesystem::path> libraries;
    if (extra_.kernels != Kernels::none) libraries.push_back(installation_.emulator_library);
    for (const Rubric* needed : needed_by(rubric))
        if (const Build& built = of(*needed); !built.library.empty()) libraries.push_back(built.library);
    return libraries;
}

std::vector<std::filesystem::path> Builds::libraries_of(const Rubric& rubric) {
    std::vector<std::filesystem::path> libraries = libraries_ahead(rubric);
    libraries.insert(libraries.begin(), exports_of(rubric));
    libraries.push_back(of(rubric).library);
    return libraries;
}

worker::Worker Builds::make_worker(const Rubric& rubric, std::vector<std::filesystem::path> before,
                                   bool with_earlier) {
    if (with_earlier) {
        const auto ahead = libraries_ahead(rubric);
        // What stands in for a function is found first.
        before.insert(before.end(), ahead.begin(), ahead.end());
    }
    worker::WorkerLimits limits = rubric.limits;
    if (extra_.kernels != Kernels::none) {
        limits.time_s = rubric.cuda.value().time_s;
        limits.emulated = true;
    }
    return {{.program = installation_.worker,
             .library = of(rubric).library,
             .exports = exports_of(rubric),
             .loaded_first = std::move(before)},
            limits,
            extra_.layers};
}

}  // namespace attn::submission
