#include "grader/compile/source_facts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>

#include "grader/base/text_lines.h"

namespace attn::compile {
namespace {

std::string_view trimmed(std::string_view line) {
    const auto first = line.find_first_not_of(" \t\r\f\v"), last = line.find_last_not_of(" \t\r\f\v");
    return first == std::string_view::npos ? "" : line.substr(first, last - first + 1);
}

/// `<vector>` for the line `#include <vector>`. Only a // comment may follow; otherwise the result is empty.
std::string included_header(std::string_view line) {
    constexpr std::string_view kInclude = "include";
    line = trimmed(line.substr(1));
    if (!line.starts_with(kInclude)) return {};
    line = trimmed(line.substr(kInclude.size()));
    if (line.empty() || (line[0] != '<' && line[0] != '"')) return {};
    const auto end = line.find(line[0] == '<' ? '>' : '"', 1);
    if (end == std::string_view::npos) return {};
    const auto rest = trimmed(line.substr(end + 1));
    return rest.empty() || rest.starts_with("//") ? std::string(line.substr(0, end + 1)) : std::string();
}

bool is_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Names in the order in which they were found, each once.
class Names {
  public:
    void add(std::string_view name) {
        if (name.size() > kLongestName || names_.size() == kMostNames) return;
        if (known_.emplace(name).second) names_.emplace_back(name);
    }
    std::vector<std::string> take() { return std::move(names_); }

  private:
    std::vector<std::string> names_;
    std::set<std::string, std::less<>> known_;
};

/// Calls `see` with the begin and the end of each word of a text.
template <class See>
void for_each_word(std::string_view text, const See& see) {
    for (std::size_t from = 0, to = 0;; from = to) {
        while (from < text.size() && !is_of_word(text[from])) ++from;
        if (from == text.size()) return;
        for (to = from; to < text.size() && is_of_word(text[to]); ++to) {
        }
        see(from, to);
    }
}

/// A name that follows the word "void", or "void" and namespaces.
struct AfterVoid {
    std::size_t type, from, to;  ///< where "void" begins; begin and end of the name
    bool qualified;              ///< "void attn::softmax"
};

template <class See>
void for_each_after_void(std::string_view text, const See& see) {
    std::size_t type = 0, after = std::string_view::npos;  // where "void" begins, and what follows it
    bool qualified = false;
    for_each_word(text, [&](std::size_t from, std::size_t to) {
        const bool is_next = after != std::string_view::npos &&
                             std::ranges::all_of(text.substr(after, from - after),
                                                 [](unsigned char c) { return std::isspace(c) != 0; });
        after = std::string_view::npos;
        if (text.substr(from, to - from) == "void") {
            type = from;
            after = to;
            qualified = false;
        } else if (is_next && text.substr(to, 2) == "::") {
            after = to + 2;
            qualified = true;
        } else if (is_next) {
            see(AfterVoid{type, from, to, qualified});
        }
    });
}

}  // namespace

std::vector<std::string> leading_includes(std::string_view text) {
    std::vector<std::string> all;
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    while (!text.empty()) {
        const std::string_view line = trimmed(take_line(text));
        if (line.ends_with('\\')) break;  // the line continues in the next one
        if (line.empty() || line.starts_with("//")) continue;
        if (line.starts_with("/*")) {
            // Skip the comment; the rest of its last line has to be empty.
            const std::string_view rest(line.data() + 2, text.data() + text.size());
            const auto close = rest.find("*/");
            if (close == std::string_view::npos) break;
            text = rest.substr(close + 2);
            if (!trimmed(text.substr(0, std::min(text.find('\n'), text.size()))).empty()) break;
            continue;
        }
        const std::string header = line.starts_with('#') ? included_header(line) : std::string();
        if (header.empty()) break;
        all.push_back(header);
    }
    return all;
}

std::optional<std::vector<std::string>> all_includes(std::string_view text) {
    // Every way to read a file, or to ask whether it exists, contains one of these words.
    static constexpr std::array kWords = {"include", "import", "embed", "asm", "ragma"};
    std::vector<std::string> all;
    while (!text.empty()) {
        const std::string_view line = trimmed(take_line(text));
        if (line.ends_with('\\')) return std::nullopt;  // a word may continue in the next line
        const bool harmless = line == "#pragma once" || line.starts_with("//") ||
                              std::none_of(kWords.begin(), kWords.end(), [line](auto word) {
                                  return line.find(word) != std::string_view::npos;
                              });
        if (harmless) continue;
        const std::string header = line.starts_with('#') ? included_header(line) : std::string();
        if (header.empty()) return std::nullopt;
        all.push_back(header);
    }
    return all;
}

bool has_statement(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = trimmed(take_line(text));
        const bool counts =
            !line.starts_with("//") && !line.starts_with("(void)") && !line.starts_with("using ");
        if (counts && line.find(';') != std::string_view::npos) return true;
    }
    return false;
}

