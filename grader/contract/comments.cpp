#include "grader/contract/comments.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>

#include "grader/contract/contract.h"

namespace attn::contract {
namespace {

constexpr std::string_view kOptional = " (optional)";

/// Lines of a comment that are read as one text, and the line of each character.
struct Passage {
    bool equation = false;  ///< one indented line, which may end with a shape
    std::string text;
    std::vector<int> lines;

    int line_at(std::size_t k) const { return lines.empty() ? 0 : lines[std::min(k, lines.size() - 1)]; }
    void append(std::string_view more, int line) {
        text += more;
        lines.insert(lines.end(), more.size(), line);
    }
};

/// Consecutive lines of text form one passage. An equation is one indented line.
std::vector<Passage> passages_of(const Token& comment) {
    std::vector<Passage> all;
    std::string_view rest = comment.text;
    for (int line = comment.line; !rest.empty(); ++line) {
        const std::size_t end = rest.find('\n');
        std::string_view text = rest.substr(0, end);
        rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
        const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
        const bool equation = indent > 2;
        text.remove_prefix(indent);
        while (text.ends_with(' ')) text.remove_suffix(1);
        if (equation || all.empty() || all.back().equation)
            all.push_back({equation, "", {}});
        else
            all.back().append(" ", line);
        all.back().append(text, line);
    }
    return all;
}

/// The word that ends before `end`. Sets `start` to its first character.
std::string word_before(std::string_view text, std::size_t end, std::size_t& start) {
    start = end;
    while (start > 0 && continues_word(text[start - 1])) --start;
    return std::string(text.substr(start, end - start));
}

/// The word that starts at `at`. Moves `at` past it.
std::string word_from(std::string_view text, std::size_t& at) {
    const std::size_t start = at;
    while (at < text.size() && continues_word(text[at])) ++at;
    return std::string(text.substr(start, at - start));
}

bool skip(std::string_view text, std::size_t& at, std::string_view wanted) {
    if (!text.substr(std::min(at, text.size())).starts_with(wanted)) return false;
    at += wanted.size();
    return true;
}

class CommentReader {
  public:
    CommentReader(const std::string& file, const std::set<std::string>& names, const Definitions& definitions)
        : file_(file), names_(names), definitions_(definitions) {}

    void read(const Passage& passage) {
        std::size_t end = passage.text.size();
        if (passage.equation) end = shapes_at_the_end(passage);
        named_shapes(passage, end);
        defaults(passage);
        divides(passage);
        ranges(passage);
        positives(passage);
        least_lengths(passage);
        require_shapes_of_optional(passage);
    }
    CommentContent content;

  private:
    /// Reads the shapes of an equation's left sides: [..] or [..], [..], after two spaces. Returns where they
    /// start.
    std::size_t shapes_at_the_end(const Passage& passage) {
        const std::string_view text = passage.text;
        std::size_t from = text.size();
        std::vector<NamedShape> shapes;
        while (true) {
            std::size_t close = from;
            while (close > 0 && (text[close - 1] == ' ' || text[close - 1] == '.')) --close;
            const bool optional = text.substr(0, close).ends_with(kOptional);
            if (optional) close -= kOptional.size();
            if (close == 0 || text[close - 1] != ']') return text.size();
            const std::size_t open = text.rfind('[', close - 1);
            if (open == std::string_view::npos || open < 2) return text.size();
            const std::optional<std::vector<std::string>> dims =
                dims_between(passage, open, close - 1, "the equation");
            if (!dims) return text.size();
            shapes.insert(shapes.begin(), {"", *dims, optional, passage.line_at(open)});
            from = open;
            if (text.substr(open - 2, 2) == "  ") break;
            if (text.substr(0, open).ends_with("], "))
                from = open - 2;
            else
                return text.size();  // the shape belongs to a name
        }
        const std::vector<std::string> results = left_sides(text.substr(0, from));
        if (results.empty() || (shapes.size() > 1 && shapes.size() != results.size()))
            throw ContractError(file_, passage.line_at(from),
                                std::to_string(shapes.size()) + " shapes follow a line with " +
                                    std::to_string(results.size()) + " equations NAME = ..");
        for (std::size_t k = 0; k < shapes.size(); ++k) {
            shapes[k].name = results[k];
            add(shapes[k]);
        }
        optional_shapes_ +=
            std::count_if(shapes.begin(), shapes.end(), [](const auto& s) { return s.optional; });
        return from;
    }

    /// The names on the left sides of "Q = X W_Q, K = X W_K". An index is not part of the name: a[b, j] = ..
    static std::vector<std::string> left_sides(std::string_view text) {
        std::vector<std::string> names;
        for (std::size_t at = 0; at < text.size();) {
            std::string name = word_from(text, at);
            if (at < text.size() && text[at] == '[') at = std::min(text.find(']', at), text.size() - 1) + 1;
            while (at < text.size() && text[at] == ' ') ++at;
            if (!name.empty() && at < text.size() && text[at] == '=') names.push_back(std::move(name));
            const std::size_t next = text.find_first_of(",;", at);
            if (next == std::string_view::npos) break;
            at = std::min(text.find_first_not_of(",; ", next), text.size());
        }
        return names;
    }

