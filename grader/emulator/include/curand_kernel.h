#pragma once
/// The emulator's curand_kernel.h: random numbers in kernels. All generators are Philox4x32-10 (Salmon et
/// al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011). They have cuRAND's distributions, but not
/// its numbers.

#include <cstdint>

#include <cuda_runtime.h>

/// The state of one thread's generator.
struct curandStatePhilox4_32_10 {
    std::uint32_t key[2], counter[4], block[4];
    unsigned used;   ///< numbers of the block; 4: the block is used up
    bool has_spare;  ///< normal numbers come in pairs
    double spare;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStatePhilox4_32_10 curandState;
typedef curandStatePhilox4_32_10 curandState_t;
typedef curandStatePhilox4_32_10 curandStateXORWOW_t;
typedef curandStatePhilox4_32_10 curandStateMRG32k3a_t;

namespace attn::emulator {

/// Fills `state.block` with the four numbers of its counter, and advances the counter.
inline void next_random_block(curandStatePhilox4_32_10& state) {
    constexpr std::uint64_t kFirst = 0xd2511f53, kSecond = 0xcd9e8d57;
    constexpr std::uint32_t kWeyl[2] = {0x9e3779b9, 0xbb67ae85};
    std::uint32_t x[4] = {state.counter[0], state.counter[1], state.counter[2], state.counter[3]};
    std::uint32_t key[2] = {state.key[0], state.key[1]};
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = kFirst * x[0], b = kSecond * x[2];
        const std::uint32_t mixed[4] = {
            static_cast<std::uint32_t>(b >> 32) ^ x[1] ^ key[0], static_cast<std::uint32_t>(b),
            static_cast<std::uint32_t>(a >> 32) ^ x[3] ^ key[1], static_cast<std::uint32_t>(a)};
        for (int k = 0; k < 4; ++k) x[k] = mixed[k];
        for (int k = 0; k < 2; ++k) key[k] += kWeyl[k];
    }
    for (int k = 0; k < 4; ++k) state.block[k] = x[k];
    if (++state.counter[0] == 0) ++state.counter[1];
    state.used = 0;
}

}  // namespace attn::emulator

/// Sequences of one seed do not overlap. `offset`: so many numbers are left out.
inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                        curandStatePhilox4_32_10* state) {
    *state = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
              {static_cast<std::uint32_t>(offset / 4), static_cast<std::uint32_t>(offset / 4 >> 32),
               static_cast<std::uint32_t>(sequence), static_cast<std::uint32_t>(sequence >> 32)},
              {},
              0,
              false,
              0};
    attn::emulator::next_random_block(*state);
    state->used = static_cast<unsigned>(offset % 4);
}

inline unsigned curand(curandStatePhilox4_32_10* state) {
    if (state->used == 4) attn::emulator::next_random_block(*state);
    return state->block[state->used++];
}

/// Uniform numbers are above 0 and at most 1.
inline float curand_uniform(curandStatePhilox4_32_10* state) {
    return (static_cast<float>(curand(state) >> 8) + 1) * 0x1p-24f;
}
inline double curand_uniform_double(curandStatePhilox4_32_10* state) {
    const std::uint64_t high = curand(state) >> 5, low = curand(state) >> 6;
    return (static_cast<double>(high << 26 | low) + 1) * 0x1p-53;
}
inline float4 curand_uniform4(curandStatePhilox4_32_10* state) {
    const float x = curand_uniform(state), y = curand_uniform(state), z = curand_uniform(state);
    return {x, y, z, curand_uniform(state)};
}

/// Normal numbers with mean 0 and standard deviation 1, by the method of Box and Muller.
inline double2 curand_normal2_double(curandStatePhilox4_32_10* state) {
    const double radius = sqrt(-2 * log(curand_uniform_double(state))),
                 angle = 6.283185307179586 * curand_uniform_double(state);
    return {radius * cos(angle), radius * sin(angle)};
}
inline double curand_normal_double(curandStatePhilox4_32_10* state) {
    state->has_spare = !state->has_spare;
    if (!state->has_spare) return state->spare;
    const double2 pair = curand_normal2_double(state);
    state->spare = pair.y;
    return pair.x;
}
inline float curand_normal(curandStatePhilox4_32_10* state) {
    return static_cast<float>(curand_normal_double(state));
}
inline float2 curand_normal2(curandStatePhilox4_32_10* state) {
    const double2 pair = curand_normal2_double(state);
    return {static_cast<float>(pair.x), static_cast<float>(pair.y)};
}
inline float4 curand_normal4(curandStatePhilox4_32_10* state) {
    const float2 first = curand_normal2(state), second = curand_normal2(state);
    return {first.x, first.y, second.x, second.y};
}
inline float curand_log_normal(curandStatePhilox4_32_10* state, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(state));
}
