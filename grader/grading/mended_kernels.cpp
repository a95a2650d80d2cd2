#include "grader/grading/mended_kernels.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "datasets/files/temporary_directory.h"
#include "grader/compile/barriers.h"
#include "grader/judge/kernel_mistakes.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using compile::KernelBuilds;
using report::Check;
using rubric::Rubric;

constexpr int kMostTrials = 8;  // each compiles the file twice
constexpr int kMostRounds = 3;  // a barrier may uncover the next race of the same loop

bool is_race(const Check& check) {
    return check.outcome == Outcome::kernel_error && check.diagnosis &&
           check.diagnosis->mistakes == std::vector{judge::mistake_for_finding("race_in_block")};
}

std::ptrdiff_t passed(const std::vector<Check>& checks) {
    return std::ranges::count(checks, Outcome::passed, &Check::outcome);
}

bool share(const std::vector<int>& a, const std::vector<int>& b) {
    return std::ranges::any_of(a, [&b](int line) { return std::ranges::count(b, line) != 0; });
}

/// Copies the submission and adds the barriers. Returns the copy's folder.
const fs::path& written(const KernelBuilds& original, const std::vector<Barrier>& barriers,
                        const data::TemporaryDirectory& folder) {
    fs::copy(original.folder(), folder.path(), fs::copy_options::recursive);
    std::map<std::string, std::vector<std::string>> of_file;
    for (const Barrier& barrier : barriers)
        of_file[barrier.file].push_back(compile::word_of({barrier.line, barrier.braces}));
    for (const auto& [file, some] : of_file) {
        const auto mended = original.reader().with_barriers(original.folder() / file, some);
        if (!mended || mended->empty()) continue;
        fs::remove(folder.path() / file);
        folder.write(file, *mended);
    }
    return folder.path();
}

/// The sets of barriers to try in front of these lines of a file, after `before`.
std::vector<std::vector<Barrier>> candidates(const std::vector<int>& lines, const std::string& file,
                                             const std::vector<Barrier>& before) {
    std::vector<std::vector<Barrier>> all;
    for (const bool braces : {false, true}) {
        all.push_back(before);
        for (const int line : lines) all.back().push_back({line, braces, file});
    }
    for (const int line : lines)
        for (const bool braces : {false, true}) {
            if (lines.size() < 2) continue;
            all.push_back(before);
            all.back().push_back({line, braces, file});
        }
    return all;
}

class Mending {
  public:
    /// `file`: with the races.
    Mending(const Rubric& rubric, std::string file, KernelBuilds& kernels, TimeBudget& budget,
            const JudgeKernels& judge)
        : rubric_(rubric), file_(std::move(file)), kernels_(kernels), budget_(budget), judge_(judge) {}

    /// Finds barriers that end the races of a part, in addition to those found before. Returns false if it
    /// finds none.
    bool mend(std::size_t part, std::vector<Check> checks) {
        const auto before = passed(checks);
        std::vector<Barrier> barriers = found_;
        for (int round = 0; round < kMostRounds; ++round) {
            std::vector<int> lines = racing_lines(checks, file_);
            std::erase_if(lines, [&](int line) {
                return std::ranges::any_of(barriers, [line](const Barrier& one) { return one.line == line; });
            });
            if (lines.empty()) return false;
            std::optional<std::vector<Barrier>> further;
            for (const auto& candidate : candidates(lines, file_, barriers)) {
                if (trials_++ >= kMostTrials) return false;
                auto mended = std::make_unique<MendedKernels>(kernels_, candidate);
                const bool compiled = [&] {
                    const TimeBudget::Use use(budget_, "compiling the kernels");
                    return mended->builds().source(rubric_).compiled;
                }();
                if (!compiled) continue;
                std::vector<Check> now = judge_(mended->builds(), part);
                if (std::ranges::none_of(now, is_kernel_error) && passed(now) > before) {
                    found_ = candidate;
                    mended_ = std::move(mended);
                    return true;
                }
                // Only races are left, of other lines: go on from here.
                if (!further && std::ranges::all_of(now, [](const Check& check) {
                        return check.outcome == Outcome::passed || is_race(check);
                    })) {
                    further = candidate;
                    checks = std::move(now);
                    break;
                }
            }
            if (!further) return false;
            barriers = *further;
        }
        return false;
    }

    const std::vector<Barrier>& barriers() const { return found_; }
    std::vector<Check> judge_mended(std::size_t part) { return judge_(mended_->builds(), part); }

  private:
    static bool is_kernel_error(const Check& check) { return check.outcome == Outcome::kernel_error; }

    const Rubric& rubric_;
    std::string file_;
    KernelBuilds& kernels_;
    TimeBudget& budget_;
    const JudgeKernels& judge_;
    std::vector<Barrier> found_;
    std::unique_ptr<MendedKernels> mended_;
    int trials_ = 0;
};

}  // namespace

MendedKernels::MendedKernels(const KernelBuilds& original, const std::vector<Barrier>& barriers)
    : builds_(original, written(original, barriers, folder_)) {}

std::vector<int> racing_lines(const std::vector<Check>& checks, std::string_view source) {
    std::set<int> lines;
    const std::string name = std::string(source) + ":";
    for (const Check& check : checks) {
        if (!is_race(check)) continue;
        for (std::size_t at = check.message.find(name); at != std::string::npos;
             at = check.message.find(name, at + 1))
            lines.insert(std::atoi(check.message.c_str() + at + name.size()));
    }
    return {lines.begin(), lines.end()};
}

std::vector<RaceCharge> charge_races_once(const Rubric& rubric, KernelBuilds& kernels, TimeBudget& budget,
                                          const JudgeKernels& judge,
                                          std::vector<std::vector<Check>>& checks) {
    std::vector<RaceCharge> charges(checks.size());
    const auto judge_again = [&](Mending& mending, std::size_t part, const std::string& charged_at) {
        std::vector<Check> mended = mending.judge_mended(part);
        if (passed(mended) <= passed(checks[part])) return;
        checks[part] = std::move(mended);
        charges[part] = {charged_at, mending.barriers()};
    };
    const auto parts_racing_in = [&](const std::vector<int>& lines, const std::string& file,
                                     std::size_t from) {
        std::vector<std::size_t> parts;
        for (std::size_t part = from; part < checks.size(); ++part)
            if (share(lines, racing_lines(checks[part], file))) parts.push_back(part);
        return parts;
    };
    for (const Rubric* const other : kernels.called_by(rubric)) {
        if (!other->cuda) continue;
        const std::string& file = other->cuda->source;
        Mending mending(rubric, file, kernels, budget, judge);
        for (std::size_t first = 0; first < checks.size(); ++first) {
            const std::vector<int> lines = racing_lines(checks[first], file);
            if (lines.empty() || !mending.mend(first, checks[first])) continue;
            for (const std::size_t part : parts_racing_in(lines, file, first))
                judge_again(mending, part, fmt::format("assignment {}", other->number));
        }
    }
    const std::string& source = rubric.cuda.value().source;
    Mending mending(rubric, source, kernels, budget, judge);
    for (std::size_t first = 0; first < checks.size(); ++first) {
        const std::vector<int> lines = racing_lines(checks[first], source);
        const std::vector<std::size_t> again = parts_racing_in(lines, source, first + 1);
        if (again.empty() || !mending.mend(first, checks[first])) continue;
        for (const std::size_t later : again) judge_again(mending, later, rubric.parts[first].function->name);
    }
    return charges;
}

}  // namespace attn
