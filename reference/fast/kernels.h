#pragma once
/// What is compiled once for each vector unit (kernels/), as a table of functions. The rest of attn::fast
/// calls it through kernels().
///
/// A file in kernels/ may use only what is in its namespace, builtins and intrinsics: an inline function of
/// the standard library compiled there with AVX-512 could be the copy that the linker keeps for everybody.

#include <cstddef>
#include <cstdint>

namespace attn::fast {

/// Queries of one call of Kernels::attend at most; a multiple of the rows of a register tile.
inline constexpr int kBlockRows = 192;
/// Keys whose weights are computed before they meet V. Packed keys end on a multiple of it.
inline constexpr int kStepKeys = 64;

/// A matrix that the next block will read: it is fetched while this one is computed.
struct Ahead {
    const float* data = nullptr;
    std::ptrdiff_t row = 0;
    int rows = 0, columns = 0;
};

/// `rows` queries of one head against all its keys.
struct AttendBlock {
    float* Y;
    std::ptrdiff_t Y_row;
    const float* Q;
    std::ptrdiff_t Q_row;
    const float* packed_keys;  ///< by pack_keys
    const float* V;            ///< rows that may be read up to D_v rounded up to whole vectors
    std::ptrdiff_t V_row;
    int rows, N_k, D_q, D_v;
    bool causal;
    int reach;                 ///< if causal, row i may attend to keys j < reach + i; may be negative
    const std::uint8_t* mask;  ///< of row 0, or null
    std::ptrdiff_t mask_row;
    Ahead ahead[3];
    float* scratch;  ///< attend_scratch(D_q, D_v) numbers, 64-byte aligned
};

struct Kernels {
    int lanes;  ///< floats of a vector

    /// Numbers that `keys` packed keys take: whole steps.
    /// K [keys, D_q], keys by keys, becomes [panel, D_q, keys of a panel], the last panel filled up with
    /// zeros.
    void (*pack_keys)(float* packed, const float* K, std::ptrdiff_t K_row, int keys, int D_q);
    std::size_t (*attend_scratch)(int D_q, int D_v);
    void (*attend)(const AttendBlock& block);

    /// y[j] = exp(x[j] - m) / sum_k exp(x[k] - m), m the largest x; y may be x.
    void (*softmax_row)(float* y, const float* x, std::ptrdiff_t count);
    /// y[j] = e^x[j], to within 1.25 ulp; y may be x. Below 2^-126 it is 0.
    void (*exp)(float* y, const float* x, std::ptrdiff_t count);
    /// y[j] = 2^x[j], as attend computes it; y may be x. For x <= 127 the error is at most 3.25 ulp, and results
    /// below 2^-126 are 0. For x > 127 the result is some number that is at least 2^127.
    void (*exp2)(float* y, const float* x, std::ptrdiff_t count);

    /// Multiply-adds that depend on no memory, flop_of_round() floating-point operations a round: how fast
    /// the machine can be. Returns something that depends on all of them.
    float (*multiply_adds)(long rounds, float factor);
    double (*flop_of_round)();
};

/// Those of vector_unit().
const Kernels& kernels();

}  // namespace attn::fast
