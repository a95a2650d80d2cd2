#include "grader/ask/inner_calls.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "grader/ask/call_arrays.h"
#include "grader/ask/inputs.h"
#include "grader/edits/packed.h"
#include "grader/edits/record_calls.h"
#include "grader/edits/systematic.h"

namespace attn::ask {
namespace {

/// The lengths that a function reads from the shapes of its outputs, of which only the shapes are given.
void add_output_lengths(const Function& function, const edits::RecordedCall& call, Arrays& inputs) {
    for (const OptionSpec& option : function.options) {
        if (option.passed) continue;
        for (std::size_t k = 0; k < function.outputs.size(); ++k) {
            const auto& dims = function.outputs[k].dims;
            const auto axis = std::ranges::find(dims, option.name) - dims.begin();
            if (!call.arguments[k] || axis == std::ssize(dims)) continue;
            inputs.push_back(
                ask::option(option.name, call.arguments[k]->shape[static_cast<std::size_t>(axis)]));
            break;
        }
    }
}

InnerCall inner_call_of(const Function& function, const edits::RecordedCall& call) {
    InnerCall inner{function.name, {}};
    std::size_t k = function.outputs.size();
    for (const TensorSpec& spec : function.inputs) {
        const auto& argument = call.arguments.at(k++);
        if (!argument) continue;
        inner.inputs.push_back(spec.type == ElementType::f32 ? argument->cast<float>() : *argument);
        inner.inputs.back().name = spec.name;
    }
    for (const OptionSpec& spec : function.options)
        if (spec.passed) inner.inputs.push_back(option(spec.name, number_at(*call.arguments.at(k++), 0)));
    add_output_lengths(function, call, inner.inputs);
    return inner;
}

}  // namespace

std::vector<InnerCall> inner_calls(const Function& function, const Arrays& inputs) {
    const edits::Program& program = edits::packed_program();
    const Module* const module = module_of(function.name);
    const int number = program.find_public(function.name);
    if (module == nullptr || number < 0) return {};
    std::map<int, const Function*> smaller;
    std::vector<int> wanted;
    for (const Function& each : module->functions) {
        if (each.name == function.name) continue;
        wanted.push_back(program.find_public(each.name));
        smaller[wanted.back()] = &each;
    }
    const CallArrays arrays(function, inputs, Precision::f64);
    const auto calls = edits::calls_of(program, number, arrays.arguments, wanted);
    std::set<int> called_by_another;
    for (const edits::RecordedCall& call : calls)
        for (const int reached : edits::functions_reached_from(program, call.function))
            if (reached != call.function) called_by_another.insert(reached);
    std::vector<InnerCall> inner;
    for (const edits::RecordedCall& call : calls)
        if (!called_by_another.contains(call.function))
            inner.push_back(inner_call_of(*smaller.at(call.function), call));
    return inner;
}

Array output_of(const std::string& function, const Arrays& inputs, const std::string& output) {
    const Module* module = module_of(function);
    if (module == nullptr) throw std::invalid_argument("there is no function " + function);
    const Arrays outputs = evaluate(*module->find_function(function), inputs, Precision::f64);
    return by_name(outputs, output).cast<float>();
}

Array named(const std::string& name, Array array) {
    array.name = name;
    return array;
}

Array reshaped(Array array, Shape shape) {
    if (element_count(shape) != array.count())
        throw std::invalid_argument(array.name + " " + attn::to_string(array.shape) +
                                    " does not have the shape " + attn::to_string(shape));
    array.shape = std::move(shape);
    return array;
}

Array affine(const Array& X, const Array& W, const Array& b) {
    Array Y = product(X, W);
    std::size_t k = 0;
    return map(Y, [&](double y) { return y + static_cast<double>(b.as<float>()[k++ % b.count()]); });
}

}  // namespace attn::ask
