#include "grader/compile/barriers.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "grader/base/text_lines.h"

namespace attn::compile {

std::string with_barriers(std::string_view text, const std::vector<Barrier>& barriers) {
    std::map<int, bool> braces;
    for (const Barrier& barrier : barriers) braces.emplace(barrier.line, barrier.braces);
    std::string result;
    for (int line = 1; !text.empty(); ++line) {
        const bool is_ended = text.find('\n') != std::string_view::npos;
        const std::string_view code = take_line(text);
        const auto barrier = braces.find(line);
        if (barrier != braces.end()) result += barrier->second ? "{ __syncthreads(); " : "__syncthreads(); ";
        // The brace stands before a comment at the end of the line.
        const std::size_t comment = std::min(code.find("//"), code.size());
        result += code.substr(0, comment);
        if (barrier != braces.end() && barrier->second) result += " } ";
        result += code.substr(comment);
        if (is_ended) result += '\n';
    }
    return result;
}

std::string word_of(const Barrier& barrier) {
    return std::to_string(barrier.line) + (barrier.braces ? "{" : "");
}

std::optional<Barrier> barrier_of(std::string_view word) {
    Barrier barrier;
    const char* const last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, barrier.line);
    const std::string_view rest(end, static_cast<std::size_t>(last - end));
    barrier.braces = rest == "{";
    if (error != std::errc() || (!rest.empty() && !barrier.braces)) return std::nullopt;
    return barrier;
}

}  // namespace attn::compile
