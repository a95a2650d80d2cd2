#include "grader/emulator/rewrite.h"

#include <algorithm>
#include <set>

#include "grader/emulator/find_launches.h"
#include "grader/emulator/masked_source.h"
#include "grader/emulator/ptx.h"

namespace attn::emulator {
namespace {

/// The code on one line, with runs of space reduced to one.
std::string on_one_line(std::string_view code) {
    std::string result;
    for (const char c : code) {
        if (!is_space(c))
            result += c;
        else if (!result.empty() && result.back() != ' ')
            result += ' ';
    }
    return result;
}

/// The parameters of the macro that `directive` defines: `#define NAME(a, b) ..`.
std::set<std::string> parameters_of(std::string_view directive) {
    std::set<std::string> parameters;
    const std::size_t open = directive.find('('), close = directive.find(')');
    if (close == std::string_view::npos || open > close) return parameters;
    std::string_view list = directive.substr(open + 1, close - open - 1);
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        parameters.insert(on_one_line(list.substr(0, comma)));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return parameters;
}

constexpr const char* kRefuseVariableSizes =
    R"(_Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wvla\""))";

/// The text that replaces the kernel's name and <<<. Where the name alone determines the function, the kernel
/// is passed as a function pointer. Otherwise (an overload, or a template whose arguments are deduced) it is
/// wrapped in a lambda that calls it with the arguments. A function pointer has such a lambda, too, for a launch
/// that leaves out default arguments. `attn_select` makes the `requires` expression depend
/// on a template parameter, so that a name that does not compile there is no error.
std::string opening(const std::string& kernel, const std::string& quoted) {
    return "::attn::emulator::prepare(" + quoted +
           ", __FILE__, __LINE__, [&](auto attn_select) { if constexpr (requires { attn_select.kernel(" +
           kernel + "); }) return attn_select.kernel(" + kernel +
           ", [&](auto... attn_arguments) requires requires { (" + kernel + ")(attn_arguments...); } { (" +
           kernel + ")(attn_arguments...); }); else return [&](auto... attn_arguments) { (" + kernel +
           ")(attn_arguments...); }; }(::attn::emulator::Select{}), ::attn::emulator::config(";
}

/// NAME of "#define NAME(a, b) ..", empty for any other directive.
std::string_view defined_macro(std::string_view directive) {
    constexpr std::string_view kDefine = "define";
    std::size_t k = directive.find_first_not_of(" \t", 1);
    if (k == npos || !directive.substr(k).starts_with(kDefine)) return {};
    k = directive.find_first_not_of(" \t", k + kDefine.size());
    std::size_t end = std::min(k, directive.size());
    while (end < directive.size() && is_word(directive[end])) ++end;
    return end < directive.size() && directive[end] == '(' ? directive.substr(k, end - k)
                                                           : std::string_view();
}

/// The words before the brackets that a position lies in: the macros that a launch may be an argument of.
std::set<std::string, std::less<>> called_around(std::string_view code, std::size_t k) {
    std::set<std::string, std::less<>> names;
    int depth = 0;
    while (k > 0 && code[k - 1] != ';') {
        const char c = code[--k];
        depth += c == ')' ? 1 : c == '(' ? -1 : 0;
        if (c != '(' || depth >= 0) continue;
        depth = 0;
        std::size_t end = k;
        while (end > 0 && is_space(code[end - 1])) --end;
        std::size_t begin = end;
        while (begin > 0 && is_word(code[begin - 1])) --begin;
        if (begin < end) names.emplace(code.substr(begin, end - begin));
    }
    return names;
}

