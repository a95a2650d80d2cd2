// Asynchronous copies that are read too early, and tiles that a warp may not use.

#include <cuda_pipeline.h>
#include <mma.h>

#include "../corpus.h"

using namespace corpus;
namespace wmma = nvcuda::wmma;

namespace copy_not_waited_for {
__global__ void reverse(const float* x, float* y) {
    __shared__ float tile[32];
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], sizeof(float));
    __pipeline_commit();
    __syncthreads();                          // the copy goes on
    y[threadIdx.x] = tile[31 - threadIdx.x];  // finds: not_synchronised
}
bool run() {
    OnDevice<float> x(numbers(32)), y(32);
    reverse<<<1, 32>>>(x, y);
    return true;
}
}  // namespace copy_not_waited_for

namespace waits_for_one_stage_too_few {
__global__ void sum(const float* x, float* y, int n) {
    __shared__ float tile[2][32];
    const int t = threadIdx.x;
    float total = 0;
    __pipeline_memcpy_async(&tile[0][t], &x[t], sizeof(float));
    __pipeline_commit();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n) __pipeline_memcpy_async(&tile[(k + 1) % 2][t], &x[32 * (k + 1) + t], sizeof(float));
        if (k + 1 < n) __pipeline_commit();
        __pipeline_wait_prior(1);  // the last stage has no stage after it
        __syncthreads();
        total += tile[k % 2][31 - t];  // finds: not_synchronised
        __syncthreads();
    }
    y[t] = total;
}
bool run() {
    OnDevice<float> x(numbers(96)), y(32);
    sum<<<1, 32>>>(x, y, 3);
    return true;
}
}  // namespace waits_for_one_stage_too_few

namespace no_barrier_after_the_wait {
__global__ void reverse(const float* x, float* y) {
    __shared__ float tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], sizeof(float));  // finds: race_in_block
    __pipeline_commit();
    __pipeline_wait_prior(0);                 // each thread has waited for its own copy only
    y[threadIdx.x] = tile[63 - threadIdx.x];  // finds: race_in_block
}
bool run() {
    OnDevice<float> x(numbers(64)), y(64);
    reverse<<<1, 64>>>(x, y);
    return true;
}
}  // namespace no_barrier_after_the_wait

namespace copy_of_a_part_of_a_vector {
__global__ void shifted(const float* x, float* y) {
    __shared__ __align__(16) float tile[4];
    __pipeline_memcpy_async(tile, x + 1, 16);  // finds: misaligned
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int k = 0; k < 4; ++k) y[k] = tile[k];
}
bool run() {
    OnDevice<float> x(numbers(8)), y(4);
    shifted<<<1, 1>>>(x, y);
    return true;
}
}  // namespace copy_of_a_part_of_a_vector

namespace copy_to_global_memory {
__global__ void copy(const float* x, float* y) {
    __pipeline_memcpy_async(&y[threadIdx.x], &x[threadIdx.x], sizeof(float));  // finds: bad_copy
    __pipeline_commit();
    __pipeline_wait_prior(0);
}
bool run() {
    OnDevice<float> x(numbers(32)), y(32);
    copy<<<1, 32>>>(x, y);
    return true;
}
}  // namespace copy_to_global_memory

using Left = wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major>;
using Right = wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

inline std::vector<__half> halves(int count) {
    std::vector<__half> result;
    for (const float x : numbers(count)) result.push_back(__float2half(x));
    return result;
}

namespace tile_read_without_syncwarp {
__global__ void square(const __half* X, float* y) {
    __shared__ __align__(32) float tile[256];
    Left a;
    Right b;
    Sum sum;
    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(a, X, 16);
    wmma::load_matrix_sync(b, X, 16);
    wmma::mma_sync(sum, a, b, sum);
    wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major);  // finds: race_in_block
    y[threadIdx.x] = tile[255 - threadIdx.x];                     // finds: race_in_block
}
bool run() {
    OnDevice<__half> x(halves(256));
    OnDevice<float> y(32);
    square<<<1, 32>>>(x, y);
    return true;
}
}  // namespace tile_read_without_syncwarp

namespace rows_of_a_tile_at_odd_distances {
__global__ void copy(const __half* X, float* y) {
    Left a;
    wmma::load_matrix_sync(a, X, 20);  // finds: misaligned
    y[threadIdx.x] = __half2float(a.x[0]);
}
bool run() {
    OnDevice<__half> x(halves(400));
    OnDevice<float> y(32);
    copy<<<1, 32>>>(x, y);
    return true;
}
}  // namespace rows_of_a_tile_at_odd_distances

namespace half_a_warp_on_a_tile {
__global__ void copy(const __half* X, float* y) {
    Left a;
    wmma::load_matrix_sync(a, X, 16);  // finds: absent_lane
    y[threadIdx.x] = __half2float(a.x[0]);
}
bool run() {
    OnDevice<__half> x(halves(256));
    OnDevice<float> y(32);
    copy<<<1, 16>>>(x, y);
    return true;
}
}  // namespace half_a_warp_on_a_tile

namespace tile_outside_of_the_matrix {
__global__ void copy(const __half* X, float* y) {
    Left a;
    wmma::load_matrix_sync(a, X + 16 * 16, 16);  // finds: out_of_bounds
    y[threadIdx.x] = __half2float(a.x[0]);
}
bool run() {
    OnDevice<__half> x(halves(16 * 24));
    OnDevice<float> y(32);
    copy<<<1, 32>>>(x, y);
    return true;
}
}  // namespace tile_outside_of_the_matrix

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"copy_not_waited_for", copy_not_waited_for::run},
                {"waits_for_one_stage_too_few", waits_for_one_stage_too_few::run},
                {"no_barrier_after_the_wait", no_barrier_after_the_wait::run},
                {"copy_of_a_part_of_a_vector", copy_of_a_part_of_a_vector::run},
                {"copy_to_global_memory", copy_to_global_memory::run},
                {"tile_read_without_syncwarp", tile_read_without_syncwarp::run},
                {"rows_of_a_tile_at_odd_distances", rows_of_a_tile_at_odd_distances::run},
                {"half_a_warp_on_a_tile", half_a_warp_on_a_tile::run},
                {"tile_outside_of_the_matrix", tile_outside_of_the_matrix::run}});
}
