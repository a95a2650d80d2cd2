#pragma once
/// Calls functions whose plain loops are edited.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/ask/call_arrays.h"
#include "grader/edits/packed.h"

namespace attn::ask {

/// A call of one function with fixed inputs, for running it with many edits.
class EditedCall {
  public:
    /// `inputs`: as of a Question, with its options.
    EditedCall(const Function& function, const Arrays& inputs, Precision precision);

    /// Whether the plain loops of this function could be read and answer this call.
    bool possible() const { return number_ >= 0 && !refused_; }
    /// The outputs that edited functions give. Nothing if they leave their arrays, divide by zero or do not
    /// end. Elements that are not written are NaN, or 0 if they are whole numbers.
    const Arrays* outputs(std::span<const edits::Replacement> replacements);

  private:
    template <class T>
    bool run(edits::Machine<T>& machine, std::span<const edits::Replacement> replacements);

    int number_ = -1;
    bool refused_ = false;
    Precision precision_;
    CallArrays arrays_;
    std::int64_t steps_ = 0, most_steps_;
};

/// What the plain loops of `function` compute on their way, in double: see edits/intermediates.h. Empty if
/// they could not be read.
Arrays intermediates(const Function& function, const Arrays& inputs, std::size_t most_numbers);

/// The outputs of `function` with these listed mistakes of a module (`made`: indices into
/// edits::listed_mistakes). Nothing if the mistakes exclude each other or cannot be made for these shapes.
std::optional<Arrays> listed_mistaken(const std::string& module, const Function& function,
                                      std::span<const int> made, const Arrays& inputs, Precision precision);

}  // namespace attn::ask
