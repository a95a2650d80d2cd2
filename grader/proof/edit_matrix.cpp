#include "grader/proof/edit_matrix.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <regex>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "grader/ask/edited.h"
#include "grader/ask/inputs.h"
#include "grader/edits/packed.h"
#include "grader/edits/systematic.h"
#include "grader/grading/questions.h"
#include "grader/judge/in_process.h"
#include "grader/judge/property.h"
#include "grader/proof/asked_case.h"

namespace attn::proof {
namespace {

using edits::SystematicEdit;
using rubric::PartRubric;
using rubric::Rubric;

bool fails_a_property(const Rubric& rubric, const PartRubric& part, std::uint64_t seed,
                      const edits::EditedFunctions& edited) {
    if (part.properties.empty()) return false;
    const auto checks = judge::judge_properties(property_question(rubric, part, seed), part.properties,
                                                judge::edited_student(edited));
    return std::ranges::any_of(checks, [](const auto& check) { return check.outcome != Outcome::passed; });
}

/// Calls that the rubric does not make: all recipes of the module with small lengths and any options. Every
/// second call has lengths of 1 and 2 only, because some edits show themselves where two arrays have equally
/// many numbers.
std::vector<judge::Question> further_questions(const Rubric& rubric, const PartRubric& part,
                                               std::uint64_t seed) {
    constexpr int kOfEachRecipe = 40, kLongest = 6, kShortest = 2;
    std::vector<judge::Question> questions;
    const ask::Function& function = *part.function;
    ask::Random random(seed, function.name + " further questions");
    for (const ask::Recipe& recipe : rubric.module->recipes) {
        for (int tries = 0; recipe.fixed.empty() && tries < kOfEachRecipe; ++tries) {
            judge::Question question = numeric_question(rubric, part.cases.front(), seed);
            question.recipe = &recipe;
            question.name = "further " + std::to_string(tries);
            question.wanted.clear();
            question.setting = {};
            for (const std::string& letter : function.letters())
                question.sizes[letter] = 1 + random.below(tries % 2 == 0 ? kLongest : kShortest);
            for (const ask::OptionSpec& option : function.options)
                if (!option.choices.empty())
                    question.setting.options[option.name] =
                        random.below(static_cast<int>(option.choices.size()));
            for (const ask::TensorSpec& input : function.inputs)
                if (input.optional && random.below(2) == 0) question.setting.absent.push_back(input.name);
            questions.push_back(std::move(question));
        }
    }
    return questions;
}

/// The cases of these calls, one of each recipe after the other. A survivor is asked all of them, so they take at most
/// twice kMostSteps iterations together; only those of whole models take more.
std::vector<std::unique_ptr<AskedCase>> further_cases(const Rubric& rubric, const PartRubric& part,
                                                      std::uint64_t seed) {
    std::vector<judge::Question> questions = further_questions(rubric, part, seed);
    std::map<const ask::Recipe*, int> asked;
    std::vector<std::pair<int, std::size_t>> order;
    for (std::size_t k = 0; k < questions.size(); ++k) order.emplace_back(asked[questions[k].recipe]++, k);
    std::ranges::sort(order);
    std::vector<std::unique_ptr<AskedCase>> cases;
    std::int64_t steps = 0;
    for (const auto& [of_recipe, k] : order) {
        if (steps > 2 * kMostSteps) break;
        auto made = asked_or_none(questions[k]);
        if (!made) continue;
        steps += made->steps();
        cases.push_back(std::move(made));
    }
    return cases;
}

/// The edits of the part's function and of the helpers of its file, everywhere they are called.
std::vector<SystematicEdit> own_edits(const edits::Program& program, const std::string& name) {
    const int function = program.find_public(name);
    if (function < 0) return {};
    std::vector<SystematicEdit> own;
    for (const int each : edits::functions_reached_from(program, function)) {
        const bool helper =
            !program.is_public(each) && program.declaration(each).file == program.declaration(function).file;
        if (each == function || helper)
            std::ranges::move(edits::systematic_edits(program, each), std::back_inserter(own));
    }
    return own;
}

/// The cases of the other parts of an assignment. Each is made when the first edit asks it.
class OtherParts {
  public:
    OtherParts(const Rubric& rubric, const PartRubric& part, const edits::Program& program,
               std::uint64_t seed) {
        for (const PartRubric& other : rubric.parts) {
            if (other.function == part.function) continue;
            Other& made = parts_.emplace_back();
            const int function = program.find_public(other.function->name);
            if (function >= 0) made.reached = edits::functions_reached_from(program, function);
            made.questions = numeric_questions(rubric, other, seed);
            made.cases.resize(made.questions.size());
        }
    }

    /// Whether a case of a part that calls this function has another answer.
    bool notice(int function, const edits::EditedFunctions& edited) {
        for (Other& part : parts_) {
            if (std::ranges::find(part.reached, function) == part.reached.end()) continue;
            for (std::size_t k = 0; k < part.cases.size(); ++k) {
                if (!part.cases[k]) part.cases[k] = std::make_unique<AskedCase>(part.questions[k]);
                if (!part.cases[k]->is_too_long() && part.cases[k]->ask(edited) != AskedCase::Answer::right)
                    return true;
            }
        }
        return false;
    }

