// Work in several streams that nothing orders, and managed memory that the host uses too early.

#include "../corpus.h"

using namespace corpus;

struct TwoStreams {
    cudaStream_t first = nullptr, second = nullptr;
    TwoStreams() {
        cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    }
    ~TwoStreams() {
        cudaDeviceSynchronize();
        cudaStreamDestroy(first);
        cudaStreamDestroy(second);
    }
};

namespace two_streams_write_one_buffer {
__global__ void fill(int* x, int value) {
    x[threadIdx.x] = value;  // finds: race_between_streams
}
bool run() {
    const TwoStreams streams;
    OnDevice<int> x(32);
    fill<<<1, 32, 0, streams.first>>>(x, 1);
    fill<<<1, 32, 0, streams.second>>>(x, 2);
    cudaDeviceSynchronize();
    return true;
}
}  // namespace two_streams_write_one_buffer

namespace read_in_another_stream {
__global__ void write(int* x) {
    x[threadIdx.x] = threadIdx.x;  // finds: race_between_streams
}
__global__ void read(const int* x, int* y) {
    y[threadIdx.x] = x[threadIdx.x];  // finds: race_between_streams
}
bool run() {
    const TwoStreams streams;
    OnDevice<int> x(32, 0), y(32);
    write<<<1, 32, 0, streams.first>>>(x);
    read<<<1, 32, 0, streams.second>>>(x, y);
    cudaDeviceSynchronize();
    return true;
}
}  // namespace read_in_another_stream

namespace copied_in_another_stream {
__global__ void write(int* x) {
    x[threadIdx.x] = threadIdx.x;  // finds: race_between_streams
}
bool run() {
    const TwoStreams streams;
    OnDevice<int> x(32, 0);
    int* y = nullptr;
    cudaMallocHost(&y, 128);
    write<<<1, 32, 0, streams.first>>>(x);
    cudaMemcpyAsync(y, x, 128, cudaMemcpyDeviceToHost, streams.second);  // finds: race_between_streams
    cudaDeviceSynchronize();
    cudaFreeHost(y);
    return true;
}
}  // namespace copied_in_another_stream

namespace managed_memory_read_too_early {
__global__ void fill(int* x) {
    x[threadIdx.x] = 1;
}
bool run() {
    int* x = nullptr;
    cudaMallocManaged(&x, 128);
    x[0] = 0;
    fill<<<1, 32>>>(x);
    const bool right = x[0] == 1;  // finds: not_synchronised
    cudaDeviceSynchronize();
    cudaFree(x);
    return right;
}
}  // namespace managed_memory_read_too_early

namespace managed_memory_changed_too_early {
__global__ void sum(const int* x, int* y) {
    atomicAdd(y, x[threadIdx.x]);
}
bool run() {
    int *x = nullptr, *y = nullptr;
    cudaMallocManaged(&x, 128);
    cudaMallocManaged(&y, 4);
    *y = 0;
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 32; ++i) x[i] = round;  // finds: not_synchronised
        sum<<<1, 32>>>(x, y);
    }
    cudaDeviceSynchronize();
    const bool right = *y == 32;
    cudaFree(x);
    cudaFree(y);
    return right;
}
}  // namespace managed_memory_changed_too_early

namespace managed_memory_of_another_stream {
__global__ void fill(int* x) {
    x[threadIdx.x] = 1;
}
bool run() {
    const TwoStreams streams;
    int* x = nullptr;
    cudaMallocManaged(&x, 128);
    fill<<<1, 32, 0, streams.first>>>(x);
    cudaStreamSynchronize(streams.second);
    const bool right = x[0] == 1;  // finds: not_synchronised
    cudaDeviceSynchronize();
    cudaFree(x);
    return right;
}
}  // namespace managed_memory_of_another_stream

namespace launched_on_another_stream {
__global__ void write(int* x) {
    x[threadIdx.x] = threadIdx.x;
}
bool run() {
    const TwoStreams streams;
    OnDevice<int> x(32, 0);
    [[maybe_unused]] const cudaStream_t stream = streams.first;
#if defined(ATTN_EMULATOR)
    attn::emulator::require_stream(stream);
#endif
    write<<<1, 32>>>(x);  // finds: wrong_stream
    cudaDeviceSynchronize();
    return true;
}
}  // namespace launched_on_another_stream

