#include "grader/judge/property.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/ask/inputs.h"
#include "grader/judge/locate.h"
#include "grader/report/numbers.h"

namespace attn::judge {
namespace {

using ask::Precision;
using ask::Relation;

/// The student's outputs of every run, or the first outcome other than passed.
struct Runs {
    Outcome outcome = Outcome::passed;
    std::string message, printed;
    std::vector<Arrays> outputs;
    std::optional<SourceTrace> lines;
};

Arrays as_double(const Arrays& arrays) {
    Arrays result;
    for (const Array& array : arrays) result.push_back(array.cast<double>());
    return result;
}

Runs run_all(const ask::Function& function, const std::vector<Arrays>& inputs, const CallFunction& call) {
    Runs runs;
    for (const Arrays& each : inputs) {
        worker::CallResult result = call(function, each, {}, worker::Placement::ends_at_guard);
        runs.outcome = result.outcome;
        runs.message = result.detail;
        runs.printed = result.printed;
        runs.lines = result.lines;
        if (runs.outcome == Outcome::passed) runs.outcome = inspect(function, result.outputs, runs.message);
        if (runs.outcome != Outcome::passed) return runs;
        runs.outputs.push_back(as_double(result.outputs));
    }
    return runs;
}

std::vector<Arrays> run_reference(const ask::Function& function, const std::vector<Arrays>& inputs,
                                  Precision precision) {
    std::vector<Arrays> outputs;
    for (const Arrays& each : inputs) outputs.push_back(as_double(evaluate(function, each, precision)));
    return outputs;
}

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

report::Check judge_property(const Question& question, const ask::Property& property,
                             const CallFunction& call) {
    const PropertyRun run = run_property(question, property, call);
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

/// Properties show nothing if at least one in this many inputs is ignored.
constexpr std::size_t kIgnoredShare = 4;

/// "Q, K or V". A long list is cut.
std::string any_of(const std::vector<std::string>& words) {
    constexpr std::size_t kMostListed = 4;
    if (words.size() > kMostListed)
        return fmt::format("{} or another of {}",
                           fmt::join(words.begin(), words.begin() + kMostListed - 1, ", "), words.size());
    std::string text;
    for (std::size_t k = 0; k < words.size(); ++k)
        text += (k == 0 ? "" : k + 1 == words.size() ? " or " : ", ") + words[k];
    return text;
}

/// The inputs of the question, then for each of `names` the same inputs with this tensor replaced.
std::vector<Arrays> replacements_for(const Question& question, const std::vector<std::string>& names,
                                     int attempt) {
    std::vector<Arrays> runs{question.make_inputs()};
    const Arrays other = question.make_other_inputs(attempt);
    for (const std::string& name : names)
        runs.push_back(ask::with(runs.front(), name, ask::by_name(other, name)));
    return runs;
}

/// The inputs whose replacement changed no output by more than `rounding` times its largest number.
std::vector<std::string> without_effect(const std::vector<std::string>& names,
                                        const std::vector<Arrays>& outputs, double rounding) {
    std::vector<std::string> found;
    for (std::size_t k = 0; k < names.size(); ++k) {
        bool same = true;
        for (std::size_t o = 0; o < outputs[0].size(); ++o) {
            const Array zeros = Array::zeros<double>("", outputs[0][o].shape);
            same = same && largest_gap(outputs[0][o], outputs[k + 1][o]) <=
                               rounding * largest_gap(outputs[0][o], zeros);
        }
        if (same) found.push_back(names[k]);
    }
    return found;
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
    const auto f32 = experiment.relate(run_reference(*question.function, experiment.runs, Precision::f32));
    const auto f64 = experiment.relate(run_reference(*question.function, experiment.runs, Precision::f64));
    for (std::size_t k = 0; k < run.yours.size(); ++k) {
        const Relation& relation = run.yours[k];
        run.comparisons.push_back(compare(relation.left_values, relation.right_values,
                                          relation.exact ? 0 : rounding_of(f32[k], f64[k]),
                                          question.allowed_yardsticks));
    }
    return run;
}

std::vector<std::string> inputs_with_influence(const Question& question) {
    std::vector<std::string> names;
    for (const Array& input : question.make_inputs())
        if (!input.shape.empty()) names.push_back(input.name);  // an array without axes is an option
    // Some inputs, such as the bias of the keys, change the reference by rounding only. A right answer may
    // ignore them.
    constexpr double kRounding = 1e-9;
    const auto outputs =
        run_reference(*question.function, replacements_for(question, names, 0), Precision::f64);
    for (const std::string& unused : without_effect(names, outputs, kRounding)) std::erase(names, unused);
    return names;
}

std::vector<std::string> ignored_inputs(const Question& question, std::vector<std::string> names,
                                        const CallFunction& call) {
    // A single replacement may have no effect by chance, for example if a length is beyond the end both
    // times.
    constexpr int kAttempts = 3;
    for (int attempt = 0; attempt < kAttempts && !names.empty(); ++attempt) {
        const Runs runs = run_all(*question.function, replacements_for(question, names, attempt), call);
        if (runs.outcome != Outcome::passed) return {};  // the checks of the properties report this failure
        names = without_effect(names, runs.outputs, 0);
    }
    return names;
}

std::vector<report::Check> judge_properties(const Question& question,
                                            const std::vector<const ask::Property*>& properties,
                                            const CallFunction& call) {
    const auto names = inputs_with_influence(question), ignored = ignored_inputs(question, names, call);
    const bool shows_nothing = !ignored.empty() && kIgnoredShare * ignored.size() >= names.size();
    std::vector<report::Check> checks;
    for (const ask::Property* property : properties) {
        checks.push_back(judge_property(question, *property, call));
        if (!shows_nothing || checks.back().outcome != Outcome::passed) continue;
        checks.back().outcome = Outcome::wrong;
        checks.back().message = "It holds, but that shows nothing: the output did not change when " +
                                any_of(ignored) + " was replaced.";
    }
    return checks;
}

}  // namespace attn::judge
