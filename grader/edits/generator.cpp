#include "grader/edits/generator.h"

#include <algorithm>

namespace attn::edits {
namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

}  // namespace

std::string call_of(const char* function, const std::string& argument) {
    return std::string("std::") + function + "(" + argument + ")";
}

std::string in_brackets(const std::string& text) {
    return "(" + text + ")";
}

std::string as_formula(std::string text) {
    for (const char* const gone : {"std :: ", "static_cast < T > ", "static_cast < std :: size_t > ",
                                   "static_cast < size_t > ", "< T > ", "< const T > "})
        replace_all(text, gone, "");
    replace_all(text, " ( ", "(");
    replace_all(text, "( ", "(");
    replace_all(text, " )", ")");
    replace_all(text, " [ ", "[");
    replace_all(text, " ]", "]");
    replace_all(text, " , ", ", ");
    replace_all(text, " . ", ".");
    for (const char* const name : {"exp", "sqrt", "tanh", "erf", "sin", "cos", "max", "min"})
        replace_all(text, std::string(name) + " (", std::string(name) + "(");
    // A cast leaves two brackets around a name.
    for (std::size_t at = text.find("(("); at != std::string::npos; at = text.find("((", at + 1)) {
        const std::size_t end = text.find_first_of("() ", at + 2);
        if (end == std::string::npos || text.compare(end, 2, "))") != 0) continue;
        text.erase(end, 1);
        text.erase(at, 1);
    }
    return text;
}

Generator::Generator(const Program& program, int function)
    : program_(program), number_(function), function_(program.function(function)) {
    for (const Node& n : function_.nodes) {
        if (n.op != Op::loop) continue;
        const Node& condition = at(n.b);
        if ((condition.op != Op::less && condition.op != Op::less_equal) || at(condition.a).op != Op::local)
            continue;
        loops_.push_back({source(at(condition.a)), source(at(condition.b)), n.first, n.last, at(n.d).first});
    }
}

std::string Generator::source(const Node& n) const {
    return text_of(program_.words(), std::span(function_.body)
                                         .subspan(static_cast<std::size_t>(n.first),
                                                  static_cast<std::size_t>(n.last - n.first)));
}

std::string Generator::shown(const Node& n) const {
    return as_formula(source(n));
}

std::string Generator::name_of(const Symbol& symbol) const {
    return symbol.word >= 0 ? program_.words().text(symbol.word) : symbol.path;
}

std::vector<const Symbol*> Generator::visible(int token, Base base) const {
    std::vector<const Symbol*> found;
    for (const Symbol& symbol : function_.symbols)
        if (symbol.type.base == base && symbol.from <= token && token < symbol.until &&
            (symbol.word >= 0 || !symbol.path.empty()))
            found.push_back(&symbol);
    return found;
}

std::vector<const Symbol*> Generator::views(int token, Element element, int rank) const {
    std::vector<const Symbol*> found = visible(token, Base::view);
    std::erase_if(found, [&](const Symbol* symbol) {
        return symbol->type.element != element || symbol->type.rank != rank;
    });
    return found;
}

std::vector<std::string> Generator::indices(int token) const {
    std::vector<std::string> found;
    for (const Symbol* const symbol : visible(token, Base::integer))
        if (symbol->loop) found.push_back(name_of(*symbol));
    return found;
}

std::vector<std::string> Generator::sizes(int token) const {
    std::vector<std::string> found;
    for (const Symbol* const symbol : visible(token, Base::integer))
        if (!symbol->loop) found.push_back(name_of(*symbol));
    if (!found.empty()) return found;
    for (const Symbol* const view : visible(token, Base::view))
        for (int axis = 0; axis < view->type.rank && view->word >= 0; ++axis)
            found.push_back(name_of(*view) + ".size(" + std::to_string(axis) + ")");
    return found;
}

