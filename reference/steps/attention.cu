// The same attention in four steps, each faster than the one before on a GPU. Read them in this order. They
// use what self_attention.cu uses, and compute Y = softmax(Q K^T / sqrt(D_q)) V without returning the
// weights.
//
//   step   what changes                    what it should gain
//   1      a thread for each number        nothing: this is the start
//   2      a warp for each row             reads of K are coalesced; 32 threads share a softmax; one launch
//   3      tiles in __shared__ memory      each number of K or V is read from device memory once for 16 rows
//   4      online softmax in one kernel    the N_q x N_k scores are never in the device's memory
//
// compare.cu runs them all, on the emulator or on a GPU, and prints their errors and times.

#include <cstddef>
#include <stdexcept>

#include "attention_steps.h"
#include "device.h"

namespace attn::cuda::steps {
namespace {

constexpr int kWarp = 32;

using Matrices = TensorView<float, 3>;
using ConstMatrices = TensorView<const float, 3>;

// Step 1: a thread for each number
//
// Three kernels, and between them E and A in the device's memory. Neighbouring threads of
// `scores_by_threads` have neighbouring j, so they read K at 32 places that lie D_q numbers apart. In
// `softmax_by_threads` they have neighbouring rows, which lie N_k numbers apart.

__global__ void scores_by_threads(Matrices E, ConstMatrices Q, ConstMatrices K) {
    const std::ptrdiff_t n = thread_number();
    if (n >= E.count()) return;
    const auto [b, i, j] = index_in(E, n);
    float dot = 0;
    for (int d = 0; d < Q.size(2); ++d) dot += Q(b, i, d) * K(b, j, d);
    E(b, i, j) = dot / sqrtf(static_cast<float>(Q.size(2)));
}

__global__ void softmax_by_threads(Matrices A) {
    const std::ptrdiff_t n = thread_number();
    if (n >= A.size(0) * A.size(1)) return;
    const int b = static_cast<int>(n / A.size(1)), i = static_cast<int>(n % A.size(1)), N_k = A.size(2);
    float m = -INFINITY, sum = 0;
    for (int j = 0; j < N_k; ++j) m = fmaxf(m, A(b, i, j));
    for (int j = 0; j < N_k; ++j) sum += A(b, i, j) = expf(A(b, i, j) - m);
    for (int j = 0; j < N_k; ++j) A(b, i, j) /= sum;
}

__global__ void sums_by_threads(Matrices Y, ConstMatrices A, ConstMatrices V) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [b, i, d] = index_in(Y, n);
    float sum = 0;
    for (int j = 0; j < V.size(1); ++j) sum += A(b, i, j) * V(b, j, d);
    Y(b, i, d) = sum;
}

// Step 2: a warp for each row
//
// The 32 lanes of a warp share one row of E. For a score they share d, so they read K(b, j, d) at
// neighbouring places. Sums and maxima over the lanes need no shared memory: the lanes exchange registers
// (shuffles).

constexpr int kWarpsOfBlock = 4;

__device__ float sum_of_lanes(float x) {
    for (int other = kWarp / 2; other > 0; other /= 2) x += __shfl_xor_sync(0xffffffffu, x, other);
    return x;
}

__device__ float maximum_of_lanes(float x) {
    for (int other = kWarp / 2; other > 0; other /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, other));
    return x;
}

/// A = softmax(E) for one row, in place. All lanes of a warp must call this.
__device__ void softmax_of_row(TensorView<float, 1> row, int lane) {
    float m = -INFINITY, sum = 0;
    for (int j = lane; j < row.size(0); j += kWarp) m = fmaxf(m, row(j));
    m = maximum_of_lanes(m);
    for (int j = lane; j < row.size(0); j += kWarp) sum += row(j) = expf(row(j) - m);
    sum = sum_of_lanes(sum);
    for (int j = lane; j < row.size(0); j += kWarp) row(j) /= sum;
}

__global__ void row_by_warp(Matrices Y, Matrices A, ConstMatrices Q, ConstMatrices K, ConstMatrices V) {
    const std::ptrdiff_t row = thread_number() / kWarp;
    const int lane = static_cast<int>(threadIdx.x) % kWarp, N_k = K.size(1), D_q = Q.size(2);
    if (row >= Y.size(0) * Y.size(1)) return;  // all lanes of the warp, or none
    const int b = static_cast<int>(row / Y.size(1)), i = static_cast<int>(row % Y.size(1));
    for (int j = 0; j < N_k; ++j) {
        float part = 0;
        for (int d = lane; d < D_q; d += kWarp) part += Q(b, i, d) * K(b, j, d);
        const float dot = sum_of_lanes(part);
        if (lane == j % kWarp) A(b, i, j) = dot / sqrtf(static_cast<float>(D_q));
    }
    softmax_of_row(A[b][i], lane);  // lane l reads what lane l wrote: no barrier is needed
    __syncwarp();                   // from here on the lanes read the weights of all lanes
    for (int d = lane; d < V.size(2); d += kWarp) {
        float sum = 0;
        for (int j = 0; j < N_k; ++j) sum += A(b, i, j) * V(b, j, d);
        Y(b, i, d) = sum;
    }
}