std::vector<std::string> void_functions(std::string_view text) {
    Names names;
    for_each_after_void(text, [&](const AfterVoid& name) {
        if (!name.qualified && name.to < text.size() && text[name.to] == '(')
            names.add(text.substr(name.from, name.to - name.from));
    });
    return names.take();
}

namespace {

/// The definitions of such functions: `see` gets the begin and end of the name, and where the { of the body is.
template <class See>
void for_each_definition(std::string_view text, const See& see) {
    constexpr std::size_t kParameters = 1500, kIndent = 200;  // as much text is looked at around a name
    const auto body_at = [&](std::size_t from) {
        const std::string_view after = text.substr(from, kParameters);
        const std::size_t begin = std::min(after.find_first_not_of(" \t\n"), after.size());
        const std::size_t end = after.find_first_of(";{");
        const bool defines =
            after.substr(begin).starts_with('(') && end != std::string_view::npos && after[end] == '{';
        return defines ? from + end : std::string_view::npos;
    };
    const auto is_in_comment = [&](std::size_t at) {
        const std::string_view before = text.substr(at - std::min(at, kIndent), std::min(at, kIndent));
        return trimmed(before.substr(before.rfind('\n') + 1)).starts_with("//");
    };
    std::size_t seen = 0;
    for_each_after_void(text, [&](const AfterVoid& name) {
        if (name.to - name.from > kLongestName || seen >= kMostNames || is_in_comment(name.type)) return;
        const std::size_t body = body_at(name.to);
        if (body == std::string_view::npos) return;
        ++seen;
        see(name.from, name.to, body);
    });
}

}  // namespace

std::map<std::string, int> definition_lines(std::string_view text) {
    std::map<std::string, int> lines;
    std::size_t counted = 0;
    int line = 1;
    for_each_definition(text, [&](std::size_t from, std::size_t to, std::size_t /*body*/) {
        line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                            text.begin() + static_cast<std::ptrdiff_t>(from), '\n'));
        counted = from;
        lines.emplace(text.substr(from, to - from), line);
    });
    return lines;
}

std::set<std::string> stubs(std::string_view text) {
    std::set<std::string> found;
    std::size_t read_to = 0;  // no letter is read twice, also if a body seems not to end
    for_each_definition(text, [&](std::size_t from, std::size_t to, std::size_t body) {
        if (body < read_to) return;
        int depth = 0;
        std::size_t at = body;
        for (; at < text.size(); ++at) {
            if (text.substr(at, 2) == "//") at = std::min(text.find('\n', at), text.size() - 1);
            depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
            if (depth == 0) break;
        }
        read_to = at;
        if (!has_statement(text.substr(body, at - body))) found.emplace(text.substr(from, to - from));
    });
    return found;
}

namespace {

/// Where the comment, text or line of the preprocessor that begins at `at` ends; `at` if none begins there.
std::size_t skipped(std::string_view text, std::size_t at) {
    const auto end_at = [&](std::string_view end, std::size_t from) {
        const std::size_t found = text.find(end, from);
        return found == std::string_view::npos ? text.size() : found + end.size();
    };
    const std::string_view two = text.substr(at, 2);
    if (two == "//") return end_at("\n", at);
    if (two == "/*") return end_at("*/", at + 2);
    const char c = text[at];
    if (c == '#') return end_at("\n", at);
    const bool digits = c == '\'' && at > 0 && is_of_word(text[at - 1]);  // 1'000
    if (c != '"' && (c != '\'' || digits)) return at;
    for (++at; at < text.size() && text[at] != c && text[at] != '\n'; ++at)
        if (text[at] == '\\') ++at;
    return std::min(at + 1, text.size());
}

/// What stands before a {: the words since the last ; { or } of this depth.
struct Head {
    std::string_view name;  ///< the word before the first ( or =
    bool is_namespace = false, is_function = false;
    std::string_view last;  ///< the word before this place
    int parentheses = 0;
};

}  // namespace

Calls calls_between(std::string_view text) {
    Calls calls;
    Head head;
    std::string_view inside;  // the function whose body this is
    int depth = 0;            // of braces that are no namespace's
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t next = skipped(text, at); next != at) {
            at = next;
            continue;
        }
        if (is_of_word(text[at])) {
            const std::size_t from = at;
            while (at < text.size() && is_of_word(text[at])) ++at;
            head.last = text.substr(from, at - from);
            head.is_namespace = head.is_namespace || head.last == "namespace";
            const bool is_called = at < text.size() && text[at] == '(';
            if (!inside.empty() && is_called && head.last.size() <= kLongestName && count < kMostCalls)
                count += calls[std::string(inside)].emplace(head.last).second;
            continue;
        }
        const char c = text[at++];
        if (depth == 0 && head.parentheses == 0 && (c == '(' || c == '=') && head.name.empty())
            head.name = head.last;
        if (c == '(') head.is_function = true;
        head.parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == '{') {
            if (depth == 0 && head.is_namespace) {
                head = {};
                continue;
            }
            const bool names = head.is_function && !head.name.empty() && head.name.size() <= kLongestName;
            if (depth == 0 && names && calls.size() < kMostNames) {
                inside = head.name;
                calls[std::string(inside)];
            }
            ++depth;
        }
        if (c == '}' && depth > 0 && --depth == 0) inside = {};
        if (depth == 0 && (c == ';' || c == '}')) head = {};
    }
    for (auto& [caller, named] : calls)
        std::erase_if(named, [&, &self = caller](const std::string& name) {
            return name == self || !calls.contains(name);
        });
    return calls;
}

