#pragma once
/// The emulator's curand.h: arrays of random numbers on the device. They have cuRAND's distributions, but not
/// its numbers. The work is done at once, on the default stream.

#include <type_traits>
#include <vector>

#include "curand_kernel.h"

enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_INTERNAL_ERROR = 999
};
typedef curandStatus curandStatus_t;

enum curandRngType {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161
};
typedef curandRngType curandRngType_t;

struct curandGenerator_st {
    unsigned long long seed = 0, offset = 0;
    bool on_host = false;
    cudaStream_t stream = nullptr;
};
typedef curandGenerator_st* curandGenerator_t;

inline curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType) {
    *generator = new curandGenerator_st;
    return CURAND_STATUS_SUCCESS;
}
/// The numbers go to memory of the host.
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType) {
    *generator = new curandGenerator_st;
    (*generator)->on_host = true;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    delete generator;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                         unsigned long long seed) {
    generator->seed = seed;
    generator->offset = 0;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    generator->offset = offset;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

namespace attn::emulator {

/// Writes `count` values of `next(&state)` to the generator's memory. A call uses a sequence of its own.
template <class T, class Next>
curandStatus_t generate(curandGenerator_t generator, T* memory, std::size_t count, Next next, Place place) {
    if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
    curandStatePhilox4_32_10 state;
    curand_init(generator->seed, generator->offset++, 0, &state);
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(next(&state));
    const cudaError_t error = cudaMemcpyAsync(
        memory, values.data(), count * sizeof(T),
        generator->on_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice, generator->stream, place);
    return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

}  // namespace attn::emulator

inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* memory, std::size_t count,
                                     ATTN_CALLED_AT) {
    return attn::emulator::generate(generator, memory, count, curand, place);
}
inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* memory, std::size_t count,
                                            ATTN_CALLED_AT) {
    return attn::emulator::generate(generator, memory, count, curand_uniform, place);
}
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* memory,
                                                  std::size_t count, ATTN_CALLED_AT) {
    return attn::emulator::generate(generator, memory, count, curand_uniform_double, place);
}
inline curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* memory, std::size_t count,
                                           float mean, float deviation, ATTN_CALLED_AT) {
    return attn::emulator::generate(
        generator, memory, count, [=](auto* state) { return mean + deviation * curand_normal(state); },
        place);
}
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* memory,
                                                 std::size_t count, double mean, double deviation,
                                                 ATTN_CALLED_AT) {
    return attn::emulator::generate(
        generator, memory, count, [=](auto* state) { return mean + deviation * curand_normal_double(state); },
        place);
}