/// Where a macro passes the text of its argument to a function (`report(#call)`), the text shall be that of the
/// launch, and not of what it was rewritten to.
void show_launches_as_written(std::string_view text, Span span, std::vector<Insertion>& insertions) {
    const std::string_view line = text.substr(span.begin, span.end - span.begin);
    constexpr std::string_view kSpace = " \t\r\n\\";
    for (std::size_t k = line.find('#', 1); k != npos; k = line.find('#', k + 1)) {
        std::size_t end = k + 1;
        while (end < line.size() && is_word(line[end])) ++end;
        const std::size_t before = line.find_last_not_of(kSpace, k - 1),
                          after = line.find_first_not_of(kSpace, end);
        if (end == k + 1 || before == npos || after == npos) continue;
        const bool is_argument =
            (line[before] == ',' || line[before] == '(') && (line[after] == ',' || line[after] == ')');
        if (!is_argument) continue;
        insertions.push_back({span.begin + k, "::attn::emulator::as_written("});
        insertions.push_back({span.begin + end, ")"});
    }
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

std::string rewrite(std::string_view original, const std::string& name) {
    const std::string with_calls = calls_for_ptx(original, mask_non_code(original));
    const std::string_view text = with_calls;
    const MaskedSource without = mask_non_code(text);
    std::vector<Insertion> insertions = refuse_unsupported(text, without, name);
    for (const Span body : device_bodies(without.code)) {
        // nvcc accepts an array of variable size in functions of the host only.
        // No directive may stand inside an expression, which a lambda's body may belong to.
        const std::size_t after = skip_space(without.code, body.end + 1);
        if (after >= text.size() || std::string_view(",);(").find(without.code[after]) != npos) continue;
        insertions.push_back({body.begin + 1, kRefuseVariableSizes});
        insertions.push_back({body.end + 1, R"(_Pragma("GCC diagnostic pop"))"});
    }
    const std::vector<Launch> launches = find_launches(text, without, name);
    std::set<std::string, std::less<>> around;
    for (const Launch& launch : launches)
        if (!launch.in_directive()) around.merge(called_around(without.code, launch.kernel.begin));
    for (const Span span : without.directive_spans)
        if (around.contains(defined_macro(text.substr(span.begin, span.end - span.begin))))
            show_launches_as_written(text, span, insertions);
    std::stable_sort(insertions.begin(), insertions.end(),
                     [](const Insertion& a, const Insertion& b) { return a.position < b.position; });
    std::string result;
    std::size_t done = 0, directive = npos;
    std::set<std::string> parameters;  // of the macro at `directive`
    auto next = insertions.begin();
    /// Appends the text up to `end`, with its insertions.
    const auto append_until = [&](std::size_t end) {
        for (; next != insertions.end() && next->position < end; ++next) {
            if (next->position < done) continue;
            result += text.substr(done, next->position - done);
            result += next->text;
            done = next->position;
        }
        result += text.substr(done, end - done);
        done = end;
    };
    for (const Launch& launch : launches) {
        const auto [begin, end] = launch.kernel;
        const std::string_view code = launch.in_directive() ? without.directives : without.code;
        const std::string kernel = on_one_line(code.substr(begin, end - begin));
        if (launch.directive != directive) {
            directive = launch.directive;
            parameters.clear();
            if (directive != npos) parameters = parameters_of(code.substr(directive, begin - directive));
        }
        // The name of a kernel that is a parameter is known only where the macro is used.
        const std::string quoted = kernel.find("##") != npos     ? "ATTN_EMULATOR_TEXT(" + kernel + ")"
                                   : parameters.contains(kernel) ? "#" + kernel
                                                                 : '"' + kernel + '"';
        append_until(begin);
        result += opening(kernel, quoted);
        // The name was put on one line, so repeat the line breaks that were in it or after it.
        for (const char c : text.substr(begin, launch.configuration - begin))
            if (c == '\n') result += launch.in_directive() ? "\\\n" : "\n";
        const std::size_t settings = launch.configuration + 3;
        result += text.substr(settings, launch.arguments - settings);
        result += "))";
        done = launch.arguments + 3;
    }
    append_until(text.size());
    return result;
}

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
