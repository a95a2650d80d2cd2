// The systematic edits of values: elements, assignments, numbers, arguments.

#include <algorithm>
#include <array>
#include <utility>

#include "grader/edits/generator.h"

namespace attn::edits {
namespace {

std::string access(const std::string& array, const std::vector<std::string>& indices) {
    std::string text = array + "(";
    for (std::size_t k = 0; k < indices.size(); ++k) text += (k == 0 ? "" : ", ") + indices[k];
    return text + ")";
}

/// What an index counts, in words. Empty if its letter means other things elsewhere.
std::string noun_of(const std::string& index) {
    constexpr std::pair<const char*, const char*> kNouns[] = {
        {"b", "batch"}, {"h", "head"}, {"l", "block"}, {"t", "step"}};
    for (const auto& [letter, noun] : kNouns)
        if (index == letter) return noun;
    return {};
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
        case Op::log:
        case Op::pow:
        case Op::floor:
        case Op::round:
        case Op::absolute:
            return function_of(n);
        case Op::minimum:
        case Op::maximum:
            return largest_or_smallest(n);
        case Op::call:
            return value_of_call(n);
        case Op::row:
            return row(n);
        case Op::size:
            return other_axis(n);
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
        return as_formula(text) + (target ? " is written instead of " : " is used instead of ") + read;
    };
    for (std::size_t a = 0; a < texts.size(); ++a)
        for (std::size_t b = a + 1; b < texts.size(); ++b) {
            std::vector<std::string> swapped = texts;
            std::swap(swapped[a], swapped[b]);
            as(access(array, swapped), Kind::index, stands_for(access(array, swapped)));
        }
    for (std::size_t axis = 0; axis < places.size(); ++axis)
        index(*places[axis], array, static_cast<int>(axis), target);
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
           Kind::index, "the memory of " + as_formula(array) + " is read as that of its transpose");
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
        add_value(n, "0", Kind::missing, read + " is taken as 0");
        add_value(n, "1", Kind::missing, read + " is taken as 1");
        add_value(n, "2 * " + text, Kind::extra, read + " is doubled");
        add_value(n, text + " / 2", Kind::extra, read + " is halved");
        add_value(n, "-" + text, Kind::operation, read + " has the wrong sign");
        add_value(n, call_of("abs", text), Kind::operation, "the absolute value of " + read + " is taken");
        add_value(n, text + " * " + text, Kind::operation, read + " is squared");
        add_value(n, "1 + " + text, Kind::extra, "1 is added to " + read);
        add_value(n, text + " - 1", Kind::extra, "1 is subtracted from " + read);
        // What is the same for every batch is used for the first one only.
        for (const Loop* const around : loops_around(n.first))
            if (around->bound == "B" && std::ranges::find(texts, around->index) == texts.end())
                add_value(n, around->index + " == 0 ? " + text + " : T(0)", Kind::condition,
                          read + " is used for " + around->index + " = 0 only");
    } else if (view.type.element == Element::whole) {
        const std::string text = source(n);
        for (const char* const change : {" + 1", " - 1"})
            add_value(n, text + change, Kind::bound, read + change + " is used instead of " + read);
        add_value(n, "std::max(1, " + text + ")", Kind::bound, read + " is at least 1");
        add_value(n, "(" + text + " % 256 + 256) % 256", Kind::number,
                  read + " is kept in 8 bits, so 256 becomes 0");
        add_value(n, text + " == 0 ? 1000000 : " + text, Kind::condition,
                  read + " = 0 is taken for no limit");
    } else {
        comparison(n);
    }
}

