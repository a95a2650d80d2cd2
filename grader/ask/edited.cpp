#include "grader/ask/edited.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>

#include "grader/edits/intermediates.h"
#include "grader/edits/systematic.h"

namespace attn::ask {
namespace {

/// An edit may need this many times the iterations of the plain loops, and some.
constexpr std::int64_t kTimes = 8, kSome = 1000;
/// An edit that no longer refuses a call may need so many iterations. Rubrics refuse small sizes.
constexpr std::int64_t kOfRefused = 100 * kSome;

void forget(Array& array) {
    std::visit(
        [](auto& numbers) {
            using Limits = std::numeric_limits<std::decay_t<decltype(numbers[0])>>;
            std::ranges::fill(numbers, Limits::quiet_NaN());  // 0 of whole numbers
        },
        array.values);
}

template <class T>
edits::Machine<T>& machine() {
    thread_local edits::Machine<T> kMachine(edits::packed_program());
    return kMachine;
}

}  // namespace

EditedCall::EditedCall(const Function& function, const Arrays& inputs, Precision precision,
                       Unlimited unlimited)
    : number_(edits::packed_program().find_public(function.name)),
      ignores_refusals_(!unlimited.refuses),
      precision_(precision),
      arrays_(function, inputs, precision),
      inputs_(arrays_.inputs),
      most_steps_(kMostSteps) {}

EditedCall::EditedCall(const Function& function, const Arrays& inputs, Precision precision,
                       std::int64_t most_steps)
    : EditedCall(function, inputs, precision, Unlimited()) {
    if (number_ < 0) return;
    most_steps_ = most_steps;
    refused_ = outputs({}) == nullptr;
    most_steps_ = refused_ ? kOfRefused : kTimes * steps_ + kSome;
}

template <class T>
bool EditedCall::run(edits::Machine<T>& machine, std::span<const edits::Replacement> replacements) {
    machine.ignore_refusals(ignores_refusals_);
    try {
        machine.run(number_, arrays_.arguments, replacements, most_steps_);
        steps_ = machine.steps();
        return true;
    } catch (const edits::CannotRun&) {
        return false;
    }
}

void EditedCall::restore_inputs() {
    for (std::size_t k = 0; k < inputs_.size(); ++k)
        if (inputs_[k].count() > 0)
            std::visit(
                [&](const auto& numbers) {
                    std::memcpy(arrays_.inputs[k].data(), numbers.data(),
                                numbers.size() * sizeof(numbers[0]));
                },
                inputs_[k].values);
}

const Arrays* EditedCall::outputs(std::span<const edits::Replacement> replacements) {
    if (number_ < 0) return nullptr;
    restore_inputs();
    for (Array& output : arrays_.outputs) forget(output);
    const bool done = precision_ == Precision::f32 ? run(machine<float>(), replacements)
                                                   : run(machine<double>(), replacements);
    return done ? &arrays_.outputs : nullptr;
}

Arrays intermediates(const Function& function, const Arrays& inputs, std::size_t most_numbers) {
    const int number = edits::packed_program().find_public(function.name);
    if (number < 0) return {};
    const CallArrays arrays(function, inputs, Precision::f64);
    return edits::intermediates(edits::packed_program(), number, arrays.arguments, most_numbers);
}

namespace {

/// The mistakes that edit one of these functions of the plain loops; all if they could not be read.
template <class Reached>
std::vector<int> mistakes_in(const Module& module, const Function& function, const Reached& reached_from) {
    const edits::Program& program = edits::packed_program();
    std::vector<int> all(module.mistakes.size());
    std::iota(all.begin(), all.end(), 0);
    const auto listed = edits::listed_edits(module.name);
    const int number = program.find_public(function.name);
    if (number < 0 || listed.size() != all.size()) return all;
    const std::vector<int> reached = reached_from(program, number);
    std::erase_if(all, [&](int mistake) {
        return std::ranges::none_of(listed[static_cast<std::size_t>(mistake)], [&](const edits::Edit& edit) {
            return std::ranges::find(reached, edit.function) != reached.end();
        });
    });
    return all;
}

}  // namespace

std::vector<int> mistakes_within(const Module& module, const Function& function) {
    return mistakes_in(module, function, edits::functions_reached_from);
}

std::vector<int> mistakes_in_own_code(const Module& module, const Function& function) {
    return mistakes_in(module, function, edits::own_functions);
}

const edits::EditedFunctions* with_mistakes(const std::string& module, std::span<const int> made) {
    struct Known {
        std::vector<std::vector<edits::Edit>> listed;
        std::map<std::vector<int>, std::unique_ptr<edits::EditedFunctions>> edited;
    };
    thread_local std::map<std::string, Known> kKnown;
    const auto [of_module, is_new] = kKnown.try_emplace(module);
    Known& known = of_module->second;
    edits::Program& program = edits::packed_program();
    if (is_new) known.listed = edits::listed_edits(module);
    const auto [found, is_unknown] = known.edited.try_emplace({made.begin(), made.end()});
    if (!is_unknown) return found->second.get();
    std::vector<edits::Edit> all;
    for (const int mistake : made) {
        const auto& edits = known.listed.at(static_cast<std::size_t>(mistake));
        all.insert(all.end(), edits.begin(), edits.end());
    }
    if (made.size() > 1 && edits::conflict(all)) return nullptr;
    try {
        found->second = std::make_unique<edits::EditedFunctions>(program, all);
    } catch (const edits::SourceError&) {
    }
    return found->second.get();
}

ListedCall::ListedCall(std::string module, const Function& function, const Arrays& inputs,
                       Precision precision)
    : module_(std::move(module)),
      call_(std::make_shared<EditedCall>(function, inputs, precision, EditedCall::Unlimited())) {}

std::optional<Arrays> ListedCall::outputs(std::span<const int> made) const {
    const edits::EditedFunctions* const edited = with_mistakes(module_, made);
    const Arrays* const outputs = edited == nullptr ? nullptr : call_->outputs(edited->replacements());
    return outputs == nullptr ? std::nullopt : std::optional(*outputs);
}

}  // namespace attn::ask
