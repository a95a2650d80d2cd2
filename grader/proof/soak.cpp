#include "grader/proof/soak.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "datasets/files/file_error.h"
#include "grader/grading/grade.h"
#include "grader/proof/attack_environment.h"
#include "grader/proof/proof_submissions.h"

namespace attn::proof {
namespace {

/// Resident memory of this process.
double memory_mib() {
    std::ifstream file("/proc/self/statm");
    double total = 0, resident = 0;
    file >> total >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

/// "20 50 0"
std::string marks_of(const report::Report& report) {
    std::string marks;
    for (const report::Part& part : report.assignments.at(0).parts)
        marks += fmt::format("{}{:.6g}", marks.empty() ? "" : " ", part.points);
    return marks;
}

/// A right or wrong submission as an attack without any sign of success.
Attack harmless(const std::string& name, const std::string& text) {
    Attack attack;
    attack.name = name;
    attack.text = text;
    constexpr double kAll = 30;
    attack.points = kAll;
    return attack;
}

}  // namespace

std::vector<Attack> mixed_submissions(const Installation& installation, int most) {
    const ProofSubmissions known = read_proof_submissions(installation.proof_of("self_attention"));
    std::vector<Attack> all{
        harmless("stubs", data::read_file(installation.sources / "student/self_attention.cpp"))};
    for (const RightSolution& right : known.rights)
        if (right.flags.empty()) all.push_back(harmless(right.name, right.text));
    for (const Slip& slip : known.slips) all.push_back(harmless(slip.mistake, slip.text));
    constexpr int kMostThatHang = 2;
    int hanging = 0;
    for (const Attack& attack : read_attacks(installation.proof / "hostile")) {
        if (attack.outcome == Outcome::not_compiled) continue;  // it cannot be graded without compiling again
        if (attack.outcome == Outcome::timed_out && hanging++ >= kMostThatHang) continue;
        all.push_back(attack);
    }
    // Take evenly spaced ones, so that all kinds are included.
    std::vector<Attack> some;
    const auto count = std::min(all.size(), static_cast<std::size_t>(std::max(most, 1)));
    for (std::size_t k = 0; k < count; ++k) some.push_back(all[k * all.size() / count]);
    return some;
}

Soak soak(const Installation& installation, const std::vector<Attack>& submissions, int gradings,
          const Progress& progress) {
    // Submissions that hang are graded quickly. All others end by themselves, on a busy machine only much later, and
    // their marks must not depend on that.
    constexpr double kHanging_s = 0.5, kOther_s = 30;
    const auto start = std::chrono::steady_clock::now();
    AttackEnvironment environment(installation, kOther_s);
    Soak result;
    result.submissions = static_cast<int>(submissions.size());
    std::map<std::string, std::string> marks;
    double memory_before = 0;
    for (; result.gradings < gradings; ++result.gradings) {
        const auto number = static_cast<std::size_t>(result.gradings) % submissions.size();
        const Attack& attack = submissions[number];
        if (number == 0) memory_before = result.gradings <= result.submissions ? memory_mib() : memory_before;
        progress(fmt::format("{} of {}: {}", result.gradings + 1, gradings, attack.name));
        environment.limit_calls(attack.outcome == Outcome::timed_out ? kHanging_s : kOther_s);
        const Trial trial = environment.grade_attack(attack, {}, attack.seed.value_or(kPublicSeed));
        const std::string now = marks_of(trial.report);
        const auto [before, first] = marks.emplace(attack.name, now);
        if (before->second != now)
            result.faults.push_back(
                fmt::format("{}: marks were {} and then {}", attack.name, before->second, now));
        if (trial.signs != std::set<std::string>(attack.remains.begin(), attack.remains.end()))
            result.faults.push_back(fmt::format("{}: {}", attack.name, fmt::join(trial.evidence, "; ")));
    }
    result.memory_mib = memory_mib();
    result.grown_mib = result.memory_mib - memory_before;
    constexpr double kMayGrow_mib = 16;
    if (result.grown_mib > kMayGrow_mib)
        result.faults.push_back(fmt::format("the grader grew by {:.1f} MiB", result.grown_mib));
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace attn::proof
