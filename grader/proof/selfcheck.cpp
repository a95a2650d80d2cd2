#include "grader/proof/selfcheck.h"

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/grading/grade.h"
#include "grader/proof/contradictions.h"
#include "grader/proof/impostors.h"

namespace attn::proof {
namespace {

using compile::Builds;
using rubric::Rubric;

constexpr std::size_t kLargestClass = 3;

using Libraries = std::map<int, std::shared_ptr<const compile::Build>>;  ///< by the number of the assignment

/// Grades submissions for one assignment, together with right solutions of all other assignments.
class ProofGrader {
  public:
    ProofGrader(const Installation& installation, std::uint64_t seed)
        : installation_(installation), seed_(seed), rubrics_(rubric::read_rubrics(installation.assignments)) {
        for (const Rubric& rubric : rubrics_)
            if (const auto file = folder_of(rubric) / "solution.cpp"; std::filesystem::exists(file))
                folder_.write(rubric.sources.front(), data::read_file(file));
    }

    std::filesystem::path folder_of(const Rubric& rubric) const {
        return installation_.proof_of(rubric.module->name);
    }
    const std::vector<Rubric>& rubrics() const { return rubrics_; }

    /// Builds `text` as this assignment's file.
    std::shared_ptr<const compile::Build> build(const Rubric& rubric, const std::string& text,
                                                compile::BuildOptions extra = {}) const {
        const data::TemporaryDirectory alone;
        extra.cache = build_cache(installation_);
        alone.write(rubric.sources.front(), text);
        return std::make_shared<compile::Build>(
            compile::build_submission(alone.path(), rubric, installation_, extra));
    }

    /// Grades one assignment. `libraries` replace those of the right solutions.
    report::Assignment grade(const Rubric& rubric, const Libraries& libraries) const {
        Builds builds(folder_.path(), rubrics_, installation_);
        for (const Libraries& some : {solutions_, libraries})
            for (const auto& [number, build] : some) builds.adopt(number, build);
        GradeOptions options;
        options.submission = folder_.path();
        options.assignment = rubric.number;
        options.seed = seed_;
        options.secret = secret_;
        options.installation = installation_;
        options.speed = false;
        return attn::grade(options, builds).assignments.at(0);
    }

    /// Grades as for the mark from now on: with this seed and the secret cases.
    void use_secret_seed(std::uint64_t seed) {
        seed_ = seed;
        secret_ = true;
    }

    /// Builds the plain loops of this assignment as a submission.
    std::shared_ptr<const compile::Build> build_reference(const Rubric& rubric) const {
        return build(rubric, data::read_file(installation_.reference_submission(rubric.module->name)),
                     {installation_.reference_flags(), {installation_.reference}, {}});
    }

    /// Builds, once for all submissions, the solutions of the assignments that this one builds on.
    void prepare(const Rubric& rubric) {
        const Builds builds(folder_.path(), rubrics_, installation_);
        for (const Rubric* needed : builds.needed_by(rubric))
            solutions_[needed->number] = build(*needed, data::read_file(folder_of(*needed) / "solution.cpp"));
    }

