// The whole story on one page: read the rubric, take in and build the submission, then for every part make
// inputs, ask the student's function, compare, explain, and give points.

#include "grader/grading/grade.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/base/parallel.h"
#include "grader/build/builds.h"
#include "grader/grading/carry_forward.h"
#include "grader/grading/give_points.h"
#include "grader/grading/judge_part.h"
#include "grader/grading/kernel_checks.h"
#include "grader/grading/measure.h"
#include "grader/grading/questions.h"
#include "grader/grading/speed_checks.h"
#include "grader/intake/intake.h"
#include "grader/report/next_step.h"
#include "grader/rubric/rubric.h"

namespace attn {
namespace {

using submission::PartRubric;
using submission::Rubric;

/// Judges a part; where it fails and builds on earlier ones, once more with the reference's behind it.
void judge_with_carry(const Rubric& rubric, const PartRubric& rules, const GradeOptions& options,
                      submission::Builds& builds, const judge::Ask& ask, report::Part& part) {
    using Names = std::vector<std::string>;
    std::map<Names, Judged> judged;
    judged[{}] = judge_part(rubric, rules, options.seed, ask);
    const auto judge_again = [&](const Names& stand_ins) {
        worker::Worker worker = builds.worker_for(rubric, rules, stand_ins);
        judge::Student student(worker);
        return (judged[stand_ins] = judge_part(rubric, rules, options.seed, std::ref(student))).checks();
    };
    if (auto carried = carry_forward(judged[{}].checks(), rules.builds_on, judge_again)) {
        part.stand_ins = std::move(carried->stand_ins);
        worker::Worker worker = builds.worker_for(rubric, rules, part.stand_ins);
        judge::Student student(worker);
        judge::illustrate(judged[part.stand_ins].numeric, std::ref(student));
    } else {
        judge::illustrate(judged[{}].numeric, ask);
    }
    part.checks = judged[part.stand_ins].checks();
}

/// Which functions pay for what was stood in for. Each of these may be right but for an earlier one itself.
std::vector<std::string> who_pays(const report::Part& part, const report::Assignment& here,
                                  const std::vector<Rubric>& rubrics) {
    std::vector<std::string> payers;
    const auto add = [&payers](const std::string& name) {
        if (std::find(payers.begin(), payers.end(), name) == payers.end()) payers.push_back(name);
    };
    for (const std::string& function : part.stand_ins) {
        const auto found = std::find_if(here.parts.begin(), here.parts.end(),
                                        [&function](const auto& each) { return each.function == function; });
        if (found == here.parts.end()) {
            for (const Rubric& rubric : rubrics)
                if (rubric.module->find_function(function) != nullptr)
                    add(fmt::format("{} (assignment {})", function, rubric.number));
        } else if (!report::all_correct(*found)) {
            add(function);
        } else {
            for (const std::string& payer : found->charged_at) add(payer);
        }
    }
    return payers;
}

report::Assignment grade_assignment(const Rubric& rubric, const GradeOptions& options,
                                    submission::Builds& builds, submission::KernelBuilds& kernels) {
    report::Assignment assignment;
    assignment.number = rubric.number;
    assignment.name = rubric.module->name;
    assignment.title = rubric.title;
    assignment.handout =
        (std::filesystem::path("assignments") / rubric.folder.filename() / "README.md").string();

    options.progress(fmt::format("assignment {}: compiling", rubric.number));
    const submission::Build& build = builds.of(rubric);
    assignment.sources = build.sources;

    worker::Worker worker = builds.worker_for(rubric);
    judge::Student student(worker);
    for (const PartRubric& rules : rubric.parts) {
        options.progress(fmt::format("assignment {}: {}", rubric.number, rules.function->name));
        report::Part part;
        part.function = rules.function->name;
        part.step = rules.step;
        if (build.source(rules.source).compiled) {
            judge_with_carry(rubric, rules, options, builds, std::ref(student), part);
        } else {
            const report::SourceFile& source = build.source(rules.source);
            part.checks = not_compiled(rules.cases, source);
            for (const auto* property : rules.properties)
                part.checks.push_back(
                    not_compiled(property->name, report::CheckKind::property, property->statement, source));
        }
        assignment.parts.push_back(std::move(part));
    }
    add_kernel_checks(rubric, options, kernels, assignment);
    return assignment;
}

/// Grades several assignments, `jobs` at a time: a thread compiles, asks and judges one after the other.
std::vector<report::Assignment> grade_all(const std::vector<const Rubric*>& rubrics, GradeOptions options,
                                          submission::Builds& builds) {
    std::mutex turn;
    options.progress = [&turn, tell = std::move(options.progress)](const std::string& what) {
        const std::lock_guard lock(turn);
        tell(what);
    };
    submission::KernelBuilds kernels(builds);
    std::vector<report::Assignment> graded(rubrics.size());
    in_parallel(rubrics.size(), options.jobs,
                [&](std::size_t k) { graded[k] = grade_assignment(*rubrics[k], options, builds, kernels); });
    return graded;
}

/// Why no speed is measured at all; empty where it is.
std::string no_speed(const GradeOptions& options) {
    return options.speed ? options.installation.no_speed : "--no-speed";
}

/// Why a part's speed is not measured; empty where it is. `at_all`: see no_speed.
std::string not_measured(const report::Part& part, const std::string& at_all) {
    if (!at_all.empty()) return "Not measured: " + at_all + ".";
    if (!part.stand_ins.empty())
        return fmt::format("Not measured: first {} has to be right.", fmt::join(part.stand_ins, " and "));
    return report::all_correct(part) ? "" : "Not measured: first the numbers have to be right.";
}

/// Adds the checks of speed, which is measured only where all numbers are right, with nothing else at work.
void add_speed(const std::vector<const Rubric*>& rubrics, const GradeOptions& options,
               submission::Builds& builds, std::vector<report::Assignment>& assignments) {
    submission::Builds timed = builds.timed();
    for (std::size_t a = 0; a < rubrics.size(); ++a) {
        for (std::size_t p = 0; p < rubrics[a]->parts.size(); ++p) {
            const PartRubric& rules = rubrics[a]->parts[p];
            report::Part& part = assignments[a].parts[p];
            std::vector<report::Check> checks;
            if (const report::Check& first = part.checks.front(); first.outcome == Outcome::not_compiled) {
                checks = unmeasured(rules, first.outcome, first.message);
            } else if (const std::string why = not_measured(part, no_speed(options)); !why.empty()) {
                checks = unmeasured(rules, Outcome::skipped, why);
            } else if (rules.speed || rules.growth) {
                options.progress(
                    fmt::format("assignment {}: speed of {}", rubrics[a]->number, part.function));
                checks = measure(*rubrics[a], rules, timed, options.installation);
            }
            part.checks.insert(part.checks.end(), checks.begin(), checks.end());
        }
    }
}

/// Points of all parts, who may see what, and who pays for what was stood in for.
void add_points(const Rubric& rubric, const GradeOptions& options, const std::vector<Rubric>& rubrics,
                report::Assignment& assignment) {
    assignment.total_always = rubric.total_always;
    const Counted counted{no_speed(options).empty(), kernels_count(rubric, assignment)};
    for (std::size_t p = 0; p < rubric.parts.size(); ++p) {
        report::Part& part = assignment.parts[p];
        give_points(rubric, rubric.parts[p], counted, part);
        for (report::Check& check : part.checks)
            check.disclosure = rubric.parts[p].disclosure_of(check.name, options.secret);
        part.charged_at = who_pays(part, assignment, rubrics);
        assignment.points += part.points;
        assignment.max_points += part.max_points;
    }
}

/// Where speed is measured, it is measured beside a yardstick, which not every assignment has.
void require_yardsticks(const std::vector<const Rubric*>& asked, const Installation& installation) {
    for (const Rubric* rubric : asked)
        for (const PartRubric& part : rubric->parts)
            if (const std::string& name = rubric->module->name;
                part.speed && !std::filesystem::exists(installation.yardstick_of(name)))
                throw UserError(fmt::format(
                    "{}: [part.speed] is not offered for {}: assignment {} has no yardstick "
                    "(reference/fast/{}.h)",
                    (rubric->folder / "rubric.toml").string(), part.function->name, rubric->number, name));
}

bool has_speed(const report::Report& report) {
    for (const report::Assignment& assignment : report.assignments)
        for (const report::Part& part : assignment.parts)
            for (const report::Check& check : part.checks)
                if (!report::is_correctness_check(check)) return true;
    return false;
}

}  // namespace

report::Report grade(const GradeOptions& options) {
    using submission::SecretCases;
    auto rubrics = submission::read_rubrics(options.installation.assignments,
                                            options.secret ? SecretCases::added : SecretCases::left_out);
    const submission::Intake taken = submission::take_in(options.submission);
    submission::Builds builds(taken.folder, std::move(rubrics), options.installation, options.extra);
    report::Report report = grade(options, builds);
    report.notes.insert(report.notes.begin(), taken.notes.begin(), taken.notes.end());
    return report;
}

report::Report grade(const GradeOptions& options, submission::Builds& builds) {
    const auto start = std::chrono::steady_clock::now();
    report::Report report;
    report.submission = options.submission.string();
    if (options.secret)
        report.seed.reset();
    else
        report.seed = options.seed;
    report.isolation = worker::describe_isolation(options.extra.layers);

    std::vector<const Rubric*> asked;
    for (const Rubric& rubric : builds.rubrics())
        if (!options.assignment || *options.assignment == rubric.number) asked.push_back(&rubric);
    if (no_speed(options).empty()) require_yardsticks(asked, options.installation);
    report.assignments = grade_all(asked, options, builds);
    add_speed(asked, options, builds, report.assignments);
    for (std::size_t k = 0; k < asked.size(); ++k)
        add_points(*asked[k], options, builds.rubrics(), report.assignments[k]);
    if (report.assignments.empty()) {
        throw UserError(
            options.assignment
                ? fmt::format("there is no assignment {}; `grader list` shows them", *options.assignment)
                : "there are no assignments in " + options.installation.assignments.string());
    }
    if (const std::string why = no_speed(options); !why.empty() && has_speed(report))
        report.notes.push_back(fmt::format("speed is not measured ({}), and its points do not count", why));
    for (std::string& note : kernels_left_out(asked, options, builds, report.assignments))
        report.notes.push_back(std::move(note));
    report.next = report::next_step(report).value_or("nothing left to do here. Well done.");
    report.duration_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

}  // namespace attn
