#include "grader/edits/generator.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "grader/base/listed_in_words.h"

namespace attn::edits {
namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// Code and what stands for it in a formula, in this order.
constexpr std::pair<const char*, const char*> kFormulas[] = {
    {" ;", ";"},
    {"T (", "("},
    {"(T(", "(("},
    {" T(", " ("},
    {"std::", ""},
    {"weights.", ""},
    {"gradients.", ""},
    {"inv_pi_v", "1 / pi"},
    {"pi_v", "pi"},
    {"sqrt2_v", "sqrt(2)"},
    {"numeric_limits :: infinity ( )", "infinity"},
    {" ( )", ""},
    {" (", "("},
    {"( ", "("},
    {" )", ")"},
    {" [ ", "["},
    {" ]", "]"},
    {" , ", ", "},
    {" . ", "."},
};

/// The begin of a statement, in quotation marks.
std::string quoted(std::string statement) {
    constexpr std::size_t kMost = 70;
    while (statement.ends_with(';') || statement.ends_with(' ')) statement.pop_back();
    if (statement.size() > kMost) statement = statement.substr(0, statement.rfind(' ', kMost)) + " ..";
    return "\"" + statement + "\"";
}

/// The arrays that own their numbers and have a view of another name: those of weights in dA = weights.view.
std::set<std::string> renamed_arrays_of(const std::vector<Symbol>& symbols, const std::string& body) {
    constexpr std::string_view kView = ".view";
    std::set<std::string> renamed;
    for (const Symbol& symbol : symbols)
        if (symbol.path.ends_with(kView) &&
            body.find("= " + symbol.path.substr(0, symbol.path.size() - kView.size()) + " . view") !=
                std::string::npos)
            renamed.insert(symbol.path);
    return renamed;
}

/// What names of the plain loops stand for, in the handout's letters: constant whole numbers that are parameters or
/// products of them ("D" for width in const std::int64_t width = D, "B * N" for tokens =
/// static_cast<std::int64_t>(B) * N), and a batch of an output ("A" for A_b).
std::map<std::string, std::string> parameters_behind(const Program& program, const FunctionTree& function) {
    constexpr std::string_view kCast[] = {"static_cast", "<", "std", "::", "int64_t", ">", "(", ")"};
    std::set<std::string> parameters;
    const auto text = [&](std::size_t token) { return program.words().text(function.body[token].id); };
    for (const Symbol& symbol : function.symbols)
        if (symbol.from == 0 && symbol.word >= 0 &&
            (symbol.type.base == Base::integer || symbol.type.base == Base::view))
            parameters.insert(program.words().text(symbol.word));
    std::map<std::string, std::string> behind;
    for (const Symbol& symbol : function.symbols) {
        if (symbol.from == 0 || symbol.word < 0 || !symbol.constant || symbol.loop) continue;
        // A_b: the batch b of A.
        const std::string& name = program.words().text(symbol.word);
        if (symbol.type.base == Base::view && name.ends_with("_b") &&
            parameters.contains(name.substr(0, name.size() - 2)))
            behind[name] = name.substr(0, name.size() - 2);
        if (symbol.type.base != Base::integer) continue;
        std::size_t at = 0;
        while (at + 1 < function.body.size() && (function.body[at].id != symbol.word || text(at + 1) != "="))
            ++at;
        std::string product;
        bool is_product = false;
        for (at += 2; at < function.body.size() && text(at) != ";" && text(at) != ","; ++at) {
            const std::string word = text(at);
            if (std::ranges::find(kCast, word) != std::end(kCast)) continue;
            is_product = parameters.contains(word) || (is_product && word == "*");
            if (!is_product) break;
            product += word == "*" ? " * " : word;
        }
        if (is_product) behind[name] = product;
    }
    return behind;
}

/// "q" of "q.data", and "h" of "h().data".
std::string array_of(const std::string& data) {
    const std::string array = data.substr(0, data.rfind(".data"));
    return array.ends_with("()") ? array.substr(0, array.size() - 2) : array;
}

/// "0" of "T { 0 }".
std::string number_in(const std::string& value) {
    const std::size_t first = value.find_first_of("0123456789");
    return first == std::string::npos ? value : value.substr(first, value.find_first_of(" }", first) - first);
}

/// "copy_rows(Y, X)" is Y = X, and "accumulate(Y, X)" is Y += X.
std::string copy_as_equation(std::string text) {
    const std::size_t open = text.find('(');
    const bool adds = text.starts_with("accumulate(");
    if ((!adds && !text.starts_with("copy")) || open == std::string::npos || !text.ends_with(')'))
        return text;
    int depth = 0;
    std::size_t comma = 0;
    for (std::size_t k = open; k < text.size(); ++k) {
        depth += text[k] == '(' || text[k] == '[' ? 1 : text[k] == ')' || text[k] == ']' ? -1 : 0;
        if (depth == 1 && text[k] == ',') comma = comma == 0 ? k : std::string::npos;
        if (depth == 0 && k + 1 != text.size()) return text;
    }
    if (comma == 0 || comma == std::string::npos) return text;
    return text.substr(open + 1, comma - open - 1) + (adds ? " +=" : " =") +
           text.substr(comma + 1, text.size() - comma - 2);
}

/// The functions of the plain loops that give an array another shape, as flat(X) does. A handout has no names for them.
std::vector<std::string> reshapes_of(const Program& program, const std::string& file) {
    std::vector<std::string> names;
    for (int k = 0; k < program.count(); ++k) {
        const Declaration& each = program.declaration(k);
        if (each.file == file && each.member_of < 0 && !program.is_public(k) &&
            each.result.base == Base::view && each.parameters.size() == 1 &&
            each.parameters.front().type.base == Base::view)
            names.push_back(each.name);
    }
    return names;
}

/// "dX += dZ" of "flat(dX) += flat(dZ)".
std::string without_calls(std::string text, const std::string& name) {
    const std::string call = name + "(";
    for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, at)) {
        const bool is_inside_word =
            at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0 || text[at - 1] == '_');
        std::size_t close = at + call.size();
        for (int depth = 1; close < text.size(); ++close) {
            depth += text[close] == '(' ? 1 : text[close] == ')' ? -1 : 0;
            if (depth == 0) break;
        }
        if (is_inside_word || close == text.size()) {
            at += call.size();
            continue;
        }
        text.erase(close, 1);
        text.erase(at, call.size());
    }
    return text;
}

}  // namespace

