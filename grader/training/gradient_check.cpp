#include "grader/training/gradient_check.h"

#include <algorithm>
#include <cmath>

namespace attn::trained {
namespace {

using training::Numbers;

Numbers gradient_of(training::Task& task, const Numbers& theta, training::Modules& modules) {
    Numbers gradient(theta.size());
    training::Random random(1, 1);
    task.gradients(modules, gradient, theta, random);
    return gradient;
}

/// The norm of a piece of x - y.
double distance(const Numbers& x, const Numbers& y, std::size_t first, std::size_t count) {
    double squares = 0;
    for (std::size_t k = first; k < first + count; ++k) squares += std::pow(double{x[k]} - double{y[k]}, 2);
    return std::sqrt(squares);
}

}  // namespace

GradientCheck compare_gradients(training::Task& task, const Numbers& theta, training::Modules& yours,
                                training::Modules& right) {
    const Numbers a = gradient_of(task, theta, yours), b = gradient_of(task, theta, right),
                  zeros(theta.size());
    constexpr double kLeastShare = 1e-3;
    const double least = kLeastShare * distance(b, zeros, 0, b.size());
    GradientCheck check;
    for (const training::Layout::Entry& entry : task.layout().entries()) {
        const double share = distance(a, b, entry.first, entry.count) /
                             std::max(least, distance(b, zeros, entry.first, entry.count));
        // A difference that is no number is the largest.
        if (check.weight.empty() || !(share <= check.difference)) check = {share, entry.name};
        if (!(share == share)) break;
    }
    return check;
}

}  // namespace attn::trained
