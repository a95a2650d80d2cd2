// The equation in which an edit stands.

#include <algorithm>
#include <cctype>

#include "grader/edits/systematic.h"

namespace attn::edits {
namespace {

/// "A = softmax(E) by rows", but no sentence in which an equation occurs.
bool is_equation(const std::string& text) {
    constexpr int kFew = 3;
    const std::size_t equals = text.find(" = ");
    int depth = 0, spaces = 0;
    for (std::size_t k = 0; k < equals && k < text.size(); ++k) {
        depth += text[k] == '[' || text[k] == '(' ? 1 : 0;
        depth -= text[k] == ']' || text[k] == ')' ? 1 : 0;
        spaces += text[k] == ' ' && depth == 0 ? 1 : 0;
    }
    return equals != std::string::npos && spaces <= kFew;
}

/// The text up to a semicolon, or the end of a sentence, that is not in brackets.
std::string first_equation(const std::string& text) {
    int depth = 0;
    for (std::size_t k = 0; k < text.size(); ++k) {
        depth += text[k] == '(' || text[k] == '[' || text[k] == '{' ? 1 : 0;
        depth -= text[k] == ')' || text[k] == ']' || text[k] == '}' ? 1 : 0;
        const bool sentence_ends =
            text[k] == '.' && (k + 1 == text.size() ||
                               (text[k + 1] == ' ' && k > 0 && text[k - 1] != ' ' && text[k - 1] != '.'));
        if (depth == 0 && (text[k] == ';' || sentence_ends)) return text.substr(0, k);
    }
    return text;
}

/// The equation that a line of a comment has, without its shapes. Empty if it has none.
std::string equation_in(std::string line) {
    line.erase(0, line.find_first_not_of("/ "));
    return is_equation(line) ? first_equation(line.substr(0, line.find("      "))) : "";
}

/// The last equation above this token, in the blocks that are open there.
std::string equation_above(const Program& program, const Tokens& body, int token) {
    int depth = 0;
    for (int k = token - 1; k >= 0; --k) {
        const Token& each = body[static_cast<std::size_t>(k)];
        if (each.id == known::close_brace) ++depth;
        if (each.id == known::open_brace && depth > 0) --depth;
        if (each.kind != TokenKind::comment || depth > 0) continue;
        if (std::string equation = equation_in(program.words().text(each.id)); !equation.empty())
            return equation;
    }
    return {};
}

std::vector<std::string> documented_equations(const Program& program, int function) {
    std::vector<std::string> equations;
    const std::string documentation = program.documentation(function);
    std::size_t from = 0;
    while (from < documentation.size()) {
        const std::size_t end = std::min(documentation.find('\n', from), documentation.size());
        if (std::string equation = equation_in(documentation.substr(from, end - from)); !equation.empty())
            equations.push_back(std::move(equation));
        from = end + 1;
    }
    return equations;
}

/// Whether the name stands in a text as a word.
bool mentions(const std::string& text, const std::string& name) {
    const auto in_word = [&](std::size_t k) {
        return k < text.size() && (std::isalnum(static_cast<unsigned char>(text[k])) != 0 || text[k] == '_');
    };
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
        if ((at == 0 || !in_word(at - 1)) && !in_word(at + name.size())) return true;
    return false;
}

bool computes(const std::string& equation, const std::string& array) {
    return mentions(equation.substr(0, equation.find(" = ")), array);
}

bool reads(const std::string& equation, const std::string& array) {
    return mentions(equation.substr(std::min(equation.size(), equation.find(" = "))), array);
}

/// The equation that computes the array, or one that reads it. Empty if no equation names it.
std::string equation_of_array(const Program& program, const SystematicEdit& edit) {
    const Tokens& body = program.declaration(edit.function).body;
    const std::string array = edit.array.substr(edit.array.rfind('.') + 1);
    const auto documented = documented_equations(program, edit.function);
    if (edit.written) {
        for (std::size_t k = body.size(); k-- > 0;) {
            if (body[k].kind != TokenKind::comment) continue;
            const std::string equation = equation_in(program.words().text(body[k].id));
            if (computes(equation, array)) return equation;
        }
        const auto found = std::ranges::find_if(
            documented, [&](const std::string& equation) { return computes(equation, array); });
        return found == documented.end() ? "" : *found;
    }
    for (auto change = edit.changes.rbegin(); change != edit.changes.rend(); ++change) {
        const std::string equation = equation_above(program, body, change->first);
        if (reads(equation, array)) return equation;
    }
    const auto found =
        std::ranges::find_if(documented, [&](const std::string& equation) { return reads(equation, array); });
    return found == documented.end() ? "" : *found;
}

/// Where another function of the file calls this one: the caller and the token of the call. Those that `user` is made of
/// come first.
std::pair<int, int> call_of_helper(const Program& program, int function, int user) {
    std::vector<int> callers;
    if (user >= 0) callers = own_functions(program, user);
    for (int caller = 0; caller < program.count(); ++caller) callers.push_back(caller);
    const std::string& file = program.declaration(function).file;
    for (const int caller : callers) {
        if (caller == function || program.declaration(caller).file != file ||
            program.declaration(caller).refuses)
            continue;
        for (const Node& n : program.function(caller).nodes)
            if (n.op == Op::call && n.slot == function) return {caller, n.first};
    }
    return {-1, -1};
}

std::string equation_at(const Program& program, int function, int token, int user) {
    std::string equation = equation_above(program, program.declaration(function).body, token);
    if (!equation.empty()) return equation;
    const auto documented = documented_equations(program, function);
    if (!documented.empty()) return documented.front();
    if (program.is_public(function)) return {};
    // A helper without an equation serves that of its caller.
    const auto [caller, call] = call_of_helper(program, function, user);
    return caller < 0 ? "" : equation_at(program, caller, call, user);
}

}  // namespace

std::string equation_of(const Program& program, const SystematicEdit& edit, int user) {
    if (edit.caller >= 0) return equation_at(program, edit.caller, edit.call, user);
    if (!edit.array.empty())
        if (std::string equation = equation_of_array(program, edit); !equation.empty()) return equation;
    int last = edit.changes.front().first;
    for (const auto& change : edit.changes) last = std::max(last, change.first);
    return equation_at(program, edit.function, last, user);
}

}  // namespace attn::edits
