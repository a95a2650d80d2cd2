// Constructs of real CUDA code that are right although they look like mistakes.

#include <new>

#include <cuda_fp16.h>

#include "../corpus.h"

using namespace corpus;

namespace floats_as_vectors {
__global__ void copy(const float* x, float* y) {
    __shared__ float odd[3], a[256], b[256];
    if (threadIdx.x < 3) odd[threadIdx.x] = 1;
    reinterpret_cast<float4*>(a)[threadIdx.x] = reinterpret_cast<const float4*>(x)[threadIdx.x];
    reinterpret_cast<float4*>(b)[63 - threadIdx.x] = reinterpret_cast<float4*>(a)[threadIdx.x];
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += 64) y[i] = b[i] * odd[i % 3];
}
bool run() {
    const auto a = numbers(256);
    OnDevice<float> x(a), y(256);
    copy<<<1, 64>>>(x, y);
    return near(y.values(), wanted(256, [&](int i) { return a[(63 - i / 4) * 4 + i % 4]; }));
}
}  // namespace floats_as_vectors

namespace add_by_compare_and_swap {
// As the CUDA C++ Programming Guide writes an atomic function that the device lacks ("Atomic Functions").
__device__ double add(double* address, double value) {
    auto* const bits = reinterpret_cast<unsigned long long*>(address);
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__global__ void sum(double* y) {
    add(y, threadIdx.x);
}
bool run() {
    OnDevice<double> y(1, 0.0);
    sum<<<4, 64>>>(y);
    return near(y.values(), wanted(1, [](int) { return 4 * 63 * 32; }));
}
}  // namespace add_by_compare_and_swap

namespace maximum_by_compare_and_swap {
// Most threads find a larger number there and never call atomicCAS.
__device__ void raise(float* address, float value) {
    int* const bits = reinterpret_cast<int*>(address);
    int old = *bits;
    while (value > __int_as_float(old)) {
        const int assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(value));
        if (old == assumed) break;
    }
}
__global__ void maximum(float* y) {
    __shared__ float largest;
    if (threadIdx.x == 0) largest = -1;
    __syncthreads();
    raise(&largest, static_cast<float>(threadIdx.x * 37 % 64));
    __syncthreads();
    if (threadIdx.x == 0) raise(y, largest + static_cast<float>(blockIdx.x));
}
bool run() {
    OnDevice<float> y(1, 0.0f);
    maximum<<<8, 64>>>(y);
    return near(y.values(), wanted(1, [](int) { return 70; }));
}
}  // namespace maximum_by_compare_and_swap

namespace memory_of_the_kernel {
struct Node {
    int value;
    Node* next;
};
__global__ void build(Node** lists) {
    Node* first = nullptr;
    for (int i = 0; i < 4; ++i) first = new Node{i * static_cast<int>(threadIdx.x), first};
    lists[threadIdx.x] = first;
}
__global__ void sum(Node** lists, int* y) {
    auto* const values = static_cast<int*>(malloc(4 * sizeof(int)));
    int count = 0;
    for (Node* node = lists[threadIdx.x]; node != nullptr;) {
        values[count++] = node->value;
        Node* const next = node->next;
        delete node;
        node = next;
    }
    y[threadIdx.x] = values[0] + values[1] + values[2] + values[3];
    free(values);
}
__global__ void too_much(int* y) {
    *y = malloc(9 << 20) == nullptr ? 1 : 2;
}
bool run() {
    OnDevice<Node*> lists(64);
    OnDevice<int> y(64), refused(1);
    build<<<1, 64>>>(lists);
    sum<<<1, 64>>>(lists, y);
    too_much<<<1, 1>>>(refused);
    return near(y.values(), wanted(64, [](int i) { return 6 * i; })) && refused.values()[0] == 1;
}
}  // namespace memory_of_the_kernel

namespace function_called_lerp {
__device__ float lerp(float a, float b, float t) {
    return a + t * (b - a);
}
__device__ float3 lerp(float3 a, float3 b, float t) {
    return make_float3(lerp(a.x, b.x, t), lerp(a.y, b.y, t), lerp(a.z, b.z, t));
}
__global__ void blend(float* y) {
    y[0] = lerp(1.0f, 3.0f, 0.25f) + lerp(make_float3(1, 2, 3), make_float3(5, 6, 7), 0.5f).z;
}
bool run() {
    OnDevice<float> y(1);
    blend<<<1, 1>>>(y);
    return near(y.values(), wanted(1, [](int) { return 6.5; }));
}
}  // namespace function_called_lerp

namespace code_for_an_architecture {
__global__ void fill(float* y) {
#if __CUDA_ARCH__ >= 700
    y[threadIdx.x] = 2;
#endif
}
#if defined(ANOTHER_LIBRARY)
#include <cublas_v2.h>
__device__ void unused() {
    asm volatile("bar.sync 0;");
}
#endif
bool run() {
    OnDevice<float> y(32);
    fill<<<1, 32>>>(y);
    return near(y.values(), wanted(32, [](int) { return 2; }));
}
}  // namespace code_for_an_architecture

