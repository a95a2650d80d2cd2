#include "grader/judge/answer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "grader/ask/inputs.h"
#include "grader/ask/least_lengths.h"
#include "grader/base/listed_in_words.h"
#include "grader/judge/locate.h"
#include "grader/report/numbers.h"
#include "grader/report/report.h"
#include "grader/worker/memory.h"
#include "grader/worker/protocol.h"

namespace attn::judge {
namespace {

Arrays select(const Arrays& arrays, const std::vector<std::string>& wanted) {
    if (wanted.empty()) return arrays;
    Arrays result;
    for (const std::string& name : wanted) result.push_back(ask::by_name(arrays, name));
    return result;
}

std::vector<bool> not_finite(const Array& array) {
    std::vector<bool> marks(array.count());
    if (const auto* values = std::get_if<std::vector<float>>(&array.values))
        std::transform(values->begin(), values->end(), marks.begin(),
                       [](float x) { return !std::isfinite(x); });
    return marks;
}

std::string value_at(const Array& array, std::size_t k) {
    const double value = number_at(array, k);
    if (has_whole_numbers(array)) return fmt::format("{:.0f}", value);
    constexpr int kDigits = 6;
    return report::number_text(value, kDigits);
}

/// Whole numbers such as tokens follow from decisions: which number is the largest. A right function in float
/// must decide as the truth does, so a recipe has to keep the numbers apart.
void require_decisions(const Question& question, const Verdict& verdict) {
    if (!question.given.empty()) return;
    for (std::size_t k = 0; k < verdict.truth_f64.size(); ++k)
        if (!same_decisions(verdict.truth_f64[k], verdict.truth_f32[k]))
            throw Undecided(
                fmt::format("the plain loops give another {} in float than in double; the recipe '{}' of {} "
                            "makes numbers "
                            "that are too close for a decision ({})",
                            verdict.truth_f64[k].name, question.recipe->name, question.function->name,
                            question.setting_in_words()));
}

}  // namespace

std::string name_element(const Array& array, std::size_t offset) {
    const auto index = index_of(offset, array.shape);
    return array.name + attn::detail::join(index.data(), static_cast<int>(index.size()), '(', ')');
}

namespace {

/// What a question's recipe makes, and the truth about it.
struct Made {
    Arrays inputs;
    std::optional<Arrays> truth_f64 = {}, truth_f32 = {};  ///< all outputs, once somebody asks for them
    std::vector<double> units = {};                        ///< see units_of()
};

/// What the recipe makes from these random numbers. The same inputs are asked for many times, and some recipes draw
/// until the answer does not hang on rounding. So each thread remembers them.
std::shared_ptr<Made> made_from(const Question& question, const std::string& stream) {
    const auto make = [&] {
        ask::Random random(question.seed, stream);
        return std::make_shared<Made>(Made{question.CallSpec::make_inputs(random)});
    };
    // Only registered modules live until the end of the program, and only their recipes are known by name.
    const ask::Module* const module = question.module;
    if (module == nullptr || ask::find_module(module->name) != module ||
        module->find_recipe(question.recipe->name) != question.recipe)
        return make();
    std::string key = fmt::format("{} {} {} {} {}", question.module->name, question.function->name,
                                  question.recipe->name, question.seed, stream);
    for (const auto& [letter, length] : question.sizes) key += fmt::format(" {}={}", letter, length);
    for (const auto& [option, value] : question.setting.options) key += fmt::format(" {}={}", option, value);
    for (const std::string& name : question.setting.absent) key += " no " + name;
    for (const std::string& name : question.wanted) key += " wanted " + name;
    struct Remembered {
        std::map<std::string, std::shared_ptr<Made>> all;
        std::size_t bytes = 0;
    };
    thread_local Remembered remembered;
    if (const auto found = remembered.all.find(key); found != remembered.all.end()) return found->second;
    std::shared_ptr<Made> made = make();
    // The outputs are seldom larger than the inputs.
    constexpr std::size_t kMostBytes = std::size_t{32} << 20, kMostInputs = 1000;
    std::size_t bytes = 0;
    for (const Array& input : made->inputs) bytes += input.bytes();
    if (remembered.all.size() >= kMostInputs || remembered.bytes + bytes > kMostBytes) remembered = {};
    remembered.bytes += bytes;
    return remembered.all.emplace(std::move(key), std::move(made)).first->second;
}

/// Its inputs. The stream depends on function, case and sizes, so that a smaller case has its own numbers.
std::shared_ptr<Made> made_by(const Question& question) {
    if (!question.given.empty()) return std::make_shared<Made>(Made{question.given});
    return made_from(question, question.function->name + "." + question.name + " " +
                                   ask::to_string(question.sizes, question.function->letters()));
}

const Arrays& truth_of(const Question& question, Made& made, ask::Precision precision) {
    std::optional<Arrays>& truth = precision == ask::Precision::f64 ? made.truth_f64 : made.truth_f32;
    if (!truth) truth = evaluate(*question.function, made.inputs, precision);
    return *truth;
}

}  // namespace

Arrays Question::make_inputs() const {
    return made_by(*this)->inputs;
}

Arrays Question::make_other_inputs(int number) const {
    return made_from(*this, fmt::format("{} other inputs {}", function->name, number))->inputs;
}

std::string Question::refusal() const {
    if (std::string why = function->refusal(sizes); !why.empty() || function->ranges.empty()) return why;
    return function->refusal(sizes, made_by(*this)->inputs);
}

bool Question::is_accepted() const {
    return ask::accepts(*function, sizes) && refusal().empty();
}

std::vector<std::string> letters_of(const ask::Function& function, const std::string& output) {
    const auto found = std::ranges::find(function.outputs, output, &ask::TensorSpec::name);
    return found == function.outputs.end() ? std::vector<std::string>() : found->dims;
}

/// "A was not written; the other outputs were.", "Y was never written in row 3 only."
std::string unwritten_in_words(const ask::Function& function, const Arrays& outputs) {
    std::vector<std::string> nowhere;  // the outputs of which no element was written
    std::string partly;
    for (const Array& output : outputs) {
        const auto marks = worker::untouched_marks(output);
        const auto count = std::count(marks.begin(), marks.end(), true);
        if (count > 0 && count == std::ssize(marks)) {
            nowhere.push_back(output.name);
        } else if (count > 0 && partly.empty()) {
            partly = fmt::format("{} was never written in {}.", output.name,
                                 locate(marks, output.shape, letters_of(function, output.name)));
        }
    }
    if (nowhere.empty()) return partly;
    const std::string names = listed_in_words(nowhere, "and");
    const char* const verb = nowhere.size() == 1 ? "was" : "were";
    if (!partly.empty()) return fmt::format("{} {} not written. {}", names, verb, partly);
    return fmt::format("{} {} not written; the other outputs were.", names, verb);
}

Outcome inspect(const ask::Function& function, const Arrays& outputs, std::string& message) {
    std::ptrdiff_t unwritten = 0, total = 0;
    for (const Array& output : outputs) {
        const auto marks = worker::untouched_marks(output);
        unwritten += std::count(marks.begin(), marks.end(), true);
        total += std::ssize(marks);
    }
    if (unwritten == total && total > 0) return message = "Nothing was written.", Outcome::not_implemented;
    if (unwritten > 0) return message = unwritten_in_words(function, outputs), Outcome::partly_written;
    for (const Array& output : outputs) {
        const auto marks = not_finite(output);
        const auto first = std::find(marks.begin(), marks.end(), true);
        if (first == marks.end()) continue;
        const auto offset = static_cast<std::size_t>(first - marks.begin());
        message = fmt::format("{} is not finite in {}; the first such element, {}, is {}.", output.name,
                              locate(marks, output.shape, letters_of(function, output.name)),
                              name_element(output, offset), value_at(output, offset));
        const auto bits = std::bit_cast<std::uint32_t>(output.as<float>()[offset]);
        if (bits == worker::kReadPoison)
            message +=
                " It was computed from what was not set: an output before its first =, or what lies past the "
                "end of an array.";
        if (bits == worker::kHeapPoison || bits == worker::kReadHeapPoison)
            message += " It was computed from memory that it allocated and had not set yet.";
        return Outcome::not_finite;
    }
    return Outcome::passed;
}

namespace {

/// The number of evaluations that give the unit of error of an answer that seems wrong.
constexpr int kEvaluations = 8;
/// An error of so many times the allowed one in the unit of two evaluations is wrong in the unit of all of them, too.
constexpr double kFarTooLarge = 1000;

/// The same inputs with each float moved to the next float above or below, or left as it is, at random.
Arrays moved_by_one_ulp(Arrays inputs, ask::Random& random) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (Array& input : inputs) {
        auto* values = std::get_if<std::vector<float>>(&input.values);
        if (values == nullptr) continue;
        for (float& x : *values)
            if (const int direction = random.below(3) - 1; direction != 0 && x != 0)
                x = std::nextafter(x, direction > 0 ? kInfinity : -kInfinity);
    }
    return inputs;
}

/// Compares each output of the verdict with the truth, and keeps the comparison of the first wrong one.
void compare_outputs(const Question& question, Verdict& verdict) {
    verdict.comparison = {};
    for (std::size_t k = 0; k < verdict.got.size(); ++k) {
        Comparison comparison =
            compare(verdict.got[k], verdict.truth_f64[k], verdict.units[k], question.allowed_yardsticks);
        const bool first_wrong = !comparison.ok && verdict.comparison.ok;
        if (k == 0 || first_wrong) {
            verdict.output = k;
            verdict.comparison = std::move(comparison);
        }
    }
}

/// Judges a call that the function must refuse because of `why`.
Verdict refusal(const Question& question, const std::string& why, Verdict verdict, const CallFunction& call) {
    const worker::CallResult result =
        call(*question.function, verdict.inputs, question.wanted, worker::Placement::ends_at_guard);
    verdict.printed = result.printed;
    verdict.lines = result.lines;
    if (result.refused) return verdict;
    verdict.outcome = result.outcome;
    verdict.message = result.detail;
    if (verdict.outcome == Outcome::passed)
        verdict.outcome = inspect(*question.function, result.outputs, verdict.message);
    if (verdict.outcome == Outcome::not_implemented) return verdict;
    verdict.outcome = result.outcome == Outcome::passed ? Outcome::wrong : result.outcome;
    const bool by_sizes = !question.function->refusal(question.sizes).empty();
    const std::string expected =
        why + ": for such " + (by_sizes ? "sizes " : "numbers ") + std::string(report::kMustThrow);
    verdict.message = verdict.outcome == Outcome::wrong ? expected + " It returned normally."
                                                        : expected + " " + result.detail;
    if (verdict.outcome == Outcome::threw) verdict.message += " This is another type.";
    return verdict;
}

}  // namespace

