// `selfcheck`: the grader's proof. It is a separate program, because only the grader's developers and authors
// of assignments need it.

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/cli/options.h"
#include "grader/cli/program.h"
#include "grader/cli/terminal_settings.h"
#include "grader/grading/grade.h"
#include "grader/proof/edit_matrix.h"
#include "grader/proof/hostile.h"
#include "grader/proof/repeat_growth.h"
#include "grader/proof/repeat_speed.h"
#include "grader/proof/selfcheck.h"
#include "grader/proof/short_loops.h"
#include "grader/proof/soak.h"
#include "grader/speed/growth_of_costs.h"

namespace attn::proof {
namespace {

using namespace attn::cli;

constexpr std::size_t kAllPairs = std::numeric_limits<std::size_t>::max();

constexpr const char* kSelfcheckUsage =
    "usage: selfcheck [options]\n"
    "Proves the grader: stubs get no points, right solutions get all, every known mistake costs points\n"
    "and is named, and every case catches a mistake. Needs the project's sources.\n"
    "  selfcheck --assignment 2\n"
    "  selfcheck --sample 6\n"
    "  selfcheck --pairs 100 --matrix\n"
    "  selfcheck --soak 1000\n"
    "  selfcheck --speed 50\n"
    "  selfcheck --growth 50 --assignment 2\n"
    "  selfcheck --assignment 13 --seeds 1000\n"
    "Exit code: 0 the proof holds, 1 it does not.\n";

/// Prints one part's matrix as a Markdown table: rows are mistakes, columns are checks, and # marks a catch.
void print_matrix(const Proof& proof, const PartMatrix& part) {
    std::cout << fmt::format("\n`{}`\n\n| mistake |", part.function);
    for (const auto& column : part.columns) std::cout << ' ' << column.name << " |";
    std::cout << "\n|---|";
    for (std::size_t c = 0; c < part.columns.size(); ++c) std::cout << "---|";
    std::cout << '\n';
    for (std::size_t m = 0; m < proof.mistakes.size(); ++m) {
        if (!part.catches(m)) continue;
        std::cout << "| " << proof.mistakes[m] << " |";
        for (const bool caught : part.caught[m]) std::cout << (caught ? " # |" : "   |");
        std::cout << '\n';
    }
    std::cout << "| *catches* |";
    for (std::size_t c = 0; c < part.columns.size(); ++c) std::cout << ' ' << part.number_caught(c) << " |";
    std::cout << "\n| *first to catch* |";
    for (std::size_t c = 0; c < part.columns.size(); ++c)
        std::cout << ' ' << part.number_first_caught(c) << " |";
    std::cout << '\n';
}

void print(const Proof& proof, bool with_matrix) {
    const auto unnamed = proof.unnamed();
    if (with_matrix) std::cout << fmt::format("\n## {} {}\n\n```\n", proof.number, proof.title);
    std::cout << fmt::format(
        "{}  {}: {} mistakes, {} named exactly, {} in a class of at most three, {} not named{}{}\n"
        "   graded: stubs, the reference, {} other right solutions, {} slips, {} pairs{}; {} questions to "
        "impostors; {} reports read for contradictions\n",
        proof.number, proof.title, proof.mistakes.size(), proof.exact(), proof.classed(), unnamed.size(),
        unnamed.empty() ? "" : ": ", fmt::join(unnamed, ", "), proof.rights, proof.slips, proof.pairs,
        proof.unnamed_pairs == 0 ? ""
                                 : fmt::format(" ({} of them caught without a name)", proof.unnamed_pairs),
        proof.impostors, proof.read);
    for (std::size_t k = 0; k < proof.mistakes.size(); ++k)
        if (proof.names[k].size() > 1)
            std::cout << fmt::format("   {}: one of [{}]\n", proof.mistakes[k],
                                     fmt::join(proof.names[k], ", "));
    for (const std::string& fault : proof.faults) std::cout << "   FAULT: " << fault << '\n';
    if (with_matrix) std::cout << "```\n";
    if (with_matrix)
        for (const PartMatrix& part : proof.parts) print_matrix(proof, part);
    std::cout << std::flush;
}

int print_soak(const Installation& installation, int gradings, const Progress& progress) {
    if (gradings < 1) throw UsageError("--soak takes the number of gradings, such as 1000");
    constexpr int kEachAtLeast = 3;
    const auto submissions = mixed_submissions(installation, gradings / kEachAtLeast);
    const Soak result = soak(installation, submissions, gradings, progress);
    progress("");
    std::cout << fmt::format(
        "soak: {} gradings of {} submissions in {:.0f} s; the grader uses {:.1f} MiB, {:+.1f}\n",
        result.gradings, result.submissions, result.seconds, result.memory_mib, result.grown_mib);
    for (const std::string& fault : result.faults) std::cout << "   FAULT: " << fault << '\n';
    return result.faults.empty() ? kAllPassed : kSomethingFailed;
}

int print_speed(const Installation& installation, int gradings, const Progress& progress) {
    if (gradings < 2) throw UsageError("--speed takes the number of gradings, two or more, such as 50");
    const auto results = repeat_speed(installation, gradings, progress);
    progress("");
    std::cout << fmt::format(
        "Points for speed, of 100, in {} gradings, every second one on a busy machine:\n"
        "  {:<18}{:>9}{:>22}{:>22}{:>9}\n",
        gradings, "submission", "x plain", "quiet", "busy", "spread");
    bool holds = true;
    for (const RepeatedSpeed& each : results) {
        const auto range = [](const std::vector<double>& shares) {
            if (shares.empty()) return std::string("none");
            const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
            return fmt::format("{:.2f} to {:.2f}", *least, *most);
        };
        std::cout << fmt::format("  {:<18}{:>9.2f}{:>22}{:>22}{:>9.2f}\n", each.name, each.times_plain,
                                 range(each.quiet), range(each.busy), each.spread());
        for (const std::string& fault : each.faults) std::cout << "   FAULT: " << fault << '\n';
        holds = holds && each.faults.empty() && each.spread() <= kMostSpread;
    }
    std::cout << fmt::format("No mark may change by more than {:g}: {}\n", kMostSpread,
                             holds ? "holds." : "DOES NOT HOLD.");
    return holds ? kAllPassed : kSomethingFailed;
}

/// Prints the rows of a table, which has one for each part and submission, and returns the faults.
std::vector<std::string> print_rows(const std::vector<RepeatedGrowth>& results) {
    const auto range = [](const std::vector<double>& numbers) {
        if (numbers.empty()) return std::string("none");
        const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
        return fmt::format("{:.2f} to {:.2f}", *least, *most);
    };
    std::vector<std::string> faults;
    for (const RepeatedGrowth& each : results) {
        std::cout << fmt::format("| {} `{}` | {} | {} | {} | {} | {:g} | {} |\n", each.assignment,
                                 each.function,
                                 each.growing.empty() ? "right solutions" : "wrong: " + each.growing,
                                 each.quiet.size() + each.busy.size(), range(each.quiet), range(each.busy),
                                 each.allowed, range(each.times_plain));
        for (const std::string& fault : each.faults)
            faults.push_back(fmt::format("{} {}, {}", each.assignment, each.function, fault));
    }
    std::cout << std::flush;
    return faults;
}

int print_growth(const Installation& installation, std::optional<int> assignment, int gradings,
                 const Progress& progress) {
    if (gradings < 2) throw UsageError("--growth takes the number of gradings, two or more, such as 50");
    std::cout << fmt::format(
        "The exponent of time minus that of the plain loops, every second time on a busy machine; and the "
        "time "
        "at the last length as a multiple of the plain loops' ({:g} times is allowed):\n"
        "| part | submissions | gradings | quiet | busy | allowed | times the plain loops |\n"
        "|---|---|---|---|---|---|---|\n",
        speed::kMostTimesPlain);
    std::vector<std::string> faults;
    bool any = false;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(installation.assignments)) {
        if (assignment && *assignment != rubric.number) continue;
        const auto results = repeat_growth(installation, rubric.number, gradings, progress);
        progress("");
        any = any || !results.empty();
        std::ranges::copy(print_rows(results), std::back_inserter(faults));
    }
    if (!any) throw UsageError("no assignment of this number has points for the growth of time");
    for (const std::string& fault : faults) std::cout << "   FAULT: " << fault << '\n';
    std::cout << fmt::format(
        "Right solutions must pass, and those that grow by one power more must not: {}\n",
        faults.empty() ? "holds." : "DOES NOT HOLD.");
    return faults.empty() ? kAllPassed : kSomethingFailed;
}

int print_seeds(const Installation& installation, std::optional<int> assignment, int seeds,
                const Progress& progress) {
    if (seeds < 1) throw UsageError("--seeds takes the number of seeds, such as 1000");
    bool holds = true, any = false;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(installation.assignments)) {
        if (assignment && *assignment != rubric.number) continue;
        any = true;
        Proof proof;
        prove_seeds(rubric, installation, seeds, progress, proof);
        progress("");
        std::cout << fmt::format("{}  {}: right solutions graded with {} seeds, {} lose points\n",
                                 rubric.number, rubric.title, proof.seeds, proof.faults.size());
        for (const std::string& fault : proof.faults) std::cout << "   FAULT: " << fault << '\n';
        std::cout << std::flush;
        holds = holds && proof.faults.empty();
    }
    if (!any) throw UsageError("there is no such assignment; `grader list` shows them");
    return holds ? kAllPassed : kSomethingFailed;
}

