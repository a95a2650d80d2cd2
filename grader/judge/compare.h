#pragma once
/// Is an array right? Truth is the plain loops in double; the yardstick is the error those loops make
/// themselves in float on the same inputs, plus one rounding of the largest number.

#include <cstddef>
#include <vector>

#include "assignments/array.h"

namespace attn::judge {

/// yardstick = max |truth_f32 - truth_f64| + eps max |truth_f64|
double yardstick_of(const Array& truth_f64, const Array& truth_f32);

struct Comparison {
    bool ok = true;
    std::vector<bool> wrong;  ///< element by element
    std::size_t wrong_count = 0;
    std::size_t not_finite = 0;   ///< NaN or infinity where the truth is a number
    std::size_t worst = 0;        ///< the first that is not finite, else the one with the largest error
    double error_yardsticks = 0;  ///< the largest error; infinite where not finite
    double limit = 0;             ///< the largest error that is allowed
};

/// Holds every element of `got` against the truth. An element passes if |got - truth| <= allowed * yardstick;
/// NaN never does.
Comparison compare(const Array& got, const Array& truth_f64, double yardstick, double allowed_yardsticks);

/// The same numbers, also where both are not finite: got is not finite exactly where the float result is not,
/// and within the limit of the double result elsewhere. For recognising a mistake that overflows.
bool same_numbers(const Array& got, const Array& wanted_f64, const Array& wanted_f32,
                  double allowed_yardsticks);

}  // namespace attn::judge
