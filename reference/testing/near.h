#pragma once
/// For tests: comparing numbers so that NaN, a missing number and no numbers at all fail.

#include <cmath>
#include <cstddef>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"

namespace attn::testing {

/// |got - want| <= absolute + relative |want| for every element, of which there must be some.
inline boost::test_tools::assertion_result is_near(const Array& got, const std::vector<double>& want,
                                                   double absolute, double relative = 0) {
    boost::test_tools::assertion_result verdict(false);
    const Array in_double = got.cast<double>();
    const std::vector<double>& found = in_double.as<double>();
    if (found.size() != want.size() || want.empty()) {
        verdict.message() << got.name << " has " << found.size() << " numbers, " << want.size()
                          << " are wanted";
        return verdict;
    }
    for (std::size_t k = 0; k < want.size(); ++k) {
        if (!(std::abs(found[k] - want[k]) <= absolute + relative * std::abs(want[k]))) {
            verdict.message() << "number " << k << " of " << got.name << " is " << found[k] << ", " << want[k]
                              << " is wanted, they differ by " << found[k] - want[k];
            return verdict;
        }
    }
    return true;
}

inline boost::test_tools::assertion_result is_near(const Array& got, const Array& want, double absolute,
                                                   double relative = 0) {
    if (got.shape != want.shape) {
        boost::test_tools::assertion_result verdict(false);
        verdict.message() << got.name << " is " << to_string(got.shape) << ", " << to_string(want.shape)
                          << " is wanted";
        return verdict;
    }
    const Array in_double = want.cast<double>();
    return is_near(got, in_double.as<double>(), absolute, relative);
}

}  // namespace attn::testing
