#include "grader/judge/search_edits.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>

#include "grader/ask/edited.h"
#include "grader/ask/inputs.h"

namespace attn::judge {
namespace {

using ask::EditedCall;
using ask::Precision;
using edits::EditedFunctions;
using edits::SystematicEdit;

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    constexpr double kNano = 1e-9;
    return static_cast<double>(now.tv_sec) + kNano * static_cast<double>(now.tv_nsec);
}

/// Whether two results agree in about three digits. A quick test before the exact one.
bool similar(const Array& got, const Array& wanted) {
    constexpr double kShare = 1e-3;
    double largest = 0;
    for (std::size_t k = 0; k < got.count(); ++k)
        if (std::isfinite(number_at(got, k))) largest = std::max(largest, std::abs(number_at(got, k)));
    for (std::size_t k = 0; k < got.count(); ++k) {
        const double a = number_at(got, k), b = number_at(wanted, k);
        if (std::isfinite(a) != std::isfinite(b)) return false;
        if (std::isfinite(a) && std::abs(a - b) > kShare * largest) return false;
    }
    return true;
}

/// An answer, and the calls that compute it with edits.
class Asked {
  public:
    explicit Asked(const Evidence& evidence)
        : evidence_(evidence),
          f32_(*evidence.question->function, evidence.verdict->inputs, Precision::f32),
          f64_(*evidence.question->function, evidence.verdict->inputs, Precision::f64) {}

    bool possible() const { return f32_.possible(); }
    bool similar_to(const EditedFunctions& edited) {
        const Arrays* const outputs = f32_.outputs(edited.replacements());
        if (outputs == nullptr) return false;
        return std::ranges::all_of(evidence_.verdict->got, [&](const Array& got) {
            return similar(got, ask::by_name(*outputs, got.name));
        });
    }
    Explains explained_by(const EditedFunctions& edited) {
        const Arrays* const f32 = f32_.outputs(edited.replacements());
        const Arrays* const f64 = f64_.outputs(edited.replacements());
        return explains_numbers(*evidence_.question, *evidence_.verdict, f64, f32);
    }
    Outcome outcome() const { return evidence_.verdict->outcome; }
    bool crashed() const { return evidence_.verdict->got.empty(); }
    bool was_wrong() const { return outcome() != Outcome::passed; }

  private:
    Evidence evidence_;
    EditedCall f32_, f64_;
};

/// Code that leaves its arrays or does not end gives no numbers, so an edit of this kind explains none.
bool explains_every(std::vector<std::unique_ptr<Asked>>& answers, const EditedFunctions& edited) {
    bool explained = false;
    for (const auto& answer : answers) {
        const Explains said = answer->explained_by(edited);
        if (said == Explains::no) return false;
        if (answer->crashed()) continue;
        if (said == Explains::cannot_say) return false;
        if (answer->was_wrong() && said == Explains::harmless) return false;
        // NaN is the same in the output of every mistake, so it cannot identify one.
        explained = explained || (said == Explains::yes && answer->outcome() == Outcome::wrong);
    }
    return explained;
}

/// Answers of the student to other inputs of the same kinds.
class FreshAnswers {
  public:
    FreshAnswers(std::span<const Evidence> answers, const CallFunction& call, int count) {
        std::vector<Evidence> failed;
        for (const Evidence& evidence : answers)
            if (evidence.verdict->outcome == Outcome::wrong) failed.push_back(evidence);
        std::ranges::stable_sort(failed, {}, work_of);
        for (int number = 0; number < count && !failed.empty(); ++number) {
            const Evidence& like = failed[static_cast<std::size_t>(number) % failed.size()];
            questions_.push_back(std::make_unique<Question>(*like.question));
            Question& question = *questions_.back();
            question.name += " fresh " + std::to_string(number);
            verdicts_.push_back(std::make_unique<Verdict>(answer(question, call)));
            if (verdicts_.back()->got.empty()) continue;
            asked.push_back(std::make_unique<Asked>(Evidence{&question, verdicts_.back().get()}));
        }
    }
    std::vector<std::unique_ptr<Asked>> asked;

  private:
    std::vector<std::unique_ptr<Question>> questions_;
    std::vector<std::unique_ptr<Verdict>> verdicts_;
};

int public_function(const edits::Program& program, const std::string& name) {
    for (int k = 0; k < program.count(); ++k)
        if (program.declaration(k).name == name && program.is_public(k)) return k;
    return -1;
}

/// Edits of the function itself tell most; edits of one call of another function least.
int rank_of(const SystematicEdit& edit, int function) {
    return (edit.function == function ? 0 : 2) + (edit.caller >= 0 ? 1 : 0);
}

}  // namespace

