#pragma once
/// Compares an array with the truth. The truth is computed by the plain loops in double. Errors are measured
/// in units of the yardstick: the error of the same loops in float on the same inputs, plus one rounding of
/// the largest number.

#include <cstddef>
#include <vector>

#include "assignments/array.h"

namespace attn::judge {

/// Whether the elements are whole numbers, such as tokens or masks. They have no rounding errors.
bool has_whole_numbers(const Array& array);

/// yardstick = max |truth_f32 - truth_f64| + eps max |truth_f64|; 0 for whole numbers
double yardstick_of(const Array& truth_f64, const Array& truth_f32);

struct Comparison {
    bool ok = true;
    std::vector<bool> wrong;  ///< one mark for each element
    std::size_t wrong_count = 0;
    std::size_t not_finite = 0;  ///< NaN or infinity where the truth is a number
    std::size_t worst = 0;  ///< index of the first element that is not finite, or else of the largest error
    double error_yardsticks = 0;  ///< the largest error; infinite if an element is not finite
    double limit = 0;             ///< the largest allowed error
};

/// Compares every element of `got` with the truth. An element passes if |got - truth| <= allowed * yardstick.
/// NaN never passes. Throws std::logic_error if the shapes differ or the truth is not finite.
Comparison compare(const Array& got, const Array& truth_f64, double yardstick, double allowed_yardsticks);

/// Whether `got` has the numbers of a wanted result that may overflow: `got` is not finite exactly where the
/// float result is not, and elsewhere it is within the limit of the double result. Recognises mistakes that
/// overflow. Whole numbers must be those of the double or of the float result.
bool same_numbers(const Array& got, const Array& wanted_f64, const Array& wanted_f32,
                  double allowed_yardsticks);

}  // namespace attn::judge
