// Attention in one kernel on tensor cores, as FlashAttention-2 orders it: a warp owns 16 queries, its block
// walks over K and V in tiles of 32 keys, and no score is ever in the device's memory.
//
// Tensor cores multiply tf32 numbers, which have 11 bits. Each number is split into two of them, x = large +
// small, and a product takes three multiplications: large large + large small + small large (3xTF32). What is
// left out is small small, about 2^-22 of the product. One tf32 product alone would be hundreds of rounding
// errors away.

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "attend.h"
#include "device.h"
#include "products.h"

namespace attn::cuda::fast {
namespace {

constexpr int kWarp = 32, kWarps = 4, kQueriesOfWarp = 16, kQueries = kWarps * kQueriesOfWarp, kKeys = 32;
constexpr int kStages = 2;  // one tile is in use while the next is copied

template <int D>
constexpr int kTileFloats = kKeys* D;
template <int D>
constexpr int kSharedBytes = (kQueries * D + kStages * 2 * kTileFloats<D>)*int{sizeof(float)};

/// Starts to copy `count` rows of D floats, from row `first` of a matrix with N rows. Rows that do not exist
/// become zeros.
template <int D>
__device__ void start_copies(float* tile, const float* matrix, int count, int first, int N) {
    constexpr int kChunks = D / 4;
    for (int n = static_cast<int>(threadIdx.x); n < count * kChunks; n += kWarps * kWarp) {
        const int row = n / kChunks, column = n % kChunks * 4;
        const bool exists = first + row < N;
        const std::ptrdiff_t from = exists ? (first + row) * std::ptrdiff_t{D} + column : 0;
        copy_16_bytes(tile + offset_in_tile(row, column, D), matrix + from, exists);
    }
}

/// What a lane knows of its two rows, g and g + 8 of the warp's 16 queries, after the tiles so far.
template <int D>
struct Rows {
    float m[2] = {-INFINITY, -INFINITY};  // the largest score
    float l[2] = {};                      // sum_j exp(e_j - m), the part of this lane
    float y[D / 8][4] = {};               // sum_j exp(e_j - m) v_j, as fragments C
};

/// E = Q K^T for the warp's 16 queries and the tile's 32 keys, as 4 fragments C.
template <int D, class Product>
__device__ void multiply_keys(float (&e)[kKeys / 8][4], const float* Q_tile, const float* K_tile, int lane) {
#pragma unroll
    for (int block = 0; block < kKeys / 8; ++block)
#pragma unroll
        for (int reg = 0; reg < 4; ++reg) e[block][reg] = 0;
#pragma unroll 2
    for (int step = 0; step < D / 8; ++step) {
        const auto a = Product::fragment_A(
            lane, [&](int i, int d) { return Q_tile[offset_in_tile(i, step * 8 + d, D)]; });
#pragma unroll
        for (int block = 0; block < kKeys / 8; ++block) {
            // B = K^T: its row is a feature
            const auto b = Product::fragment_B(
                lane, [&](int d, int j) { return K_tile[offset_in_tile(block * 8 + j, step * 8 + d, D)]; });
            Product::multiply_add(e[block], a, b);
        }
    }
}

/// y += P V for the tile's 32 keys.
template <int D, class Product>
__device__ void multiply_values(Rows<D>& rows, const float (&p)[kKeys / 8][4], const float* V_tile,
                                int lane) {
#pragma unroll
    for (int step = 0; step < kKeys / 8; ++step) {
        const auto a = Product::weights(p[step]);
#pragma unroll
        for (int block = 0; block < D / 8; ++block) {
            const auto b = Product::fragment_B(lane, [&](int k, int d) {
                return V_tile[offset_in_tile(step * 8 + Product::key(k), block * 8 + d, D)];
            });
            Product::multiply_add(rows.y[block], a, b);
        }
    }
}

/// Turns scores into weights exp(e - m), and rescales what was added before to the new maximum.
template <int D>
__device__ void weigh(Rows<D>& rows, float (&e)[kKeys / 8][4]) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        float largest = rows.m[half];
#pragma unroll
        for (int block = 0; block < kKeys / 8; ++block)
            largest = fmaxf(largest, fmaxf(e[block][2 * half], e[block][2 * half + 1]));
        largest = maximum_of_row(largest);
        // While no key was allowed the maximum is -infinity, and all weights have to be 0.
        const float reference = largest == -INFINITY ? 0.0f : largest;
        const float rescale = expf(rows.m[half] - reference);
        rows.m[half] = largest;
        rows.l[half] *= rescale;
#pragma unroll
        for (int block = 0; block < kKeys / 8; ++block)
#pragma unroll
            for (int reg = 2 * half; reg < 2 * half + 2; ++reg)
                rows.l[half] += e[block][reg] = expf(e[block][reg] - reference);
#pragma unroll
        for (int block = 0; block < D / 8; ++block) {
            rows.y[block][2 * half] *= rescale;
            rows.y[block][2 * half + 1] *= rescale;
        }
    }
}