std::vector<const Generator::Loop*> Generator::loops_around(int token) const {
    std::vector<const Loop*> found;
    for (const Loop& loop : loops_)
        if (loop.body <= token && token < loop.last) found.push_back(&loop);
    std::ranges::sort(found, {}, &Loop::first);
    return found;
}

void Generator::add_changes(std::vector<SystematicEdit::Change> changes, Kind kind, const std::string& said) {
    std::string key;
    for (const auto& change : changes)
        key += std::to_string(change.first) + " " + std::to_string(change.last) + " " + change.text + "\n";
    if (seen_.insert(key).second) all_.push_back({number_, std::move(changes), kind, said, -1, -1});
}

void Generator::add(const Node& n, const std::string& text, Kind kind, const std::string& said) {
    if (text != source(n)) add_changes({{n.first, n.last, text}}, kind, said);
}

void Generator::add_value(const Node& n, const std::string& text, Kind kind, const std::string& said) {
    if (text != source(n)) add(n, "(" + text + ")", kind, said);
}

std::vector<SystematicEdit> Generator::all() {
    visit(function_.root);
    for (const Lambda& lambda : function_.lambdas) visit(lambda.body);
    renamed_arrays();
    swapped_arrays();
    other_shapes();
    inputs();
    outputs();
    fill_under_mask();
    return std::move(all_);
}

void Generator::visit(std::int32_t k) {
    const Node& n = at(k);
    switch (n.op) {
        case Op::loop:
            loop(n);
            break;
        case Op::block:
            block(n);
            break;
        case Op::evaluate:
            evaluate(n);
            break;
        case Op::if_else:
            if_else(n);
            break;
        case Op::declare:
            declaration(n);
            break;
        case Op::assign:
            assignment(n);
            break;
        default:
            value(n);
    }
    if (n.op == Op::assign) {
        // The target is no value. Its indices are.
        const Node& target = at(n.a);
        if (target.op == Op::element) {
            element(target, true);
            for (std::int32_t index = target.b; index >= 0; index = at(index).next) visit(index);
        }
        return visit(n.b);
    }
    const bool counts = n.op == Op::loop;
    for (const std::int32_t child : {counts ? -1 : n.a, counts ? -1 : n.b, counts ? -1 : n.c, n.d})
        for (std::int32_t each = child; each >= 0; each = at(each).next) visit(each);
}

void Generator::loop(const Node& n) {
    const Node &init = at(n.a), &start = at(init.a), &condition = at(n.b);
    if ((condition.op != Op::less && condition.op != Op::less_equal) || at(condition.a).op != Op::local)
        return;
    const Node& bound = at(condition.b);
    const std::string index = source(at(condition.a)), end = source(bound);
    const std::string the_loop = "the loop over " + index + " ";
    for (const char* const other : {"0", "1", "2"})
        add(start, other, Kind::bound, the_loop + "begins at " + other);
    const auto until = [&](const std::string& text) {
        add_value(bound, text, Kind::bound, the_loop + "ends at " + as_formula(text));
    };
    until(end + " - 1");
    until(end + " + 1");
    for (const std::string& size : sizes(n.first)) until(size);
    for (const std::string& other : indices(n.first))
        if (other != index) {
            until(other);
            until(other + " + 1");
        }
    until("1");
    until("2");
    until(end + " / 2");
    until("std::max(1, " + end + " / 2)");
    for (const std::string& size : sizes(n.first)) {
        until("std::min(" + end + ", " + size + ")");
        until(end + " - " + size);
        until(end + " * " + size);
    }
    // Backwards, and every second one.
    add(at(n.c), index + " = " + index + " + 2", Kind::bound, the_loop + "takes every second value only");
    for (const Loop* const outer : loops_around(n.first)) {
        add(start, outer->index, Kind::bound, the_loop + "begins at " + outer->index);
        add(start, outer->index + " + 1", Kind::bound, the_loop + "begins at " + outer->index + " + 1");
    }
}

