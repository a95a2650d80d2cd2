#include "grader/proof/selfcheck.h"

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/file_error.h"
#include "datasets/temporary_directory.h"
#include "grader/grading/grade.h"

namespace attn::proof {
namespace {

using submission::Builds;
using submission::Rubric;

constexpr std::size_t kLargestClass = 3;

using Libraries = std::map<int, std::shared_ptr<const submission::Build>>;  ///< by assignment

/// Submissions for one assignment, graded beside right solutions of all the others.
class Bench {
  public:
    Bench(const Installation& installation, std::uint64_t seed)
        : installation_(installation),
          seed_(seed),
          rubrics_(submission::read_rubrics(installation.assignments)) {
        for (const Rubric& rubric : rubrics_)
            if (const auto file = folder_of(rubric) / "solution.cpp"; std::filesystem::exists(file))
                folder_.write(rubric.sources.front(), data::read_file(file));
    }

    std::filesystem::path folder_of(const Rubric& rubric) const {
        return installation_.proof_of(rubric.module->name);
    }
    const std::vector<Rubric>& rubrics() const { return rubrics_; }

    /// The library of `text` as this assignment's file.
    std::shared_ptr<const submission::Build> build(const Rubric& rubric, const std::string& text,
                                                   const submission::BuildOptions& extra = {}) const {
        const data::TemporaryDirectory alone;
        alone.write(rubric.sources.front(), text);
        return std::make_shared<submission::Build>(
            submission::build(alone.path(), rubric, installation_, extra));
    }

    /// Grades one assignment with these libraries, by assignment, in place of the solutions'.
    report::Assignment grade(const Rubric& rubric, const Libraries& libraries) const {
        Builds builds(folder_.path(), rubrics_, installation_);
        for (const Libraries& some : {solutions_, libraries})
            for (const auto& [number, build] : some) builds.adopt(number, build);
        GradeOptions options;
        options.submission = folder_.path();
        options.assignment = rubric.number;
        options.seed = seed_;
        options.installation = installation_;
        options.speed = false;
        return attn::grade(options, builds).assignments.at(0);
    }

    /// Builds the solutions of what an assignment builds on once, for all submissions to come.
    void prepare(const Rubric& rubric) {
        const Builds builds(folder_.path(), rubrics_, installation_);
        for (const Rubric* needed : builds.needed_by(rubric))
            solutions_[needed->number] = build(*needed, data::read_file(folder_of(*needed) / "solution.cpp"));
    }

