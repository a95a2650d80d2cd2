// Managed, pitched and mapped memory, work of the host in streams, and clocks.

#include <time.h>

#include "../corpus.h"

using namespace corpus;

namespace managed_memory {
__managed__ int rounds;

__global__ void add(float* x, int n, float value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += value;
    if (i == 0) ++rounds;
}
bool run() {
    float* x = nullptr;
    rounds = 0;
    if (cudaMallocManaged(&x, 100 * sizeof(float)) != cudaSuccess) return false;
    for (int i = 0; i < 100; ++i) x[i] = static_cast<float>(i);
    add<<<2, 64>>>(x, 100, 1);
    cudaDeviceSynchronize();
    for (int i = 0; i < 50; ++i) x[i] *= 2;
    add<<<2, 64>>>(x, 100, 3);
    cudaDeviceSynchronize();
    std::vector<float> values(x, x + 100);
    cudaMemcpy(values.data(), x, 40, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return rounds == 2 && near(values, wanted(100, [](int i) { return i < 50 ? 2 * (i + 1) + 3 : i + 4; }));
}
}  // namespace managed_memory

namespace managed_memory_in_two_streams {
// The host waits for one stream and uses its buffer while the other one still works.
__global__ void fill(int* x, int value) {
    x[threadIdx.x] = value;
}
bool run() {
    cudaStream_t streams[2];
    int* buffers[2] = {};
    for (int k = 0; k < 2; ++k) {
        cudaStreamCreate(&streams[k]);
        cudaMallocManaged(&buffers[k], 32 * sizeof(int));
        fill<<<1, 32, 0, streams[k]>>>(buffers[k], k + 5);
    }
    bool right = true;
    for (int k = 1; k >= 0; --k) {
        cudaStreamSynchronize(streams[k]);
        for (int i = 0; i < 32; ++i) right = right && buffers[k][i] == k + 5;
        cudaStreamDestroy(streams[k]);
        cudaFree(buffers[k]);
    }
    return right;
}
}  // namespace managed_memory_in_two_streams

namespace rows_with_a_pitch {
__global__ void scale(char* data, size_t pitch, int width, int height) {
    const int column = threadIdx.x, row = threadIdx.y;
    if (row >= height || column >= width) return;
    reinterpret_cast<float*>(data + row * pitch)[column] *= 2;
}
bool run() {
    const auto a = numbers(5 * 7);
    char* data = nullptr;
    size_t pitch = 0;
    cudaMallocPitch(&data, &pitch, 7 * sizeof(float), 5);
    cudaMemcpy2D(data, pitch, a.data(), 28, 28, 5, cudaMemcpyHostToDevice);
    scale<<<1, dim3(8, 8)>>>(data, pitch, 7, 5);
    std::vector<float> values(35);
    cudaMemcpy2D(values.data(), 28, data, pitch, 28, 5, cudaMemcpyDeviceToHost);
    cudaFree(data);
    return pitch % 256 == 0 && near(values, wanted(35, [&](int i) { return 2 * a[i]; }));
}
}  // namespace rows_with_a_pitch

namespace box_of_three_dimensions {
__global__ void add_slice(cudaPitchedPtr box, int width, int height) {
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    if (x >= width || y >= height) return;
    char* const slice = static_cast<char*>(box.ptr) + z * box.pitch * height;
    reinterpret_cast<float*>(slice + y * box.pitch)[x] += static_cast<float>(z);
}
bool run() {
    const auto a = numbers(3 * 4 * 5);
    cudaPitchedPtr box{};
    const cudaExtent extent = make_cudaExtent(5 * sizeof(float), 4, 3);
    cudaMalloc3D(&box, extent);
    cudaMemset3D(box, 0, extent);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(a.data()), 20, 5, 4);
    copy.dstPtr = box;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    add_slice<<<3, dim3(8, 8)>>>(box, 5, 4);
    std::vector<float> values(60);
    copy.srcPtr = box;
    copy.dstPtr = make_cudaPitchedPtr(values.data(), 20, 5, 4);
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    cudaFree(box.ptr);
    return near(values, wanted(60, [&](int i) { return a[i] + static_cast<float>(i / 20); }));
}
}  // namespace box_of_three_dimensions

