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

namespace freed_when_the_work_is_done {
// Four ways that are right: the device waits in cudaFree, for memory of cudaMalloc; the host waits before
// cudaFree; the release is queued on the stream of the kernel; the release waits for it by an event.
__global__ void fill(int* x, int value) {
    x[threadIdx.x] = value;
}
bool run() {
    cudaStream_t one, two;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    int *a, *b, *c, *d;
    cudaMalloc(&a, 128);
    fill<<<1, 32, 0, one>>>(a, 1);
    cudaFree(a);

    cudaMallocAsync(&b, 128, one);
    fill<<<1, 32, 0, one>>>(b, 2);
    cudaStreamSynchronize(one);
    fill<<<1, 1, 0, two>>>(b + 1, 3);
    cudaEvent_t filled;
    cudaEventCreate(&filled);
    cudaEventRecord(filled, two);
    cudaEventSynchronize(filled);
    cudaFree(b);

    cudaMallocAsync(&c, 128, one);
    fill<<<1, 32, 0, one>>>(c, 4);
    cudaFreeAsync(c, one);

    cudaMallocAsync(&d, 128, two);
    fill<<<1, 32, 0, two>>>(d, 5);
    cudaEventRecord(filled, two);
    cudaStreamWaitEvent(one, filled, 0);
    cudaFreeAsync(d, one);
    cudaEventDestroy(filled);

    int* e;
    cudaMallocAsync(&e, 128, two);
    fill<<<1, 32, 0, two>>>(e, 6);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    cudaDeviceSynchronize();
    cudaFree(e);
    return true;
}
}  // namespace freed_when_the_work_is_done

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"chunks_over_streams", chunks_over_streams::run},
                {"two_streams_in_turns", two_streams_in_turns::run},
                {"freed_when_the_work_is_done", freed_when_the_work_is_done::run}});
}
