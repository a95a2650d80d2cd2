// Asynchronous copies from global to shared memory, and products of tiles on tensor cores.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <mma.h>

#include "../corpus.h"

using namespace corpus;
namespace cg = cooperative_groups;
namespace wmma = nvcuda::wmma;

#define COPY_16(to, from) \
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(to), "l"(from), "n"(16))
#define WAIT_FOR_ALL_BUT(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n) : "memory")

/// Each block of 128 numbers backwards.
std::vector<double> backwards(const std::vector<float>& x, int block) {
    return wanted(static_cast<int>(x.size()), [&](int i) {
        return x[static_cast<std::size_t>(i / block * block + block - 1 - i % block)];
    });
}

namespace two_stages_in_ptx {
__device__ unsigned address_of(const void* pointer) {
    unsigned address;
    asm("{ .reg .u64 wide; cvta.to.shared.u64 wide, %1; cvt.u32.u64 %0, wide; }"
        : "=r"(address)
        : "l"(pointer));
    return address;
}
__global__ void reverse(const float* x, float* y, int n) {
    __shared__ __align__(16) float tile[2][128];
    const int t = threadIdx.x;
    COPY_16(address_of(&tile[0][4 * t]), x + 4 * t);
    asm volatile("cp.async.commit_group;");
    for (int at = 0, k = 0; at < n; at += 128, k ^= 1) {
        if (at + 128 < n) COPY_16(address_of(&tile[k ^ 1][4 * t]), x + at + 128 + 4 * t);
        asm volatile("cp.async.commit_group;");
        WAIT_FOR_ALL_BUT(1);
        __syncthreads();
        for (int j = t; j < 128; j += 32) y[at + j] = tile[k][127 - j];
        __syncthreads();
    }
}
bool run() {
    const auto a = numbers(5 * 128);
    OnDevice<float> x(a), y(5 * 128);
    reverse<<<1, 32>>>(x, y, 5 * 128);
    return near(y.values(), backwards(a, 128));
}
}  // namespace two_stages_in_ptx

namespace copy_with_a_guard {
__global__ void reverse(const float* x, float* y, int n) {
    __shared__ __align__(16) float tile[128];
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[4 * threadIdx.x]));
    const bool inside = 4 * static_cast<int>(threadIdx.x) < n;
    asm volatile(
        "{\n"
        "  .reg .pred p;\n"
        "  setp.ne.b32 p, %0, 0;\n"
        "  @p cp.async.ca.shared.global [%1], [%2], 16;\n"
        "}\n" ::"r"(static_cast<int>(inside)),
        "r"(to), "l"(x + 4 * threadIdx.x));
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    for (int j = threadIdx.x; j < n; j += 32) y[j] = tile[n - 1 - j];
}
bool run() {
    const auto a = numbers(72);
    OnDevice<float> x(a), y(72);
    reverse<<<1, 32>>>(x, y, 72);
    return near(y.values(), backwards(a, 72));
}
}  // namespace copy_with_a_guard

namespace copies_by_intrinsics {
__global__ void shifted(const float2* x, float2* y) {
    __shared__ float2 tile[64];
    const unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&tile[t], &x[t], sizeof(float2));
    __pipeline_memcpy_async(&tile[t + 32], &x[t], sizeof(float2),
                            sizeof(float));  // the second number becomes 0
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    y[t] = tile[31 - t];
    y[t + 32] = tile[63 - t];
}
bool run() {
    const auto a = numbers(64);
    OnDevice<float> x(a), y(128);
    shifted<<<1, 32>>>(reinterpret_cast<const float2*>(static_cast<float*>(x)),
                       reinterpret_cast<float2*>(static_cast<float*>(y)));
    return near(y.values(), wanted(128, [&](int i) {
                    const int from = 31 - i / 2 % 32;
                    return i >= 64 && i % 2 == 1 ? 0.0f : a[static_cast<std::size_t>(2 * from + i % 2)];
                }));
}
}  // namespace copies_by_intrinsics

namespace copies_of_a_group {
__global__ void reverse(const float* x, float* y, int n) {
    __shared__ float tile[2][100];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile[0], x, sizeof(float) * 100);
    cg::memcpy_async(block, tile[1], x + 100, sizeof(float) * 100);
    cg::wait_prior<1>(block);
    for (int j = threadIdx.x; j < 100; j += blockDim.x) y[j] = tile[0][99 - j];
    cg::wait(block);
    for (int j = threadIdx.x; j < n - 100; j += blockDim.x) y[100 + j] = tile[1][99 - j];
}
bool run() {
    const auto a = numbers(200);
    OnDevice<float> x(a), y(200);
    reverse<<<1, 48>>>(x, y, 200);
    return near(y.values(), backwards(a, 100));
}
}  // namespace copies_of_a_group