namespace filled_on_another_stream {
bool run() {
    const TwoStreams streams;
    OnDevice<int> x(32, 0);
#if defined(ATTN_EMULATOR)
    attn::emulator::require_stream(streams.first);
#endif
    cudaMemset(x, 0, 128);  // finds: wrong_stream
    cudaDeviceSynchronize();
    return true;
}
}  // namespace filled_on_another_stream

namespace copied_on_the_default_stream {
bool run() {
    const TwoStreams streams;
    OnDevice<int> x(32, 0), y(32);
#if defined(ATTN_EMULATOR)
    attn::emulator::require_stream(streams.second);
#endif
    cudaMemcpyAsync(y, x, 128, cudaMemcpyDeviceToDevice);  // finds: wrong_stream
    cudaDeviceSynchronize();
    return true;
}
}  // namespace copied_on_the_default_stream

namespace freed_before_its_stream_has_finished {
__global__ void write(int* x) {
    x[threadIdx.x] = threadIdx.x;
}
bool run() {
    const TwoStreams streams;
    int* x = nullptr;
    cudaMallocAsync(&x, 128, streams.first);
    write<<<1, 32, 0, streams.first>>>(x);
    cudaFree(x);  // finds: use_after_free
    cudaStreamSynchronize(streams.first);
    return true;
}
}  // namespace freed_before_its_stream_has_finished

namespace freed_after_the_wrong_stream {
__global__ void sum(const int* x, int* y) {
    atomicAdd(y, x[threadIdx.x]);
}
bool run() {
    const TwoStreams streams;
    OnDevice<int> y(1, 0);
    int* x = nullptr;
    cudaMallocAsync(&x, 128, streams.first);
    cudaMemsetAsync(x, 0, 128, streams.first);
    sum<<<1, 32, 0, streams.first>>>(x, y);
    cudaStreamSynchronize(streams.second);
    cudaFree(x);  // finds: use_after_free
    cudaStreamSynchronize(streams.first);
    return true;
}
}  // namespace freed_after_the_wrong_stream

namespace freed_on_another_stream {
__global__ void sum(const int* x, int* y) {
    atomicAdd(y, x[threadIdx.x]);  // finds: use_after_free
}
bool run() {
    const TwoStreams streams;
    OnDevice<int> y(1, 0);
    int* x = nullptr;
    cudaMallocAsync(&x, 128, streams.first);
    cudaMemsetAsync(x, 0, 128, streams.first);
    cudaStreamSynchronize(streams.first);
    sum<<<1, 32, 0, streams.first>>>(x, y);
    cudaFreeAsync(x, streams.second);  // finds: use_after_free
    cudaDeviceSynchronize();
    return true;
}
}  // namespace freed_on_another_stream

namespace copied_while_another_stream_frees {
bool run() {
    const TwoStreams streams;
    OnDevice<int> y(32);
    int* x = nullptr;
    cudaMallocAsync(&x, 128, streams.first);
    cudaMemsetAsync(x, 0, 128, streams.first);
    cudaStreamSynchronize(streams.first);
    cudaMemcpyAsync(y, x, 128, cudaMemcpyDeviceToDevice, streams.first);  // finds: use_after_free
    cudaFreeAsync(x, streams.second);                                     // finds: use_after_free
    cudaDeviceSynchronize();
    return true;
}
}  // namespace copied_while_another_stream_frees

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"two_streams_write_one_buffer", two_streams_write_one_buffer::run},
                {"read_in_another_stream", read_in_another_stream::run},
                {"copied_in_another_stream", copied_in_another_stream::run},
                {"managed_memory_read_too_early", managed_memory_read_too_early::run},
                {"managed_memory_changed_too_early", managed_memory_changed_too_early::run},
                {"managed_memory_of_another_stream", managed_memory_of_another_stream::run},
                {"launched_on_another_stream", launched_on_another_stream::run},
                {"filled_on_another_stream", filled_on_another_stream::run},
                {"copied_on_the_default_stream", copied_on_the_default_stream::run},
                {"freed_before_its_stream_has_finished", freed_before_its_stream_has_finished::run},
                {"freed_after_the_wrong_stream", freed_after_the_wrong_stream::run},
                {"freed_on_another_stream", freed_on_another_stream::run},
                {"copied_while_another_stream_frees", copied_while_another_stream_frees::run}});
}
