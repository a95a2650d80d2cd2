#include "grader/edits/edit.h"

#include <algorithm>

namespace attn::edits {
namespace {

TokenRange only_occurrence(Program& program, int function, const std::string& place) {
    const Declaration& declared = program.declaration(function);
    if (place == "*") return {1, static_cast<int>(declared.body.size()) - 1};
    const Tokens wanted = without_comments(tokens_of(program.words(), declared.file, place));
    if (wanted.empty())
        throw SourceError(declared.file, 0, "the place of an edit of " + declared.name + " is empty");
    const auto found = occurrences(declared.body, wanted);
    if (found.size() != 1)
        throw SourceError(declared.file, 0,
                          "'" + place + "' occurs " + std::to_string(found.size()) + " times in " +
                              declared.name + "(); the place of an edit has to occur there exactly once");
    return found[0];
}

int function_named(const Program& program, const std::string& file, const std::string& name) {
    const int found = program.find(name, file);
    if (found < 0) throw SourceError(file, 0, "there is no function " + name + "() for an edit");
    return found;
}

}  // namespace

Edit locate(Program& program, const std::string& file, const WrittenEdit& written) {
    Edit edit;
    std::string from = file;
    if (!written.call.empty()) {
        const std::size_t colon = written.call.find(':');
        if (colon == std::string::npos)
            throw SourceError(file, 0,
                              "found '" + written.call + "' as call; expected \"caller: text of the call\"");
        // A packed text has a space before the colon, too.
        const std::string caller = written.call.substr(0, written.call.find_first_of(" :"));
        edit.caller = function_named(program, file, caller);
        edit.call = only_occurrence(program, edit.caller, written.call.substr(colon + 1)).first;
        from = program.declaration(edit.caller).file;
    }
    edit.function = function_named(program, from, written.function);
    const TokenRange place = only_occurrence(program, edit.function, written.place);
    edit.first = place.first;
    edit.last = place.last;
    edit.text = without_comments(tokens_of(program.words(), file, written.becomes));
    return edit;
}

EditedFunctions::EditedFunctions(const Program& program, std::span<const Edit> edits) {
    const auto same_target = [](const Edit& a, const Edit& b) {
        return a.function == b.function && a.caller == b.caller && a.call == b.call;
    };
    for (std::size_t k = 0; k < edits.size(); ++k) {
        const Edit& target = edits[k];
        if (std::any_of(edits.begin(), edits.begin() + static_cast<std::ptrdiff_t>(k),
                        [&](const Edit& earlier) { return same_target(earlier, target); }))
            continue;
        std::vector<const Edit*> here;
        for (const Edit& edit : edits.subspan(k))
            if (same_target(edit, target)) here.push_back(&edit);
        std::ranges::sort(here, {}, &Edit::first);
        const Tokens& body = program.declaration(target.function).body;
        Tokens text;
        text.reserve(body.size() + 64);
        auto from = body.begin();
        for (const Edit* const edit : here) {
            text.insert(text.end(), from, body.begin() + edit->first);
            text.insert(text.end(), edit->text.begin(), edit->text.end());
            from = body.begin() + edit->last;
        }
        text.insert(text.end(), from, body.end());
        add_work(static_cast<std::int64_t>(text.size()));
        functions_.push_back(std::make_unique<FunctionTree>(program.read(target.function, std::move(text))));
        replacements_.push_back({target.function, functions_.back().get(), target.caller, target.call});
    }
}

bool conflict(std::span<const Edit> edits) {
    for (std::size_t a = 0; a < edits.size(); ++a)
        for (std::size_t b = a + 1; b < edits.size(); ++b) {
            const Edit &one = edits[a], &other = edits[b];
            // The call is found by its place in the caller's text, so the text up to it must stay.
            const auto moves = [](const Edit& edit, const Edit& at_call) {
                return edit.function == at_call.caller && edit.first <= at_call.call;
            };
            if (moves(one, other) || moves(other, one)) return true;
            if (one.function != other.function) continue;
            const bool both_everywhere = one.caller < 0 && other.caller < 0;
            const bool same_call = one.caller == other.caller && one.call == other.call;
            if (!same_call && (one.caller < 0 || other.caller < 0)) return true;
            if ((both_everywhere || same_call) && one.first < other.last && other.first < one.last)
                return true;
        }
    return false;
}

}  // namespace attn::edits