    /// Every "NAME [..]", "NAME, NAME [..]" and "NAME and NAME [..]" before `end`.
    void named_shapes(const Passage& passage, std::size_t end) {
        const std::string_view text = passage.text;
        for (std::size_t open = text.find('['); open < end; open = text.find('[', open + 1)) {
            if (open < 2 || text[open - 1] != ' ') continue;
            std::size_t start = 0;
            std::string name = word_before(text, open - 1, start);
            if (names_.count(name) == 0) continue;
            const std::size_t close = text.find(']', open);
            if (close == std::string_view::npos)
                throw ContractError(file_, passage.line_at(open), "the shape of " + name + " has no ]");
            const auto dims = dims_between(passage, open, close, name);
            if (!dims) continue;
            const bool optional = text.substr(close + 1).starts_with(kOptional);
            optional_shapes_ += optional ? 1 : 0;
            while (names_.count(name) != 0) {
                add({name, *dims, optional, passage.line_at(start)});
                name = name_before(text, start);
            }
        }
    }

    /// The previous name of a list. Moves `start` to its first character.
    static std::string name_before(std::string_view text, std::size_t& start) {
        std::string_view before = text.substr(0, start);
        if (before.ends_with(" and "))
            before.remove_suffix(5);
        else if (before.ends_with(", "))
            before.remove_suffix(2);
        else
            return "";
        if (before.ends_with(',')) before.remove_suffix(1);  // ", and"
        return word_before(before, before.size(), start);
    }

    /// Empty if the brackets contain indices: X [i, j].
    std::optional<std::vector<std::string>> dims_between(const Passage& passage, std::size_t open,
                                                         std::size_t close, const std::string& of) {
        const std::string_view between = std::string_view(passage.text).substr(open + 1, close - open - 1);
        for (std::size_t at = 0; at < between.size(); ++at) {
            if (!starts_word(between[at])) continue;
            const bool capital = std::isupper(static_cast<unsigned char>(between[at])) != 0;
            if (!capital && !between.substr(at).starts_with("ceil(")) return std::nullopt;
            word_from(between, at);
        }
        try {
            return read_shape(between, definitions_);
        } catch (const LengthError& error) {
            throw ContractError(
                file_, passage.line_at(open),
                "the shape of " + of + ": " + error.what() + "; expected a shape such as [B, N_q, D/H]");
        }
    }

    void add(const NamedShape& shape) {
        if (names_.count(shape.name) != 0) content.shapes.push_back(shape);
    }

    /// Every "NAME (default WORD)".
    void defaults(const Passage& passage) {
        constexpr std::string_view kOpen = " (default ";
        const std::string_view text = passage.text;
        for (std::size_t at = text.find(kOpen); at != std::string_view::npos; at = text.find(kOpen, at + 1)) {
            std::size_t start = 0;
            const std::string name = word_before(text, at, start);
            const std::size_t from = at + kOpen.size(), close = text.find(')', from);
            if (close == std::string_view::npos || names_.count(name) == 0)
                throw ContractError(file_, passage.line_at(at),
                                    "found '" + name +
                                        " (default'; expected a parameter's name before it and a "
                                        "value with a ) after it");
            content.defaults.push_back(
                {name, std::string(text.substr(from, close - from)), passage.line_at(at)});
        }
    }

    /// Every "NAME does not divide NAME and NAME".
    void divides(const Passage& passage) {
        constexpr std::string_view kVerb = " does not divide ";
        const std::string_view text = passage.text;
        for (std::size_t at = text.find(kVerb); at != std::string_view::npos; at = text.find(kVerb, at + 1)) {
            std::size_t start = 0, next = at + kVerb.size();
            const std::string divisor = word_before(text, at, start);
            do {
                std::string length = word_from(text, next);
                if (divisor.empty() || length.empty())
                    throw ContractError(
                        file_, passage.line_at(at),
                        "expected '.. where H does not divide D', with a letter on both sides");
                content.divides.push_back({divisor, std::move(length), passage.line_at(at)});
            } while (skip(text, next, " and "));
        }
    }

    /// Every "NAME or NAME is outside 0 .. V - 1".
    void ranges(const Passage& passage) {
        constexpr std::string_view kVerb = " is outside ";
        const std::string_view text = passage.text;
        for (std::size_t at = text.find(kVerb); at != std::string_view::npos; at = text.find(kVerb, at + 1)) {
            std::size_t start = 0, next = at + kVerb.size(), used = 0;
            std::string name = word_before(text, at, start);
            const bool below_zero = skip(text, next, "-");
            const std::string least = word_from(text, next);
            constexpr std::size_t kDigits = 6;
            const bool whole = !least.empty() && least.size() <= kDigits &&
                               least.find_first_not_of("0123456789") == std::string::npos;
            try {
                if (!whole || !skip(text, next, " .. ")) throw LengthError("there is no least number");
                std::string end = to_string(read_length(text.substr(next), definitions_, used));
                next += used;
                if (end.ends_with("-1"))
                    end.resize(end.size() - 2);
                else
                    end += "+1";
                while (true) {
                    if (names_.count(name) == 0) throw LengthError("'" + name + "' is no parameter");
                    const int first = below_zero ? -std::stoi(least) : std::stoi(least);
                    content.ranges.push_back({name, first, end, passage.line_at(start)});
                    constexpr std::string_view kOr = " or ";
                    if (!text.substr(0, start).ends_with(kOr)) break;
                    name = word_before(text, start - kOr.size(), start);
                    if (name.empty()) break;  // ", or to is outside": the next range
                }
            } catch (const LengthError& error) {
                throw ContractError(file_, passage.line_at(at),
                                    std::string("is outside: ") + error.what() +
                                        "; expected '.. where ids is outside 0 .. V - 1'");
            }
        }
    }

