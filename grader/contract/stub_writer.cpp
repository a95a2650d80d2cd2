#include "grader/contract/stub_writer.h"

#include <cstdlib>
#include <filesystem>
#include <set>

#include "grader/contract/layout.h"

namespace attn::contract {
namespace {

/// "X", or "X [B, N, D]" if it is the last of those with its shape, or "weights (MultiHeadWeights)".
std::vector<std::string> words_of_shapes(const Function& function) {
    std::vector<std::string> words;
    std::string shape;  // of the last word, which does not have it yet
    const auto add = [&](const std::string& name, const std::string& next) {
        if (!words.empty() && next != shape) words.back() += shape;
        words.push_back(name);
        shape = next;
    };
    for (const bool inputs : {true, false})
        for (const Parameter& each : function.parameters) {
            const Kind tensor = inputs ? Kind::input : Kind::output,
                       structure = inputs ? Kind::weights : Kind::outputs;
            if (each.kind == tensor)
                add(each.name(),
                    " [" + listed(each.tensor.dims) + "]" + (each.tensor.optional ? " or empty" : ""));
            if (each.kind == structure) add(each.name(), " (" + each.structure + ")");
        }
    if (!words.empty()) words.back() += shape;
    return words;
}

/// "// Step 2.  X, Y [B, N, D], P [N, D]" in one line or several.
std::string shapes_of(const Function& function, int step) {
    std::string text = wrapped("// Step " + std::to_string(step) + ".  ", words_of_shapes(function), "");
    for (std::size_t at = 0; (at = text.find("\n  ", at)) != std::string::npos; ++at)
        text.replace(at, 3, "\n//");
    return text;
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
        text += "\n" + shapes_of(function, step) + "\n" +
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
    return "// The functions of " + contract.name + ".h, empty, for you to fill in.\n";
}

std::string stub(const Contract& contract) {
    return about(contract) + order(contract, "") + "#include \"" + contract.name + ".h\"\n\n" +
           functions_of(contract, false);
}

std::string kernel_stub(const Contract& contract) {
    // Without those of the included contracts, a call of layer_norm would mean the one that runs on the host.
    std::set<std::string> headers = {"device.h"};
    for (const std::string& header : contract.read)
        headers.insert(std::filesystem::path(header).stem().string() + "_cuda.h");
    std::string includes;
    for (const std::string& header : headers) includes += "#include \"" + header + "\"\n";
    return about(contract) +
           "// What is different on a GPU, and how a thread finds the element that it owns: "
           "assignments/device.h\n" +
           order(contract, " You need no GPU.") + includes + "\n" + functions_of(contract, true);
}

}  // namespace attn::contract