void Generator::index(const Node& n, const std::string& array, int axis, bool target) {
    const std::string text = source(n), length = array + ".size(" + std::to_string(axis) + ")";
    const std::string index = shown(n), name = as_formula(array);
    const char* const is_used = target ? " is written " : " is read ";
    const auto other = [&](const std::string& value, const std::string& said) {
        add(n, value, Kind::index, said);
    };
    const auto is = [&](const std::string& value) {
        const std::string formula = as_formula(value);
        other(value, "the index " + index + " of " + name + " is " + formula);
    };
    for (const std::string& each : indices(n.first))
        other(each, name + is_used + "at " + each + " instead of " + index);
    const std::string what = noun_of(index);
    if (what.empty() || target)
        other("0", name + is_used + "at 0 instead of " + index);
    else
        other("0", name + " of " + what + " 0 is used for every " + what);
    other(text + " + 1", name + is_used + "one place too late, at " + index + " + 1");
    other(text + " - 1", name + is_used + "one place too early, at " + index + " - 1");
    other("std::min(" + text + " + 1, " + length + " - 1)",
          name + is_used + "one place too late, at " + index + " + 1 or the last place");
    other("std::max(" + text + " - 1, 0)", name + is_used + "one place too early, at " + index + " - 1 or 0");
    other("(" + text + " + 1) % " + length, name + is_used + "at " + index + " + 1, in a circle");
    other("(" + text + " + " + length + " - 1) % " + length,
          name + is_used + "at " + index + " - 1, in a circle");
    other(length + " - 1 - (" + text + ")", "the index " + index + " of " + name + " runs backwards");
    other(length + " - 1", name + is_used + "at its last place, not at index " + index);
    is("(" + text + ") / 2");
    for (const std::string& size : sizes(n.first)) {
        const std::string letter = as_formula(size);
        other("std::min(" + text + ", " + size + " - 1)",
              "the index " + index + " of " + name + " is " + letter + " - 1 at most");
        // In a loop over all numbers of an array, a quotient is no index that a student would recognise.
        if (!name.ends_with(".data")) {
            other("(" + text + ") % " + size,
                  "the index of " + name + " is the remainder of " + index + " by " + letter);
            other("(" + text + ") / " + size, "the index of " + name + " is " + index + " / " + letter);
        }
        is(text + " + " + size);
        is("(" + text + ") * " + size);
        for (const std::string& each : indices(n.first))
            if (each != text) {
                is(each + " * " + size + " + " + text);
                is(text + " * " + size + " + " + each);
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
                as_formula(name) + " is used instead of " + as_formula(own));
        if (own_rank > 0 && own_rank < rank) {
            for (int from = 0; from + own_rank <= rank; ++from)
                add(n, access(name, {texts.begin() + from, texts.begin() + from + own_rank}), Kind::array,
                    as_formula(name) + " is used instead of " + as_formula(own));
        }
        if (own_rank == rank + 1) {
            for (const std::string& index : indices(n.first)) {
                std::vector<std::string> longer = texts;
                longer.insert(longer.begin(), index);
                add(n, access(name, longer), Kind::array,
                    as_formula(name) + " is used instead of " + as_formula(own));
                longer.erase(longer.begin());
                longer.push_back(index);
                add(n, access(name, longer), Kind::array,
                    as_formula(name) + " is used instead of " + as_formula(own));
            }
        }
        if (own_rank == rank && rank == 2)
            add(n, access(name, {texts[1], texts[0]}), Kind::array,
                "the transpose of " + as_formula(name) + " is used instead of " + as_formula(own));
    }
}

