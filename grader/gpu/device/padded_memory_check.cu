// A program for the emulator and for nvcc: PaddedMemory notices a kernel that writes beyond an array, and
// holds NaN.

#include <cmath>
#include <cstdio>
#include <string>

#include "grader/gpu/device/padded_memory.h"

__global__ void write_element(float* x, int i) {
    x[i] = 1;
}

/// What the check says after a kernel has written element i of an array of 5; empty if it says nothing.
std::string said_after_writing(int i) {
    const attn::worker::PaddedMemory memory(5 * sizeof(float));
    write_element<<<1, 1>>>(reinterpret_cast<float*>(memory.data()), i);
    attn::cuda::check(cudaDeviceSynchronize(), "write_element");
    try {
        memory.require_intact("argument 2");
    } catch (const attn::cuda::DeviceError& error) {
        return error.what();
    }
    return "";
}

bool holds_nan() {
    const attn::worker::PaddedMemory memory(5 * sizeof(float));
    float x = 0;
    attn::cuda::check(cudaMemcpy(&x, memory.data() + 4 * sizeof x, sizeof x, cudaMemcpyDeviceToHost),
                      "cudaMemcpy");
    return std::isnan(x);
}

int main() {
    int failed = 0;
    const auto require = [&](bool right, const char* what) {
        if (!right) std::printf("wrong: %s\n", what), ++failed;
    };
    require(said_after_writing(0).empty(), "the first element is the array's");
    require(said_after_writing(4).empty(), "the last element is the array's");
    require(said_after_writing(5) == "a kernel wrote 4 bytes of the memory after the end of argument 2",
            "the element after the last one");
    require(said_after_writing(-1) == "a kernel wrote 4 bytes of the memory before argument 2",
            "the element before the first one");
    require(holds_nan(), "fresh memory holds NaN");
    return failed == 0 ? 0 : 1;
}
