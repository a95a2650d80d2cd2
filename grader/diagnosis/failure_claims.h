#pragma once
/// What may be said about where a function is right and where it is wrong. failure_pattern.h decides which of it is true.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/diagnosis/diagnose.h"

namespace attn::diagnosis {

/// A sentence, and for which calls it says that the function is right.
struct Claim {
    std::string sentence;
    /// Nothing where the sentence says nothing.
    std::function<std::optional<bool>(const judge::Question&, const Arrays& inputs)> right;
    std::vector<judge::Question> probes;  ///< further calls that have to agree
    bool clearly = false;                 ///< what it calls right has to be far within the tolerance
    /// One right call at least has these lengths over 1: "right where V <= H" is not known from V = 1 alone.
    std::vector<std::string> over_1 = {};
};

/// Whether a call leaves this input out.
bool is_absent(const judge::Question& question, const std::string& input);
/// The value of an option in a call: the given one, or its default.
double option_of(const judge::Question& question, const ask::OptionSpec& option);

/// The same call with masks of ones. Nothing if its masks have no 0, or if it must be refused.
std::optional<judge::Question> with_full_masks(judge::Question question);

/// Claims about options, inputs that are left out, and outputs that are not asked for.
std::vector<Claim> claims_on_settings(const judge::Question& failed);

/// Claims about the numbers in the inputs: a row of a mask without a 1, a row of numbers below 0, a length of 0.
/// Only those that no answer to inputs of the same kind refutes.
std::vector<Claim> claims_on_contents(const Evidence& failed, std::span<const Evidence> answers);

/// Whether a mask among the inputs has a row without a 1: the sum of that row's exponentials is 0.
bool has_empty_row(const judge::Verdict& verdict);
/// Whether an output has wrong numbers in a row whose row of a mask has a 1.
bool wrong_beside_empty_rows(const Evidence& answer);

/// Claims about the lengths. `ones`: the letters whose length 1 is right. `smallest`: the sizes of the smallest
/// failing case.
std::vector<Claim> claims_on_sizes(const judge::Question& failed, const std::vector<std::string>& ones,
                                   const std::optional<ask::Sizes>& smallest);

/// "Wrong only with normal numbers." To tell it from what else differs between the cases, the same
/// calls are asked with the inputs of the other kinds. Nothing if there are none.
std::optional<Claim> claim_on_recipe(const judge::Question& failed, std::span<const Evidence> answers);

/// The same, but where one of these lengths is 1 the function is right.
Claim with_exception(const Claim& claim, const std::vector<std::string>& ones);
/// Whether a claim is the other one, with or without an exception.
bool is_exception_of(const Claim& claim, const Claim& of);

}  // namespace attn::diagnosis
