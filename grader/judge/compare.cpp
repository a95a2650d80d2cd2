#include "grader/judge/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attn::judge {
namespace {

void require_equal_shapes(const Array& a, const Array& b) {
    if (a.shape != b.shape) {
        throw std::logic_error("the judge cannot compare " + a.name + " " + to_string(a.shape) + " with " +
                               to_string(b.shape));
    }
}

}  // namespace

bool has_whole_numbers(const Array& array) {
    const ElementType type = type_of(array);
    return type == ElementType::i32 || type == ElementType::u8;
}

double yardstick_of(const Array& truth_f64, const Array& truth_f32) {
    require_equal_shapes(truth_f64, truth_f32);
    if (has_whole_numbers(truth_f64)) return 0;
    double error = 0, largest = 0;
    for (std::size_t k = 0; k < truth_f64.count(); ++k) {
        const double exact = number_at(truth_f64, k), rounded = number_at(truth_f32, k);
        if (!std::isfinite(exact) || !std::isfinite(rounded)) continue;
        error = std::max(error, std::abs(rounded - exact));
        largest = std::max(largest, std::abs(exact));
    }
    return error + std::numeric_limits<float>::epsilon() * largest;
}

Comparison compare(const Array& got, const Array& truth_f64, double yardstick, double allowed_yardsticks) {
    require_equal_shapes(got, truth_f64);
    Comparison result;
    result.wrong.resize(got.count());
    result.limit = allowed_yardsticks * yardstick;
    double worst_error = -1;
    for (std::size_t k = 0; k < got.count(); ++k) {
        const double value = number_at(got, k), truth = number_at(truth_f64, k);
        if (!std::isfinite(truth)) throw std::logic_error("the truth of " + got.name + " is not finite");
        const double error = std::abs(value - truth);
        const bool right = error <= result.limit;  // false for NaN
        result.wrong[k] = !right;
        if (!right) ++result.wrong_count;
        const bool finite = std::isfinite(value);
        if (!finite && result.not_finite++ == 0) result.worst = k;
        if (finite && result.not_finite == 0 && error > worst_error) result.worst = k;
        if (finite) worst_error = std::max(worst_error, error);
    }
    result.ok = result.wrong_count == 0;
    const double unit = yardstick > 0 ? yardstick : std::numeric_limits<double>::min();
    result.error_yardsticks =
        result.not_finite != 0 ? std::numeric_limits<double>::infinity() : std::max(worst_error, 0.0) / unit;
    return result;
}

bool same_numbers(const Array& got, const Array& wanted_f64, const Array& wanted_f32,
                  double allowed_yardsticks) {
    const double limit = allowed_yardsticks * yardstick_of(wanted_f64, wanted_f32);
    for (std::size_t k = 0; k < got.count(); ++k) {
        const double value = number_at(got, k), exact = number_at(wanted_f64, k);
        // With a mistake, two numbers can be so close that float and double choose differently.
        if (has_whole_numbers(got) && value == number_at(wanted_f32, k)) continue;
        if (std::isfinite(value) != std::isfinite(number_at(wanted_f32, k))) return false;
        if (std::isfinite(value) && std::isfinite(exact) && !(std::abs(value - exact) <= limit)) return false;
    }
    return true;
}

}  // namespace attn::judge