std::vector<double> units_of(const Question& question, const Arrays& inputs, int evaluations) {
    using ask::Precision;
    ask::Random random(question.seed, question.function->name + "." + question.name + " moved by one ulp");
    std::vector<double> units;
    for (int n = 0; n < evaluations; ++n) {
        const Arrays near = n == 0 ? inputs : moved_by_one_ulp(inputs, random);
        const Arrays f64 = select(evaluate(*question.function, near, Precision::f64), question.wanted),
                     f32 = select(evaluate(*question.function, near, Precision::f32), question.wanted);
        units.resize(f64.size());
        for (std::size_t k = 0; k < f64.size(); ++k)
            units[k] = std::max(units[k], yardstick_of(f64[k], f32[k]));
    }
    return units;
}

namespace {

enum class Counts { numbers, outcome };

/// `units`: those of several evaluations, which are computed here if they are needed and not known yet. If only the outcome
/// counts, two evaluations are enough for what is far from right.
bool agrees(const Question& question, Verdict& verdict, std::vector<double>& units, Counts counts) {
    compare_outputs(question, verdict);
    if (!verdict.comparison.ok && verdict.outcome == Outcome::passed) {
        if (units.empty() && counts == Counts::outcome) {
            verdict.units = units_of(question, verdict.inputs, 2);
            compare_outputs(question, verdict);
            if (verdict.comparison.error_yardsticks > kFarTooLarge * question.allowed_yardsticks)
                return false;
        }
        if (units.empty()) units = units_of(question, verdict.inputs, kEvaluations);
        verdict.units = units;
        compare_outputs(question, verdict);
    }
    return verdict.comparison.ok;
}

}  // namespace