template <int D, class Product>
__global__ void __launch_bounds__(kWarps* kWarp, 2)
    attend_on_tensor_cores(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
                           TensorView<const float, 3> V, bool causal) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800  // older ones lack the instructions, and fits() is false
    extern __shared__ float4 shared[];
    float* const Q_tile = reinterpret_cast<float*>(shared);
    float* const tiles = Q_tile + kQueries * D;  // of each stage: K, then V
    const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
    const int N_q = Q.size(1), N_k = K.size(1), b = static_cast<int>(blockIdx.y);
    const int first_query = static_cast<int>(blockIdx.x) * kQueries,
              own = first_query + warp * kQueriesOfWarp;
    const float* const Q_b = Q.data() + b * std::ptrdiff_t{N_q} * D;
    const float* const K_b = K.data() + b * std::ptrdiff_t{N_k} * D;
    const float* const V_b = V.data() + b * std::ptrdiff_t{N_k} * D;
    const float scale = 1 / sqrtf(static_cast<float>(D));
    // Keys that no query of the block may see are left out.
    const int shift = N_k - N_q, last_query = min(first_query + kQueries, N_q) - 1;
    const int keys = causal ? max(0, min(N_k, last_query + shift + 1)) : N_k;
    const int count = (keys + kKeys - 1) / kKeys;

    Rows<D> rows;
    const auto start_tile = [&](int tile) {
        float* const K_tile = tiles + tile % kStages * 2 * kTileFloats<D>;
        start_copies<D>(K_tile, K_b, kKeys, tile * kKeys, N_k);
        start_copies<D>(K_tile + kTileFloats<D>, V_b, kKeys, tile * kKeys, N_k);
    };
    start_copies<D>(Q_tile, Q_b, kQueries, first_query, N_q);
    if (count > 0) start_tile(0);
    end_group_of_copies();
    for (int tile = 0; tile < count; ++tile) {
        const float* const K_tile = tiles + tile % kStages * 2 * kTileFloats<D>;
        if (tile + 1 < count) start_tile(tile + 1);
        end_group_of_copies();
        wait_for_copies<1>();  // this tile's, not the next one's
        __syncthreads();       // and those of all other threads

        float e[kKeys / 8][4];
        multiply_keys<D, Product>(e, Q_tile + warp * kQueriesOfWarp * D, K_tile, lane);
#pragma unroll
        for (int block = 0; block < kKeys / 8; ++block)
#pragma unroll
            for (int reg = 0; reg < 4; ++reg) {
                const RowColumn at = place_in_C(lane, reg);
                const int i = own + at.row, j = tile * kKeys + block * 8 + at.column;
                e[block][reg] = j < N_k && (!causal || j <= i + shift) ? e[block][reg] * scale : -INFINITY;
            }
        weigh<D>(rows, e);
        multiply_values<D, Product>(rows, e, K_tile + kTileFloats<D>, lane);
        __syncthreads();  // before the copy of the tile after the next overwrites this one
    }

#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const float l = sum_of_row(rows.l[half]);
#pragma unroll
        for (int block = 0; block < D / 8; ++block)
#pragma unroll
            for (int reg = 2 * half; reg < 2 * half + 2; ++reg) {
                const RowColumn at = place_in_C(lane, reg);
                if (own + at.row < N_q)
                    Y(b, own + at.row, block * 8 + at.column) = l > 0 ? rows.y[block][reg] / l : 0.0f;
            }
    }
#endif
}

template <int D, class Product>
void start(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
           TensorView<const float, 3> V, bool causal, cudaStream_t stream) {
    check(cudaFuncSetAttribute(attend_on_tensor_cores<D, Product>,
                               cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes<D>),
          "cudaFuncSetAttribute");
    const dim3 grid(blocks_for(Q.size(1), kQueries), static_cast<unsigned>(Q.size(0)));
    attend_on_tensor_cores<D, Product><<<grid, kWarps * kWarp, kSharedBytes<D>, stream>>>(Y, Q, K, V, causal);
    check(cudaGetLastError(), "attend_on_tensor_cores");
}

/// Whether the kernel's code was compiled for tensor cores with tf32. (A newer device also runs code of an
/// older architecture.)
bool has_tensor_cores_for_tf32() {
    cudaFuncAttributes kernel{};
    check(cudaFuncGetAttributes(&kernel, attend_on_tensor_cores<64, ThreeTf32>), "cudaFuncGetAttributes");
    return kernel.ptxVersion >= 80;
}

bool is_aligned(const void* data) {
    return reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
}

/// Whether the kernel above can run these arrays here.
bool fits(TensorView<const float, 3> Q, TensorView<const float, 3> K, TensorView<const float, 3> V) {
    const int D = Q.size(2);
    return D == V.size(2) && (D == 64 || D == 128) && is_aligned(Q.data()) && is_aligned(K.data()) &&
           is_aligned(V.data()) && has_tensor_cores_for_tf32();
}

}  // namespace

void attend(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
            TensorView<const float, 3> V, bool causal, cudaStream_t stream) {
    if (!fits(Q, K, V))
        attend_simt(Y, Q, K, V, causal, stream);
    else if (Q.size(2) == 64)
        start<64, ThreeTf32>(Y, Q, K, V, causal, stream);
    else
        start<128, ThreeTf32>(Y, Q, K, V, causal, stream);
}

void attend_in_bf16(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
                    TensorView<const float, 3> V, bool causal, cudaStream_t stream) {
    if (!fits(Q, K, V) || Q.size(2) != 64)
        throw std::invalid_argument("attend_in_bf16: D has to be 64, on tensor cores");
    start<64, Bf16>(Y, Q, K, V, causal, stream);
}

}  // namespace attn::cuda::fast