std::string with_words(const std::string& text, const std::map<std::string, std::string>& others) {
    std::string result, word;
    for (std::size_t k = 0; k <= text.size(); ++k) {
        const char c = k < text.size() ? text[k] : ' ';
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
            word += c;
            continue;
        }
        const auto other = others.find(word);
        result += other == others.end() ? word : other->second;
        word.clear();
        if (k < text.size()) result += c;
    }
    return result;
}

std::string call_of(const char* function, const std::string& argument) {
    return std::string("std::") + function + "(" + argument + ")";
}

std::string in_brackets(const std::string& text) {
    return "(" + text + ")";
}

std::string truncated(const std::string& text) {
    return "(" + text + " < 0 ? -std::floor(-(" + text + ")) : std::floor(" + text + "))";
}

std::string as_formula(std::string text) {
    for (const char* const gone :
         {"std :: ", "static_cast < T > ", "static_cast < std :: size_t > ", "static_cast < size_t > ",
          "static_cast < double > ", "< T > ", "< const T > ", " < T >", " < const T >", "weights . ",
          "gradients . ", " . view", "numbers :: "})
        replace_all(text, gone, "");
    // Norm :: pre
    for (std::size_t at = text.find(" :: "); at != std::string::npos; at = text.find(" :: ")) {
        const std::size_t before = text.find_last_of(" (!,", at - 1);
        const std::size_t first = before == std::string::npos ? 0 : before + 1;
        text.erase(first, at + 4 - first);
    }
    for (const auto& [code, formula] : kFormulas) replace_all(text, code, formula);
    // A bracket after an operator or a comma is no call.
    for (std::size_t at = 1; at < text.size(); ++at)
        if (text[at] == '(' && std::string_view("+-*/%=<>?:&|,").find(text[at - 1]) != std::string_view::npos)
            text.insert(at++, " ");
    // A cast leaves two brackets around a name.
    for (std::size_t at = text.find('('); at != std::string::npos; at = text.find('(', at + 1)) {
        const bool called = at > 0 && text[at - 1] != ' ' && text[at - 1] != '(';
        const std::size_t end = text.find_first_of("() ,", at + 1);
        if (called || end == std::string::npos || text[end] != ')' || end == at + 1) continue;
        text.erase(end, 1);
        text.erase(at, 1);
    }
    return copy_as_equation(std::move(text));
}

