#include "grader/grading/function_line.h"

#include <algorithm>
#include <cctype>

namespace attn {
namespace {

bool is_of_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
}

bool is_white(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

/// Whether `text` ends with "void" and white space, and this line is no comment.
bool ends_with_void(std::string_view text) {
    const std::size_t line = text.rfind('\n') + 1;
    const std::string_view begin = text.substr(std::min(text.find_first_not_of(" \t", line), text.size()));
    if (begin.starts_with("//")) return false;
    if (text.empty() || !is_white(text.back())) return false;
    while (!text.empty() && is_white(text.back())) text.remove_suffix(1);
    return text.ends_with("void") && (text.size() == 4 || !is_of_name(text[text.size() - 5]));
}

/// Whether `text` begins with "(..) {".
bool begins_with_body(std::string_view text) {
    while (!text.empty() && is_white(text.front())) text.remove_prefix(1);
    if (!text.starts_with('(')) return false;
    const std::size_t end = text.find_first_of(";{");
    return end != std::string_view::npos && text[end] == '{';
}

}  // namespace

int line_of_function(std::string_view function, std::string_view source) {
    constexpr std::size_t kBefore = 200, kAfter = 1500;  // as much text is looked at around each occurrence
    for (std::size_t at = source.find(function); at != std::string_view::npos;
         at = source.find(function, at + function.size())) {
        const std::size_t end = at + function.size();
        std::size_t name = at;  // of attn::NAME
        while (name > 0 && at - name < kBefore && is_of_name(source[name - 1])) --name;
        const bool whole = name == at || source[at - 1] == ':';
        const std::size_t before = name - std::min(name, kBefore);
        if (whole && ends_with_void(source.substr(before, name - before)) &&
            begins_with_body(source.substr(end, kAfter)))
            return 1 + static_cast<int>(std::count(source.begin(),
                                                   source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    }
    return 0;
}

}  // namespace attn
