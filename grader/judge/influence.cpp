#include "grader/judge/influence.h"

#include <algorithm>
#include <cmath>

#include "grader/ask/inputs.h"

namespace attn::judge {
namespace {

using ask::Precision;

/// An output depends on too few inputs if at least one in this many has too little influence.
constexpr std::size_t kMissingShare = 4;

/// A single replacement may have no effect by chance, for example if a length is beyond the end both times.
constexpr int kReplacements = 3;

/// Two answers, as arrays of double.
struct Change {
    const Array &before, &after;

    /// 0 unless both numbers are finite.
    double at(std::size_t k) const {
        const double change = std::abs(after.as<double>()[k] - before.as<double>()[k]);
        return std::isfinite(change) ? change : 0;
    }
};

/// The reference's outputs for some inputs.
struct Truth {
    Arrays f64, f32;
};

Truth truth_of(const ask::Function& function, const Arrays& inputs) {
    return {run_reference(function, {inputs}, Precision::f64).front(),
            run_reference(function, {inputs}, Precision::f32).front()};
}

/// Sums of changes: those of the reference, and how much of them the student's outputs make.
struct Sums {
    double due = 0, made = 0;
    double elsewhere = 0;  ///< changes of the student's elements that do not change in the reference

    /// Adds the changes of one output. `rounding`: the allowed error of a change.
    void add(const Change& reference, const Change& yours, double rounding, bool is_whole) {
        for (std::size_t k = 0; k < reference.before.count(); ++k) {
            if (is_whole) {  // they follow from decisions, which a wrong answer takes elsewhere
                due += kLeastInfluence * reference.at(k) > rounding ? 1 : 0;
                made += yours.at(k) > 0 ? 1 : 0;
            } else if (const double change = reference.at(k); kLeastInfluence * change > rounding) {
                due += change;
                made += std::min(change, yours.at(k));
            } else if (kLeastInfluence * yours.at(k) > rounding) {
                elsewhere += yours.at(k);
            }
        }
    }

    double share() const { return std::min(1.0, made / due); }
    bool is_elsewhere() const { return elsewhere >= kLeastInfluence * due; }
    bool settled() const { return due > 0 && made >= kLeastInfluence * due; }
};

Array reversed(const Array& array) {
    Array result = array;
    std::ranges::reverse(result.as<double>());
    return result;
}

/// Measures one input after the other.
class Meter {
  public:
    Meter(const Question& question, const CallFunction& call)
        : question_(question),
          call_(call),
          inputs_(question.make_inputs()),
          truth_(truth_of(function(), inputs_)) {}

    /// Asks the student about the question's own inputs. False if this failed.
    bool begin(Runs& failed) { return answered(inputs_, {}, yours_, failed); }

    /// The influences of this input. False if a call failed.
    bool add(const std::string& input, std::vector<Influence>& all, Runs& failed) const {
        std::vector<Sums> sums(truth_.f64.size());
        for (int k = 0; k < kReplacements && !is_settled(sums); ++k) {
            Arrays other = ask::with(inputs_, input, ask::by_name(question_.make_other_inputs(k), input));
            if (question_.recipe->consistent) other = question_.recipe->consistent(std::move(other));
            const Truth truth = truth_of(function(), other);
            Arrays yours;
            if (!answered(other, input, yours, failed)) return false;
            for (std::size_t o = 0; o < sums.size(); ++o)
                sums[o].add({truth_.f64[o], truth.f64[o]}, {yours_[o], yours[o]},
                            rounding(o, truth_) + rounding(o, truth), is_whole(o));
        }
        for (std::size_t o = 0; o < sums.size(); ++o) add(input, o, sums[o], all);
        return true;
    }

    /// The influence of the index on outputs that depend on no input. They follow from no decision, so whole numbers
    /// count by their size, too.
    void add_index(std::vector<Influence>& all) const {
        for (std::size_t o = 0; o < truth_.f64.size(); ++o) {
            const Array &truth = truth_.f64[o], &yours = yours_[o];
            if (std::ranges::find(all, truth.name, &Influence::output) != all.end()) continue;
            Sums sums;
            sums.add({truth, reversed(truth)}, {yours, reversed(yours)}, 2 * rounding(o, truth_), false);
            add("index", o, sums, all);
        }
    }

    const Arrays& inputs() const { return inputs_; }

  private:
    const ask::Function& function() const { return *question_.function; }

    bool is_whole(std::size_t output) const { return function().outputs[output].type != ElementType::f32; }

    double rounding(std::size_t output, const Truth& truth) const {
        return question_.allowed_yardsticks * yardstick_of(truth.f64[output], truth.f32[output]);
    }

    /// Whether an output shows an influence, and none that shows one lacks it.
    static bool is_settled(const std::vector<Sums>& sums) {
        return std::ranges::any_of(sums, &Sums::settled) &&
               std::ranges::all_of(sums, [](const Sums& each) { return each.due == 0 || each.settled(); });
    }

    void add(const std::string& input, std::size_t output, const Sums& sums,
             std::vector<Influence>& all) const {
        if (sums.due > 0) all.push_back({input, truth_.f64[output].name, sums.share(), sums.is_elsewhere()});
    }

    /// False if the call failed. `replaced`: the input that is not the question's, if there is one.
    bool answered(const Arrays& inputs, const std::string& replaced, Arrays& yours, Runs& failed) const {
        Runs runs = run_all(function(), {inputs}, call_);
        if (runs.outcome == Outcome::passed || runs.outcome == Outcome::not_finite) {
            yours = std::move(runs.outputs.front());
            return true;
        }
        failed = std::move(runs);
        if (!replaced.empty()) failed.message = "With another " + replaced + ": " + failed.message;
        return false;
    }

    const Question& question_;
    const CallFunction& call_;
    Arrays inputs_;
    Truth truth_;
    Arrays yours_;
};

}  // namespace

std::vector<Influence> influences_on(const Question& question, const CallFunction& call, Runs& failed) {
    Meter meter(question, call);
    std::vector<Influence> all;
    if (!meter.begin(failed)) return {};
    for (const Array& input : meter.inputs())
        if (!input.shape.empty() && !meter.add(input.name, all, failed)) return {};  // others are options
    meter.add_index(all);
    return all;
}

std::vector<std::string> missing_influences(const std::vector<Influence>& all, const std::string& output) {
    std::vector<std::string> missing;
    std::size_t count = 0;
    for (const Influence& each : all) {
        if (each.output != output) continue;
        ++count;
        if (!(each.share >= kLeastInfluence)) missing.push_back(each.input);
    }
    if (kMissingShare * missing.size() < count) missing.clear();
    return missing;
}

}  // namespace attn::judge
