#include "grader/edits/outline.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace attn::edits {
namespace {

/// An expression. Some can be replaced only together with what they stand in: the name of a called function,
/// a lambda, what is assigned to.
struct Part {
    Unit unit;
    bool replaceable = true;
};

void adopt(Unit& parent, Part part) {
    if (part.replaceable && part.unit.first < part.unit.last) {
        parent.children.push_back(std::move(part.unit));
        return;
    }
    std::ranges::move(part.unit.children, std::back_inserter(parent.children));
}

class OutlineReader {
  public:
    OutlineReader(const Words& words, const Tokens& tokens, int first, int last)
        : words_(words), tokens_(tokens), at_(first), end_(last) {}

    Unit list() {
        Unit unit{Unit::Kind::list, at_, end_};
        while (at_ < end_ && !next_is("}")) {
            if (label()) {
                unit.rigid = true;
                continue;
            }
            unit.children.push_back(statement());
        }
        unit.last = at_;
        return unit;
    }

    Unit all() {
        Unit unit = list();
        unit.last = end_;
        return unit;
    }

    Part assignment() {
        Part left = choice();
        static constexpr std::array<std::string_view, 6> kAssignments = {"=", "+=", "-=", "*=", "/=", "%="};
        if (at_ >= end_ || std::ranges::find(kAssignments, text()) == kAssignments.end()) return left;
        Part whole{{Unit::Kind::expression, left.unit.first, 0}};
        left.replaceable = false;
        adopt(whole.unit, std::move(left));
        ++at_;
        adopt(whole.unit, assignment());
        whole.unit.last = at_;
        return whole;
    }

  private:
    std::string_view text(int ahead = 0) const {
        if (at_ + ahead >= end_) return {};
        return words_.text(tokens_[static_cast<std::size_t>(at_ + ahead)].id);
    }
    TokenKind kind(int at) const {
        return at < end_ ? tokens_[static_cast<std::size_t>(at)].kind : TokenKind::end;
    }
    bool next_is(std::string_view wanted) const { return text() == wanted; }
    bool take_if(std::string_view wanted) {
        if (!next_is(wanted)) return false;
        ++at_;
        return true;
    }

    /// Moves after the bracket that closes the next one, or to the end.
    void skip_brackets() {
        int depth = 0;
        for (; at_ < end_; ++at_) {
            const std::string_view token = text();
            if (token == "(" || token == "[" || token == "{") ++depth;
            if (token == ")" || token == "]" || token == "}") --depth;
            if (depth == 0) break;
        }
        at_ = std::min(at_ + 1, end_);
    }

    /// The place after the template arguments that begin at `at`, or -1 if < is an operator there.
    int behind_template_arguments(int at) const {
        static constexpr std::array<std::string_view, 5> kInside = {",", "::", "*", "&", "<"};
        int depth = 0;
        for (; at < end_; ++at) {
            const std::string_view token = words_.text(tokens_[static_cast<std::size_t>(at)].id);
            if (token == ">" && --depth == 0) return at + 1;
            if (token == "<") ++depth;
            const bool simple = kind(at) == TokenKind::word || kind(at) == TokenKind::number;
            if (!simple && token != ">" && std::ranges::find(kInside, token) == kInside.end()) return -1;
        }
        return -1;
    }

    /// Takes std::vector<T>, weights or cpu::softmax<T>.
    void name() {
        for (;;) {
            if (at_ < end_) ++at_;
            if (next_is("<"))
                if (const int behind = behind_template_arguments(at_); behind >= 0) at_ = behind;
            if (!next_is("::")) return;
            ++at_;
        }
    }

    /// Whether a declaration begins here. Moves to the first declared name if so.
    bool declaration() {
        const int start = at_;
        static constexpr std::array<std::string_view, 3> kBefore = {"const", "constexpr", "static"};
        bool certain = false;
        while (std::ranges::find(kBefore, text()) != kBefore.end()) {
            ++at_;
            certain = true;
        }
        if (kind(at_) == TokenKind::word) {
            name();
            while (next_is("&") || next_is("*") || next_is("const")) ++at_;
            const std::string_view behind = text(1);
            const bool declared = kind(at_) == TokenKind::word &&
                                  (certain || behind == "=" || behind == ";" || behind == "," ||
                                   behind == "(" || behind == "{" || behind == ":" || behind == "[");
            if (declared) return true;
        }
        at_ = start;
        return false;
    }