FoundEdits search_edits(const Evidence& filter, std::span<const Evidence> answers, const CallFunction& call,
                        const SearchLimits& limits) {
    const double begin = processor_seconds();
    edits::Program& program = edits::packed_program();
    const int function = public_function(program, filter.question->function->name);
    FoundEdits found;
    Asked first(filter);
    if (function < 0 || !first.possible() || filter.verdict->got.empty()) return found;

    std::vector<Evidence> ordered(answers.begin(), answers.end());
    std::ranges::stable_sort(ordered, {}, work_of);
    std::vector<std::unique_ptr<Asked>> all;
    for (const Evidence& evidence : ordered) all.push_back(std::make_unique<Asked>(evidence));
    std::unique_ptr<FreshAnswers> fresh;

    std::vector<SystematicEdit> candidates = edits::edits_reachable_from(program, function);
    std::ranges::stable_sort(candidates, {},
                             [&](const SystematicEdit& edit) { return rank_of(edit, function); });
    for (SystematicEdit& candidate : candidates) {
        if (!found.all.empty() && rank_of(candidate, function) > rank_of(found.all.front().edit, function))
            break;
        if (processor_seconds() - begin > limits.seconds) break;
        ++found.tried;
        try {
            const std::vector<edits::Edit> made = as_edits(program, candidate);
            const EditedFunctions edited(program, made);
            if (!first.similar_to(edited) || !explains_every(all, edited)) continue;
            if (!fresh) fresh = std::make_unique<FreshAnswers>(answers, call, limits.fresh_inputs);
            if (!fresh->asked.empty() && !explains_every(fresh->asked, edited)) continue;
            std::string equation = equation_of(program, candidate);
            found.all.push_back({std::move(candidate), std::move(equation)});
        } catch (const edits::SourceError&) {
            // The edit has no meaning here: a name is not known at its place, for example.
        }
    }
    found.seconds = processor_seconds() - begin;
    return found;
}

bool explained_by(const FoundEdits& found, const Evidence& answer) {
    edits::Program& program = edits::packed_program();
    Asked asked(answer);
    return !found.all.empty() && asked.possible() &&
           std::ranges::all_of(found.all, [&](const ExplainingEdit& each) {
               const std::vector<edits::Edit> made = as_edits(program, each.edit);
               return asked.explained_by(EditedFunctions(program, made)) == Explains::yes;
           });
}

namespace {

const char* question_about(edits::Kind kind) {
    switch (kind) {
        case edits::Kind::bound:
            return "Write down the range of every index of this equation. Does each of your loops begin and "
                   "end there?";
        case edits::Kind::index:
            return "Which index runs over which axis of which array here? Write the shapes below the "
                   "letters.";
        case edits::Kind::array:
            return "Which arrays does this equation name, and which does your code read?";
        case edits::Kind::operation:
            return "Say this equation aloud, operation by operation. Does your code do the same ones, in the "
                   "same "
                   "order?";
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
            return "the range of a loop";
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
/// the others.
std::size_t complexity(const SystematicEdit& edit) {
    constexpr std::size_t kAtOneCall = 60, kTooMuch = 40, kOther = 10;
    std::size_t total = edit.said.size() + (edit.caller >= 0 ? kAtOneCall : 0);
    if (edit.kind == edits::Kind::extra) total += kTooMuch;
    if (edit.kind == edits::Kind::operation || edit.kind == edits::Kind::condition ||
        edit.kind == edits::Kind::order)
        total += kOther;
    return total;
}

}  // namespace

std::optional<report::Diagnosis> describe(const FoundEdits& found, report::Hints hints) {
    constexpr std::size_t kFew = 3;
    // Of edits that give the same numbers the simplest in each equation is told.
    std::vector<const ExplainingEdit*> told;
    for (const ExplainingEdit& each : found.all) {
        if (each.equation.empty()) return std::nullopt;
        const auto same = std::ranges::find_if(
            told, [&](const ExplainingEdit* other) { return other->equation == each.equation; });
        if (same == told.end())
            told.push_back(&each);
        else if (complexity(each.edit) < complexity((*same)->edit))
            *same = &each;
    }
    if (told.empty() || told.size() > kFew) return std::nullopt;

    report::Diagnosis diagnosis;
    std::vector<std::string> changes;
    for (const ExplainingEdit* const each : told) {
        std::string change = each->equation;
        if (hints == report::Hints::name) change += ": " + each->edit.said;
        if (hints == report::Hints::place) change += ": " + std::string(place_of(each->edit.kind));
        changes.push_back(std::move(change));
        const std::string question = question_about(each->edit.kind);
        if (std::ranges::find(diagnosis.hints, question) == diagnosis.hints.end())
            diagnosis.hints.push_back(question);
    }
    diagnosis.sentence = "Your output is exactly what comes out after one change in ";
    if (changes.size() == 1) {
        diagnosis.sentence += changes.front() + ".";
    } else {
        diagnosis.sentence += "one of these places; the numbers do not tell them apart:";
        for (const std::string& change : changes) diagnosis.sentence += "\n- " + change;
    }
    return diagnosis;
}

}  // namespace attn::judge
