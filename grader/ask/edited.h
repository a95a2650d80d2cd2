#pragma once
/// Calls functions whose plain loops are edited.

#include <memory>
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
    /// More iterations than any call of a rubric needs.
    static constexpr std::int64_t kMostSteps = std::int64_t{1} << 28;

    /// `inputs`: as of a Question, with its options. A call is not possible if its plain loops take more than
    /// `most_steps` iterations.
    EditedCall(const Function& function, const Arrays& inputs, Precision precision,
               std::int64_t most_steps = kMostSteps);

    /// Without a run of the plain loops as they are, so edits are not limited by its iterations.
    struct Unlimited {
        bool refuses = true;  ///< otherwise only what leaves its arrays gives no outputs
    };
    EditedCall(const Function& function, const Arrays& inputs, Precision precision, Unlimited);

    /// Whether the plain loops of this function could be read and answer this call. (An unlimited one has not asked whether they
    /// refuse it.)
    bool possible() const { return number_ >= 0 && !refused_; }
    /// The iterations of the last outputs() that came to an end.
    std::int64_t steps() const { return steps_; }
    /// The outputs that edited functions give. Nothing if they leave their arrays, divide by zero or do not
    /// end. Elements that are not written are NaN, or 0 if they are whole numbers.
    const Arrays* outputs(std::span<const edits::Replacement> replacements);

  private:
    void restore_inputs();
    template <class T>
    bool run(edits::Machine<T>& machine, std::span<const edits::Replacement> replacements);

    int number_ = -1;
    bool refused_ = false;
    bool ignores_refusals_ = false;
    Precision precision_;
    CallArrays arrays_;
    Arrays inputs_;  ///< as they were: an edit may write to an input
    std::int64_t steps_ = 0, most_steps_;
};

/// What the plain loops of `function` compute on their way, in double: see edits/intermediates.h. Empty if
/// they could not be read.
Arrays intermediates(const Function& function, const Arrays& inputs, std::size_t most_numbers);

/// The functions of the plain loops with these listed mistakes (`made`: indices into edits::listed_mistakes), read once for
/// all calls of this thread. Null if the mistakes exclude each other.
const edits::EditedFunctions* with_mistakes(const std::string& module, std::span<const int> made);

/// The listed mistakes of a module that can change what `function` computes: those in plain loops that it reaches.
std::vector<int> mistakes_within(const Module& module, const Function& function);

/// Those of them that change the function itself or a helper of its own, and no function that has cases of its own.
std::vector<int> mistakes_in_own_code(const Module& module, const Function& function);

/// A call of one function with fixed inputs, for running it with many listed mistakes.
class ListedCall {
  public:
    ListedCall(std::string module, const Function& function, const Arrays& inputs, Precision precision);

    /// The outputs with these mistakes. Nothing if they exclude each other or cannot be made for these shapes.
    std::optional<Arrays> outputs(std::span<const int> made) const;

  private:
    std::string module_;
    std::shared_ptr<EditedCall> call_;  ///< shared by copies of this object
};

}  // namespace attn::ask