/// Prints the kill matrix of the systematic edits, the holes, and the classes too_small without an edit.
int print_edit_matrix(const Installation& installation, std::optional<int> assignment,
                      const std::string& function, std::uint64_t seed, const Sample& sample,
                      const Progress& progress) {
    bool any = false;
    std::vector<std::string> faults;
    std::cout << "| function | edits | noticed | of these by a crash | by a property only | in another part "
                 "only | without a witness | too small | holes |\n"
                 "|---|---|---|---|---|---|---|---|---|\n";
    for (const rubric::Rubric& rubric : rubric::read_rubrics(installation.assignments)) {
        if (assignment && *assignment != rubric.number) continue;
        const std::vector<EditMatrix> matrices = edit_matrices(
            installation, rubric, seed, sample,
            [&](const std::string& name) { progress("edits of " + name); }, function);
        progress("");
        any = any || !matrices.empty();
        for (const EditMatrix& matrix : matrices) {
            std::cout << fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} | {} |\n", matrix.function,
                                     matrix.edits, matrix.killed(), matrix.stopped, matrix.killed_by_property,
                                     matrix.killed_elsewhere, matrix.without_witness(), matrix.too_small(),
                                     matrix.holes());
            for (const Survivor& each : matrix.survivors)
                if (each.is_hole())
                    faults.push_back(fmt::format("HOLE: {}, {}: {} [{}], noticed with {}", each.function,
                                                 each.equation, each.said, each.becomes, each.witness));
        }
        std::cout << std::flush;
        if (sample.is_all() && function.empty())
            for (const std::string& place :
                 without_survivor(read_too_small(installation.proof_of(rubric.module->name)), matrices))
                faults.push_back("no such survivor: " + place);
    }
    if (!any) throw UsageError("there is no such assignment or function; `grader list` shows them");
    std::cout << '\n' << fmt::format("{}\n", fmt::join(faults, "\n"));
    return faults.empty() ? kAllPassed : kSomethingFailed;
}

