// The equation in which an edit stands.

#include <algorithm>
#include <cctype>

#include "grader/edits/generator.h"

namespace attn::edits {
namespace {

/// Whether nothing but a number stands between = and a colon, as in "with mask[j] = 1: the last word".
bool is_condition(const std::string& text, std::size_t equals) {
    const std::size_t end = text.find_first_not_of("0123456789", equals + 3);
    return end != std::string::npos && end > equals + 3 && text.compare(end, 2, ": ") == 0;
}

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
    return equals != std::string::npos && spaces <= kFew && !is_condition(text, equals);
}

/// The text up to a semicolon, or the end of a sentence, that is not in brackets.
std::string first_equation(const std::string& text) {
    int depth = 0;
    for (std::size_t k = 0; k < text.size(); ++k) {
        depth += text[k] == '(' || text[k] == '[' || text[k] == '{' ? 1 : 0;
        depth -= text[k] == ')' || text[k] == ']' || text[k] == '}' ? 1 : 0;
        const bool sentence_ends = text[k] == '.' && k > 0 && text[k - 1] != ' ' && text[k - 1] != '.' &&
                                   (k + 1 == text.size() || text[k + 1] == ' ');
        if (depth == 0 && (text[k] == ';' || sentence_ends)) return text.substr(0, k);
    }
    return text;
}

}  // namespace

