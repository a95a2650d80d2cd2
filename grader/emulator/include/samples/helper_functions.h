#pragma once
/// The CUDA samples' helper_functions.h: command line, stop watch, comparison of results.

#include <math.h>

#include "helper_string.h"
#include "helper_timer.h"

/// Whether the Euclidean distance of two arrays is at most `epsilon` of the norm of the first.
inline bool sdkCompareL2fe(const float* reference, const float* data, unsigned count, float epsilon) {
    double difference = 0, norm = 0;
    for (unsigned i = 0; i < count; ++i) {
        const double d = static_cast<double>(reference[i]) - static_cast<double>(data[i]);
        difference += d * d;
        norm += static_cast<double>(reference[i]) * static_cast<double>(reference[i]);
    }
    return norm > 0 && sqrt(difference / norm) <= static_cast<double>(epsilon);
}
