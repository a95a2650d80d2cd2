// Mistakes of the host: in freeing, in copying, and in not waiting for the device.

#include "../corpus.h"

using namespace corpus;

namespace freed_twice {
bool run() {
    float* x = nullptr;
    cudaMalloc(&x, 100);
    cudaFree(x);
    cudaFree(x);  // finds: bad_free
    return true;
}
}  // namespace freed_twice

namespace freed_memory_of_the_host {
bool run() {
    std::vector<float> a(10);
    cudaFree(a.data());  // finds: bad_free
    return true;
}
}  // namespace freed_memory_of_the_host

namespace freed_in_the_middle {
bool run() {
    float* x = nullptr;
    cudaMalloc(&x, 100);
    cudaFree(x + 1);  // finds: bad_free
    return true;
}
}  // namespace freed_in_the_middle

namespace copy_too_long {
bool run() {
    float* x = nullptr;
    const auto a = numbers(200);
    cudaMalloc(&x, 100 * sizeof(float));
    cudaMemcpy(x, a.data(), 101 * sizeof(float), cudaMemcpyHostToDevice);  // finds: bad_copy
    cudaFree(x);
    return true;
}
}  // namespace copy_too_long

namespace copy_back_too_long {
bool run() {
    OnDevice<float> x(numbers(100));
    std::vector<float> back(200);
    cudaMemcpy(back.data(), x, 200 * sizeof(float), cudaMemcpyDeviceToHost);  // finds: bad_copy
    return true;
}
}  // namespace copy_back_too_long

namespace copy_in_the_wrong_direction {
bool run() {
    OnDevice<float> x(numbers(100));
    std::vector<float> back(100);
    cudaMemcpy(back.data(), x, x.bytes(), cudaMemcpyHostToDevice);  // finds: bad_copy
    return true;
}
}  // namespace copy_in_the_wrong_direction

namespace rectangle_too_high {
bool run() {
    OnDevice<float> x(numbers(80));
    std::vector<float> back(80);
    cudaMemcpy2D(back.data(), 32, x, 40, 32, 9, cudaMemcpyDeviceToHost);  // finds: bad_copy
    return true;
}
}  // namespace rectangle_too_high

namespace memset_too_long {
bool run() {
    OnDevice<float> x(100);
    cudaMemset(x, 0, x.bytes() + 1);  // finds: bad_copy
    return true;
}
}  // namespace memset_too_long

namespace read_before_the_copy_ended {
bool run() {
    float* pinned = nullptr;
    cudaMallocHost(&pinned, 400);
    OnDevice<float> x(numbers(100));
    cudaMemcpyAsync(pinned, x, x.bytes(), cudaMemcpyDeviceToHost);
    const float first = pinned[0];  // finds: not_synchronised
    cudaDeviceSynchronize();
    cudaFreeHost(pinned);
    return first == numbers(100)[0];
}
}  // namespace read_before_the_copy_ended

// The work of two streams has no order. There is no finding, but every seed draws another order, so the
// numbers are sometimes wrong.
namespace two_streams_without_an_event {
__global__ void fill(float* x) {
    x[threadIdx.x] = 2.0f;  // finds: race_between_streams
}
__global__ void copy(const float* x, float* y) {
    y[threadIdx.x] = x[threadIdx.x];  // finds: race_between_streams
}
bool run() {
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    OnDevice<float> x(64, 1.0f), y(64);
    fill<<<1, 64, 0, first>>>(x);
    copy<<<1, 64, 0, second>>>(x, y);
    cudaDeviceSynchronize();
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    return near(y.values(), wanted(64, [](int) { return 2; }));
}
}  // namespace two_streams_without_an_event

namespace copy_does_not_wait {
// The stream is non-blocking, so the copy on the default stream does not wait for it.
__global__ void fill(float* x) {
    x[threadIdx.x] = 2.0f;  // finds: race_between_streams
}
bool run() {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    OnDevice<float> x(64, 1.0f);
    std::vector<float> back(64);
    fill<<<1, 64, 0, stream>>>(x);
    cudaMemcpy(back.data(), x, x.bytes(), cudaMemcpyDeviceToHost);  // finds: race_between_streams
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    return near(back, wanted(64, [](int) { return 2; }));
}
}  // namespace copy_does_not_wait

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"freed_twice", freed_twice::run},
                {"freed_memory_of_the_host", freed_memory_of_the_host::run},
                {"freed_in_the_middle", freed_in_the_middle::run},
                {"copy_too_long", copy_too_long::run},
                {"copy_back_too_long", copy_back_too_long::run},
                {"copy_in_the_wrong_direction", copy_in_the_wrong_direction::run},
                {"rectangle_too_high", rectangle_too_high::run},
                {"memset_too_long", memset_too_long::run},
                {"read_before_the_copy_ended", read_before_the_copy_ended::run},
                {"two_streams_without_an_event", two_streams_without_an_event::run},
                {"copy_does_not_wait", copy_does_not_wait::run}});
}
