#include "grader/edits/function_reader.h"

#include <algorithm>
#include <utility>

namespace attn::edits {
namespace {

constexpr Type kWhole{Base::integer, Element::real, 0, -1, false};

}  // namespace

FunctionReader::FunctionReader(const Program& program, const Declaration& declared, Tokens body)
    : program_(program),
      declared_(declared),
      result_{std::move(body), {}, -1, {}, {}, {}},
      cursor_(program.words(), declared.file, result_.body) {
    result_.nodes.reserve(result_.body.size());
}

FunctionTree FunctionReader::read() {
    declare_parameters();
    result_.root = block();
    leave_scope(0);
    if (!cursor_.at_end()) cursor_.refuse("the end of the function");
    return std::move(result_);
}

std::int32_t FunctionReader::add(Op op, Type type, int first, std::int32_t a, std::int32_t b, std::int32_t c,
                                 std::int32_t d) {
    Node node;
    node.op = op;
    node.type = type;
    node.a = a;
    node.b = b;
    node.c = c;
    node.d = d;
    node.first = first;
    node.last = cursor_.place_behind();
    result_.nodes.push_back(node);
    return static_cast<std::int32_t>(result_.nodes.size()) - 1;
}

/// Appends a node to a list.
void FunctionReader::chain(std::int32_t& first, std::int32_t& last, std::int32_t node) {
    if (first < 0)
        first = node;
    else
        at(last).next = node;
    last = node;
}

int FunctionReader::declare(int word, const Type& type, bool constant, bool loop) {
    FrameSize& frame = result_.frame;
    Symbol symbol;
    symbol.word = word;
    symbol.type = type;
    symbol.from = cursor_.place();
    symbol.loop = loop;
    symbol.constant = constant;
    switch (type.base) {
        case Base::integer:
        case Base::boolean:
            symbol.slot = frame.wholes++;
            break;
        case Base::real:
            symbol.slot = frame.reals++;
            break;
        case Base::view:
            symbol.slot = frame.views++;
            break;
        case Base::weights:
            symbol.slot = frame.views;
            frame.views += program_.views_of(type);
            break;
        case Base::callable:
            symbol.slot = frame.callables++;
            break;
        case Base::nothing:
            cursor_.refuse("a type that can be declared");
    }
    visible_.push_back(result_.symbols.size());
    result_.symbols.push_back(symbol);
    return symbol.slot;
}

void FunctionReader::leave_scope(std::size_t symbols) {
    for (; visible_.size() > symbols; visible_.pop_back())
        result_.symbols[visible_.back()].until = cursor_.place_behind();
}

const Symbol* FunctionReader::find(int word) const {
    for (std::size_t k = visible_.size(); k-- > 0;)
        if (result_.symbols[visible_[k]].word == word) return &result_.symbols[visible_[k]];
    return nullptr;
}

void FunctionReader::declare_parameters() {
    if (declared_.member_of >= 0) {
        Type self;
        self.base = Base::weights;
        self.structure = declared_.member_of;
        const int slot = declare(-1, self, true);
        declare_members(self, slot, "", true);
    }
    for (const ParameterDeclaration& parameter : declared_.parameters) {
        const int slot = declare(parameter.word, parameter.type, parameter.type.base == Base::view);
        if (parameter.type.base == Base::weights)
            declare_members(parameter.type, slot, program_.words().text(parameter.word), false);
    }
}

/// Lists the members of a struct among the symbols. `by_name`: they can be used by their names alone.
void FunctionReader::declare_members(const Type& weights, int slot, const std::string& path, bool by_name) {
    for (const auto& member : program_.structure(weights.structure).members) {
        Symbol symbol;
        symbol.word = by_name ? member.word : -1;
        symbol.type = member.type;
        symbol.slot = slot;
        symbol.constant = true;
        symbol.path = (path.empty() ? "" : path + ".") + program_.words().text(member.word);
        const std::string inner = symbol.path;
        visible_.push_back(result_.symbols.size());
        result_.symbols.push_back(std::move(symbol));
        if (member.type.base == Base::weights) declare_members(member.type, slot, inner, false);
        slot += program_.views_of(member.type);
    }
}

std::int32_t FunctionReader::block() {
    const int first = cursor_.place();
    const std::size_t symbols = visible_.size();
    cursor_.expect(known::open_brace);
    std::int32_t begin = -1, end = -1;
    while (cursor_.next() != known::close_brace) chain(begin, end, statement());
    cursor_.take();
    leave_scope(symbols);
    return add(Op::block, {}, first, begin);
}

std::int32_t FunctionReader::statement() {
    const int first = cursor_.place();
    switch (cursor_.next()) {
        case known::open_brace:
            return block();
        case known::semicolon:
            cursor_.take();
            return add(Op::nothing, {}, first);
        case known::for_:
            return for_loop();
        case known::switch_:
            return select();
        case known::return_:
            return give_back();
        case known::while_: {
            cursor_.take();
            cursor_.expect(known::open);
            const std::int32_t condition = truth(expression());
            cursor_.expect(known::close);
            const std::int32_t body = statement();
            return add(Op::while_loop, {}, first, condition, body);
        }
        case known::if_: {
            cursor_.take();
            cursor_.expect(known::open);
            const std::int32_t condition = truth(expression());
            cursor_.expect(known::close);
            const std::int32_t then = statement();
            const std::int32_t otherwise = cursor_.take_if(known::else_) ? statement() : -1;
            return add(Op::if_else, {}, first, condition, then, otherwise);
        }
        case known::throw_:
            while (!cursor_.take_if(known::semicolon)) cursor_.take();
            return add(Op::refuse, {}, first);
        case known::break_:
            cursor_.take();
            cursor_.expect(known::semicolon);
            return add(Op::break_, {}, first);
        default:
            break;
    }
    if (starts_declaration()) return declaration();
    if (cursor_.next() == known::std_ && cursor_.ahead(1) == known::scope &&
        (cursor_.ahead(2) == known::fill_n || cursor_.ahead(2) == known::copy))
        return call_of_std_statement();
    const std::int32_t value = expression();
    cursor_.expect(known::semicolon);
    return add(Op::evaluate, {}, first, value);
}

/// std::fill_n(x, n, value) or std::copy(begin, end, to)
std::int32_t FunctionReader::call_of_std_statement() {
    const int first = cursor_.place();
    cursor_.take();
    cursor_.take();
    const bool fill = cursor_.take() == known::fill_n;
    cursor_.expect(known::open);
    const std::int32_t a = view(expression());
    cursor_.expect(known::comma);
    const std::int32_t b = fill ? whole(expression()) : view(expression());
    cursor_.expect(known::comma);
    const std::int32_t c = fill ? real(expression()) : view(expression());
    cursor_.expect(known::close);
    cursor_.expect(known::semicolon);
    return add(fill ? Op::fill : Op::copy, {}, first, a, b, c);
}

bool FunctionReader::starts_declaration() const {
    switch (cursor_.next()) {
        case known::const_:
        case known::constexpr_:
        case known::auto_:
            return true;
        case known::int_:
        case known::T:
        case known::float_:
        case known::double_:
        case known::bool_:
            return cursor_.ahead(1) != known::open && cursor_.ahead(1) != known::open_brace;
        case known::std_:
            return cursor_.ahead(2) == known::vector || cursor_.ahead(2) == known::size_t_ ||
                   cursor_.ahead(2) == known::int64_t_ || cursor_.ahead(2) == known::uint8_t_;
        case known::TensorView:
            return true;
        default:
            return find(cursor_.next()) == nullptr &&
                   program_.find_structure(cursor_.next(), declared_.file) >= 0;
    }
}

std::int32_t FunctionReader::declaration() {
    const int first = cursor_.place();
    cursor_.take_if(known::constexpr_);
    bool constant = false, owner = false, memory = false;
    Type type;
    if (cursor_.next() == known::const_) {
        constant = true;
        cursor_.take();
    }
    const auto structure = [&] { return program_.find_structure(cursor_.next(), declared_.file); };
    if (cursor_.take_if(known::auto_)) {
        type.base = Base::nothing;
    } else if (cursor_.next() == known::std_ && cursor_.ahead(2) == known::vector) {
        for (int k = 0; k < 3; ++k) cursor_.take();
        cursor_.expect(known::less);
        Cursor ahead = cursor_;
        type.element = ahead.next() == known::std_   ? Element::byte
                       : ahead.next() == known::int_ ? Element::whole
                                                     : Element::real;
        program_.read_type(cursor_, declared_.file);
        cursor_.expect(known::greater);
        type.base = Base::view;
        memory = true;
    } else if (const int number = structure();
               number >= 0 && program_.structure(number).owns_array && cursor_.kind() == TokenKind::word) {
        // Name<T, 3> a(2, 3, 4)
        cursor_.take();
        cursor_.expect(known::less);
        cursor_.expect(known::T);
        type.base = Base::view;
        type.rank = program_.structure(number).owned_rank;
        if (cursor_.take_if(known::comma)) {
            type.rank = std::stoi(cursor_.text());
            cursor_.take();
        }
        cursor_.expect(known::greater);
        owner = true;
    } else {
        type = program_.read_type(cursor_, declared_.file);
    }
    std::int32_t begin = -1, end = -1;
    do {
        chain(begin, end, declare_one(type, constant, owner, memory));
    } while (cursor_.take_if(known::comma));
    cursor_.expect(known::semicolon);
    return at(begin).next < 0 ? begin : add(Op::block, {}, first, begin);
}

std::int32_t FunctionReader::declare_one(const Type& type, bool constant, bool owner, bool memory) {
    const int first = cursor_.place();
    const int word = cursor_.word("the name of a variable");
    Type declared = type;
    std::int32_t value = -1, count = -1;
    if (owner) {
        cursor_.expect(known::open);
        value = made_view(type, known::close, first);
        at(value).op = Op::make;  // without memory to begin with: a is -1
    } else if (memory) {
        cursor_.expect(known::open);
        count = whole(expression());
        if (cursor_.take_if(known::comma)) value = real(expression());
        cursor_.expect(known::close);
    } else if (type.base == Base::view && cursor_.take_if(known::open)) {
        value = made_view(type, known::close, first);
    } else if (cursor_.take_if(known::set)) {
        if (cursor_.next() == known::open_bracket && type.base == Base::nothing) {
            value = lambda();
            Symbol symbol;
            symbol.word = word;
            symbol.type.base = Base::callable;
            symbol.slot = at(value).slot;
            symbol.path = "lambda";
            symbol.from = cursor_.place();
            visible_.push_back(result_.symbols.size());
            result_.symbols.push_back(std::move(symbol));
            return add(Op::nothing, {}, first);
        }
        value = expression();
        if (type.base == Base::nothing) {
            declared = type_of(value);
            if (declared.base == Base::boolean) declared = kWhole;
        }
        if (declared.base == Base::real) value = real(value);
        if (declared.base == Base::integer) value = whole(value);
        if (declared.base == Base::boolean) value = truth(value);
        if (declared.base == Base::view && (type_of(value).rank != declared.rank))
            cursor_.refuse("a view of as many axes as declared");
    } else if (declared.base == Base::view || declared.base == Base::nothing) {
        cursor_.refuse("= and a value");
    }
    const int slot = declare(word, declared, constant);
    if (owner) result_.symbols.back().path = "owner";
    const std::int32_t node = add(Op::declare, declared, first, value, count);
    at(node).slot = slot;
    return node;
}

std::int32_t FunctionReader::for_loop() {
    const int first = cursor_.place();
    const std::size_t symbols = visible_.size();
    cursor_.take();
    cursor_.expect(known::open);
    cursor_.expect(known::int_);
    const int begin = cursor_.place();
    const int word = cursor_.word("the name of an index");
    cursor_.expect(known::set);
    const std::int32_t start = whole(expression());
    const int slot = declare(word, kWhole, false, true);
    const std::int32_t init = add(Op::declare, kWhole, begin, start);
    at(init).slot = slot;
    cursor_.expect(known::semicolon);
    const std::int32_t condition = truth(expression());
    cursor_.expect(known::semicolon);
    const std::int32_t step = expression();
    cursor_.expect(known::close);
    const std::int32_t body = statement();
    leave_scope(symbols);
    const std::int32_t node = add(Op::loop, {}, first, init, condition, step, body);
    at(node).slot = slot;
    return node;
}

std::int32_t FunctionReader::select() {
    const int first = cursor_.place();
    cursor_.take();
    cursor_.expect(known::open);
    const std::int32_t value = whole(expression());
    cursor_.expect(known::close);
    cursor_.expect(known::open_brace);
    std::int32_t cases = -1, last_case = -1;
    while (!cursor_.take_if(known::close_brace)) {
        const int begin = cursor_.place();
        cursor_.expect(known::case_);
        const std::int32_t label = whole(expression());
        cursor_.expect(known::colon);
        std::int32_t body = -1, end = -1;
        while (cursor_.next() != known::case_ && cursor_.next() != known::close_brace)
            chain(body, end, statement());
        chain(cases, last_case, add(Op::block, {}, begin, body, label));
    }
    return add(Op::select, {}, first, value, cases);
}

std::int32_t FunctionReader::give_back() {
    const int first = cursor_.place();
    cursor_.take();
    std::int32_t value = -1;
    if (cursor_.next() == known::open_brace && declared_.result.base == Base::view) {
        cursor_.take();
        value = made_view(declared_.result, known::close_brace, first);
    } else if (cursor_.next() == known::open_brace && declared_.result.base == Base::weights) {
        // The views of the struct, one after the other. Braces of inner structs do not matter.
        std::int32_t begin = -1, end = -1;
        int depth = 0, views = 0;
        do {
            if (cursor_.take_if(known::open_brace)) {
                ++depth;
            } else if (cursor_.take_if(known::close_brace)) {
                --depth;
            } else if (!cursor_.take_if(known::comma)) {
                chain(begin, end, view(conditional()));
                ++views;
            }
        } while (depth > 0);
        if (views != program_.views_of(declared_.result)) cursor_.refuse("as many views as the struct has");
        value = add(Op::list, declared_.result, first, begin);
    } else if (cursor_.next() != known::semicolon) {
        value = expression();
        if (declared_.result.base == Base::real) value = real(value);
        if (declared_.result.base == Base::integer) value = whole(value);
        if (declared_.result.base == Base::view) value = view(value);
        if (declared_.result.base == Base::boolean) value = truth(value);
    }
    cursor_.expect(known::semicolon);
    return add(Op::return_, declared_.result, first, value);
}

}  // namespace attn::edits
