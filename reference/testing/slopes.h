#pragma once
/// What plain gradients are held to: the slopes of <dY, Y>, number by number, in double.

#include <cstddef>
#include <functional>
#include <vector>

#include "assignments/array.h"

namespace attn::testing {

/// <dY, Y> for the inputs.
using Loss = std::function<double(const Arrays& inputs)>;

inline double inner_product(const Array& dY, const Array& Y) {
    double sum = 0;
    for (std::size_t k = 0; k < Y.count(); ++k) sum += dY.as<double>()[k] * Y.as<double>()[k];
    return sum;
}

/// What a central difference says about each number of one input.
inline std::vector<double> slopes(const Loss& loss, Arrays inputs, std::size_t which) {
    constexpr double kStep = 1e-5;
    std::vector<double> result;
    for (std::size_t k = 0; k < inputs[which].count(); ++k) {
        double& x = inputs[which].as<double>()[k];
        const double before = x;
        x = before + kStep;
        const double above = loss(inputs);
        x = before - kStep;
        result.push_back((above - loss(inputs)) / (2 * kStep));
        x = before;
    }
    return result;
}

}  // namespace attn::testing
