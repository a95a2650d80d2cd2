// The systematic edits of sums, products and comparisons.

#include "grader/edits/generator.h"

namespace attn::edits {
namespace {

const char* symbol_of(Op op) {
    switch (op) {
        case Op::add:
            return " + ";
        case Op::subtract:
            return " - ";
        case Op::multiply:
            return " * ";
        case Op::divide:
            return " / ";
        default:
            return " % ";
    }
}

/// "a + b", with brackets around a sum if the operation binds closer.
std::string formula_of(const std::string& a, Op op, const std::string& b) {
    const auto side = [op](const std::string& text, bool second) {
        std::string formula = as_formula(text);
        const bool close = op != Op::add && (second || op != Op::subtract);
        int depth = 0;
        for (std::size_t k = 0; k + 2 < formula.size() && close; ++k) {
            if (formula[k] == '(') ++depth;
            if (formula[k] == ')') --depth;
            const std::string_view sign = std::string_view(formula).substr(k, 3);
            if (depth == 0 && (sign == " + " || sign == " - " ||
                               (op == Op::divide && second && (sign == " * " || sign == " / "))))
                return in_brackets(formula);
        }
        return formula;
    };
    return side(a, false) + symbol_of(op) + side(b, true);
}

}  // namespace

void Generator::arithmetic(const Node& n) {
    const std::string a = source(at(n.a)), b = source(at(n.b)), text = source(n), whole = shown(n);
    for (const Op other : {Op::add, Op::subtract, Op::multiply, Op::divide})
        if (other != n.op)
            add_value(n, in_brackets(a) + symbol_of(other) + in_brackets(b), Kind::operation,
                      formula_of(a, other, b) + " is computed instead of " + whole);
    add_value(n, a, Kind::missing, as_formula(b) + " is left out of " + whole);
    add_value(n, b, Kind::missing, as_formula(a) + " is left out of " + whole);
    if (n.op == Op::subtract || n.op == Op::divide)
        add_value(n, in_brackets(b) + symbol_of(n.op) + in_brackets(a), Kind::operation,
                  as_formula(a) + " and " + as_formula(b) + " are exchanged in " + whole);
    add_value(n, "-" + in_brackets(text), Kind::operation, whole + " has the wrong sign");
    add_value(n, "std::max(" + a + ", " + b + ")", Kind::operation,
              "the larger of " + as_formula(a) + " and " + as_formula(b) + " is taken");
    add_value(n, call_of("abs", text), Kind::operation, "the absolute value of " + whole + " is taken");
    add_value(n, in_brackets(text) + " * " + in_brackets(text), Kind::operation, whole + " is squared");
    add_value(n, call_of("sqrt", a) + symbol_of(n.op) + in_brackets(b), Kind::operation,
              "the root of " + as_formula(a) + " is taken");
    add_value(n, in_brackets(a) + symbol_of(n.op) + call_of("sqrt", b), Kind::operation,
              "the root of " + as_formula(b) + " is taken");
    add_value(n, call_of("sqrt", text), Kind::operation, "the root of " + whole + " is taken");
    add_value(n, call_of("tanh", text), Kind::extra, "tanh of " + whole + " is taken");
    add_value(n, call_of("exp", text), Kind::extra, "exp of " + whole + " is taken");
    add_value(n, call_of("round", text), Kind::operation, whole + " is rounded");
    add_value(n, "std::max(T(-80), std::min(T(80), " + text + "))", Kind::operation,
              whole + " is limited to -80 .. 80");
    add_value(n, "std::max(T(0), " + text + ")", Kind::operation, "values of " + whole + " below 0 become 0");
    inside_of_function(n);
    other_brackets(n);
    const Node& product = at(n.b);
    if (n.op == Op::subtract && a == "1" && product.op == Op::multiply &&
        source(at(product.a)) == source(at(product.b))) {
        const std::string x = in_brackets(source(at(product.a))), name = shown(at(product.a));
        add_value(n, x + " * (1 - " + x + ")", Kind::operation,
                  name + " (1 - " + name + ") is used instead of " + whole + ", the derivative of sigmoid");
        add_value(n, "1 - " + x, Kind::operation, "1 - " + name + " is used instead of " + whole);
    }
    if (n.op == Op::add || n.op == Op::subtract)
        for (const std::string& size : sizes(n.first)) {
            const std::string letter = as_formula(size);
            add_value(n, in_brackets(a) + symbol_of(n.op) + "T(" + size + ") * " + in_brackets(b),
                      Kind::extra, as_formula(b) + " counts " + letter + " times, as in a loop");
            add_value(n, "T(" + size + ") * " + in_brackets(a) + symbol_of(n.op) + in_brackets(b),
                      Kind::extra, as_formula(a) + " counts " + letter + " times, as in a loop");
        }
    for (const char* const factor : {"2", "10"}) {
        add_value(n, in_brackets(text) + " * " + factor, Kind::extra, whole + " is multiplied by " + factor);
        add_value(n, in_brackets(text) + " / " + factor, Kind::extra, whole + " is divided by " + factor);
    }
    if (n.op == Op::divide) {
        add_value(n, truncated(text), Kind::number, whole + " is cut off to a whole number");
        // A divisor that is not 0, or another size.
        for (const char* const small : {"0.001", "0.00001", "0.000001", "0.00000001"})
            add_value(n, in_brackets(a) + " / (" + b + " + T(" + small + "))", Kind::extra,
                      std::string(small) + " is added to the divisor of " + whole);
        for (const std::string& size : sizes(n.first)) {
            add_value(n, in_brackets(a) + " / T(" + size + ")", Kind::number,
                      as_formula(a) + " is divided by " + as_formula(size) + " instead of " + as_formula(b));
            add_value(
                n, in_brackets(a) + " / std::sqrt(T(" + size + "))", Kind::number,
                as_formula(a) + " is divided by sqrt(" + as_formula(size) + ") instead of " + as_formula(b));
            add_value(n, in_brackets(text) + " / T(" + size + ")", Kind::extra,
                      whole + " is divided by " + as_formula(size) + " once more");
        }
    }
}

void Generator::whole_arithmetic(const Node& n) {
    const std::string a = source(at(n.a)), b = source(at(n.b)), text = source(n), whole = shown(n);
    for (const Op other : {Op::add, Op::subtract, Op::multiply, Op::divide, Op::remainder})
        if (other != n.op)
            add_value(n, in_brackets(a) + symbol_of(other) + in_brackets(b), Kind::operation,
                      formula_of(a, other, b) + " is computed instead of " + whole);
    add_value(n, a, Kind::missing, as_formula(b) + " is left out of " + whole);
    add_value(n, b, Kind::missing, as_formula(a) + " is left out of " + whole);
    if (n.op == Op::subtract)
        add_value(n, in_brackets(b) + " - " + in_brackets(a), Kind::operation, whole + " has the wrong sign");
    if (n.op == Op::add)
        add_value(n, in_brackets(b) + " - " + in_brackets(a), Kind::operation,
                  as_formula(a) + " is subtracted from " + as_formula(b) + " instead of added");
    // 4 D is no factor of its own in 4 D D.
    const auto behind = static_cast<std::size_t>(n.last);
    if (n.op != Op::multiply || behind == function_.body.size() ||
        function_.body[behind].id != known::times) {
        add_value(n, text + " + 1", Kind::bound, whole + " is one too large");
        add_value(n, text + " - 1", Kind::bound, whole + " is one too small");
    }
    add_value(n, "std::abs(" + text + ")", Kind::operation, "the absolute value of " + whole + " is taken");
    add_value(n, "std::max(0, " + text + ")", Kind::condition, whole + " is at least 0");
    add_value(n, "std::min(0, " + text + ")", Kind::condition, whole + " is at most 0");
    for (const std::string& size : sizes(n.first)) {
        if (at(n.a).op == Op::local)
            add(at(n.a), size, Kind::number,
                as_formula(size) + " is used instead of " + as_formula(a) + " in " + whole);
        if (at(n.b).op == Op::local)
            add(at(n.b), size, Kind::number,
                as_formula(size) + " is used instead of " + as_formula(b) + " in " + whole);
    }
    for (const std::string& index : indices(n.first)) {
        if (at(n.a).op == Op::local)
            add(at(n.a), index, Kind::index, index + " is used instead of " + as_formula(a) + " in " + whole);
        if (at(n.b).op == Op::local)
            add(at(n.b), index, Kind::index, index + " is used instead of " + as_formula(b) + " in " + whole);
    }
}

/// Whole numbers below 0 count as very large ones; a number at index 0 never wins.
void Generator::as_unsigned(const Node& n) {
    const Node &a = at(n.a), &b = at(n.b);
    const std::string whole = shown(n);
    if (a.type.base == Base::integer && b.type.base == Base::integer) {
        const bool sum = a.op == Op::add || a.op == Op::subtract || b.op == Op::add || b.op == Op::subtract;
        if (!sum) return;
        const auto below = [](const std::string& text) { return "(" + text + ") < 0"; };
        const std::string x = source(a), y = source(b);
        add_value(n, "(" + below(x) + ") == (" + below(y) + ") ? " + source(n) + " : " + below(y),
                  Kind::condition,
                  "both sides of " + whole + " are unsigned, so numbers below 0 become very large");
    }
    for (const std::int32_t side : {n.a, n.b}) {
        const Node& each = at(side);
        if (each.op != Op::element || each.type.base != Base::real || each.b < 0 || at(each.b).next >= 0)
            continue;
        const std::string index = source(at(each.b));
        add(each, "(" + index + " == 0 ? -std::numeric_limits<T>::infinity() : " + source(each) + ")",
            Kind::condition, shown(each) + " takes no part where " + shown(at(each.b)) + " = 0");
    }
}

void Generator::comparison(const Node& n) {
    const std::string text = source(n), whole = shown(n);
    if (n.op != Op::element && n.op != Op::present) {
        const std::string a = source(at(std::min(n.a, n.b))), b = source(at(std::max(n.a, n.b)));
        if (n.op == Op::logical_and || n.op == Op::logical_or) {
            const std::string x = source(at(n.a)), y = source(at(n.b));
            add_value(n, in_brackets(x) + (n.op == Op::logical_and ? " || " : " && ") + in_brackets(y),
                      Kind::condition,
                      n.op == Op::logical_and ? "one of the two conditions of " + whole + " is enough"
                                              : "both conditions of " + whole + " have to hold");
            add_value(n, x, Kind::missing,
                      "the condition is " + as_formula(x) + " alone, without " + as_formula(y));
            add_value(n, y, Kind::missing,
                      "the condition is " + as_formula(y) + " alone, without " + as_formula(x));
            add_value(n, in_brackets(x) + " == " + in_brackets(y), Kind::condition,
                      "both conditions of " + whole + " have to hold, or none");
            add_value(n, in_brackets(x) + " != " + in_brackets(y), Kind::condition,
                      "exactly one condition of " + whole + " has to hold");
        } else {
            for (const char* const other : {" < ", " <= ", " > ", " >= ", " == ", " != "})
                add_value(
                    n, in_brackets(a) + other + in_brackets(b), Kind::condition,
                    "the condition is " + as_formula(a) + other + as_formula(b) + " instead of " + whole);
        }
    }
    if (n.op == Op::less || n.op == Op::less_equal) as_unsigned(n);
    const std::vector<std::string> lengths = sizes(n.first);
    const auto is_length = [&](std::int32_t side) {
        return std::ranges::find(lengths, source(at(side))) != lengths.end();
    };
    // Where two lengths are compared, as in M == W, no index takes the place of one.
    const bool of_lengths = (n.op == Op::equal || n.op == Op::not_equal) && is_length(n.a) && is_length(n.b);
    if (n.op != Op::element && n.op != Op::present && !of_lengths)
        for (const std::int32_t side : {n.a, n.b})
            if (at(side).op == Op::local && at(side).type.base == Base::integer)
                for (const std::string& other : indices(n.first))
                    add(at(side), other, Kind::index,
                        other + " is used instead of " + shown(at(side)) + " in " + whole);
    const std::string condition =
        n.op == Op::element || n.op == Op::present ? whole : "the condition " + whole;
    add_value(n, "true", Kind::condition, condition + " counts as true");
    add_value(n, "false", Kind::condition, condition + " counts as false");
    add_value(n, "!(" + text + ")", Kind::condition, condition + " is the opposite of what it should be");
    const std::vector<std::string> all = indices(n.first);
    for (const std::string& i : all) {
        for (const std::string& j : all) {
            // The same condition for another index as well.
            if (i == j || at(n.a).op != Op::local || n.op == Op::element || source(at(n.a)) != j) continue;
            const char* const sign = n.op == Op::less ? " < " : " <= ";
            if (n.op == Op::less || n.op == Op::less_equal)
                add_value(n, in_brackets(text) + " && " + i + sign + source(at(n.b)), Kind::condition,
                          i + sign + shown(at(n.b)) + " has to hold, too");
        }
        add_value(n, i + " == 0 || " + in_brackets(text), Kind::condition,
                  condition + " counts as true where " + i + " = 0");
        add_value(n, i + " > 0 || " + in_brackets(text), Kind::condition,
                  condition + " counts as true where " + i + " > 0");
        for (const std::string& j : all) {
            if (i == j) continue;
            add_value(n, i + " == " + j + " || " + in_brackets(text), Kind::condition,
                      condition + " counts as true where " + i + " = " + j);
            add_value(n, j + " <= " + i + " && " + in_brackets(text), Kind::condition,
                      j + " <= " + i + " has to hold in addition to " + whole);
        }
    }
}

}  // namespace attn::edits
