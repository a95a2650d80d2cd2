#include "grader/cli/run_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/file_error.h"
#include "datasets/npy.h"
#include "grader/cli/options.h"
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

/// Reads an input array. Its type must be that of the parameter: float32, uint8 for a mask, int32 for
/// lengths.
Array read_input(const ask::TensorSpec& spec, const std::string& file) {
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

/// An int32 input holds lengths along the last axis of the output: of padding_mask, the real keys of each
/// sequence. Throws UsageError if one of them is below 0 or above that axis.
void require_lengths_in_range(const ask::Function& function, const Arrays& inputs, const ask::Sizes& sizes) {
    const std::string& letter = function.outputs.front().dims.back();
    const int most = shape_of(function.outputs.front(), sizes).back();
    for (const Array& input : inputs) {
        if (type_of(input) != ElementType::i32) continue;
        const auto& values = input.as<std::int32_t>();
        for (std::size_t k = 0; k < values.size(); ++k)
            if (values[k] < 0 || values[k] > most)
                throw UsageError(fmt::format("{}: {} is {}; it must be 0 to {} = {}", function.name,
                                             judge::name_element(input, k), values[k], letter, most));
    }
}

}  // namespace

std::map<std::string, std::string> pairs(const po::variables_map& values, const char* option) {
    std::map<std::string, std::string> result;
    if (values.count(option) == 0) return result;
    for (const std::string& word : values[option].as<Words>()) {
        const auto equals = word.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
            throw UsageError(fmt::format("--{} {}: expected NAME=VALUE", option, word));
        if (!result.emplace(word.substr(0, equals), word.substr(equals + 1)).second)
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

Arrays read_inputs(const ask::Function& function, const std::map<std::string, std::string>& files,
                   const std::map<std::string, std::string>& options) {
    require_known(function, names(function.inputs), "input", files);
    Arrays inputs;
    for (const ask::TensorSpec& spec : function.inputs) {
        const auto given = files.find(spec.name);
        if (given != files.end())
            inputs.push_back(read_input(spec, given->second));
        else if (!spec.optional)
            throw UsageError(fmt::format("input {} is missing: --in {}=FILE.npy; {} takes {}", spec.name,
                                         spec.name, function.name, function.signature()));
    }
    for (Array& option : read_options(function, options)) inputs.push_back(std::move(option));
    const ask::Sizes sizes = ask::sizes_of(function, inputs);  // throws for shapes that do not match
    if (function.refusal(sizes).empty()) {
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