/// Prints the loops over the first values of an axis that no public case notices.
int print_short_loops(const Installation& installation, std::optional<int> assignment,
                      const std::string& function, std::uint64_t seed, const Sample& sample,
                      const Progress& progress) {
    bool holds = true;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(installation.assignments)) {
        if (assignment && *assignment != rubric.number) continue;
        for (const rubric::PartRubric& part : rubric.parts) {
            if (!function.empty() && part.function->name != function) continue;
            progress("short loops of " + part.function->name);
            const ShortLoops loops = short_loops_of(rubric, part, seed, sample);
            progress("");
            std::cout << fmt::format("{} {}: {} loops take the first values only, {} unnoticed\n",
                                     rubric.number, part.function->name, loops.edits, loops.survivors.size());
            for (const Survivor& each : loops.survivors) {
                holds = holds && !each.is_hole();
                std::cout << fmt::format("   {}: {}, {}: {}, {}\n", each.is_hole() ? "HOLE" : "no witness",
                                         each.function, each.equation, each.said, each.witness);
            }
            std::cout << std::flush;
        }
    }
    return holds ? kAllPassed : kSomethingFailed;
}

int selfcheck(const Words& words) {
    std::uint64_t seed = kPublicSeed;
    std::string function;
    po::options_description options("options");
    options.add_options()("assignment,a", po::value<int>(), "only this assignment, by its number")(
        "pairs", po::value<std::size_t>()->implicit_value(kAllPairs, "all"),
        "grade submissions with two mistakes, one of them in an assignment that the other builds on: so many "
        "pairs for each assignment, drawn by seed, or all (takes hours)")(
        "matrix", "print which check catches which mistake, as Markdown")(
        "soak", po::value<int>(),
        "instead, grade right, wrong and hostile submissions so many times in a row: marks must stay the "
        "same and nothing may be left behind")("speed", po::value<int>(),
                                               "instead, measure three submissions so many times, every "
                                               "second time on a busy machine: marks must stay the same")(
        "growth", po::value<int>(),
        "instead, measure the growth of time of right solutions so many times, every second time on a busy "
        "machine, and of solutions that take one power more: only these may lose points")(
        "seeds", po::value<int>(),
        "instead, grade right solutions with so many secret seeds: none may lose a point")(
        "edits",
        "instead, print how many systematic edits of the plain loops the rubrics' checks notice, and which "
        "survive; with --sample, of so many edits of each function")(
        "short-loops",
        "instead, print the loops of the plain loops that no public case notices if they take the first 8, "
        "16, 32 or "
        "64 values only")("function", po::value(&function),
                          "with --edits or --short-loops: those of this function alone")(
        "attacks", "instead, print the hostile submissions as a Markdown table")(
        "sample", po::value<std::size_t>(),
        "grade at most so many right solutions and so many slips of each assignment; ATTN_SAMPLE=TEXT in the "
        "environment draws others")("seed", po::value(&seed)->default_value(seed), "the seed of the inputs");
    const auto values = parse(words, kSelfcheckUsage, options, "rest");
    if (!values) return kAllPassed;
    if (values->count("rest") != 0)
        throw UsageError(std::string("selfcheck takes no further words\n") + kSelfcheckUsage);
    const Installation installation;
    if (values->count("attacks") != 0) {
        std::cout << table_of(read_attacks(installation.proof / "hostile"));
        return kAllPassed;
    }
    const auto progress = progress_line();
    if (values->count("soak") != 0) return print_soak(installation, (*values)["soak"].as<int>(), progress);
    if (values->count("speed") != 0) return print_speed(installation, (*values)["speed"].as<int>(), progress);
    std::optional<int> assignment;
    if (values->count("assignment") != 0) assignment = (*values)["assignment"].as<int>();
    if (values->count("growth") != 0)
        return print_growth(installation, assignment, (*values)["growth"].as<int>(), progress);
    if (values->count("seeds") != 0)
        return print_seeds(installation, assignment, (*values)["seeds"].as<int>(), progress);
    Sample sample;
    if (values->count("sample") != 0) {
        sample = at_most((*values)["sample"].as<std::size_t>());
        if (sample.is_all())
            std::cout << "All right solutions and slips.\n";
        else
            std::cout << fmt::format(
                "Up to {} right solutions and slips of each assignment, those of ATTN_SAMPLE={}\n",
                sample.most, sample.seed);
    }
    if (values->count("edits") != 0)
        return print_edit_matrix(installation, assignment, function, seed, sample, progress);
    if (values->count("short-loops") != 0)
        return print_short_loops(installation, assignment, function, seed, sample, progress);
    bool holds = true, any = false;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(installation.assignments)) {
        if (assignment && *assignment != rubric.number) continue;
        any = true;
        Proof proof = prove(rubric, installation, seed, sample, progress);
        if (values->count("pairs") != 0)
            prove_pairs(rubric, installation, seed, (*values)["pairs"].as<std::size_t>(), progress, proof);
        progress("");
        print(proof, values->count("matrix") != 0);
        holds = holds && proof.faults.empty();
    }
    if (!any) throw UsageError("there is no such assignment; `grader list` shows them");
    return holds ? kAllPassed : kSomethingFailed;
}

}  // namespace
}  // namespace attn::proof

int main(int argc, char** argv) {
    return attn::cli::run_program("selfcheck", argc, argv, attn::proof::selfcheck);
}
