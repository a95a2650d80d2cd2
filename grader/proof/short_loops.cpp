#include "grader/proof/short_loops.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "grader/ask/least_lengths.h"
#include "grader/ask/random.h"
#include "grader/edits/packed.h"
#include "grader/grading/questions.h"
#include "grader/proof/asked_case.h"

namespace attn::proof {
namespace {

using edits::Op;
using edits::SystematicEdit;
using rubric::PartRubric;
using rubric::Rubric;

constexpr int kLong = 71;

/// Sizes that the function takes and in which this letter is long and the others are short, or one of them is as
/// long: H heads need a D that they divide. Nothing if there are none.
std::optional<ask::Sizes> long_sizes(judge::Question question, const std::string& letter,
                                     ask::Random& random) {
    const std::vector<std::string> letters = question.function->letters();
    const auto sizes_with = [&](const auto& length_of) {
        for (const std::string& each : letters) question.sizes[each] = length_of(each);
        question.sizes[letter] = kLong;
        return ask::accepts(*question.function, question.sizes);
    };
    if (sizes_with([&random](const auto&) { return 1 + random.below(3); })) return question.sizes;
    for (const std::string& other : letters)
        if (sizes_with(
                [&other, &letter](const auto& each) { return each == other && other != letter ? kLong : 1; }))
            return question.sizes;
    return std::nullopt;
}

/// Calls with one long letter, of all recipes and with any options.
std::vector<judge::Question> long_questions(const Rubric& rubric, const PartRubric& part,
                                            std::uint64_t seed) {
    constexpr int kOfEach = 3;
    const ask::Function& function = *part.function;
    ask::Random random(seed, function.name + " long questions");
    std::vector<judge::Question> questions;
    for (const std::string& letter : function.letters())
        for (const ask::Recipe& recipe : rubric.module->recipes)
            for (int tries = 0; recipe.fixed.empty() && tries < kOfEach; ++tries) {
                judge::Question question = numeric_question(rubric, part.cases.front(), seed);
                question.recipe = &recipe;
                question.name = "long " + std::to_string(tries);
                question.wanted.clear();
                question.setting = {};
                for (const ask::OptionSpec& option : function.options)
                    if (!option.choices.empty())
                        question.setting.options[option.name] =
                            random.below(static_cast<int>(option.choices.size()));
                const auto sizes = long_sizes(question, letter, random);
                if (!sizes) continue;
                question.sizes = *sizes;
                questions.push_back(std::move(question));
            }
    return questions;
}

/// Those of the function and of what it calls in its own file; other files have parts of their own.
std::vector<SystematicEdit> all_short_loops(const edits::Program& program, const std::string& name) {
    std::vector<SystematicEdit> all;
    const int function = program.find_public(name);
    if (function < 0) return all;
    for (const int each : edits::functions_reached_from(program, function))
        if (program.declaration(each).file == program.declaration(function).file)
            std::ranges::move(short_loops(program, each), std::back_inserter(all));
    return all;
}

}  // namespace

std::vector<SystematicEdit> short_loops(const edits::Program& program, int function) {
    const edits::FunctionTree& tree = program.function(function);
    const auto source = [&](const edits::Node& n) {
        return text_of(program.words(), tree.body, n.first, n.last);
    };
    std::vector<SystematicEdit> all;
    for (const edits::Node& n : tree.nodes) {
        if (n.op != Op::loop) continue;
        const edits::Node& condition = tree.at(n.b);
        const bool forwards = condition.op == Op::less || condition.op == Op::less_equal;
        // A loop that counts downwards takes the first values if it starts there.
        const edits::Node& end = forwards ? tree.at(condition.b) : tree.at(tree.at(n.a).a);
        for (const int length : kShortLengths) {
            const int last = condition.op == Op::less ? length : length - 1;
            SystematicEdit edit;
            edit.function = function;
            edit.changes = {{end.first, end.last, fmt::format("std::min({}, {})", source(end), last)}};
            edit.kind = edits::Kind::bound;
            edit.said =
                fmt::format("the loop with the end {} takes the first {} values only", source(end), length);
            all.push_back(std::move(edit));
        }
    }
    return all;
}

ShortLoops short_loops_of(const Rubric& rubric, const PartRubric& part, std::uint64_t seed,
                          const Sample& sample) {
    edits::Program& program = edits::packed_program();
    // The cases with the longest axes notice most, so they are asked first, and the others are made only if needed.
    std::vector<judge::Question> questions = numeric_questions(rubric, part, seed);
    std::erase_if(questions, [](const auto& each) { return !each.refusal().empty(); });
    std::ranges::stable_sort(questions, std::ranges::greater{}, [](const judge::Question& each) {
        return std::ranges::count_if(each.sizes,
                                     [](const auto& size) { return size.second > kShortLengths.back(); });
    });
    std::vector<std::unique_ptr<AskedCase>> cases(questions.size()), witnesses;
    bool searched = false;
    const auto notices = [](AskedCase& asked, const edits::EditedFunctions& edited) {
        return !asked.is_too_long() && asked.ask(edited) != AskedCase::Answer::right;
    };
    const auto is_noticed = [&](const edits::EditedFunctions& edited) {
        for (std::size_t k = 0; k < cases.size(); ++k) {
            if (!cases[k]) cases[k] = std::make_unique<AskedCase>(questions[k]);
            if (notices(*cases[k], edited)) return true;
        }
        return false;
    };
    const auto witness_against = [&](const edits::EditedFunctions& edited) -> std::string {
        if (!std::exchange(searched, true))
            for (const judge::Question& question : long_questions(rubric, part, seed))
                if (auto asked = asked_or_none(question)) witnesses.push_back(std::move(asked));
        for (const auto& each : witnesses)
            if (notices(*each, edited)) return each->about();
        return "";
    };
    ShortLoops result;
    for (const SystematicEdit& edit : drawn(all_short_loops(program, part.function->name), sample)) {
        const std::vector<edits::Edit> made = as_edits(program, edit);
        const edits::EditedFunctions edited(program, made);
        ++result.edits;
        if (is_noticed(edited)) continue;
        result.survivors.push_back({program.declaration(edit.function).name,
                                    equation_of(program, edit),
                                    edit.said,
                                    edit.changes.front().text,
                                    witness_against(edited),
                                    {}});
    }
    return result;
}

namespace {

/// The public function that what stands after `before` belongs to: the one around it, or that of the next call of the
/// kernel or helper around it. Empty if there is none.
std::string function_with(const std::string& kernels, const std::set<std::string>& functions,
                          const std::string& before) {
    static const std::regex head(R"(\n[_a-z][^\n;]*\b(\w+)\([^;{]*\{)");
    const std::size_t last_end = before.rfind("\n}\n");
    const std::string start = before.substr(last_end == std::string::npos ? 0 : last_end);
    std::smatch found;
    if (!std::regex_search(start, found, head)) return "";
    std::string around = found[1];
    if (functions.contains(around)) return around;
    const auto from = kernels.begin() + static_cast<std::ptrdiff_t>(before.size());
    if (!std::regex_search(from, kernels.end(), found, std::regex("\\b" + around + "[(<]"))) return "";
    return function_with(kernels, functions, std::string(kernels.begin(), found[0].first));
}

}  // namespace

std::vector<WrongKernel> short_kernels(const Rubric& rubric, const std::string& kernels, int length) {
    // for (..; k < END; ..), or another condition and k < END. A loop that ends at a number walks no axis.
    static const std::regex loop(R"(for \([^;]*; (?:[^;]* && )?(\w+) <=? (?!\d+ ?[;&])([^;&]+)[;&])");
    std::set<std::string> functions;
    for (const PartRubric& part : rubric.parts) functions.insert(part.function->name);
    std::vector<WrongKernel> all;
    for (std::sregex_iterator at(kernels.begin(), kernels.end(), loop); at != std::sregex_iterator(); ++at) {
        const std::smatch& found = *at;
        const std::string before = kernels.substr(0, static_cast<std::size_t>(found.position()));
        const std::string function = function_with(kernels, functions, before);
        if (function.empty()) continue;
        std::string text = kernels;
        text.replace(static_cast<std::size_t>(found.position(2)), static_cast<std::size_t>(found.length(2)),
                     fmt::format("min(static_cast<int>({}), {})", found.str(2), length));
        const auto line = std::ranges::count(before, '\n') + 1;
        all.push_back({fmt::format("line {}: {} below {} only", line, found.str(1), length), function, "any",
                       std::move(text)});
    }
    return all;
}

}  // namespace attn::proof
