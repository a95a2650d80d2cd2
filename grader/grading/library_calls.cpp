#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "datasets/file_error.h"
#include "grader/grading/hot_line.h"

namespace attn {
namespace {

struct LibraryFunction {
    std::string_view name, in_float;
    float (*call_float)(float);
    double (*call_double)(double);
};

constexpr std::array<LibraryFunction, 3> kFunctions{
    {{"exp", "expf", ::expf, ::exp}, {"tanh", "tanhf", ::tanhf, ::tanh}, {"erf", "erff", ::erff, ::erf}}};

constexpr int kNumbers = 1024, kRepeats = 15;

/// The least time of several runs: other work on the machine only adds to it.
template <class T>
double least_ns(T (*call)(T)) {
    using Clock = std::chrono::steady_clock;
    double least = std::numeric_limits<double>::infinity();
    volatile T sink = 0;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
        const auto start = Clock::now();
        T sum = 0;
        for (int k = 0; k < kNumbers; ++k) sum += call(static_cast<T>(k % 64) / T(16) - T(2));
        sink = sum;
        const std::chrono::duration<double, std::nano> took = Clock::now() - start;
        least = std::min(least, took.count() / kNumbers);
    }
    static_cast<void>(sink);
    return least;
}

}  // namespace

std::string called_in(const std::filesystem::path& library, std::string_view function) {
    const auto* const known = std::ranges::find(kFunctions, function, &LibraryFunction::name);
    if (known == kFunctions.end())
        throw std::invalid_argument("no library function " + std::string(function));
    // The names of the functions that a library takes from others stand in its table of strings, each between
    // zeros.
    const std::string file = data::read_file(library);
    for (const std::string_view name : {known->in_float, known->name}) {
        const std::string entry = '\0' + std::string(name) + '\0';
        if (file.find(entry) != std::string::npos) return std::string(name);
    }
    return {};
}

double call_ns(std::string_view name) {
    for (const LibraryFunction& each : kFunctions) {
        if (each.in_float == name) return least_ns(each.call_float);
        if (each.name == name) return least_ns(each.call_double);
    }
    throw std::invalid_argument("no library function " + std::string(name));
}

}  // namespace attn
