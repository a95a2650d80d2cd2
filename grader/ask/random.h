#pragma once
/// Seeded random numbers that are the same, bit for bit, on every platform. The C++ standard fixes the
/// numbers of mt19937_64, but not those of its distributions. So this class computes its own, in exact
/// arithmetic.

#include <cstdint>
#include <numeric>
#include <random>
#include <string_view>
#include <vector>

namespace attn::ask {

class Random {
  public:
    /// Each (seed, name) has its own stream, so that one check does not change the numbers of another.
    Random(std::uint64_t seed, std::string_view name) : engine_(mix(seed, name)) {}

    /// Uniform in [0, 1), a multiple of 2^-24.
    double uniform() { return static_cast<double>(engine_() >> 40U) * 0x1p-24; }

    /// Mean 0, standard deviation 1, nearly normal: the sum of twelve uniform numbers less 6.
    float normal() {
        double sum = -6;
        for (int k = 0; k < 12; ++k) sum += uniform();
        return static_cast<float>(sum);
    }

    /// Uniform in 0 .. count - 1.
    int below(int count) { return static_cast<int>(uniform() * count); }

    /// A permutation of 0 .. count - 1 that moves every index (for count > 1).
    std::vector<int> permutation(int count) {
        std::vector<int> order(static_cast<std::size_t>(count));
        std::iota(order.begin(), order.end(), 0);
        for (int k = count - 1; k > 0; --k)  // Sattolo's algorithm: a single cycle
            std::swap(order[static_cast<std::size_t>(k)], order[static_cast<std::size_t>(below(k))]);
        return order;
    }

  private:
    static std::uint64_t mix(std::uint64_t seed, std::string_view name) {
        std::uint64_t hash = 0xcbf29ce484222325 ^ seed;  // FNV-1a
        for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
        return hash;
    }
    std::mt19937_64 engine_;
};

}  // namespace attn::ask
