#pragma once
/// The outline of a function's body: its statements and expressions as ranges of tokens. Unlike
/// FunctionReader it knows no types and refuses nothing, so that an edit may be any C++.

#include <vector>

#include "grader/edits/source.h"

namespace attn::edits {

/// A range of tokens that other code of its kind can replace.
struct Unit {
    enum class Kind { list, statement, expression };
    Kind kind = Kind::list;
    int first = 0, last = 0;
    bool declares = false;  ///< a statement that declares something
    bool rigid = false;     ///< a list with labels, in which statements cannot be replaced
    std::vector<Unit> children = {};
};

/// The statements in [first, last) as a list. The tokens hold no comments.
Unit outline_of(const Words& words, const Tokens& tokens, int first, int last);

/// The tokens [first, last) as one expression.
Unit expression_of(const Words& words, const Tokens& tokens, int first, int last);

/// The unit of this kind and range, or null.
const Unit* find_unit(const Unit& in, Unit::Kind kind, int first, int last);

}  // namespace attn::edits
