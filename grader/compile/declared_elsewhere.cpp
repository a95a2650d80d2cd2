#include "grader/compile/declared_elsewhere.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/files/file_error.h"
#include "grader/base/text_lines.h"
#include "grader/compile/includes.h"

namespace attn::compile {
namespace {

/// The names in messages such as "error: 'masked_softmax' was not declared in this scope".
std::set<std::string> unknown_names(const std::string& messages) {
    constexpr std::array<std::string_view, 4> kUnknown = {"' was not declared", "' has not been declared",
                                                          "' does not name a ", "' is not a member of 'attn"};
    constexpr std::string_view kError = "error: '";
    std::set<std::string> names;
    for (const std::string& line : lines_in(messages)) {
        const std::size_t error = line.find(kError);
        if (error == std::string::npos) continue;
        const std::size_t begin = error + kError.size(), end = line.find('\'', begin);
        if (end == std::string::npos) continue;
        const std::string_view rest = std::string_view(line).substr(end);
        if (std::ranges::none_of(kUnknown, [&](std::string_view words) { return rest.starts_with(words); }))
            continue;
        const std::string name = line.substr(begin, end - begin);
        const std::size_t colon = name.rfind(':');
        names.insert(colon == std::string::npos ? name : name.substr(colon + 1));
    }
    return names;
}

/// Whether the header defines a struct or an enumeration of this name, or declares a function.
bool declares(const std::string& header, const std::string& name) {
    return !name.empty() && (header.find("\nstruct " + name + " {") != std::string::npos ||
                             header.find("\nenum class " + name + " {") != std::string::npos ||
                             header.find("\nvoid " + name + "(") != std::string::npos);
}

}  // namespace

std::string declared_elsewhere(const std::string& messages, const std::filesystem::path& headers,
                               bool kernels) {
    const std::set<std::string> names = unknown_names(messages);
    if (names.empty()) return {};
    std::string text;
    for (const std::filesystem::path& file : regular_files(headers, ".h")) {
        const std::string folder = file.parent_path().filename().string(), stem = file.stem().string();
        if (std::isdigit(static_cast<unsigned char>(folder[0])) == 0 ||
            folder.substr(folder.find('_') + 1) != stem)
            continue;
        const std::string header = data::read_file(headers / file);
        std::vector<std::string> declared;
        std::ranges::copy_if(names, std::back_inserter(declared),
                             [&](const std::string& name) { return declares(header, name); });
        if (!declared.empty())
            text += fmt::format("write #include \"{}{}.h\" for {}: the header of assignment {}\n", stem,
                                kernels ? "_cuda" : "", fmt::join(declared, ", "), std::stoi(folder));
    }
    return text;
}

}  // namespace attn::compile
