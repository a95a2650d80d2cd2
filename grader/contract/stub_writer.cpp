#include "grader/contract/stub_writer.h"

#include <algorithm>
#include <cstdlib>

#include "grader/contract/layout.h"

namespace attn::contract {
namespace {

/// "X, Y [B, N, D], P [N, D]"
std::string shapes_of(const Function& function) {
    std::string text, shape;
    const auto add = [&](const Tensor& tensor) {
        const std::string own = " [" + listed(tensor.dims) + "]" + (tensor.optional ? " or empty" : "");
        if (!text.empty()) text += (own == shape ? "" : shape) + ", ";
        text += tensor.name;
        shape = own;
    };
    for (const Tensor& input : function.inputs) add(input);
    for (const Tensor& output : function.outputs) add(output);
    return text + shape;
}

/// "(void)Y, (void)X;" in one line or several. In the first function a comment says what the line is for.
std::string unused_names(const std::vector<std::string>& names, bool with_comment) {
    constexpr std::size_t kWidth = 110;
    const std::string comment = "elete this line: it only prevents a warning";
    std::string text = wrapped("    ", names, ";", 4);
    if (!with_comment) return text;
    const bool fits = text.size() - (text.rfind('\n') + 1) + comment.size() + 6 <= kWidth;
    return fits ? text + "  // d" + comment : "    // D" + comment + "\n" + text;
}

std::string functions_of(const Contract& contract, bool on_gpu) {
    const std::string space = on_gpu ? "attn::cuda" : "attn";
    std::string text = "namespace " + space + " {\n";
    int step = 0;
    for (const Function& function : contract.functions) {
        ++step;
        std::vector<std::string> parameters = declared_parameters(function),
                                 unused = parameter_names(function);
        if (on_gpu) {
            parameters.emplace_back("cudaStream_t stream");
            unused.emplace_back("stream");
        }
        for (std::string& name : unused) name = "(void)" + name;
        text += "\n// Step " + std::to_string(step) + ".  " + shapes_of(function) + "\n" +
                wrapped("void " + function.name + "(", parameters, ") {") + "\n    // Your code.\n" +
                unused_names(unused, step == 1) + "\n}\n";
    }
    return text + "\n}  // namespace " + space + "\n";
}

/// The comment that both files begin with.
std::string about(const Contract& contract) {
    const std::string path = "assignments/" + path_in_assignments(contract);
    return stub_mark(contract) + "// Handout: " + path.substr(0, path.rfind('/')) +
           "/README.md\n// What each function has to do, with every shape: " + path + "\n";
}

std::string order(const Contract& contract, const char* more) {
    const int number = std::atoi(path_in_assignments(contract).c_str());
    return "//\n// Fill in the functions in this order, and run `make grade A=" + std::to_string(number) +
           "` after each." + more + "\n\n";
}

}  // namespace

std::string stub_mark(const Contract& contract) {
    return "// Written by `contract --stubs` from " + contract.name + ".h for you to fill in.\n";
}

std::string stub(const Contract& contract) {
    return about(contract) + order(contract, "") + "#include \"" + contract.name + ".h\"\n\n" +
           functions_of(contract, false);
}

std::string kernel_stub(const Contract& contract) {
    std::vector<std::string> headers = {"device.h", contract.name + "_cuda.h"};
    std::sort(headers.begin(), headers.end());
    return about(contract) +
           "// What is different on a GPU, and how a thread finds the element that it owns: "
           "assignments/device.h\n" +
           order(contract, " You need no GPU.") + "#include \"" + headers.front() + "\"\n#include \"" +
           headers.back() + "\"\n\n" + functions_of(contract, true);
}

}  // namespace attn::contract
