#pragma once
/// Wrong refusals: a student's function that refuses a call which the contract allows, or takes one which it must
/// refuse. Each kind has to be noticed by a public or a secret case.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/rubric/rubric.h"

namespace attn::proof {

/// The wrong refusals of a part that no case notices, in words: "takes an H that does not divide D". `rubric`: with its
/// secret cases.
///   what the contract refuses   is taken; is taken below or above the range; only the first number is looked at
///   what the contract allows    is refused at the ends of a range; above or below 1 where an option must be positive;
///                               where a length is 1, or one length larger than another, or as large
std::vector<std::string> unnoticed_refusals(const rubric::Rubric& rubric, const rubric::PartRubric& part,
                                            std::uint64_t seed);

}  // namespace attn::proof
