// The expressions of a function's body. (call_reader.cpp reads calls.)

#include <string>

#include "grader/edits/function_reader.h"

namespace attn::edits {
namespace {

struct Operator {
    int word;
    int level;  ///< operators of a higher level are applied first
    Op op;
};
constexpr Operator kBinary[] = {
    {known::either, 0, Op::logical_or}, {known::both, 1, Op::logical_and},
    {known::equal, 2, Op::equal},       {known::not_equal, 2, Op::not_equal},
    {known::less, 3, Op::less},         {known::less_equal, 3, Op::less_equal},
    {known::greater, 3, Op::less},      {known::greater_equal, 3, Op::less_equal},
    {known::plus, 4, Op::add},          {known::minus, 4, Op::subtract},
    {known::times, 5, Op::multiply},    {known::over, 5, Op::divide},
    {known::percent, 5, Op::remainder},
};

const Operator* operator_of(int word) {
    for (const Operator& each : kBinary)
        if (each.word == word) return &each;
    return nullptr;
}

std::int32_t assignment_at(int word) {
    switch (word) {
        case known::set:
            return static_cast<std::int32_t>(Assign::set);
        case known::add:
            return static_cast<std::int32_t>(Assign::add);
        case known::subtract:
            return static_cast<std::int32_t>(Assign::subtract);
        case known::multiply:
            return static_cast<std::int32_t>(Assign::multiply);
        case known::divide:
            return static_cast<std::int32_t>(Assign::divide);
        default:
            return -1;
    }
}

bool is_number(const Type& type) {
    return type.base == Base::real || type.base == Base::integer || type.base == Base::boolean;
}

}  // namespace

std::int32_t FunctionReader::real(std::int32_t node) {
    if (type_of(node).base == Base::real) return node;
    if (!is_number(type_of(node))) cursor_.refuse("a number before this");
    const std::int32_t converted = add(Op::to_real, kReal, at(node).first, node);
    at(converted).last = at(node).last;
    return converted;
}

std::int32_t FunctionReader::whole(std::int32_t node) {
    if (type_of(node).base == Base::integer || type_of(node).base == Base::boolean) return node;
    cursor_.refuse("a whole number before this");
}

std::int32_t FunctionReader::truth(std::int32_t node) {
    const Base base = type_of(node).base;
    if (base == Base::boolean || base == Base::integer) return node;
    if (base != Base::view) cursor_.refuse("a condition before this");
    const std::int32_t converted = add(Op::present, kTruth, at(node).first, node);
    at(converted).last = at(node).last;
    return converted;
}

std::int32_t FunctionReader::view(std::int32_t node) {
    if (type_of(node).base != Base::view) cursor_.refuse("a view before this");
    return node;
}

std::int32_t FunctionReader::expression() {
    const int first = cursor_.place();
    const std::int32_t target = conditional();
    const std::int32_t how = assignment_at(cursor_.next());
    if (how < 0) return target;
    const Op op = at(target).op;
    if (op != Op::local && op != Op::element)
        cursor_.refuse("something that can be assigned to, before this");
    if (op == Op::element && type_of(at(target).a).constant)
        cursor_.refuse("an array that is not const, before this");
    cursor_.take();
    std::int32_t value = expression();
    if (type_of(target).base == Base::view) cursor_.refuse("numbers on both sides of =");
    value = type_of(target).base == Base::real ? real(value) : whole(value);
    const std::int32_t node = add(Op::assign, type_of(target), first, target, value);
    at(node).slot = how;
    return node;
}

std::int32_t FunctionReader::conditional() {
    const int first = cursor_.place();
    std::int32_t condition = binary(0);
    if (!cursor_.take_if(known::question)) return condition;
    condition = truth(condition);
    std::int32_t a = expression();
    cursor_.expect(known::colon);
    std::int32_t b = conditional();
    Type type = type_of(a);
    if (is_number(type_of(a)) && type_of(a).base != type_of(b).base) {
        type = type_of(a).base == Base::real || type_of(b).base == Base::real ? kReal : kInteger;
        if (type.base == Base::real) {
            a = real(a);
            b = real(b);
        }
    } else if (type.base == Base::view && (type_of(b).base != Base::view || type_of(b).rank != type.rank ||
                                           type_of(b).element != type.element)) {
        cursor_.refuse("two views of one type before this");
    } else if (type.base == Base::view) {
        type.constant = type.constant || type_of(b).constant;
    }
    return add(Op::choose, type, first, condition, a, b);
}

/// Takes the operators of this level and of higher ones.
std::int32_t FunctionReader::binary(int level) {
    const int first = cursor_.place();
    std::int32_t left = unary();
    for (const Operator* found = operator_of(cursor_.next()); found != nullptr && found->level >= level;
         found = operator_of(cursor_.next())) {
        const int word = cursor_.take();
        const std::int32_t right = binary(found->level + 1);
        switch (found->op) {
            case Op::logical_or:
            case Op::logical_and:
                left = add(found->op, kTruth, first, truth(left), truth(right));
                break;
            case Op::less:
            case Op::less_equal:
                left = word == known::less || word == known::less_equal
                           ? comparison(found->op, left, right, first)
                           : comparison(found->op, right, left, first);
                break;
            case Op::equal:
            case Op::not_equal:
                left = comparison(found->op, left, right, first);
                break;
            default:
                left = arithmetic(found->op, left, right, first);
        }
    }
    return left;
}

std::int32_t FunctionReader::comparison(Op op, std::int32_t a, std::int32_t b, int first) {
    if (type_of(a).base == Base::real || type_of(b).base == Base::real) {
        a = real(a);
        b = real(b);
    } else {
        a = whole(a);
        b = whole(b);
    }
    return add(op, kTruth, first, a, b);
}

std::int32_t FunctionReader::arithmetic(Op op, std::int32_t a, std::int32_t b, int first) {
    if (type_of(a).base == Base::view && op == Op::add) {  // X.data() + n
        Type type = type_of(a);
        type.rank = 0;
        return add(Op::offset, type, first, a, whole(b));
    }
    if (type_of(a).base == Base::real || type_of(b).base == Base::real) {
        if (op == Op::remainder) cursor_.refuse("whole numbers at %");
        return add(op, kReal, first, real(a), real(b));
    }
    return add(op, kInteger, first, whole(a), whole(b));
}

std::int32_t FunctionReader::unary() {
    const int first = cursor_.place();
    if (cursor_.take_if(known::plus)) return unary();
    if (cursor_.take_if(known::minus)) {
        const std::int32_t value = unary();
        if (!is_number(type_of(value))) cursor_.refuse("a number before this");
        return add(Op::negate, type_of(value).base == Base::real ? kReal : kInteger, first, value);
    }
    if (cursor_.take_if(known::exclamation)) return add(Op::invert, kTruth, first, truth(unary()));
    if (cursor_.next() == known::increment || cursor_.next() == known::decrement) {
        const bool up = cursor_.take() == known::increment;
        const std::int32_t target = unary();
        if (at(target).op != Op::local || type_of(target).base != Base::integer)
            cursor_.refuse("a whole variable before this");
        const std::int32_t node = add(Op::increment, kInteger, first, target);
        at(node).number = up ? 1 : -1;
        return node;
    }
    return postfix();
}

std::int32_t FunctionReader::postfix() {
    const int first = cursor_.place();
    std::int32_t value = primary();
    while (true) {
        const Base base = type_of(value).base;
        if (cursor_.next() == known::open_bracket && base == Base::view) {
            if (type_of(value).rank == 0) {  // memory[k]
                value = element_of(value, first);
                continue;
            }
            cursor_.take();
            Type row = type_of(value);
            if (--row.rank < 1) cursor_.refuse("an array of two axes or more before [");
            const std::int32_t index = whole(expression());
            cursor_.expect(known::close_bracket);
            value = add(Op::row, row, first, value, index);
        } else if (cursor_.next() == known::open && base == Base::view) {
            value = element_of(value, first);
        } else if (cursor_.next() == known::dot) {
            value = member_of(value, first);
        } else {
            return value;
        }
    }
}

/// X(i, j), or memory[k]. An object that owns an array may be called without indices: that is its view.
std::int32_t FunctionReader::element_of(std::int32_t of, int first) {
    const bool brackets = cursor_.take() == known::open_bracket;
    const int close = brackets ? known::close_bracket : known::close;
    if (!brackets && cursor_.take_if(known::close)) {
        at(of).last = cursor_.place_behind();
        return of;
    }
    std::int32_t begin = -1, end = -1;
    int indices = 0;
    do {
        chain(begin, end, whole(expression()));
        ++indices;
    } while (cursor_.take_if(known::comma));
    cursor_.expect(close);
    const Type of_type = type_of(of);
    if (indices != std::max(1, of_type.rank)) cursor_.refuse("one index for each axis before this");
    return add(Op::element, of_type.element == Element::real ? kReal : kInteger, first, of, begin);
}

std::int32_t FunctionReader::member_of(std::int32_t of, int first) {
    cursor_.take();
    const int word = cursor_.word("a member");
    const Type type = type_of(of);
    if (type.base == Base::view) {
        if (program_.words().text(word) == "view") {  // of an object that owns an array
            at(of).last = cursor_.place_behind();
            return of;
        }
        const bool called = cursor_.take_if(known::open);
        std::int32_t axis = -1;
        if (called && cursor_.next() != known::close) axis = whole(expression());
        if (called) cursor_.expect(known::close);
        switch (word) {
            case known::size:
                return axis < 0 ? add(Op::count, kInteger, first, of)
                                : add(Op::size, kInteger, first, of, axis);
            case known::count:
                return add(Op::count, kInteger, first, of);
            case known::data: {
                Type pointer = type;
                pointer.rank = 0;
                const std::int32_t zero = add(Op::number, kInteger, first);
                return add(Op::offset, pointer, first, of, zero);
            }
            default:
                cursor_.refuse("size, count, data or view before this");
        }
    }
    if (type.base != Base::weights) cursor_.refuse("an array or a struct before .");
    int views = 0;
    const Structure& structure = program_.structure(type.structure);
    for (const auto& member : structure.members) {
        if (member.word == word) {
            Type member_type = member.type;
            const std::int32_t node =
                add(at(of).op == Op::local ? Op::local : Op::method, member_type, first, of);
            if (at(of).op != Op::local) cursor_.refuse("a member of a parameter");
            at(node).slot = at(of).slot + views;
            return node;
        }
        views += program_.views_of(member.type);
    }
    for (const int method : structure.methods)
        if (program_.declaration(method).name == program_.words().text(word)) {
            cursor_.expect(known::open);
            return call(method, of, first);
        }
    cursor_.refuse("a member of the struct before this");
}

std::int32_t FunctionReader::primary() {
    const int first = cursor_.place();
    if (cursor_.kind() == TokenKind::number) return literal();
    const int word = cursor_.next();
    switch (word) {
        case known::open: {
            cursor_.take();
            const std::int32_t value = expression();
            cursor_.expect(known::close);
            at(value).first = first;
            at(value).last = cursor_.place_behind();
            return value;
        }
        case known::true_:
        case known::false_: {
            cursor_.take();
            const std::int32_t node = add(Op::number, kTruth, first);
            at(node).number = word == known::true_ ? 1 : 0;
            return node;
        }
        case known::T:
        case known::float_:
        case known::double_:
        case known::int_: {
            cursor_.take();
            const int close = cursor_.next() == known::open_brace ? known::close_brace : known::close;
            cursor_.take();
            return rounded(word, cast(word == known::int_ ? Base::integer : Base::real, close, first));
        }
        case known::static_cast_: {
            cursor_.take();
            cursor_.expect(known::less);
            const int type = cursor_.next();
            const Type to = program_.read_type(cursor_, declared_.file);
            cursor_.expect(known::greater);
            cursor_.expect(known::open);
            return rounded(type, cast(to.base, known::close, first));
        }
        case known::TensorView: {
            const Type type = program_.read_type(cursor_, declared_.file);
            cursor_.expect(known::open);
            return made_view(type, known::close, first);
        }
        case known::std_:
            return std_name();
        default:
            if (cursor_.kind() != TokenKind::word) cursor_.refuse("a value");
            return name();
    }
}

std::int32_t FunctionReader::literal() {
    const int first = cursor_.place();
    const std::string text = cursor_.text();
    cursor_.take();
    const bool is_real = text.find_first_of(".ef") != std::string::npos;
    const std::int32_t node = add(Op::number, is_real ? kReal : kInteger, first);
    // T(0.9F) is the float next to 0.9, also in double.
    at(node).number = text.ends_with('F') ? std::stof(text) : std::stod(text);
    return node;
}

std::int32_t FunctionReader::cast(Base to, int close, int first) {
    const std::int32_t value = expression();
    cursor_.expect(close);
    if (to == Base::real && type_of(value).base != Base::real)
        return add(Op::to_real, kReal, first, whole(value));
    if (to == Base::integer && type_of(value).base == Base::real)
        return add(Op::to_whole, kInteger, first, value);
    if (to != Base::real && to != Base::integer && to != Base::boolean)
        cursor_.refuse("a cast to a number before this");
    at(value).first = first;
    at(value).last = cursor_.place_behind();
    return value;
}

/// What a cast to the type with this name makes of the number: a float also where T is double.
std::int32_t FunctionReader::rounded(int type, std::int32_t value) {
    if (type != known::float_) return value;
    const std::int32_t node = add(Op::to_float, kReal, at(value).first, value);
    at(node).last = at(value).last;
    return node;
}

std::int32_t FunctionReader::made_view(const Type& type, int close, int first) {
    std::int32_t pointer = -1, begin = -1, end = -1;
    int sizes = 0;
    while (!cursor_.take_if(close)) {
        const std::int32_t value = expression();
        if (pointer < 0 && sizes == 0 && type_of(value).base == Base::view) {
            pointer = value;
        } else {
            chain(begin, end, whole(value));
            ++sizes;
        }
        if (cursor_.next() != close) cursor_.expect(known::comma);
    }
    if (pointer < 0 && sizes == 0) return add(Op::empty, type, first);
    if (sizes != type.rank) cursor_.refuse("a length for each axis before this");
    return add(Op::make, type, first, pointer, begin);
}

std::int32_t FunctionReader::name() {
    const int first = cursor_.place();
    const int word = cursor_.take();
    if (cursor_.next() == known::scope && program_.is_enumeration(word)) {
        cursor_.take();
        const auto value = program_.enumerator(word, cursor_.next());
        if (!value) cursor_.refuse("an enumerator");
        cursor_.take();
        const std::int32_t node = add(Op::number, kInteger, first);
        at(node).number = *value;
        return node;
    }
    if (const Symbol* const symbol = find(word)) {
        if (symbol->type.base == Base::callable) return call_symbol(*symbol, first);
        const int slot = symbol->slot;
        const std::int32_t node = add(Op::local, symbol->type, first);
        at(node).slot = slot;
        return node;
    }
    const std::string& text = program_.words().text(word);
    const int function = program_.find(text, declared_.file);
    if (function < 0)
        throw SourceError(declared_.file, cursor_.tokens()[static_cast<std::size_t>(first)].line,
                          "found '" + text + "'; expected a variable or a function that this reader knows");
    if (cursor_.next() == known::less) cursor_.skip_matching(known::less, known::greater);
    cursor_.expect(known::open);
    return call(function, -1, first);
}

}  // namespace attn::edits