    void expressions_until(std::string_view close, Unit& parent) {
        while (at_ < end_ && !next_is(close)) {
            const int before = at_;
            adopt(parent, assignment());
            if (!take_if(",") && at_ == before) ++at_;
        }
        take_if(close);
    }

    /// The names and initial values of a declaration, without its end.
    void declarators(Unit& parent) {
        do {
            while (next_is("*") || next_is("&")) ++at_;
            if (at_ < end_) ++at_;
            if (take_if("=")) {
                adopt(parent, assignment());
            } else if (take_if("(")) {
                expressions_until(")", parent);
            } else if (take_if("{")) {
                expressions_until("}", parent);
            } else if (next_is("[")) {
                skip_brackets();
                if (take_if("=")) adopt(parent, assignment());
            }
        } while (take_if(","));
    }

    /// Takes "case x:" or "default:".
    bool label() {
        if (!next_is("case") && !next_is("default")) return false;
        while (at_ < end_ && !next_is(":")) ++at_;
        take_if(":");
        return true;
    }

    void until_semicolon() {
        while (at_ < end_ && !next_is(";") && !next_is("}")) {
            if (next_is("(") || next_is("[") || next_is("{"))
                skip_brackets();
            else
                ++at_;
        }
        take_if(";");
    }

    /// A declaration or an expression, up to the semicolon. What stands first in an expression statement is
    /// no unit of its own: the statement is.
    void simple(Unit& parent) {
        if (declaration()) {
            parent.declares = true;
            declarators(parent);
        } else if (!next_is(";")) {
            Part part = assignment();
            part.replaceable = false;
            adopt(parent, std::move(part));
        }
        until_semicolon();
    }

    void parenthesised(Unit& parent) {
        if (take_if("(")) expressions_until(")", parent);
    }

    void for_header(Unit& parent) {
        if (!take_if("(")) return;
        Unit start{Unit::Kind::statement, at_, at_};
        if (declaration()) {
            if (text(1) == ":") {  // for (T x : all)
                at_ += 2;
                adopt(parent, assignment());
                take_if(")");
                return;
            }
            declarators(start);
        } else if (!next_is(";")) {
            adopt(start, assignment());
        }
        take_if(";");
        std::ranges::move(start.children, std::back_inserter(parent.children));
        if (!next_is(";")) adopt(parent, assignment());
        take_if(";");
        expressions_until(")", parent);
    }

    void braces(Unit& parent) {
        take_if("{");
        parent.children.push_back(list());
        take_if("}");
    }

    /// The statement that a loop or a condition governs. A block in it is a list.
    void governed(Unit& parent) { parent.children.push_back(statement()); }

    Unit statement() {
        Unit unit{Unit::Kind::statement, at_, at_};
        if (next_is("{")) {
            braces(unit);
        } else if (take_if("for")) {
            for_header(unit);
            governed(unit);
        } else if (take_if("while") || take_if("switch")) {
            parenthesised(unit);
            governed(unit);
        } else if (take_if("if")) {
            take_if("constexpr");
            parenthesised(unit);
            governed(unit);
            if (take_if("else")) governed(unit);
        } else if (take_if("do")) {
            governed(unit);
            take_if("while");
            parenthesised(unit);
            take_if(";");
        } else if (take_if("return")) {
            if (!next_is(";")) adopt(unit, assignment());
            until_semicolon();
        } else if (next_is("using") || next_is("throw") || next_is("break") || next_is("continue")) {
            unit.declares = next_is("using");
            until_semicolon();
        } else {
            simple(unit);
        }
        if (at_ == unit.first && at_ < end_) ++at_;
        unit.last = at_;
        return unit;
    }

    Part choice() {
        Part condition = binary(0);
        if (!next_is("?")) return condition;
        Part whole{{Unit::Kind::expression, condition.unit.first, 0}};
        adopt(whole.unit, std::move(condition));
        ++at_;
        adopt(whole.unit, assignment());
        take_if(":");
        adopt(whole.unit, assignment());
        whole.unit.last = at_;
        return whole;
    }