namespace mapped_memory {
__global__ void negate(float* x) {
    x[threadIdx.x] = -x[threadIdx.x];
}
bool run() {
    float *host = nullptr, *device = nullptr;
    cudaHostAlloc(&host, 32 * sizeof(float), cudaHostAllocMapped);
    for (int i = 0; i < 32; ++i) host[i] = static_cast<float>(i);
    cudaHostGetDevicePointer(&device, host, 0);
    negate<<<1, 32>>>(device);
    cudaDeviceSynchronize();
    const std::vector<float> values(host, host + 32);
    cudaFreeHost(host);
    return near(values, wanted(32, [](int i) { return -i; }));
}
}  // namespace mapped_memory

namespace functions_of_the_host_in_a_stream {
__global__ void fill(int* x) {
    x[threadIdx.x] = 3;
}
struct Log {
    int* copied;
    int sum = 0, calls = 0;
};
void CUDART_CB add_up(void* data) {
    auto* const log = static_cast<Log*>(data);
    for (int i = 0; i < 32; ++i) log->sum += log->copied[i];
    ++log->calls;
}
void CUDART_CB count(cudaStream_t, cudaError_t status, void* data) {
    if (status == cudaSuccess) ++static_cast<Log*>(data)->calls;
}
bool run() {
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    OnDevice<int> x(32);
    Log log{};
    cudaMallocHost(&log.copied, 32 * sizeof(int));
    fill<<<1, 32, 0, stream>>>(x);
    cudaMemcpyAsync(log.copied, x, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaLaunchHostFunc(stream, add_up, &log);
    cudaStreamAddCallback(stream, count, &log, 0);
    cudaStreamSynchronize(stream);
    cudaFreeHost(log.copied);
    cudaStreamDestroy(stream);
    return log.sum == 96 && log.calls == 2;
}
}  // namespace functions_of_the_host_in_a_stream

namespace streams_with_an_order {
__global__ void write(int* x) {
    x[threadIdx.x] = threadIdx.x;
}
__global__ void twice(const int* x, int* y) {
    y[threadIdx.x] = 2 * x[threadIdx.x];
}
bool run() {
    cudaStream_t first = nullptr, second = nullptr;
    cudaEvent_t written = nullptr;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&written);
    OnDevice<int> x(32), y(32);
    write<<<1, 32, 0, first>>>(x);
    cudaEventRecord(written, first);
    cudaStreamWaitEvent(second, written, 0);
    twice<<<1, 32, 0, second>>>(x, y);
    cudaStreamSynchronize(second);
    write<<<1, 32, 0, first>>>(x);
    cudaStreamSynchronize(first);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaEventDestroy(written);
    return near(y.values(), wanted(32, [](int i) { return 2 * i; }));
}
}  // namespace streams_with_an_order

namespace clocks {
__global__ void measure(long long* ticks, float* y) {
    const clock_t start = clock();
    const long long first = clock64();
    *y = sqrtf(2.0f);
    ticks[0] = clock64() - first;
    ticks[1] = static_cast<long long>(clock() - start);
}
bool run() {
    const clock_t begin = clock();
    OnDevice<long long> ticks(2);
    OnDevice<float> y(1);
    measure<<<1, 1>>>(ticks, y);
    const auto values = ticks.values();
    return values[0] > 0 && values[1] > 0 && clock() >= begin && CLOCKS_PER_SEC > 0 && time(nullptr) > 0;
}
}  // namespace clocks

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"managed_memory", managed_memory::run},
                {"managed_memory_in_two_streams", managed_memory_in_two_streams::run},
                {"rows_with_a_pitch", rows_with_a_pitch::run},
                {"box_of_three_dimensions", box_of_three_dimensions::run},
                {"mapped_memory", mapped_memory::run},
                {"functions_of_the_host_in_a_stream", functions_of_the_host_in_a_stream::run},
                {"streams_with_an_order", streams_with_an_order::run},
                {"clocks", clocks::run}});
}
