#pragma once
/// Common code of the corpus's programs. Each program has many kernels, one per namespace, and runs the one
/// that its first argument names; without arguments it lists them. It exits with 0 if the kernel's numbers
/// equal those of a plain loop on the host, else with 1. nvcc compiles the programs, too.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>
#if defined(ATTN_EMULATOR)
#include <attn_emulator.h>
#endif

namespace corpus {

/// An array on the device.
template <class T>
class OnDevice {
  public:
    /// Uninitialised.
    explicit OnDevice(int size) : size_(size) { cudaMalloc(&data_, bytes()); }
    OnDevice(int size, T value) : OnDevice(std::vector<T>(static_cast<std::size_t>(size), value)) {}
    explicit OnDevice(const std::vector<T>& values) : OnDevice(static_cast<int>(values.size())) {
        cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice);
    }
    ~OnDevice() { cudaFree(data_); }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

    operator T*() const { return data_; }
    std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }
    std::vector<T> values() const {
        std::vector<T> result(static_cast<std::size_t>(size_));
        cudaMemcpy(result.data(), data_, bytes(), cudaMemcpyDeviceToHost);
        return result;
    }

  private:
    T* data_ = nullptr;
    int size_;
};

/// Pseudo-random numbers from -1 to 1, the same ones every time.
inline std::vector<float> numbers(int count, unsigned seed = 1) {
    std::vector<float> result;
    for (int i = 0; i < count; ++i) {
        seed = seed * 1664525u + 1013904223u;
        result.push_back(static_cast<float>(seed >> 8) / 8388608.0f - 1.0f);
    }
    return result;
}

/// Whether every number is near the expected one; NaN is near no number.
template <class T, class U>
bool near(const std::vector<T>& got, const std::vector<U>& wanted, double tolerance = 1e-5) {
    if (got.size() != wanted.size() || got.empty()) return false;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double difference = std::fabs(static_cast<double>(got[i]) - static_cast<double>(wanted[i]));
        if (!(difference <= tolerance * (1 + std::fabs(static_cast<double>(wanted[i]))))) {
            std::printf("[%zu] is %g, not %g\n", i, static_cast<double>(got[i]),
                        static_cast<double>(wanted[i]));
            return false;
        }
    }
    return true;
}

/// The values of `value(i)` for i = 0 .. count - 1.
template <class Function>
std::vector<double> wanted(int count, Function value) {
    std::vector<double> result;
    for (int i = 0; i < count; ++i) result.push_back(static_cast<double>(value(i)));
    return result;
}

inline int blocks_for(int work, int threads) {
    return (work + threads - 1) / threads;
}

struct Case {
    const char* name;
    bool (*is_right)();
};

/// Whether neither the launch nor the kernel gave an error.
inline bool no_errors() {
    const cudaError_t launched = cudaGetLastError(), ran = cudaDeviceSynchronize();
    if (launched == cudaSuccess && ran == cudaSuccess) return true;
    std::printf("%s; %s\n", cudaGetErrorString(launched), cudaGetErrorString(ran));
    return false;
}

/// Runs a case once for each seed, which draws the orders of execution. Prints the findings and the result of
/// each run.
inline bool run_with_seeds(const Case& one, int first, int last) {
    bool all_right = true;
    for (int seed = first; seed <= last; ++seed) {
#if defined(ATTN_EMULATOR)
        attn::emulator::begin(static_cast<unsigned>(seed), true);
#endif
        bool right = one.is_right();
        right = no_errors() && right;
#if defined(ATTN_EMULATOR)
        for (const auto& finding : attn::emulator::findings())
            std::printf("found %s %s\n", finding.kind.c_str(), finding.text.c_str());
#endif
        std::printf("seed %d: %s\n", seed, right ? "right" : "wrong");
        std::fflush(stdout);
        all_right = all_right && right;
    }
    return all_right;
}

/// PROGRAM [NAME [FIRST_SEED LAST_SEED]]
inline int run(int argc, char** argv, const std::vector<Case>& cases) {
    for (const Case& one : cases) {
        if (argc < 2) {
            std::puts(one.name);
        } else if (std::strcmp(argv[1], one.name) == 0) {
            if (argc > 3) return run_with_seeds(one, std::atoi(argv[2]), std::atoi(argv[3])) ? 0 : 1;
            const bool right = one.is_right();
            return no_errors() && right ? 0 : 1;
        }
    }
    return argc < 2 ? 0 : 2;
}

}  // namespace corpus