void Generator::assignment(const Node& n) {
    const Node &target = at(n.a), &given = at(n.b);
    if (n.type.base != Base::real && n.type.base != Base::integer) return;
    const std::string x = source(target), y = source(given), whole = shown(n);
    constexpr std::array<std::pair<const char*, const char*>, 5> kOperations = {{{"=", "overwritten"},
                                                                                 {"+=", "increased"},
                                                                                 {"-=", "decreased"},
                                                                                 {"*=", "multiplied"},
                                                                                 {"/=", "divided"}}};
    const auto& [operation_text, done] = kOperations.at(static_cast<std::size_t>(n.slot));
    const std::string operation = operation_text;
    for (const auto& [other, done_instead] : kOperations)
        if (other != operation)
            add_value(n, x + " " + other + " " + y, Kind::operation,
                      as_formula(x) + " is " + done_instead + " instead of " + done);
    if (n.type.base == Base::integer) {
        add_value(n, x + " = 1 - (" + y + ")", Kind::condition, as_formula(x) + " has 0 for 1, and 1 for 0");
        add_value(n, x + " = 255 * (" + y + ")", Kind::number, as_formula(x) + " has 255 for 1");
        return;
    }
    add_value(n, x, Kind::missing, "\"" + whole + "\" is left out");
    add_value(n, x + " = std::max(" + x + ", T(" + y + "))", Kind::operation,
              "the largest value is kept in " + as_formula(x));
    add_value(n, x + " = std::min(" + x + ", T(" + y + "))", Kind::operation,
              "the smallest value is kept in " + as_formula(x));
    assigned_value(n, x, operation);
    // What is added may be assigned at the same time: sum += Y(i, j) = exp(..).
    const std::string term = y.substr(y.find(" = ") == std::string::npos ? 0 : y.find(" = ") + 3);
    const std::string left_out = operation == "+=" ? as_formula(term) + " is not added to " + as_formula(x)
                                                   : "\"" + whole + "\" is left out";
    for (const Loop* const around : loops_around(n.first)) {
        const std::string &i = around->index, change = in_brackets(x + " " + operation + " " + y);
        add_value(n, i + " == " + around->bound + " - 1 ? T(" + y + ") : " + change, Kind::condition,
                  left_out + " for the last " + i);
        add_value(n, i + " == 0 ? T(" + y + ") : " + change, Kind::condition,
                  left_out + " for " + i + " = 0");
        add_value(n, x + " " + operation + " (" + i + " == 0 ? T(0) : T(" + y + "))", Kind::condition,
                  as_formula(y) + " is taken as 0 for " + i + " = 0");
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
    const std::string result = as_formula(target);
    if (operation == "/=")
        becomes("(1 / " + y_ + ")", Kind::operation,
                result + " is multiplied by " + value + " instead of divided");
    else if (operation == "*=")
        becomes("(1 / " + y_ + ")", Kind::operation,
                result + " is divided by " + value + " instead of multiplied");
    else
        becomes("1 / " + y_, Kind::operation, "the reciprocal of " + value + " is taken");
    becomes(truncated(y), Kind::number, value + " is cut off to a whole number");
    if (operation == "+=")
        add_value(n, target + " = " + truncated(target + " + " + y_), Kind::number,
                  (result == "sum" ? "the sum" : "the sum " + result) +
                      " is a whole number, so its decimals are cut off at every step");
    becomes("std::max(T(0), " + y + ")", Kind::extra, "values of " + value + " below 0 become 0");
    becomes("1 / (1 + std::exp(-" + y_ + "))", Kind::extra, "the sigmoid of " + value + " is taken");
    becomes("std::round(100 * " + y_ + ") / 100", Kind::operation, value + " is rounded to two decimals");
    becomes(y_ + " / 255", Kind::extra, value + " is divided by 255");
    becomes("1", Kind::missing, value + " is taken as 1");
    becomes("0", Kind::missing, value + " is taken as 0");
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
            becomes(term, Kind::array, as_formula(term) + " is used instead of " + value);
        }
    }
}

void Generator::local_real(const Node& n) {
    const std::string name = source(n);
    for (const Symbol* const other : visible(n.first, Base::real))
        add(n, name_of(*other), Kind::array, name_of(*other) + " is used instead of " + name);
    const auto constant = [&](const char* value, const std::string& text, Kind kind,
                              const std::string& said) {
        const std::size_t before = all_.size();
        add_value(n, text, kind, said);
        if (all_.size() > before) all_.back().constant = {name, value};
    };
    for (const char* const value : {"0", "1"})
        constant(value, value, Kind::missing, name + " is taken as " + value);
    add_value(n, "-" + name, Kind::operation, name + " has the wrong sign");
    add_value(n, "2 * " + name, Kind::extra, name + " is doubled");
    add_value(n, name + " * " + name, Kind::operation, name + " is squared");
    add_value(n, "std::sqrt(" + name + ")", Kind::operation, "the root of " + name + " is taken");
    for (const char* const small :
         {"0.001", "0.00001", "0.000001", "0.00000001", "0.000000001", "0.000000000001"}) {
        constant(small, std::string("T(") + small + ")", Kind::number,
                 std::string(small) + " is used instead of " + name);
        add_value(n, name + " + T(" + small + ")", Kind::extra, std::string(small) + " is added to " + name);
    }
    // The argument of the function whose value it has.
    for (const Node& declared : function_.nodes)
        if (declared.op == Op::declare && declared.slot == n.slot && declared.a >= 0 &&
            has_one_argument(at(declared.a).op))
            add_value(n, source(at(at(declared.a).a)), Kind::missing,
                      shown(at(at(declared.a).a)) + " is used instead of " + shown(at(declared.a)));
    for (const std::string& size : sizes(n.first)) {
        add_value(n, name + " / T(" + size + ")", Kind::extra, name + " is divided by " + as_formula(size));
        add_value(n, name + " * T(" + size + ")", Kind::extra,
                  name + " is multiplied by " + as_formula(size));
    }
}

