#include "grader/emulator/find_launches.h"

#include <algorithm>
#include <set>

#include "grader/emulator/unsupported.h"

namespace attn::emulator {
namespace {

constexpr std::string_view kOpen = "<<<", kClose = ">>>";
constexpr const char* kHowTo = "write kernel<<<grid, block>>>(arguments)";

bool opens(char c) {
    return c == '(' || c == '[' || c == '{';
}

bool closes(char c) {
    return c == ')' || c == ']' || c == '}';
}

/// The position before the space that ends at `k`.
std::size_t before_space(std::string_view code, std::size_t k) {
    while (k > 0 && is_space(code[k - 1])) --k;
    return k;
}

/// For each bracket, the position of the one that it matches, or npos. Brackets of all kinds match.
std::vector<std::size_t> matching_brackets(std::string_view code) {
    std::vector<std::size_t> matching(code.size(), npos), open;
    for (std::size_t k = 0; k < code.size(); ++k) {
        if (opens(code[k])) open.push_back(k);
        if (!closes(code[k]) || open.empty()) continue;
        matching[k] = open.back();
        matching[open.back()] = k;
        open.pop_back();
    }
    return matching;
}

/// A piece of code in which launches are searched.
struct Code : std::string_view {
    explicit Code(std::string_view text) : std::string_view(text), matching(matching_brackets(text)) {}
    /// The position of the bracket that matches the closing one at `k` - 1, or npos.
    std::size_t open_of(std::size_t k) const { return matching[k - 1]; }
    std::vector<std::size_t> matching;
};

/// The same for the > that closes template arguments. Text in brackets is skipped: (A > B).
std::size_t open_of_arguments(const Code& code, std::size_t k) {
    int depth = 0;
    while (k > 0) {
        --k;
        if (closes(code[k])) {
            k = code.open_of(k + 1);
            if (k == npos) return npos;
        } else if (opens(code[k]) || code[k] == ';') {
            return npos;
        } else if (code[k] == '>' && (k == 0 || code[k - 1] != '-')) {
            ++depth;
        } else if (code[k] == '<' && --depth == 0) {
            return k;
        }
    }
    return npos;
}

/// Keywords after which an expression begins.
bool is_keyword(std::string_view word) {
    static constexpr std::string_view kWords[] = {"return",    "else", "do",    "throw", "case",
                                                  "co_return", "if",   "while", "for",   "switch"};
    return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

/// The beginning of the word that ends at `k`.
std::size_t word_before(std::string_view code, std::size_t k) {
    while (k > 0 && is_word(code[k - 1])) --k;
    return k;
}

/// The beginning of the name that ends at `k`. In a macro ## may join its parts.
std::size_t name_before(std::string_view code, std::size_t k) {
    for (;;) {
        const std::size_t begin = word_before(code, k), joint = before_space(code, begin);
        if (begin == k || !code.substr(0, joint).ends_with("##")) return begin;
        k = before_space(code, joint - 2);
    }
}

/// Reads backwards from `end`, where a kernel's name ends, to the beginning of the name: names joined by :: .
/// and ->, with template arguments, an expression in brackets, an index. npos where there is no name.
std::size_t begin_of_kernel(const Code& code, std::size_t end) {
    std::size_t k = before_space(code, end);
    for (;;) {
        std::size_t word = k;
        if (k > 0 && code[k - 1] == '>') {
            k = open_of_arguments(code, k);
            if (k == npos) return npos;
            word = before_space(code, k);
            if (word == 0 || !is_word(code[word - 1])) return npos;
        } else if (k > 0 && (code[k - 1] == ')' || code[k - 1] == ']')) {
            const bool index = code[k - 1] == ']';
            k = code.open_of(k);
            if (k == npos) return npos;
            const std::size_t before = before_space(code, k), begin = word_before(code, before);
            const bool called = (before > 0 && code[before - 1] == '>') ||
                                (begin < before && !is_keyword(code.substr(begin, before - begin)));
            if (!called && !index) return k;
            if (!called && (before == 0 || (code[before - 1] != ')' && code[before - 1] != ']'))) return npos;
            k = before;
            continue;
        }
        k = name_before(code, word);
        if (k == word || is_keyword(code.substr(k, word - k))) return npos;
        std::size_t joint = before_space(code, k);
        if (const std::size_t before = word_before(code, joint);
            code.substr(before, joint - before) == "template")
            joint = before_space(code, before);
        const std::string_view before_joint = code.substr(0, joint);
        if (before_joint.ends_with("::")) {
            k = before_space(code, joint - 2);
            const bool qualified = k > 0 && (code[k - 1] == '>' || is_word(code[k - 1]));
            if (!qualified || is_keyword(code.substr(word_before(code, k), k - word_before(code, k))))
                return joint - 2;
        } else if (before_joint.ends_with("->")) {
            k = before_space(code, joint - 2);
        } else if (before_joint.ends_with('.')) {
            k = before_space(code, joint - 1);
        } else {
            return k;
        }
    }
}

/// The functions that a file defines for the host, "void run(..) {", without those that it declares as kernels, too.
/// Any other word before the name may be a macro for __global__. One pass: a file may be large.
std::set<std::string_view> host_functions(const Code& code) {
    std::set<std::string_view> defined, kernels;
    int depth = 0;
    // What stands between the last ; { or } and this place.
    bool is_global = false, is_void = false, only_host = true;
    for (std::size_t k = 0; k < code.size();) {
        const char c = code[k];
        if (!is_word(c)) {
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (c == ';' || c == '{' || c == '}')
                is_global = is_void = false, only_host = true;
            else if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
                only_host = false;
            ++k;
            continue;
        }
        std::size_t end = k;
        while (end < code.size() && is_word(code[end])) ++end;
        const std::string_view word = code.substr(k, end - k);
        const std::size_t open = code.find_first_not_of(" \t\r\n", end);
        if (open != npos && code[open] == '(' && code.matching[open] != npos) {
            const std::size_t body = code.find_first_not_of(" \t\r\n", code.matching[open] + 1);
            if (is_global)
                kernels.insert(word);
            else if (depth == 0 && only_host && is_void && body != npos && code[body] == '{')
                defined.insert(word);
        }
        is_global = is_global || word == "__global__";
        is_void = is_void || word == "void";
        only_host = only_host && (word == "void" || word == "static" || word == "inline");
        k = end;
    }
    for (const std::string_view kernel : kernels) defined.erase(kernel);
    return defined;
}

/// Finds the launches in one piece of code: either everything outside preprocessor lines, or one such line.
class LaunchFinder {
  public:
    LaunchFinder(std::string_view text, const std::string& name, std::string_view code)
        : text_(text), name_(name), code_(code) {}
    /// `code` is a preprocessor line at `offset` of `text`.
    LaunchFinder(std::string_view text, const std::string& name, std::string_view code, std::size_t offset)
        : text_(text), name_(name), code_(code), offset_(offset), directive_(offset) {}

    void find(std::vector<Launch>& launches) const {
        std::size_t done = 0;
        if (code_.find(kOpen) == npos) return;
        const std::set<std::string_view> of_the_host = host_functions(code_);
        for (std::size_t open = code_.find(kOpen); open != npos; open = code_.find(kOpen, done)) {
            if (code_.substr(open + kOpen.size()).starts_with('<'))
                refuse(open, "more than three <",
                       "this looks like a merge conflict: keep one of the two versions");
            const std::size_t kernel = begin_of_kernel(code_, open);
            if (kernel == npos || kernel < done) refuse(open, "no kernel name before <<<", kHowTo);
            const std::size_t close = end_of_settings(open), arguments = after_space(close + kClose.size());
            if (const auto name = code_.substr(kernel, before_space(code_, open) - kernel);
                of_the_host.contains(name))
                refuse(open, "a launch of a function of the host",
                       "declare it __global__, or call it without <<<>>>");
            if (arguments >= code_.size() || code_[arguments] != '(' || code_.matching[arguments] == npos)
                refuse(open, "a launch without (arguments) after >>>", kHowTo);
            launches.push_back({{offset_ + kernel, offset_ + before_space(code_, open)},
                                offset_ + open,
                                offset_ + close,
                                directive_});
            done = close + kClose.size();
        }
    }

  private:
    [[noreturn]] void refuse(std::size_t position, const char* what, const char* instead) const {
        throw Unsupported(name_, line_of(text_, offset_ + position), what, instead);
    }

    /// The position of the >>> that belongs to the <<< at `open`.
    std::size_t end_of_settings(std::size_t open) const {
        int depth = 0, count = 0;
        bool empty = true, angles = false;
        for (std::size_t k = open + kOpen.size(); k < code_.size(); ++k) {
            const char c = code_[k];
            const std::string_view rest = code_.substr(k);
            const bool ends = depth == 0 && rest.starts_with(kClose);
            if (ends || (depth == 0 && c == ',')) {
                count += empty ? 0 : 1;
                // f<a, b>(x) contains a comma but is one setting.
                if (ends && (count < 2 || (count > 4 && !angles) || empty)) refuse_count(open, count);
                if (ends) return k;
                empty = true;
                continue;
            }
            depth += opens(c) ? 1 : closes(c) ? -1 : 0;
            if (depth < 0 || (depth == 0 && c == ';') || rest.starts_with(kOpen)) break;
            angles = angles || c == '<';
            empty = empty && is_space(c);
        }
        refuse(open, "a launch whose <<< has no >>>, or whose brackets do not match", kHowTo);
    }

    [[noreturn]] void refuse_count(std::size_t open, int count) const {
        refuse(
            open,
            count < 2   ? "a launch without grid or block"
            : count > 4 ? "a launch with more than four settings"
                        : "a launch with an empty setting",
            "write kernel<<<grid, block, bytes of shared memory, stream>>>(arguments); the last two may be "
            "left out");
    }

    std::size_t after_space(std::size_t k) const {
        while (k < code_.size() && is_space(code_[k])) ++k;
        return k;
    }

    std::string_view text_;
    const std::string& name_;
    Code code_;
    std::size_t offset_ = 0;
    std::size_t directive_ = npos;
};

}  // namespace

std::vector<Span> device_bodies(std::string_view code) {
    std::vector<Span> bodies;
    std::size_t done = 0;
    for (std::size_t k = code.find("__"); k != npos; k = code.find("__", k)) {
        const std::size_t end =
            std::min(code.find_first_not_of("_abcdefghijklmnopqrstuvwxyz", k), code.size());
        const std::string_view word = code.substr(k, end - k);
        const std::size_t declaration = k;
        k = end;
        if ((word != "__global__" && word != "__device__") || declaration < done) continue;
        // Skip the parameters to the body. A declaration that ends with ; has no body.
        int depth = 0;
        while (k < code.size() && (depth > 0 || (code[k] != ';' && code[k] != '{' && code[k] != '='))) {
            depth += opens(code[k]) ? 1 : closes(code[k]) ? -1 : 0;
            ++k;
        }
        if (k >= code.size() || code[k] != '{') continue;
        // The declaration may say __host__ before the word as well.
        const std::size_t begin = code.find_last_of(";{}", declaration) + 1;  // npos + 1 is 0
        const std::size_t body = k;
        for (; k < code.size(); ++k) {
            depth += opens(code[k]) ? 1 : closes(code[k]) ? -1 : 0;
            if (depth == 0) break;
        }
        done = k;
        if (code.substr(begin, body - begin).find("__host__") == npos) bodies.push_back({body, k});
    }
    return bodies;
}

std::vector<Launch> find_launches(std::string_view text, const MaskedSource& masked,
                                  const std::string& name) {
    std::vector<Launch> launches;
    LaunchFinder(text, name, masked.code).find(launches);
    // Both are in the order of the text, and bodies do not overlap.
    auto each = launches.begin();
    for (const Span body : device_bodies(masked.code)) {
        while (each != launches.end() && each->configuration <= body.begin) ++each;
        if (each != launches.end() && each->configuration < body.end)
            throw Unsupported(name, line_of(text, each->configuration),
                              "a launch inside a kernel, which the emulator does not have",
                              "launch from the host, one kernel after the other");
    }
    for (const Span line : masked.directive_spans)
        LaunchFinder(text, name,
                     std::string_view(masked.directives).substr(line.begin, line.end - line.begin),
                     line.begin)
            .find(launches);
    std::sort(launches.begin(), launches.end(),
              [](const Launch& a, const Launch& b) { return a.kernel.begin < b.kernel.begin; });
    return launches;
}

}  // namespace attn::emulator
