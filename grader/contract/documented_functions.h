#pragma once
/// Lists the documented functions of a header of helpers, for `grader catalogue`.

#include <string>
#include <vector>

namespace attn::contract {

/// Functions that share a comment: one function, or several whose declarations follow without an empty line.
struct DocumentedFunctions {
    std::vector<std::string> declarations;  ///< each on one line, without ; or body
    std::string comment;                    ///< without the slashes, lines separated by '\n'
};

struct HelperHeader {
    std::string path;
    std::string about;  ///< the header's first comment; empty if there is none
    std::vector<DocumentedFunctions> functions;
};

/// Functions without a /// comment, types and constants are left out. Throws ContractError for a text that is
/// not such a header.
HelperHeader read_helpers(const std::string& path, const std::string& text);

/// The headers as text for readers. A header without documented functions is left out.
std::string text_of(const std::vector<HelperHeader>& headers);

/// A C++ source that defines the constant kHelperText (grader/cli/commands.h) with this text.
std::string helper_source(const std::string& text);

}  // namespace attn::contract
