#include "grader/emulator/kernel_parameters.h"

#include <algorithm>

#include "grader/emulator/masked_source.h"

namespace attn::emulator {
namespace {

std::size_t skip_space(std::string_view code, std::size_t k) {
    while (k < code.size() && is_space(code[k])) ++k;
    return k;
}

/// The position behind the parenthesis that closes the one at `k`; npos if none does.
std::size_t after_parentheses(std::string_view code, std::size_t k) {
    int depth = 0;
    for (; k < code.size(); ++k) {
        if (code[k] == '(') ++depth;
        if (code[k] == ')' && --depth == 0) return k + 1;
    }
    return npos;
}

/// The name in a declaration such as "const float* __restrict__ x" or "int n = 0": its last word.
std::string_view declared_name(std::string_view parameter) {
    parameter = parameter.substr(0, std::min(parameter.find('='), parameter.find('[')));
    std::size_t end = parameter.size();
    while (end > 0 && !is_word(parameter[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 && is_word(parameter[begin - 1])) --begin;
    return parameter.substr(begin, end - begin);
}

/// "x,y,n" of "const float* x, float* y, int n".
std::string names_of(std::string_view parameters) {
    std::string names;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t k = 0; k <= parameters.size(); ++k) {
        const char c = k < parameters.size() ? parameters[k] : ',';
        if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
        if (c != ',' || (depth > 0 && k < parameters.size())) continue;
        names += (begin == 0 ? "" : ",") + std::string(declared_name(parameters.substr(begin, k - begin)));
        begin = k + 1;
    }
    return names;
}

}  // namespace

std::string parameter_names(std::string_view code, const std::string& name) {
    constexpr std::string_view kGlobal = "__global__";
    std::string calls;
    for (std::size_t k = code.find(kGlobal); k != npos; k = code.find(kGlobal, k)) {
        k += kGlobal.size();
        std::string_view word;
        while (k < code.size() && code[k] != ';' && code[k] != '{') {
            const std::size_t begin = k;
            while (k < code.size() && is_word(code[k])) ++k;
            if (k > begin) word = code.substr(begin, k - begin);
            if (k == begin && code[k] != '(') ++k;
            if (k >= code.size() || code[k] != '(') continue;
            const std::size_t end = after_parentheses(code, k);
            if (end == npos) return {};
            const bool is_attribute =
                word == "__launch_bounds__" || word == "__attribute__" || word == "__declspec";
            const std::size_t next = skip_space(code, end);
            if (!is_attribute && next < code.size() && code[next] == '{')
                calls += "::attn::emulator::name_parameters(\"" + std::string(word) + "\", \"" +
                         names_of(code.substr(k + 1, end - k - 2)) + "\"), ";
            k = end;
            if (!is_attribute) break;
        }
    }
    if (calls.empty()) return {};
    std::string mark = name;
    std::replace_if(
        mark.begin(), mark.end(), [](char c) { return !is_word(c) || static_cast<unsigned char>(c) >= 0x80; },
        '_');
    return "\n#if !defined(attn_parameters_" + mark + ")\n#define attn_parameters_" + mark +
           "\nnamespace {\n[[maybe_unused]] const bool attn_named_" + mark + " = (" + calls +
           "true);\n}\n#endif\n";
}

}  // namespace attn::emulator
