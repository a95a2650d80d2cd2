#pragma once
/// A function of the plain loops as a tree with types, ready to run. The nodes of a tree stand in one array
/// and refer to each other by index.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/edits/source.h"

namespace attn::edits {

enum class Base : std::uint8_t { nothing, integer, boolean, real, view, weights, callable };
enum class Element : std::uint8_t { real, byte, whole };

struct Type {
    Base base = Base::nothing;
    Element element = Element::real;  ///< of a view
    int rank = 0;                     ///< of a view; 0 for memory without a shape
    int structure = -1;               ///< of weights: the number of the struct
    bool constant = false;            ///< a view that is only read
    int enumeration = -1;             ///< of a whole number: the word of its enum
};

inline constexpr Type kInteger{Base::integer, Element::real, 0, -1, false, -1};
inline constexpr Type kTruth{Base::boolean, Element::real, 0, -1, false, -1};
inline constexpr Type kReal{Base::real, Element::real, 0, -1, false, -1};

enum class Op : std::uint8_t {
    number,
    local,  // values
    add,
    subtract,
    multiply,
    divide,
    remainder,
    negate,  // a, b
    less,
    less_equal,
    equal,
    not_equal,
    logical_and,
    logical_or,
    invert,
    present,
    to_real,
    to_float,  // a, rounded to float whatever T is
    to_whole,
    choose,  // choose: a ? b : c
    minimum,
    maximum,
    absolute,  // a, b
    exp,
    tanh,
    erf,
    sin,
    cos,
    sqrt,
    log,
    pow,
    floor,
    round,  // a, b
    element,
    size,
    count,  // of the view a; b: first index, or the axis
    assign,
    increment,  // a = target, b = value, slot = Assign
    row,
    make,
    offset,
    empty,  // views: a [b], (a; sizes b ..), a + b
    method,
    list,
    lambda,  // weights from the struct a; values; slot = lambda
    call,
    call_lambda,
    call_parameter,  // a = first argument, slot = callee
    block,
    loop,
    while_loop,
    if_else,
    select,
    declare,  // statements
    evaluate,
    return_,
    break_,
    fill,
    copy,
    refuse,
    nothing
};
enum class Assign : std::int32_t { set, add, subtract, multiply, divide };

struct Node {
    Op op = Op::nothing;
    Type type;
    std::int32_t a = -1, b = -1, c = -1, d = -1;  ///< children; what they are depends on op
    std::int32_t next = -1;                       ///< the next one of a list
    std::int32_t slot = -1;
    double number = 0;
    std::int32_t first = 0, last = 0;  ///< its tokens in the function's body: [first, last)
};

/// A name inside a function.
struct Symbol {
    int word = 0;
    Type type;
    int slot = 0;             ///< in the frame, among the slots of its base
    int from = 0, until = 0;  ///< the tokens of the body where it can be used
    bool loop = false;        ///< runs in a for loop
    bool constant = false;
    std::string path;  ///< how a member of a struct is written: "weights.W_Q"
};

/// A local function [&](int i) { .. }. Its parameters have slots in the frame of the function around it.
struct Lambda {
    std::vector<Symbol> parameters;
    std::int32_t body = -1;
};

/// How many slots a call of a function needs.
struct FrameSize {
    int wholes = 0, reals = 0, views = 0, callables = 0;
};

/// A function that was read. `body` has its tokens, from { to }.
struct FunctionTree {
    Tokens body;
    std::vector<Node> nodes;
    std::int32_t root = -1;
    std::vector<Symbol> symbols;
    std::vector<Lambda> lambdas;
    FrameSize frame;

    const Node& at(std::int32_t k) const { return nodes[static_cast<std::size_t>(k)]; }
};

struct ParameterDeclaration {
    int word = 0;
    Type type;
    double default_value = 0;
    bool has_default = false;
};

/// A function's head, and where its body stands.
struct Declaration {
    std::string name, file;
    Type result;
    std::vector<ParameterDeclaration> parameters;
    Tokens body;
    int first = 0;         ///< where the body begins among the tokens of the file
    int first_doc = -1;    ///< the word of the comment above it; -1 if there is none
    int member_of = -1;    ///< of a struct's method: the struct
    bool refuses = false;  ///< a check of arguments, which is not read: it only throws
};

}  // namespace attn::edits
