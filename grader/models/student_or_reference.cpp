#include "grader/models/student_or_reference.h"

#include <algorithm>
#include <iostream>
#include <stdexcept>

#include <fmt/format.h>

#include "grader/judge/answer.h"
#include "grader/report/text.h"

namespace attn::trained {

namespace {

const ask::Function& function_named(const std::string& name) {
    const ask::Module* const module = ask::module_of(name);
    if (module == nullptr) throw std::logic_error("the contract has no function " + name);
    return *module->find_function(name);
}

Arrays right_answer(const ask::Function& function, const Arrays& inputs,
                    const std::vector<std::string>& wanted, ask::Precision precision) {
    Arrays outputs;
    for (Array& output : evaluate(function, inputs, precision))
        if (ask::is_wanted(wanted, output.name)) outputs.push_back(std::move(output));
    return outputs;
}

/// "Y(1, 3, 2) is 1.49387, expected 0.426396", if an answer is wrong as make grade judges it, otherwise an empty
/// text. Wrong functions before this one can make inputs that have no right answer.
std::string mistake_in(const Arrays& got, const ask::Function& function, const Arrays& inputs,
                       const std::vector<std::string>& wanted) {
    if (!function.refusal(ask::sizes_of(function, inputs), inputs).empty()) return {};
    const Arrays f64 = right_answer(function, inputs, wanted, ask::Precision::f64),
                 f32 = right_answer(function, inputs, wanted, ask::Precision::f32);
    judge::Question question;
    question.function = &function;
    judge::Verdict verdict;
    verdict.inputs = inputs;
    for (std::size_t k = 0; k < got.size(); ++k) {
        if (!ask::all_finite(f64[k]) || !judge::same_decisions(f64[k], f32[k])) continue;
        question.wanted.push_back(got[k].name);
        verdict.got.push_back(got[k]);
        verdict.truth_f64.push_back(f64[k]);
        verdict.truth_f32.push_back(f32[k]);
        verdict.units.push_back(judge::yardstick_of(f64[k], f32[k]));
    }
    if (verdict.got.empty() || judge::agrees_with_truth(question, verdict)) return {};
    const Array& wrong = verdict.got[verdict.output];
    const std::size_t worst = verdict.comparison.worst;
    return fmt::format("{} is {:.6g}, expected {:.6g}", judge::name_element(wrong, worst),
                       number_at(wrong, worst), number_at(verdict.truth_f64[verdict.output], worst));
}

}  // namespace

UsedFunction& StudentOrReference::origin_of(const std::string& function) {
    const auto origin = std::find_if(origins_.begin(), origins_.end(),
                                     [&](const UsedFunction& known) { return known.function == function; });
    if (origin != origins_.end()) return *origin;
    return origins_.emplace_back(UsedFunction{function, 0, asked_.contains(function), {}, false});
}

std::optional<Arrays> StudentOrReference::of_student(const std::string& name, const Arrays& inputs,
                                                     const std::vector<std::string>& wanted) {
    const ask::Function& function = function_named(name);
    UsedFunction& origin = origin_of(name);
    if (!origin.students) return std::nullopt;
    worker::CallResult result = student_(function, inputs, wanted, worker::Placement::ends_at_guard);
    if (result.outcome == Outcome::passed) {
        const Outcome seen = judge::inspect(function, result.outputs, result.detail);
        if (seen == Outcome::passed || seen == Outcome::not_finite || seen == Outcome::partly_written) {
            if (checked_ == Checked::yes && !origin.wrong) {
                origin.note = mistake_in(result.outputs, function, inputs, wanted);
                origin.wrong = !origin.note.empty();
            }
            return std::move(result.outputs);
        }
        result.outcome = seen;
    }
    origin.students = false;
    origin.note = result.outcome == Outcome::not_implemented || result.outcome == Outcome::missing
                      ? "not written yet"
                      : fmt::format("{}: {}", in_words(result.outcome), report::one_line(result.detail));
    return std::nullopt;
}

Arrays StudentOrReference::operator()(const std::string& name, const Arrays& inputs,
                                      const std::vector<std::string>& wanted) {
    if (std::optional<Arrays> own = of_student(name, inputs, wanted)) return std::move(*own);
    return right_answer(function_named(name), inputs, wanted, ask::Precision::f32);
}

const UsedFunction* StudentOrReference::first_wrong() const {
    const auto found = std::find_if(origins_.begin(), origins_.end(),
                                    [](const UsedFunction& origin) { return origin.wrong; });
    return found == origins_.end() ? nullptr : &*found;
}

bool StudentOrReference::is_students(const std::string& function) const {
    return std::any_of(origins_.begin(), origins_.end(), [&](const UsedFunction& origin) {
        return origin.function == function && origin.students;
    });
}

std::set<std::string> all_functions(const std::vector<rubric::Rubric>& rubrics) {
    std::set<std::string> names;
    for (const rubric::Rubric& rubric : rubrics)
        for (const rubric::PartRubric& part : rubric.parts) names.insert(part.function->name);
    return names;
}

std::vector<UsedFunction> origins_with_assignments(
    const StudentOrReference& functions, const std::function<int(const std::string&)>& assignment_of) {
    std::vector<UsedFunction> origins = functions.origins();
    for (UsedFunction& origin : origins) origin.assignment = assignment_of(origin.function);
    return origins;
}

std::string wrong_function(const StudentOrReference& functions,
                           const std::function<int(const std::string&)>& assignment_of) {
    const UsedFunction* const wrong = functions.first_wrong();
    if (wrong == nullptr) return {};
    return fmt::format("Your {} is wrong: {}. Type make grade A={}.", wrong->function, wrong->note,
                       assignment_of(wrong->function));
}

void print(const std::vector<UsedFunction>& origins) {
    for (const UsedFunction& origin : origins)
        std::cout << fmt::format("   {:<30} {:<16} {}\n", origin.function,
                                 origin.students ? "yours" : "the reference's", origin.note);
}

Array reshaped(Array array, Shape shape, const std::string& name) {
    array.shape = std::move(shape);
    array.name = name;
    return array;
}

}  // namespace attn::trained
