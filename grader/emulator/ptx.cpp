#include "grader/emulator/ptx.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <regex>
#include <vector>

namespace attn::emulator {
namespace {

/// An operand, `"r"(address)`: its expression.
using Operands = std::vector<std::string>;

/// asm volatile ( TEMPLATE : outputs : inputs : clobbers )
struct Statement {
    Span span;
    std::string instructions;  ///< the template, with spaces in place of line breaks
    Operands operands;         ///< outputs first
};

/// The contents of the string literals in a text, one after the other. Nothing if anything else is there.
std::optional<std::string> literals_in(std::string_view text) {
    std::string result;
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (is_space(text[k]) || text[k] == '\\') continue;
        if (text[k] != '"') return std::nullopt;
        for (++k; k < text.size() && text[k] != '"'; ++k) {
            if (text[k] == '\\')
                ++k, result += ' ';  // \n, \t
            else
                result += text[k];
        }
    }
    return result;
}

/// The operands in [begin, end): "r"(a), [name] "l"(b). In `code` the literals are spaces.
std::optional<Operands> operands_in(std::string_view text, std::string_view code, std::size_t begin,
                                    std::size_t end) {
    Operands operands;
    for (std::size_t k = skip_space(code, begin); k < end; k = skip_space(code, k)) {
        if (code[k] == ',') {
            ++k;
            continue;
        }
        if (code[k] != '(') return std::nullopt;
        const std::size_t after = after_parentheses(code, k);
        if (after > end) return std::nullopt;
        operands.emplace_back(text.substr(k, after - k));
        k = after;
    }
    return operands;
}

/// The statement whose word asm begins at `word`. `code`: of a MaskedSource. Nothing for any other use of the word.
std::optional<Statement> statement_at(std::string_view text, std::string_view code, std::size_t word) {
    std::size_t k = word;
    while (k < code.size() && is_word(code[k])) ++k;
    k = skip_space(code, k);
    for (const std::string_view keyword : {"volatile", "__volatile__"})
        if (code.substr(k).starts_with(keyword)) k = skip_space(code, k + keyword.size());
    if (k >= code.size() || code[k] != '(') return std::nullopt;
    const std::size_t end = after_parentheses(code, k);
    if (end == npos) return std::nullopt;
    std::vector<std::size_t> colons;
    int depth = 0;
    for (std::size_t at = k; at < end; ++at) {
        depth += code[at] == '(' ? 1 : code[at] == ')' ? -1 : 0;
        if (code[at] == ':' && depth == 1) colons.push_back(at);
    }
    colons.resize(std::max<std::size_t>(colons.size(), 3), end - 1);
    const auto instructions = literals_in(text.substr(k + 1, colons[0] - k - 1));
    if (!instructions) return std::nullopt;
    Statement statement{{word, end}, *instructions, {}};
    for (const std::size_t part : {0U, 1U}) {
        const std::size_t begin = std::min(colons[part] + 1, colons[part + 1]);
        const auto some = operands_in(text, code, begin, colons[part + 1]);
        if (!some) return std::nullopt;
        statement.operands.insert(statement.operands.end(), some->begin(), some->end());
    }
    return statement;
}

/// The instructions, each with single spaces and without the braces and the semicolons around it.
std::vector<std::string> separated(std::string_view instructions) {
    std::vector<std::string> all(1);
    for (const char c : instructions) {
        if (c == ';' || c == '{' || c == '}')
            all.emplace_back();
        else if (!is_space(c))
            all.back() += c;
        else if (!all.back().empty() && all.back().back() != ' ')
            all.back() += ' ';
    }
    for (std::string& each : all)
        if (each.ends_with(' ')) each.pop_back();
    std::erase(all, "");
    return all;
}

/// What an operand of an instruction stands for: %0, or a number.
std::optional<std::string> value_of(const std::string& operand, const Operands& operands) {
    if (operand.empty() || operand[0] != '%') return operand;
    const auto number = static_cast<std::size_t>(std::atoi(operand.c_str() + 1));
    return number < operands.size() ? std::optional(operands[number]) : std::nullopt;
}

/// The special registers that have a name in the emulator.
const std::map<std::string, std::string> kRegisters = {
    {"laneid", "::attn::emulator::lane()"},
    {"warpid", "((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32)"},
    {"smid", "0u"},
    {"tid.x", "threadIdx.x"},
    {"ctaid.x", "blockIdx.x"},
    {"ntid.x", "blockDim.x"},
};

/// The call for one instruction; nothing if the emulator does not know it.
std::optional<std::string> call_for(const std::string& instruction, const Operands& operands) {
    static const std::string value = "(%?[0-9]+)";
    static const std::regex copy(R"(cp\.async\.c[ag]\.shared(?:::cta)?\.global(?:\.L2::\w+)* ?\[)" + value +
                                 R"(\], ?\[)" + value + R"(\], ?)" + value + "(?:, ?" + value + ")?"),
        wait("cp\\.async\\.wait_group " + value), read(R"(mov\.u32 (%[0-9]+), ?%%?([a-z.]+))");
    std::smatch found;
    if (instruction == "cp.async.commit_group") return "::attn::emulator::commit_copies()";
    if (instruction == "cp.async.wait_all") return "::attn::emulator::wait_for_all_copies()";
    std::vector<std::string> values;
    const auto read_values = [&] {
        for (std::size_t k = 1; k < found.size(); ++k) {
            if (!found[k].matched) continue;
            const auto each = value_of(found[k], operands);
            if (!each) return false;
            values.push_back(*each);
        }
        return true;
    };
    if (std::regex_match(instruction, found, wait))
        return read_values() ? std::optional("::attn::emulator::wait_for_copies(" + values[0] + ")")
                             : std::nullopt;
    if (std::regex_match(instruction, found, copy)) {
        if (!read_values()) return std::nullopt;
        std::string call = "::attn::emulator::ptx_copy(";
        for (std::size_t k = 0; k < values.size(); ++k) call += (k == 0 ? "" : ", ") + values[k];
        return call + ")";
    }
    if (std::regex_match(instruction, found, read) && kRegisters.contains(found[2]))
        if (const auto target = value_of(found[1], operands))
            return *target + " = " + kRegisters.at(found[2]);
    return std::nullopt;
}

/// One expression for the statement; nothing if the emulator does not know one of its instructions.
std::optional<std::string> expression_for(const Statement& statement) {
    static const std::regex set(R"(setp\.ne\.[a-z]\d+ (\w+), ?(%[0-9]+), ?0)"), guarded(R"(@(\w+) (.*))"),
        to_shared(R"(cvta\.to\.shared\.u64 (\w+|%[0-9]+), ?(%[0-9]+))"),
        narrow(R"(cvt\.u32\.u64 (%[0-9]+), ?(\w+))");
    std::map<std::string, std::string> registers;
    std::string result;
    for (std::string instruction : separated(statement.instructions)) {
        std::smatch found;
        std::string condition;
        if (instruction.starts_with(".reg ")) continue;
        if (std::regex_match(instruction, found, set)) {
            const auto value = value_of(found[2], statement.operands);
            if (!value) return std::nullopt;
            registers[found[1]] = *value;
            continue;
        }
        if (std::regex_match(instruction, found, to_shared)) {
            const auto value = value_of(found[2], statement.operands);
            if (!value) return std::nullopt;
            const std::string offset =
                "::attn::emulator::shared_offset(::attn::emulator::global_operand(" + *value + "))";
            registers[found[1]] = offset;
            if (found.str(1)[0] != '%') continue;
            const auto target = value_of(found[1], statement.operands);
            if (!target) return std::nullopt;
            result += (result.empty() ? "" : ", ") + *target + " = " + offset;
            continue;
        }
        if (std::regex_match(instruction, found, narrow) && registers.contains(found[2])) {
            const auto target = value_of(found[1], statement.operands);
            if (!target) return std::nullopt;
            result += (result.empty() ? "" : ", ") + *target + " = static_cast<unsigned>(" +
                      registers[found[2]] + ")";
            continue;
        }
        if (std::regex_match(instruction, found, guarded)) {
            if (!registers.contains(found[1])) return std::nullopt;
            condition = registers[found[1]];
            instruction = std::string(found[2]);
        }
        const auto call = call_for(instruction, statement.operands);
        if (!call) return std::nullopt;
        result += (result.empty() ? "" : ", ") +
                  (condition.empty() ? *call : "(" + condition + " ? " + *call + " : void())");
    }
    if (result.empty()) return std::nullopt;
    return "(" + result + ")";
}

}  // namespace

