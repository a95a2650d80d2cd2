#pragma once
/// One block of queries against all keys of its head, kStepKeys keys at a time. The scores of a step never
/// leave the cache; what is carried from step to step is, for every row,
///     O = sum_j 2^(E[j] - m) V[j],    l = sum_j 2^(E[j] - m),    Y = O / l,
/// with E in units of log2(e). m may be any number near the largest score. It is 0 until the weights of a step
/// come to so much, or in the first step to so little, that floats might run out of range; only then the row's
/// largest score is looked for, and O and l are scaled down. The products of Q and K are added to -m, not to
/// 0, which saves a subtraction.

#include "reference/fast/kernels.h"
#include "reference/fast/kernels/exp.h"
#include "reference/fast/kernels/pack.h"

namespace attn::fast::ATTN_VECTOR_UNIT {
namespace {

/// Bounds of the sum of a step's weights in one lane; the lower one is for the first step.
inline constexpr float kLargestSum = 0x1p10F, kSmallestSum = 0x1p-20F;
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
            for (int v = 0; v < kVectors; ++v) C[i][v] = multiply_add(a, b[v], C[i][v]);
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

/// E - m = Q K^T - m for a tile's rows and the first kVectors vectors of a panel.
template <int kVectors>
[[gnu::noinline]] void scores(float* E, const float* minus_m, const float* Q, const float* panel, int D_q) {
    Tile<kVectors> C;
#pragma GCC unroll 6
    for (int i = 0; i < kTileRows; ++i)
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) C[i][v] = all(minus_m[i]);
    multiply_add<kVectors>(C, Q, D_q, panel, kPanelKeys, D_q);
    store_tile<kVectors>(E, kStepKeys, C);
}

/// O += A V for a tile's rows and kVectors vectors of columns; in the first step O = A V.
template <int kVectors, bool kFirst>
[[gnu::noinline]] void weigh(float* O, std::ptrdiff_t O_row, const float* A, const float* V,
                             std::ptrdiff_t V_row, int keys) {
    Tile<kVectors> C = {};
    if constexpr (!kFirst) load_tile<kVectors>(C, O, O_row);
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
        quota_ = calls == 0 ? 0 : (rows + calls - 1) / calls;
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
    float* minus_m;  ///< of every row
    float* limit;    ///< of every row: what a step's sums may come to; negative until the row has had a key
    int O_row;
};

/// A = 2^(E - m) for the scores less m of a row, and the sum of every lane's weights.
template <int kVectors>
ATTN_INLINE Vector exponentials(float* A, const Vector (&e)[kVectors]) {
    Vector sum = exp2_of(e[0]);
    store(A, sum);
    for (int v = 1; v < kVectors; ++v) {
        const Vector a = exp2_of(e[v]);
        store(A + v * kLanes, a);
        sum += a;
    }
    return sum;
}

/// Moves m of row i to its largest score, scales what O and l hold, and computes the weights again.
template <int kVectors>
[[gnu::noinline]] Vector raise(const State& state, int i, Vector (&e)[kVectors], bool is_first) {
    Vector top = e[0];
    for (int v = 1; v < kVectors; ++v) top = larger(e[v], top);
    const float rise = largest_of(top);
    const bool has_keys = !is_first && state.limit[i] > 0, stays = rise == -kInfinity;
    if (!stays) {
        state.minus_m[i] -= rise;
        for (int v = 0; v < kVectors; ++v) e[v] -= all(rise);
    }
    if (!has_keys) {
        state.limit[i] = stays ? -1 : kLargestSum;
    } else if (!stays) {
        const Vector factor = exp2_of(all(-rise));
        store(state.l + i * kLanes, load(state.l + i * kLanes) * factor);
        for (int d = 0; d < state.O_row; d += kLanes)
            store(state.O + i * state.O_row + d, load(state.O + i * state.O_row + d) * factor);
    }
    return exponentials<kVectors>(state.A + i * kStepKeys, e);
}

/// A = 2^(E - m), in the scores' place, and l += its sums lane by lane, for the rows i0 .. of a tile.
/// In the first step l = those.
template <int kVectors>
ATTN_INLINE void weights(const State& state, int i0, bool is_first) {
    for (int i = i0; i < i0 + kTileRows; ++i) {
        float* const A = state.A + i * kStepKeys;
        Vector e[kVectors];
        for (int v = 0; v < kVectors; ++v) e[v] = load(A + v * kLanes);
        Vector sum = exponentials<kVectors>(A, e);
        if (any_positive(sum - all(state.limit[i])) || (is_first && !any_positive(sum - all(kSmallestSum))))
            sum = raise<kVectors>(state, i, e, is_first);
        store(state.l + i * kLanes, is_first ? sum : sum + load(state.l + i * kLanes));
    }
}

/// The scores of a tile's rows that are -infinity: beyond the last key that a row may attend to, and where
/// the mask says so. `first_key` is the step's first, `vectors` what weights() will look at.
inline void forbid(const AttendBlock& block, const State& state, int i0, int first_key, int vectors) {
    for (int i = i0; i < i0 + kTileRows; ++i) {
        float* const E = state.A + i * kStepKeys;
        const int end = block.causal ? smaller(block.N_k, block.reach + i) : block.N_k;
        const int allowed = end - first_key;
        for (int v = allowed < 0 ? 0 : allowed / kLanes; v < vectors; ++v) {
            const Integers key = lane_numbers(Lanes{}) + v * kLanes;
            store(E + v * kLanes, key < allowed ? load(E + v * kLanes) : all(-kInfinity));
        }
        if (block.mask == nullptr || i >= block.rows) continue;
        const std::uint8_t* const mask = block.mask + i * block.mask_row + first_key;
        const int masked = smaller(allowed, vectors * kLanes);
        for (int j = 0; j < masked; ++j) E[j] = mask[j] ? E[j] : -kInfinity;
    }
}

template <int kVectors>
ATTN_INLINE void scores_of(int vectors, float* E, const float* minus_m, const float* Q, const float* panel,
                           int D_q) {
    if constexpr (kVectors > 1)
        if (vectors < kVectors) return scores_of<kVectors - 1>(vectors, E, minus_m, Q, panel, D_q);
    scores<kVectors>(E, minus_m, Q, panel, D_q);
}

template <int kVectors>
ATTN_INLINE void weights_of(int vectors, const State& state, int i0, bool is_first) {
    if constexpr (kVectors > 1)
        if (vectors < kVectors) return weights_of<kVectors - 1>(vectors, state, i0, is_first);
    weights<kVectors>(state, i0, is_first);
}

template <int kVectors>
ATTN_INLINE void weigh_by(int vectors, bool first, float* O, std::ptrdiff_t O_row, const float* A,
                          const float* V, std::ptrdiff_t V_row, int keys) {
    if constexpr (kVectors > 1)
        if (vectors < kVectors) return weigh_by<kVectors - 1>(vectors, first, O, O_row, A, V, V_row, keys);
    (first ? weigh<kVectors, true> : weigh<kVectors, false>)(O, O_row, A, V, V_row, keys);
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
    state.minus_m = take(1);
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
        state.minus_m[i] = 0;
        state.limit[i] = kLargestSum;
    }
    return state;
}