namespace copies_in_a_pipeline {
__global__ void reverse(const float* x, float* y, int tiles) {
    __shared__ float tile[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    const auto block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    for (int k = 0, next = 0; k < tiles; ++k) {
        for (; next < tiles && next < k + 2; ++next) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, tile[next % 2], x + next * 64, sizeof(float) * 64, pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        y[k * 64 + threadIdx.x] = tile[k % 2][63 - threadIdx.x];
        pipeline.consumer_release();
    }
}
bool run() {
    const auto a = numbers(5 * 64);
    OnDevice<float> x(a), y(5 * 64);
    reverse<<<1, 64>>>(x, y, 5);
    return near(y.values(), backwards(a, 64));
}
}  // namespace copies_in_a_pipeline

namespace product_of_tiles {
/// C = 2 A B, in tiles of 16 x 16; A by rows, B by columns.
__global__ void multiply(const __half* A, const __half* B, float* C, int n, int depth) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    const int row = 16 * static_cast<int>(blockIdx.y), column = 16 * static_cast<int>(blockIdx.x);
    for (int k = 0; k < depth; k += 16) {
        wmma::load_matrix_sync(a, A + row * depth + k, depth);
        wmma::load_matrix_sync(b, B + column * depth + k, depth);
        wmma::mma_sync(sum, a, b, sum);
    }
    for (int k = 0; k < sum.num_elements; ++k) sum.x[k] *= 2;
    wmma::store_matrix_sync(C + row * n + column, sum, n, wmma::mem_row_major);
}
bool run() {
    constexpr int m = 32, n = 48, depth = 64;
    const auto a = numbers(m * depth), b = numbers(n * depth, 2);
    std::vector<__half> half_a, half_b;
    for (const float x : a) half_a.push_back(__float2half(x));
    for (const float x : b) half_b.push_back(__float2half(x));
    OnDevice<__half> A(half_a), B(half_b);
    OnDevice<float> C(m * n);
    multiply<<<dim3(n / 16, m / 16), 32>>>(A, B, C, n, depth);
    return near(C.values(), wanted(m * n, [&](int at) {
                    double sum = 0;
                    for (int k = 0; k < depth; ++k)
                        sum += static_cast<double>(__half2float(half_a[at / n * depth + k])) *
                               __half2float(half_b[at % n * depth + k]);
                    return 2 * sum;
                }));
}
}  // namespace product_of_tiles

namespace tile_through_shared_memory {
/// Y = X^T X + 1, stored by columns and in half precision.
__global__ void square(const __half* X, __half* Y) {
    __shared__ __align__(32) __half tile[16 * 24];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::col_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, __half> sum;
    wmma::fill_fragment(sum, __float2half(1.0f));
    wmma::load_matrix_sync(a, X, 16);
    wmma::load_matrix_sync(b, X, 16);
    wmma::mma_sync(sum, a, b, sum);
    wmma::store_matrix_sync(tile, sum, 24, wmma::mem_col_major);
    __syncwarp();
    for (int k = threadIdx.x; k < 256; k += 32) Y[k] = tile[k % 16 * 24 + k / 16];
}
bool run() {
    const auto a = numbers(256);
    std::vector<__half> x;
    for (const float each : a) x.push_back(__float2half(each));
    OnDevice<__half> X(x), Y(256);
    square<<<1, 32>>>(X, Y);
    std::vector<float> got;
    for (const __half each : Y.values()) got.push_back(__half2float(each));
    return near(got,
                wanted(256,
                       [&](int at) {
                           double sum = 1;
                           for (int k = 0; k < 16; ++k)
                               sum += static_cast<double>(__half2float(x[16 * k + at / 16])) *
                                      __half2float(x[16 * k + at % 16]);
                           return sum;
                       }),
                5e-3);
}
}  // namespace tile_through_shared_memory

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"two_stages_in_ptx", two_stages_in_ptx::run},
                {"copy_with_a_guard", copy_with_a_guard::run},
                {"copies_by_intrinsics", copies_by_intrinsics::run},
                {"copies_of_a_group", copies_of_a_group::run},
                {"copies_in_a_pipeline", copies_in_a_pipeline::run},
                {"product_of_tiles", product_of_tiles::run},
                {"tile_through_shared_memory", tile_through_shared_memory::run}});
}