std::string calls_for_ptx(std::string_view text, const MaskedSource& masked) {
    std::string result;
    std::size_t done = 0;
    for (std::size_t k = text.find("asm"); k != npos; k = text.find("asm", k)) {
        std::size_t begin = k, end = k;
        while (begin > done && is_word(text[begin - 1])) --begin;
        while (end < text.size() && is_word(text[end])) ++end;
        k = end;
        const std::string_view word = text.substr(begin, end - begin);
        if (word != "asm" && word != "__asm" && word != "__asm__") continue;
        const bool in_directive = masked.directives[begin] != ' ';
        if (!in_directive && masked.code[begin] == ' ') continue;  // in a comment or a skipped line
        const std::string& code = in_directive ? masked.directives : masked.code;
        const auto statement = statement_at(text, code, begin);
        if (!statement) continue;
        const auto expression = expression_for(*statement);
        if (!expression) continue;
        result += text.substr(done, begin - done);
        // The number of lines stays the same.
        const std::string_view whole = text.substr(begin, statement->span.end - begin);
        std::string on_one_line = *expression;
        std::erase(on_one_line, '\n');
        if (in_directive) std::replace(on_one_line.begin(), on_one_line.end(), '\\', ' ');
        result += on_one_line;
        for (auto line = std::count(whole.begin(), whole.end(), '\n'); line > 0; --line)
            result += in_directive ? "\\\n" : "\n";
        done = k = statement->span.end;
    }
    return result + std::string(text.substr(done));
}

}  // namespace attn::emulator
