#pragma once
/// Which functions a library lets others call.

#include <algorithm>
#include <string>
#include <vector>

namespace attn::compile {

/// A linker's version script that shows functions of these names, whatever their parameters, in a namespace
/// ("attn", "attn::cuda"), and hides all else.
inline std::string version_script(const std::vector<std::string>& functions, const std::string& space) {
    const auto mangled = [](const std::string& name) { return std::to_string(name.size()) + name; };
    std::string prefix;
    for (std::size_t start = 0; start <= space.size();) {
        const std::size_t end = std::min(space.find("::", start), space.size());
        prefix += mangled(space.substr(start, end - start));
        start = end + 2;
    }
    std::string shown;
    for (const std::string& name : functions) shown += "_ZN" + prefix + mangled(name) + "E*; ";
    return "{ global: " + shown + "local: *; };\n";
}

}  // namespace attn::compile
