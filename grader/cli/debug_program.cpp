#include "grader/cli/debug_program.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/ask/call_spec.h"
#include "grader/contract/layout.h"

namespace attn::cli {
namespace {

const char* type_of(ElementType type) {
    return type == ElementType::u8 ? "std::uint8_t" : type == ElementType::i32 ? "int" : "float";
}

/// The number as C++ writes it. Nine digits give every float exactly.
std::string literal(ElementType type, double x) {
    if (type != ElementType::f32) return fmt::format("{:.0f}", x);
    if (std::isnan(x)) return "NAN";
    if (std::isinf(x)) return x < 0 ? "-INFINITY" : "INFINITY";
    std::string text = fmt::format("{:.9g}", x);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text + "f";
}

/// "const float X_numbers[35] = {..};" with the numbers of a row in a line.
std::string definition(const std::string& name, const Array& array, ElementType type) {
    const std::size_t columns =
        array.shape.empty() ? 1 : static_cast<std::size_t>(std::max(array.shape.back(), 1));
    constexpr std::size_t kInALine = 8;
    std::string text = fmt::format("inline const {} {}[] = {{", type_of(type), name + "_numbers");
    for (std::size_t k = 0; k < array.count(); ++k)
        text += (k % columns % kInALine == 0 ? "\n    " : " ") + literal(type, number_at(array, k)) + ",";
    return text + (array.count() == 0 ? "0" : "\n") + "};\n\n";
}

std::string view(const std::string& element, const std::string& name, const std::string& numbers,
                 const Shape& shape) {
    return fmt::format("    TensorView<{}, {}> {}({}, {});\n", element, shape.size(), name, numbers,
                       fmt::join(shape, ", "));
}

class ProgramWriter {
  public:
    ProgramWriter(const RecordedCall& call, const contract::Contract& contract)
        : call_(call), contract_(contract), sizes_(ask::sizes_of(*call.function, call.inputs)) {}

    DebugProgram write(const std::string& id) {
        const auto declared = std::find_if(contract_.functions.begin(), contract_.functions.end(),
                                           [&](const auto& f) { return f.name == call_.function->name; });
        if (declared == contract_.functions.end())
            throw std::runtime_error(contract_.path + " has no function " + call_.function->name);
        std::vector<std::string> arguments;
        for (const contract::Parameter& parameter : declared->parameters)
            arguments.push_back(argument(parameter));
        std::string main = fmt::format(
            "// {}: {}\n// `make debug ID={}` wrote this program. It calls your function with the inputs of "
            "the "
            "check.\n\n#include <cmath>\n#include <vector>\n\n#include \"print.h\"\n#include "
            "\"{}.h\"\n#include "
            "\"arrays.h\"\n\nint main() {{\n    using namespace attn;\n",
            id, call_.about, id, contract_.name);
        main += views_ + "\n    " + call_.function->name + "(" + contract::listed(arguments) + ");\n\n" +
                prints_ + "}\n";
        return {main, "#pragma once\n// The numbers of " + id +
                          ", by rows.\n\n#include <cmath>\n#include <cstdint>\n\n" + arrays_};
    }

  private:
    /// Declares what the parameter needs, and returns the argument.
    std::string argument(const contract::Parameter& parameter) {
        using contract::Kind;
        switch (parameter.kind) {
            case Kind::output:
                return output();
            case Kind::input:
                return input();
            case Kind::outputs:
            case Kind::weights: {
                views_ += fmt::format("    const {}<float> {}{};\n", parameter.structure, parameter.name(),
                                      members(parameter.structure));
                return parameter.name();
            }
            case Kind::length:
                return std::to_string(sizes_.at(parameter.name()));
            case Kind::number:
                return literal(ElementType::f32, option(parameter));
            case Kind::choice:
                return parameter.type +
                       "::" + parameter.choices.at(static_cast<std::size_t>(option(parameter)));
            case Kind::flag:
                return option(parameter) != 0 ? "true" : "false";
        }
        return {};
    }

    double option(const contract::Parameter& parameter) const {
        return call_.function->option_value(call_.inputs, parameter.name());
    }

    /// "{W_Q, b_Q, {gamma, beta}}"
    std::string members(const std::string& structure) {
        const contract::Struct* const found = contract_.find_struct(structure);
        if (found == nullptr) throw std::runtime_error(contract_.path + " has no struct " + structure);
        std::vector<std::string> all;
        for (const contract::Member& member : found->members)
            all.push_back(!member.structure.empty() ? members(member.structure)
                          : found->output           ? output()
                                                    : input());
        return "{" + contract::listed(all) + "}";
    }

    /// The next output of the function.
    std::string output() {
        const ask::TensorSpec& spec = call_.function->outputs.at(outputs_++);
        if (!ask::is_wanted(call_.wanted, spec.name)) {
            views_ += fmt::format("    TensorView<{}, {}> {};  // this call does not ask for it\n",
                                  type_of(spec.type), spec.dims.size(), spec.name);
            return spec.name;
        }
        const Shape shape = shape_of(spec, sizes_);
        views_ += fmt::format("    std::vector<{}> {}_numbers({}{});\n", type_of(spec.type), spec.name,
                              element_count(shape), spec.type == ElementType::f32 ? ", NAN" : "");
        views_ += view(type_of(spec.type), spec.name, spec.name + "_numbers.data()", shape);
        prints_ += fmt::format("    print(\"{0} yours\", {0});\n", spec.name);
        for (const Array& expected : call_.expected) {
            if (expected.name != spec.name) continue;
            arrays_ += definition(spec.name + "_expected", expected, spec.type);
            prints_ += fmt::format(
                "    print(\"{} expected\", TensorView<const {}, {}>({}_expected_numbers, {}));\n", spec.name,
                type_of(spec.type), shape.size(), spec.name, fmt::join(shape, ", "));
        }
        return spec.name;
    }

    /// The next input of the function.
    std::string input() {
        const ask::TensorSpec& spec = call_.function->inputs.at(inputs_++);
        std::string name = spec.name;
        std::replace(name.begin(), name.end(), '.', '_');
        const std::string element = std::string("const ") + type_of(spec.type);
        const auto given = std::find_if(call_.inputs.begin(), call_.inputs.end(),
                                        [&](const Array& array) { return array.name == spec.name; });
        if (given == call_.inputs.end()) {
            views_ += fmt::format("    TensorView<{}, {}> {};  // absent in this call\n", element,
                                  spec.dims.size(), name);
            return name;
        }
        arrays_ += definition(name, *given, spec.type);
        views_ += view(element, name, name + "_numbers", given->shape);
        return name;
    }

    const RecordedCall& call_;
    const contract::Contract& contract_;
    ask::Sizes sizes_;
    std::size_t outputs_ = 0, inputs_ = 0;
    std::string views_, prints_, arrays_;
};

}  // namespace

DebugProgram debug_program(const std::string& id, const RecordedCall& call,
                           const contract::Contract& contract) {
    return ProgramWriter(call, contract).write(id);
}

}  // namespace attn::cli
