// The host's side: streams, events, copies of all kinds, errors that are checked.

#include "../corpus.h"

using namespace corpus;

__global__ void add_to(float* x, float v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += v;
}
__global__ void copy(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}

namespace streams_and_an_event {
bool run() {
    cudaStream_t first, second;
    cudaEvent_t ready;
    cudaStreamCreate(&first);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&ready);
    const auto a = numbers(100);
    OnDevice<float> x(a), y(100);
    add_to<<<2, 64, 0, first>>>(x, 1.0f, 100);
    cudaEventRecord(ready, first);
    cudaStreamWaitEvent(second, ready, 0);
    copy<<<2, 64, 0, second>>>(x, y, 100);
    cudaStreamSynchronize(second);
    const bool right = near(y.values(), wanted(100, [&](int i) { return a[i] + 1; }));
    cudaEventDestroy(ready);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    return right;
}
}  // namespace streams_and_an_event

namespace independent_streams {
bool run() {
    cudaStream_t streams[2];
    const auto a = numbers(200);
    OnDevice<float> x(a);
    for (int s = 0; s < 2; ++s) {
        cudaStreamCreate(&streams[s]);
        add_to<<<2, 64, 0, streams[s]>>>(x + 100 * s, static_cast<float>(s + 1), 100);
    }
    for (const cudaStream_t stream : streams) {
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    }
    return near(x.values(), wanted(200, [&](int i) { return a[i] + 1 + i / 100; }));
}
}  // namespace independent_streams

namespace timed_by_events {
bool run() {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    OnDevice<float> x(100, 1.0f);
    cudaEventRecord(begin);
    add_to<<<2, 64>>>(x, 1.0f, 100);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float time_ms = -1;
    const bool measured = cudaEventElapsedTime(&time_ms, begin, end) == cudaSuccess && time_ms >= 0;
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return measured && near(x.values(), wanted(100, [](int) { return 2; }));
}
}  // namespace timed_by_events

namespace asynchronous_copies {
bool run() {
    float* pinned = nullptr;
    float* x = nullptr;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocHost(&pinned, 100 * sizeof(float));
    cudaMalloc(&x, 100 * sizeof(float));
    for (int i = 0; i < 100; ++i) pinned[i] = static_cast<float>(i);
    cudaMemcpyAsync(x, pinned, 100 * sizeof(float), cudaMemcpyHostToDevice, stream);
    add_to<<<1, 128, 0, stream>>>(x, 5.0f, 100);
    cudaMemcpyAsync(pinned, x, 100 * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    const bool right =
        near(std::vector<float>(pinned, pinned + 100), wanted(100, [](int i) { return i + 5; }));
    cudaFree(x);
    cudaFreeHost(pinned);
    cudaStreamDestroy(stream);
    return right;
}
}  // namespace asynchronous_copies

namespace copies_of_rectangles {
bool run() {
    const auto a = numbers(10 * 8);
    OnDevice<float> x(a), y(10 * 6, 0.0f);
    std::vector<float> back(10 * 4);
    cudaMemcpy2D(y, 6 * sizeof(float), x, 8 * sizeof(float), 4 * sizeof(float), 10, cudaMemcpyDeviceToDevice);
    cudaMemcpy2D(back.data(), 4 * sizeof(float), y, 6 * sizeof(float), 4 * sizeof(float), 10,
                 cudaMemcpyDeviceToHost);
    return near(back, wanted(40, [&](int i) { return a[i / 4 * 8 + i % 4]; }), 0);
}
}  // namespace copies_of_rectangles

namespace memsets {
bool run() {
    OnDevice<float> x(50), y(50);
    OnDevice<int> z(50);
    cudaMemset(x, 0, x.bytes());
    cudaMemset(z, 1, z.bytes());
    add_to<<<1, 64>>>(x, 3.0f, 50);
    cudaMemcpy(y, x, x.bytes(), cudaMemcpyDeviceToDevice);
    return near(y.values(), wanted(50, [](int) { return 3; })) &&
           near(z.values(), wanted(50, [](int) { return 0x01010101; }));
}
}  // namespace memsets

namespace errors_are_looked_at {
bool run() {
    OnDevice<float> x(64, 0.0f);
    int devices = 0;
    cudaDeviceProp properties;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 1 || cudaSetDevice(0) != cudaSuccess)
        return false;
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess || properties.warpSize != 32) return false;
    if (properties.maxThreadsPerBlock != 1024 || properties.sharedMemPerBlock < 48 << 10) return false;
    add_to<<<1, 64>>>(x, 1.0f, 64);
    if (cudaPeekAtLastError() != cudaSuccess || cudaGetLastError() != cudaSuccess) return false;
    if (std::strlen(cudaGetErrorString(cudaErrorInvalidValue)) < 5) return false;
    return cudaFree(nullptr) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
}
}  // namespace errors_are_looked_at

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"streams_and_an_event", streams_and_an_event::run},
                {"independent_streams", independent_streams::run},
                {"timed_by_events", timed_by_events::run},
                {"asynchronous_copies", asynchronous_copies::run},
                {"copies_of_rectangles", copies_of_rectangles::run},
                {"memsets", memsets::run},
                {"errors_are_looked_at", errors_are_looked_at::run}});
}
