// Which of several equal letters an edit changes.

#include <algorithm>
#include <cctype>

#include "grader/edits/generator.h"

namespace attn::edits {
namespace {

/// Whether it is a part of an equation: a value, or what a variable becomes.
bool is_expression(Op op) {
    switch (op) {
        case Op::block:
        case Op::loop:
        case Op::while_loop:
        case Op::if_else:
        case Op::select:
        case Op::evaluate:
        case Op::return_:
        case Op::break_:
        case Op::fill:
        case Op::copy:
        case Op::refuse:
        case Op::nothing:
        case Op::lambda:
            return false;
        default:
            return true;
    }
}

/// Another form of an array: rows(X).
bool is_other_form(const Node& n) {
    return n.op == Op::call && n.type.base == Base::view;
}

/// Whether NAME( stands there as a word.
bool calls_in_text(const std::string& text, const std::string& name) {
    for (std::size_t at = text.find(name + "("); at != std::string::npos;
         at = text.find(name + "(", at + 1)) {
        const char before = at == 0 ? ' ' : text[at - 1];
        if (before != '_' && std::isalnum(static_cast<unsigned char>(before)) == 0) return true;
    }
    return false;
}

/// Of a comment, without its full stop and without the shapes that follow after many spaces.
std::string first_sentence(std::string text) {
    text = text.substr(0, text.find('\n'));
    text = text.substr(0, text.find("      "));
    std::size_t stop = text.find(". ");
    while (stop != std::string::npos && stop > 0 && text[stop - 1] == '.')  // Q[0] + .. + Q[v]
        stop = text.find(". ", stop + 1);
    if (stop != std::string::npos) text.resize(stop);
    text.erase(0, text.find_first_not_of("/ "));
    while (text.ends_with('.') || text.ends_with(' ')) text.pop_back();
    return text;
}

/// "(K - 1)", which is also K - 1.
bool is_in_brackets(const std::string& formula) {
    return formula.starts_with('(') && formula.find(')') + 1 == formula.size();
}

}  // namespace

/// The tokens between the equation above this token and the next one.
std::span<const Token> Generator::tokens_of_equation(int token) const {
    const auto has_equation = [&](int k) {
        const Token& each = function_.body[static_cast<std::size_t>(k)];
        return each.kind == TokenKind::comment && !equation_in(program_.words().text(each.id)).empty();
    };
    int from = token, until = token;
    while (from > 0 && !has_equation(from)) --from;
    while (until < end() && !has_equation(until)) ++until;
    return tokens(from, until);
}

std::span<const Token> Generator::tokens(int first, int last) const {
    return std::span(function_.body)
        .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
}

/// The expressions around an edit, from the inside: first the one that is replaced. Empty if it replaces none.
std::vector<const Node*> Generator::expressions_around(const SystematicEdit::Change& change) const {
    std::vector<const Node*> around;
    for (const Node& n : function_.nodes)
        if (n.first <= change.first && change.last <= n.last && is_expression(n.op)) around.push_back(&n);
    std::ranges::stable_sort(around, {}, [](const Node* n) { return n->last - n->first; });
    if (around.empty() || around.front()->first != change.first || around.front()->last != change.last)
        return {};
    return around;
}

std::string Generator::place_in_words(const SystematicEdit& edit) const {
    constexpr std::size_t kMost = 60;
    if (edit.changes.size() != 1 || !edit.array.empty() || edit.kind == Kind::bound) return {};
    std::vector<const Node*> around = expressions_around(edit.changes.front());
    // The words name the element whose index it is.
    if (edit.kind == Kind::index)
        around.erase(around.begin(), std::ranges::find(around, Op::element, &Node::op));
    if (around.empty()) return {};
    const Node& changed = *around.front();
    // An option that is fixed at one place only.
    if (edit.said.find(" is always ") != std::string::npos &&
        occurrences(function_.body, tokens(changed.first, changed.last)).size() > 1)
        return " at this place";
    const std::span<const Token> equation = tokens_of_equation(changed.first);
    const auto stands_once = [&](int first, int last) {
        if (is_in_brackets(as_formula(text_of(program_.words(), function_.body, first, last))))
            ++first, --last;
        return occurrences(equation, tokens(first, last)).size() == 1;
    };
    const bool whole = edit.said.find(in_letters(shown(changed))) != std::string::npos;
    if (stands_once(changed.first, whole ? changed.last : changed.first + 1)) return {};
    const auto only = std::ranges::find_if(around, [&](const Node* n) {
        return n->last - n->first > changed.last - changed.first && !is_other_form(*n) &&
               stands_once(n->first, n->last);
    });
    if (only == around.end()) return {};
    std::string formula = in_letters(shown(**only));
    if (is_in_brackets(formula)) formula = formula.substr(1, formula.size() - 2);
    if (shown(**only).size() > kMost || edit.said.find(formula) != std::string::npos) return {};
    return " in " + formula;
}

std::string helpers_in_words(const Program& program, const SystematicEdit& edit, const std::string& said) {
    const std::string& file = program.declaration(edit.function).file;
    std::string words;
    for (int k = 0; k < program.count(); ++k) {
        const Declaration& helper = program.declaration(k);
        if (helper.file != file || helper.member_of >= 0 || helper.result.base == Base::view ||
            program.is_public(k) || !calls_in_text(said, helper.name))
            continue;
        const std::string does = first_sentence(program.documentation(k));
        if (!does.empty()) words += (words.empty() ? "" : "; ") + helper.name + ": " + does;
    }
    return words.empty() ? "" : " (" + words + ")";
}

std::string place_in_words(const Program& program, const SystematicEdit& edit) {
    return Generator(program, edit.function).place_in_words(edit);
}

}  // namespace attn::edits
