#pragma once
/// Which call is asked for. Its inputs follow from a CallSpec and a random seed.

#include <string>
#include <vector>

#include "grader/ask/module.h"

namespace attn::ask {

/// A call of a function: what its inputs are like, and which outputs it has to write.
struct CallSpec {
    const Function* function = nullptr;
    const Recipe* recipe = nullptr;
    Sizes sizes;
    Setting setting;
    std::vector<std::string> wanted;  ///< names of the outputs; empty means all

    /// The inputs of one call.
    Arrays make_inputs(Random& random) const;
    /// "B=2 N=5, norm=pre, without mask". Choices are always said, numbers such as eps only if they are given, or if
    /// `with_defaults`.
    std::string setting_in_words(bool with_defaults = false) const;
    /// "normal numbers, B=2 N=5, norm=pre, without mask"
    std::string about() const;
};

/// Whether `wanted` names this output. An empty list means all outputs.
bool is_wanted(const std::vector<std::string>& wanted, const std::string& output);

}  // namespace attn::ask
