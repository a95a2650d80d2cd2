// The systematic edits of functions and constants: another function, another constant, a step before a function that
// belongs after it.

#include <algorithm>
#include <cmath>

#include "grader/edits/generator.h"

namespace attn::edits {
namespace {

/// A function that stands for others in wrong solutions. $ is its argument.
struct OtherFunction {
    const char *text, *name;
};
constexpr OtherFunction kSimple[] = {
    {"std::exp($)", "exp"},
    {"std::tanh($)", "tanh"},
    {"std::erf($)", "erf"},
    {"std::sqrt($)", "sqrt"},
    {"std::log($)", "log"},
    {"1 / (1 + std::exp(-$))", "sigmoid"},
    {"std::max(T(0), $)", "max(0, x)"},
};
constexpr OtherFunction kActivations[] = {
    {"$ > 0 ? $ : T(0.01) * $", "leaky ReLU"},
    {"$ > 0 ? $ : T(0.1) * $", "leaky ReLU with slope 0.1"},
    {"$ > 0 ? $ : std::exp($) - 1", "ELU"},
    {"std::log(1 + std::exp($))", "softplus"},
    {"$ / (1 + std::exp(-$))", "x sigmoid(x)"},
    {"$ / (1 + std::exp(-T(1.702) * $))", "x sigmoid(1.702 x)"},
    {"$ * (1 + std::erf($ / std::sqrt(T(2)))) / 2", "GELU with erf"},
    {"$ * (1 + std::tanh(std::sqrt(2 / std::numbers::pi_v<T>) * ($ + T(0.044715) * $ * $ * $))) / 2",
     "GELU with tanh"},
    {"$ > 0 ? T(1) : T(0)", "the step function"},
    {"$ >= 0 ? T(1) : T(0)", "the step function that is 1 at 0"},
    {"1 - std::tanh($) * std::tanh($)", "the derivative of tanh"},
    {"1 - $ * $", "1 - x^2"},
    {"1 - $", "1 - x"},
    {"$ * (1 - $)", "x (1 - x)"},
};

std::string text_with(const std::string& form, const std::string& argument) {
    std::string text;
    for (const char each : form) text += each == '$' ? in_brackets(argument) : std::string(1, each);
    return text;
}

const char* sign_of(Op op) {
    return op == Op::add ? " + " : op == Op::subtract ? " - " : op == Op::multiply ? " * " : " / ";
}

bool is_real_arithmetic(const Node& n) {
    return n.type.base == Base::real &&
           (n.op == Op::add || n.op == Op::subtract || n.op == Op::multiply || n.op == Op::divide);
}

/// The words for an operation that is done at another place.
std::string operation_with(Op op, const std::string& b) {
    switch (op) {
        case Op::add:
            return b + " is added";
        case Op::subtract:
            return b + " is subtracted";
        case Op::multiply:
            return b + " is multiplied";
        default:
            return "the division by " + b + " is done";
    }
}

}  // namespace

bool has_one_argument(Op op) {
    return op == Op::exp || op == Op::tanh || op == Op::erf || op == Op::sin || op == Op::cos ||
           op == Op::sqrt || op == Op::log || op == Op::absolute || op == Op::floor || op == Op::round;
}

/// The call with another text in the place of one argument.
std::string Generator::with_argument(const Node& call, const Node& argument, const std::string& text) const {
    const auto between = [&](int first, int last) {
        return text_of(program_.words(), function_.body, first, last);
    };
    return between(call.first, argument.first) + " " + text + " " + between(argument.last, call.last);
}

void Generator::other_functions(const Node& n, const std::string& x, const std::string& of) {
    for (const auto& other : kSimple)
        add_value(n, text_with(other.text, x), Kind::operation,
                  std::string(other.name) + " is used instead of " + of);
    for (const auto& other : kActivations)
        add_value(n, text_with(other.text, x), Kind::operation,
                  std::string(other.name) + " is used instead of " + of);
}

/// Functions of numbers, such as exp and pow.
void Generator::function_of(const Node& n) {
    if (n.type.base != Base::real) return;
    const Node& argument = at(n.a);
    const std::string a = source(argument), whole = shown(n), x = in_brackets(a), text = source(n);
    const std::string name = whole.substr(0, whole.find('('));
    const auto becomes = [&](const std::string& other, const std::string& said) {
        add_value(n, other, Kind::operation, said);
    };
    add_value(n, a, Kind::missing, name + " is left out of " + whole);
    becomes("T(1)", whole + " is taken as 1");
    becomes("T(0)", whole + " is taken as 0");
    becomes("1 / " + in_brackets(text), "the reciprocal of " + whole + " is taken");
    becomes("-" + in_brackets(text), whole + " has the wrong sign");
    becomes(in_brackets(text) + " * " + in_brackets(text), whole + " is squared");
    becomes(x + " * " + x, "the square is taken instead of " + whole);
    becomes(truncated(text), whole + " is cut off to a whole number");
    if (n.op == Op::pow) {
        const std::string b = source(at(n.b)), y = in_brackets(b);
        becomes("std::pow(" + b + ", " + a + ")", "base and exponent of " + whole + " are exchanged");
        becomes("std::exp(" + b + ")", "e is the base of " + whole);
        becomes("std::pow(T(2), " + b + ")", "2 is the base of " + whole);
        becomes("std::pow(T(10), " + b + ")", "10 is the base of " + whole);
        becomes(x + " * " + y, "a product is taken instead of the power " + whole);
        becomes("std::pow(" + a + ", -" + y + ")", "the exponent of " + whole + " has the wrong sign");
        becomes("std::pow(" + a + ", " + y + " + 1)", "the exponent of " + whole + " is 1 too large");
        becomes("std::pow(" + a + ", " + y + " - 1)", "the exponent of " + whole + " is 1 too small");
        becomes("std::pow(" + a + ", " + truncated(b) + ")",
                "the exponent of " + whole + " is cut off to a whole number");
        return;
    }
    if (n.op == Op::sin || n.op == Op::cos) {
        becomes(call_of(n.op == Op::sin ? "cos" : "sin", a),
                std::string(n.op == Op::sin ? "cos" : "sin") + " is used instead of " + name);
        becomes(text_with(name == "sin" ? "std::sin(2 * $)" : "std::cos(2 * $)", a),
                "the angle of " + whole + " is doubled");
        becomes(text_with(name == "sin" ? "std::sin($ / 2)" : "std::cos($ / 2)", a),
                "the angle of " + whole + " is halved");
    } else if (n.op == Op::exp || n.op == Op::tanh || n.op == Op::erf || n.op == Op::log) {
        other_functions(n, a, whole);
    } else {
        for (const auto& other : kSimple)
            becomes(text_with(other.text, a), std::string(other.name) + " is used instead of " + whole);
    }
    switch (n.op) {
        case Op::exp:
            becomes("std::pow(T(2), " + a + ")", "2 is the base of the power instead of e");
            becomes("std::pow(T(10), " + a + ")", "10 is the base of the power instead of e");
            becomes("std::exp(-" + x + ")", "the exponent of " + whole + " has the wrong sign");
            becomes("std::exp(2 * " + x + ")", "the exponent of " + whole + " is doubled");
            becomes("std::exp(" + a + ") - 1", "1 is subtracted from " + whole);
            becomes("1 + " + x, "1 + x is used instead of exp(x)");
            break;
        case Op::log:
            becomes("std::log(" + a + ") / std::log(T(2))", "the logarithm has the base 2 instead of e");
            becomes("std::log(" + a + ") / std::log(T(10))", "the logarithm has the base 10 instead of e");
            becomes("std::log(1 + " + x + ")", "log(1 + x) is used instead of log(x)");
            break;
        case Op::sqrt:
            becomes("std::sqrt(std::sqrt(" + a + "))", "the root of " + whole + " is taken once more");
            becomes(x + " / 2", "a half is taken instead of the root " + whole);
            break;
        case Op::tanh:
            becomes("(std::exp(2 * " + x + ") - 1) / (std::exp(2 * " + x + ") + 1)",
                    whole +
                        " is computed as (exp(2 x) - 1) / (exp(2 x) + 1), which is infinity / infinity for "
                        "large x");
            becomes("std::max(T(-1), std::min(T(1), " + a + "))",
                    "the value is cut off at -1 and 1 instead of " + whole);
            break;
        default:
            break;
    }
    outside_of_function(n, argument, name);
}

void Generator::largest_or_smallest(const Node& n) {
    const std::string a = source(at(n.a)), b = source(at(n.b)), whole = shown(n);
    const bool largest = n.op == Op::maximum;
    add_value(n, std::string(largest ? "std::min(" : "std::max(") + a + ", " + b + ")", Kind::operation,
              std::string(largest ? "the smaller" : "the larger") + " value is taken in " + whole);
    add_value(n, a, Kind::missing, as_formula(a) + " is used instead of " + whole);
    add_value(n, b, Kind::missing, as_formula(b) + " is used instead of " + whole);
    add_value(n, in_brackets(a) + " + " + in_brackets(b), Kind::operation,
              "the sum of both is used instead of " + whole);
    if (n.type.base == Base::real)
        add_value(n, "std::max(" + a + ", std::abs(" + b + "))", Kind::operation,
                  "absolute values are compared in " + whole);
}

/// f(a + b) becomes f(a) + b: a step that belongs before a function is done after it.
void Generator::outside_of_function(const Node& n, const Node& argument, const std::string& name) {
    const bool whole = argument.type.base == Base::integer;
    if (!whole && !is_real_arithmetic(argument)) return;
    const std::string a = source(at(argument.a)), b = source(at(argument.b)), sign = sign_of(argument.op);
    // A student does not know the name of a helper of the plain loops.
    const bool known = n.op != Op::call || program_.is_public(n.slot);
    const std::string after =
        known ? " after " + name + ", not before it" : " to the result, not to what goes in";
    add_value(n, in_brackets(with_argument(n, argument, a)) + sign + (whole ? "T" : "") + in_brackets(b),
              Kind::order, operation_with(argument.op, as_formula(b)) + after);
    if (argument.op == Op::add || argument.op == Op::multiply)
        add_value(n, in_brackets(with_argument(n, argument, b)) + sign + (whole ? "T" : "") + in_brackets(a),
                  Kind::order, operation_with(argument.op, as_formula(a)) + after);
}

/// f(a) + b becomes f(a + b): a step that belongs after a function is done before it.
void Generator::inside_of_function(const Node& n) {
    for (const bool left : {true, false}) {
        const Node &function = at(left ? n.a : n.b), &other = at(left ? n.b : n.a);
        const bool called = function.op == Op::call && function.type.base == Base::real && function.a >= 0 &&
                            at(function.a).type.base == Base::real;
        if (!has_one_argument(function.op) && !called) continue;
        if (!left && n.op == Op::divide) continue;
        const Node& argument = at(function.a);
        const std::string name = shown(function).substr(0, shown(function).find('('));
        const std::string inner = in_brackets(source(argument)), b = in_brackets(source(other));
        const std::string text = left ? inner + sign_of(n.op) + b : b + sign_of(n.op) + inner;
        add_value(n, with_argument(function, argument, text), Kind::order,
                  operation_with(n.op, shown(other)) + " before " + name + ", not after it");
    }
}

/// a b + c becomes a (b + c), and so on: brackets at the wrong place.
void Generator::other_brackets(const Node& n) {
    const Node &left = at(n.a), &right = at(n.b);
    const std::string a = source(left), b = source(right);
    const bool sum = n.op == Op::add || n.op == Op::subtract;
    const auto product = [](const Node& node) {
        return node.type.base == Base::real && (node.op == Op::multiply || node.op == Op::divide);
    };
    const auto is_sum = [](const Node& node) {
        return node.type.base == Base::real && (node.op == Op::add || node.op == Op::subtract);
    };
    if (sum && product(left)) {
        const std::string x = in_brackets(source(at(left.a))), y = source(at(left.b));
        const char* const how = left.op == Op::multiply ? "multiplication by " : "division by ";
        add_value(n, x + sign_of(left.op) + in_brackets(y + sign_of(n.op) + b), Kind::order,
                  operation_with(n.op, as_formula(b)) + (n.op == Op::add ? " to " : " from ") +
                      as_formula(y) + " alone");
        add_value(n, in_brackets(x + sign_of(n.op) + in_brackets(b)) + sign_of(left.op) + in_brackets(y),
                  Kind::order, operation_with(n.op, as_formula(b)) + " before the " + how + as_formula(y));
    }
    if (n.op == Op::multiply || n.op == Op::divide) {
        if (is_sum(left))
            add_value(n,
                      in_brackets(source(at(left.a))) + sign_of(left.op) + in_brackets(source(at(left.b))) +
                          sign_of(n.op) + in_brackets(b),
                      Kind::order,
                      "only " + shown(at(left.b)) + " is " +
                          (n.op == Op::multiply ? "multiplied" : "divided") + " by " + as_formula(b) +
                          ", not " + shown(at(left.a)));
        if (is_sum(right) && n.op == Op::multiply)
            add_value(n,
                      in_brackets(a) + " * " + in_brackets(source(at(right.a))) + sign_of(right.op) +
                          in_brackets(source(at(right.b))),
                      Kind::order,
                      "only " + shown(at(right.a)) + " is multiplied by " + as_formula(a) + ", not " +
                          shown(at(right.b)));
    }
}

/// What a function gives back for its first argument, if both are numbers: another function.
void Generator::returned(const Node& n) {
    if (n.a < 0 || at(n.a).type.base != Base::real || function_.symbols.empty()) return;
    const Symbol& first = function_.symbols.front();
    if (first.from != 0 || first.type.base != Base::real || first.word < 0) return;
    const Node& value_node = at(n.a);
    other_functions(value_node, name_of(first), as_formula(source(value_node)));
    add_value(value_node, name_of(first), Kind::missing, "x is used instead of " + shown(value_node));
}

/// A call of a function that gives back a number.
void Generator::value_of_call(const Node& n) {
    if (n.type.base == Base::view || n.type.base == Base::nothing) return;
    const std::string text = source(n), whole = shown(n), name = whole.substr(0, whole.find('('));
    std::vector<const Node*> arguments;
    for (std::int32_t k = n.a; k >= 0; k = at(k).next)
        if (at(k).first >= n.first && at(k).last < n.last && at(k).last > at(k).first)
            arguments.push_back(&at(k));
    if (arguments.empty()) return;
    const Node& first = *arguments.front();
    if (n.type.base == Base::real) {
        add_value(n, "0", Kind::missing, whole + " is taken as 0");
        add_value(n, "1", Kind::missing, whole + " is taken as 1");
        add_value(n, "-" + in_brackets(text), Kind::operation, whole + " has the wrong sign");
        add_value(n, "1 - " + in_brackets(text), Kind::operation,
                  "1 - " + whole + " is used instead of " + whole);
        if (first.type.base == Base::real) {
            add_value(n, source(first), Kind::missing, name + " is left out of " + whole);
            add_value(n, with_argument(n, first, text), Kind::extra, name + " is applied twice");
            other_functions(n, source(first), whole);
            outside_of_function(n, first, name);
        }
    }
    for (std::size_t a = 0; a < arguments.size(); ++a)
        for (std::size_t b = a + 1; b < arguments.size(); ++b) {
            const Node &one = *arguments[a], &two = *arguments[b];
            if (one.type.base != two.type.base || one.type.rank != two.type.rank ||
                one.type.element != two.type.element)
                continue;
            add_changes({{one.first, one.last, source(two)}, {two.first, two.last, source(one)}}, Kind::array,
                        shown(one) + " and " + shown(two) + " are exchanged in " + whole);
        }
    for (const Node* const each : arguments) {
        // angle(offset + p) becomes angle(p) + offset.
        if (n.type.base == Base::real && each->type.base == Base::integer && each->op == Op::add)
            outside_of_function(n, *each, name);
        argument(*each);
    }
}

void Generator::number(const Node& n) {
    if (n.type.base == Base::boolean) return;
    const std::string text = source(n);
    if (text.find("::") != std::string::npos && n.type.base == Base::integer) return;  // an enumerator
    const auto becomes = [&](const std::string& other) {
        add(n, other, Kind::number, as_formula(other) + " is used instead of " + as_formula(text));
    };
    if (text == "0" || text == "1" || text == "2") {
        if (text != "0") becomes("0");
        if (text != "1") becomes("1");
        if (text == "1") becomes("2");
        if (text == "2") becomes("4");
        if (n.type.base == Base::integer) becomes("(-1)");
        return;
    }
    for (const char* const other : {"0", "1", "0.5", "2"}) becomes(other);
    // A count that is one off: 4 N D for 3 N D.
    constexpr double kSmall = 20;
    if (const double whole = n.number; whole == std::floor(whole) && whole > 2 && whole < kSmall) {
        becomes(std::to_string(static_cast<int>(whole) + 1));
        if (whole > 3) becomes(std::to_string(static_cast<int>(whole) - 1));
    }
    for (const char* const change : {" * 2", " / 2", " * 10", " / 10"})
        add(n, "(" + text + change + ")", Kind::number,
            as_formula(text) + change + " is used instead of " + as_formula(text));
    becomes("(-" + text + ")");
    add(n, "(1 / " + text + ")", Kind::number, "the reciprocal of " + as_formula(text) + " is used instead");
    add(n, "(" + text + " * " + text + ")", Kind::number,
        "the square of " + as_formula(text) + " is used instead");
    if (n.type.base == Base::real) becomes("std::sqrt(" + text + ")");
    // One digit is missing, two are exchanged, or the last ones are rounded away. Smaller changes are rounding errors.
    constexpr double kVisible = 5e-4;
    const double value = n.number;
    const auto reads = [&](const std::string& digits) {
        const std::size_t first = digits.find_first_of("0123456789");
        const double other = std::stod(digits.substr(first));
        if (std::abs(other - std::abs(value)) > kVisible * std::abs(value)) becomes(digits);
    };
    const std::size_t begin = text.find_first_of("0123456789");
    const std::size_t end = std::min(text.find_first_not_of("0123456789.", begin), text.size());
    constexpr std::size_t kLong = 4;
    if (begin == std::string::npos || end - begin < kLong || text.find("::") != std::string::npos) return;
    for (std::size_t k = begin; k < end; ++k) {
        if (text[k] == '.' || (k > 0 && text[k - 1] == text[k])) continue;
        if (k == begin && text[k] == '0') continue;
        reads(text.substr(0, k) + text.substr(k + 1));
        if (k + 1 < end && text[k + 1] != '.' && k > begin) {
            std::string exchanged = text;
            std::swap(exchanged[k], exchanged[k + 1]);
            reads(exchanged);
        }
    }
    if (const std::size_t point = text.find('.', begin); point < end)
        for (std::size_t digits = 2; point + digits + 1 < end; ++digits)
            reads(text.substr(0, point + digits + 1) + text.substr(end));
}

}  // namespace attn::edits
