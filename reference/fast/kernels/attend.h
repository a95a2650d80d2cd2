#pragma once
/// One block of queries against all keys of its head, kStepKeys keys at a time. The scores of a step never
/// leave the cache; what is carried from step to step is, for every row,
///     O = sum_j 2^(E[j] - m) V[j],    l = sum_j 2^(E[j] - m),    Y = O / l,
/// with E in units of log2(e). m may be any number near the largest score: it is raised, and O and l scaled
/// down, only when a score exceeds it by more than kSlack. So nearly no step has to look for a row's maximum
/// across lanes or to touch O twice.

#include "reference/fast/kernels.h"
#include "reference/fast/kernels/exp.h"
#include "reference/fast/kernels/pack.h"

namespace attn::fast::ATTN_VECTOR_UNIT {
namespace {

inline constexpr float kSlack = 8;
inline constexpr int kStepVectors = kStepKeys / kLanes;
static_assert(kBlockRows % kTileRows == 0 && kStepKeys % kPanelKeys == 0);

template <int kVectors>
using Tile = Vector[kTileRows][kVectors];

/// C += A B for the kTileRows rows of A and kVectors vectors of every row of B; depth >= 1.
template <int kVectors>
ATTN_INLINE void multiply_add(Tile<kVectors>& C, const float* A, std::ptrdiff_t A_row, const float* B,
                              std::ptrdiff_t B_row, int depth) {
    do {  // nothing has to be kept for a depth of 0
        Vector b[kVectors];
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) b[v] = load(B + v * kLanes);
#pragma GCC unroll 6
        for (int i = 0; i < kTileRows; ++i) {
            const Vector a = all(A[i * A_row]);
#pragma GCC unroll 4
            for (int v = 0; v < kVectors; ++v) C[i][v] += a * b[v];
        }
        ++A;
        B += B_row;
    } while (--depth > 0);
}

template <int kVectors>
ATTN_INLINE void load_tile(Tile<kVectors>& C, const float* from, std::ptrdiff_t row) {
#pragma GCC unroll 6
    for (int i = 0; i < kTileRows; ++i)
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) C[i][v] = load(from + i * row + v * kLanes);
}

template <int kVectors>
ATTN_INLINE void store_tile(float* to, std::ptrdiff_t row, const Tile<kVectors>& C) {
#pragma GCC unroll 6
    for (int i = 0; i < kTileRows; ++i)
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) store(to + i * row + v * kLanes, C[i][v]);
}

/// E = Q K^T for a tile's rows and the first kVectors vectors of a panel.
template <int kVectors>
[[gnu::noinline]] void scores(float* E, const float* Q, const float* panel, int D_q) {
    Tile<kVectors> C = {};
    multiply_add<kVectors>(C, Q, D_q, panel, kPanelKeys, D_q);
    store_tile<kVectors>(E, kStepKeys, C);
}

/// O += A V for a tile's rows and kVectors vectors of columns.
template <int kVectors>
[[gnu::noinline]] void weigh(float* O, std::ptrdiff_t O_row, const float* A, const float* V,
                             std::ptrdiff_t V_row, int keys) {
    Tile<kVectors> C;
    load_tile<kVectors>(C, O, O_row);
    multiply_add<kVectors>(C, A, kStepKeys, V, V_row, keys);
    store_tile<kVectors>(O, O_row, C);
}

/// Brings to the cache what the next block needs, a few rows whenever it is asked: nobody waits for them
/// then.
class Prefetcher {
  public:
    ATTN_INLINE Prefetcher(const AttendBlock& block, int calls) : ahead_(block.ahead) {
        int rows = 0;
        for (int k = 0; k < 3; ++k) rows += ahead_[k].rows;
        quota_ = (rows + calls - 1) / calls;
    }
    ATTN_INLINE void some() {
        for (int left = quota_; left > 0 && which_ < 3;) {
            const Ahead& matrix = ahead_[which_];
            if (row_ == matrix.rows) {
                ++which_;
                row_ = 0;
                continue;
            }
            const float* const from = matrix.data + row_ * matrix.row;
            for (int d = 0; d < matrix.columns; d += 16) __builtin_prefetch(from + d, 0, 2);
            ++row_;
            --left;
        }
    }

  private:
    const Ahead* ahead_;
    int quota_ = 0, which_ = 0, row_ = 0;
};

/// Where a block keeps what it carries.
struct State {
    float *Q, *A, *O, *l;
    float *m, *limit;  ///< of every row: what is subtracted, and which score is too large for that
    int O_row;
};

