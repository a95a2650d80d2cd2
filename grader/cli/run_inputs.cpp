#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "datasets/files/file_error.h"
#include "datasets/npy.h"
#include "grader/cli/options.h"
#include "grader/cli/run_function.h"
#include "grader/judge/answer.h"

namespace attn::cli {
namespace {

/// The value of an option: the index of an enumerator's name, or a number.
double read_option(const ask::OptionSpec& spec, const std::string& text) {
    const auto choice = std::find(spec.choices.begin(), spec.choices.end(), text);
    if (choice != spec.choices.end()) return static_cast<double>(choice - spec.choices.begin());
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(value) || !spec.choices.empty())
        throw UsageError(fmt::format(
            "--set {}={}: expected {}", spec.name, text,
            spec.choices.empty() ? "a number" : fmt::format("one of {}", fmt::join(spec.choices, ", "))));
    // The contracts require eps > 0.
    if (spec.name == "eps" && !(value > 0))
        throw UsageError(fmt::format("--set {}={}: {} must be greater than 0 (its default is {:g})",
                                     spec.name, text, spec.name, spec.default_value));
    return value;
}

Arrays read_options(const ask::Function& function, const std::map<std::string, std::string>& given) {
    require_known(function, names(function.options), "option", given);
    Arrays options;
    for (const ask::OptionSpec& spec : function.options)
        if (const auto text = given.find(spec.name); text != given.end())
            options.push_back(ask::option(spec.name, read_option(spec, text->second)));
    return options;
}

/// Adds the numbers of `list` to `values`, in order. `shape` gets the lengths of the first list of each
/// depth, which all others must have. Returns whether `list` is such an array.
bool flatten(const nlohmann::json& list, std::size_t depth, Shape& shape, std::vector<double>& values) {
    if (list.is_number()) {
        values.push_back(list.get<double>());
        return depth == shape.size();
    }
    const int length = static_cast<int>(list.size());
    if (!list.is_array() || list.empty()) return false;
    if (depth == shape.size() && values.empty()) shape.push_back(length);
    return depth < shape.size() && shape[depth] == length &&
           std::all_of(list.begin(), list.end(),
                       [&](const nlohmann::json& each) { return flatten(each, depth + 1, shape, values); });
}

/// An array whose numbers stand on the command line.
Array read_numbers(const ask::TensorSpec& spec, const std::string& text) {
    Shape shape;
    std::vector<double> values;
    const auto list = nlohmann::json::parse(text, nullptr, false);
    if (list.is_discarded() || !flatten(list, 0, shape, values))
        throw UsageError(
            fmt::format("--in {}={}: expected numbers in brackets, with as many in each row, as "
                        "in --in {}='[[1, 2], [3, 4]]'",
                        spec.name, text, spec.name));
    Array array = zeros_of(spec.type, spec.name, shape);
    std::visit(
        [&](auto& numbers) {
            for (std::size_t k = 0; k < values.size(); ++k) {
                using Number = std::decay_t<decltype(numbers[k])>;
                const bool whole = std::is_integral_v<Number>;
                // Converting a number that is out of range is undefined.
                if (whole && !(values[k] == std::floor(values[k]) &&
                               values[k] >= static_cast<double>(std::numeric_limits<Number>::lowest()) &&
                               values[k] <= static_cast<double>(std::numeric_limits<Number>::max())))
                    throw UsageError(fmt::format("--in {}={}: {:g} is no number of type {}", spec.name, text,
                                                 values[k], name_of(spec.type)));
                numbers[k] = static_cast<Number>(values[k]);
            }
        },
        array.values);
    return array;
}

/// Reads an input array. Its type must be that of the parameter: float32, uint8 for a mask, int32 for
/// lengths.
Array read_input(const ask::TensorSpec& spec, const std::string& file) {
    if (file.starts_with('[')) return read_numbers(spec, file);
    Array array = data::read_npy(file);
    if (type_of(array) != spec.type) {
        const std::string_view wanted = name_of(spec.type);
        throw UsageError(fmt::format("{}: {} must be of type {}; in numpy: np.save(f, a.astype(np.{}))", file,
                                     spec.name, wanted, wanted));
    }
    array.name = spec.name;
    return array;
}

/// Throws UsageError if the outputs would be larger than the arrays that are read.
void require_printable(const ask::Function& function, const ask::Sizes& sizes) {
    for (const ask::TensorSpec& spec : function.outputs) {
        const Shape shape = shape_of(spec, sizes);
        const std::size_t bytes = element_count(shape) * (spec.type == ElementType::u8 ? 1 : sizeof(float));
        if (bytes > data::kMaxFileBytes)
            throw UsageError(
                fmt::format("{}: {} {} would take {} bytes; at most {} (1 GiB) are allowed, as in an "
                            "input. Choose smaller lengths.",
                            function.name, spec.name, to_string(shape), bytes, data::kMaxFileBytes));
    }
}

/// An int32 input with one axis holds lengths along the last axis of the output: of padding_mask, the real keys of each
/// sequence. Throws UsageError if one of them is below 0 or above that axis.
void require_lengths_in_range(const ask::Function& function, const Arrays& inputs, const ask::Sizes& sizes) {
    const std::string& letter = function.outputs.front().dims.back();
    const int most = shape_of(function.outputs.front(), sizes).back();
    for (const Array& input : inputs) {
        const bool has_range = std::ranges::count(function.ranges, input.name, &ask::NumberRange::input) > 0;
        if (type_of(input) != ElementType::i32 || input.shape.size() != 1 || has_range) continue;
        const auto& values = input.as<std::int32_t>();
        for (std::size_t k = 0; k < values.size(); ++k)
            if (values[k] < 0 || values[k] > most)
                throw UsageError(fmt::format("{}: {} is {}; it must be 0 to {} = {}", function.name,
                                             judge::name_element(input, k), values[k], letter, most));
    }
}

}  // namespace