/// The length of another axis of the same array.
void Generator::other_axis(const Node& n) {
    const Node &view = at(n.a), &axis = at(n.b);
    if (axis.op != Op::number) return;
    for (int other = 0; other < view.type.rank; ++other) {
        const std::string text = source(view) + ".size(" + std::to_string(other) + ")";
        add(n, text, Kind::number, as_formula(text) + " is used instead of " + shown(n));
    }
}

/// A size that is converted: static_cast<T>(D).
void Generator::size_in_real(const Node& n) {
    const Node& inner = at(n.a);
    if (inner.op == Op::number) return;
    const std::string text = source(inner), letter = shown(inner);
    const auto becomes = [&](const std::string& other) {
        add(n, "T(" + other + ")", Kind::number, as_formula(other) + " is used instead of " + letter);
    };
    const std::vector<std::string> all = sizes(n.first);
    for (const std::string& size : all) becomes(size);
    for (const std::string& size : sizes_without_name(n.first)) becomes(size);
    becomes(text + " - 1");
    add(n, "T(std::max(" + text + " - 1, 1))", Kind::number,
        letter + " - 1 is used instead of " + letter + ", and 1 where " + letter + " is 1");
    becomes(text + " + 1");
    becomes("2 * " + text);
    becomes("1");
    add(n, "T((" + text + ") + (" + text + ") % 2)", Kind::number,
        letter + " is rounded up to an even number");
    add(n, "T((" + text + ") - (" + text + ") % 2)", Kind::number,
        letter + " is rounded down to an even number");
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
    add_value(n, a, Kind::condition,
              as_formula(a) + " is taken whether " + as_formula(condition) + " holds or not");
    add_value(n, b, Kind::condition,
              as_formula(b) + " is taken whether " + as_formula(condition) + " holds or not");
    add_value(n, condition + " ? " + b + " : " + a, Kind::condition,
              as_formula(a) + " and " + as_formula(b) + " are exchanged");
    if (n.type.base == Base::integer)
        for (const char* const other : {"0", "1"}) {
            if (at(n.b).op != Op::number)
                add_value(n, condition + " ? " + other + " : " + b, Kind::number,
                          std::string(other) + " is used instead of " + as_formula(a) + " where " +
                              as_formula(condition));
            if (at(n.c).op != Op::number)
                add_value(n, condition + " ? " + a + " : " + other, Kind::number,
                          std::string(other) + " is used instead of " + as_formula(b) + " elsewhere");
        }
    if (n.type.base != Base::real) return;
    for (const char* const other : {"1", "0.001", "0.000000001", "0.01"})
        add_value(n, condition + " ? T(" + a + ") : T(" + other + ")", Kind::number,
                  std::string(other) + " is used instead of " + as_formula(b));
    for (const char* const slope : {"0.01", "0.1", "0.2"}) {
        add_value(n, condition + " ? T(" + slope + ") * (" + b + ") : (" + b + ")", Kind::number,
                  as_formula(b) + " is multiplied by " + slope + " where " + as_formula(condition));
    }
    add_value(n, condition + " ? -(" + b + ") : (" + b + ")", Kind::operation,
              "the absolute value of " + as_formula(b) + " is taken");
}

/// A row of an array at another index: X[b].
void Generator::row(const Node& n) {
    const std::string index = source(at(n.b)), letter = shown(n);
    const auto becomes = [&](const std::string& other, Kind kind) {
        add(n, other, kind, as_formula(other) + " is used instead of " + letter);
    };
    const std::string array = source(at(n.a));
    for (const std::string& other : indices(n.first)) becomes(array + "[" + other + "]", Kind::index);
    if (const std::string what = noun_of(shown(at(n.b))); !what.empty())
        add(n, array + "[0]", Kind::index,
            as_formula(array) + " of " + what + " 0 is used for every " + what);
    for (const std::string& other :
         {std::string("0"), index + " + 1", index + " - 1", "(" + index + " + 1) % " + array + ".size(0)",
          array + ".size(0) - 1 - " + index, array + ".size(0) - 1"})
        becomes(array + "[" + other + "]", Kind::index);
    for (const std::string& size : sizes(n.first)) {
        becomes(array + "[(" + index + ") % " + size + "]", Kind::index);
        for (const std::string& other : indices(n.first)) {
            becomes(array + "[(" + index + " * " + size + " + " + other + ") % " + array + ".size(0)]",
                    Kind::index);
            becomes(array + "[(" + other + " * " + size + " + " + index + ") % " + array + ".size(0)]",
                    Kind::index);
        }
    }
}

