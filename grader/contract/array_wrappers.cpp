#include <map>
#include <set>

#include "grader/contract/glue_writer.h"
#include "grader/contract/layout.h"
#include "grader/contract/tokens.h"

namespace attn::contract {
namespace {

const char* element_of(const Tensor& tensor) {
    constexpr const char* kElements[] = {"T", "std::uint8_t", "int"};
    return kElements[static_cast<int>(tensor.element)];
}

/// X.view<T, 3>()
std::string view_of(const Tensor& tensor, const std::string& array) {
    return array + ".view<" + element_of(tensor) + ", " + std::to_string(tensor.rank) + ">()";
}

/// struct BlockWeightsArrays { .. };
std::string struct_of_arrays(const Struct& structure) {
    std::string text =
        "/// The arrays behind " + structure.name + ".\nstruct " + structure.name + "Arrays {\n";
    std::string calls;
    std::vector<std::string> views;
    for (const Member& member : structure.members) {
        const std::string& name = member.tensor.name;
        const bool tensor = member.structure.empty();
        text += "    " + (tensor ? "Array" : member.structure + "Arrays") + " " + name + ";\n";
        views.push_back(tensor ? view_of(member.tensor, name) : name + ".views<T>()");
        calls += "        " + (tensor ? "f(\"" + name + "\", " + name + ")" : name + ".for_each(f)") + ";\n";
    }
    text +=
        "\n    /// Calls f(name, array) for each array, also for those of nested structs.\n    template "
        "<class F>\n    "
        "void for_each(F f) {\n" +
        calls + "    }\n";
    return text + "    template <class T>\n    " + structure.name + "<T> views() const {\n" +
           wrapped("        return {", views, "};") + "\n    }\n};\n\n";
}

/// The C++ expression for each letter: "X.shape[0]", or the name of an option.
class Letters {
  public:
    Letters(const Contract& contract, const Function& function) : contract_(contract) {
        for (const Parameter& parameter : function.parameters) {
            if (parameter.kind == Kind::input && !parameter.tensor.optional)
                add(parameter.tensor, parameter.name());
            if (parameter.kind == Kind::weights) add(parameter.structure, parameter.name());
            if (parameter.kind == Kind::length) sources_[parameter.name()] = parameter.name();
        }
        for (const std::string& letter : function.output_lengths) sources_[letter] = letter;
    }

    /// "H/P*W/P+1", "2*M-1" or "ceil(N/B_r)" as a C++ expression, with parentheses around quotients.
    std::string expression(const std::string& dim) const {
        std::string text, quotient;
        for (std::size_t at = 0; at <= dim.size();) {
            const bool end = at == dim.size();
            if (end || dim[at] == '+' || dim[at] == '-' || dim[at] == '*') {
                text += quotient.find('/') == std::string::npos ? quotient : "(" + quotient + ")";
                if (!end) text += std::string(" ") + dim[at] + " ";
                quotient.clear();
                ++at;
            } else if (dim[at] == '/') {
                quotient += " / ";
                ++at;
            } else {
                quotient += operand(dim, at);
            }
        }
        return text;
    }

  private:
    /// The word, or ceil(N/P), that starts at `at`. Moves `at` past it.
    std::string operand(const std::string& dim, std::size_t& at) const {
        if (dim.compare(at, 5, "ceil(") != 0) return source_of(word_at(dim, at));
        const std::string number = operand(dim, at += 5);
        const std::string divisor = operand(dim, ++at);
        ++at;
        return "((" + number + " + " + divisor + " - 1) / " + divisor + ")";
    }

    /// The word that starts at `at`. Moves `at` past it.
    static std::string word_at(const std::string& dim, std::size_t& at) {
        const std::size_t start = at;
        while (at < dim.size() && continues_word(dim[at])) ++at;
        return dim.substr(start, at - start);
    }
    std::string source_of(const std::string& word) const {
        const auto found = sources_.find(word);
        return found == sources_.end() ? word : found->second;
    }

    void add(const Tensor& tensor, const std::string& array) {
        for (std::size_t axis = 0; axis < tensor.dims.size(); ++axis)
            sources_.emplace(tensor.dims[axis], array + ".shape[" + std::to_string(axis) + "]");
    }
    void add(const std::string& structure, const std::string& name) {
        for (const Member& member : contract_.find_struct(structure)->members) {
            const std::string inner = name + "." + member.tensor.name;
            if (member.structure.empty())
                add(member.tensor, inner);
            else
                add(member.structure, inner);
        }
    }

