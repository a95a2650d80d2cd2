#include "grader/proof/repeat_growth.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/grading/measure.h"
#include "grader/proof/busy_neighbours.h"
#include "grader/proof/proof_submissions.h"

namespace attn::proof {
namespace {

using rubric::PartRubric;
using rubric::Rubric;

/// Measures texts of one assignment, each together with the solutions of all other assignments.
class Bench {
  public:
    Bench(const Installation& installation, const std::vector<Rubric>& rubrics, const Rubric& rubric)
        : installation_(installation), rubrics_(rubrics), rubric_(rubric) {}

    /// The check of the growth of this part.
    report::Check measured(const std::string& text, PartRubric part) {
        part.speed.reset();
        part.growth->memory = 0;
        TimeBudget no_limit(1e9);
        return measure(rubric_, part, {}, submission_of(text).builds, installation_, no_limit).front();
    }

  private:
    struct Submission {
        data::TemporaryDirectory folder;
        compile::Builds builds;
    };

    /// The submission is built once for all of its measurements.
    Submission& submission_of(const std::string& text) {
        std::unique_ptr<Submission>& known = submissions_[text];
        if (known) return *known;
        data::TemporaryDirectory folder;
        for (const Rubric& each : rubrics_)
            folder.write(each.sources.front(),
                         each.number == rubric_.number
                             ? text
                             : data::read_file(installation_.proof_of(each.module->name) / "solution.cpp"));
        compile::BuildOptions options;
        options.cache = build_cache(installation_);
        compile::Builds builds = compile::Builds(folder.path(), rubrics_, installation_, options).timed();
        known = std::make_unique<Submission>(Submission{std::move(folder), std::move(builds)});
        return *known;
    }

    const Installation& installation_;
    const std::vector<Rubric>& rubrics_;
    const Rubric& rubric_;
    std::map<std::string, std::unique_ptr<Submission>> submissions_;
};

/// Adds a measurement to the results. `name`: of the submission.
void add(RepeatedGrowth& result, const std::string& name, const report::Check& check, bool busy) {
    const bool grows =
        check.outcome == Outcome::slow && !check.growth.empty() && grows_too_fast(check.growth.front());
    // One power more may take too long for the limit of a call, on a busy machine.
    const bool is_due = result.growing.empty() ? check.outcome == Outcome::passed
                                               : grows || check.outcome == Outcome::timed_out;
    if (!is_due)
        result.faults.push_back(
            fmt::format("{}{}: {}. {}", name, busy ? ", busy" : "", name_of(check.outcome), check.message));
    if (check.growth.empty() || !check.growth.front().plain) return;
    const report::PlainGrowth& plain = *check.growth.front().plain;
    (busy ? result.busy : result.quiet).push_back(plain.above.value);
    result.times_plain.push_back(plain.times_plain.value);
}

}  // namespace

std::vector<RepeatedGrowth> repeat_growth(const Installation& installation, int assignment, int gradings,
                                          const Progress& progress) {
    constexpr int kShareOfGrowing = 5;  // they take longer
    const std::vector<Rubric> rubrics = rubric::read_rubrics(installation.assignments);
    std::vector<RepeatedGrowth> results;
    for (const Rubric& rubric : rubrics) {
        if (assignment != rubric.number) continue;
        const ProofSubmissions all = read_proof_submissions(installation.proof_of(rubric.module->name));
        std::vector<RightSolution> rights = all.rights;
        // Timed code is compiled with the same flags for all.
        std::erase_if(rights, [](const RightSolution& right) { return !right.flags.empty(); });
        Bench bench(installation, rubrics, rubric);
        for (const PartRubric& part : rubric.parts) {
            if (!part.growth || part.growth->time_above_plain == 0) continue;
            const auto repeat = [&](RepeatedGrowth result, int times, auto submission) {
                result.assignment = rubric.number;
                result.function = part.function->name;
                result.allowed = part.growth->time_above_plain;
                for (int k = 0; k < times; ++k) {
                    const bool busy = k % 2 == 1;
                    const auto& [name, text] = submission(static_cast<std::size_t>(k / 2));
                    progress(fmt::format("{} {}, {}: {} of {}{}", rubric.number, result.function, name, k + 1,
                                         times, busy ? ", busy" : ""));
                    std::unique_ptr<BusyNeighbours> neighbours;
                    if (busy) neighbours = std::make_unique<BusyNeighbours>();
                    add(result, name, bench.measured(text, part), busy);
                }
                results.push_back(std::move(result));
            };
            repeat({}, gradings, [&](std::size_t k) {
                const RightSolution& right = rights[k % rights.size()];
                return std::pair(right.name, right.text);
            });
            for (const GrowingSolution& growing : all.growing) {
                if (growing.function != part.function->name) continue;
                RepeatedGrowth result;
                result.growing = growing.name;
                repeat(std::move(result), std::max(2, gradings / kShareOfGrowing),
                       [&](std::size_t) { return std::pair(growing.name, growing.text); });
            }
        }
    }
    return results;
}

}  // namespace attn::proof