    /// Every "NAME is not positive".
    void positives(const Passage& passage) {
        constexpr std::string_view kVerb = " is not positive";
        const std::string_view text = passage.text;
        for (std::size_t at = text.find(kVerb); at != std::string_view::npos; at = text.find(kVerb, at + 1)) {
            std::size_t start = 0;
            const std::string name = word_before(text, at, start);
            if (names_.count(name) > 0) content.ranges.push_back({name, 0, "", passage.line_at(start)});
        }
    }

    /// Every "Requires V >= 5, D >= 2", as a range without an end. All lengths are at least 1. What is required of a name
    /// that is no letter is for readers alone.
    void least_lengths(const Passage& passage) {
        constexpr std::string_view kVerb = "Requires ";
        const std::string_view text = passage.text;
        for (std::size_t at = text.find(kVerb); at != std::string_view::npos; at = text.find(kVerb, at + 1)) {
            std::size_t next = at + kVerb.size();
            do {
                const std::string letter = word_from(text, next);
                if (letter.empty() || !skip(text, next, " >= ")) break;
                int number = 0;
                const char* const end = text.data() + text.size();
                const auto [stop, error] = std::from_chars(text.data() + next, end, number);
                if (error != std::errc()) break;
                next = static_cast<std::size_t>(stop - text.data());
                if (number > 1) content.ranges.push_back({letter, number, "", passage.line_at(at)});
            } while (skip(text, next, ", "));
        }
    }

    void require_shapes_of_optional(const Passage& passage) {
        const std::string_view text = passage.text;
        for (std::size_t at = text.find(kOptional.substr(1)); at != std::string_view::npos;
             at = text.find(kOptional.substr(1), at + 1))
            if (--optional_shapes_ < 0)
                throw ContractError(
                    file_, passage.line_at(at),
                    "(optional) does not follow the shape of a parameter; expected NAME [..] (optional)");
        optional_shapes_ = 0;
    }

    const std::string& file_;
    const std::set<std::string>& names_;
    const Definitions& definitions_;
    std::ptrdiff_t optional_shapes_ = 0;  ///< number of "(optional)" after a shape in this passage
};

}  // namespace

CommentContent read_comment(const std::string& file, const Token& comment, const std::set<std::string>& names,
                            const Definitions& definitions) {
    CommentReader reader(file, names, definitions);
    for (const Passage& passage : passages_of(comment)) reader.read(passage);
    return std::move(reader.content);
}

NamedShape read_remark(const std::string& file, const Token& remark, const Definitions& definitions) {
    const std::string_view text = remark.text;
    const std::size_t open = text.find_first_not_of(' ');
    if (open == std::string_view::npos || text[open] != '[') return {};
    const std::size_t close = text.find(']', open);
    if (close == std::string_view::npos) throw ContractError(file, remark.line, "this shape has no ]");
    try {
        return {"", read_shape(text.substr(open + 1, close - open - 1), definitions),
                text.substr(close + 1).starts_with(kOptional), remark.line};
    } catch (const LengthError& error) {
        throw ContractError(
            file, remark.line,
            std::string("a member's shape: ") + error.what() + "; expected a shape such as [D_x, D_q]");
    }
}

Definitions read_definitions(const std::string& file, const Token& comment) {
    Definitions definitions;
    const std::string_view all = comment.text;
    const std::size_t letters = all.find("Letters:");
    if (letters == std::string_view::npos) return definitions;
    const std::string_view text = all.substr(letters);
    for (std::size_t at = text.find(" = "); at != std::string_view::npos; at = text.find(" = ", at + 1)) {
        std::size_t start = 0, used = 0;
        const std::string letter = word_before(text, at, start);
        const int line =
            comment.line + static_cast<int>(std::count(
                               all.begin(), all.begin() + static_cast<std::ptrdiff_t>(letters + at), '\n'));
        try {
            const Length length = read_length(text.substr(at + 3), definitions, used);
            if (letter.empty() || !definitions.emplace(letter, length).second)
                throw LengthError("'" + letter + "' is not a letter, or is already defined");
        } catch (const LengthError& error) {
            throw ContractError(
                file, line,
                std::string("after Letters: ") + error.what() + "; expected for example N = (H/P) (W/P)");
        }
    }
    return definitions;
}

}  // namespace attn::contract
