#include "grader/contract/comments.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "grader/contract/contract.h"

namespace attn::contract {
namespace {

constexpr std::string_view kOptional = " (optional)";

/// Lines of a comment that are read as one, and where each character stands.
struct Passage {
    bool equation = false;  ///< one indented line, with its own shape at its end
    std::string text;
    std::vector<int> lines;

    int line_at(std::size_t k) const { return lines.empty() ? 0 : lines[std::min(k, lines.size() - 1)]; }
    void append(std::string_view more, int line) {
        text += more;
        lines.insert(lines.end(), more.size(), line);
    }
};

/// Prose runs on over the ends of lines; an equation has a line of its own, which is indented.
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

/// The word that ends before `end`, and where it starts.
std::string word_before(std::string_view text, std::size_t end, std::size_t& start) {
    start = end;
    while (start > 0 && continues_word(text[start - 1])) --start;
    return std::string(text.substr(start, end - start));
}

/// The word that starts at `at`; moves behind it.
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
        every_optional_is_understood(passage);
    }
    Said said;

  private:
    /// The shapes of an equation's left sides: [..] or [..], [..], behind two spaces. Returns where they
    /// start.
    std::size_t shapes_at_the_end(const Passage& passage) {
        const std::string_view text = passage.text;
        std::size_t from = text.size();
        std::vector<SaidShape> shapes;
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
                return text.size();  // a name's
        }
        const std::vector<std::string> results = left_sides(text.substr(0, from));
        if (results.empty() || (shapes.size() > 1 && shapes.size() != results.size()))
            throw ContractError(file_, passage.line_at(from),
                                std::to_string(shapes.size()) + " shapes stand behind a line with " +
                                    std::to_string(results.size()) + " equations NAME = ..");
        for (std::size_t k = 0; k < shapes.size(); ++k) {
            shapes[k].name = results[k];
            add(shapes[k]);
        }
        understood_ += std::count_if(shapes.begin(), shapes.end(), [](const auto& s) { return s.optional; });
        return from;
    }

    /// The names of "Q = X W_Q, K = X W_K": what stands before each = behind a comma or at the start. An
    /// index belongs to its name: a[b, j] = ..
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
            understood_ += optional ? 1 : 0;
            while (names_.count(name) != 0) {
                add({name, *dims, optional, passage.line_at(start)});
                name = name_before(text, start);
            }
        }
    }

    /// The name that a list has before the one at `start`, which is moved there.
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

    /// Nothing where indices stand between the brackets: X [i, j].
    std::optional<std::vector<std::string>> dims_between(const Passage& passage, std::size_t open,
                                                         std::size_t close, const std::string& of) {
        const std::string_view between = std::string_view(passage.text).substr(open + 1, close - open - 1);
        for (std::size_t at = 0; at < between.size(); ++at) {
            if (!starts_word(between[at])) continue;
            if (std::isupper(static_cast<unsigned char>(between[at])) == 0) return std::nullopt;
            word_from(between, at);
        }
        try {
            return read_shape(between, definitions_);
        } catch (const LengthError& error) {
            throw ContractError(
                file_, passage.line_at(open),
                "the shape of " + of + ": " + error.what() + "; expected is a shape such as [B, N_q, D/H]");
        }
    }

    void add(const SaidShape& shape) {
        if (names_.count(shape.name) != 0) said.shapes.push_back(shape);
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
                                        " (default'; expected is a parameter's name before it and a "
                                        "value with a ) behind it");
            said.defaults.push_back(
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
                        "expected is '.. where H does not divide D', with a letter on both sides");
                said.divides.push_back({divisor, std::move(length), passage.line_at(at)});
            } while (skip(text, next, " and "));
        }
    }

    void every_optional_is_understood(const Passage& passage) {
        const std::string_view text = passage.text;
        for (std::size_t at = text.find(kOptional.substr(1)); at != std::string_view::npos;
             at = text.find(kOptional.substr(1), at + 1))
            if (--understood_ < 0)
                throw ContractError(
                    file_, passage.line_at(at),
                    "(optional) stands behind no shape of a parameter; expected is NAME [..] (optional)");
        understood_ = 0;
    }

    const std::string& file_;
    const std::set<std::string>& names_;
    const Definitions& definitions_;
    std::ptrdiff_t understood_ = 0;  ///< marks "(optional)" of the passage that belong to a shape
};

}  // namespace

Said read_comment(const std::string& file, const Token& comment, const std::set<std::string>& names,
                  const Definitions& definitions) {
    CommentReader reader(file, names, definitions);
    for (const Passage& passage : passages_of(comment)) reader.read(passage);
    return std::move(reader.said);
}

SaidShape read_remark(const std::string& file, const Token& remark, const Definitions& definitions) {
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
            std::string("a member's shape: ") + error.what() + "; expected is a shape such as [D_x, D_q]");
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
                throw LengthError("'" + letter + "' is no letter, or has a meaning already");
        } catch (const LengthError& error) {
            throw ContractError(
                file, line,
                std::string("behind Letters: ") + error.what() + "; expected is such as N = (H/P) (W/P)");
        }
    }
    return definitions;
}

}  // namespace attn::contract
