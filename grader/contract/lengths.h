#pragma once
/// Lengths of axes as comments have them: "N_q", "D/H", "P P C", "(H/P) (W/P) + 1", "2 M - 1", "ceil(N/B_r)".
/// They are converted to the form of grader/ask/dims.h, a sum of products of quotients, from which numbers may be
/// subtracted: "H/P*W/P+1", "2*M-1".

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace attn::contract {

/// A quotient is a list of operands (H, P), a product a list of quotients, a length a list of products. A
/// number that is subtracted is a product whose only word begins with a minus. A quotient that is rounded up, "ceil(N/B_r)", is one operand, also of another: "ceil(ceil(N/P)/P)".
using Quotient = std::vector<std::string>;
using Product = std::vector<Quotient>;
using Length = std::vector<Product>;

/// "H/P*W/P+1"
std::string to_string(const Length& length);

/// Definitions of letters in a header: "N = (H/P) (W/P)".
using Definitions = std::map<std::string, Length>;

/// The text is not a length.
class LengthError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The longest length at the start of `text`. Sets `used` to its number of characters. A letter is a word
/// that begins with a capital. Throws LengthError if there is no length, or if it is not a sum of products of
/// quotients.
Length read_length(std::string_view text, const Definitions& definitions, std::size_t& used);

/// The lengths between the brackets of a shape: "B, N_q, D/H". Throws LengthError.
std::vector<std::string> read_shape(std::string_view text, const Definitions& definitions);

}  // namespace attn::contract
