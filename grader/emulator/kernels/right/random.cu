// Random numbers of the device and of the host's interface: their distributions, not cuRAND's own numbers.

#include <curand.h>
#include <curand_kernel.h>

#include "../corpus.h"

using namespace corpus;

/// Whether the numbers have this mean and this variance, and not all are alike.
bool has_moments(const std::vector<float>& values, double mean, double variance) {
    double sum = 0, squares = 0;
    for (const float v : values) {
        sum += static_cast<double>(v);
        squares += static_cast<double>(v) * static_cast<double>(v);
    }
    const double n = static_cast<double>(values.size()), m = sum / n, s = squares / n - m * m;
    return std::fabs(m - mean) < 0.05 && std::fabs(s - variance) < 0.05;
}

namespace random_numbers_in_a_kernel {
__global__ void set_up(curandState* states, unsigned long long seed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed, i, 0, &states[i]);
}
__global__ void draw(curandState* states, float* uniform, float* normal, int each) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState state = states[i];
    for (int k = 0; k < each; ++k) {
        uniform[i * each + k] = curand_uniform(&state);
        normal[i * each + k] = curand_normal(&state);
    }
    states[i] = state;
}
__global__ void first_numbers(unsigned* y) {
    curandStatePhilox4_32_10_t state;
    curand_init(0, 0, 0, &state);
    for (int k = 0; k < 4; ++k) y[k] = curand(&state);
}
bool run() {
    OnDevice<curandState> states(128);
    OnDevice<float> uniform(128 * 32), normal(128 * 32);
    OnDevice<unsigned> first(4);
    set_up<<<2, 64>>>(states, 1234);
    draw<<<2, 64>>>(states, uniform, normal, 32);
    first_numbers<<<1, 1>>>(first);
    bool right = has_moments(uniform.values(), 0.5, 1.0 / 12) && has_moments(normal.values(), 0, 1);
    for (const float v : uniform.values()) right = right && v > 0 && v <= 1;
#if defined(ATTN_EMULATOR)
    // The test vector of Philox4x32-10 for a counter and a key of 0 (Random123, kat_vectors).
    right =
        right && first.values() == std::vector<unsigned>{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u};
#endif
    return right;
}
}  // namespace random_numbers_in_a_kernel

namespace arrays_of_random_numbers {
bool run() {
    OnDevice<float> uniform(4096), normal(4096);
    curandGenerator_t generator = nullptr;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(generator, 7);
    bool right = curandGenerateUniform(generator, uniform, 4096) == CURAND_STATUS_SUCCESS &&
                 curandGenerateNormal(generator, normal, 4096, 1.0f, 2.0f) == CURAND_STATUS_SUCCESS;
    std::vector<float> shifted = normal.values();
    for (float& v : shifted) v = (v - 1) / 2;
    right = right && has_moments(uniform.values(), 0.5, 1.0 / 12) && has_moments(shifted, 0, 1);
    curandDestroyGenerator(generator);
    return right;
}
}  // namespace arrays_of_random_numbers

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"random_numbers_in_a_kernel", random_numbers_in_a_kernel::run},
                {"arrays_of_random_numbers", arrays_of_random_numbers::run}});
}