  private:
    Installation installation_;
    std::uint64_t seed_;
    std::vector<Rubric> rubrics_;
    data::TemporaryDirectory folder_;
    Libraries solutions_;
};

/// The first failure of an assignment in a few words.
std::string first_failure(const report::Assignment& assignment) {
    for (const report::SourceFile& source : assignment.sources)
        if (!source.compiled) return source.messages.substr(0, source.messages.find('\n'));
    for (const report::Part& part : assignment.parts)
        for (const report::Check& check : part.checks)
            if (check.outcome != Outcome::passed && !report::is_left_out(check))
                return fmt::format("{} is {}: {}", check.id, in_words(check.outcome), check.message);
    return "nothing failed";
}

void require_full_marks(const report::Assignment& graded, const std::string& who, Proof& proof) {
    if (graded.points == graded.max_points && graded.points > 0) return;
    proof.faults.push_back(fmt::format("{} gets {:g} of {:g} points: {}", who, graded.points,
                                       graded.max_points, first_failure(graded)));
}

std::set<std::string> names_in(const report::Part& part) {
    std::set<std::string> names;
    for (const report::Check& check : part.checks)
        if (check.diagnosis) names.insert(check.diagnosis->mistakes.begin(), check.diagnosis->mistakes.end());
    return names;
}

/// Whether an earlier mistake may be named beside one, as what it amounts to here.
enum class Company { no, yes };

/// Every name is the mistake's, alone or with another's, and one is its alone.
bool named_in_company(const std::set<std::string>& names, const std::string& mistake) {
    const auto holds_it = [&mistake](const std::string& name) {
        return name == mistake || name.starts_with(mistake + "+") || name.ends_with("+" + mistake);
    };
    return names.contains(mistake) && std::all_of(names.begin(), names.end(), holds_it);
}

/// The slip's part loses points and names the mistake; parts before it lose none.
void require_named(const report::Assignment& graded, const Slip& slip, const std::string& who, Proof& proof,
                   Company company = Company::no) {
    for (const report::Part& part : graded.parts) {
        if (part.function != slip.part) {
            if (part.points < part.max_points)
                proof.faults.push_back(fmt::format("{}: {} comes before {} and loses points: {}", who,
                                                   part.function, slip.part, first_failure(graded)));
            continue;
        }
        std::set<std::string> due(slip.alike.begin(), slip.alike.end());
        due.insert(slip.mistake);
        const auto names = names_in(part);
        if (part.points == part.max_points)
            proof.faults.push_back(fmt::format("{}: {} keeps all its points", who, slip.part));
        else if (company == Company::yes && names.empty() && part.stand_ins.empty())
            ++proof.unnamed_pairs;  // together they pass checks that the later one alone does not
        else if (!(names == due || (company == Company::yes && named_in_company(names, slip.mistake))))
            proof.faults.push_back(fmt::format("{}: {} is called [{}], not [{}]; {}", who, slip.part,
                                               fmt::join(names, ", "), fmt::join(due, ", "),
                                               first_failure(graded)));
        return;
    }
    proof.faults.push_back(fmt::format("{}: there is no part {}", who, slip.part));
}

/// The matrix: who is caught and named, what each case is for.
void look_at_matrix(const Rubric& rubric, std::uint64_t seed, Proof& proof) {
    proof.parts = kill_matrix(rubric, seed);
    for (std::size_t k = 0; k < rubric.module->mistakes.size(); ++k) {
        const std::string& name = rubric.module->mistakes[k].name;
        proof.mistakes.push_back(name);
        proof.names.push_back(names_of(proof.parts, name, k));
        if (std::none_of(proof.parts.begin(), proof.parts.end(),
                         [k](const PartMatrix& part) { return part.suffers(k); }))
            proof.faults.push_back(fmt::format("{} passes every check", name));
    }
    for (const PartMatrix& part : proof.parts)
        for (std::size_t c = 0; c < part.columns.size(); ++c)
            if (!part.columns[c].property && part.first_to_kill(c) == 0 && part.columns[c].why.empty())
                proof.faults.push_back(fmt::format(
                    "{}, case {}: kills no mistake that an earlier case does not; remove it or say `why`",
                    part.function, part.columns[c].name));
    constexpr int kHalf = 11, kBfloat16 = 8;
    for (const int bits : {kHalf, kBfloat16})
        for (const std::string& function : pass_when_rounded(rubric, seed, bits))
            proof.faults.push_back(fmt::format("{} passes when rounded to {} bits", function, bits));
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
    const auto say = [&](const std::string& what) {
        progress(fmt::format("assignment {}: {}", rubric.number, what));
    };
    say("every mistake against every check");
    look_at_matrix(rubric, seed, proof);

    Bench bench(installation, seed);
    bench.prepare(rubric);
    const ProofSubmissions submissions = read_proof_submissions(bench.folder_of(rubric));
    require_every_mistake_made(submissions, proof);

    say("stubs and the reference");
    const auto stubs = data::read_file(installation.sources / "student" / rubric.sources.front());
    const report::Assignment nothing = bench.grade(rubric, {{rubric.number, bench.build(rubric, stubs)}});
    if (nothing.points != 0) proof.faults.push_back(fmt::format("the stubs get {:g} points", nothing.points));
    for (const report::Part& part : nothing.parts)
        if (!report::not_started(part))
            proof.faults.push_back(fmt::format("the stub of {} is not called unwritten", part.function));
    const submission::BuildOptions with_reference{
        {"-I" + installation.sources.string()}, {installation.reference}, {}};
    const auto reference = data::read_file(installation.reference_submission(rubric.module->name));
    require_full_marks(bench.grade(rubric, {{rubric.number, bench.build(rubric, reference, with_reference)}}),
                       "the reference", proof);

    for (const Right& right : drawn(submissions.rights, sample)) {
        say("right: " + right.name);
        const auto graded =
            bench.grade(rubric, {{rubric.number, bench.build(rubric, right.text, {right.flags, {}, {}})}});
        require_full_marks(graded, "right: " + right.name, proof);
        ++proof.rights;
    }
    for (const Slip& slip : drawn(submissions.slips, sample)) {
        say("slip: " + slip.mistake);
        const auto graded = bench.grade(rubric, {{rubric.number, bench.build(rubric, slip.text)}});
        require_named(graded, slip, "slip " + slip.mistake, proof);
        ++proof.slips;
    }
    return proof;
}

void prove_pairs(const Rubric& rubric, const Installation& installation, std::uint64_t seed, std::size_t most,
                 const Progress& progress, Proof& proof) {
    Bench bench(installation, seed);
    bench.prepare(rubric);
    struct Wrong {
        const Rubric* rubric;
        Slip slip;
        std::shared_ptr<const submission::Build> build = {};
    };
    const auto wrong_ones = [&bench](const Rubric& of) {
        std::vector<Wrong> all;
        for (Slip& slip : read_proof_submissions(bench.folder_of(of)).slips)
            all.push_back({&of, std::move(slip)});
        return all;
    };
    std::vector<Wrong> here = wrong_ones(rubric), there;
    const Builds all({}, bench.rubrics(), installation);
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
        const std::string who = fmt::format("{} in assignment {} with {}", first->slip.mistake,
                                            first->rubric->number, second->slip.mistake);
        progress(fmt::format("assignment {}: pair {} of {}: {}", rubric.number, proof.pairs + 1, pairs.size(),
                             who));
        for (Wrong* wrong : {first, second})
            if (!wrong->build) wrong->build = bench.build(*wrong->rubric, wrong->slip.text);
        const Libraries libraries{{first->rubric->number, first->build}, {rubric.number, second->build}};
        require_named(bench.grade(rubric, libraries), second->slip, who, proof, Company::yes);
        ++proof.pairs;
    }
}

}  // namespace attn::proof
