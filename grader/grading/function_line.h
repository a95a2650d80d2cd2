#pragma once
/// Where a source defines a function of the contract.

#include <string_view>

namespace attn {

/// The line of "void NAME(..) {" in a source; 0 if there is none. Looks at the text only, so a definition in a
/// comment or behind a macro can mislead it. Linear in the length of the text.
int line_of_function(std::string_view function, std::string_view source);

}  // namespace attn