Generator::Generator(const Program& program, int function)
    : program_(program), number_(function), function_(program.function(function)) {
    parameters_behind_ = parameters_behind(program, function_);
    reshapes_ = reshapes_of(program, program.declaration(function).file);
    renamed_ = renamed_arrays_of(function_.symbols, text_of(program_.words(), function_.body, 0, end()));
    for (const Node& n : function_.nodes) {
        if (n.op != Op::loop) continue;
        const Node& condition = at(n.b);
        if ((condition.op != Op::less && condition.op != Op::less_equal) || at(condition.a).op != Op::local)
            continue;
        loops_.push_back({source(at(condition.a)), source(at(condition.b)), n.first, n.last, at(n.d).first});
    }
}

std::string Generator::source(const Node& n) const {
    return text_of(program_.words(), function_.body, n.first, n.last);
}

std::string Generator::shown(const Node& n) const {
    return as_formula(source(n));
}

std::string Generator::in_letters(std::string text) const {
    for (const std::string& name : reshapes_) text = without_calls(std::move(text), name);
    return with_words(text, parameters_behind_);
}

std::string Generator::step_in_words(const Node& step) const {
    if (step.op != Op::loop && step.op != Op::if_else && step.op != Op::block) return quoted(shown(step));
    std::vector<std::string> arrays, numbers;
    for (const Node& n : function_.nodes) {
        if (n.op != Op::assign || n.first < step.first || n.last > step.last) continue;
        const Node& target = at(n.a);
        std::vector<std::string>& names = target.op == Op::element ? arrays : numbers;
        const std::string name = shown(target.op == Op::element ? at(target.a) : target);
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    const std::vector<std::string>& names = arrays.empty() ? numbers : arrays;
    if (names.empty()) return step.op == Op::if_else ? "the step with a condition" : "the loop";
    return "the step that computes " + listed_in_words(names);
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
        return symbol->type.element != element || symbol->type.rank != rank ||
               renamed_.contains(symbol->path);
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
    return found.empty() ? sizes_of_views(token) : found;
}

std::vector<std::string> Generator::sizes_of_views(int token) const {
    std::vector<std::string> found;
    for (const Symbol* const view : visible(token, Base::view))
        for (int axis = 0; axis < view->type.rank && view->word >= 0; ++axis)
            found.push_back(name_of(*view) + ".size(" + std::to_string(axis) + ")");
    return found;
}

/// Those of a view that the function asks for without giving them a name.
std::vector<std::string> Generator::sizes_without_name(int token) const {
    std::set<std::string> asked, named;
    for (const Node& n : function_.nodes) {
        if (n.op == Op::size) asked.insert(as_formula(source(n)));
        if (n.op == Op::declare && n.a >= 0 && at(n.a).op == Op::size)
            named.insert(as_formula(source(at(n.a))));
    }
    std::vector<std::string> found = sizes_of_views(token);
    std::erase_if(found,
                  [&](const std::string& size) { return !asked.contains(size) || named.contains(size); });
    return found;
}

std::vector<const Generator::Loop*> Generator::loops_around(int token) const {
    std::vector<const Loop*> found;
    for (const Loop& loop : loops_)
        if (loop.body <= token && token < loop.last) found.push_back(&loop);
    std::ranges::sort(found, {}, &Loop::first);
    return found;
}

void Generator::add_changes(std::vector<SystematicEdit::Change> changes, Kind kind, const std::string& said,
                            const std::string& array, bool written) {
    std::string key;
    for (const auto& change : changes)
        key += std::to_string(change.first) + " " + std::to_string(change.last) + " " + change.text + "\n";
    if (seen_.insert(key).second)
        all_.push_back(
            {number_, std::move(changes), kind, in_letters(said), in_letters(array), written, -1, -1, {}});
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
    for (const auto& [loop, together] : resets_)
        if (together.size() > 1) all_resets(together);
    renamed_arrays();
    swapped_arrays();
    other_shapes();
    written_over_input();
    sizes_for_inputs();
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
        case Op::return_:
            returned(n);
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
    const std::string index = source(at(condition.a)), end = source(bound), until = as_formula(end);
    const std::string range = "the range of " + index + " ";
    for (const char* const other : {"0", "1", "2"})
        add(start, other, Kind::bound, range + "begins at " + other + " instead of " + shown(start));
    const auto ends = [&](const std::string& text, const std::string& said) {
        add_value(bound, text, Kind::bound, range + said);
    };
    const auto ends_at = [&](const std::string& text) {
        ends(text, "ends at " + as_formula(text) + " instead of " + until);
    };
    ends(end + " - 1", "ends one too early");
    ends(end + " + 1", "ends one too late");
    ends("std::max(1, " + end + " - 1)", "ends one too early where it has more than one value");
    add_value(start, end + " > 1 ? 1 : 0", Kind::bound,
              range + "begins at 1 where it has more than one value");
    for (const std::string& size : sizes(n.first)) ends_at(size);
    for (const std::string& other : indices(n.first))
        if (other != index) {
            ends(other, "ends before " + other);
            ends(other + " + 1", "ends with " + other);
        }
    ends("1", "has the first value only");
    ends("2", "has the first two values only");
    ends(end + " / 2", "has the first half only");
    ends("std::max(1, " + end + " / 2)", "has the first half only");
    for (const std::string& size : sizes(n.first)) {
        ends("std::min(" + end + ", " + size + ")", "ends at " + as_formula(size) + " at the latest");
        ends_at(end + " - " + size);
        ends_at(end + " * " + size);
    }
    add(at(n.c), index + " = " + index + " + 2", Kind::bound, "only every second " + index + " is taken");
    for (const Loop* const outer : loops_around(n.first)) {
        add(start, outer->index, Kind::bound, range + "begins at " + outer->index);
        add(start, outer->index + " + 1", Kind::bound, range + "begins after " + outer->index);
    }
}

void Generator::block(const Node& n) {
    local_as_output(n);
    // Neighbours in the other order.
    for (std::int32_t k = n.a; k >= 0 && at(k).next >= 0; k = at(k).next) {
        const Node &one = at(k), &two = at(at(k).next);
        // Several variables of one declaration are a block.
        const auto declares = [&](const Node& node) {
            return node.op == Op::declare ||
                   (node.op == Op::block && node.a >= 0 && at(node.a).op == Op::declare);
        };
        if (declares(one) || declares(two) || one.op == Op::nothing || two.op == Op::nothing) continue;
        if (one.op == Op::return_ || two.op == Op::return_) continue;
        add_changes({{one.first, two.last, source(two) + " " + source(one)}}, Kind::order,
                    step_in_words(two) + " is done before " + step_in_words(one));
    }
    for (std::int32_t k = n.a; k >= 0; k = at(k).next) {
        const Node& step = at(k);
        if (step.op == Op::fill)
            add(step, "{ }", Kind::reset,
                array_of(shown(at(step.a))) + " is not set to " + number_in(shown(at(step.c))) + " anew");
        if (step.op != Op::loop && step.op != Op::if_else) continue;
        add(step, "{ }", Kind::missing, step_in_words(step) + " is left out");
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
        const auto only = [&](const std::string& condition, const std::string& said) {
            add(n, "{ if (" + condition + ") " + source(n) + " }", Kind::condition,
                "\"" + shown(v) + "\" is done for " + said + " only");
        };
        only(i + " == 0", i + " = 0");
        only(i + " > 0", i + " > 0");
        only(i + " < " + around->bound + " - 1", "all " + i + " but the last");
        only(i + " == " + around->bound + " - 1", "the last " + i);
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
                shown_call + " is left out, and " + as_formula(to) + " is a copy of " + as_formula(from));
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
                as_formula(source(other)) + " and " + as_formula(source(second)) + " are exchanged");
        }
    }
    for (std::size_t k = 1; k < arguments.size(); ++k) {
        argument(*arguments[k]);
        scaled_argument(statement, *arguments[k]);
    }
}

