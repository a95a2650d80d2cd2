#include "grader/diagnosis/simplify_values.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace attn::diagnosis {
namespace {

using SteadyClock = std::chrono::steady_clock;

std::vector<float>* floats_of(Array& array) {
    return array.shape.empty() ? nullptr : std::get_if<std::vector<float>>(&array.values);
}

/// Ones where the last two indices are equal; [1, 0, 0] for a vector.
std::vector<float> identity(const Shape& shape) {
    std::vector<float> values(element_count(shape));
    const auto columns = static_cast<std::size_t>(shape.back());
    const auto rows = shape.size() > 1 ? static_cast<std::size_t>(shape[shape.size() - 2]) : 1;
    for (std::size_t k = 0; k < values.size(); ++k)
        if (k % columns == k / columns % rows) values[k] = 1;
    return values;
}

/// x with so many decimal digits.
float rounded(float x, int digits) {
    if (x == 0 || !std::isfinite(x)) return x;
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(static_cast<double>(x)))) - digits + 1);
    return static_cast<float>(std::round(static_cast<double>(x) / unit) * unit);
}

/// The signed errors of the output that is wrong.
std::vector<double> errors_of(const judge::Verdict& verdict) {
    const Array &got = verdict.got[verdict.output], &truth = verdict.truth_f64[verdict.output];
    std::vector<double> errors(got.count());
    for (std::size_t k = 0; k < errors.size(); ++k) errors[k] = number_at(got, k) - number_at(truth, k);
    return errors;
}

/// Whether the errors are the same ones, but for a part of the largest. Next to NaN, errors far below the
/// expected numbers do not count.
bool similar_errors(const judge::Verdict& a, const judge::Verdict& b) {
    constexpr double kPart = 0.25, kNegligible = 1e-3;
    const std::vector<double> x = errors_of(a), y = errors_of(b);
    const Array& truth = a.truth_f64[a.output];
    double largest = 0, moved = 0, scale = 0;
    for (std::size_t k = 0; k < truth.count(); ++k) scale = std::max(scale, std::abs(number_at(truth, k)));
    for (std::size_t k = 0; k < x.size(); ++k) {
        if (std::isfinite(x[k]) != std::isfinite(y[k])) return false;
        if (!std::isfinite(x[k])) continue;
        largest = std::max(largest, std::abs(x[k]));
        moved = std::max(moved, std::abs(x[k] - y[k]));
    }
    return moved <= std::max(kPart * largest, a.comparison.not_finite == 0 ? 0 : kNegligible * scale);
}

class Simplifier {
  public:
    Simplifier(Shrunk failing, const judge::CallFunction& call, const StillFails& still_fails, bool explained,
               const ValueLimits& limits)
        : original_(std::move(failing)),
          best_(original_),
          call_([this, &call](const auto&... arguments) { return timed(call, arguments...); }),
          still_fails_(still_fails),
          explained_(explained),
          limits_(limits),
          calls_left_(limits.calls) {}
    Simplifier(const Simplifier&) = delete;
    Simplifier& operator=(const Simplifier&) = delete;

    Shrunk result() && {
        best_.question.given = best_.verdict.inputs;
        if (!explained_ && !fails_nearby(best_.verdict)) return original_;
        for (std::size_t k = best_.verdict.inputs.size(); k-- > 0;) open_mask(k);
        for (std::size_t k = best_.verdict.inputs.size(); k-- > 0;) simplify_array(k);
        // A number that had to stay may be needless when the others are simple, so there are two rounds.
        for (int round = 0; round < 2; ++round)
            for (std::size_t k = best_.verdict.inputs.size(); k-- > 0;) simplify_elements(k);
        return std::move(best_);
    }

  private:
    worker::CallResult timed(const judge::CallFunction& call, const auto&... arguments) {
        const auto start = SteadyClock::now();
        worker::CallResult result = call(arguments...);
        ++made_;
        fastest_s_ = std::min(fastest_s_, std::chrono::duration<double>(SteadyClock::now() - start).count());
        return result;
    }

    /// On a busy machine a call waits for a processor. What is shown must not depend on that, so each call
    /// counts as much as the fastest.
    bool used_up() const { return calls_left_ <= 0 || (made_ > 0 && made_ * fastest_s_ > limits_.seconds); }

    /// The verdict on these inputs. Nothing if the budget is used up, a call ended otherwise than by
    /// returning, the truth is no finite number, or float and double decide differently.
    std::optional<judge::Verdict> ask(Arrays inputs) {
        if (gave_up_ || used_up()) return std::nullopt;
        --calls_left_;
        judge::Question question = original_.question;
        const Arrays truth = evaluate(*question.function, inputs, ask::Precision::f64),
                     in_float = evaluate(*question.function, inputs, ask::Precision::f32);
        if (!std::ranges::all_of(truth, ask::all_finite) ||
            !std::ranges::equal(truth, in_float, judge::same_decisions))
            return std::nullopt;
        question.given = std::move(inputs);
        judge::Verdict verdict = answer(question, call_);
        // Starting a new process after a crash takes long, and so does an endless loop.
        gave_up_ = verdict.got.empty();
        return verdict;
    }

