#pragma once
/// Numbers that a seed decides: the same on every machine, and without a state that a checkpoint would have
/// to keep, because each step of a training draws from a stream of its own.

#include <cmath>
#include <cstdint>
#include <numbers>

namespace attn::training {

/// SplitMix64 (Steele, Lea & Flood 2014).
class Random {
  public:
    /// The stream with this number of this seed.
    Random(std::uint64_t seed, std::uint64_t stream) : state_(seed) {
        state_ = next() + stream * 0x9e3779b97f4a7c15U;
        state_ = next();
    }
    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    /// In [0, 1).
    float uniform() { return static_cast<float>(next() >> 40) * 0x1p-24F; }
    float uniform(float from, float to) { return from + (to - from) * uniform(); }
    /// One of 0 .. count - 1.
    int below(int count) {
        return static_cast<int>((next() >> 32) * static_cast<std::uint64_t>(count) >> 32);
    }
    /// Mean 0, variance 1 (Box & Muller 1958).
    float normal() {
        const double u = 1 - static_cast<double>(next() >> 11) * 0x1p-53;
        const double angle = 2 * std::numbers::pi * static_cast<double>(next() >> 11) * 0x1p-53;
        return static_cast<float>(std::sqrt(-2 * std::log(u)) * std::cos(angle));
    }

  private:
    std::uint64_t state_;
};

}  // namespace attn::training
