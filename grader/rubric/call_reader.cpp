#include "grader/rubric/call_reader.h"

#include <algorithm>
#include <stdexcept>

#include "grader/ask/least_lengths.h"

namespace attn::rubric {

void check_sizes(const TableReader& reader, const char* key, const ask::Function& function,
                 const ask::Sizes& sizes) {
    const auto letters = function.letters();
    for (const std::string& letter : letters) {
        if (sizes.contains(letter)) continue;
        reader.refuse(key, fmt::format("'{}' gives no {}; {} needs {}", key, letter, function.name,
                                       fmt::join(letters, ", ")));
    }
    for (const auto& [letter, length] : sizes) {
        if (std::find(letters.begin(), letters.end(), letter) != letters.end()) continue;
        reader.refuse(key, fmt::format("'{}' gives {}, which {} does not have; it has {}", key, letter,
                                       function.name, fmt::join(letters, ", ")));
    }
    constexpr double kMostElements = 1 << 24;
    for (const auto* tensors : {&function.inputs, &function.outputs}) {
        for (const ask::TensorSpec& tensor : *tensors) {
            double elements = 1;
            try {
                for (const std::string& dim : tensor.dims) elements *= ask::length_of(dim, sizes);
            } catch (const std::invalid_argument& too_long) {
                reader.refuse(key,
                              fmt::format("'{}' makes {} too large: {}", key, tensor.name, too_long.what()));
            }
            if (elements <= kMostElements) continue;
            reader.refuse(key, fmt::format("'{}' makes {} of {:g} elements; {:g} are allowed", key,
                                           tensor.name, elements, kMostElements));
        }
    }
}

void check_sizes_of(const TableReader& reader, const char* key, const ask::Function& function,
                    const ask::Recipe& recipe, const ask::Sizes& sizes) {
    check_sizes(reader, key, function, sizes);
    for (const auto& [letter, length] : sizes)
        if (const int least = ask::least_length(function, letter); length < least)
            reader.refuse(key, fmt::format("{} is {}; the contract of {} requires at least {}", letter,
                                           length, function.name, least));
    for (const auto& [letter, length] : recipe.fixed) {
        const auto given = sizes.find(letter);
        if (given == sizes.end())
            reader.refuse("inputs", fmt::format("'{}' is for functions with a length {}, which {} is not",
                                                recipe.name, letter, function.name));
        if (given->second != length)
            reader.refuse(key, fmt::format("{} is {}; the inputs '{}' have {} = {}", letter, given->second,
                                           recipe.name, letter, length));
    }
}

ask::Setting read_setting(TableReader& reader, const ask::Function& function, const char* key_options,
                          const char* key_absent) {
    ask::Setting setting;
    for (const auto& [name, value] : reader.settings(key_options)) {
        const auto spec = std::find_if(function.options.begin(), function.options.end(),
                                       [&, &wanted = name](const auto& o) { return o.name == wanted; });
        if (spec == function.options.end() || spec->length)
            reader.refuse(key_options, fmt::format("{} has no option '{}'; it takes {}", function.name, name,
                                                   function.signature()));
        const auto choice = std::find(spec->choices.begin(), spec->choices.end(), value.text);
        if (!spec->choices.empty() && choice == spec->choices.end())
            reader.refuse(key_options,
                          fmt::format("'{}' is one of {}", name, fmt::join(spec->choices, ", ")));
        if (spec->choices.empty() && !value.text.empty())
            reader.refuse(key_options, fmt::format("'{}' must be a number", name));
        setting.options[name] =
            spec->choices.empty() ? value.number : static_cast<double>(choice - spec->choices.begin());
    }
    setting.absent = reader.texts(key_absent, true);
    for (const std::string& input : setting.absent) {
        const bool can_be = std::any_of(function.inputs.begin(), function.inputs.end(),
                                        [&](const auto& i) { return i.name == input && i.optional; });
        if (!can_be)
            reader.refuse(key_absent,
                          fmt::format("{} has no input '{}' that may be left out", function.name, input));
    }
    return setting;
}

void check_accepted(const TableReader& reader, const char* key, const ask::Function& function,
                    const ask::Sizes& sizes) {
    const std::string why = function.refusal(sizes);
    if (!why.empty())
        reader.refuse(key, fmt::format("{}, so {} must refuse these sizes; expected sizes that it accepts",
                                       why, function.name));
}

ask::CallSpec read_call(TableReader& reader, const ask::Module& module, const ask::Function& function) {
    ask::CallSpec result;
    result.function = &function;
    const std::string recipe = reader.text("inputs");
    result.recipe = module.find_recipe(recipe);
    if (result.recipe == nullptr)
        reader.refuse("inputs", fmt::format("there are no inputs called '{}'; known are {}", recipe,
                                            names(module.recipes)));
    result.sizes = reader.sizes("sizes");
    result.setting = read_setting(reader, function, "options", "absent");
    result.wanted = reader.texts("outputs", true);
    for (const std::string& output : result.wanted) {
        const bool known = std::any_of(function.outputs.begin(), function.outputs.end(),
                                       [&](const auto& o) { return o.name == output; });
        if (!known)
            reader.refuse("outputs", fmt::format("{} has no output '{}'; it has {}", function.name, output,
                                                 names(function.outputs)));
    }
    for (const ask::TensorSpec& output : function.outputs) {
        if (result.wanted.empty() || output.optional) continue;
        if (std::find(result.wanted.begin(), result.wanted.end(), output.name) == result.wanted.end())
            reader.refuse("outputs", fmt::format("{} of {} cannot be left out", output.name, function.name));
    }
    return result;
}

}  // namespace attn::rubric