  private:
    struct Other {
        std::vector<int> reached;
        std::vector<judge::Question> questions;
        std::vector<std::unique_ptr<AskedCase>> cases;
    };
    std::vector<Other> parts_;
};

/// The place of the first class to which a survivor belongs; empty: none.
std::string class_of(const Survivor& survivor, std::span<const TooSmall> too_small) {
    // So small an addition is less than the rounding error that is allowed of most sums. A check or a witness
    // notices it only where a sum is small by luck.
    if (std::regex_search(survivor.said, std::regex(R"(^0\.0000+1 is added to)"))) return "a tiny addition";
    const auto known = std::ranges::find_if(too_small, [&](const TooSmall& each) {
        return std::regex_match(survivor.function, each.function) &&
               std::regex_search(survivor.said, each.edit);
    });
    return known == too_small.end() ? std::string() : known->place;
}

}  // namespace

int EditMatrix::killed() const {
    return std::accumulate(killed_by_case.begin(), killed_by_case.end(),
                           stopped + killed_by_property + killed_elsewhere);
}

int EditMatrix::without_witness() const {
    return static_cast<int>(
        std::ranges::count_if(survivors, [](const Survivor& each) { return each.witness.empty(); }));
}

int EditMatrix::too_small() const {
    return static_cast<int>(survivors.size()) - without_witness() - holes();
}

int EditMatrix::holes() const {
    return static_cast<int>(std::ranges::count_if(survivors, &Survivor::is_hole));
}

std::vector<EditMatrix> edit_matrices(const Installation& installation, const Rubric& rubric,
                                      std::uint64_t seed, const Sample& sample,
                                      const std::function<void(const std::string&)>& begins,
                                      const std::string& function) {
    const std::vector<TooSmall> too_small = read_too_small(installation.proof_of(rubric.module->name));
    std::vector<EditMatrix> matrices;
    for (const PartRubric& part : rubric.parts) {
        if (!function.empty() && part.function->name != function) continue;
        begins(part.function->name);
        matrices.push_back(edit_matrix(rubric, part, seed, sample, too_small));
    }
    return matrices;
}

std::vector<std::string> without_survivor(std::span<const TooSmall> too_small,
                                          std::span<const EditMatrix> matrices) {
    std::set<std::string> used;
    for (const EditMatrix& matrix : matrices)
        for (const Survivor& each : matrix.survivors) used.insert(each.too_small);
    std::vector<std::string> unused;
    for (const TooSmall& each : too_small)
        if (!used.contains(each.place)) unused.push_back(each.place);
    return unused;
}

EditMatrix edit_matrix(const Rubric& rubric, const PartRubric& part, std::uint64_t seed, const Sample& sample,
                       std::span<const TooSmall> too_small) {
    edits::Program& program = edits::packed_program();
    EditMatrix matrix;
    matrix.function = part.function->name;
    std::vector<std::unique_ptr<AskedCase>> cases;
    for (const judge::Question& question : numeric_questions(rubric, part, seed))
        cases.push_back(std::make_unique<AskedCase>(question));
    std::erase_if(cases, [](const auto& each) { return each->is_too_long(); });
    std::ranges::stable_sort(cases, {}, [](const auto& each) { return each->work(); });
    for (const auto& each : cases) matrix.case_names.push_back(each->name());
    matrix.killed_by_case.resize(cases.size());

    std::vector<std::unique_ptr<AskedCase>> further;
    const auto witness_against = [&](const edits::EditedFunctions& edited) -> std::string {
        if (further.empty()) further = further_cases(rubric, part, seed);
        for (const auto& each : further)
            if (each->ask(edited) != AskedCase::Answer::right) return each->about();
        return "";
    };
    std::optional<OtherParts> elsewhere;
    const auto fails_elsewhere = [&](int function, const edits::EditedFunctions& edited) {
        if (!elsewhere) elsewhere.emplace(rubric, part, program, seed);
        return elsewhere->notice(function, edited);
    };
    for (const SystematicEdit& edit : drawn(own_edits(program, matrix.function), sample)) {
        try {
            const std::vector<edits::Edit> made = as_edits(program, edit);
            const edits::EditedFunctions edited(program, made);
            ++matrix.edits;
            bool killed = false;
            for (std::size_t k = 0; k < cases.size() && !killed; ++k) {
                const AskedCase::Answer answer = cases[k]->ask(edited);
                killed = answer != AskedCase::Answer::right;
                if (answer == AskedCase::Answer::none) ++matrix.stopped;
                if (answer == AskedCase::Answer::wrong) ++matrix.killed_by_case[k];
            }
            if (killed) continue;
            if (fails_a_property(rubric, part, seed, edited)) {
                ++matrix.killed_by_property;
                continue;
            }
            if (!program.is_public(edit.function) && fails_elsewhere(edit.function, edited)) {
                ++matrix.killed_elsewhere;
                continue;
            }
            Survivor survivor{program.declaration(edit.function).name,
                              equation_of(program, edit),
                              edit.said,
                              edit.changes.front().text,
                              witness_against(edited),
                              {}};
            survivor.too_small = class_of(survivor, too_small);
            matrix.survivors.push_back(std::move(survivor));
        } catch (const edits::SourceError&) {
            // The edit has no meaning here: a name is not known at its place, for example.
        }
    }
    return matrix;
}

}  // namespace attn::proof
