#include "grader/ask/module.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "grader/ask/call_arrays.h"
#include "grader/ask/edited.h"
#include "grader/edits/packed.h"

namespace attn::ask {
namespace {

std::string join(const std::vector<std::string>& words, const char* between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

std::string describe(const std::vector<TensorSpec>& tensors, const char* optional) {
    std::vector<std::string> words;
    words.reserve(tensors.size());
    for (const TensorSpec& t : tensors)
        words.push_back(t.name + " [" + join(t.dims, ", ") + "]" + (t.optional ? optional : ""));
    return join(words, ", ");
}

/// " (pre, post; default pre)", " (default 1e-05)"; nothing for a length, which has no default.
std::string described(const OptionSpec& option) {
    if (option.length) return {};
    const std::string value = option.in_words(option.default_value);
    if (!option.choices.empty()) return " (" + join(option.choices, ", ") + "; default " + value + ")";
    return " (default " + value + ")";
}

template <class T>
const T* find_named(const std::vector<T>& items, const std::string& name) {
    const auto found =
        std::find_if(items.begin(), items.end(), [&](const T& item) { return item.name == name; });
    return found == items.end() ? nullptr : &*found;
}

std::vector<Module>& registry() {
    static std::vector<Module> all;
    return all;
}

/// Adds the mistakes that are listed as edits of the plain loops.
void add_listed_mistakes(Module& module) {
    for (const edits::MistakeWords& mistake : edits::listed_mistakes(module.name))
        module.mistakes.push_back({mistake.name, mistake.when, mistake.hint});
    module.mistaken = [name = module.name](const Function& function, const Arrays& inputs,
                                           Precision precision) -> MistakenCall {
        return [call = ListedCall(name, function, inputs, precision)](std::span<const int> made) {
            return call.outputs(made);
        };
    };
}

}  // namespace

std::string to_string(const Sizes& sizes, const std::vector<std::string>& order) {
    std::vector<std::string> words;
    for (const std::string& letter : order)
        if (const auto found = sizes.find(letter); found != sizes.end())
            words.push_back(letter + "=" + std::to_string(found->second));
    return join(words, " ");
}

std::vector<std::string> Function::letters() const {
    std::vector<std::string> result;
    for (const TensorSpec& input : inputs)
        for (const std::string& dim : input.dims)
            if (is_letter(dim) && std::find(result.begin(), result.end(), dim) == result.end())
                result.push_back(dim);
    const auto place = [](const std::string& letter) {
        return letter[0] == 'B' ? 0 : letter[0] == 'N' ? 1 : 2;
    };
    std::stable_sort(result.begin(), result.end(),
                     [&place](const std::string& a, const std::string& b) { return place(a) < place(b); });
    for (const OptionSpec& option : options)
        if (option.length) result.push_back(option.name);
    return result;
}

std::string Function::signature() const {
    std::vector<std::string> from;
    if (!inputs.empty()) from.push_back(describe(inputs, " (may be missing)"));
    for (const OptionSpec& option : options) from.push_back(option.name + described(option));
    return name + ": " + describe(outputs, " (on request)") + " from " + join(from, ", ");
}

double Function::option_value(const Arrays& given, const std::string& option) const {
    if (const Array* value = find_named(given, option)) return value->as<double>().at(0);
    const OptionSpec* spec = find_named(options, option);
    if (spec == nullptr) throw std::invalid_argument(name + " has no option " + option);
    if (spec->length)
        throw UserError(name + ": the length " + option + " is not given; it takes " + signature());
    return spec->default_value;
}

std::vector<double> Function::option_values(const Arrays& given) const {
    std::vector<double> values;
    for (const OptionSpec& spec : options)
        if (spec.passed) values.push_back(option_value(given, spec.name));
    return values;
}

std::string Function::refusal(const Sizes& sizes) const {
    for (const auto& [divisor, length] : divides) {
        const int part = length_of(divisor, sizes), whole = sizes.at(length);
        if (whole % part != 0)
            return (is_letter(divisor) ? divisor + " = " : "") + std::to_string(part) + " does not divide " +
                   length + " = " + std::to_string(whole);
    }
    return {};
}

std::string Function::refusal(const Sizes& sizes, const Arrays& given) const {
    if (std::string why = refusal(sizes); !why.empty()) return why;
    for (const NumberRange& range : ranges) {
        const Array* array = find_named(given, range.input);
        if (array == nullptr) continue;
        const bool positive = range.end.empty();
        const int end = positive ? 0 : length_of(range.end, sizes);
        std::size_t k = 0;
        const auto allowed = [&](double n) { return positive ? n > 0 : n >= range.least && n < end; };
        while (k < array->count() && allowed(number_at(*array, k))) ++k;
        if (k == array->count()) continue;
        std::vector<int> index(array->shape.size());
        std::size_t rest = k;
        for (std::size_t axis = index.size(); axis-- > 0;
             rest /= static_cast<std::size_t>(array->shape[axis]))
            index[axis] = static_cast<int>(rest % static_cast<std::size_t>(array->shape[axis]));
        std::string place = array->name;
        if (!index.empty())
            place += attn::detail::join(index.data(), static_cast<int>(index.size()), '(', ')');
        std::ostringstream number;
        number << number_at(*array, k);
        return place + " is " + number.str() +
               (positive ? ", not positive"
                         : ", outside " + std::to_string(range.least) + " .. " + std::to_string(end - 1));
    }
    return {};
}

std::string OptionSpec::in_words(double value) const {
    return choices.empty() ? fmt::format("{:g}", value) : choices.at(static_cast<std::size_t>(value));
}

OptionSpec length_option(const std::string& name) {
    return {name, 0, {}, true, true};
}
OptionSpec output_length(const std::string& name) {
    return {name, 0, {}, true, false};
}
OptionSpec number_option(const std::string& name, double default_value) {
    return {name, default_value, {}, false, true};
}
OptionSpec choice_option(const std::string& name, std::vector<std::string> choices, int default_value) {
    return {name, static_cast<double>(default_value), std::move(choices), false, true};
}

Array option(const std::string& name, double value) {
    return {name, {}, std::vector<double>{value}};
}

Arrays make_inputs(const Function& function, const Recipe& recipe, const Sizes& sizes, const Setting& setting,
                   Random& random) {
    Arrays inputs = recipe.make(function, sizes, random);
    std::erase_if(inputs, [&setting](const Array& input) {
        return std::find(setting.absent.begin(), setting.absent.end(), input.name) != setting.absent.end();
    });
    for (const OptionSpec& spec : function.options) {
        const auto given = setting.options.find(spec.name);
        const double value = spec.length                      ? sizes.at(spec.name)
                             : given == setting.options.end() ? spec.default_value
                                                              : given->second;
        inputs.push_back(option(spec.name, value));
    }
    return inputs;
}

Shape shape_of(const TensorSpec& tensor, const Sizes& sizes) {
    Shape shape;
    for (const std::string& dim : tensor.dims) shape.push_back(length_of(dim, sizes));
    return shape;
}

Sizes sizes_of(const Function& function, const Arrays& inputs) {
    Sizes sizes;
    std::map<std::string, std::string> found_in;
    const auto takes = [&function] { return "; it takes " + function.signature(); };
    const auto check_length = [&](const TensorSpec& spec, const Array& array, std::size_t axis) {
        const std::string& dim = spec.dims[axis];
        const int length = array.shape[axis], expected = length_of(dim, sizes);
        if (expected == length) return;
        throw UserError(function.name + ": " + dim + " is " + std::to_string(expected) +
                        (is_letter(dim) ? " in " + found_in[dim] : std::string()) + " and " +
                        std::to_string(length) + " in " + spec.name + " " + attn::to_string(array.shape) +
                        takes());
    };
    for (const OptionSpec& option : function.options) {
        if (!option.length) continue;
        const double value = function.option_value(inputs, option.name);
        constexpr int kLongest = 1 << 24;
        if (!(value >= 1) || value > kLongest || value != static_cast<int>(value))
            throw UserError(function.name + ": " + option.name + " must be a whole number, 1 to " +
                            std::to_string(kLongest) + takes());
        sizes[option.name] = static_cast<int>(value);
        found_in[option.name] = "its value";
    }
    for (const TensorSpec& spec : function.inputs) {
        const Array* array = find_named(inputs, spec.name);
        if (array == nullptr && spec.optional) continue;
        if (array == nullptr) throw UserError(function.name + " has no input " + spec.name + takes());
        if (array->shape.size() != spec.dims.size()) {
            throw UserError(function.name + ": " + spec.name + " has shape " + attn::to_string(array->shape) +
                            ", " + std::to_string(spec.dims.size()) + " axes were expected" + takes());
        }
        for (std::size_t axis = 0; axis < spec.dims.size(); ++axis) {
            const std::string& letter = spec.dims[axis];
            if (!is_letter(letter)) continue;
            const int length = array->shape[axis];
            if (sizes.emplace(letter, length).second) found_in[letter] = spec.name;
            check_length(spec, *array, axis);
            if (length < 1) {
                throw UserError(function.name + ": " + spec.name + " has shape " +
                                attn::to_string(array->shape) + ", and " + letter + " must be at least 1" +
                                takes());
            }
        }
    }
    // Expressions of letters can be checked only when all letters are known.
    for (const TensorSpec& spec : function.inputs)
        if (const Array* array = find_named(inputs, spec.name))
            for (std::size_t axis = 0; axis < spec.dims.size(); ++axis)
                if (!is_letter(spec.dims[axis])) check_length(spec, *array, axis);
    return sizes;
}

Arrays evaluate(const Function& function, const Arrays& inputs, Precision precision,
                const Implementation& implementation) {
    CallArrays call(function, inputs, precision);
    const Implementation& run = implementation                ? implementation
                                : precision == Precision::f32 ? function.truth_f32
                                                              : function.truth_f64;
    run(call.arguments.data(), static_cast<int>(call.arguments.size()));
    return std::move(call.outputs);
}

const Function* Module::find_function(const std::string& wanted) const {
    return find_named(functions, wanted);
}
const Recipe* Module::find_recipe(const std::string& wanted) const {
    return find_named(recipes, wanted);
}
const Property* Module::find_property(const std::string& function, const std::string& wanted) const {
    const auto found = properties.find(function);
    return found == properties.end() ? nullptr : find_named(found->second, wanted);
}

Registration::Registration(Module module) {
    registry().push_back(std::move(module));
}
const std::vector<Module>& modules() {
    // The lists of edits are registered at program start, too, in any order, so they are added at the first
    // use.
    static const bool kAdded = [] {
        std::ranges::for_each(registry(), add_listed_mistakes);
        return true;
    }();
    static_cast<void>(kAdded);
    return registry();
}
const Module* find_module(const std::string& name) {
    return find_named(modules(), name);
}
const Module* module_of(const std::string& function) {
    for (const Module& module : modules())
        if (module.find_function(function) != nullptr) return &module;
    return nullptr;
}

}  // namespace attn::ask
