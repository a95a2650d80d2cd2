#include "grader/checks/check.h"

#include <algorithm>
#include <sstream>

namespace attn::checks {
namespace {

std::string join(const std::vector<std::string>& words, const char* between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

std::string describe(const std::vector<TensorSpec>& tensors) {
    std::vector<std::string> words;
    words.reserve(tensors.size());
    for (const TensorSpec& t : tensors)
        words.push_back(t.name + " [" + join(t.dims, ", ") + "]" + (t.optional ? " (on request)" : ""));
    return join(words, ", ");
}

Argument argument_for(Array& array) {
    Argument argument;
    argument.type = std::visit([](const auto& v) { return element_type_of<std::decay_t<decltype(v[0])>>(); },
                               array.values);
    argument.rank = static_cast<std::int32_t>(array.shape.size());
    std::copy(array.shape.begin(), array.shape.end(), argument.shape);
    // Not null even for an empty array: null says that an output is not wanted.
    static double nothing = 0;
    argument.data = array.count() == 0 ? &nothing : array.data();
    return argument;
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
        for (const std::string& letter : input.dims)
            if (std::find(result.begin(), result.end(), letter) == result.end()) result.push_back(letter);
    const auto place = [](const std::string& letter) {
        return letter[0] == 'B' ? 0 : letter[0] == 'N' ? 1 : 2;
    };
    std::stable_sort(result.begin(), result.end(),
                     [&place](const std::string& a, const std::string& b) { return place(a) < place(b); });
    return result;
}

std::string Function::signature() const {
    std::string text = name + ": " + describe(outputs) + " from " + describe(inputs);
    for (const OptionSpec& option : options) text += ", " + option.name;
    return text;
}

std::vector<double> Function::option_values(const Arrays& given) const {
    std::vector<double> values;
    for (const OptionSpec& spec : options) {
        const Array* value = find_named(given, spec.name);
        values.push_back(value == nullptr ? spec.otherwise : value->as<double>().at(0));
    }
    return values;
}

Array option(const std::string& name, double value) {
    return {name, {}, std::vector<double>{value}};
}

Shape shape_of(const TensorSpec& tensor, const Sizes& sizes) {
    Shape shape;
    for (const std::string& letter : tensor.dims) shape.push_back(sizes.at(letter));
    return shape;
}

Sizes sizes_of(const Function& function, const Arrays& inputs) {
    Sizes sizes;
    std::map<std::string, std::string> said_by;
    for (std::size_t k = 0; k < function.inputs.size(); ++k) {
        const TensorSpec& spec = function.inputs[k];
        const std::string takes = "; it takes " + function.signature();
        const Array* array = find_named(inputs, spec.name);
        if (array == nullptr) throw InputError(function.name + " has no input " + spec.name + takes);
        if (array->shape.size() != spec.dims.size()) {
            throw InputError(function.name + ": " + spec.name + " has shape " +
                             attn::to_string(array->shape) + ", " + std::to_string(spec.dims.size()) +
                             " axes were expected" + takes);
        }
        for (std::size_t axis = 0; axis < spec.dims.size(); ++axis) {
            const std::string& letter = spec.dims[axis];
            const int length = array->shape[axis];
            const auto [known, fresh] = sizes.emplace(letter, length);
            if (fresh) said_by[letter] = spec.name;
            if (known->second != length) {
                throw InputError(function.name + ": " + letter + " is " + std::to_string(known->second) +
                                 " in " + said_by[letter] + " and " + std::to_string(length) + " in " +
                                 spec.name + " " + attn::to_string(array->shape) + takes);
            }
            if (length < 1) {
                throw InputError(function.name + ": " + spec.name + " has shape " +
                                 attn::to_string(array->shape) + ", and " + letter + " must be at least 1" +
                                 takes);
            }
        }
    }
    return sizes;
}

Arrays evaluate(const Function& function, const Arrays& inputs, Precision precision,
                const Implementation& implementation) {
    const bool single = precision == Precision::f32;
    const Sizes sizes = sizes_of(function, inputs);
    Arrays outputs, given;
    for (const TensorSpec& spec : function.outputs) {
        const Shape shape = shape_of(spec, sizes);
        outputs.push_back(spec.type == ElementType::u8 ? Array::zeros<std::uint8_t>(spec.name, shape)
                          : single                     ? Array::zeros<float>(spec.name, shape)
                                                       : Array::zeros<double>(spec.name, shape));
    }
    for (const TensorSpec& spec : function.inputs) {
        const Array& input = *find_named(inputs, spec.name);
        given.push_back(spec.type == ElementType::u8 || single ? input : input.cast<double>());
    }
    std::vector<Argument> arguments;
    for (Array& output : outputs) arguments.push_back(argument_for(output));
    for (Array& input : given) arguments.push_back(argument_for(input));
    for (const double value : function.option_values(inputs)) {
        arguments.emplace_back().type = ElementType::f64;
        arguments.back().number = value;
    }
    const Implementation& run = implementation ? implementation
                                : single       ? function.truth_f32
                                               : function.truth_f64;
    run(arguments.data(), static_cast<int>(arguments.size()));
    return outputs;
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
    return registry();
}
const Module* find_module(const std::string& name) {
    return find_named(registry(), name);
}

}  // namespace attn::checks
