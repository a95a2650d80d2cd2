#include <charconv>

#include "grader/contract/glue_writer.h"
#include "grader/contract/layout.h"

namespace attn::contract {
namespace {

std::string quoted(const std::string& word) {
    return "\"" + word + "\"";
}

std::string list_of(const std::vector<std::string>& words) {
    std::vector<std::string> all;
    for (const std::string& word : words) all.push_back(quoted(word));
    return "{" + listed(all) + "}";
}

/// {"mask", {"B", "N"}, true, ElementType::u8}
std::string spec_of(const Tensor& tensor) {
    std::string text = "{" + quoted(tensor.name) + ", " + list_of(tensor.dims);
    if (tensor.optional || tensor.element != Element::real) text += tensor.optional ? ", true" : ", false";
    if (tensor.element == Element::u8) text += ", ElementType::u8";
    if (tensor.element == Element::i32) text += ", ElementType::i32";
    return text + "}";
}

std::string specs_of(const std::vector<Tensor>& tensors) {
    std::vector<std::string> all;
    for (const Tensor& tensor : tensors) all.push_back(spec_of(tensor));
    return wrapped("         {", all, "}");
}

/// The shortest text that is read back as the same number.
std::string number(double value) {
    char text[40];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    return {text, end};
}

std::vector<std::string> options_of(const Function& function) {
    std::vector<std::string> all;
    for (const std::string& letter : function.output_lengths)
        all.push_back("output_length(" + quoted(letter) + ")");
    for (const Parameter& parameter : function.parameters) {
        const std::string name = quoted(parameter.name());
        const std::string default_text =
            parameter.default_value == 0 ? "" : ", " + number(parameter.default_value);
        if (parameter.kind == Kind::length) all.push_back("length_option(" + name + ")");
        if (parameter.kind == Kind::number)
            all.push_back("number_option(" + name + ", " + number(parameter.default_value) + ")");
        if (parameter.kind == Kind::choice || parameter.kind == Kind::flag)
            all.push_back("choice_option(" + name + ", " + list_of(parameter.choices) + default_text + ")");
    }
    return all;
}

}  // namespace

std::string function_list(const Contract& contract) {
    std::string text =
        "#pragma once\n" + written_from(contract, "the parameters of its functions, and their references.");
    text += "#include \"contracts/" + contract.name +
            "_reference.h\"\n#include \"grader/ask/check.h\"\n\nnamespace attn::ask::" + contract.name +
            " {\n\n/// The functions of the contract, in its order.\n" +
            "inline std::vector<Function> contract_functions() {\n    std::vector<Function> all;\n";
    for (const Function& function : contract.functions) {
        const std::string truth = "cpu::" + function.name;
        const std::string truths =
            function.has_reals() ? truth + "<float>, " + truth + "<double>" : truth + ", " + truth;
        text += "\n    all.push_back(make_function(" + quoted(function.name) + ",\n" +
                specs_of(function.outputs) + ",\n" + specs_of(function.inputs) + ",\n         " + truths +
                "));\n";
        if (const auto options = options_of(function); !options.empty())
            text += wrapped("    all.back().options = {", options, "};") + "\n";
        std::vector<std::string> divides;
        for (const auto& [divisor, length] : function.divides)
            divides.push_back("{" + quoted(divisor) + ", " + quoted(length) + "}");
        if (!divides.empty()) text += wrapped("    all.back().divides = {", divides, "};") + "\n";
        std::vector<std::string> ranges;
        for (const Range& range : function.ranges)
            ranges.push_back("{" + quoted(range.input) + ", " + std::to_string(range.least) + ", " +
                             quoted(range.end) + "}");
        if (!ranges.empty()) text += wrapped("    all.back().ranges = {", ranges, "};") + "\n";
    }
    return text + "    return all;\n}\n\n}  // namespace attn::ask::" + contract.name + "\n";
}

std::string yardstick_list(const Contract& contract) {
    const std::string& x = contract.name;
    std::string text = "#pragma once\n" + written_from(contract, "the yardstick's functions by name.");
    text += "#include <map>\n#include <string>\n\n#include \"contracts/" + x +
            "_fast.h\"\n#include \"grader/ask/check.h\"\n\nnamespace attn::ask::" + x +
            " {\n\ninline void add_yardstick(std::map<std::string, Implementation>& all) {\n";
    for (const Function& function : contract.functions)
        text += "    all[" + quoted(function.name) + "] = implementation(fast::" + function.name + ");\n";
    return text + "}\n\n}  // namespace attn::ask::" + x + "\n";
}

}  // namespace attn::contract