/// O = 0 and l = 0 for the rows i0 .. of a tile that may attend to no key at all.
inline void clear(const State& state, int i0) {
    for (int k = i0 * kLanes; k < (i0 + kTileRows) * kLanes; ++k) state.l[k] = 0;
    for (int k = i0 * state.O_row; k < (i0 + kTileRows) * state.O_row; ++k) state.O[k] = 0;
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

/// Makes rows of Y ready for writing in each of a tile's last steps, and all of them if it has fewer steps.
ATTN_INLINE void fetch_Y(const AttendBlock& block, int i0, int steps_left, bool is_first) {
    constexpr int kRows = 2;
    if (steps_left >= kTileRows / kRows) return;
    const int first = i0 + steps_left * kRows, last = is_first ? i0 + kTileRows : first + kRows;
    for (int i = first; i < smaller(last, block.rows); ++i)
        for (int d = 0; d < block.D_v; d += 16) __builtin_prefetch(block.Y + i * block.Y_row + d, 1);
}

/// How many tiles of `rows` rows have keys to attend to in a step, added up over all steps.
inline int tiles_with_keys(const AttendBlock& block, int rows, int end) {
    int count = 0;
    for (int first_key = 0; first_key < end; first_key += kStepKeys) {
        // Of a causal block, the first tiles may reach no key of the step.
        const int beyond = block.causal ? first_key - block.reach + 1 : 0;
        count += (rows - smaller(rows, beyond > 0 ? beyond / kTileRows * kTileRows : 0)) / kTileRows;
    }
    return count;
}

inline void attend(const AttendBlock& block) {
    const FlushToZero flush;
    const int rows = round_up(block.rows, kTileRows);
    const State state = prepare(block, rows);
    const int columns = state.O_row / kLanes, column_tiles = (columns + kTileVectors - 1) / kTileVectors;
    const int end = block.causal ? smaller(block.N_k, block.reach + block.rows - 1) : block.N_k;
    if (end <= 0)
        for (int i0 = 0; i0 < rows; i0 += kTileRows) clear(state, i0);
    Prefetcher prefetcher(block, 2 * tiles_with_keys(block, rows, end));
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
            if (count <= 0) {
                if (first_key == 0) clear(state, i0);
                continue;
            }
            const int tile_end = block.causal ? smaller(end, block.reach + i0 + kTileRows - 1) : end;
            fetch_Y(block, i0, (tile_end - 1 - first_key) / kStepKeys, first_key == 0);
            prefetcher.some();
            const int vectors = (count + kLanes - 1) / kLanes;
            for (int v = 0; v < vectors; v += kTileVectors)
                scores_of<kTileVectors>(vectors - v, state.A + i0 * kStepKeys + v * kLanes,
                                        state.minus_m + i0, state.Q + i0 * block.D_q,
                                        keys + static_cast<std::ptrdiff_t>(v) * kLanes * block.D_q,
                                        block.D_q);
            const bool all_allowed = count == vectors * kLanes && block.mask == nullptr &&
                                     (!block.causal || first_key + count <= block.reach + i0);
            if (!all_allowed) forbid(block, state, i0, first_key, vectors);
            weights_of<kStepVectors>(vectors, state, i0, first_key == 0);
            prefetcher.some();
            for (int tile = 0, v = 0; tile < column_tiles; ++tile) {
                // Tiles as equal as can be: a narrow one has too few sums to keep the multipliers busy.
                const int wide = (columns - v + column_tiles - tile - 1) / (column_tiles - tile);
                weigh_by<kTileVectors>(wide, first_key == 0, state.O + i0 * state.O_row + v * kLanes,
                                       state.O_row, state.A + i0 * kStepKeys, V + v * kLanes, block.V_row,
                                       count);
                v += wide;
            }
        }
    }
    finish(block, state);
}

}  // namespace
}  // namespace attn::fast::ATTN_VECTOR_UNIT
