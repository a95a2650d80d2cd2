// Grading from start to end: read the rubric, take in and build the submission, then for every part make
// inputs, call the student's function, compare, explain, and give points.

#include "grader/grading/grade.h"

#include <algorithm>
#include <chrono>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/base/parallel.h"
#include "grader/base/version.h"
#include "grader/compile/builds.h"
#include "grader/diagnosis/inner_calls.h"
#include "grader/grading/asked_part.h"
#include "grader/grading/crash_lines.h"
#include "grader/grading/give_points.h"
#include "grader/grading/handed_in.h"
#include "grader/grading/judge_part.h"
#include "grader/grading/kernel_checks.h"
#include "grader/grading/measure.h"
#include "grader/grading/missing_function.h"
#include "grader/grading/one_mistake.h"
#include "grader/grading/other_causes.h"
#include "grader/grading/private_places.h"
#include "grader/grading/progress_text.h"
#include "grader/grading/questions.h"
#include "grader/grading/shared_mistakes.h"
#include "grader/grading/time_budget.h"
#include "grader/report/findings.h"
#include "grader/rubric/course.h"
#include "grader/rubric/rubric.h"
#include "grader/speed/speed_checks.h"
#include "grader/worker/call_outcome.h"

namespace attn {
namespace {

using rubric::PartRubric;
using rubric::Rubric;

/// Gives wrong answers the names of the mistakes that explain the same function's answers with the `course`'s earlier
/// functions. These answers lack the rounding errors of the student's functions, which a mistake may enlarge.
void name_like(diagnosis::NumericResult& course, const judge::CallFunction& call,
               diagnosis::NumericResult& judged) {
    diagnosis::name_mistakes(course, call);
    for (std::size_t k = 0; k < judged.checks.size(); ++k) {
        if (judged.verdicts[k].outcome != course.verdicts[k].outcome) continue;
        judged.checks[k].diagnosis = course.checks[k].diagnosis;
        judged.mistakes[k] = course.mistakes[k];
    }
}

/// Judges a part. If it fails and builds on earlier functions, judges it again with reference implementations
/// of these.
void judge_with_carry(const Rubric& rubric, const PartRubric& rules, const GradeOptions& options,
                      compile::Builds& builds, const judge::CallFunction& unlocated, TimeBudget& budget,
                      CrashLines& lines, const report::Assignment& before, OwnChecks& own_checks,
                      SharedMistakes& shared, report::Part& part) {
    AskedPart asked(rubric, rules, options.seed, builds, budget, lines);
    Judged judged = ask_part(rubric, rules, options.seed, lines.with_lines(unlocated, rules, {}));
    const auto own = judged.checks();
    const bool failed = std::ranges::any_of(own, [](const auto& c) { return c.outcome != Outcome::passed; });
    // A stub calls nothing. What it was asked counts, too, because a text can mislead its reader.
    const bool is_stub =
        builds.facts_of(rules.source).stubs.contains(rules.function->name) &&
        std::ranges::all_of(own, [](const auto& c) { return c.outcome == Outcome::not_implemented; });
    Carried carried;
    if (failed && !is_stub) {
        carried =
            carry_from_wrong_ones(judged, possible_causes(rubric, rules, before, builds), asked,
                                  [&](const std::string& function) { return own_checks.pass(function); });
        if (carried.forward) {
            judged = std::move(carried.forward->judged);
            part.stand_ins = std::move(carried.forward->stand_ins);
            std::ranges::sort(part.stand_ins, {}, [&](const std::string& function) {
                return std::ranges::find(rules.may_call, function) - rules.may_call.begin();
            });
        }
    }
    part.mistake_charged_at = shared.charge(rubric, rules, options.seed, judged);
    if (!part.mistake_charged_at.empty()) {
        part.checks = judged.checks();
        return;
    }
    const auto in_fresh_process = [&](const ask::Function& function, const Arrays& inputs,
                                      const Names& wanted, worker::Placement placement) {
        worker::Worker worker = builds.worker_for(rubric, rules, part.stand_ins);
        return judge::Student(worker)(function, inputs, wanted, placement);
    };
    const auto explain = [&](const judge::CallFunction& call) {
        if (carried.enlarges_rounding) {
            Judged course = asked.ask(builds.called_among(rubric, rules.may_call));
            name_like(course.numeric, call, judged.numeric);
        }
        if (!diagnosis::is_named(judged.numeric)) diagnosis::name_mistakes(judged.numeric, call);
        add_kept_state(judged.numeric, budget.limited(in_fresh_process, "calls"));
        keep_back(judged.numeric.questions, rules, options.secret);
        diagnosis::illustrate(judged.numeric, call, rubric.hints, budget.searches);
    };
    const auto with_student = [&](const auto& use) {
        if (part.stand_ins.empty())
            use(unlocated);
        else
            asked.with_student(part.stand_ins, use);
    };
    with_student(explain);
    shared.remember(rules.function->name, judged.numeric);
    lines.add_silent_error(rules, part.stand_ins, judged.numeric);
    add_uninitialised(builds.of(rubric).source(rules.source), rules.function->name, judged.numeric);
    // Nothing is said of stand-ins, nor of functions of this file that this one does not call.
    Names left_out = part.stand_ins;
    const auto called = compile::called_from(builds.facts_of(rules.source).calls, rules.function->name);
    for (const ask::Function& each : rubric.module->functions)
        if (!called.contains(each.name)) left_out.push_back(each.name);
    with_student(
        [&](const judge::CallFunction& call) { diagnosis::add_inner_calls(judged.numeric, left_out, call); });
    part.checks = judged.checks();
    for (report::Check& check : part.checks)
        if (check.outcome == Outcome::missing && !check.message.starts_with(worker::kCallsWhatIsMissing))
            if (const std::string instead = instead_of(rules.function->name, rules.source,
                                                       builds.facts_of(rules.source).void_functions);
                !instead.empty())
                check.message += " " + instead;
}

report::Assignment grade_assignment(const Rubric& rubric, const GradeOptions& options,
                                    compile::Builds& builds, compile::Builds& watched,
                                    compile::KernelBuilds& kernels, TimeBudget& budget) {
    const TimeBudget::OwnWork own_work(budget);
    report::Assignment assignment;
    assignment.number = rubric.number;
    assignment.name = rubric.module->name;
    assignment.title = rubric.title;
    assignment.handout =
        (std::filesystem::path("assignments") / rubric.folder.filename() / "README.md").string();

    options.progress(fmt::format("{} {}: compiling", rubric.number, rubric.title));
    const compile::Build& build = [&]() -> const compile::Build& {
        const TimeBudget::Use use(budget, "compiling");
        return builds.of(rubric);
    }();
    assignment.sources = build.sources;

    worker::Worker worker = builds.worker_for(rubric);
    judge::Student student(worker);
    const judge::CallFunction call = budget.limited(std::ref(student), "calls");
    CrashLines lines(watched, rubric, budget);
    OwnChecks own_checks(builds, options.seed, budget);
    SharedMistakes shared;
    for (std::size_t p = 0; p < rubric.parts.size(); ++p) {
        const PartRubric& rules = rubric.parts[p];
        options.progress(progress_text(rubric, p, rules.function->name));
        report::Part part;
        part.function = rules.function->name;
        part.step = rules.step;
        part.builds_on = rules.builds_on;
        if (build.source(rules.source).compiled) {
            judge_with_carry(rubric, rules, options, builds, call, budget, lines, assignment, own_checks,
                             shared, part);
        } else {
            const report::SourceFile& source = build.source(rules.source);
            part.checks = not_compiled(rules.cases, source);
            for (const auto* property : rules.properties)
                part.checks.push_back(
                    not_compiled(property->name, report::CheckKind::property, property->statement, source));
        }
        assignment.parts.push_back(std::move(part));
    }
    add_kernel_checks(rubric, options, kernels, budget, assignment);
    for (std::size_t p = 0; p < assignment.parts.size(); ++p) {
        report::Part& part = assignment.parts[p];
        if (all_passed(part)) continue;
        const auto place = [&](const std::string& file) {
            const auto defined = builds.facts_of(file).definition_lines;
            const auto line = defined.find(part.function);
            return SourceLine{file, line == defined.end() ? 0 : line->second, "", ""};
        };
        part.defined_at = place(rubric.parts[p].source);
        if (rubric.cuda) part.kernels_defined_at = place(rubric.cuda->source);
    }
    std::map<std::string, compile::Calls> calls;
    if (!std::ranges::all_of(assignment.parts, report::all_correct))
        for (const PartRubric& part : rubric.parts)
            calls[part.function->name] = builds.facts_of(part.source).calls;
    add_costs_elsewhere(calls, assignment);
    return assignment;
}

/// Grades several assignments, `options.jobs` at a time. One thread does all the work of an assignment.
std::vector<report::Assignment> grade_all(const std::vector<const Rubric*>& rubrics, GradeOptions options,
                                          compile::Builds& builds, std::vector<TimeBudget>& budgets) {
    std::mutex mutex;
    options.progress = [&mutex, progress = std::move(options.progress)](const std::string& text) {
        const std::lock_guard lock(mutex);
        progress(text);
    };
    compile::KernelBuilds kernels(builds);
    compile::Builds watched = builds.watched();
    std::vector<report::Assignment> graded(rubrics.size());
    in_parallel(rubrics.size(), options.jobs, [&](std::size_t k) {
        graded[k] = grade_assignment(*rubrics[k], options, builds, watched, kernels, budgets[k]);
    });
    return graded;
}

/// The reason why no speed is measured at all. Empty if speed is measured.
std::string no_speed(const GradeOptions& options) {
    return options.speed ? options.installation.no_speed : "--no-speed";
}

/// Adds the checks of speed. Speed is measured only if all numbers are right, and while the grader does
/// nothing else.
void add_speed(const std::vector<const Rubric*>& rubrics, const GradeOptions& options,
               compile::Builds& builds, std::vector<TimeBudget>& budgets,
               std::vector<report::Assignment>& assignments) {
    compile::Builds timed = builds.timed();
    for (std::size_t a = 0; a < rubrics.size(); ++a) {
        for (std::size_t p = 0; p < rubrics[a]->parts.size(); ++p) {
            const TimeBudget::OwnWork own_work(budgets[a]);
            const PartRubric& rules = rubrics[a]->parts[p];
            report::Part& part = assignments[a].parts[p];
            std::vector<report::Check> checks;
            if (const report::Check& first = part.checks.front(); first.outcome == Outcome::not_compiled) {
                checks = speed::unmeasured(rules, first.outcome, first.message);
            } else if (const std::string why = speed::not_measured(rules, part, no_speed(options));
                       !why.empty()) {
                checks = speed::unmeasured(rules, Outcome::skipped, why);
            } else if (const auto refused = budgets[a].refusal()) {
                checks = speed::unmeasured(rules, refused->outcome, refused->detail);
            } else if (rules.speed || rules.growth) {
                options.progress(progress_text(*rubrics[a], p, "speed of " + part.function));
                checks = measure(*rubrics[a], rules, part.stand_ins, timed, options.installation, budgets[a]);
            }
            part.checks.insert(part.checks.end(), checks.begin(), checks.end());
        }
    }
}

/// Where speed is measured, it is measured beside a yardstick, which not every assignment has.
void require_yardsticks(const std::vector<const Rubric*>& selected, const Installation& installation) {
    for (const Rubric* rubric : selected)
        for (const PartRubric& part : rubric->parts)
            if (const std::string& name = rubric->module->name;
                part.speed && !installation.has_yardstick(name))
                throw UserError(fmt::format(
                    "{}: [part.speed] is not offered for {}: assignment {} has no yardstick "
                    "(reference/fast/{}.h)",
                    (rubric->folder / "rubric.toml").string(), part.function->name, rubric->number, name));
}

/// Leaves only the chosen parts in the rubric of the chosen assignment. Throws UserError for a name that it
/// does not have.
void leave_parts(std::vector<Rubric>& rubrics, const GradeOptions& options) {
    for (Rubric& rubric : rubrics) {
        if (options.assignment != rubric.number) continue;
        for (const std::string& name : options.parts)
            if (std::ranges::none_of(rubric.parts,
                                     [&](const auto& part) { return part.function->name == name; }))
                throw UserError(fmt::format("assignment {} has no part '{}'; `grader list` shows its parts",
                                            rubric.number, name));
        std::erase_if(rubric.parts, [&](const PartRubric& part) {
            return std::ranges::find(options.parts, part.function->name) == options.parts.end();
        });
    }
}

bool has_kernels_graded(const report::Assignment& assignment) {
    return std::ranges::any_of(assignment.parts, [](const report::Part& part) {
        return std::ranges::any_of(part.checks, report::is_kernel_check);
    });
}

bool has_speed(const report::Report& report) {
    for (const report::Assignment& assignment : report.assignments)
        for (const report::Part& part : assignment.parts)
            for (const report::Check& check : part.checks)
                if (!report::is_correctness_check(check)) return true;
    return false;
}

report::Report grade_course(const GradeOptions& options, const rubric::Course& course,
                            compile::Builds& builds) {
    const auto start = std::chrono::steady_clock::now();
    report::Report report;
    report.submission = options.submission.string();
    if (options.secret)
        report.seed.reset();
    else
        report.seed = options.seed;
    report.isolation = worker::describe_isolation(options.extra.layers);
    report.grader = version_line(options.installation);

    const auto selected = rubric::rubrics_of(course, builds.rubrics(), options.assignment);
    if (selected.empty())
        throw UserError("there are no assignments in " + options.installation.assignments.string());
    if (no_speed(options).empty()) require_yardsticks(selected, options.installation);
    std::vector<TimeBudget> budgets;
    for (const Rubric* rubric : selected) budgets.emplace_back(rubric->budget_s);
    report.assignments = grade_all(selected, options, builds, budgets);
    add_speed(selected, options, builds, budgets, report.assignments);
    if (std::ranges::any_of(report.assignments, has_kernels_graded))
        report.isolation +=
            "; kernels: the emulator shares their process, so code that reaches into it can hide findings";
    for (std::size_t k = 0; k < selected.size(); ++k)
        set_points(*selected[k], builds.rubrics(), {no_speed(options).empty(), options.secret},
                   report.assignments[k]);
    if (const std::string why = no_speed(options); !why.empty() && has_speed(report))
        report.notes.push_back(fmt::format("speed is not measured ({}), and its points do not count", why));
    for (std::string& note : kernels_left_out(selected, options, builds, report.assignments))
        report.notes.push_back(std::move(note));
    for (report::Assignment& assignment : report.assignments)
        assignment.title = course.at(assignment.number).whole_title;
    report.path = course.path();
    report.next = report::what_next(report);
    report.duration_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

}  // namespace

report::Report grade(const GradeOptions& options) {
    using rubric::SecretCases;
    if (!std::ranges::count(worker::missing_layers(options.extra.layers), worker::Layer::files))
        if (const std::string secret = readable_secret(options.installation, options.seed_file);
            !secret.empty())
            throw UserError(secret);
    auto rubrics = rubric::read_rubrics(options.installation.assignments,
                                        options.secret ? SecretCases::added : SecretCases::left_out);
    if (options.hints)
        for (Rubric& rubric : rubrics) rubric.hints = *options.hints;
    const rubric::Course course =
        rubric::read_course(rubrics, options.installation.assignments, options.course);
    const auto graded = rubric::rubrics_of(course, rubrics, options.assignment);
    HandedIn taken = take_in_sources(options.submission, rubrics, graded);
    require_some_source(options.submission, taken, graded);
    if (!options.parts.empty()) leave_parts(rubrics, options);
    compile::Builds builds(taken.intake.folder, std::move(rubrics), options.installation, options.extra);
    report::Report report = grade_course(options, course, builds);
    report.notes.insert(report.notes.begin(), taken.intake.notes.begin(), taken.intake.notes.end());
    return report;
}

report::Report grade(const GradeOptions& options, compile::Builds& builds) {
    return grade_course(options, rubric::whole_course(builds.rubrics()), builds);
}

}  // namespace attn