    static int level_of(std::string_view op) {
        static constexpr std::array<std::pair<std::string_view, int>, 16> kBinaryOperators = {{{"||", 1},
                                                                                               {"&&", 2},
                                                                                               {"|", 3},
                                                                                               {"^", 4},
                                                                                               {"&", 5},
                                                                                               {"==", 6},
                                                                                               {"!=", 6},
                                                                                               {"<", 7},
                                                                                               {">", 7},
                                                                                               {"<=", 7},
                                                                                               {">=", 7},
                                                                                               {"+", 8},
                                                                                               {"-", 8},
                                                                                               {"*", 9},
                                                                                               {"/", 9},
                                                                                               {"%", 9}}};
        const auto found = std::ranges::find(kBinaryOperators, op, &std::pair<std::string_view, int>::first);
        return found == kBinaryOperators.end() ? 0 : found->second;
    }

    /// Operators of a level above this one.
    Part binary(int above) {
        Part left = prefix();
        for (int level = level_of(text()); at_ < end_ && level > above; level = level_of(text())) {
            Part whole{{Unit::Kind::expression, left.unit.first, 0}};
            adopt(whole.unit, std::move(left));
            ++at_;
            adopt(whole.unit, binary(level));
            whole.unit.last = at_;
            left = std::move(whole);
        }
        return left;
    }

    Part prefix() {
        static constexpr std::array<std::string_view, 8> kPrefixes = {"-",  "+", "!", "~",
                                                                      "++", "*", "&", "--"};
        if (std::ranges::find(kPrefixes, text()) == kPrefixes.end()) return postfix();
        const std::string_view op = text();
        Part whole{{Unit::Kind::expression, at_, 0}};
        ++at_;
        Part operand = prefix();
        operand.replaceable = op == "-" || op == "+" || op == "!" || op == "~";
        adopt(whole.unit, std::move(operand));
        whole.unit.last = at_;
        return whole;
    }

    /// A lambda. Its body is a list.
    void lambda(Unit& parent) {
        skip_brackets();
        if (next_is("(")) skip_brackets();
        while (at_ < end_ && !next_is("{") && !next_is(";") && !next_is(")")) ++at_;
        if (next_is("{")) braces(parent);
    }

    Part postfix() {
        Part part{{Unit::Kind::expression, at_, 0}};
        if (next_is("[")) {
            lambda(part.unit);
            part.replaceable = false;
        } else if (take_if("(")) {
            expressions_until(")", part.unit);
        } else if (take_if("{")) {
            expressions_until("}", part.unit);
            part.replaceable = false;
        } else if (kind(at_) == TokenKind::word) {
            name();
        } else if (at_ < end_ && !next_is(")") && !next_is("]") && !next_is("}") && !next_is(";") &&
                   !next_is(",")) {
            ++at_;  // a number or a text
        }
        for (;;) {
            if (take_if("("))
                expressions_until(")", part.unit);
            else if (next_is("[") && ++at_)
                expressions_until("]", part.unit);
            else if (next_is("{") && kind(at_ - 1) != TokenKind::number && part.unit.first != at_ && ++at_)
                expressions_until("}", part.unit);
            else if (take_if(".") || (next_is("-") && text(1) == ">" && (at_ += 2)))
                name();
            else if (next_is("++") || next_is("--"))
                ++at_;
            else
                break;
        }
        part.unit.last = at_;
        return part;
    }

    const Words& words_;
    const Tokens& tokens_;
    int at_, end_;
};

}  // namespace

Unit outline_of(const Words& words, const Tokens& tokens, int first, int last) {
    return OutlineReader(words, tokens, first, last).all();
}

Unit expression_of(const Words& words, const Tokens& tokens, int first, int last) {
    Part part = OutlineReader(words, tokens, first, last).assignment();
    Unit whole{Unit::Kind::expression, first, last};
    if (part.unit.first == first && part.unit.last == last && part.replaceable) return part.unit;
    adopt(whole, std::move(part));
    return whole;
}

const Unit* find_unit(const Unit& in, Unit::Kind kind, int first, int last) {
    if (in.kind == kind && in.first == first && in.last == last) return &in;
    for (const Unit& child : in.children)
        if (child.first <= first && last <= child.last)
            if (const Unit* const found = find_unit(child, kind, first, last)) return found;
    return nullptr;
}

}  // namespace attn::edits