    const Contract& contract_;
    std::map<std::string, std::string> sources_;
};

/// The parameters of the wrapper.
std::vector<std::string> parameters_of_wrapper(const Function& function) {
    std::vector<std::string> all;
    for (const Parameter& p : function.parameters) {
        if (p.kind == Kind::input) all.push_back("const Array& " + p.name());
        if (p.kind == Kind::weights) all.push_back("const " + p.structure + "Arrays& " + p.name());
    }
    for (const std::string& letter : function.output_lengths) all.push_back("int " + letter);
    for (const Parameter& p : function.parameters)
        if (p.kind != Kind::input && p.kind != Kind::output && p.structure.empty())
            all.push_back((p.type == "float" ? "double" : p.type) + " " + p.name());
    return all;
}

/// {outputs.dW_1.view<T, 2>(), {outputs.dW_Q.view<T, 2>(), ..}}
std::string views_of_outputs(const Contract& contract, const std::string& structure,
                             const std::string& results) {
    std::vector<std::string> all;
    for (const Member& member : contract.find_struct(structure)->members)
        all.push_back(member.structure.empty() ? view_of(member.tensor, results + member.tensor.name)
                                               : views_of_outputs(contract, member.structure, results));
    return "{" + listed(all) + "}";
}

std::string argument_for(const Contract& contract, const Parameter& p, const std::string& results) {
    switch (p.kind) {
        case Kind::outputs:
            return p.structure + "<T>" + views_of_outputs(contract, p.structure, results);
        case Kind::output:
            return view_of(p.tensor, results + p.name());
        case Kind::input:
            if (p.tensor.optional)
                return "view_if_any<" + std::string(element_of(p.tensor)) + ", " +
                       std::to_string(p.tensor.rank) + ">(" + p.name() + ")";
            return view_of(p.tensor, p.name());
        case Kind::weights:
            return p.name() + ".views<T>()";
        default:
            return p.type == "float" ? "static_cast<T>(" + p.name() + ")" : p.name();
    }
}

std::string wrapper(const Contract& contract, const Function& function) {
    const bool real = function.has_reals(), several = function.outputs.size() > 1;
    const Letters letters(contract, function);
    const std::string result = several ? "Outputs_of_" + function.name : "Array";
    std::string text;
    std::vector<std::string> names;
    for (const Tensor& output : function.outputs) names.push_back(output.name);
    if (several) text += "struct " + result + " {\n    Array " + listed(names) + ";\n};\n\n";
    text += real ? "template <class T>\n" : "inline ";
    text += wrapped(result + " " + function.name + "(", parameters_of_wrapper(function), ") {") + "\n";
    if (several) text += "    " + result + " outputs;\n";
    for (const Tensor& output : function.outputs) {
        std::vector<std::string> lengths;
        for (const std::string& dim : output.dims) lengths.push_back(letters.expression(dim));
        text += "    " + (several ? "outputs." : std::string("Array ")) + output.name + " = unwritten<" +
                element_of(output) + ">(\"" + output.name + "\", {" + listed(lengths) + "});\n";
    }
    std::vector<std::string> arguments;
    for (const Parameter& p : function.parameters)
        arguments.push_back(argument_for(contract, p, several ? "outputs." : ""));
    text += wrapped("    cpu::" + function.name + (real ? "<T>" : "") + "(", arguments, ");") + "\n";
    return text + "    return " + (several ? "outputs" : names.front()) + ";\n}\n\n";
}

}  // namespace

std::string array_wrappers(const Contract& contract) {
    const std::string& x = contract.name;
    std::string text = "#pragma once\n" +
                       written_from(contract, "the reference's functions from Arrays to Arrays, for tests.");
    text += "#include <cstdint>\n\n#include \"reference/testing/arrays.h\"\n#include \"contracts/" + x +
            "_reference.h\"\n";
    std::set<std::string> others;
    for (const Struct& each : contract.structs)
        if (each.header != x && others.insert(each.header).second)
            text += "#include \"" + each.header + "_on_arrays.h\"\n";
    text += "\nnamespace attn::testing::on_arrays {\n\n";
    for (const Struct& each : contract.structs)
        if (each.header == x && !each.output) text += struct_of_arrays(each);
    for (const Function& function : contract.functions) text += wrapper(contract, function);
    return text + "}  // namespace attn::testing::on_arrays\n";
}

}  // namespace attn::contract
