#include "grader/emulator/rewrite.h"

#include <algorithm>

#include "grader/emulator/launches.h"

namespace attn::emulator {
namespace {

/// On one line, without comments and with one space where there were more.
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

/// Whether a launch is in `#define NAME(.., kernel, ..)`: its kernel's name is known where that is used.
bool is_parameter(std::string_view directive, std::string_view kernel) {
    const std::size_t open = directive.find('('), close = directive.find(')');
    if (close == std::string_view::npos || open > close) return false;
    std::string_view parameters = directive.substr(open + 1, close - open - 1);
    while (!parameters.empty()) {
        const std::size_t comma = std::min(parameters.find(','), parameters.size());
        if (on_one_line(parameters.substr(0, comma)) == kernel) return true;
        parameters.remove_prefix(std::min(comma + 1, parameters.size()));
    }
    return false;
}

/// What stands in the place of the kernel's name and <<<. The kernel is a pointer to a function where its
/// name alone tells which; else (a template whose arguments follow from the call's, an overload) it is
/// something to call with the arguments. `attn_select` makes that depend on a parameter: what does not
/// compile is then a question and no error.
std::string opening(const std::string& kernel, const std::string& quoted) {
    return "::attn::emulator::prepare(" + quoted +
           ", __FILE__, __LINE__, [&](auto attn_select) { if constexpr (requires { attn_select.kernel(" +
           kernel + "); }) return attn_select.kernel(" + kernel +
           "); else return [&](auto... attn_arguments) { (" + kernel +
           ")(attn_arguments...); }; }(::attn::emulator::Select{}), ::attn::emulator::config(";
}

}  // namespace

std::string rewrite(std::string_view text, const std::string& name) {
    const Blanked without = blanked(text);
    refuse_unknown(text, without, name);
    std::string result;
    std::size_t done = 0;
    for (const Launch& launch : find_launches(text, without, name)) {
        const auto [begin, end] = launch.kernel;
        const std::string_view code = launch.in_directive ? without.directives : without.code;
        const std::string kernel = on_one_line(code.substr(begin, end - begin));
        const std::size_t hash = launch.in_directive ? code.rfind('#', begin) : begin;
        const bool from_outside = is_parameter(code.substr(hash, begin - hash), kernel);
        result += text.substr(done, begin - done);
        result += opening(kernel, from_outside ? "#" + kernel : '"' + kernel + '"');
        // Line breaks that were in the name or behind it: it is told in one line.
        for (const char c : text.substr(begin, launch.configuration - begin))
            if (c == '\n') result += launch.in_directive ? "\\\n" : "\n";
        const std::size_t settings = launch.configuration + 3;
        result += text.substr(settings, launch.arguments - settings);
        result += "))";
        done = launch.arguments + 3;
    }
    result += text.substr(done);
    return result;
}

}  // namespace attn::emulator