void Generator::block(const Node& n) {
    // Neighbours in the other order.
    for (std::int32_t k = n.a; k >= 0 && at(k).next >= 0; k = at(k).next) {
        const Node &one = at(k), &two = at(at(k).next);
        if (one.op == Op::declare || two.op == Op::declare || one.op == Op::nothing || two.op == Op::nothing)
            continue;
        if (one.op == Op::return_ || two.op == Op::return_) continue;
        add_changes({{one.first, two.last, source(two) + " " + source(one)}}, Kind::order,
                    "\"" + shown(two).substr(0, 60) + "\" comes before \"" + shown(one).substr(0, 60) + "\"");
    }
    for (std::int32_t k = n.a; k >= 0; k = at(k).next) {
        const Node& step = at(k);
        if (step.op != Op::loop && step.op != Op::if_else) continue;
        add(step, "{ }", Kind::missing, "a step is left out: \"" + shown(step).substr(0, 80) + "\"");
    }
}

void Generator::evaluate(const Node& n) {
    const Node& value_node = at(n.a);
    if (value_node.op == Op::call || value_node.op == Op::call_lambda) return call_statement(n, value_node);
    add(n, "{ }", Kind::missing, "\"" + shown(value_node) + "\" is left out");
    const Node& v = value_node;
    if (v.op != Op::assign) return;
    // Only for some values of the loops around it.
    for (const Loop* const around : loops_around(n.first)) {
        const std::string& i = around->index;
        const auto only = [&](const std::string& condition) {
            add(n, "{ if (" + condition + ") " + source(n) + " }", Kind::condition,
                "\"" + shown(v) + "\" is done only for " + as_formula(condition));
        };
        only(i + " == 0");
        only(i + " > 0");
        only(i + " < " + around->bound + " - 1");
        only(i + " == " + around->bound + " - 1");
    }
}

void Generator::call_statement(const Node& statement, const Node& call) {
    const std::string text = source(statement), shown_call = shown(call);
    add(statement, "{ }", Kind::missing, shown_call + " is left out");
    add(statement, text + " " + text, Kind::extra, shown_call + " is done twice");
    std::vector<const Node*> arguments;
    for (std::int32_t k = call.a; k >= 0; k = at(k).next) arguments.push_back(&at(k));
    for (std::size_t k = 1; k < arguments.size(); ++k) {
        const Node &first = *arguments[0], &other = *arguments[k];
        if (other.type.base != Base::view || first.type.base != Base::view || other.op == Op::empty) continue;
        if (other.type.rank == first.type.rank && other.type.element == first.type.element) {
            // The step only copies an input, or adds it to its result.
            const std::string to = source(first), from = source(other),
                              type = "TensorView<const T, " + std::to_string(other.type.rank) + ">";
            const std::string loop = "for (int k_ = 0; k_ < to_.count(); ++k_) to_.data()[k_] ";
            const std::string declared = "const TensorView<T, " + std::to_string(first.type.rank) +
                                         "> to_ = " + to + "; const " + type + " from_ = " + from + "; ";
            add(statement, "{ " + declared + loop + "= from_.data()[k_]; }", Kind::missing,
                as_formula(to) + " is " + as_formula(from) + " itself, without " + shown_call);
            add(statement, "{ " + text + declared + loop + "+= from_.data()[k_]; }", Kind::extra,
                as_formula(from) + " is added to the result of " + shown_call);
            add(statement, "{ " + text + declared + loop + "-= from_.data()[k_]; }", Kind::extra,
                as_formula(from) + " is subtracted from the result of " + shown_call);
        }
        for (std::size_t j = k + 1; j < arguments.size(); ++j) {
            const Node& second = *arguments[j];
            if (second.type.base != Base::view || second.op == Op::empty ||
                second.type.rank != other.type.rank || second.type.element != other.type.element)
                continue;
            add_changes(
                {{other.first, other.last, source(second)}, {second.first, second.last, source(other)}},
                Kind::array,
                as_formula(source(other)) + " and " + as_formula(source(second)) + " are swapped");
        }
    }
    for (std::size_t k = 1; k < arguments.size(); ++k) argument(*arguments[k]);
}

