#include <charconv>

#include "grader/contract/glue_writer.h"
#include "grader/contract/layout.h"

namespace attn::contract {
namespace {

std::string quoted(const std::string& word) {
    return "\"" + word + "\"";
}

/// {Kind::output, "Y", "B,N,D"}
std::string row(const std::string& kind, const std::string& name, const std::vector<std::string>& words = {},
                const std::string& more = "") {
    std::string joined;
    for (const std::string& word : words) joined += (joined.empty() ? "" : ",") + word;
    const bool ends = words.empty() && more.empty();
    return "        {Kind::" + kind + ", " + quoted(name) + (ends ? "" : ", " + quoted(joined)) + more +
           "},\n";
}

std::string rows_of(const std::string& kind, const std::vector<Tensor>& tensors) {
    std::string text;
    for (const Tensor& tensor : tensors) {
        std::string more;
        if (tensor.optional || tensor.element != Element::real)
            more = tensor.optional ? ", 0, true" : ", 0, false";
        if (tensor.element == Element::u8) more += ", ElementType::u8";
        if (tensor.element == Element::i32) more += ", ElementType::i32";
        text += row(kind, tensor.name, tensor.dims, more);
    }
    return text;
}

/// The shortest text that is read back as the same number.
std::string number(double value) {
    char text[40];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    return {text, end};
}

std::string rows_of_options(const Function& function) {
    std::string text;
    for (const std::string& letter : function.output_lengths) text += row("output_length", letter);
    for (const Parameter& parameter : function.parameters) {
        const std::string value = ", " + number(parameter.default_value);
        if (parameter.kind == Kind::length) text += row("length", parameter.name());
        if (parameter.kind == Kind::number) text += row("number", parameter.name(), {}, value);
        if (parameter.kind == Kind::choice || parameter.kind == Kind::flag)
            text += row("choice", parameter.name(), parameter.choices, value);
    }
    return text;
}

}  // namespace

std::string module_unit(const Contract& contract) {
    const std::string& x = contract.name;
    std::string text = written_from(contract, "the module of the assignment.") + "#include \"contracts/" + x +
                       "_reference.h\"\n#include \"grader/ask/function_row.h\"\n\nnamespace attn::ask::" + x +
                       R"( {

std::vector<Recipe> recipes();
std::map<std::string, std::vector<Property>> properties();

/// The functions of the contract, in its order.
static std::vector<Function> functions() {
    using Kind = FunctionRow::Kind;
    static constexpr FunctionRow kRows[] = {
)";
    for (const Function& function : contract.functions) {
        const std::string truth = "cpu::" + function.name;
        const std::string f32 = function.has_reals() ? truth + "<float>" : truth,
                          f64 = function.has_reals() ? truth + "<double>" : truth;
        text += "        {Kind::function, " + quoted(function.name) +
                ", \"\", 0, false, ElementType::f32,\n" + "         calling<" + f32 + ">, calling<" + f64 +
                ">},\n";
        text += rows_of("output", function.outputs) + rows_of("input", function.inputs) +
                rows_of_options(function);
        for (const auto& [divisor, length] : function.divides) text += row("divides", divisor, {length});
        for (const Range& range : function.ranges)
            text += row("range", range.input, {range.end}, ", " + std::to_string(range.least));
    }
    return text + "    };\n    return functions_of(kRows);\n}\n\nstatic const Registration kRegistered({" +
           quoted(x) + ", functions(), recipes(), properties()});\n\n}  // namespace attn::ask::" + x + "\n";
}

std::string yardstick_list(const Contract& contract) {
    const std::string& x = contract.name;
    std::string text = "#pragma once\n" + written_from(contract, "the yardstick's functions by name.");
    text += "#include <map>\n#include <string>\n\n#include \"contracts/" + x +
            "_fast.h\"\n#include \"grader/ask/function_row.h\"\n\nnamespace attn::ask::" + x +
            " {\n\ninline void add_yardstick(std::map<std::string, Implementation>& all) {\n";
    for (const Function& function : contract.functions)
        text += "    all[" + quoted(function.name) + "] = calling<fast::" + function.name + ">;\n";
    return text + "}\n\n}  // namespace attn::ask::" + x + "\n";
}

}  // namespace attn::contract