void Generator::if_else(const Node& n) {
    const Node& condition = at(n.a);
    const std::string text = source(condition);
    add(condition, "true", Kind::condition, "the condition " + as_formula(text) + " counts as true");
    add(condition, "false", Kind::condition, "the condition " + as_formula(text) + " counts as false");
    const Node& then = at(n.b);
    const Node* const done = then.op == Op::evaluate ? &at(then.a) : nullptr;
    if (done != nullptr && done->op == Op::assign && at(done->b).op == Op::maximum)
        largest_with({condition.first, condition.last, "true"},
                     "the largest number is searched everywhere, not only where " + as_formula(text));
    add(condition, "!(" + text + ")", Kind::condition,
        "the condition " + as_formula(text) + " is the opposite of what it should be");
}

/// Another search for the largest number, alone and where sums of exponentials that are 0 divide nothing.
void Generator::largest_with(const SystematicEdit::Change& change, const std::string& said) {
    std::vector<SystematicEdit::Change> changes{change};
    add_changes(changes, Kind::number, said);
    std::set<int> guarded;
    for (const Node& n : function_.nodes) {
        const bool divides =
            n.op == Op::divide || (n.op == Op::assign && n.slot == static_cast<int>(Assign::divide));
        if (!divides || n.b < 0) continue;
        const Node& divisor = at(n.b);
        if (divisor.op != Op::local || divisor.type.base != Base::real ||
            !guarded.insert(divisor.first).second)
            continue;
        const std::string text = source(divisor);
        changes.push_back({divisor.first, divisor.last, "(" + text + " == 0 ? T(1) : " + text + ")"});
    }
    if (changes.size() == 1) return;
    std::ranges::sort(changes, {}, &SystematicEdit::Change::first);
    add_changes(std::move(changes), Kind::number, said + ", and rows whose exponentials sum to 0 stay 0");
}