void Generator::if_else(const Node& n) {
    const Node& condition = at(n.a);
    const std::string text = source(condition);
    add(condition, "true", Kind::condition,
        "\"" + as_formula(text) + "\" is not looked at: it counts as true");
    add(condition, "false", Kind::condition,
        "\"" + as_formula(text) + "\" is not looked at: it counts as false");
    add(condition, "!(" + text + ")", Kind::condition,
        "\"" + as_formula(text) + "\" is read the other way round");
}

void Generator::declaration(const Node& n) {
    if (n.type.base != Base::real || n.a < 0) return;
    // Not reset: the declaration moves in front of a loop around it.
    if (at(n.a).op != Op::number && at(n.a).op != Op::to_real && at(n.a).op != Op::element) return;
    int first = n.first;
    while (first > 0 && function_.body[static_cast<std::size_t>(first)].id != known::T) --first;
    const std::string text = source(n);
    const std::string name = text.substr(0, text.find(' '));
    for (const Loop* const around : loops_around(n.first)) {
        const bool number = at(n.a).op != Op::element;
        if (!number) continue;
        add_changes({{around->first, around->first, "T " + text + ";"}, {first, n.last + 1, ";"}},
                    Kind::reset,
                    name + " is not set to " + shown(at(n.a)) + " again for each " + around->index);
    }
}

/// An array under the name of another one, everywhere.
void Generator::renamed_arrays() {
    for (const Symbol& symbol : function_.symbols) {
        if (symbol.type.base != Base::view || symbol.word < 0) continue;
        for (const Symbol* const other : views(symbol.until - 1, symbol.type.element, symbol.type.rank)) {
            if (other == &symbol || other->until < symbol.until || other->from > symbol.from) continue;
            std::vector<SystematicEdit::Change> changes;
            for (int token = symbol.from; token < symbol.until; ++token)
                if (function_.body[static_cast<std::size_t>(token)].id == symbol.word &&
                    (token == 0 || function_.body[static_cast<std::size_t>(token) - 1].id != known::dot))
                    changes.push_back({token, token + 1, name_of(*other)});
            if (changes.size() > 1)
                add_changes(std::move(changes), Kind::array,
                            name_of(*other) + " is used everywhere in the place of " + name_of(symbol));
        }
    }
}

/// Two arrays that have each other's names, everywhere.
void Generator::swapped_arrays() {
    std::vector<const Symbol*> all;
    for (const Symbol& symbol : function_.symbols)
        if (symbol.from == 0 && symbol.type.base == Base::view && symbol.type.constant)
            all.push_back(&symbol);
    const auto names = [&](const Symbol& symbol, const std::string& other,
                           std::vector<SystematicEdit::Change>& changes) {
        const std::string name = name_of(symbol);
        const std::string member = name.substr(name.rfind('.') + 1),
                          path = name.substr(0, name.size() - member.size());
        for (std::size_t token = 1; token < function_.body.size(); ++token) {
            if (program_.words().text(function_.body[token].id) != member) continue;
            const bool after_dot = function_.body[token - 1].id == known::dot;
            if (after_dot != !path.empty()) continue;
            // Only the last name of a path changes: both have the same path.
            changes.push_back(
                {static_cast<int>(token), static_cast<int>(token) + 1, other.substr(other.rfind('.') + 1)});
        }
    };
    const auto path_of = [](const std::string& name) {
        return name.substr(0, name.rfind('.') == std::string::npos ? 0 : name.rfind('.'));
    };
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = a + 1; b < all.size(); ++b) {
            const std::string one = name_of(*all[a]), two = name_of(*all[b]);
            if (all[a]->type.rank != all[b]->type.rank || all[a]->type.element != all[b]->type.element ||
                path_of(one) != path_of(two))
                continue;
            std::vector<SystematicEdit::Change> changes;
            names(*all[a], two, changes);
            names(*all[b], one, changes);
            if (!changes.empty())
                add_changes(std::move(changes), Kind::array,
                            as_formula(one) + " and " + as_formula(two) + " are swapped");
        }
}

