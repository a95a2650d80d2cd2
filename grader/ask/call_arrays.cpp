#include "grader/ask/call_arrays.h"

#include <algorithm>

namespace attn::ask {
namespace {

Argument argument_for(Array& array) {
    Argument argument;
    argument.type = type_of(array);
    argument.rank = static_cast<std::int32_t>(array.shape.size());
    std::copy(array.shape.begin(), array.shape.end(), argument.shape);
    // The pointer is not null even for an empty array, because null means that an output is not wanted.
    static double nothing = 0;
    argument.data = array.count() == 0 ? &nothing : array.data();
    return argument;
}

}  // namespace

CallArrays::CallArrays(const Function& function, const Arrays& given, Precision precision) {
    const auto in_precision = [precision](ElementType type) {
        return type == ElementType::f32 && precision == Precision::f64 ? ElementType::f64 : type;
    };
    const Sizes sizes = sizes_of(function, given);
    for (const TensorSpec& spec : function.outputs)
        outputs.push_back(zeros_of(in_precision(spec.type), spec.name, shape_of(spec, sizes)));
    for (Array& output : outputs) arguments.push_back(argument_for(output));
    inputs.reserve(function.inputs.size());  // arguments point into it
    for (const TensorSpec& spec : function.inputs) {
        const auto input = std::ranges::find(given, spec.name, &Array::name);
        if (input == given.end()) {
            Argument& nothing = arguments.emplace_back();
            nothing.type = in_precision(spec.type);
            nothing.rank = static_cast<std::int32_t>(spec.dims.size());
            continue;
        }
        inputs.push_back(in_precision(spec.type) == ElementType::f64 ? input->cast<double>() : *input);
        arguments.push_back(argument_for(inputs.back()));
    }
    for (const double value : function.option_values(given)) {
        arguments.emplace_back().type = ElementType::f64;
        arguments.back().number = value;
    }
}

}  // namespace attn::ask
