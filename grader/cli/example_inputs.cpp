#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "grader/ask/call_spec.h"
#include "grader/ask/least_lengths.h"
#include "grader/cli/run_function.h"

namespace attn::cli {
namespace {

constexpr int kLongest = 4;

/// The options of a call that sets none.
Arrays default_options(const ask::Function& function) {
    Arrays options;
    for (const ask::OptionSpec& option : function.options)
        if (!option.length) options.push_back(ask::option(option.name, option.default_value));
    return options;
}

/// Whether the length of an array depends on the letter, or it divides another one.
bool counts(const ask::Function& function, const std::string& letter) {
    const auto has_letter = [&](const ask::TensorSpec& spec) {
        return std::ranges::any_of(
            spec.dims, [&](const std::string& dim) { return dim.find(letter) != std::string::npos; });
    };
    return std::ranges::any_of(function.outputs, has_letter) ||
           std::ranges::any_of(function.inputs, has_letter) ||
           std::ranges::any_of(function.divides, [&](const auto& pair) { return pair.first == letter; });
}

/// The work that a call of these lengths is for a person: its numbers, and more for lengths that hide
/// mistakes. Infinite where the function refuses the lengths.
double work(const ask::Function& function, const ask::Sizes& sizes) {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    constexpr double kOfOne = 60;       // a length of 1, except of the batch
    constexpr double kOfPair = 40;      // a row of two in the output: its norm is 1 and -1, whatever they are
    constexpr double kOfQuotient = 40;  // heads of one number, one patch
    constexpr double kOfEqual = 4;      // lengths that could be exchanged
    constexpr double kOfNorm = 200;     // a layer norm of one number is 0, whatever it is
    if (!ask::accepts(function, sizes)) return kNever;
    if (!function.refusal(sizes, default_options(function)).empty()) return kNever;
    double sum = 0;
    for (const auto& [letter, length] : sizes) {
        if (letter == "B") continue;
        if (length == 1) sum += kOfOne;
        for (const auto& [other, other_length] : sizes)
            if (other < letter && other[0] == letter[0] && other_length == length) sum += kOfEqual;
    }
    for (const auto& [part, whole] : function.divides)
        if (sizes.at(whole) == ask::length_of(part, sizes)) sum += kOfQuotient;
    if (shape_of(function.outputs.front(), sizes).back() == 2) sum += kOfPair;
    for (const ask::TensorSpec& input : function.inputs)
        if (input.name.starts_with("gamma") && shape_of(input, sizes).back() == 1) sum += kOfNorm;
    for (const auto* specs : {&function.outputs, &function.inputs})
        for (const ask::TensorSpec& spec : *specs) {
            if (spec.optional && specs == &function.inputs) continue;
            const Shape shape = shape_of(spec, sizes);
            for (std::size_t i = 0; i < shape.size(); ++i) {
                if (shape[i] < 1) return kNever;
                for (std::size_t j = 0; j < i; ++j)
                    if (shape[i] == shape[j] && spec.dims[i] != spec.dims[j]) sum += kOfEqual;
            }
            sum += static_cast<double>(element_count(shape));
        }
    return sum;
}

/// Lengths of little work. Two letters are changed at a time, because one may have to divide the other.
ask::Sizes example_sizes(const ask::Function& function) {
    const std::vector<std::string> letters = function.letters();
    ask::Sizes sizes;
    const auto least_of = [&function](const std::string& letter) {
        return ask::least_length(function, letter);
    };
    for (const std::string& letter : letters) sizes[letter] = std::max(2, least_of(letter));
    // One batch, unless batches differ by a length only.
    if (sizes.contains("B") && std::none_of(function.inputs.begin(), function.inputs.end(),
                                            [](const auto& spec) { return spec.type == ElementType::i32; }))
        sizes["B"] = 1;
    double least = work(function, sizes);
    for (bool improved = true; improved;) {
        improved = false;
        for (const std::string& first : letters)
            for (const std::string& second : letters) {
                if (first == "B" || second == "B") continue;
                for (int a = least_of(first); a < least_of(first) + kLongest; ++a)
                    for (int b = least_of(second); b < least_of(second) + kLongest; ++b) {
                        ask::Sizes other = sizes;
                        other[first] = a;
                        other[second] = b;
                        const double of_other = work(function, other);
                        if (!(of_other < least)) continue;
                        sizes = other;
                        least = of_other;
                        improved = true;
                    }
            }
    }
    // Lengths that no array has, such as a vocabulary: each is another one, which the heads divide all the same.
    int other_length = 8;
    for (const std::string& letter : letters)
        if (!counts(function, letter)) {
            sizes[letter] = other_length;
            other_length *= 3;
        }
    if (!std::isfinite(least)) throw std::runtime_error(function.name + " accepts no lengths up to 4");
    return sizes;
}

/// The numbers of all arrays, sorted.
std::vector<double> numbers_of(const Arrays& arrays) {
    std::vector<double> all;
    for (const Array& array : arrays)
        if (!array.shape.empty())
            for (std::size_t k = 0; k < array.count(); ++k) all.push_back(number_at(array, k));
    std::sort(all.begin(), all.end());
    return all;
}

/// f(k, x) for each number x of the float arrays, k = 1, 2, ..
template <class F>
Arrays with_numbers(Arrays arrays, const F& f) {
    int k = 0;
    for (Array& array : arrays)
        if (type_of(array) == ElementType::f32 && !array.shape.empty())
            for (float& x : array.as<float>()) x = static_cast<float>(f(++k, x));
    return arrays;
}

/// The names of the arrays whose numbers are 0 .. 1 without 1 in all tries: uniform numbers.
std::set<std::string> never_outside(const std::vector<Arrays>& tries) {
    std::set<std::string> names, outside;
    for (const Arrays& inputs : tries)
        for (const Array& array : inputs) {
            if (type_of(array) != ElementType::f32 || array.shape.empty()) continue;
            names.insert(array.name);
            for (const float x : array.as<float>())
                if (x < 0 || x >= 1) outside.insert(array.name);
        }
    for (const std::string& name : outside) names.erase(name);
    return names;
}

/// The numbers 0 .. 1 with two digits, below 1.
Array in_hundredths(Array array) {
    for (float& x : array.as<float>()) x = std::min(std::round(100 * x), 99.0F) / 100;
    return array;
}

/// How many different numbers the function gives.
std::size_t different(const ask::Function& function, const Arrays& inputs) {
    constexpr double kDigits = 1e4;
    std::set<double> values;
    for (const double x : numbers_of(evaluate(function, inputs, ask::Precision::f64))) {
        if (!std::isfinite(x)) return 0;
        values.insert(std::round(x * kDigits));
    }
    return values.size();
}

}  // namespace

Arrays example_inputs(const ask::Module& module, const ask::Function& function) {
    const ask::Recipe* const own = module.find_recipe("example");
    ask::CallSpec spec{
        &function, own != nullptr ? own : module.find_recipe("normal"), example_sizes(function), {}, {}};
    for (const ask::TensorSpec& input : function.inputs)
        if (input.optional) spec.setting.absent.push_back(input.name);
    constexpr int kTries = 64;
    std::vector<Arrays> tries;
    for (int seed = 1; seed <= kTries; ++seed) {
        ask::Random random(static_cast<std::uint64_t>(seed), "example");
        tries.push_back(spec.make_inputs(random));
    }
    const std::set<std::string> between_0_and_1 = never_outside(tries);
    Arrays best;
    std::size_t most = 0;
    for (const Arrays& drawn : tries) {
        if (numbers_of(evaluate(function, drawn, ask::Precision::f64)) == numbers_of(drawn))
            return with_numbers(drawn, [](int k, float) { return k; });
        Arrays simple =
            with_numbers(drawn, [](int, float x) { return std::clamp(std::round(x), -3.0F, 3.0F) + 0.0F; });
        for (std::size_t k = 0; k < drawn.size(); ++k)
            if (between_0_and_1.contains(drawn[k].name)) simple[k] = in_hundredths(drawn[k]);
        if (const std::size_t count = different(function, simple); count > most) {
            most = count;
            best = std::move(simple);
        }
    }
    if (best.empty()) throw std::runtime_error("no simple numbers were found for " + function.name);
    return best;
}

}  // namespace attn::cli
