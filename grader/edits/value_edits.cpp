// The systematic edits of values: elements, assignments, numbers, arguments.

#include <algorithm>

#include "grader/edits/generator.h"

namespace attn::edits {
namespace {

std::string access(const std::string& array, const std::vector<std::string>& indices) {
    std::string text = array + "(";
    for (std::size_t k = 0; k < indices.size(); ++k) text += (k == 0 ? "" : ", ") + indices[k];
    return text + ")";
}

bool is_arithmetic(Op op) {
    return op == Op::add || op == Op::subtract || op == Op::multiply || op == Op::divide ||
           op == Op::remainder;
}

}  // namespace

void Generator::value(const Node& n) {
    if (n.type.base == Base::nothing || n.type.base == Base::weights || n.type.base == Base::callable) return;
    switch (n.op) {
        case Op::element:
            return element(n, false);
        case Op::less:
        case Op::less_equal:
        case Op::equal:
        case Op::not_equal:
        case Op::logical_and:
        case Op::logical_or:
        case Op::present:
            return comparison(n);
        case Op::number:
            return number(n);
        case Op::local:
            return n.type.base == Base::real ? local_real(n) : void();
        case Op::to_real:
            return size_in_real(n);
        case Op::choose:
            return choice(n);
        case Op::exp:
        case Op::tanh:
        case Op::erf:
        case Op::sin:
        case Op::cos:
        case Op::sqrt:
        case Op::minimum:
        case Op::maximum:
            return function_of(n);
        default:
            if (is_arithmetic(n.op)) n.type.base == Base::real ? arithmetic(n) : whole_arithmetic(n);
    }
}

void Generator::element(const Node& n, bool target) {
    const Node& view = at(n.a);
    const std::string array = source(view), read = shown(n);
    std::vector<const Node*> places;
    for (std::int32_t k = n.b; k >= 0; k = at(k).next) places.push_back(&at(k));
    std::vector<std::string> texts;
    for (const Node* const place : places) texts.push_back(source(*place));
    const auto as = [&](const std::string& text, Kind kind, const std::string& said) {
        add(n, text, kind, said);
    };
    const auto stands_for = [&](const std::string& text) {
        return as_formula(text) + " stands where " + read + " belongs";
    };
    for (std::size_t a = 0; a < texts.size(); ++a)
        for (std::size_t b = a + 1; b < texts.size(); ++b) {
            std::vector<std::string> swapped = texts;
            std::swap(swapped[a], swapped[b]);
            as(access(array, swapped), Kind::index, stands_for(access(array, swapped)));
        }
    for (std::size_t axis = 0; axis < places.size(); ++axis)
        index(*places[axis], array, static_cast<int>(axis));
    // Memory read in another order.
    if (texts.size() >= 2) {
        std::string rows;
        const std::size_t last = texts.size() - 1;
        for (std::size_t axis = 0; axis + 2 < texts.size(); ++axis)
            rows = (rows.empty()
                        ? ""
                        : in_brackets(rows) + " * " + array + ".size(" + std::to_string(axis) + ") + ") +
                   in_brackets(texts[axis]);
        const std::string before = rows.empty() ? ""
                                                : in_brackets(rows) + " * " + array + ".size(" +
                                                      std::to_string(last - 1) + ") * " + array + ".size(" +
                                                      std::to_string(last) + ") + ";
        as(array + ".data()[" + before + in_brackets(texts[last]) + " * " + array + ".size(" +
               std::to_string(last - 1) + ") + " + in_brackets(texts[last - 1]) + "]",
           Kind::index, "the memory of " + as_formula(array) + " is taken for its transpose");
        for (const std::string& size : sizes(n.first))
            as(array + ".data()[" + before + in_brackets(texts[last - 1]) + " * " + size + " + " +
                   in_brackets(texts[last]) + "]",
               Kind::index,
               "the rows of " + as_formula(array) + " are taken to have " + as_formula(size) + " elements");
    }
    if (target) return;
    other_arrays(n);
    if (n.type.base == Base::real) {
        const std::string text = source(n);
        add_value(n, "0", Kind::missing, read + " counts as 0");
        add_value(n, "1", Kind::missing, read + " counts as 1");
        add_value(n, "2 * " + text, Kind::extra, read + " counts twice");
        add_value(n, text + " / 2", Kind::extra, read + " counts half");
        add_value(n, "-" + text, Kind::operation, read + " has the wrong sign");
        add_value(n, call_of("abs", text), Kind::operation, "the absolute value of " + read + " is taken");
        add_value(n, text + " * " + text, Kind::operation, read + " is squared");
        add_value(n, "1 + " + text, Kind::extra, "1 is added to " + read);
        add_value(n, text + " - 1", Kind::extra, "1 is subtracted from " + read);
    } else if (view.type.element == Element::whole) {
        const std::string text = source(n);
        for (const char* const change : {" + 1", " - 1"})
            add_value(n, text + change, Kind::bound, read + change + " stands where " + read + " belongs");
        add_value(n, "std::max(1, " + text + ")", Kind::bound, read + " counts as at least 1");
        add_value(n, text + " == 0 ? 1000000 : " + text, Kind::condition,
                  read + " = 0 is taken for no limit");
    } else {
        comparison(n);
    }
}

void Generator::index(const Node& n, const std::string& array, int axis) {
    const std::string text = source(n), length = array + ".size(" + std::to_string(axis) + ")";
    const std::string of = " where the index " + shown(n) + " of " + as_formula(array) + " belongs";
    const auto other = [&](const std::string& value, const std::string& said) {
        add(n, value, Kind::index, said + of);
    };
    for (const std::string& index : indices(n.first)) other(index, index + " stands");
    other("0", "0 stands");
    other(text + " + 1", as_formula(text) + " + 1 stands");
    other(text + " - 1", as_formula(text) + " - 1 stands");
    other("std::min(" + text + " + 1, " + length + " - 1)", "the next one, at most the last, stands");
    other("std::max(" + text + " - 1, 0)", "the one before, at least 0, stands");
    other("(" + text + " + 1) % " + length, "the next one, in a circle, stands");
    other("(" + text + " + " + length + " - 1) % " + length, "the one before, in a circle, stands");
    other(length + " - 1 - (" + text + ")", "the index in reverse order stands");
    other(length + " - 1", "the last index stands");
    other("(" + text + ") / 2", "half the index stands");
    for (const std::string& size : sizes(n.first)) {
        other("std::min(" + text + ", " + size + " - 1)", "at most " + as_formula(size) + " - 1 stands");
        other("(" + text + ") % " + size, "the remainder by " + as_formula(size) + " stands");
        other("(" + text + ") / " + size, "the quotient by " + as_formula(size) + " stands");
        other(text + " + " + size, as_formula(text + " + " + size) + " stands");
        other("(" + text + ") * " + size, as_formula("(" + text + ") * " + size) + " stands");
        for (const std::string& index : indices(n.first))
            if (index != text) {
                other(index + " * " + size + " + " + text,
                      as_formula(index + " * " + size + " + " + text) + " stands");
                other(text + " * " + size + " + " + index,
                      as_formula(text + " * " + size + " + " + index) + " stands");
            }
    }
}

void Generator::other_arrays(const Node& n) {
    const Node& view = at(n.a);
    const std::string own = source(view);
    std::vector<std::string> texts;
    for (std::int32_t k = n.b; k >= 0; k = at(k).next) texts.push_back(source(at(k)));
    const auto rank = static_cast<int>(texts.size());
    for (const Symbol* const other : visible(n.first, Base::view)) {
        if (other->type.element != view.type.element || name_of(*other) == own) continue;
        const std::string name = name_of(*other);
        const int own_rank = other->type.rank;
        if (own_rank == rank)
            add(n, access(name, texts), Kind::array,
                as_formula(name) + " stands where " + as_formula(own) + " belongs");
        if (own_rank > 0 && own_rank < rank) {
            for (int from = 0; from + own_rank <= rank; ++from)
                add(n, access(name, {texts.begin() + from, texts.begin() + from + own_rank}), Kind::array,
                    as_formula(name) + " stands where " + as_formula(own) + " belongs");
        }
        if (own_rank == rank + 1) {
            for (const std::string& index : indices(n.first)) {
                std::vector<std::string> longer = texts;
                longer.insert(longer.begin(), index);
                add(n, access(name, longer), Kind::array,
                    as_formula(name) + " stands where " + as_formula(own) + " belongs");
                longer.erase(longer.begin());
                longer.push_back(index);
                add(n, access(name, longer), Kind::array,
                    as_formula(name) + " stands where " + as_formula(own) + " belongs");
            }
        }
        if (own_rank == rank && rank == 2)
            add(n, access(name, {texts[1], texts[0]}), Kind::array,
                as_formula(name) + ", transposed, stands where " + as_formula(own) + " belongs");
    }
}

void Generator::assignment(const Node& n) {
    const Node &target = at(n.a), &given = at(n.b);
    if (n.type.base != Base::real && n.type.base != Base::integer) return;
    const std::string x = source(target), y = source(given), whole = shown(n);
    const char* const operations[] = {"=", "+=", "-=", "*=", "/="};
    const std::string operation = operations[n.slot];
    for (const char* const other : operations)
        if (other != operation)
            add_value(n, x + " " + other + " " + y, Kind::operation,
                      "\"" + as_formula(x) + " " + other + "\" stands where \"" + as_formula(x) + " " +
                          operation + "\" belongs");
    if (n.type.base == Base::integer) {
        add_value(n, x + " = 1 - (" + y + ")", Kind::condition,
                  as_formula(x) + " is 1 where it has to be 0, and 0 where it has to be 1");
        add_value(n, x + " = 255 * (" + y + ")", Kind::number,
                  as_formula(x) + " is 255 where it has to be 1");
        return;
    }
    add_value(n, x, Kind::missing, "\"" + whole + "\" is left out");
    add_value(n, x + " = std::max(" + x + ", T(" + y + "))", Kind::operation,
              "the largest value is kept in " + as_formula(x));
    add_value(n, x + " = std::min(" + x + ", T(" + y + "))", Kind::operation,
              "the smallest value is kept in " + as_formula(x));
    assigned_value(n, x, operation);
    for (const Loop* const around : loops_around(n.first)) {
        const std::string &i = around->index, change = in_brackets(x + " " + operation + " " + y);
        add_value(n, i + " == " + around->bound + " - 1 ? T(" + y + ") : " + change, Kind::condition,
                  "\"" + whole + "\" is left out for the last " + i);
        add_value(n, i + " == 0 ? T(" + y + ") : " + change, Kind::condition,
                  "\"" + whole + "\" is left out for " + i + " = 0");
        add_value(n, x + " " + operation + " (" + i + " == 0 ? T(0) : T(" + y + "))", Kind::condition,
                  as_formula(y) + " counts as 0 for " + i + " = 0");
    }
}

/// Other values for the right side of an assignment.
void Generator::assigned_value(const Node& n, const std::string& target, const std::string& operation) {
    const Node& given = at(n.b);
    const std::string y = source(given), value = shown(given);
    const auto becomes = [&](const std::string& text, Kind kind, const std::string& said) {
        add_value(n, target + " " + operation + " " + text, kind, said);
    };
    const std::string y_ = in_brackets(y);
    becomes("-" + y_, Kind::operation, value + " has the wrong sign");
    becomes("2 * " + y_, Kind::extra, value + " is doubled");
    becomes(y_ + " / 2", Kind::extra, value + " is halved");
    for (const char* const function : {"abs", "sqrt", "tanh", "exp", "round", "log"})
        becomes(call_of(function, y), Kind::extra, std::string(function) + " of " + value + " is taken");
    becomes(y_ + " * " + y_, Kind::operation, value + " is squared");
    becomes("1 / " + y_, Kind::operation, "1 is divided by " + value);
    becomes("std::max(T(0), " + y + ")", Kind::extra, "values of " + value + " below 0 become 0");
    becomes("1 / (1 + std::exp(-" + y_ + "))", Kind::extra,
            "the logistic function of " + value + " is taken");
    becomes("std::round(100 * " + y_ + ") / 100", Kind::operation, value + " is rounded to two decimals");
    becomes(y_ + " / 255", Kind::extra, value + " is divided by 255");
    becomes("1", Kind::missing, "1 stands where " + value + " belongs");
    becomes("0", Kind::missing, "0 stands where " + value + " belongs");
    becomes(y_ + " + 1", Kind::extra, "1 is added to " + value);
    for (const std::string& size : sizes(n.first)) {
        const std::string letter = as_formula(size);
        becomes(y_ + " / T(" + size + ")", Kind::extra, value + " is divided by " + letter);
        becomes(y_ + " * T(" + size + ")", Kind::extra, value + " is multiplied by " + letter);
        becomes(y_ + " / std::sqrt(T(" + size + "))", Kind::extra,
                value + " is divided by sqrt(" + letter + ")");
        becomes(y_ + " * std::sqrt(T(" + size + "))", Kind::extra,
                value + " is multiplied by sqrt(" + letter + ")");
    }
    // A term or a factor too many, or in the place of the value.
    const std::vector<std::string> all = indices(n.first);
    for (const Symbol* const array : visible(n.first, Base::view)) {
        if (array->type.element != Element::real || array->type.rank < 1 ||
            static_cast<std::size_t>(array->type.rank) > all.size())
            continue;
        for (std::size_t from = 0; from + static_cast<std::size_t>(array->type.rank) <= all.size(); ++from) {
            const std::string term =
                access(name_of(*array), {all.begin() + static_cast<std::ptrdiff_t>(from),
                                         all.begin() + static_cast<std::ptrdiff_t>(from) + array->type.rank});
            becomes(y_ + " + " + term, Kind::extra, as_formula(term) + " is added to " + value);
            becomes(y_ + " - " + term, Kind::extra, as_formula(term) + " is subtracted from " + value);
            becomes(y_ + " * " + term, Kind::extra, value + " is multiplied by " + as_formula(term));
            becomes(term, Kind::array, as_formula(term) + " stands where " + value + " belongs");
        }
    }
}

void Generator::function_of(const Node& n) {
    const std::string a = source(at(n.a)), whole = shown(n), x = in_brackets(a);
    const auto becomes = [&](const std::string& text, const std::string& said) {
        add_value(n, text, Kind::operation, said);
    };
    if (n.op == Op::minimum || n.op == Op::maximum) {
        const std::string b = source(at(n.b));
        becomes(std::string(n.op == Op::maximum ? "std::min(" : "std::max(") + a + ", " + b + ")",
                std::string(n.op == Op::maximum ? "the smaller" : "the larger") + " is taken in " + whole);
        add_value(n, a, Kind::missing, as_formula(a) + " stands where " + whole + " belongs");
        add_value(n, b, Kind::missing, as_formula(b) + " stands where " + whole + " belongs");
        becomes(x + " + " + in_brackets(b),
                as_formula(a) + " + " + as_formula(b) + " stands where " + whole + " belongs");
        if (n.type.base == Base::real)
            becomes("std::max(" + a + ", std::abs(" + b + "))", "absolute values are taken in " + whole);
        return;
    }
    const std::string name = whole.substr(0, whole.find('('));
    add_value(n, a, Kind::missing, name + " is left out of " + whole);
    for (const char* const other : {"exp", "tanh", "erf", "sqrt", "log"})
        becomes(call_of(other, a), std::string(other) + " is taken in the place of " + whole);
    becomes("1 / (1 + std::exp(-" + x + "))", "the logistic function is taken in the place of " + whole);
    becomes("std::max(T(0), " + a + ")", "max(0, x) is taken in the place of " + whole);
    becomes("T(1)", whole + " counts as 1");
    becomes("T(0)", whole + " counts as 0");
    becomes("1 / " + in_brackets(source(n)), "1 is divided by " + whole);
    becomes(x + " * " + x, "the square is taken in the place of " + whole);
    if (n.op == Op::exp) {
        becomes("std::pow(T(2), " + a + ")", "2 to the power stands where exp belongs");
        becomes("std::exp(-" + x + ")", "the exponent has the wrong sign");
        becomes("std::exp(2 * " + x + ")", "the exponent is doubled");
        becomes("std::exp(" + a + ") - 1", "1 is subtracted from " + whole);
        becomes("1 + " + x, "1 + x stands where exp(x) belongs");
    }
    if (n.op == Op::sqrt) becomes("std::sqrt(std::sqrt(" + a + "))", "the root is taken twice");
    if (n.op == Op::tanh)
        becomes("std::max(T(-1), std::min(T(1), " + a + "))",
                "the value is cut off at -1 and 1 in the place of " + whole);
}

void Generator::number(const Node& n) {
    if (n.type.base == Base::boolean) return;
    const std::string text = source(n);
    if (text.find("::") != std::string::npos && n.type.base == Base::integer) return;  // an enumerator
    const auto becomes = [&](const std::string& other) {
        add(n, other, Kind::number, as_formula(other) + " stands where " + as_formula(text) + " belongs");
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
    for (const char* const change : {" * 2", " / 2", " * 10", " / 10"}) becomes("(" + text + change + ")");
    becomes("(-" + text + ")");
    if (text == "0.044715") {
        for (const char* const slip : {"0.44715", "0.04715", "0.044175", "0.0044715", "0.0447"})
            becomes(slip);
    }
    if (text.find("sqrt2_v") != std::string::npos) becomes("(" + text + " * " + text + ")");
    if (text.find("inv_pi_v") != std::string::npos) becomes("(1 / " + text + ")");
}

void Generator::local_real(const Node& n) {
    const std::string name = source(n);
    for (const Symbol* const other : visible(n.first, Base::real))
        add(n, name_of(*other), Kind::array, name_of(*other) + " stands where " + name + " belongs");
    for (const char* const value : {"0", "1"}) add(n, value, Kind::missing, name + " counts as " + value);
    add_value(n, "-" + name, Kind::operation, name + " has the wrong sign");
    add_value(n, "2 * " + name, Kind::extra, name + " counts twice");
    add_value(n, name + " * " + name, Kind::operation, name + " is squared");
    add_value(n, "std::sqrt(" + name + ")", Kind::operation, "the root of " + name + " is taken");
    for (const char* const small :
         {"0.001", "0.00001", "0.000001", "0.00000001", "0.000000001", "0.000000000001"}) {
        add_value(n, std::string("T(") + small + ")", Kind::number,
                  std::string(small) + " stands where " + name + " belongs");
        add_value(n, name + " + T(" + small + ")", Kind::extra, std::string(small) + " is added to " + name);
    }
    for (const std::string& size : sizes(n.first)) {
        add_value(n, name + " / T(" + size + ")", Kind::extra, name + " is divided by " + as_formula(size));
        add_value(n, name + " * T(" + size + ")", Kind::extra,
                  name + " is multiplied by " + as_formula(size));
    }
}

/// A size that is converted: static_cast<T>(D).
void Generator::size_in_real(const Node& n) {
    const Node& inner = at(n.a);
    if (inner.op == Op::number) return;
    const std::string text = source(inner), letter = shown(inner);
    const auto becomes = [&](const std::string& other) {
        add(n, "T(" + other + ")", Kind::number, as_formula(other) + " stands where " + letter + " belongs");
    };
    const std::vector<std::string> all = sizes(n.first);
    for (const std::string& size : all) becomes(size);
    becomes(text + " - 1");
    becomes(text + " + 1");
    becomes("2 * " + text);
    becomes("1");
    for (const std::string& size : all) {
        becomes(text + " * " + size);
        becomes(text + " + " + size);
        becomes("std::max(" + text + ", " + size + ")");
        for (const std::string& other : all) {
            if (size != other) becomes(size + " / " + other);
            becomes(size + " * " + other);
        }
    }
    for (const std::string& index : indices(n.first)) becomes(index + " + 1");
}

void Generator::choice(const Node& n) {
    const std::string condition = source(at(n.a)), a = source(at(n.b)), b = source(at(n.c));
    if (n.type.base == Base::view) return;
    add_value(n, a, Kind::condition, as_formula(a) + " is taken always");
    add_value(n, b, Kind::condition, as_formula(b) + " is taken always");
    add_value(n, condition + " ? " + b + " : " + a, Kind::condition,
              as_formula(a) + " and " + as_formula(b) + " are swapped");
    if (n.type.base != Base::real) return;
    for (const char* const other : {"1", "0.001", "0.000000001", "0.01"})
        add_value(n, condition + " ? T(" + a + ") : T(" + other + ")", Kind::number,
                  std::string(other) + " stands where " + as_formula(b) + " belongs");
    for (const char* const slope : {"0.01", "0.1", "0.2"}) {
        add_value(n, condition + " ? T(" + slope + ") * (" + b + ") : (" + b + ")", Kind::number,
                  as_formula(b) + " is multiplied by " + slope + " where " + as_formula(condition));
    }
    add_value(n, condition + " ? -(" + b + ") : (" + b + ")", Kind::operation,
              "the absolute value of " + as_formula(b) + " is taken");
}

/// An array or a number that is handed on to another function.
void Generator::argument(const Node& n) {
    const std::string text = source(n), letter = shown(n);
    const auto becomes = [&](const std::string& other, Kind kind) {
        add(n, other, kind, as_formula(other) + " is handed on where " + letter + " belongs");
    };
    if (n.type.base == Base::view && n.op != Op::empty) {
        for (const Symbol* const other : views(n.first, n.type.element, n.type.rank))
            becomes(name_of(*other), Kind::array);
        if (n.type.constant && n.type.element == Element::byte)
            add(n, "{}", Kind::missing, letter + " is not handed on");
        if (n.op == Op::row) {
            const std::string index = source(at(n.b));
            for (const Symbol* const other : views(n.first, n.type.element, n.type.rank + 1))
                becomes(name_of(*other) + "[" + index + "]", Kind::array);
            const std::string array = source(at(n.a));
            for (const std::string& other : indices(n.first)) becomes(array + "[" + other + "]", Kind::index);
            for (const std::string& other : {std::string("0"), index + " + 1", index + " - 1",
                                             "(" + index + " + 1) % " + array + ".size(0)",
                                             array + ".size(0) - 1 - " + index, array + ".size(0) - 1"})
                becomes(array + "[" + other + "]", Kind::index);
            for (const std::string& size : sizes(n.first)) {
                becomes(array + "[(" + index + ") % " + size + "]", Kind::index);
                for (const std::string& other : indices(n.first)) {
                    becomes(
                        array + "[(" + index + " * " + size + " + " + other + ") % " + array + ".size(0)]",
                        Kind::index);
                    becomes(
                        array + "[(" + other + " * " + size + " + " + index + ") % " + array + ".size(0)]",
                        Kind::index);
                }
            }
        }
        if (n.op == Op::call && at(n.a).type.base == Base::view) {
            // rows<T>(X): another array in the same form.
            const Node& inner = at(n.a);
            for (const Symbol* const other : views(n.first, inner.type.element, inner.type.rank))
                add(inner, name_of(*other), Kind::array,
                    as_formula(name_of(*other)) + " is handed on where " + shown(inner) + " belongs");
            if (inner.op == Op::row) argument(inner);
        }
    } else if (n.type.base == Base::integer && n.op != Op::number) {
        for (const std::string& size : sizes(n.first)) becomes(size, Kind::number);
        for (const char* const value : {"0", "1", "2"}) becomes(value, Kind::number);
        for (const char* const change : {" + 1", " - 1", " * 2"}) becomes(text + change, Kind::number);
        becomes("std::max(1, " + text + " / 2)", Kind::number);
        for (const std::string& index : indices(n.first)) becomes(index, Kind::index);
    }
}

}  // namespace attn::edits
