// Attention in one kernel for any D_q and D_v, without tensor cores: step 4 of steps/attention.cu, with
// features in pieces of 128, and with a causal mask.

#include <cstddef>

#include "attend.h"
#include "device.h"

namespace attn::cuda::fast {
namespace {

constexpr int kLanes = 32, kTileKeys = 32, kBlockQueries = 8, kPiece = 128;
constexpr unsigned kEveryLane = 0xffffffffu;

__device__ float sum_of_warp(float x) {
    for (int other = kLanes / 2; other > 0; other /= 2) x += __shfl_xor_sync(kEveryLane, x, other);
    return x;
}
__device__ float maximum_of_warp(float x) {
    for (int other = kLanes / 2; other > 0; other /= 2) x = fmaxf(x, __shfl_xor_sync(kEveryLane, x, other));
    return x;
}

/// A block owns 8 queries and a piece of 128 features of Y; blocks of other pieces compute the same weights.
__global__ void __launch_bounds__(kLanes* kBlockQueries)
    attend_any_width(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
                     TensorView<const float, 3> V, bool causal) {
    // K, then V, in one tile. Rows of an odd number of floats: a column lies in 32 different banks.
    __shared__ float tile[kTileKeys][kPiece + 1], q[kBlockQueries][kPiece];
    const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
    const int b = static_cast<int>(blockIdx.y), first_d = static_cast<int>(blockIdx.z) * kPiece;
    const int i = static_cast<int>(blockIdx.x) * kBlockQueries + warp;
    const int N_q = Q.size(1), N_k = K.size(1), D_q = Q.size(2), D_v = V.size(2);
    const float scale = 1 / sqrtf(static_cast<float>(D_q));
    const int last = causal ? i + (N_k - N_q) : N_k - 1;  // the last key that query i may see
    float m = -INFINITY, l = 0, y[kPiece / kLanes] = {};
    for (int first = 0; first < N_k; first += kTileKeys) {
        const int keys = min(kTileKeys, N_k - first);
        float e = 0;
        for (int piece = 0; piece < D_q; piece += kPiece) {
            const int width = min(kPiece, D_q - piece);
            __syncthreads();  // before this piece overwrites the one before
            for (int d = lane; d < width; d += kLanes) {
                q[warp][d] = i < N_q ? Q(b, i, piece + d) : 0.0f;
                for (int j = warp; j < keys; j += kBlockQueries) tile[j][d] = K(b, first + j, piece + d);
            }
            __syncthreads();  // the piece is complete
            if (lane < keys)
                for (int d = 0; d < width; ++d) e += q[warp][d] * tile[lane][d];
        }
        __syncthreads();  // before V overwrites K
        for (int j = warp; j < keys; j += kBlockQueries)
            for (int d = lane; d < kPiece && first_d + d < D_v; d += kLanes)
                tile[j][d] = V(b, first + j, first_d + d);
        __syncthreads();  // the tile of V is complete
        e = lane < keys && first + lane <= last ? e * scale : -INFINITY;
        const float largest = fmaxf(m, maximum_of_warp(e));
        const float reference = largest == -INFINITY ? 0.0f : largest;
        const float rescale = expf(m - reference), p = expf(e - reference);
        m = largest;
        l = l * rescale + sum_of_warp(p);
        for (float& y_d : y) y_d *= rescale;
        for (int j = 0; j < keys; ++j) {
            const float p_j = __shfl_sync(kEveryLane, p, j);
            for (int k = 0; k < kPiece / kLanes; ++k)
                if (first_d + lane + k * kLanes < D_v) y[k] += p_j * tile[j][lane + k * kLanes];
        }
    }
    for (int k = 0; k < kPiece / kLanes; ++k) {
        const int d = first_d + lane + k * kLanes;
        if (i < N_q && d < D_v) Y(b, i, d) = l > 0 ? y[k] / l : 0.0f;
    }
}

}  // namespace

void attend_simt(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
                 TensorView<const float, 3> V, bool causal, cudaStream_t stream) {
    const dim3 grid(blocks_for(Q.size(1), kBlockQueries), static_cast<unsigned>(Q.size(0)),
                    blocks_for(V.size(2), kPiece)),
        block(kLanes, kBlockQueries);
    attend_any_width<<<grid, block, 0, stream>>>(Y, Q, K, V, causal);
    check(cudaGetLastError(), "attend_any_width");
}

}  // namespace attn::cuda::fast
