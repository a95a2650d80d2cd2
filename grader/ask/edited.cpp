#include "grader/ask/edited.h"

#include <algorithm>
#include <limits>

#include "grader/edits/intermediates.h"
#include "grader/edits/woven.h"

namespace attn::ask {
namespace {

/// More iterations than any call of a rubric needs.
constexpr std::int64_t kMostSteps = std::int64_t{1} << 28;
/// An edit may need this many times the iterations of the plain loops, and some.
constexpr std::int64_t kTimes = 8, kSome = 1000;
/// An edit that no longer refuses a call may need so many iterations. Rubrics refuse small sizes.
constexpr std::int64_t kOfRefused = 100 * kSome;

void forget(Array& array) {
    if (auto* const floats = std::get_if<std::vector<float>>(&array.values))
        std::ranges::fill(*floats, std::numeric_limits<float>::quiet_NaN());
    else if (auto* const doubles = std::get_if<std::vector<double>>(&array.values))
        std::ranges::fill(*doubles, std::numeric_limits<double>::quiet_NaN());
    else if (auto* const bytes = std::get_if<std::vector<std::uint8_t>>(&array.values))
        std::ranges::fill(*bytes, std::uint8_t{0});
}

/// The number of the function's plain loops. -1 if they are not there.
int number_of(const Function& function) {
    const edits::Program& program = edits::packed_program();
    int number = -1;
    for (int k = 0; k < program.count(); ++k)
        if (program.declaration(k).name == function.name && program.is_public(k)) number = k;
    return number;
}

template <class T>
edits::Machine<T>& machine() {
    thread_local edits::Machine<T> kMachine(edits::packed_program());
    return kMachine;
}

}  // namespace

EditedCall::EditedCall(const Function& function, const Arrays& inputs, Precision precision)
    : number_(number_of(function)),
      precision_(precision),
      arrays_(function, inputs, precision),
      most_steps_(kMostSteps) {
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

const Arrays* EditedCall::outputs(std::span<const edits::Replacement> replacements) {
    if (number_ < 0) return nullptr;
    for (Array& output : arrays_.outputs) forget(output);
    const bool done = precision_ == Precision::f32 ? run(machine<float>(), replacements)
                                                   : run(machine<double>(), replacements);
    return done ? &arrays_.outputs : nullptr;
}

Arrays intermediates(const Function& function, const Arrays& inputs, std::size_t most_numbers) {
    const int number = number_of(function);
    if (number < 0) return {};
    const CallArrays arrays(function, inputs, Precision::f64);
    return edits::intermediates(edits::packed_program(), number, arrays.arguments, most_numbers);
}

std::optional<Arrays> listed_mistaken(const std::string& module, const Function& function,
                                      std::span<const int> made, const Arrays& inputs, Precision precision) {
    namespace woven = edits::woven;
    const woven::Function* const code = woven::find(module.c_str(), function.name.c_str());
    if (code == nullptr || !woven::compatible(module.c_str(), made)) return std::nullopt;
    CallArrays call(function, inputs, precision);
    std::ranges::for_each(call.outputs, forget);
    const woven::Switched switched(made);
    try {
        (precision == Precision::f32 ? code->f32 : code->f64)(call.arguments.data(),
                                                              static_cast<int>(call.arguments.size()));
    } catch (const std::exception&) {
        return std::nullopt;  // it leaves an array, or refuses the sizes
    }
    return std::move(call.outputs);
}

}  // namespace attn::ask