std::string equation_in(std::string line) {
    line.erase(0, line.find_first_not_of("/ "));
    if (line.starts_with("with ")) line.erase(0, std::string_view("with ").size());
    if (line.starts_with("With ")) return "";  // a sentence: "With order = bidirectional, step t .."
    // Behind many spaces stands a shape, but not between the columns of a table.
    constexpr std::string_view kFar = "      ";
    std::size_t shape = line.find(kFar, std::min(line.find(" = "), line.size()));
    while (shape != std::string::npos && line[shape - 1] == ',')
        shape = line.find(kFar, line.find_first_not_of(' ', shape));
    line.resize(std::min(line.size(), shape));
    // Aligned equations have more than one space before =.
    line.erase(std::unique(line.begin(), line.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
               line.end());
    return is_equation(line) ? first_equation(line) : "";
}

namespace {

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

/// Whether the name stands in a text as a word, perhaps with an index: y_{t-1} is a part of y.
bool mentions(const std::string& text, const std::string& name) {
    const auto in_word = [&](std::size_t k) {
        return k < text.size() && text.compare(k, 2, "_{") != 0 &&
               (std::isalnum(static_cast<unsigned char>(text[k])) != 0 || text[k] == '_');
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
            std::string equation = equation_in(program.words().text(body[k].id));
            if (computes(equation, array)) return equation;
        }
        const auto found = std::ranges::find_if(
            documented, [&](const std::string& equation) { return computes(equation, array); });
        return found == documented.end() ? "" : *found;
    }
    for (auto change = edit.changes.rbegin(); change != edit.changes.rend(); ++change) {
        std::string equation = equation_above(program, body, change->first);
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

/// The token after the bracket that closes the one at `open`.
int after_brackets(const Program& program, const Tokens& body, int open) {
    int depth = 0;
    for (int k = open; k < std::ssize(body); ++k) {
        const std::string& text = program.words().text(body[static_cast<std::size_t>(k)].id);
        depth += text == "(" ? 1 : text == ")" ? -1 : 0;
        if (depth == 0) return k + 1;
    }
    return static_cast<int>(body.size());
}

/// The first token of the statement of this one, after its for (..) and if (..). Of a token in such brackets it is that of
/// what is done there.
int begin_of_statement(const Program& program, const Tokens& body, int token) {
    const auto text = [&](int k) { return program.words().text(body[static_cast<std::size_t>(k)].id); };
    const auto has_brackets = [&](int k) { return text(k) == "for" || text(k) == "if"; };
    int first = token;
    bool in_brackets = false;
    for (int k = token - 1, depth = 0; k > 0 && text(k) != "{" && text(k) != "}"; --k) {
        depth += text(k) == ")" ? 1 : text(k) == "(" ? -1 : 0;
        if (depth >= 0 || !has_brackets(k - 1)) continue;
        first = k - 1;
        in_brackets = true;
        break;
    }
    for (int depth = 0; !in_brackets && first > 0; --first) {
        const std::string before = text(first - 1);
        depth += before == ")" ? 1 : before == "(" ? -1 : 0;
        if (before == "{" || before == "}" || (before == ";" && depth <= 0)) break;
        if (body[static_cast<std::size_t>(first - 1)].kind == TokenKind::comment) break;
    }
    while (first < std::ssize(body) && (has_brackets(first) || text(first) == "{"))
        first = text(first) == "{" ? first + 1 : after_brackets(program, body, first + 1);
    return first;
}

/// The words of the statement of this token. First comes the array that is written: the word before the brackets on the
/// left of =, or the first argument of a call.
std::vector<std::string> words_of_statement(const Program& program, const Tokens& body, int token) {
    std::vector<std::string> words;
    const int first = begin_of_statement(program, body, token);
    const auto text = [&](int k) { return program.words().text(body[static_cast<std::size_t>(k)].id); };
    bool assigned = false;
    for (int k = first; k < std::ssize(body) && text(k) != ";"; ++k) {
        assigned = assigned || text(k).ends_with("=");
        if (body[static_cast<std::size_t>(k)].kind == TokenKind::word) words.push_back(text(k));
    }
    for (int k = first; !assigned && k + 1 < std::ssize(body) && text(k) != ";"; ++k)
        if (text(k) == "(") return words.insert(words.begin(), text(k + 1)), words;
    return words;
}

/// Where no equation stands above a token: the one that computes or reads the array that its statement writes, or that
/// names most of its arrays, and more than one. Empty if the function has no equation, and its name if none is such.
std::string equation_with_words_of(const Program& program, int function, int token) {
    const Tokens& body = program.declaration(function).body;
    std::vector<std::string> equations = documented_equations(program, function);
    if (equations.size() == 1) return equations.front();
    for (auto k = static_cast<std::size_t>(token); k < body.size(); ++k)
        if (body[k].kind == TokenKind::comment)
            if (std::string found = equation_in(program.words().text(body[k].id)); !found.empty())
                equations.push_back(std::move(found));
    if (equations.empty()) return {};
    const std::vector<std::string> words = words_of_statement(program, body, token);
    for (auto* const concerns : {computes, reads})
        for (const std::string& each : equations)
            if (!words.empty() && concerns(each, words.front())) return each;
    const auto named = [&](const std::string& equation) {
        return std::ranges::count_if(words,
                                     [&](const std::string& word) { return mentions(equation, word); });
    };
    const auto most = std::ranges::max_element(equations, {}, named);
    if (named(*most) <= 1) return program.declaration(function).name;
    // A step that serves two equations: the angle of a sine and of a cosine.
    constexpr std::size_t kLong = 100;
    const auto also = std::find_if(std::next(most), equations.end(), [&](const std::string& each) {
        return each != *most && named(each) == named(*most);
    });
    const bool joined = also != equations.end() && most->size() + also->size() <= kLong;
    return joined ? *most + ", " + *also : *most;
}

/// "V = X W_V" of "Q = X W_Q, K = X W_K, V = X W_V" for a statement that writes V. All of it unless exactly one part is that of
/// the array.
std::string part_that_computes(const std::string& equation, const std::string& array) {
    std::vector<std::string> parts;
    int depth = 0;
    std::size_t from = 0;
    for (std::size_t k = 0; k < equation.size(); ++k) {
        depth += equation[k] == '(' || equation[k] == '['   ? 1
                 : equation[k] == ')' || equation[k] == ']' ? -1
                                                            : 0;
        if (depth != 0 || equation.compare(k, 2, ", ") != 0) continue;
        parts.push_back(equation.substr(from, k - from));
        from = k + 2;
    }
    parts.push_back(equation.substr(from));
    const auto is_of_array = [&](const std::string& part) {
        return part.find(" = ") != std::string::npos && computes(part, array);
    };
    const bool all_are_equations = std::ranges::all_of(
        parts, [](const std::string& part) { return part.find(" = ") != std::string::npos; });
    if (!all_are_equations || std::ranges::count_if(parts, is_of_array) != 1) return equation;
    return *std::ranges::find_if(parts, is_of_array);
}

std::string equation_at(const Program& program, int function, int token, int user) {
    std::string equation = equation_above(program, program.declaration(function).body, token);
    if (equation.empty()) equation = equation_with_words_of(program, function, token);
    if (!equation.empty() || program.is_public(function)) return equation;
    // A helper without an equation serves that of its caller.
    const auto [caller, call] = call_of_helper(program, function, user);
    if (caller < 0) return {};
    const std::vector<std::string> words =
        words_of_statement(program, program.declaration(function).body, token);
    for (const std::string& each : documented_equations(program, caller))
        if (!words.empty() && computes(each, words.front())) return each;
    return equation_at(program, caller, call, user);
}

/// The call through which one of `callers` reaches a function that is none of them. {-1, -1} if there is none.
std::pair<int, int> call_from(const Program& program, const std::vector<int>& callers, int function) {
    const auto is_caller = [&](int each) { return std::ranges::find(callers, each) != callers.end(); };
    if (is_caller(function)) return {-1, -1};
    for (const int caller : callers)
        for (const Node& n : program.function(caller).nodes) {
            if (n.op != Op::call || is_caller(n.slot)) continue;
            const std::vector<int> reached = functions_reached_from(program, n.slot);
            if (std::ranges::find(reached, function) != reached.end()) return {caller, n.first};
        }
    return {-1, -1};
}

/// `user` and the functions of its file that it reaches.
std::vector<int> reached_in_file(const Program& program, int user) {
    std::vector<int> reached = functions_reached_from(program, user);
    std::erase_if(reached,
                  [&](int each) { return program.declaration(each).file != program.declaration(user).file; });
    return reached;
}

}  // namespace

std::string function_around(const Program& program, const SystematicEdit& edit, int user) {
    if (user < 0 || !program.is_public(edit.function)) return {};
    const std::vector<int> own = own_functions(program, user);
    return std::ranges::find(own, edit.function) != own.end() ? "" : program.declaration(edit.function).name;
}

std::string arrays_in_words(const Program& program, const SystematicEdit& edit, const std::string& equation,
                            const std::string& said) {
    constexpr std::size_t kMost = 100;
    std::string words;
    for (const Token& each : program.declaration(edit.function).body) {
        if (each.kind != TokenKind::comment) continue;
        const std::string other = equation_in(program.words().text(each.id));
        if (other == equation || other.size() > kMost || words.find(other) != std::string::npos) continue;
        for (std::size_t at = other.find(" = "); at != std::string::npos; at = other.find(" = ", at + 1)) {
            const std::string before = other.substr(0, at);
            const std::string array = before.substr(before.rfind(' ') + 1);
            if (!mentions(said, array) || mentions(equation, array)) continue;
            words += (words.empty() ? "" : "; ") + other;
            break;
        }
    }
    return words.empty() ? "" : " (" + words + ")";
}

std::string equation_of(const Program& program, const SystematicEdit& edit, int user) {
    // Another function has cases of its own. If it is right there, the equation that calls it is wrong. Without one, a
    // student knows the equations of their file.
    if (user >= 0)
        for (const auto& callers : {own_functions(program, user), reached_in_file(program, user)})
            if (const auto [caller, call] = call_from(program, callers, edit.function); caller >= 0)
                if (std::string equation = equation_above(program, program.declaration(caller).body, call);
                    !equation.empty())
                    return equation;
    // The statement of one call computes one array. A helper can compute all of them.
    const auto part_at = [&](int function, int token) {
        const std::string equation = equation_at(program, function, token, user);
        const std::vector<std::string> words =
            words_of_statement(program, program.declaration(function).body, token);
        return words.empty() ? equation : part_that_computes(equation, words.front());
    };
    if (edit.caller >= 0) return part_at(edit.caller, edit.call);
    if (!edit.array.empty())
        if (std::string equation = equation_of_array(program, edit); !equation.empty()) return equation;
    int last = edit.changes.front().first;
    for (const auto& change : edit.changes) last = std::max(last, change.first);
    const bool is_one_statement =
        edit.changes.size() == 1 && edit.kind != Kind::bound && program.is_public(edit.function);
    return is_one_statement ? part_at(edit.function, last) : equation_at(program, edit.function, last, user);
}

}  // namespace attn::edits
