#include "grader/emulator/rewrite.h"

#include <algorithm>

#include "grader/emulator/find_launches.h"

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

/// Whether the kernel of a launch is a parameter of the macro that the launch is in: `#define NAME(..,
/// kernel, ..)`. Then its name is known only where the macro is used.
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

/// The text that replaces the kernel's name and <<<. Where the name alone determines the function, the kernel
/// is passed as a function pointer. Otherwise (an overload, or a template whose arguments are deduced) it is
/// wrapped in a lambda that calls it with the arguments. `attn_select` makes the `requires` expression depend
/// on a template parameter, so that a name that does not compile there is no error.
std::string opening(const std::string& kernel, const std::string& quoted) {
    return "::attn::emulator::prepare(" + quoted +
           ", __FILE__, __LINE__, [&](auto attn_select) { if constexpr (requires { attn_select.kernel(" +
           kernel + "); }) return attn_select.kernel(" + kernel +
           "); else return [&](auto... attn_arguments) { (" + kernel +
           ")(attn_arguments...); }; }(::attn::emulator::Select{}), ::attn::emulator::config(";
}

}  // namespace

std::string rewrite(std::string_view text, const std::string& name) {
    const MaskedSource without = mask_non_code(text);
    const std::vector<Insertion> insertions = refuse_unsupported(text, without, name);
    std::string result;
    std::size_t done = 0;
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
    for (const Launch& launch : find_launches(text, without, name)) {
        const auto [begin, end] = launch.kernel;
        const std::string_view code = launch.in_directive ? without.directives : without.code;
        const std::string kernel = on_one_line(code.substr(begin, end - begin));
        const std::size_t hash = launch.in_directive ? code.rfind('#', begin) : begin;
        const bool is_macro_parameter = is_parameter(code.substr(hash, begin - hash), kernel);
        append_until(begin);
        result += opening(kernel, is_macro_parameter ? "#" + kernel : '"' + kernel + '"');
        // The name was put on one line, so repeat the line breaks that were in it or after it.
        for (const char c : text.substr(begin, launch.configuration - begin))
            if (c == '\n') result += launch.in_directive ? "\\\n" : "\n";
        const std::size_t settings = launch.configuration + 3;
        result += text.substr(settings, launch.arguments - settings);
        result += "))";
        done = launch.arguments + 3;
    }
    append_until(text.size());
    return result;
}

}  // namespace attn::emulator
