#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "grader/ask/call_spec.h"
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
    for (const std::string& letter : letters) sizes[letter] = 2;
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
                for (int a = 1; a <= kLongest; ++a)
                    for (int b = 1; b <= kLongest; ++b) {
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
    // A vocabulary of which no array has the length.
    constexpr int kVocabulary = 8;
    for (const std::string& letter : letters)
        if (!counts(function, letter)) sizes[letter] = kVocabulary;
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
    ask::CallSpec spec{&function, module.find_recipe("normal"), example_sizes(function), {}, {}};
    for (const ask::TensorSpec& input : function.inputs)
        if (input.optional) spec.setting.absent.push_back(input.name);
    constexpr int kTries = 64;
    Arrays best;
    std::size_t most = 0;
    for (int seed = 1; seed <= kTries; ++seed) {
        ask::Random random(static_cast<std::uint64_t>(seed), "example");
        const Arrays drawn = spec.make_inputs(random);
        if (numbers_of(evaluate(function, drawn, ask::Precision::f64)) == numbers_of(drawn))
            return with_numbers(drawn, [](int k, float) { return k; });
        const Arrays whole =
            with_numbers(drawn, [](int, float x) { return std::clamp(std::round(x), -3.0F, 3.0F) + 0.0F; });
        if (const std::size_t count = different(function, whole); count > most) {
            most = count;
            best = whole;
        }
    }
    if (best.empty()) throw std::runtime_error("no simple numbers were found for " + function.name);
    return best;
}

}  // namespace attn::cli
