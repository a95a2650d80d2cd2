#pragma once
/// The parts of a contract's comments that have a fixed form. All other text is for readers only.
///   X [B, N_q, D]                      the shape of an array; also "W_Q and W_K [D_x, D_q]", "X, Y [N, D]"
///   M [ceil(N/P), D/H, 2 R - 1]        lengths may be quotients, rounded up or down, less a number: see lengths.h
///   Y = A V      [B, N_q, D_v]         the shape of an equation's left side, after two spaces or more
///   mask [B, N, N] (optional)          an output that a caller may not want, an input that may be missing
///   eps (default 1e-5)                 a number by value and its default
///   .. where P does not divide H and W sizes that the function refuses
///   .. where ids is outside 0 .. V - 1 numbers of an input, or of a whole option, that the function refuses
///   .. where t is not positive         numbers of an option that the function refuses
///   Letters: .. N = (H/P) (W/P) ..     the definition of a letter, in the header's first comment

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/contract/lengths.h"
#include "grader/contract/tokens.h"

namespace attn::contract {

/// A name with its shape, and the line of the comment.
struct NamedShape {
    std::string name;
    std::vector<std::string> dims;
    bool optional = false;
    int line = 0;
};

/// A name with a word, and the line of the comment.
struct NamedWord {
    std::string name, word;
    int line = 0;
};

/// Numbers that an input or option may have: least .. end - 1, and the line of the comment. Without an end: any
/// number above 0.
struct NamedRange {
    std::string name;
    int least = 0;
    std::string end;
    int line = 0;
};

/// The content of a function's comment.
struct CommentContent {
    std::vector<NamedShape> shapes;
    std::vector<NamedWord> defaults;
    std::vector<NamedWord> divides;  ///< `name` must divide `word`
    std::vector<NamedRange> ranges;
};

/// `names`: the function's parameters. Text about other names is ignored. Throws ContractError for an
/// incomplete or wrong form.
CommentContent read_comment(const std::string& file, const Token& comment, const std::set<std::string>& names,
                            const Definitions& definitions);

/// The shape at the start of a member's ///< comment. It has no dims if there is none.
NamedShape read_remark(const std::string& file, const Token& remark, const Definitions& definitions);

/// The definitions after "Letters:" in a header's first comment.
Definitions read_definitions(const std::string& file, const Token& comment);

}  // namespace attn::contract
