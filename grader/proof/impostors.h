#pragma once
/// Impostors: students who know the right answer and mix only a little of it into an answer that ignores some
/// of the inputs. They keep the symmetries of the right function, but none may earn a point for a property.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/judge/answer.h"
#include "grader/rubric/rubric.h"
#include "grader/testing/sample.h"

namespace attn::proof {

struct Impostor {
    std::string output;  ///< the output that is faked; empty: all of them
    /// Inputs that count as arrays full of `value`. If there are none, the output is such an array.
    std::vector<std::string> ignored;
    double value = 0;
    /// What the ignored inputs change, as a share of what they change in the right answer.
    double influence = 0;

    /// "Y with 1e-05 of the influence of Q, K"
    std::string name() const;
    /// `recipe`: of the inputs. It must outlive the student.
    judge::CallFunction student(const ask::Recipe& recipe) const;
};

/// Impostors of a part: for each output, those that ignore all inputs on which it depends, and those that
/// ignore a quarter of them.
std::vector<Impostor> impostors_of(const judge::Question& question);

/// What a property says to the impostors who fake an output that it compares.
struct PropertyAndImpostors {
    std::string function, property;
    int asked = 0;
    int held = 0;                        ///< for whom the relations hold
    std::vector<std::string> earned_by;  ///< the impostors who pass; there may be none
};

/// Asks a sample of the impostors of each part.
std::vector<PropertyAndImpostors> ask_impostors(const rubric::Rubric& rubric, std::uint64_t seed,
                                                const Sample& sample);

}  // namespace attn::proof
