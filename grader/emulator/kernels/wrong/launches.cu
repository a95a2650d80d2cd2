// Launches that no device accepts, and kernels that do not end.

#include <cassert>

#include "../corpus.h"

using namespace corpus;

__global__ void nothing() {}

namespace block_of_1025 {
bool run() {
    nothing<<<1, 1025>>>();  // finds: bad_launch
    return cudaGetLastError() == cudaErrorInvalidConfiguration;
}
}  // namespace block_of_1025

namespace block_of_2048 {
bool run() {
    nothing<<<dim3(2, 2), dim3(64, 32)>>>();  // finds: bad_launch
    return cudaGetLastError() == cudaErrorInvalidConfiguration;
}
}  // namespace block_of_2048

namespace depth_of_65 {
bool run() {
    nothing<<<1, dim3(1, 1, 65)>>>();  // finds: bad_launch
    return true;
}
}  // namespace depth_of_65

namespace no_blocks {
bool run() {
    const int n = 100;
    nothing<<<n / 256, 256>>>();  // finds: bad_launch
    return true;
}
}  // namespace no_blocks

namespace no_threads {
bool run() {
    nothing<<<1, dim3(32, 0)>>>();  // finds: bad_launch
    return true;
}
}  // namespace no_threads

namespace grid_too_high {
bool run() {
    nothing<<<dim3(1, 70000), 32>>>();  // finds: bad_launch
    return true;
}
}  // namespace grid_too_high

namespace shared_over_48_kib {
bool run() {
    nothing<<<1, 32, 60000>>>();  // finds: shared_memory_too_small
    return true;
}
}  // namespace shared_over_48_kib

namespace assertion {
__global__ void check(const float* x) {
    assert(x[threadIdx.x] > 0);  // finds: kernel_assert
}
bool run() {
    OnDevice<float> x(numbers(32));
    check<<<1, 32>>>(x);
    return true;
}
}  // namespace assertion

namespace trap {
__global__ void stop(const float* x) {
    if (x[threadIdx.x] < 0) __trap();  // finds: kernel_trap
}
bool run() {
    OnDevice<float> x(numbers(32));
    stop<<<1, 32>>>(x);
    return true;
}
}  // namespace trap

namespace endless_loop {
__global__ void halve(float* y) {
    float v = 1.0f;
    while (v >= 0) {         // finds: endless
        v *= 0.5f;           // finds: endless
        y[threadIdx.x] = v;  // finds: endless
    }
}
bool run() {
    OnDevice<float> y(32);
    halve<<<1, 32>>>(y);
    cudaDeviceSynchronize();
    return true;
}
}  // namespace endless_loop

namespace waits_for_another_block {
// Blocks run in any order, so the block that is waited for need not run in the meantime.
__global__ void chain(volatile int* turn) {
    const int before = (static_cast<int>(blockIdx.x) + 1) % static_cast<int>(gridDim.x);
    while (turn[before] == 0) {  // finds: endless
    }
    turn[blockIdx.x] = 1;
}
bool run() {
    OnDevice<int> turn(4, 0);
    chain<<<4, 1>>>(turn);
    cudaDeviceSynchronize();
    return true;
}
}  // namespace waits_for_another_block

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"block_of_1025", block_of_1025::run},
                {"block_of_2048", block_of_2048::run},
                {"depth_of_65", depth_of_65::run},
                {"no_blocks", no_blocks::run},
                {"no_threads", no_threads::run},
                {"grid_too_high", grid_too_high::run},
                {"shared_over_48_kib", shared_over_48_kib::run},
                {"assertion", assertion::run},
                {"trap", trap::run},
                {"endless_loop", endless_loop::run},
                {"waits_for_another_block", waits_for_another_block::run}});
}
