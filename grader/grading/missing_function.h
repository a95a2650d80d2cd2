#pragma once
/// Why a library may lack a function: what stands in the source instead.

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// A sentence about the function of this name in a student's file: it is there with other parameters or in
/// another namespace, or one has almost this name. Empty if there is none. `names`: the functions in the file,
/// as compile::SourceFacts has them.
std::string instead_of(std::string_view function, const std::string& file,
                       const std::vector<std::string>& names);

}  // namespace attn