    bool fails_alike(const judge::Verdict& verdict) const {
        const judge::Verdict& first = original_.verdict;
        if (verdict.outcome != first.outcome || verdict.got.empty() || verdict.output != first.output)
            return false;
        const std::vector<bool>&was = first.comparison.wrong, &is = verdict.comparison.wrong;
        for (std::size_t k = 0; k < is.size(); ++k)
            if (is[k] && !was[k]) return false;
        return true;
    }

    /// Whether inputs close to these fail by about as much.
    bool fails_nearby(const judge::Verdict& verdict) {
        constexpr double kPart = 1e-3;
        Arrays near = verdict.inputs;
        ask::Random random(original_.question.seed,
                           original_.question.function->name + " near simple values");
        for (std::size_t k = 0; k < near.size(); ++k) {
            std::vector<float>* const values = floats_of(near[k]);
            if (values == nullptr) continue;
            // Zeros move, too, by a part of the largest number that stood in this array.
            double largest = 0;
            for (const float x : std::as_const(original_.verdict.inputs[k]).as<float>())
                if (std::isfinite(x)) largest = std::max(largest, static_cast<double>(std::abs(x)));
            for (float& x : *values) x += static_cast<float>(kPart * largest * random.normal());
        }
        const std::optional<judge::Verdict> moved = ask(std::move(near));
        return moved && fails_alike(*moved) && similar_errors(verdict, *moved);
    }

    bool accept(Arrays inputs) {
        const ask::Recipe& recipe = *original_.question.recipe;
        if (recipe.consistent) inputs = recipe.consistent(std::move(inputs));
        std::optional<judge::Verdict> verdict = ask(std::move(inputs));
        if (!verdict || !fails_alike(*verdict)) return false;
        judge::Question question = original_.question;
        question.given = verdict->inputs;
        if (!still_fails_(question, *verdict)) return false;
        if (!explained_ && !fails_nearby(*verdict)) return false;
        best_ = {std::move(question), std::move(*verdict)};
        return true;
    }

    /// Tries other values for one array.
    bool accept(std::size_t k, std::vector<float> values) {
        Arrays inputs = best_.verdict.inputs;
        if (inputs[k].as<float>() == values) return true;
        // Probabilities, lengths and the like are not below 0.
        const auto is_below_0 = [](float x) { return x < 0; };
        if (std::ranges::none_of(original_.verdict.inputs[k].as<float>(), is_below_0) &&
            std::ranges::any_of(values, is_below_0))
            return false;
        inputs[k].values = std::move(values);
        return accept(std::move(inputs));
    }

    void open_mask(std::size_t k) {
        const auto mask_of = [k](Arrays& inputs) {
            return std::get_if<std::vector<std::uint8_t>>(&inputs[k].values);
        };
        Arrays open = best_.verdict.inputs;
        std::vector<std::uint8_t>* mask = mask_of(open);
        if (mask == nullptr || std::ranges::count(*mask, 0) == 0) return;
        const std::size_t count = mask->size();
        std::ranges::fill(*mask, std::uint8_t{1});
        if (accept(std::move(open))) return;
        for (std::size_t at = 0; at < count; ++at) {
            Arrays inputs = best_.verdict.inputs;
            if (std::exchange((*mask_of(inputs))[at], std::uint8_t{1}) == 0) accept(std::move(inputs));
        }
    }

    void simplify_array(std::size_t k) {
        Array& array = best_.verdict.inputs[k];
        if (floats_of(array) == nullptr) return;
        const std::size_t count = array.count();
        if (accept(k, std::vector<float>(count, 0.0F))) return;
        const std::vector<float> diagonal = identity(best_.verdict.inputs[k].shape);
        if (count > 1 && accept(k, diagonal)) return;
        accept(k, std::vector<float>(count, 1.0F));
    }

    void simplify_elements(std::size_t k) {
        if (floats_of(best_.verdict.inputs[k]) == nullptr) return;
        const std::size_t count = best_.verdict.inputs[k].count();
        for (std::size_t at = 0; at < count; ++at) {
            const float old = std::as_const(best_.verdict.inputs[k]).as<float>()[at];
            // A student can type in a number of few digits as the report shows it.
            for (const float simple : {0.0F, 1.0F, -1.0F, 2.0F, rounded(old, 1), rounded(old, 2),
                                       rounded(old, 4), rounded(old, 6)}) {
                if (old == simple || gave_up_) break;  // what follows is not simpler
                std::vector<float> values = std::as_const(best_.verdict.inputs[k]).as<float>();
                values[at] = simple;
                if (accept(k, std::move(values))) break;
            }
        }
    }

    const Shrunk original_;
    Shrunk best_;
    const judge::CallFunction call_;
    const StillFails& still_fails_;
    bool explained_;
    const ValueLimits limits_;
    int calls_left_, made_ = 0;
    double fastest_s_ = std::numeric_limits<double>::infinity();
    bool gave_up_ = false;
};

}  // namespace

Shrunk simplify_values(Shrunk failing, const judge::CallFunction& call, const StillFails& still_fails,
                       bool explained, const ValueLimits& limits) {
    return Simplifier(std::move(failing), call, still_fails, explained, limits).result();
}

}  // namespace attn::diagnosis