/// An array that is handed on to another function, multiplied by a size or divided by it: b_O for each of H heads.
void Generator::scaled_argument(const Node& statement, const Node& n) {
    if (n.type.base != Base::view || n.op == Op::empty || n.type.element != Element::real ||
        !n.type.constant || n.type.rank < 1)
        return;
    const std::string letter = shown(n), type = "TensorView<const T, " + std::to_string(n.type.rank) + ">";
    const std::string call =
        with_argument(statement, n, type + "(scaled_.data()" + lengths("from_", n.type.rank) + ")");
    const auto scaled = [&](const std::string& factor, const std::string& said) {
        add(statement,
            "{ const " + type + " from_ = " + source(n) +
                "; std::vector<T> scaled_(from_.count()); for (int k_ = 0; k_ < from_.count(); ++k_) "
                "scaled_[k_] = from_.data()[k_] " +
                factor + "; " + call + " }",
            Kind::extra, letter + " is " + said);
    };
    for (const std::string& size : sizes(n.first)) {
        const std::string length = as_formula(size);
        scaled("* T(" + size + ")", "multiplied by " + length);
        scaled("/ T(" + size + ")", "divided by " + length);
    }
}

/// An array or a number that is handed on to another function.
void Generator::argument(const Node& n) {
    const std::string text = source(n), letter = shown(n);
    const auto becomes = [&](const std::string& other, Kind kind) {
        add(n, other, kind, as_formula(other) + " is used instead of " + letter);
    };
    // Activation :: gelu_erf
    if (const std::size_t scope = text.find(" :: "); n.op == Op::number && scope != std::string::npos)
        for (const std::string& other : program_.enumerators(text.substr(0, scope)))
            if (const std::string value = text.substr(0, scope) + " :: " + other; value != text)
                becomes(value, Kind::number);
    if (n.type.base == Base::view && n.op != Op::empty) {
        for (const Symbol* const other : views(n.first, n.type.element, n.type.rank))
            becomes(name_of(*other), Kind::array);
        if (n.type.constant && n.type.element == Element::byte) {
            add(n, "{}", Kind::missing, letter + " is left out of the call");
            const std::string none = "TensorView<const std::uint8_t, " + std::to_string(n.type.rank) + ">()";
            for (const Loop* const around : loops_around(n.first)) {
                const std::string& i = around->index;
                const auto only = [&](const std::string& condition, const std::string& said) {
                    add(n, condition + " ? " + text + " : " + none, Kind::condition, said);
                };
                only(i + " == 0", letter + " is used for " + i + " = 0 only");
                only(i + " > 0", letter + " is left out for " + i + " = 0");
                only(i + " == " + around->bound + " - 1", letter + " is used for the last " + i + " only");
                only(i + " < " + around->bound + " - 1", letter + " is left out for the last " + i);
            }
        }
        if (n.op == Op::row) {
            row(n);
            const std::string index = source(at(n.b));
            for (const Symbol* const other : views(n.first, n.type.element, n.type.rank + 1))
                becomes(name_of(*other) + "[" + index + "]", Kind::array);
        }
        if (n.op == Op::call && at(n.a).type.base == Base::view) {
            // rows<T>(X): another array in the same form.
            const Node& inner = at(n.a);
            for (const Symbol* const other : views(n.first, inner.type.element, inner.type.rank))
                add(inner, name_of(*other), Kind::array,
                    as_formula(name_of(*other)) + " is used instead of " + shown(inner));
            if (inner.op == Op::row) argument(inner);
        }
    } else if (n.type.enumeration >= 0) {
        const std::string type = program_.words().text(n.type.enumeration);
        for (const std::string& other : program_.enumerators(type))
            add(n, type + "::" + other, Kind::number, letter + " is always " + other);
    } else if (n.type.base == Base::integer && n.op != Op::number) {
        for (const std::string& size : sizes(n.first)) becomes(size, Kind::number);
        for (const char* const value : {"0", "1", "2"}) becomes(value, Kind::number);
        for (const char* const change : {" + 1", " - 1", " * 2"}) becomes(text + change, Kind::number);
        becomes("std::max(1, " + text + " / 2)", Kind::number);
        for (const std::string& index : indices(n.first)) becomes(index, Kind::index);
    }
}

}  // namespace attn::edits