bool agrees_with_truth(const Question& question, Verdict& verdict) {
    std::vector<double> units;
    return agrees(question, verdict, units, Counts::numbers);
}

namespace {

Verdict answer(const Question& question, const CallFunction& call, Counts counts) {
    using ask::Precision;
    Verdict verdict;
    const std::shared_ptr<Made> made = made_by(question);
    verdict.inputs = made->inputs;
    if (const std::string why = question.function->refusal(question.sizes, verdict.inputs); !why.empty())
        return refusal(question, why, std::move(verdict), call);
    verdict.truth_f64 = select(truth_of(question, *made, Precision::f64), question.wanted);
    verdict.truth_f32 = select(truth_of(question, *made, Precision::f32), question.wanted);
    require_decisions(question, verdict);
    worker::CallResult result =
        call(*question.function, verdict.inputs, question.wanted, worker::Placement::ends_at_guard);
    verdict.outcome = result.outcome;
    verdict.message = std::move(result.detail);
    verdict.printed = std::move(result.printed);
    verdict.lines = std::move(result.lines);
    verdict.got = std::move(result.outputs);
    if (verdict.outcome != Outcome::passed) return verdict.got.clear(), verdict;

    for (std::size_t k = 0; k < verdict.got.size(); ++k)
        verdict.units.push_back(yardstick_of(verdict.truth_f64[k], verdict.truth_f32[k]));
    verdict.outcome = inspect(*question.function, verdict.got, verdict.message);
    if (verdict.outcome == Outcome::not_implemented || verdict.outcome == Outcome::partly_written)
        return verdict;
    if (!agrees(question, verdict, made->units, counts) && verdict.outcome == Outcome::passed)
        verdict.outcome = Outcome::wrong;
    return verdict;
}

std::optional<Verdict> answer_if_decided(const Question& question, const CallFunction& call, Counts counts) {
    try {
        return answer(question, call, counts);
    } catch (const Undecided&) {
        return std::nullopt;
    }
}

}  // namespace

