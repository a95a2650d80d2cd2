#include "grader/judge/property.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/ask/inputs.h"
#include "grader/base/listed_in_words.h"
#include "grader/judge/influence.h"
#include "grader/judge/locate.h"
#include "grader/report/numbers.h"
#include "grader/report/text.h"

namespace attn::judge {
namespace {

using ask::Precision;
using ask::Relation;

double largest_gap(const Array& a, const Array& b) {
    double largest = 0;
    for (std::size_t k = 0; k < a.count(); ++k)
        largest = std::max(largest, std::abs(a.as<double>()[k] - b.as<double>()[k]));
    return largest;
}

/// The rounding error of a relation: by how much the plain loops miss it in float and in double, plus the
/// yardsticks of both sides.
double rounding_of(const Relation& f32, const Relation& f64) {
    return largest_gap(f32.left_values, f32.right_values) + largest_gap(f64.left_values, f64.right_values) +
           judge::yardstick_of(f64.left_values, f32.left_values) +
           judge::yardstick_of(f64.right_values, f32.right_values);
}

/// Records in `check` that a relation does not hold.
void describe_failure(const Relation& relation, const Comparison& comparison, double allowed,
                      report::Check& check) {
    const auto index = index_of(comparison.worst, relation.left_values.shape);
    const std::string place = detail::join(index.data(), static_cast<int>(index.size()), '(', ')');
    check.outcome = Outcome::wrong;
    const double left = relation.left_values.as<double>()[comparison.worst],
                 right = relation.right_values.as<double>()[comparison.worst];
    const int digits = report::digits_that_differ(left, right, 6);
    const std::string expected = fmt::format("{:.{}g}", right, digits);
    check.message =
        fmt::format("At {} {} is {:.{}g}, {}.", place, relation.left, left, digits,
                    expected == relation.right ? "but must be " + expected
                                               : fmt::format("but {} is {}", relation.right, expected));
    check.difference = report::Difference{
        check.message, relation.left, index, left, right, comparison.error_yardsticks, allowed};
}

report::Check check_of_run(const Question& question, const ask::Property& property, const PropertyRun& run) {
    report::Check check;
    check.name = property.name;
    check.kind = report::CheckKind::property;
    check.about = property.statement;
    check.outcome = run.outcome;
    check.message = run.message;
    check.printed = run.printed;
    check.lines = run.lines;
    for (std::size_t k = 0; k < run.comparisons.size() && check.outcome == Outcome::passed; ++k)
        if (!run.comparisons[k].ok)
            describe_failure(run.yours[k], run.comparisons[k], question.allowed_yardsticks, check);
    return check;
}

/// "Q, K or V". A long list is cut.
std::string any_of(const std::vector<std::string>& words) {
    constexpr std::size_t kMostListed = 4;
    if (words.size() > kMostListed)
        return fmt::format("{} or another of {}",
                           fmt::join(words.begin(), words.begin() + kMostListed - 1, ", "), words.size());
    return listed_in_words(words, "or");
}

/// The dependence of an output that these inputs lack.
std::string in_words(const std::vector<Influence>& all, const std::vector<std::string>& missing,
                     const std::string& output) {
    const bool elsewhere = std::ranges::any_of(all, [&](const Influence& each) {
        return each.output == output && each.elsewhere && std::ranges::count(missing, each.input) > 0;
    });
    return elsewhere ? fmt::format("{} changes other elements of {} than it should.", any_of(missing), output)
                     : fmt::format("{} depends too little on {}.", output, any_of(missing));
}

/// The outputs that the relations compare: if one of them changes, a relation changes. All of them if no
/// relation changes, because they only ask whether numbers are far enough apart.
std::vector<std::string> compared_outputs(const ask::Experiment& experiment,
                                          const std::vector<Arrays>& outputs) {
    const auto before = experiment.relate(outputs);
    std::vector<std::string> compared, all;
    for (std::size_t o = 0; o < outputs.front().size(); ++o) {
        std::vector<Arrays> changed = outputs;
        double count = 0;
        for (Arrays& run : changed)
            run[o] = ask::map(run[o], [&count](double x) { return 1 - 2 * x + ++count; });
        const auto after = experiment.relate(changed);
        const bool differs = !std::ranges::equal(before, after, [](const Relation& a, const Relation& b) {
            return a.left_values.values == b.left_values.values &&
                   a.right_values.values == b.right_values.values;
        });
        all.push_back(outputs.front()[o].name);
        if (differs) compared.push_back(all.back());
    }
    return compared.empty() ? all : compared;
}

}  // namespace

PropertyRun run_property(const Question& question, const ask::Property& property, const CallFunction& call) {
    ask::Random random(question.seed, question.function->name + "." + property.name);
    const ask::Experiment experiment = property.design(question.make_inputs(), random);
    const Runs runs = run_all(*question.function, experiment.runs, call);
    PropertyRun run{runs.outcome, runs.message, runs.printed, experiment.runs, {}};
    run.lines = runs.lines;
    if (run.outcome != Outcome::passed) return run;
    run.yours = experiment.relate(runs.outputs);
    const auto truth = run_reference(*question.function, experiment.runs, Precision::f64);
    const auto f64 = experiment.relate(truth);
    const auto f32 = experiment.relate(run_reference(*question.function, experiment.runs, Precision::f32));
    run.outputs = compared_outputs(experiment, truth);
    for (std::size_t k = 0; k < run.yours.size(); ++k) {
        const Relation& relation = run.yours[k];
        run.comparisons.push_back(compare(relation.left_values, relation.right_values,
                                          relation.exact ? 0 : rounding_of(f32[k], f64[k]),
                                          question.allowed_yardsticks));
    }
    return run;
}

std::vector<report::Check> judge_properties(const Question& question,
                                            const std::vector<const ask::Property*>& properties,
                                            const CallFunction& call) {
    Runs failed;
    const std::vector<Influence> influences = influences_on(question, call, failed);
    std::vector<report::Check> checks;
    for (const ask::Property* property : properties) {
        const PropertyRun run = run_property(question, *property, call);
        report::Check& check = checks.emplace_back(check_of_run(question, *property, run));
        if (check.outcome != Outcome::passed) continue;
        if (failed.outcome != Outcome::passed) {
            check.outcome = failed.outcome;
            check.message = failed.message;
            check.printed = failed.printed;
            check.lines = failed.lines;
        }
        for (const std::string& output : run.outputs) {
            const auto missing = missing_influences(influences, output);
            if (missing.empty() || check.outcome != Outcome::passed) continue;
            check.outcome = Outcome::wrong;
            check.message =
                "Not counted: it holds, but shows nothing, because " + in_words(influences, missing, output);
        }
    }
    return checks;
}

}  // namespace attn::judge