// Step 3: tiles in __shared__ memory
//
// Step 2 reads all of K and V once for each row of Q. Here a block computes a tile of 16 x 16 numbers of a
// product, and copies the tiles that it needs into shared memory, where 16 threads use each number.

constexpr int kTile = 16;

/// C = scale A B, or C = scale A B^T. Thread (x, y) of a block owns one number of a tile of C.
template <bool transposed>
__global__ void product_by_tiles(Matrices C, ConstMatrices A, ConstMatrices B, float scale) {
    __shared__ float A_tile[kTile][kTile], B_tile[kTile][kTile + 1];  // + 1: no two rows in the same banks
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
    const int first_j = static_cast<int>(blockIdx.x) * kTile, first_i = static_cast<int>(blockIdx.y) * kTile;
    const int b = static_cast<int>(blockIdx.z), i = first_i + y, j = first_j + x, inner = A.size(2);
    float sum = 0;
    for (int first = 0; first < inner; first += kTile) {
        // Neighbouring x reads neighbouring numbers of A and B, also where B is transposed. Tiles may reach
        // beyond the arrays; zeros there add nothing.
        A_tile[y][x] = i < C.size(1) && first + x < inner ? A(b, i, first + x) : 0.0f;
        if (transposed)
            B_tile[x][y] = first_j + y < C.size(2) && first + x < inner ? B(b, first_j + y, first + x) : 0.0f;
        else
            B_tile[y][x] = first + y < inner && j < C.size(2) ? B(b, first + y, j) : 0.0f;
        __syncthreads();  // the tiles are complete
        for (int k = 0; k < kTile; ++k) sum += A_tile[y][k] * B_tile[k][x];
        __syncthreads();  // before the next tiles overwrite these
    }
    if (i < C.size(1) && j < C.size(2)) C(b, i, j) = scale * sum;
}

__global__ void softmax_by_warps(Matrices A) {
    const std::ptrdiff_t row = thread_number() / kWarp;
    if (row >= A.size(0) * A.size(1)) return;  // all lanes of the warp, or none
    softmax_of_row(A[static_cast<int>(row / A.size(1))][static_cast<int>(row % A.size(1))],
                   static_cast<int>(threadIdx.x) % kWarp);
}

template <bool transposed>
void start_product(Matrices C, ConstMatrices A, ConstMatrices B, float scale, cudaStream_t stream) {
    const dim3 grid(blocks_for(C.size(2), kTile), blocks_for(C.size(1), kTile),
                    static_cast<unsigned>(C.size(0))),
        block(kTile, kTile);
    product_by_tiles<transposed><<<grid, block, 0, stream>>>(C, A, B, scale);
    check(cudaGetLastError(), "product_by_tiles");
}

// Step 4: online softmax in one kernel
//
// A warp owns one query, and its block walks over K and V in tiles of 32 keys. After each tile the warp
// knows m = the maximum so far, l = sum_j exp(e_j - m), and y = sum_j exp(e_j - m) v_j. If the next tile has
// a larger maximum m', all that was added so far is multiplied by exp(m - m'). At the end Y = y / l, and no
// score was ever in the device's memory.

constexpr int kKeys = kWarp, kQueries = 8, kWidest = 128;

