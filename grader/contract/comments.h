#pragma once
/// What the comments of a contract header say in a fixed form, between everything that they say to people:
///   X [B, N_q, D]                      a shape behind a name; "W_Q and W_K [D_x, D_q]" and "X, Y [N, D]",
///   too Y = A V      [B, N_q, D_v]         the shape of an equation's left side, two spaces or more behind
///   it mask [B, N, N] (optional)          an output that a caller may not want, an input that may be missing
///   eps (default 1e-5)                 a number by value, and what it is where a caller says nothing
///   .. where P does not divide H and W      sizes that the function refuses
///   Letters: .. N = (H/P) (W/P) ..     a letter that follows from others, in the header's first comment

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/contract/lengths.h"
#include "grader/contract/tokens.h"

namespace attn::contract {

/// The shape that a comment gives a name, and the line where.
struct SaidShape {
    std::string name;
    std::vector<std::string> dims;
    bool optional = false;
    int line = 0;
};

/// A word that a comment gives a name, and the line where.
struct SaidWord {
    std::string name, word;
    int line = 0;
};

/// What the comment of a function says.
struct Said {
    std::vector<SaidShape> shapes;
    std::vector<SaidWord> defaults;
    std::vector<SaidWord> divides;  ///< `name` has to divide `word`
};

/// `names`: the function's parameters. What a comment says of other names is for people alone. Throws
/// ContractError for a form that is begun and not right.
Said read_comment(const std::string& file, const Token& comment, const std::set<std::string>& names,
                  const Definitions& definitions);

/// The shape with which a member's ///< begins; without dims where there is none.
SaidShape read_remark(const std::string& file, const Token& remark, const Definitions& definitions);

/// The definitions behind "Letters:" in a header's first comment.
Definitions read_definitions(const std::string& file, const Token& comment);

}  // namespace attn::contract
