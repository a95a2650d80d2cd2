#pragma once
/// Lengths of axes as people write them in comments: "N_q", "D/H", "P P C", "(H/P) (W/P) + 1". Read into the
/// form that grader/ask/dims.h has: a sum of products of quotients, "H/P*W/P+1".

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace attn::contract {

/// A quotient is its operands (H, P), a product its quotients, a sum its products.
using Quotient = std::vector<std::string>;
using Product = std::vector<Quotient>;
using Length = std::vector<Product>;

/// "H/P*W/P+1"
std::string to_string(const Length& length);

/// What letters stand for, where a header says so: "N = (H/P) (W/P)".
using Definitions = std::map<std::string, Length>;

/// Not a length.
class LengthError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The length at the start of `text`, as far as it goes; `used` is how many characters that is. A letter is a
/// word that begins with a capital. Throws LengthError where none starts there, and for one that is no sum of
/// products of quotients.
Length read_length(std::string_view text, const Definitions& definitions, std::size_t& used);

/// The lengths between the brackets of a shape: "B, N_q, D/H". Throws LengthError.
std::vector<std::string> read_shape(std::string_view text, const Definitions& definitions);

}  // namespace attn::contract
