#include "grader/contract/glue_writer.h"

#include "grader/contract/layout.h"

namespace attn::contract {
namespace {

std::string table(const Contract& contract, const std::string& mark, const std::string& space,
                  const std::string& exporter, const std::string& exported) {
    std::string text;
    for (const Function& function : contract.functions) text += mark + "(" + function.name + ")\n";
    text += "\nextern \"C\" const attn::worker::Export* " + exported + "() {\n";
    text += "    static const attn::worker::Export table[] = {\n";
    for (const Function& function : contract.functions)
        text += "        attn::worker::" + exporter + "(\"" + function.name + "\", " + space + function.name +
                "),\n";
    return text + "        {nullptr, nullptr, nullptr},\n    };\n    return table;\n}\n";
}

/// The arguments of a call that get copies of the inputs that share memory with an output (grader/compile/apart.h). None
/// of them if the function has no outputs, or no inputs, that are arrays of their own.
std::vector<std::string> names_apart(const Function& function, std::string& outputs) {
    std::vector<std::string> names;
    bool any = false;
    for (const Parameter& p : function.parameters) {
        const bool is_array = p.structure.empty();
        if (is_array && p.kind == Kind::output) outputs += (outputs.empty() ? "" : ", ") + p.name();
        any = any || (is_array && p.kind == Kind::input);
        names.push_back(is_array && p.kind == Kind::input ? "apart(" + p.name() + ")" : p.name());
    }
    if (any && !outputs.empty()) return names;
    outputs.clear();
    return parameter_names(function);
}

std::string adapter(const Contract& contract, const std::string& what, const std::string& header,
                    const std::string& space, bool plain) {
    std::string text = written_from(contract, what);
    text += "#include \"assignments/" + path_in_assignments(contract) + "\"\n#include \"" + header + "\"\n";
    if (plain) text += "#include \"grader/compile/apart.h\"\n";
    text += "\nnamespace attn {\n";
    for (const Function& function : contract.functions) {
        const std::string callee = space + function.name + (plain && function.has_reals() ? "<float>" : "");
        std::string outputs;
        const std::vector<std::string> names =
            plain ? names_apart(function, outputs) : parameter_names(function);
        text += "\n" + wrapped("void " + function.name + "(", declared_parameters(function), ") {") + "\n";
        if (!outputs.empty()) text += "    compile::Apart apart(" + outputs + ");\n";
        text += wrapped("    " + callee + "(", names, ");") + "\n}\n";
    }
    return text + "\n}  // namespace attn\n";
}

/// The function's declaration with another number type in the place of float: "T" or "double".
std::string declaration(const Function& function, const std::string& before, const std::string& number) {
    std::vector<std::string> parameters = declared_parameters(function);
    if (function.has_reals())
        for (std::size_t k = 0; k < parameters.size(); ++k) {
            const std::string& type = function.parameters[k].type;
            parameters[k] = with_number(type, number) + " " + function.parameters[k].name();
        }
    return wrapped(before + "(", parameters, ");") + "\n";
}

/// The header with the types of the contract's functions.
std::string include_of_types(const Contract& contract) {
    const bool own_types = !contract.structs.empty() || !contract.enums.empty();
    return "#include \"assignments/" + (own_types ? path_in_assignments(contract) : "tensor.h") + "\"\n";
}

/// The pattern of the linker's names of a function in namespace attn, with any parameters.
std::string symbols_of(const Function& function) {
    return "_ZN4attn" + std::to_string(function.name.size()) + function.name + "E*";
}

/// A header that declares the contract's functions in attn::`place`, as reference/`folder`NAME.cpp defines
/// them. `number`: the type of real numbers; T makes templates.
std::string declaring_header(const Contract& contract, const std::string& as, const std::string& folder,
                             const std::string& place, const std::string& number) {
    std::string text =
        "#pragma once\n" +
        written_from(contract, "its functions " + as + ", which reference/" + folder + contract.name +
                                   ".cpp defines. The contract describes them.") +
        "#include <cstdint>\n\n" + include_of_types(contract) + "\nnamespace attn::" + place + " {\n";
    for (const Function& function : contract.functions)
        text += std::string("\n") + (number == "T" && function.has_reals() ? "template <class T>\n" : "") +
                declaration(function, "void " + function.name, number);
    return text + "\n}  // namespace attn::" + place + "\n";
}

}  // namespace

std::string cuda_header(const Contract& contract) {
    const std::string& x = contract.name;
    std::string text =
        "#pragma once\n/// The functions of " + x + ".h on a GPU, which you write in student/" + x +
        ".cu.\n/// " + x +
        ".h describes each function with its shapes. device.h says what is different on a GPU.\n";
    bool weights = false;
    for (const Function& function : contract.functions)
        for (const Parameter& parameter : function.parameters)
            weights = weights || !parameter.structure.empty();
    if (weights) text += "/// The views in a struct are views of device memory, too.\n";
    text += "\n#include <cstdint>\n\n#include <cuda_runtime.h>\n\n#include \"" + x +
            ".h\"\n\nnamespace attn::cuda {\n";
    for (const Function& function : contract.functions) {
        std::vector<std::string> parameters = declared_parameters(function);
        parameters.emplace_back("cudaStream_t stream");
        text += "\n" + wrapped("void " + function.name + "(", parameters, ");") + "\n";
    }
    return text + "\n}  // namespace attn::cuda\n";
}

std::string export_table(const Contract& contract) {
    return written_from(contract, "the functions that the worker can call.") +
           "#include \"grader/worker/exports.h\"\n\n#include \"assignments/" + path_in_assignments(contract) +
           "\"\n\n" +
           table(contract, "ATTN_MAY_BE_MISSING", "attn::", "export_function",
                 "functions_of_" + contract.name);
}

std::string kernel_table(const Contract& contract) {
    return written_from(contract, "the functions that run on a GPU.") +
           "#include \"grader/gpu/device/kernel_exports.h\"\n\n#include \"" + contract.name +
           "_cuda.h\"\n\n" +
           table(contract, "ATTN_KERNELS_MAY_BE_MISSING", "attn::cuda::", "export_kernels",
                 "kernels_of_" + contract.name);
}

std::string reference_header(const Contract& contract) {
    return declaring_header(contract, "as plain loops", "", "cpu", "T");
}

std::string reference_instances(const Contract& contract) {
    std::string text =
        written_from(contract, "its functions for float and for double. The end of reference/" +
                                   contract.name + ".cpp includes this file.");
    text += "#if !defined(ATTN_OTHER_NUMBERS)\nnamespace attn::cpu {\n";
    for (const std::string number : {"float", "double"}) {
        if (number == "double") text += "\n#if !defined(ATTN_FLOAT_ONLY)\n";
        for (const Function& function : contract.functions)
            if (function.has_reals())
                text += "\n" +
                        declaration(function, "template void " + function.name + "<" + number + ">", number);
    }
    return text + "#endif\n\n}  // namespace attn::cpu\n#endif\n";
}

std::string fast_header(const Contract& contract) {
    return declaring_header(contract, "at the machine's speed", "fast/", "fast", "float");
}

std::string plain_adapter(const Contract& contract) {
    return adapter(contract, "its functions, implemented by the plain loops.",
                   "contracts/" + contract.name + "_reference.h", "cpu::", true);
}

std::string fast_adapter(const Contract& contract) {
    return adapter(contract, "its functions, implemented by the yardstick.",
                   "contracts/" + contract.name + "_fast.h", "fast::", false);
}

std::string version_script(const std::vector<Contract>& contracts) {
    std::string symbols;
    for (const Contract& contract : contracts)
        for (const Function& function : contract.functions) symbols += symbols_of(function) + ";\n";
    // The last one is in the yardstick only: see grading/measure.cpp.
    return "{ global:\n" + symbols + "attention_lab_peak_gflops;\nlocal: *; };\n";
}

}  // namespace attn::contract