void Generator::declaration(const Node& n) {
    if (n.type.base == Base::view && n.type.rank == 0) return memory(n);
    if (n.a < 0) return;
    const Node& value = at(n.a);
    const std::string text = source(n), name = text.substr(0, text.find(' ')), initial = source(value);
    // The word of the type in front of the name. A constant, or one of several variables, has another token there.
    const int first = n.first - 1;
    const auto is_word = [&](int k, known::Id word) {
        return k >= 0 && function_.body[static_cast<std::size_t>(k)].id == word;
    };
    const bool alone = is_word(n.last, known::semicolon) && !is_word(first - 1, known::const_);
    if (n.type.base == Base::integer || n.type.base == Base::boolean) {
        const known::Id type = n.type.base == Base::integer ? known::int_ : known::bool_;
        if (value.op == Op::number && alone && is_word(first, type)) not_reset(first, n, name, shown(value));
        return;
    }
    if (n.type.base != Base::real) return;
    if (value.op != Op::number && value.op != Op::to_real)
        add(value, truncated(initial), Kind::number, as_formula(initial) + " is cut off to a whole number");
    if (value.op != Op::number && value.op != Op::to_real && value.op != Op::negate &&
        value.op != Op::element)
        return;
    if (!alone || !is_word(first, known::T)) return;
    if (value.op == Op::negate && initial.find("infinity") != std::string::npos)
        largest_with({value.first, value.last, "T(0)"},
                     "the search for the largest number begins at a number, such as 0, not at -infinity");
    if (value.op == Op::element)  // a largest element goes on from the last one
        in_front_of_loops("T " + name + " = -std::numeric_limits<T>::infinity();",
                          {first, n.last + 1, name + " = std::max(" + name + ", " + initial + ");"}, name,
                          shown(value));
    else
        not_reset(first, n, name, shown(value));
}

/// std::vector<T> NAME(count): all of its numbers are 0.
void Generator::memory(const Node& n) {
    constexpr int kTokensOfType = 6;  // std :: vector < T >
    const int first = n.first - kTokensOfType;
    const auto token = [&](int k) { return function_.body[static_cast<std::size_t>(k)].id; };
    if (first < 0 || n.a >= 0 || token(first) != known::std_ || token(n.first - 2) != known::T ||
        token(n.last) != known::semicolon)
        return;
    const int name = token(n.first);
    // It is told by the name of its view: TensorView<T, 1> z(NAME.data(), D).
    std::string told = program_.words().text(name);
    for (int k = n.last; k + 3 < end(); ++k)
        if (token(k + 1) == known::open && token(k + 2) == name && token(k + 3) == known::dot) {
            told = program_.words().text(token(k));
            break;
        }
    not_reset(first, n, told, "0");
}