namespace local_halves_as_vectors {
__device__ float2& two_floats(half& first) {
    return *reinterpret_cast<float2*>(&first);
}
__device__ half2& pair(half& first) {
    return *reinterpret_cast<half2*>(&first);
}
__global__ void add(half* x, half* y) {
    const char odd = static_cast<char>(threadIdx.x);  // moves the arrays in the frame
    half r[4], sum[2];
    two_floats(r[0]) = two_floats(x[threadIdx.x * 4]);
    pair(sum[0]) = __hadd2(pair(r[0]), pair(r[2]));
    y[threadIdx.x] = sum[0] + sum[1] + __float2half(odd * 0.0f);
}
bool run() {
    OnDevice<half> x(std::vector<half>(128, __float2half(1.5f))), y(32);
    add<<<1, 32>>>(x, y);
    std::vector<float> sums;
    for (const half each : y.values()) sums.push_back(__half2float(each));
    return near(sums, wanted(32, [](int) { return 6; }));
}
}  // namespace local_halves_as_vectors

namespace virtual_functions {
struct Shape {
    int x;
    __device__ virtual int value() { return x; }
};
struct Square : Shape {
    __device__ Square() { x = 2; }
    __device__ int value() override { return x * x; }
};
__global__ void make(Shape** p) {
    *p = new Square;
}
__global__ void use(Shape** p, int* y) {
    __shared__ __align__(8) unsigned char room[sizeof(Square)];
    __shared__ Shape* local;
    if (threadIdx.x == 0) local = new (room) Square;
    __syncthreads();
    y[blockIdx.x * 64 + threadIdx.x] = (*p)->value() + local->value();
}
bool run() {
    OnDevice<Shape*> p(1);
    OnDevice<int> y(128);
    make<<<1, 1>>>(p);
    use<<<2, 64>>>(p, y);
    return near(y.values(), wanted(128, [](int) { return 8; }));
}
}  // namespace virtual_functions

namespace volatile_flag_between_fences {
__device__ int flag, arrived;
__device__ float data;
__global__ void pass(float* y) {
    volatile int* const raised = &flag;
    if (atomicAdd(&arrived, 1) == 0) {
        data = 3;
        __threadfence();
        *raised = 1;
    } else {
        while (*raised == 0) {
        }
        __threadfence();
        *y = data;
        *raised = 0;
        atomicExch(&arrived, 0);
    }
}
bool run() {
    OnDevice<float> y(1);
    pass<<<2, 1>>>(y);
    return near(y.values(), wanted(1, [](int) { return 3; }));
}
}  // namespace volatile_flag_between_fences

namespace maximum_after_an_early_look {
__global__ void largest(const int* x, int* y) {
    const int mine = x[blockIdx.x * 64 + threadIdx.x];
    if (mine > *y) atomicMax(y, mine);
}
bool run() {
    std::vector<int> numbers;
    for (int i = 0; i < 256; ++i) numbers.push_back(i * 37 % 256);
    OnDevice<int> x(numbers), y(1, 0);
    largest<<<4, 64>>>(x, y);
    return near(y.values(), wanted(1, [](int) { return 255; }));
}
}  // namespace maximum_after_an_early_look

namespace default_arguments {
__global__ void fill(float* y, float value = 3, int times = 2) {
    y[threadIdx.x] = value * static_cast<float>(times);
}
bool run() {
    OnDevice<float> y(96);
    fill<<<1, 32>>>(y);
    fill<<<1, 32>>>(y + 32, 5);
    fill<<<1, 32>>>(y + 64, 5, 7);
    return near(y.values(), wanted(96, [](int i) { return i < 32 ? 6 : i < 64 ? 10 : 35; }));
}
}  // namespace default_arguments

namespace names_from_macros {
#define KERNEL(type, name)                   \
    __global__ void name##_kernel(type* x) { \
        x[threadIdx.x] += 1;                 \
    }                                        \
    void run_##name(type* x) {               \
        name##_kernel<<<1, 32>>>(x);         \
    }
KERNEL(float, floats)
KERNEL(int, ints)
bool run() {
    OnDevice<float> x(32, 1.0f);
    OnDevice<int> y(32, 4);
    run_floats(x);
    run_ints(y);
    return near(x.values(), wanted(32, [](int) { return 2; })) &&
           near(y.values(), wanted(32, [](int) { return 5; }));
}
}  // namespace names_from_macros

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"floats_as_vectors", floats_as_vectors::run},
                {"add_by_compare_and_swap", add_by_compare_and_swap::run},
                {"maximum_by_compare_and_swap", maximum_by_compare_and_swap::run},
                {"memory_of_the_kernel", memory_of_the_kernel::run},
                {"function_called_lerp", function_called_lerp::run},
                {"code_for_an_architecture", code_for_an_architecture::run},
                {"local_halves_as_vectors", local_halves_as_vectors::run},
                {"virtual_functions", virtual_functions::run},
                {"volatile_flag_between_fences", volatile_flag_between_fences::run},
                {"maximum_after_an_early_look", maximum_after_an_early_look::run},
                {"default_arguments", default_arguments::run},
                {"names_from_macros", names_from_macros::run}});
}
