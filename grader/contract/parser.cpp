#include "grader/contract/parser.h"

#include <string_view>

namespace attn::contract {

void Parser::refuse(const std::string& expected) const {
    const Token& found = next();
    constexpr std::size_t kShown = 40;
    std::string shown = found.text.substr(0, std::min(found.text.find('\n'), kShown));
    switch (found.kind) {
        case TokenKind::end:
            shown = "the end of the file";
            break;
        case TokenKind::comment:
        case TokenKind::remark:
            shown = "the comment '" + shown + "'";
            break;
        default:
            shown = "'" + shown + "'";
    }
    throw ContractError(file_, found.line, "found " + shown + "; expected " + expected);
}

std::size_t Parser::find_before_end_of_declaration(const char* wanted) const {
    for (std::size_t k = at_; k < tokens_.size(); ++k) {
        if (tokens_[k].is(wanted)) return k;
        if (tokens_[k].is(";") || tokens_[k].is("{") || tokens_[k].is("}")) break;
    }
    return kNowhere;
}

void Parser::skip_matching(const char* open, const char* close) {
    expect(open, open);
    for (int depth = 1; depth > 0;) {
        if (next().kind == TokenKind::end) refuse(close);
        const Token token = take();
        depth += token.is(open) ? 1 : token.is(close) ? -1 : 0;
    }
}

ViewType Parser::view(const char* real) {
    const std::string expected = std::string("TensorView<[const] ") + real +
                                 ", RANK>, with std::uint8_t or int in the place of " + real +
                                 " for masks and lengths";
    ViewType type;
    expect("TensorView", expected);
    expect("<", expected);
    type.constant = take_if("const");
    if (take_if("std")) {
        expect("::", expected);
        expect("uint8_t", expected);
        type.element = Element::u8;
    } else if (take_if("int")) {
        type.element = Element::i32;
    } else {
        expect(real, expected);
    }
    expect(",", expected);
    const std::string_view rank = next().text;
    if (next().kind != TokenKind::number || rank.size() != 1 || rank[0] < '1' || rank[0] > '4')
        refuse("a number of axes from 1 to 4");
    type.rank = rank[0] - '0';
    take();
    expect(">", expected);
    return type;
}

}  // namespace attn::contract
