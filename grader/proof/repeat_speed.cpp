#include "grader/proof/repeat_speed.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "datasets/files/temporary_directory.h"
#include "grader/grading/measure.h"
#include "grader/proof/busy_neighbours.h"
#include "grader/speed/statistics.h"

namespace attn::proof {
namespace {

constexpr double kNoLimit_s = 1e9;

constexpr double kHundred = 100;

/// One of the submissions, built for timing.
struct TimedSubmission {
    TimedSubmission(const Installation& installation, const rubric::Rubric& rubric, const std::string& file)
        : folder(prepared(installation, rubric, file)),
          builds(compile::Builds(folder.path(), {rubric}, installation).timed()) {}
    static data::TemporaryDirectory prepared(const Installation& installation, const rubric::Rubric& rubric,
                                             const std::string& file) {
        data::TemporaryDirectory result;
        std::filesystem::copy_file(installation.proof_of(rubric.module->name) / file,
                                   result.path() / rubric.sources.front());
        return result;
    }
    data::TemporaryDirectory folder;
    compile::Builds builds;
};

}  // namespace

double RepeatedSpeed::spread() const {
    std::vector<double> all = quiet;
    all.insert(all.end(), busy.begin(), busy.end());
    if (all.empty()) return kHundred;
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    return *most - *least;
}

std::vector<RepeatedSpeed> repeat_speed(const Installation& installation, int gradings,
                                        const Progress& progress) {
    const rubric::Rubric rubric = rubric::read_rubric(installation.assignments / "02_self_attention");
    rubric::PartRubric part = *std::find_if(rubric.parts.begin(), rubric.parts.end(), [](const auto& each) {
        return each.function->name == "scaled_dot_product_attention";
    });
    part.growth.reset();
    std::vector<RepeatedSpeed> results;
    for (const char* file : {"solution.cpp", "right_blocked.cpp", "right_fused.cpp"}) {
        RepeatedSpeed result;
        result.name = file;
        TimedSubmission timed(installation, rubric, file);
        std::vector<double> times_plain;
        for (int k = 0; k < gradings; ++k) {
            const bool busy = k % 2 == 1;
            progress(fmt::format("{}: {} of {}{}", file, k + 1, gradings, busy ? ", busy" : ""));
            std::unique_ptr<BusyNeighbours> neighbours;
            if (busy) neighbours = std::make_unique<BusyNeighbours>();
            TimeBudget no_limit(kNoLimit_s);
            const report::Check check =
                measure(rubric, part, {}, timed.builds, installation, no_limit).front();
            if (!check.speed) {
                result.faults.push_back(fmt::format("{}: {}", name_of(check.outcome), check.message));
                continue;
            }
            (busy ? result.busy : result.quiet).push_back(kHundred * check.speed->share);
            times_plain.push_back(check.speed->times_plain.value);
        }
        result.times_plain = speed::median(times_plain);
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace attn::proof
