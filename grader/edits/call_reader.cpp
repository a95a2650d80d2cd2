// Reads calls: of functions, of lambdas and of the standard library.

#include <limits>
#include <numbers>

#include "grader/edits/function_reader.h"

namespace attn::edits {
namespace {

struct MathFunction {
    int word;
    Op op;
    int arguments;
};
constexpr MathFunction kMath[] = {
    {known::exp, Op::exp, 1},     {known::tanh, Op::tanh, 1},    {known::erf, Op::erf, 1},
    {known::sin, Op::sin, 1},     {known::cos, Op::cos, 1},      {known::sqrt, Op::sqrt, 1},
    {known::log, Op::log, 1},     {known::floor, Op::floor, 1},  {known::round, Op::round, 1},
    {known::pow, Op::pow, 2},     {known::abs, Op::absolute, 1}, {known::max, Op::maximum, 2},
    {known::min, Op::minimum, 2},
};

}  // namespace

/// A call of a local lambda, or of a parameter that is a function.
std::int32_t FunctionReader::call_symbol(const Symbol& symbol, int first) {
    const bool local = symbol.path == "lambda";
    const int slot = symbol.slot;
    const std::vector<Symbol> wanted =
        local ? result_.lambdas[static_cast<std::size_t>(slot)].parameters : std::vector<Symbol>();
    cursor_.expect(known::open);
    std::int32_t begin = -1, end = -1;
    std::size_t given = 0;
    while (!cursor_.take_if(known::close)) {
        if (local && given == wanted.size()) cursor_.refuse("')'");
        chain(begin, end, local ? argument(wanted[given].type, false) : whole(expression()));
        ++given;
        if (cursor_.next() != known::close) cursor_.expect(known::comma);
    }
    if (local && given != wanted.size()) cursor_.refuse("an argument for each parameter before this");
    const std::int32_t node = add(local ? Op::call_lambda : Op::call_parameter, {}, first, begin);
    at(node).slot = slot;
    return node;
}

/// The arguments and the closing bracket of a call. `self`: the struct whose method it is, or -1.
std::int32_t FunctionReader::call(int function, std::int32_t self, int first) {
    const Declaration& callee = program_.declaration(function);
    std::int32_t begin = -1, end = -1;
    if (self >= 0) chain(begin, end, self);
    std::size_t given = 0;
    Type result = callee.result;
    // A function that gives an array another shape takes any elements, const or not.
    const bool reshapes = result.base == Base::view && callee.parameters.size() == 1 &&
                          callee.parameters[0].type.base == Base::view;
    while (!cursor_.take_if(known::close)) {
        if (given == callee.parameters.size()) cursor_.refuse("')'");
        chain(begin, end, argument(callee.parameters[given].type, reshapes));
        if (reshapes) {
            result.element = type_of(end).element;
            result.constant = type_of(end).constant;
        }
        ++given;
        if (cursor_.next() != known::close) cursor_.expect(known::comma);
    }
    for (; given < callee.parameters.size(); ++given) {
        if (!callee.parameters[given].has_default) cursor_.refuse("more arguments before this");
        const std::int32_t node = add(Op::number, callee.parameters[given].type, first);
        at(node).number = callee.parameters[given].default_value;
        chain(begin, end, node);
    }
    const std::int32_t node = add(Op::call, result, first, begin);
    at(node).slot = function;
    return node;
}

std::int32_t FunctionReader::argument(const Type& wanted, bool any_element) {
    const int first = cursor_.place();
    if (cursor_.next() == known::open_brace && wanted.base == Base::view) {
        cursor_.take();
        cursor_.expect(known::close_brace);
        return add(Op::empty, wanted, first);
    }
    if (wanted.base == Base::callable) return lambda();
    const std::int32_t value = expression();
    const Type given = type_of(value);
    switch (wanted.base) {
        case Base::real:
            return real(value);
        case Base::integer:
        case Base::boolean:
            return whole(value);
        case Base::view:
            if (given.base != Base::view || given.rank != wanted.rank ||
                (given.element != wanted.element && !any_element))
                cursor_.refuse("a view of the parameter's type before this");
            if (!any_element && given.constant && !wanted.constant)
                cursor_.refuse("a view that can be written before this");
            return value;
        default:
            if (given.base != wanted.base || given.structure != wanted.structure)
                cursor_.refuse("a struct of the parameter's type before this");
            return value;
    }
}

std::int32_t FunctionReader::lambda() {
    const int first = cursor_.place();
    cursor_.expect(known::open_bracket);
    cursor_.expect(known::ampersand);
    cursor_.expect(known::close_bracket);
    cursor_.expect(known::open);
    const std::size_t symbols = visible_.size();
    Lambda read;
    while (!cursor_.take_if(known::close)) {
        const Type type = program_.read_type(cursor_, declared_.file);
        const int word = cursor_.word("the name of a parameter");
        declare(word, type, true, type.base == Base::integer);
        read.parameters.push_back(result_.symbols.back());
        if (cursor_.next() != known::close) cursor_.expect(known::comma);
    }
    read.body = block();
    leave_scope(symbols);
    Type type;
    type.base = Base::callable;
    const std::int32_t node = add(Op::lambda, type, first);
    at(node).slot = static_cast<std::int32_t>(result_.lambdas.size());
    result_.lambdas.push_back(std::move(read));
    return node;
}

std::int32_t FunctionReader::std_name() {
    const int first = cursor_.place();
    cursor_.take();
    cursor_.expect(known::scope);
    const int word = cursor_.word("a name of the standard library");
    const auto constant = [&](double value) {
        const std::int32_t node = add(Op::number, kReal, first);
        at(node).number = value;
        return node;
    };
    if (word == known::numbers) {
        cursor_.expect(known::scope);
        const int which = cursor_.take();
        cursor_.skip_matching(known::less, known::greater);
        if (which == known::sqrt2_v) return constant(std::numbers::sqrt2);
        if (which == known::inv_pi_v) return constant(std::numbers::inv_pi);
        if (which == known::pi_v) return constant(std::numbers::pi);
        cursor_.refuse("sqrt2_v, pi_v or inv_pi_v before this");
    }
    if (word == known::numeric_limits) {
        cursor_.skip_matching(known::less, known::greater);
        cursor_.expect(known::scope);
        const std::string which = cursor_.text();
        cursor_.take();
        cursor_.expect(known::open);
        cursor_.expect(known::close);
        if (which == "infinity") return constant(std::numeric_limits<double>::infinity());
        if (which == "quiet_NaN") return constant(std::numeric_limits<double>::quiet_NaN());
        cursor_.refuse("infinity() or quiet_NaN() before this");
    }
    if (word == known::size_t_) {
        cursor_.expect(known::open);
        return cast(Base::integer, known::close, first);
    }
    if (cursor_.next() == known::less) cursor_.skip_matching(known::less, known::greater);
    cursor_.expect(known::open);
    return std_call(word, first);
}

std::int32_t FunctionReader::std_call(int word, int first) {
    for (const MathFunction& each : kMath) {
        if (each.word != word) continue;
        std::int32_t a = expression(), b = -1;
        if (each.arguments == 2) {
            cursor_.expect(known::comma);
            b = expression();
        }
        cursor_.expect(known::close);
        const bool may_be_whole = each.op == Op::maximum || each.op == Op::minimum || each.op == Op::absolute;
        const bool reals =
            !may_be_whole || type_of(a).base == Base::real || (b >= 0 && type_of(b).base == Base::real);
        if (!reals) return add(each.op, kInteger, first, whole(a), b < 0 ? b : whole(b));
        a = real(a);
        if (b >= 0) b = real(b);
        return add(each.op, kReal, first, a, b);
    }
    if (word == known::clamp) {  // min(max(x, least), most)
        const std::int32_t x = expression();
        cursor_.expect(known::comma);
        const std::int32_t least = expression();
        cursor_.expect(known::comma);
        const std::int32_t most = expression();
        cursor_.expect(known::close);
        if (type_of(x).base == Base::real)
            return add(Op::minimum, kReal, first, add(Op::maximum, kReal, first, real(x), real(least)),
                       real(most));
        return add(Op::minimum, kInteger, first, add(Op::maximum, kInteger, first, whole(x), whole(least)),
                   whole(most));
    }
    cursor_.refuse("a function of <cmath> that this reader knows, or max, min or clamp, before this");
}

}  // namespace attn::edits
