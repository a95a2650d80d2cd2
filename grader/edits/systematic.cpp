#include "grader/edits/systematic.h"

#include <algorithm>
#include <map>

#include "grader/edits/generator.h"

namespace attn::edits {

std::vector<SystematicEdit> systematic_edits(const Program& program, int function) {
    return Generator(program, function).all();
}

namespace {

/// The calls of other functions in a function: the callee and the token of the call.
std::vector<std::pair<int, int>> calls_in(const FunctionTree& function) {
    std::vector<std::pair<int, int>> calls;
    for (const Node& n : function.nodes)
        if (n.op == Op::call) calls.emplace_back(n.slot, n.first);
    return calls;
}

bool is_loop_code(const Program& program, int function) {
    const Declaration& declared = program.declaration(function);
    return declared.member_of < 0 && declared.file.ends_with(".cpp") && declared.result.base != Base::view;
}

}  // namespace

std::vector<int> functions_reached_from(const Program& program, int function) {
    std::vector<int> reached{function};
    for (std::size_t k = 0; k < reached.size(); ++k)
        for (const auto& [callee, token] : calls_in(program.function(reached[k])))
            if (is_loop_code(program, callee) && std::ranges::find(reached, callee) == reached.end())
                reached.push_back(callee);
    return reached;
}

std::vector<int> own_functions(const Program& program, int function) {
    std::vector<int> own{function};
    for (std::size_t k = 0; k < own.size(); ++k)
        for (const auto& [callee, token] : calls_in(program.function(own[k])))
            if (is_loop_code(program, callee) && !program.is_public(callee) &&
                std::ranges::find(own, callee) == own.end())
                own.push_back(callee);
    return own;
}

std::vector<EditPlace> edit_places(const Program& program, int function) {
    // Its own helpers first. Functions of contracts have cases of their own, so a mistake is seldom there.
    const std::vector<int> reached = functions_reached_from(program, function);
    const std::vector<int> helpers = own_functions(program, function);
    constexpr int kHelper = 1, kOther = 3;
    std::vector<EditPlace> places;
    for (const int each : reached) {
        const bool helper = std::ranges::find(helpers, each) != helpers.end();
        const int rank = each == function ? 0 : helper ? kHelper : kOther;
        places.push_back({each, -1, -1, rank});
        // At one call, if a function is called more than once.
        std::vector<EditPlace> calls;
        for (const int caller : reached)
            for (const auto& [callee, token] : calls_in(program.function(caller)))
                if (callee == each) calls.push_back({each, caller, token, rank + 1});
        if (calls.size() > 1) places.insert(places.end(), calls.begin(), calls.end());
    }
    std::ranges::stable_sort(places, {}, &EditPlace::rank);
    return places;
}

std::string pattern_of(Program& program, const SystematicEdit& edit) {
    const Declaration& declared = program.declaration(edit.function);
    std::map<int, std::size_t> names;
    std::string pattern = std::to_string(edit.function) + " " + std::to_string(static_cast<int>(edit.kind));
    const auto add = [&](const Token& token) {
        const bool named = token.kind == TokenKind::word && token.id >= known::how_many;
        pattern += named ? " $" + std::to_string(names.try_emplace(token.id, names.size()).first->second)
                         : " " + program.words().text(token.id);
    };
    for (const SystematicEdit::Change& change : edit.changes) {
        for (int k = change.first; k < change.last; ++k) add(declared.body[static_cast<std::size_t>(k)]);
        pattern += " ->";
        for (const Token& token : tokens_of(program.words(), declared.file, change.text)) add(token);
        pattern += " ;";
    }
    return pattern;
}

std::vector<Edit> as_edits(Program& program, const SystematicEdit& edit) {
    std::vector<Edit> edits;
    const std::string& file = program.declaration(edit.function).file;
    for (const SystematicEdit::Change& change : edit.changes)
        edits.push_back({edit.function, change.first, change.last,
                         tokens_of(program.words(), file, change.text), edit.caller, edit.call});
    return edits;
}

}  // namespace attn::edits