/// Raises m of the rows i0 .. that have a score beyond their limit.
[[gnu::noinline]] inline void raise(const State& state, int i0, int vectors) {
    for (int i = i0; i < i0 + kTileRows; ++i) {
        Vector top = load(state.A + i * kStepKeys);
        for (int v = 1; v < vectors; ++v) top = larger(load(state.A + i * kStepKeys + v * kLanes), top);
        const float m = largest_of(top);
        if (!(m > state.limit[i])) continue;
        const bool first = state.limit[i] == -kInfinity;
        const Vector factor = exp2_of(all(state.m[i] - m));
        state.m[i] = m;
        state.limit[i] = m + kSlack;
        if (first) continue;  // O and l are 0
        store(state.l + i * kLanes, load(state.l + i * kLanes) * factor);
        for (int d = 0; d < state.O_row; d += kLanes)
            store(state.O + i * state.O_row + d, load(state.O + i * state.O_row + d) * factor);
    }
}

/// A = 2^(E - m), in the scores' place, and l += its sums lane by lane, for the rows i0 .. of a tile.
ATTN_INLINE void weights(const State& state, int i0, int vectors) {
    Vector worst = all(-kInfinity);
    for (int i = i0; i < i0 + kTileRows; ++i) {
        const float* const E = state.A + i * kStepKeys;
        Vector top = load(E);
        for (int v = 1; v < vectors; ++v) top = larger(load(E + v * kLanes), top);
        worst = larger(top - all(state.limit[i]), worst);  // -infinity twice is no number and changes nothing
    }
    if (any_positive(worst)) raise(state, i0, vectors);
    for (int i = i0; i < i0 + kTileRows; ++i) {
        float* const A = state.A + i * kStepKeys;
        const Vector m = all(state.m[i]);
        Vector l = load(state.l + i * kLanes);
        for (int v = 0; v < vectors; ++v) {
            const Vector a = exp2_of(load(A + v * kLanes) - m);
            store(A + v * kLanes, a);
            l += a;
        }
        store(state.l + i * kLanes, l);
    }
}

/// The scores of a tile's rows that are -infinity: beyond the last key that a row may attend to, and where
/// the mask says so. `first_key` is the step's first, `vectors` what weights() will look at.
inline void forbid(const AttendBlock& block, const State& state, int i0, int first_key, int vectors) {
    for (int i = i0; i < i0 + kTileRows; ++i) {
        float* const E = state.A + i * kStepKeys;
        const int end = block.causal ? smaller(block.N_k, block.reach + i) : block.N_k;
        const int allowed = end - first_key;
        for (int j = allowed < 0 ? 0 : allowed; j < vectors * kLanes; ++j) E[j] = -kInfinity;
        if (block.mask == nullptr || i >= block.rows) continue;
        const std::uint8_t* const mask = block.mask + i * block.mask_row + first_key;
        const int masked = smaller(allowed, vectors * kLanes);
        for (int j = 0; j < masked; ++j) E[j] = mask[j] ? E[j] : -kInfinity;
    }
}

template <int kVectors>
ATTN_INLINE void scores_of(int vectors, float* E, const float* Q, const float* panel, int D_q) {
    if constexpr (kVectors > 1)
        if (vectors < kVectors) return scores_of<kVectors - 1>(vectors, E, Q, panel, D_q);
    scores<kVectors>(E, Q, panel, D_q);
}

template <int kVectors>
ATTN_INLINE void weigh_by(int vectors, float* O, std::ptrdiff_t O_row, const float* A, const float* V,
                          std::ptrdiff_t V_row, int keys) {
    if constexpr (kVectors > 1)
        if (vectors < kVectors) return weigh_by<kVectors - 1>(vectors, O, O_row, A, V, V_row, keys);
    weigh<kVectors>(O, O_row, A, V, V_row, keys);
}

inline std::size_t attend_scratch(int D_q, int D_v) {
    return static_cast<std::size_t>(kBlockRows) *
           static_cast<std::size_t>(round_up(D_q, kLanes) + kStepKeys + round_up(D_v, kLanes) + kLanes + 2);
}

