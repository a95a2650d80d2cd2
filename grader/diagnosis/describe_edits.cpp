#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "grader/base/listed_in_words.h"
#include "grader/diagnosis/search_edits.h"
#include "grader/edits/packed.h"

namespace attn::diagnosis {
namespace {

const char* question_about(edits::Kind kind) {
    switch (kind) {
        case edits::Kind::bound:
            return "Write down the first and the last value of every index of this equation. Does your code "
                   "use the same?";
        case edits::Kind::index:
            return "Which index runs over which axis of which array here? Write the shapes below the "
                   "letters.";
        case edits::Kind::array:
            return "Which arrays does this equation name, and which does your code read?";
        case edits::Kind::operation:
            return "Say this equation aloud, operation by operation. Does your code do the same ones, in "
                   "the same order?";
        case edits::Kind::missing:
            return "Count the terms, factors and steps of this equation. Is each of them in your code?";
        case edits::Kind::extra:
            return "Count the terms, factors and steps of this equation. Does your code have one that is not "
                   "there?";
        case edits::Kind::number:
            return "Which sizes and constants stand in this equation? Which ones does your code use?";
        case edits::Kind::reset:
            return "Which of your variables has to start anew, and in which of your loops?";
        case edits::Kind::condition:
            return "For which elements does this hold: for all, or for some? And in your code?";
        case edits::Kind::order:
            return "In which order do the steps come, and which of them reads what another one has written?";
    }
    return "";
}

const char* place_of(edits::Kind kind) {
    switch (kind) {
        case edits::Kind::bound:
            return "the range of an index";
        case edits::Kind::index:
            return "an index";
        case edits::Kind::array:
            return "which array is read";
        case edits::Kind::operation:
            return "an operation";
        case edits::Kind::missing:
            return "something that is left out";
        case edits::Kind::extra:
            return "something that is too much";
        case edits::Kind::number:
            return "a size or a constant";
        case edits::Kind::reset:
            return "a variable that is not reset";
        case edits::Kind::condition:
            return "a condition";
        case edits::Kind::order:
            return "the order of two steps";
    }
    return "";
}

/// Of edits with the same numbers the one with the shortest words is told. Something too much is rarer than
/// the others: a missing root of a constant looks as if the constant were squared.
std::size_t complexity(const edits::SystematicEdit& edit) {
    constexpr std::size_t kAtOneCall = 60, kTooMuch = 40, kOther = 10, kChange = 5;
    std::size_t total = edit.said.size() + (edit.caller >= 0 ? kAtOneCall : 0);
    // That one array is read for another is likelier than that two are exchanged.
    total += kChange * (edit.changes.size() - 1);
    if (edit.kind == edits::Kind::extra || edit.said.ends_with(" is squared")) total += kTooMuch;
    if (edit.kind == edits::Kind::operation || edit.kind == edits::Kind::condition ||
        edit.kind == edits::Kind::order)
        total += kOther;
    // A factor is left out more often than an argument of a function is replaced by a number.
    if (edit.said.ends_with(" is taken as 0") || edit.said.ends_with(" is taken as 1")) total += kTooMuch;
    // Students seldom compute with an index by mistake.
    if (edit.kind == edits::Kind::index && edit.said.find_first_of("/%*") != std::string::npos)
        total += kTooMuch;
    return total;
}

/// An edit that is told, and the numbers that may stand in its place.
struct Told {
    const ExplainingEdit* each;
    std::vector<std::string> numbers;  ///< "0", "0.00001"; empty if it puts no number in place of a variable
};

/// "B" for "X.size(0)" in an edit of a function of a contract: the letter that the header gives this length.
std::string with_letters_of_lengths(const edits::SystematicEdit& edit, std::string words) {
    const std::string& name = edits::packed_program().declaration(edit.function).name;
    const ask::Module* const module = ask::module_of(name);
    if (module == nullptr || !edits::packed_program().is_public(edit.function)) return words;
    const ask::Function& function = *module->find_function(name);
    for (const auto* const specs : {&function.outputs, &function.inputs})
        for (const ask::TensorSpec& spec : *specs)
            for (std::size_t axis = 0; axis < spec.dims.size(); ++axis) {
                const std::string length = fmt::format("{}.size({})", spec.name, axis);
                for (std::size_t at = words.find(length); at != std::string::npos;
                     at = words.find(length, at + 1)) {
                    const char before = at == 0 ? ' ' : words[at - 1];
                    if (std::isalnum(static_cast<unsigned char>(before)) != 0 || before == '_' ||
                        before == '.')
                        continue;
                    words.replace(at, length.size(), spec.dims[axis]);
                }
            }
    return words;
}

/// The edit, which of several equal letters it changes, what the helpers do that it names, and what its arrays are.
std::string with_place(const edits::SystematicEdit& edit, const std::string& equation,
                       const std::string& said) {
    const edits::Program& program = edits::packed_program();
    const std::string words = with_letters_of_lengths(edit, said + place_in_words(program, edit));
    return words + helpers_in_words(program, edit, words) + arrays_in_words(program, edit, equation, words);
}

/// "eps is taken as 0", or all numbers of which the answers cannot say which one is used.
std::string words_of(const Told& told) {
    const edits::SystematicEdit& edit = told.each->edit;
    if (told.numbers.size() < 2) return with_place(edit, told.each->equation, edit.said);
    constexpr std::size_t kFew = 2;
    std::vector<std::string> numbers = told.numbers;
    std::ranges::sort(numbers, {}, [](const std::string& number) { return std::stod(number); });
    const std::string instead = edit.constant.first + place_in_words(edits::packed_program(), edit);
    if (std::stod(numbers.front()) == 0)
        return fmt::format("0 is used instead of {}, or a number up to {}; the numbers do not tell which",
                           instead, numbers.back());
    const std::string which = numbers.size() > kFew ? "between " + numbers.front() + " and " + numbers.back()
                                                    : listed_in_words(numbers, "or");
    return fmt::format("a number of its own is used instead of {} ({}; the numbers do not tell which)",
                       instead, which);
}

/// Of edits that give the same numbers the simplest in each equation is told. Empty if they have too little in
/// common.
std::vector<Told> told_of(const FoundEdits& found) {
    constexpr std::size_t kFew = 3;
    // An array that is changed as a whole says the same as its elements where an equation reads them.
    const bool elements_say_it =
        std::ranges::any_of(found.all, [](const ExplainingEdit& each) { return each.edit.array.empty(); });
    std::vector<Told> told;
    for (const ExplainingEdit& each : found.all) {
        if (elements_say_it && !each.edit.array.empty()) continue;
        if (each.equation.empty() || each.listed != found.all.front().listed) return {};
        const auto same = std::ranges::find_if(
            told, [&](const Told& other) { return other.each->equation == each.equation; });
        if (same == told.end())
            told.push_back({&each, {}});
        else if (complexity(each.edit) < complexity(same->each->edit))
            same->each = &each;
    }
    for (Told& one : told)
        for (const ExplainingEdit& each : found.all)
            if (!one.each->edit.constant.first.empty() && each.equation == one.each->equation &&
                each.edit.constant.first == one.each->edit.constant.first &&
                std::ranges::find(one.numbers, each.edit.constant.second) == one.numbers.end())
                one.numbers.push_back(each.edit.constant.second);
    return told.size() > kFew ? std::vector<Told>() : told;
}

}  // namespace

std::optional<report::Diagnosis> describe(const FoundEdits& found, report::Hints hints) {
    const auto told = told_of(found);
    if (told.empty()) return std::nullopt;
    report::Diagnosis diagnosis;
    diagnosis.sentence = report::kExactly;
    if (const auto& listed = told.front().each->listed) {
        diagnosis.sentence += "when " + listed->when + ", and ";
        diagnosis.hints.push_back(listed->hint);
    }
    std::vector<std::string> changes;
    for (const Told& one : told) {
        const ExplainingEdit* const each = one.each;
        // A name that is replaced everywhere stands in several equations.
        if (hints == report::Hints::name && each->edit.changes.size() > 1 && told.size() == 1 &&
            each->edit.said.find(" everywhere ") != std::string::npos) {
            changes.push_back("the function: " + each->edit.said);
            diagnosis.hints.emplace_back(question_about(each->edit.kind));
            continue;
        }
        std::string change = each->equation;
        if (hints == report::Hints::name) {
            change += ": ";
            if (!each->function.empty()) change += "in what " + each->function + " computes, ";
            const std::string words = words_of(one);
            change += words;
            for (const edits::SystematicEdit& other : each->alike)
                if (const std::string said = with_place(other, each->equation, other.said); said != words)
                    change += ", and " + said;
        }
        if (hints == report::Hints::place) change += ": " + std::string(place_of(each->edit.kind));
        changes.push_back(std::move(change));
        const std::string question = question_about(each->edit.kind);
        if (std::ranges::find(diagnosis.hints, question) == diagnosis.hints.end())
            diagnosis.hints.push_back(question);
    }
    const bool alike = std::ranges::any_of(told, [](const Told& one) { return !one.each->alike.empty(); });
    diagnosis.sentence += alike ? "after the same change at several places, in " : "after one change in ";
    if (changes.size() == 1) {
        diagnosis.sentence += changes.front() + ".";
    } else {
        diagnosis.sentence += "one of these places; the numbers do not tell them apart:";
        for (const std::string& change : changes) diagnosis.sentence += "\n- " + change;
    }
    return diagnosis;
}

}  // namespace attn::diagnosis