std::vector<SystematicEdit> systematic_edits(const Program& program, int function) {
    return Generator(program, function).all();
}

namespace {

/// The calls of other functions in a function: the callee and the token of the call.
std::vector<std::pair<int, int>> calls_in(const FunctionTree& function) {
    std::vector<std::pair<int, int>> calls;
    for (const Node& n : function.nodes)
        if (n.op == Op::call) calls.emplace_back(n.slot, n.first);
    return calls;
}

bool is_loop_code(const Program& program, int function) {
    const Declaration& declared = program.declaration(function);
    return declared.member_of < 0 && declared.file.ends_with(".cpp") && declared.result.base != Base::view;
}

}  // namespace

std::vector<int> functions_reached_from(const Program& program, int function) {
    std::vector<int> reached{function};
    for (std::size_t k = 0; k < reached.size(); ++k)
        for (const auto& [callee, token] : calls_in(program.function(reached[k])))
            if (is_loop_code(program, callee) && std::ranges::find(reached, callee) == reached.end())
                reached.push_back(callee);
    return reached;
}

std::vector<SystematicEdit> edits_reachable_from(const Program& program, int function) {
    const std::vector<int> reached = functions_reached_from(program, function);
    std::vector<SystematicEdit> all;
    std::vector<std::vector<SystematicEdit>> of_each;
    for (const int each : reached) {
        of_each.push_back(systematic_edits(program, each));
        all.insert(all.end(), of_each.back().begin(), of_each.back().end());
    }
    // At one call, if a function is called more than once.
    for (std::size_t k = 0; k < reached.size(); ++k) {
        std::vector<std::pair<int, int>> calls;
        for (const int caller : reached)
            for (const auto& [callee, token] : calls_in(program.function(caller)))
                if (callee == reached[k]) calls.emplace_back(caller, token);
        if (calls.size() < 2) continue;
        for (const auto& [caller, token] : calls)
            for (SystematicEdit edit : of_each[k]) {
                edit.caller = caller;
                edit.call = token;
                all.push_back(std::move(edit));
            }
    }
    return all;
}

std::vector<Edit> as_edits(Program& program, const SystematicEdit& edit) {
    std::vector<Edit> edits;
    const std::string& file = program.declaration(edit.function).file;
    for (const SystematicEdit::Change& change : edit.changes)
        edits.push_back({edit.function, change.first, change.last,
                         tokens_of(program.words(), file, change.text), edit.caller, edit.call});
    return edits;
}

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

}  // namespace

std::string equation_of(const Program& program, const SystematicEdit& edit) {
    const int function = edit.caller >= 0 ? edit.caller : edit.function;
    const Tokens& body = program.declaration(function).body;
    int last = edit.caller >= 0 ? edit.call : edit.changes.front().first;
    for (const auto& change : edit.changes)
        if (edit.caller < 0) last = std::max(last, change.first);
    // A comment counts inside of its block only.
    int depth = 0;
    for (int k = last - 1; k >= 0; --k) {
        const Token& token = body[static_cast<std::size_t>(k)];
        if (token.id == known::close_brace) ++depth;
        if (token.id == known::open_brace && depth > 0) --depth;
        if (token.kind != TokenKind::comment || depth > 0) continue;
        std::string text = program.words().text(token.id);
        text.erase(0, text.find_first_not_of("/ "));
        if (is_equation(text)) return first_equation(text.substr(0, text.find("      ")));
    }
    const std::string documentation = program.documentation(function);
    std::size_t from = 0;
    while (from < documentation.size()) {
        const std::size_t end = std::min(documentation.find('\n', from), documentation.size());
        std::string line = documentation.substr(from, end - from);
        line.erase(0, line.find_first_not_of(' '));
        if (is_equation(line)) return first_equation(line.substr(0, line.find("      ")));
        from = end + 1;
    }
    return {};
}

}  // namespace attn::edits