std::set<std::string> called_from(const Calls& calls, const std::string& function,
                                  const std::set<std::string>& ends) {
    std::set<std::string> found;
    std::vector<std::string> left{function};
    while (!left.empty()) {
        const auto called = calls.find(left.back());
        left.pop_back();
        if (called == calls.end()) continue;
        for (const std::string& each : called->second)
            if (!ends.contains(each) && found.insert(each).second) left.push_back(each);
    }
    return found;
}

std::vector<std::string> mangled_names(std::string_view file, std::string_view prefix) {
    Names names;
    for (std::size_t at = file.find(prefix); at != std::string_view::npos; at = file.find(prefix, at)) {
        at += prefix.size();
        std::size_t length = 0;
        const char* const begin = file.data() + at;
        // Two digits are enough for the longest name.
        const auto [end, error] =
            std::from_chars(begin, begin + std::min<std::size_t>(2, file.size() - at), length);
        const auto from = static_cast<std::size_t>(end - file.data());
        if (error == std::errc() && length <= kLongestName && file.size() - from >= length)
            names.add(file.substr(from, length));
    }
    return names.take();
}

Lines lines_at(std::string_view text, const std::set<int>& numbers) {
    Lines lines;
    int number = 1;
    for (const int wanted : numbers) {
        for (; number < wanted && !text.empty(); ++number) take_line(text);
        if (number == wanted && !text.empty()) lines[wanted] = text.substr(0, text.find('\n'));
    }
    return lines;
}

SourceFacts facts_of(std::string_view text) {
    SourceFacts facts;
    facts.leading_includes = leading_includes(text);
    facts.all_includes = all_includes(text);
    if (facts.all_includes) {
        std::set<std::string> known;
        std::erase_if(*facts.all_includes,
                      [&known](const std::string& header) { return !known.insert(header).second; });
    }
    facts.void_functions = void_functions(text);
    facts.definition_lines = definition_lines(text);
    facts.stubs = stubs(text);
    facts.calls = calls_between(text);
    Names headers;
    for_each_word(text, [&](std::size_t from, std::size_t to) {
        if (const auto word = text.substr(from, to - from);
            word.ends_with("_cuda") && text.substr(to, 2) == ".h")
            headers.add(word);
    });
    facts.kernel_headers = headers.take();
    for (std::string& header : facts.kernel_headers) header += ".h";
    facts.has_statement = has_statement(text);
    return facts;
}

// One fact a line: a letter and a name.
std::string printed_facts(const SourceFacts& facts) {
    std::string printed;
    const auto add = [&printed](char what, const std::vector<std::string>& names) {
        for (const std::string& name : names) printed += what + name + '\n';
    };
    add('l', facts.leading_includes);
    if (facts.all_includes) add('i', *facts.all_includes);
    if (!facts.all_includes) printed += "?\n";
    add('v', facts.void_functions);
    for (const auto& [name, line] : facts.definition_lines)
        printed += "d" + name + ' ' + std::to_string(line) + '\n';
    add('s', {facts.stubs.begin(), facts.stubs.end()});
    for (const auto& [caller, called] : facts.calls)
        for (const std::string& each : called) printed += "c" + caller + ' ' + each + '\n';
    add('k', facts.kernel_headers);
    if (facts.has_statement) printed += ";\n";
    return printed;
}

SourceFacts facts_from(std::string_view printed) {
    SourceFacts facts;
    facts.all_includes.emplace();
    while (!printed.empty()) {
        const std::string_view line = take_line(printed);
        if (line.empty()) continue;
        const std::string_view name = line.substr(1);
        if (line.front() == 'l') facts.leading_includes.emplace_back(name);
        if (line.front() == 'i' && facts.all_includes) facts.all_includes->emplace_back(name);
        if (line.front() == '?') facts.all_includes.reset();
        if (line.front() == 'v') facts.void_functions.emplace_back(name);
        if (const std::size_t space = name.find(' '); line.front() == 'd' && space != std::string_view::npos)
            facts.definition_lines[std::string(name.substr(0, space))] =
                std::atoi(std::string(name.substr(space + 1)).c_str());
        if (line.front() == 's') facts.stubs.emplace(name);
        if (const std::size_t space = name.find(' '); line.front() == 'c' && space != std::string_view::npos)
            facts.calls[std::string(name.substr(0, space))].emplace(name.substr(space + 1));
        if (line.front() == 'k') facts.kernel_headers.emplace_back(name);
        if (line.front() == ';') facts.has_statement = true;
    }
    return facts;
}

}  // namespace attn::compile