Verdict answer(const Question& question, const CallFunction& call) {
    return answer(question, call, Counts::numbers);
}

std::optional<Verdict> answer_if_decided(const Question& question, const CallFunction& call) {
    return answer_if_decided(question, call, Counts::numbers);
}

std::optional<Verdict> outcome_if_decided(const Question& question, const CallFunction& call) {
    return answer_if_decided(question, call, Counts::outcome);
}

bool same_decisions(const Array& truth_f64, const Array& truth_f32) {
    return !has_whole_numbers(truth_f64) || truth_f64.values == truth_f32.values;
}

bool same_bits(const Array& a, const Array& b) {
    return std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

Verdict answer_twice(const Question& question, const CallFunction& call) {
    Verdict verdict = answer(question, call);
    if (verdict.got.empty() || verdict.outcome == Outcome::not_implemented) return verdict;
    const worker::CallResult again =
        call(*question.function, verdict.inputs, question.wanted, worker::Placement::starts_at_guard);
    if (again.outcome != Outcome::passed) {
        verdict.outcome = again.outcome;
        verdict.message = "The second call, with its arrays elsewhere in memory, failed. " + again.detail;
        verdict.lines = again.lines;
        verdict.got.clear();
        return verdict;
    }
    for (std::size_t k = 0; k < verdict.got.size(); ++k) {
        const Array &first = verdict.got[k], &second = again.outputs[k];
        if (same_bits(first, second)) continue;
        const std::size_t size = first.bytes() / first.count();
        const auto *a = static_cast<const std::byte*>(first.data()),
                   *b = static_cast<const std::byte*>(second.data());
        std::size_t at = 0;
        while (std::memcmp(a + at * size, b + at * size, size) == 0) ++at;
        verdict.outcome = Outcome::not_deterministic;
        verdict.message = fmt::format(
            "The same call gave other numbers the second time: {} was {} and then {}. Does it read "
            "memory that it never wrote, or keep something from an earlier call?",
            name_element(first, at), value_at(first, at), value_at(second, at));
        return verdict;
    }
    return verdict;
}

}  // namespace attn::judge
