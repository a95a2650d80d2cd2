#include "grader/judge/property.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/ask/inputs.h"
#include "grader/judge/locate.h"

namespace attn::judge {
namespace {

using ask::Precision;
using ask::Relation;

/// The student's outputs of every run, or the first outcome that is none.
struct Runs {
    Outcome outcome = Outcome::passed;
    std::string message, printed;
    std::vector<Arrays> outputs;
};

Arrays as_double(const Arrays& arrays) {
    Arrays result;
    for (const Array& array : arrays) result.push_back(array.cast<double>());
    return result;
}

Runs run_all(const ask::Function& function, const std::vector<Arrays>& inputs, const Ask& ask) {
    Runs runs;
    for (const Arrays& each : inputs) {
        worker::CallResult result = ask(function, each, {}, worker::Placement::ends_at_guard);
        runs.outcome = result.outcome;
        runs.message = result.detail;
        runs.printed = result.printed;
        if (runs.outcome == Outcome::passed) runs.outcome = inspect(result.outputs, runs.message);
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

/// How far the plain loops in float miss the relation, and miss themselves in double, plus one rounding.
double rounding_of(const Relation& f32, const Relation& f64) {
    return largest_gap(f32.left_values, f32.right_values) + largest_gap(f64.left_values, f64.right_values) +
           judge::yardstick_of(f64.left_values, f32.left_values) +
           judge::yardstick_of(f64.right_values, f32.right_values);
}

/// What the first pair that does not agree has to say.
void tell(const Relation& relation, const Comparison& comparison, double allowed, report::Check& check) {
    const auto index = index_of(comparison.worst, relation.left_values.shape);
    const std::string place = detail::join(index.data(), static_cast<int>(index.size()), '(', ')');
    check.outcome = Outcome::wrong;
    const std::string due = fmt::format("{:.6g}", relation.right_values.as<double>()[comparison.worst]);
    check.message = fmt::format(
        "At {} {} is {:.6g}, {}.", place, relation.left, relation.left_values.as<double>()[comparison.worst],
        due == relation.right ? "but has to be " + due : fmt::format("but {} is {}", relation.right, due));
    check.difference = report::Difference{check.message,
                                          relation.left,
                                          index,
                                          relation.left_values.as<double>()[comparison.worst],
                                          relation.right_values.as<double>()[comparison.worst],
                                          comparison.error_yardsticks,
                                          allowed};
}

report::Check judge_property(const Question& question, const ask::Property& property, const Ask& ask) {
    const Trial trial = try_property(question, property, ask);
    report::Check check;
    check.name = property.name;
    check.kind = report::CheckKind::property;
    check.about = property.statement;
    check.outcome = trial.outcome;
    check.message = trial.message;
    check.printed = trial.printed;
    for (std::size_t k = 0; k < trial.comparisons.size() && check.outcome == Outcome::passed; ++k)
        if (!trial.comparisons[k].ok)
            tell(trial.yours[k], trial.comparisons[k], question.allowed_yardsticks, check);
    return check;
}

/// An output that ignores one input in so many, or more, has symmetries for the asking.
constexpr std::size_t kFewIgnored = 4;

/// "Q, K or V"; of many only the first.
std::string list(const std::vector<std::string>& words) {
    constexpr std::size_t kTold = 4;
    if (words.size() > kTold)
        return fmt::format("{} or another of {}", fmt::join(words.begin(), words.begin() + kTold - 1, ", "),
                           words.size());
    std::string text;
    for (std::size_t k = 0; k < words.size(); ++k)
        text += (k == 0 ? "" : k + 1 == words.size() ? " or " : ", ") + words[k];
    return text;
}

/// The question's inputs, and the same with one of the tensors `names` after the other replaced by others.
std::vector<Arrays> replacements_for(const Question& question, const std::vector<std::string>& names,
                                     int attempt) {
    std::vector<Arrays> runs{question.make_inputs()};
    const Arrays other = question.make_other_inputs(attempt);
    for (const std::string& name : names)
        runs.push_back(ask::with(runs.front(), name, ask::by_name(other, name)));
    return runs;
}

/// Those that move no output by more than `rounding` times its largest number.
std::vector<std::string> silent_among(const std::vector<std::string>& names,
                                      const std::vector<Arrays>& outputs, double rounding) {
    std::vector<std::string> silent;
    for (std::size_t k = 0; k < names.size(); ++k) {
        bool same = true;
        for (std::size_t o = 0; o < outputs[0].size(); ++o) {
            const Array zeros = Array::zeros<double>("", outputs[0][o].shape);
            same = same && largest_gap(outputs[0][o], outputs[k + 1][o]) <=
                               rounding * largest_gap(outputs[0][o], zeros);
        }
        if (same) silent.push_back(names[k]);
    }
    return silent;
}

}  // namespace

Trial try_property(const Question& question, const ask::Property& property, const Ask& ask) {
    ask::Random random(question.seed, question.function->name + "." + property.name);
    const ask::Experiment experiment = property.design(question.make_inputs(), random);
    const Runs runs = run_all(*question.function, experiment.runs, ask);
    Trial trial{runs.outcome, runs.message, runs.printed, experiment.runs, {}};
    if (trial.outcome != Outcome::passed) return trial;
    trial.yours = experiment.relate(runs.outputs);
    const auto f32 = experiment.relate(run_reference(*question.function, experiment.runs, Precision::f32));
    const auto f64 = experiment.relate(run_reference(*question.function, experiment.runs, Precision::f64));
    for (std::size_t k = 0; k < trial.yours.size(); ++k) {
        const Relation& relation = trial.yours[k];
        trial.comparisons.push_back(compare(relation.left_values, relation.right_values,
                                            relation.exact ? 0 : rounding_of(f32[k], f64[k]),
                                            question.allowed_yardsticks));
    }
    return trial;
}

std::vector<std::string> inputs_with_influence(const Question& question) {
    std::vector<std::string> names;
    for (const Array& input : question.make_inputs())
        if (!input.shape.empty()) names.push_back(input.name);  // what has no axes is an option
    // A key's bias, for one, moves the reference by its rounding only: a right answer may leave it out.
    constexpr double kRounding = 1e-9;
    const auto outputs =
        run_reference(*question.function, replacements_for(question, names, 0), Precision::f64);
    for (const std::string& silent : silent_among(names, outputs, kRounding)) std::erase(names, silent);
    return names;
}

std::vector<std::string> ignored_inputs(const Question& question, std::vector<std::string> names,
                                        const Ask& ask) {
    // One replacement may change nothing by chance: a length that is beyond the end both times.
    constexpr int kAttempts = 3;
    for (int attempt = 0; attempt < kAttempts && !names.empty(); ++attempt) {
        const Runs runs = run_all(*question.function, replacements_for(question, names, attempt), ask);
        if (runs.outcome != Outcome::passed) return {};  // the properties run into it, too, and say it better
        names = silent_among(names, runs.outputs, 0);
    }
    return names;
}

std::vector<report::Check> judge_properties(const Question& question,
                                            const std::vector<const ask::Property*>& properties,
                                            const Ask& ask) {
    const auto due = inputs_with_influence(question), ignored = ignored_inputs(question, due, ask);
    const bool shows_nothing = !ignored.empty() && kFewIgnored * ignored.size() >= due.size();
    std::vector<report::Check> checks;
    for (const ask::Property* property : properties) {
        checks.push_back(judge_property(question, *property, ask));
        if (!shows_nothing || checks.back().outcome != Outcome::passed) continue;
        checks.back().outcome = Outcome::wrong;
        checks.back().message = "It holds, but shows nothing: the output stayed the same when " +
                                list(ignored) + " was replaced.";
    }
    return checks;
}

}  // namespace attn::judge
