// The host's part in a program: streams that overlap, events between them, memory of other kinds.

#include "../corpus.h"

using namespace corpus;

namespace chunks_over_streams {
// Each stream copies a chunk to the device, computes, and copies back, while the other streams do the same.
__global__ void root(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = sqrtf(fabsf(x[i]));
}
bool run() {
    const int n = 1000, chunks = 4, chunk = n / chunks;
    const auto a = numbers(n);
    cudaStream_t streams[chunks];
    float *host_x, *host_y, *x, *y;
    cudaMallocHost(&host_x, n * sizeof(float));
    cudaHostAlloc(&host_y, n * sizeof(float), cudaHostAllocDefault);
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    std::memcpy(host_x, a.data(), n * sizeof(float));
    for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
    for (int c = 0; c < chunks; ++c) {
        const int first = c * chunk;
        cudaMemcpyAsync(x + first, host_x + first, chunk * sizeof(float), cudaMemcpyHostToDevice, streams[c]);
        root<<<(chunk + 63) / 64, 64, 0, streams[c]>>>(x + first, y + first, chunk);
        cudaMemcpyAsync(host_y + first, y + first, chunk * sizeof(float), cudaMemcpyDeviceToHost, streams[c]);
    }
    cudaDeviceSynchronize();
    const bool right = near(std::vector<float>(host_y, host_y + n),
                            wanted(n, [&](int i) { return std::sqrt(std::fabs(a[i])); }));
    for (const cudaStream_t stream : streams) cudaStreamDestroy(stream);
    cudaFree(x);
    cudaFree(y);
    cudaFreeHost(host_x);
    cudaFreeHost(host_y);
    return right;
}
}  // namespace chunks_over_streams

namespace two_streams_in_turns {
// One stream loads a buffer, the other uses it. Events in both directions keep a buffer from being
// overwritten while it is read.
__global__ void add(const float* buffer, float* sum) {
    sum[threadIdx.x] += buffer[threadIdx.x];
}
bool run() {
    const int n = 64, rounds = 6;
    const auto a = numbers(n * rounds);
    float* pinned;
    cudaMallocHost(&pinned, a.size() * sizeof(float));
    std::memcpy(pinned, a.data(), a.size() * sizeof(float));
    OnDevice<float> buffers(2 * n), sum(n, 0.0f);
    cudaStream_t load, use;
    cudaEvent_t loaded[2], used[2];
    cudaStreamCreateWithFlags(&load, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&use, cudaStreamNonBlocking);
    for (int k = 0; k < 2; ++k) {
        cudaEventCreateWithFlags(&loaded[k], cudaEventDisableTiming);
        cudaEventCreateWithFlags(&used[k], cudaEventDisableTiming);
    }
    for (int r = 0; r < rounds; ++r) {
        float* buffer = buffers + n * (r % 2);
        cudaStreamWaitEvent(load, used[r % 2], 0);
        cudaMemcpyAsync(buffer, pinned + n * r, n * sizeof(float), cudaMemcpyHostToDevice, load);
        cudaEventRecord(loaded[r % 2], load);
        cudaStreamWaitEvent(use, loaded[r % 2], 0);
        add<<<1, n, 0, use>>>(buffer, sum);
        cudaEventRecord(used[r % 2], use);
    }
    cudaStreamSynchronize(use);
    for (int k = 0; k < 2; ++k) {
        cudaEventDestroy(loaded[k]);
        cudaEventDestroy(used[k]);
    }
    cudaStreamDestroy(load);
    cudaStreamDestroy(use);
    cudaFreeHost(pinned);
    return near(sum.values(), wanted(n, [&](int i) {
                    double total = 0;
                    for (int r = 0; r < rounds; ++r) total += a[n * r + i];
                    return total;
                }));
}
}  // namespace two_streams_in_turns

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"chunks_over_streams", chunks_over_streams::run},
                {"two_streams_in_turns", two_streams_in_turns::run}});
}
