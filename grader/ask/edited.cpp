#include "grader/ask/edited.h"

#include <algorithm>
#include <cstring>
#include <limits>
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
                       std::int64_t most_steps)
    : number_(edits::packed_program().find_public(function.name)),
      precision_(precision),
      arrays_(function, inputs, precision),
      inputs_(arrays_.inputs),
      most_steps_(most_steps) {
    if (number_ < 0) return;
    refused_ = outputs({}) == nullptr;
    most_steps_ = refused_ ? kOfRefused : kTimes * steps_ + kSome;
}

template <class T>
bool EditedCall::run(edits::Machine<T>& machine, std::span<const edits::Replacement> replacements) {
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

ListedCall::ListedCall(std::string module, const Function& function, const Arrays& inputs,
                       Precision precision)
    : module_(std::move(module)),
      precision_(precision),
      code_(edits::woven::find(module_.c_str(), function.name.c_str())) {
    if (code_ != nullptr) arrays_ = std::make_shared<CallArrays>(function, inputs, precision);
}

std::optional<Arrays> ListedCall::outputs(std::span<const int> made) const {
    namespace woven = edits::woven;
    if (code_ == nullptr || !woven::compatible(module_.c_str(), made)) return std::nullopt;
    std::ranges::for_each(arrays_->outputs, forget);
    const woven::Switched switched(made);
    try {
        (precision_ == Precision::f32 ? code_->f32 : code_->f64)(arrays_->arguments.data(),
                                                                 static_cast<int>(arrays_->arguments.size()));
    } catch (const std::exception&) {
        return std::nullopt;  // it leaves an array, or refuses the sizes
    }
    return arrays_->outputs;
}

}  // namespace attn::ask