  private:
    Installation installation_;
    std::uint64_t seed_;
    bool secret_ = false;
    std::vector<Rubric> rubrics_;
    data::TemporaryDirectory folder_;
    Libraries solutions_;
};

/// A short description of the first failure in an assignment.
std::string first_failure(const report::Assignment& assignment) {
    for (const report::SourceFile& source : assignment.sources)
        if (!source.compiled) return source.messages.substr(0, source.messages.find('\n'));
    for (const report::Part& part : assignment.parts)
        for (const report::Check& check : part.checks)
            if (check.outcome != Outcome::passed && !report::is_left_out(check))
                return fmt::format("{} is {}: {}", check.id, in_words(check.outcome), check.message);
    return "nothing failed";
}

void require_full_marks(const report::Assignment& graded, const std::string& name, Proof& proof) {
    if (graded.points == graded.max_points && graded.points > 0) return;
    proof.faults.push_back(fmt::format("{} gets {:g} of {:g} points: {}", name, graded.points,
                                       graded.max_points, first_failure(graded)));
}

std::set<std::string> names_in(const report::Part& part) {
    std::set<std::string> names;
    for (const report::Check& check : part.checks)
        if (check.diagnosis) names.insert(check.diagnosis->mistakes.begin(), check.diagnosis->mistakes.end());
    return names;
}

/// Whether a diagnosis may name an earlier assignment's mistake (by its effect here) beside the mistake
/// itself.
enum class EarlierNames { refused, allowed };

/// Whether one name is the mistake's own, and all others combine it with another mistake.
bool named_alone_or_with_another(const std::set<std::string>& names, const std::string& mistake) {
    const auto holds_it = [&mistake](const std::string& name) {
        return name == mistake || name.starts_with(mistake + "+") || name.ends_with("+" + mistake);
    };
    return names.contains(mistake) && std::all_of(names.begin(), names.end(), holds_it);
}

/// Requires that the slip's part loses points and names the mistake, and that parts before it lose none.
void require_named(const report::Assignment& graded, const Slip& slip, const std::string& name, Proof& proof,
                   EarlierNames earlier_names = EarlierNames::refused) {
    for (const report::Part& part : graded.parts) {
        if (part.function != slip.part) {
            if (part.points < part.max_points)
                proof.faults.push_back(fmt::format("{}: {} comes before {} and loses points: {}", name,
                                                   part.function, slip.part, first_failure(graded)));
            continue;
        }
        std::set<std::string> due(slip.alike.begin(), slip.alike.end());
        due.insert(slip.mistake);
        const auto names = names_in(part);
        if (part.points == part.max_points)
            proof.faults.push_back(fmt::format("{}: {} keeps all its points", name, slip.part));
        else if (earlier_names == EarlierNames::allowed && names.empty() && part.stand_ins.empty())
            ++proof.unnamed_pairs;  // both mistakes together pass checks that the later one alone does not
        else if (!(names == due || (earlier_names == EarlierNames::allowed &&
                                    named_alone_or_with_another(names, slip.mistake))))
            proof.faults.push_back(fmt::format("{}: {} is called [{}], not [{}]; {}", name, slip.part,
                                               fmt::join(names, ", "), fmt::join(due, ", "),
                                               first_failure(graded)));
        return;
    }
    proof.faults.push_back(fmt::format("{}: there is no part {}", name, slip.part));
}

/// Requires that no sentence of a report is refuted by the report's own checks.
void require_consistent(const report::Part& part, const std::vector<PartMatrix>& matrices,
                        const std::string& name, Proof& proof) {
    const auto matrix = std::ranges::find(matrices, part.function, &PartMatrix::function);
    for (const std::string& each : contradictions(part, matrix == matrices.end() ? nullptr : &*matrix))
        proof.faults.push_back(fmt::format("{}: {}", name, each));
}

void require_consistent(const report::Assignment& graded, const std::string& name, Proof& proof) {
    for (const report::Part& part : graded.parts) require_consistent(part, proof.parts, name, proof);
    ++proof.read;
}

/// Requires that every mistake is caught and, without a sample, that every case catches a mistake that earlier
/// cases do not.
void check_matrix(const Rubric& rubric, std::uint64_t seed, const Sample& sample, Proof& proof) {
    proof.parts = kill_matrix(rubric, seed, sample.is_all() ? PartsAsked::all : PartsAsked::up_to_first);
    for (std::size_t k = 0; k < rubric.module->mistakes.size(); ++k) {
        const std::string& name = rubric.module->mistakes[k].name;
        proof.mistakes.push_back(name);
        proof.names.push_back(names_of(proof.parts, name, k));
        if (std::none_of(proof.parts.begin(), proof.parts.end(),
                         [k](const PartMatrix& part) { return part.catches(k); }))
            proof.faults.push_back(fmt::format("no check catches {}", name));
    }
    for (const PartMatrix& part : proof.parts)
        for (std::size_t c = 0; c < part.columns.size() && sample.is_all(); ++c)
            if (!part.columns[c].property && part.number_first_caught(c) == 0 && part.columns[c].why.empty())
                proof.faults.push_back(
                    fmt::format("{}, case {}: catches no mistake that an earlier case does not catch; remove "
                                "it or say `why`",
                                part.function, part.columns[c].name));
    for (PartMatrix& part : proof.parts) {
        for (const report::Part& report : part.reports)
            require_consistent(report, proof.parts, "a mistake made in the grader", proof);
        proof.read += static_cast<int>(part.reports.size());
        part.reports.clear();
    }
    if (proof.read < static_cast<int>(proof.mistakes.size() / 2))
        proof.faults.push_back(fmt::format("only {} reports were read for contradictions, with {} mistakes",
                                           proof.read, proof.mistakes.size()));
    constexpr int kHalf = 11, kBfloat16 = 8;
    for (const int bits : {kHalf, kBfloat16})
        for (const std::string& function : pass_when_rounded(rubric, seed, bits))
            proof.faults.push_back(fmt::format("{} passes when rounded to {} bits", function, bits));
}

/// Requires that no property gives a point to an impostor.
void check_impostors(const Rubric& rubric, std::uint64_t seed, const Sample& sample, Proof& proof) {
    for (const PropertyAndImpostors& each : ask_impostors(rubric, seed, sample)) {
        proof.impostors += each.asked;
        for (const std::string& impostor : each.earned_by)
            proof.faults.push_back(
                fmt::format("{}: an impostor earns {}: {}", each.function, each.property, impostor));
    }
}

void require_every_mistake_made(const ProofSubmissions& submissions, Proof& proof) {
    for (const std::string& mistake : proof.mistakes)
        if (std::none_of(submissions.slips.begin(), submissions.slips.end(),
                         [&mistake](const Slip& slip) { return slip.mistake == mistake; }))
            proof.faults.push_back(fmt::format("no slip of edits.toml makes {}", mistake));
}

}  // namespace

int Proof::exact() const {
    return static_cast<int>(
        std::count_if(names.begin(), names.end(), [](const auto& called) { return called.size() == 1; }));
}

int Proof::classed() const {
    return static_cast<int>(std::count_if(names.begin(), names.end(), [](const auto& called) {
        return called.size() > 1 && called.size() <= kLargestClass;
    }));
}

std::vector<std::string> Proof::unnamed() const {
    std::vector<std::string> result;
    for (std::size_t k = 0; k < mistakes.size(); ++k)
        if (names[k].empty() || names[k].size() > kLargestClass) result.push_back(mistakes[k]);
    return result;
}

Proof prove(const Rubric& rubric, const Installation& installation, std::uint64_t seed, const Sample& sample,
            const Progress& progress) {
    Proof proof;
    proof.number = rubric.number;
    proof.module = rubric.module->name;
    proof.title = rubric.title;
    const auto report_progress = [&](const std::string& what) {
        progress(fmt::format("assignment {}: {}", rubric.number, what));
    };
    report_progress("every mistake against every check");
    check_matrix(rubric, seed, sample, proof);
    report_progress("impostors");
    check_impostors(rubric, seed, sample, proof);

    ProofGrader grader(installation, seed);
    grader.prepare(rubric);
    const ProofSubmissions submissions = read_proof_submissions(grader.folder_of(rubric));
    require_every_mistake_made(submissions, proof);

    report_progress("stubs and the reference");
    const auto stubs = data::read_file(installation.sources / "student" / rubric.sources.front());
    const report::Assignment nothing = grader.grade(rubric, {{rubric.number, grader.build(rubric, stubs)}});
    if (nothing.points != 0) proof.faults.push_back(fmt::format("the stubs get {:g} points", nothing.points));
    for (const report::Part& part : nothing.parts)
        if (!report::not_started(part))
            proof.faults.push_back(
                fmt::format("the stub of {} is not called not implemented", part.function));
    require_full_marks(grader.grade(rubric, {{rubric.number, grader.build_reference(rubric)}}),
                       "the reference", proof);

    for (const RightSolution& right : drawn(submissions.rights, sample)) {
        report_progress("right: " + right.name);
        const auto graded =
            grader.grade(rubric, {{rubric.number, grader.build(rubric, right.text, {right.flags, {}, {}})}});
        require_full_marks(graded, "right: " + right.name, proof);
        ++proof.rights;
    }
    for (const Slip& slip : drawn(submissions.slips, sample)) {
        report_progress("slip: " + slip.mistake);
        const auto graded = grader.grade(rubric, {{rubric.number, grader.build(rubric, slip.text)}});
        require_named(graded, slip, "slip " + slip.mistake, proof);
        require_consistent(graded, "slip " + slip.mistake, proof);
        ++proof.slips;
    }
    return proof;
}

void prove_seeds(const Rubric& rubric, const Installation& installation, int seeds, const Progress& progress,
                 Proof& proof) {
    ProofGrader grader(installation, {});
    grader.prepare(rubric);
    struct Right {
        std::string name;
        Libraries library;
    };
    progress(fmt::format("assignment {}: building right solutions", rubric.number));
    std::vector<Right> all{{"the reference", {{rubric.number, grader.build_reference(rubric)}}}};
    for (const RightSolution& right : read_proof_submissions(grader.folder_of(rubric)).rights)
        all.push_back({"right: " + right.name,
                       {{rubric.number, grader.build(rubric, right.text, {right.flags, {}, {}})}}});
    for (int seed = 1; seed <= seeds; ++seed) {
        const Right& right = all[static_cast<std::size_t>(seed) % all.size()];
        progress(fmt::format("assignment {}: seed {} of {}: {}", rubric.number, seed, seeds, right.name));
        grader.use_secret_seed(static_cast<std::uint64_t>(seed));
        require_full_marks(grader.grade(rubric, right.library), fmt::format("seed {}: {}", seed, right.name),
                           proof);
        ++proof.seeds;
    }
}

void prove_pairs(const Rubric& rubric, const Installation& installation, std::uint64_t seed, std::size_t most,
                 const Progress& progress, Proof& proof) {
    ProofGrader grader(installation, seed);
    grader.prepare(rubric);
    struct Wrong {
        const Rubric* rubric;
        Slip slip;
        std::shared_ptr<const compile::Build> build = {};
    };
    const auto wrong_ones = [&grader](const Rubric& of) {
        std::vector<Wrong> all;
        for (Slip& slip : read_proof_submissions(grader.folder_of(of)).slips)
            all.push_back({&of, std::move(slip)});
        return all;
    };
    std::vector<Wrong> here = wrong_ones(rubric), there;
    const Builds all({}, grader.rubrics(), installation);
    for (const Rubric* earlier : all.needed_by(rubric)) {
        const bool directly = std::any_of(rubric.parts.begin(), rubric.parts.end(), [&](const auto& part) {
            return std::any_of(part.builds_on.begin(), part.builds_on.end(), [earlier](const auto& name) {
                return earlier->module->find_function(name) != nullptr;
            });
        });
        if (directly) std::ranges::move(wrong_ones(*earlier), std::back_inserter(there));
    }
    std::vector<std::pair<Wrong*, Wrong*>> pairs;
    for (Wrong& first : there)
        for (Wrong& second : here) pairs.emplace_back(&first, &second);
    std::shuffle(pairs.begin(), pairs.end(), std::mt19937_64(seed));
    pairs.resize(std::min(pairs.size(), most));
    for (const auto& [first, second] : pairs) {
        const std::string name = fmt::format("{} in assignment {} with {}", first->slip.mistake,
                                             first->rubric->number, second->slip.mistake);
        progress(fmt::format("assignment {}: pair {} of {}: {}", rubric.number, proof.pairs + 1, pairs.size(),
                             name));
        for (Wrong* wrong : {first, second})
            if (!wrong->build) wrong->build = grader.build(*wrong->rubric, wrong->slip.text);
        const Libraries libraries{{first->rubric->number, first->build}, {rubric.number, second->build}};
        const report::Assignment graded = grader.grade(rubric, libraries);
        require_named(graded, second->slip, name, proof, EarlierNames::allowed);
        require_consistent(graded, name, proof);
        ++proof.pairs;
    }
}

}  // namespace attn::proof