__global__ void online(Matrices Y, ConstMatrices Q, ConstMatrices K, ConstMatrices V) {
    // Rows of an odd number of floats: the 32 lanes then read one column from 32 different banks.
    __shared__ float K_tile[kKeys][kWidest + 1], V_tile[kKeys][kWidest], q[kQueries][kWidest];
    const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
    const int b = static_cast<int>(blockIdx.y), i = static_cast<int>(blockIdx.x) * kQueries + warp;
    const int N_k = K.size(1), D_q = Q.size(2), D_v = V.size(2);
    const bool has_query = i < Y.size(1);
    const float scale = 1 / sqrtf(static_cast<float>(D_q));
    for (int d = lane; d < D_q; d += kWarp) q[warp][d] = has_query ? Q(b, i, d) : 0.0f;
    float m = -INFINITY, l = 0, y[kWidest / kWarp] = {};  // lane t has y_d of d = t, t + 32, ..
    for (int first = 0; first < N_k; first += kKeys) {
        const int keys = N_k - first < kKeys ? N_k - first : kKeys;
        __syncthreads();  // before this tile overwrites the one before
        for (int j = warp; j < keys; j += kQueries) {
            for (int d = lane; d < D_q; d += kWarp) K_tile[j][d] = K(b, first + j, d);
            for (int d = lane; d < D_v; d += kWarp) V_tile[j][d] = V(b, first + j, d);
        }
        __syncthreads();  // the tile is complete, and so is q
        // Lane j has key j. A lane without a key has the weight exp(-infinity) = 0.
        float e = lane < keys ? 0.0f : -INFINITY;
        if (lane < keys) {
            for (int d = 0; d < D_q; ++d) e += q[warp][d] * K_tile[lane][d];
            e *= scale;
        }
        const float larger = fmaxf(m, maximum_of_lanes(e)), rescale = expf(m - larger);
        const float p = expf(e - larger);
        m = larger;
        l = l * rescale + sum_of_lanes(p);
        for (float& y_d : y) y_d *= rescale;
        for (int j = 0; j < keys; ++j) {
            const float p_j = __shfl_sync(0xffffffffu, p, j);
            for (int k = 0; k < kWidest / kWarp; ++k)
                if (lane + k * kWarp < D_v) y[k] += p_j * V_tile[j][lane + k * kWarp];
        }
    }
    for (int k = 0; k < kWidest / kWarp; ++k)
        if (has_query && lane + k * kWarp < D_v) Y(b, i, lane + k * kWarp) = y[k] / l;
}

}  // namespace

void attend_by_threads(Matrices Y, ConstMatrices Q, ConstMatrices K, ConstMatrices V, cudaStream_t stream) {
    constexpr int kThreads = 128;
    const int B = Q.size(0), N_q = Q.size(1), N_k = K.size(1);
    const DeviceBuffer<float> scores(stream, B, N_q, N_k);
    const Matrices E = scores.view(B, N_q, N_k);
    scores_by_threads<<<blocks_for(E.count(), kThreads), kThreads, 0, stream>>>(E, Q, K);
    check(cudaGetLastError(), "scores_by_threads");
    softmax_by_threads<<<blocks_for(std::ptrdiff_t{B} * N_q, kThreads), kThreads, 0, stream>>>(E);
    check(cudaGetLastError(), "softmax_by_threads");
    sums_by_threads<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, E, V);
    check(cudaGetLastError(), "sums_by_threads");
}

void attend_by_warps(Matrices Y, ConstMatrices Q, ConstMatrices K, ConstMatrices V, cudaStream_t stream) {
    const int B = Q.size(0), N_q = Q.size(1), N_k = K.size(1);
    const DeviceBuffer<float> weights(stream, B, N_q, N_k);
    row_by_warp<<<blocks_for(std::ptrdiff_t{B} * N_q, kWarpsOfBlock), kWarpsOfBlock * kWarp, 0, stream>>>(
        Y, weights.view(B, N_q, N_k), Q, K, V);
    check(cudaGetLastError(), "row_by_warp");
}

void attend_by_tiles(Matrices Y, ConstMatrices Q, ConstMatrices K, ConstMatrices V, cudaStream_t stream) {
    const int B = Q.size(0), N_q = Q.size(1), N_k = K.size(1);
    const DeviceBuffer<float> weights(stream, B, N_q, N_k);
    const Matrices A = weights.view(B, N_q, N_k);
    start_product<true>(A, Q, K, 1 / sqrtf(static_cast<float>(Q.size(2))), stream);
    softmax_by_warps<<<blocks_for(std::ptrdiff_t{B} * N_q, kWarpsOfBlock), kWarpsOfBlock * kWarp, 0,
                       stream>>>(A);
    check(cudaGetLastError(), "softmax_by_warps");
    start_product<false>(Y, A, V, 1, stream);
}

void attend_online(Matrices Y, ConstMatrices Q, ConstMatrices K, ConstMatrices V, cudaStream_t stream) {
    if (Q.size(2) > kWidest || V.size(2) > kWidest)
        throw std::invalid_argument("attend_online: D_q and D_v may be at most 128");
    const dim3 grid(blocks_for(Y.size(1), kQueries), static_cast<unsigned>(Y.size(0))),
        block(kWarp, kQueries);
    online<<<grid, block, 0, stream>>>(Y, Q, K, V);
    check(cudaGetLastError(), "online");
}

}  // namespace attn::cuda::steps