inline State prepare(const AttendBlock& block, int rows) {
    State state{};
    float* next = block.scratch;
    const auto take = [&next](int columns) {
        float* const start = next;
        next += kBlockRows * columns;
        return start;
    };
    state.O_row = round_up(block.D_v, kLanes);
    state.A = take(kStepKeys);
    state.O = take(state.O_row);
    state.l = take(kLanes);
    state.m = take(1);
    state.limit = take(1);
    state.Q = take(block.D_q);
    constexpr float kLog2e = 0x1.715476p0F;
    const float scale = kLog2e / __builtin_sqrtf(static_cast<float>(block.D_q));
    for (int i = 0; i < rows; ++i) {
        float* const q = state.Q + i * block.D_q;
        const float* const from = block.Q + i * block.Q_row;
        if (i < block.rows)
            for (int d = 0; d < block.D_q; ++d) q[d] = from[d] * scale;
        else
            for (int d = 0; d < block.D_q; ++d) q[d] = 0;
        state.m[i] = 0;
        state.limit[i] = -kInfinity;
    }
    for (int k = 0; k < rows * kLanes; ++k) state.l[k] = 0;
    for (int k = 0; k < rows * state.O_row; ++k) state.O[k] = 0;
    return state;
}

inline void finish(const AttendBlock& block, const State& state) {
    for (int i = 0; i < block.rows; ++i) {
        float* const Y = block.Y + i * block.Y_row;
        const float* const O = state.O + i * state.O_row;
        const float l = sum_of(load(state.l + i * kLanes));
        const float inverse = l == 0 ? 0 : 1 / l;
        for (int d = 0; d < block.D_v; ++d) Y[d] = O[d] * inverse;
    }
}

/// Makes rows of Y ready for writing in each of the last steps.
ATTN_INLINE void fetch_Y(const AttendBlock& block, int i0, int steps_left) {
    constexpr int kRows = 2;
    if (steps_left >= kTileRows / kRows) return;
    const int first = i0 + steps_left * kRows;
    for (int i = first; i < smaller(first + kRows, block.rows); ++i)
        for (int d = 0; d < block.D_v; d += 16) __builtin_prefetch(block.Y + i * block.Y_row + d, 1);
}

inline void attend(const AttendBlock& block) {
    const FlushToZero flush;
    const int rows = round_up(block.rows, kTileRows);
    const State state = prepare(block, rows);
    const int columns = state.O_row / kLanes, column_tiles = (columns + kTileVectors - 1) / kTileVectors;
    const int end = block.causal ? smaller(block.N_k, block.reach + block.rows - 1) : block.N_k;
    const int steps = (end + kStepKeys - 1) / kStepKeys;
    Prefetcher prefetcher(block, steps > 0 ? 2 * steps * (rows / kTileRows) : 1);
    for (int first_key = 0; first_key < end; first_key += kStepKeys) {
        const float* const keys = block.packed_keys + static_cast<std::ptrdiff_t>(first_key) * block.D_q;
        const float* const V = block.V + first_key * block.V_row;
        // Keys of this step that any row of the tile at i0 may attend to.
        const auto keys_of = [&](int i0) {
            const int all_keys = smaller(kStepKeys, end - first_key);
            return block.causal ? smaller(all_keys, block.reach + i0 + kTileRows - 1 - first_key) : all_keys;
        };
        for (int i0 = 0; i0 < rows; i0 += kTileRows) {
            const int count = keys_of(i0);
            if (count <= 0) continue;
            fetch_Y(block, i0, (end - 1 - first_key) / kStepKeys);
            prefetcher.some();
            const int vectors = (count + kLanes - 1) / kLanes;
            for (int v = 0; v < vectors; v += kTileVectors)
                scores_of<kTileVectors>(
                    vectors - v, state.A + i0 * kStepKeys + v * kLanes, state.Q + i0 * block.D_q,
                    keys + static_cast<std::ptrdiff_t>(v) * kLanes * block.D_q, block.D_q);
            const bool all_allowed = count == vectors * kLanes && block.mask == nullptr &&
                                     (!block.causal || first_key + count <= block.reach + i0);
            if (!all_allowed) forbid(block, state, i0, first_key, vectors);
            if (vectors == kStepVectors)
                weights(state, i0, kStepVectors);
            else
                weights(state, i0, vectors);
        }
        for (int i0 = 0; i0 < rows; i0 += kTileRows) {
            const int count = keys_of(i0);
            if (count <= 0) continue;
            prefetcher.some();
            for (int tile = 0, v = 0; tile < column_tiles; ++tile) {
                // Tiles as equal as can be: a narrow one has too few sums to keep the multipliers busy.
                const int wide = (columns - v + column_tiles - tile - 1) / (column_tiles - tile);
                weigh_by<kTileVectors>(wide, state.O + i0 * state.O_row + v * kLanes, state.O_row,
                                       state.A + i0 * kStepKeys, V + v * kLanes, block.V_row, count);
                v += wide;
            }
        }
    }
    finish(block, state);
}

}  // namespace
}  // namespace attn::fast::ATTN_VECTOR_UNIT