/// A variable does not start anew: its declaration, which begins at this token, moves in front of a loop around it.
void Generator::not_reset(int first, const Node& n, const std::string& name, const std::string& value) {
    const std::string declared = text_of(program_.words(), function_.body, first, n.last + 1);
    for (const auto& [loop, reset] : in_front_of_loops(declared, {first, n.last + 1, ";"}, name, value))
        resets_[loop].push_back(reset);
}

/// Declares a variable in front of each loop around it, from the inside: where several give the same numbers, the innermost
/// is told. `inside`: what stands there instead of the declaration. The edits, by the first token of the loop.
std::vector<std::pair<int, Generator::Reset>> Generator::in_front_of_loops(
    const std::string& declared, const SystematicEdit::Change& inside, const std::string& name,
    const std::string& value) {
    std::vector<std::pair<int, Reset>> made;
    std::vector<const Loop*> loops = loops_around(inside.first);
    std::ranges::reverse(loops);
    for (const Loop* const around : loops) {
        const Reset reset{{around->first, around->first, declared}, inside, name, around->index};
        add_changes({reset.before, reset.inside}, Kind::reset,
                    name + " is not reset to " + value + " for each " + around->index);
        made.emplace_back(around->first, reset);
    }
    return made;
}

/// None of several variables starts anew in the loop.
void Generator::all_resets(const std::vector<Reset>& together) {
    std::vector<std::string> names;
    std::vector<SystematicEdit::Change> changes;
    for (const Reset& each : together) {
        names.push_back(each.name);
        changes.push_back(each.before);
        changes.push_back(each.inside);
    }
    add_changes(std::move(changes), Kind::reset,
                listed_in_words(names) + " are not reset for each " + together.front().index);
}

/// What a block leaves in one array is what it has computed in another.
void Generator::local_as_output(const Node& block) {
    const int last = block.last - 1;
    const bool whole = block.first == at(function_.root).first;
    for (const Symbol* const output : visible(last, Base::view)) {
        const bool here = output->from > block.first || (whole && output->from == 0);
        if (!here || output->word < 0 || output->type.constant || output->type.element != Element::real)
            continue;
        for (const Symbol* const other : views(last, Element::real, output->type.rank)) {
            if (other == output || other->word < 0 || other->from == 0) continue;
            const std::string to = name_of(*output), from = name_of(*other);
            add_changes({{last, last,
                          "if (" + to + ".count() == " + from + ".count()) for (int k_ = 0; k_ < " + to +
                              ".count(); ++k_) " + to + ".data()[k_] = " + from + ".data()[k_];"}},
                        Kind::array, as_formula(to) + " gets the numbers of " + as_formula(from), to, true);
        }
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
            const std::string to = as_formula(name_of(*other)), from = as_formula(name_of(symbol));
            if (changes.size() > 1)
                add_changes(std::move(changes), Kind::array,
                            symbol.type.constant ? to + " is used everywhere instead of " + from
                                                 : "one array is used for both " + to + " and " + from);
        }
    }
}

/// A size of the arrays everywhere where a whole number of an input belongs, such as the length of a sentence.
void Generator::sizes_for_inputs() {
    for (const Symbol& input : function_.symbols) {
        if (input.from != 0 || input.type.base != Base::view || input.type.rank != 1 ||
            input.type.element != Element::whole || !input.type.constant)
            continue;
        std::vector<const Node*> reads;
        for (const Node& n : function_.nodes)
            if (n.op == Op::element && source(at(n.a)) == name_of(input)) reads.push_back(&n);
        std::ranges::sort(reads, {}, &Node::first);
        if (reads.size() < 2) continue;
        for (const std::string& size : sizes(reads.front()->first)) {
            std::vector<SystematicEdit::Change> changes;
            for (const Node* const read : reads) changes.push_back({read->first, read->last, size});
            add_changes(std::move(changes), Kind::number,
                        as_formula(size) + " is used everywhere instead of " + shown(*reads.front()));
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
                            as_formula(one) + " and " + as_formula(two) + " are exchanged");
        }
}

}  // namespace attn::edits
