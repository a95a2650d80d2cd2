#include "grader/contract/documented_functions.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <utility>

#include "grader/contract/contract.h"
#include "grader/contract/tokens.h"

namespace attn::contract {
namespace {

class HelperReader {
  public:
    HelperReader(const std::string& path, const std::string& text)
        : text_(text), tokens_(tokens_of(path, text)), header_{path, "", {}} {}

    HelperHeader read() {
        if (next().kind == TokenKind::comment) header_.about = next().text;
        while (next().kind != TokenKind::end) {
            if (next().kind == TokenKind::comment) {
                comment_ = next().text;
                last_line_ =
                    next().line + static_cast<int>(std::count(comment_.begin(), comment_.end(), '\n'));
                take();
            } else if (next().kind == TokenKind::include || next().kind == TokenKind::remark ||
                       next().is(";") || next().is("}")) {
                take();
            } else if (next().is("namespace")) {
                while (!next().is("{")) take();
                take();
            } else {
                declaration();
            }
        }
        return std::move(header_);
    }

  private:
    void declaration() {
        const Token first = next();
        const bool type = first.is("using") || first.is("struct") || first.is("class") || first.is("enum");
        bool parameters = false, value = false;
        int depth = 0;  // of parentheses
        while (depth > 0 || !(next().is(";") || next().is("{"))) {
            value = value || (depth == 0 && next().is("="));
            parameters = parameters || (!value && next().is("("));
            depth += next().is("(") ? 1 : next().is(")") ? -1 : 0;
            take();
        }
        if (type || !parameters)
            in_group_ = false;
        else
            add(first);
        comment_.clear();
        last_line_ = next().line;
        if (next().is("{")) skip_body();
    }

    void add(const Token& first) {
        const bool adjacent = first.line == last_line_ + 1;
        in_group_ = in_group_ && adjacent;
        if (adjacent && !comment_.empty())
            header_.functions.push_back({{}, comment_});
        else if (!in_group_)
            return;
        in_group_ = true;
        header_.functions.back().declarations.push_back(
            on_one_line(first.offset, next().offset - first.offset));
    }

    void skip_body() {
        int depth = 0;
        do {
            depth += next().is("{") ? 1 : next().is("}") ? -1 : 0;
            last_line_ = next().line;
            take();
        } while (depth > 0);
    }

    std::string on_one_line(std::size_t from, std::size_t length) const {
        std::string line;
        bool space = false;
        for (const char c : std::string_view(text_).substr(from, length)) {
            if (std::isspace(static_cast<unsigned char>(c)) != 0) {
                space = true;
                continue;
            }
            if (space && !line.ends_with('(')) line += ' ';
            space = false;
            line += c;
        }
        return line;
    }

    const Token& next() const { return tokens_[at_]; }
    void take() {
        if (next().kind == TokenKind::end)
            throw ContractError(header_.path, next().line,
                                "the last declaration of this header does not end");
        ++at_;
    }

    const std::string& text_;
    std::vector<Token> tokens_;
    HelperHeader header_;
    std::size_t at_ = 0;
    std::string comment_;    ///< the one above the next declaration
    int last_line_ = -1;     ///< where the last comment or declaration ends
    bool in_group_ = false;  ///< the last declaration belongs to header_.functions.back()
};

std::string indented(const std::string& comment, const std::string& indent) {
    std::string text;
    for (std::size_t at = 0; at < comment.size();) {
        const std::size_t end = std::min(comment.find('\n', at), comment.size());
        const std::string line = comment.substr(at, end - at);
        text += (line.starts_with(' ') ? indent + line.substr(1) : indent + line) + "\n";
        at = end + 1;
    }
    return text;
}

}  // namespace

HelperHeader read_helpers(const std::string& path, const std::string& text) {
    return HelperReader(path, text).read();
}

std::string text_of(const std::vector<HelperHeader>& headers) {
    std::string text;
    for (const HelperHeader& header : headers) {
        if (header.functions.empty()) continue;
        text += (text.empty() ? "" : "\n") + header.path + "\n" + indented(header.about, "  ");
        for (const DocumentedFunctions& group : header.functions) {
            for (const std::string& declaration : group.declarations) text += "    " + declaration + "\n";
            text += indented(group.comment, "        ");
        }
    }
    return text;
}

std::string helper_source(const std::string& text) {
    return "// Written by the build from the headers of helpers.\n"
           "#include \"grader/cli/commands.h\"\n\nnamespace attn::cli {\n\n"
           "const std::string_view kHelperText = R\"helpers(" +
           text + ")helpers\";\n\n}  // namespace attn::cli\n";
}

}  // namespace attn::contract