std::map<std::string, std::string> pairs(const po::variables_map& values, const char* option,
                                         bool name_alone) {
    std::map<std::string, std::string> result;
    if (values.count(option) == 0) return result;
    for (const std::string& word : values[option].as<Words>()) {
        const auto equals = std::min(word.find('='), name_alone ? word.size() : std::string::npos);
        if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
            throw UsageError(fmt::format("--{} {}: expected NAME=VALUE", option, word));
        const std::string value = equals == word.size() ? "" : word.substr(equals + 1);
        if (!result.emplace(word.substr(0, equals), value).second)
            throw UsageError(fmt::format("--{} {}: {} is given twice", option, word, word.substr(0, equals)));
    }
    return result;
}

void require_known(const ask::Function& function, const std::vector<std::string>& known, const char* what,
                   const std::map<std::string, std::string>& given) {
    for (const auto& [name, value] : given) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        throw UsageError(
            fmt::format("{} has no {} {}; it takes {}", function.name, what, name, function.signature()));
    }
}

Arrays read_inputs(const ask::Function& function, const std::map<std::string, std::string>& arrays,
                   const std::map<std::string, std::string>& options) {
    require_known(function, names(function.inputs), "input", arrays);
    Arrays inputs;
    for (const ask::TensorSpec& spec : function.inputs) {
        const auto given = arrays.find(spec.name);
        if (given != arrays.end())
            inputs.push_back(read_input(spec, given->second));
        else if (!spec.optional)
            throw UsageError(fmt::format("input {} is missing: --in {}=FILE.npy; {} takes {}", spec.name,
                                         spec.name, function.name, function.signature()));
    }
    for (Array& option : read_options(function, options)) inputs.push_back(std::move(option));
    const ask::Sizes sizes = ask::sizes_of(function, inputs);  // throws for shapes that do not match
    if (function.refusal(sizes, inputs).empty()) {
        require_printable(function, sizes);
        require_lengths_in_range(function, inputs, sizes);
    }
    return inputs;
}

std::vector<std::string> notes_on(const Arrays& inputs) {
    std::vector<std::string> notes;
    for (const Array& input : inputs) {
        if (type_of(input) != ElementType::f32) continue;
        const auto& values = input.as<float>();
        const auto is_no_number = [](float x) { return !std::isfinite(x); };
        const auto first = std::find_if(values.begin(), values.end(), is_no_number);
        if (first == values.end()) continue;
        notes.push_back(
            fmt::format("{} of {} elements of {} are NaN or infinite; the first is {}",
                        std::count_if(first, values.end(), is_no_number), values.size(), input.name,
                        judge::name_element(input, static_cast<std::size_t>(first - values.begin()))));
    }
    return notes;
}

}  // namespace attn::cli
